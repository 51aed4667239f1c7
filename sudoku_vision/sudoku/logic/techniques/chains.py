"""Chains of inferences: if one end of it is false, the other end is true, so what both ends forbid is false.

Strong and weak links in turn, strong ones at both ends, make an alternating inference chain: one of its ends
is true (``inferences``). If the ends can't both be true either, the chain is a loop,
and each of its weak links becomes strong. The first that is found is one of the shortest. (A chain that comes
back to its own start would prove it; but then a shorter one strikes out its last node but one.)
"""

from __future__ import annotations

from collections.abc import Sequence

from sudoku_vision.sudoku.board import cell_name
from sudoku_vision.sudoku.logic.candidates import Candidates, bits_of
from sudoku_vision.sudoku.logic.inferences import (
    InferenceGraph,
    chain_links,
    grouped_graph,
    locked_graph,
    pair_graph,
    plain_graph,
    shortest_chain,
    units_of,
)
from sudoku_vision.sudoku.logic.steps import Link, Node, Step, Technique
from sudoku_vision.sudoku.logic.words import listed, name_cells, strike


def xy_chain(board: Candidates) -> Step | None:
    """Find a chain through cells of two candidates, from each to the next by a digit that they share."""
    return _chain(board, board.derived(pair_graph), XY_CHAIN)


def alternating_chain(board: Candidates) -> Step | None:
    """Find a chain of candidates, through cells with two candidates and units with two places for a digit."""
    return _chain(board, board.derived(plain_graph), ALTERNATING_CHAIN)


def grouped_chain(board: Candidates) -> Step | None:
    """Find a chain of which "in one of these two or three cells" may also be a link."""
    return _chain(board, board.derived(grouped_graph), GROUPED_CHAIN)


def locked_set_chain(board: Candidates) -> Step | None:
    """Find a chain that also leads through almost locked sets, from a digit of one to any other."""
    return _chain(board, board.derived(locked_graph), LOCKED_SET_CHAIN)


def _chain(board: Candidates, graph: InferenceGraph, technique: Technique) -> Step | None:
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
    nodes = [graph.node(node) for node in path]
    concerned = [cell for node in nodes for cell in node.cells]
    concerned += [cell for link in links for cell in link.locked]
    return Step(
        technique,
        tuple(dict.fromkeys(concerned)),
        tuple(dict.fromkeys(node.digit for node in nodes)),
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


XY_CHAIN = Technique(
    "XY-chain",
    order=2200,
    difficulty="expert",
    score=260,
    find=xy_chain,
    sentence=_sentence,
    example="528901043409038512013245908340082109952316487180409230005123894894007321231894000",
)

ALTERNATING_CHAIN = Technique(
    "alternating inference chain",
    order=2300,
    difficulty="expert",
    score=280,
    find=alternating_chain,
    sentence=_sentence,
    example="021504003560301402034026051402005030105003204603247105340652018016438520258009346",
)

GROUPED_CHAIN = Technique(
    "grouped inference chain",
    order=2400,
    difficulty="expert",
    score=300,
    find=grouped_chain,
    sentence=_sentence,
    example="900700300650029017007000009300600700460057030572008006100400600740060080006003004",
)

LOCKED_SET_CHAIN = Technique(
    "almost locked set chain",
    order=2700,
    difficulty="extreme",
    score=340,
    find=locked_set_chain,
    sentence=_sentence,
    example="400050009003400800085109000000004000000080290150690070806000040500000003009040780",
)

TECHNIQUES = (XY_CHAIN, ALTERNATING_CHAIN, GROUPED_CHAIN, LOCKED_SET_CHAIN)
