"""Chains of inferences: if one end of it is false, the other end is true, so what both ends forbid is false.

Strong and weak links in turn, strong ones at both ends, make an alternating inference chain: one of its ends
is true (``inferences``). If the ends can't both be true either, the chain is a loop,
and each of its weak links becomes strong. The first that is found is one of the shortest. (A chain that comes
back to its own start would prove it; but then a shorter one strikes out its last node but one.)

Almost locked sets in a row, two or three, are such chains whose strong links all lead through a set.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from sudoku_vision.sudoku.board import cell_name
from sudoku_vision.sudoku.logic.candidates import Candidates, bits_of
from sudoku_vision.sudoku.logic.inferences import (
    InferenceGraph,
    chain_links,
    grouped_graph,
    locked_graph,
    pair_graph,
    plain_graph,
    set_graph,
    shortest_chain,
    units_of,
)
from sudoku_vision.sudoku.logic.steps import Link, Node, Step, Technique, shown_on
from sudoku_vision.sudoku.logic.words import listed, name_cells, strike

Graph: TypeAlias = Callable[[Candidates], InferenceGraph]


def chain(board: Candidates, technique: Technique, *, graph_of: Graph) -> Step | None:
    """Find a shortest chain in a graph, with all that it rules out."""
    graph = board.derived(graph_of)
    path = shortest_chain(graph)
    if path is None:
        return None
    start, end = path[0], path[-1]
    gone = graph.forbids[start] & graph.forbids[end]
    links = chain_links(board, graph, path, strong=True)
    if graph.weak[start] >> end & 1:
        for one, two in zip(path[1:-1:2], path[2:-1:2], strict=True):
            gone |= graph.forbids[one] & graph.forbids[two]
        links.append(Link(graph.node(end), graph.node(start), strong=False))
    cells = [cell for node in path for cell in graph.node(node).cells]
    return _step(technique, graph, links, cells + [cell for link in links for cell in link.locked], gone)


def sets_in_a_row(board: Candidates, technique: Technique, *, count: int) -> Step | None:
    """Find *count* almost locked sets, each with a restricted common with the next: an end holds z.

    Two sets have a digit as a *restricted common* if all of its cells in one see all of those in the other:
    then not both hold it, and the one without it holds all its other digits, z among them.
    """
    graph = board.derived(set_graph)
    path = shortest_chain(graph, most=count)
    if path is None or len(path) != 2 * count:
        return None
    links = chain_links(board, graph, path, strong=True)
    sets = tuple(link.locked or link.start.cells for link in links if link.strong)
    gone = graph.forbids[path[0]] & graph.forbids[path[-1]]
    step = _step(technique, graph, links, [cell for cells in sets for cell in cells], gone)
    return replace(step, colours=sets)


def _step(
    technique: Technique, graph: InferenceGraph, links: Sequence[Link], cells: Sequence[int], gone: int
) -> Step:
    return Step(
        technique,
        tuple(dict.fromkeys(cells)),
        tuple(dict.fromkeys(node.digit for link in links for node in (link.start, link.end))),
        units=units_of(links),
        links=tuple(links),
        eliminations=tuple(sorted(map(graph.candidate, bits_of(gone)))),
    )


def stands(node: Node, true: bool = True) -> str:
    """Say that a node is true, ``5 is in r1c2 or r1c3``, or that it is not."""
    cells = listed(map(cell_name, node.cells), "or")
    return f"{node.digit} is {'' if true else 'not '}in {cells}"


def follows(links: Sequence[Link]) -> str:
    """Say what follows along *links*, one after the other, ``5 is in r1c2, so 5 is not in r1c7``."""
    return ", so ".join(stands(link.end, link.strong) + _why(link) for link in links)


def _why(link: Link) -> str:
    """Say why a link holds that leads through an almost locked set."""
    if not link.locked:
        return ""
    count = len(link.locked)
    return f" (without {link.start.digit}, {name_cells(link.locked)} are {count} cells for {count} digits)"


def _sentence(step: Step) -> str:
    closed = not step.links[-1].strong
    links = step.links[:-1] if closed else step.links
    start, end = links[0].start, links[-1].end
    follow = f"Suppose that {stands(start, False)}. Then {follows(links)}."
    if closed:
        return (
            f"{follow} These ends can't both be true, so the chain closes to a loop: of any two neighbours "
            f"in it one is true, and you can {strike(step.eliminations)}."
        )
    if start.digit == end.digit:
        return (
            f"{follow} So {stands(start)}, or in {listed(map(cell_name, end.cells), 'or')}, and what sees "
            f"both can't hold it: {strike(step.eliminations)}."
        )
    return (
        f"{follow} So {stands(start)}, or {stands(end)}, and what would rule out both is wrong: "
        f"{strike(step.eliminations)}."
    )


def _sets_intro(step: Step) -> str:
    """Say what the sets are, and call them A, B and C."""
    sets = listed(
        f"{letter} ({name_cells(cells)})" for letter, cells in zip("ABC", step.colours, strict=False)
    )
    return (
        f"Each of the sets {sets} holds one digit more than it has cells: without one of its digits, it "
        "holds all the others."
    )


def _xz_sentence(step: Step) -> str:
    digit, common = step.digits
    return (
        f"{_sets_intro(step)} All places for {common} in A see those in B, so A or B is without {common}, "
        f"and holds {digit}. What sees all places for {digit} in both can't hold it: "
        f"{strike(step.eliminations)}."
    )


def _xy_sentence(step: Step) -> str:
    digit, first, second = step.links[0].start.digit, step.links[0].end.digit, step.links[2].end.digit
    return (
        f"{_sets_intro(step)} All places for {first} in A see those in B, and all places for {second} in B "
        f"those in C. B is without one of these at most, so it takes {first} from A, or {second} from C, "
        f"which then holds {digit}. What sees all places for {digit} in A and C can't hold it: "
        f"{strike(step.eliminations)}."
    )


_EXAMPLES = (
    "528901043409038512013245908340082109952316487180409230005123894894007321231894000",
    "021504003560301402034026051402005030105003204603247105340652018016438520258009346",
    "900700300650029017007000009300600700460057030572008006100400600740060080006003004",
    "070600300960003000103580006009050000000002100000000054000100008091060020430070600",
    "860000070900080006003009180008095000020408060000210800085000600300040008040800020",
    "400050009003400800085109000000004000000080290150690070806000040500000003009040780",
)
_along_pairs, _along_candidates, _along_groups, _along_sets = (
    partial(chain, graph_of=graph_of) for graph_of in (pair_graph, plain_graph, grouped_graph, locked_graph)
)
TECHNIQUES = shown_on(
    _EXAMPLES,
    Technique("XY-chain", 2200, "expert", 260, _along_pairs, _sentence),
    Technique("alternating inference chain", 2300, "expert", 280, _along_candidates, _sentence),
    Technique("grouped inference chain", 2400, "expert", 300, _along_groups, _sentence),
    Technique("ALS-XZ", 2500, "extreme", 300, partial(sets_in_a_row, count=2), _xz_sentence),
    Technique("ALS-XY-wing", 2600, "extreme", 320, partial(sets_in_a_row, count=3), _xy_sentence),
    Technique("almost locked set chain", 2700, "extreme", 340, _along_sets, _sentence),
)
