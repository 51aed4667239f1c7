"""Chains of inferences: if one end of it is false, the other end is true, so what both ends forbid is false.

Strong and weak links in turn, strong ones at both ends, make an alternating inference chain: one of its ends
is true (``inferences``). If the ends can't both be true either, the chain is a loop,
and each of its weak links becomes strong. The first that is found is one of the shortest. (A chain that comes
back to its own start would prove it; but then a shorter one strikes out its last node but one.)

Almost locked sets in a row, two or three, are such chains whose strong links all lead through a set.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from sudoku_vision.sudoku.logic.candidates import Candidates, bits_of
from sudoku_vision.sudoku.logic.inferences import (
    InferenceGraph,
    chain_links,
    digit_graph,
    grouped_graph,
    locked_graph,
    pair_graph,
    plain_graph,
    set_graph,
    shortest_chain,
    units_of,
)
from sudoku_vision.sudoku.logic.steps import Link, Node, Step, Technique, shown_on
from sudoku_vision.texts import Sentence

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
    return _step(
        board, technique, graph, links, cells + [cell for link in links for cell in link.locked], gone
    )


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
    step = _step(board, technique, graph, links, [cell for cells in sets for cell in cells], gone)
    return replace(step, colours=sets)


def _step(
    board: Candidates,
    technique: Technique,
    graph: InferenceGraph,
    links: Sequence[Link],
    cells: Sequence[int],
    gone: int,
) -> Step:
    return Step(
        technique,
        tuple(dict.fromkeys(cells)),
        tuple(dict.fromkeys(node.digit for link in links for node in (link.start, link.end))),
        units=units_of(board, links),
        links=tuple(links),
        eliminations=tuple(sorted(map(graph.candidate, bits_of(gone)))),
    )


def stands(node: Node, true: bool = True) -> Sentence:
    """Say that a node is true, ``5 is in r1c2 or r1c3``, or that it is not."""
    values = {"digit": node.digit, "cells": node.cells, "count": len(node.cells)}
    return Sentence("node.true" if true else "node.false", values)


def follows(link: Link) -> Sentence:
    """Say what follows by a link, and why, if it leads through an almost locked set."""
    end, count = stands(link.end, link.strong), len(link.locked)
    values = {"node": end, "digit": link.start.digit, "cells": link.locked, "count": count}
    return Sentence("node.locked", values) if count else end


def _sentence(step: Step) -> Sentence:
    closed = not step.links[-1].strong
    links = step.links[:-1] if closed else step.links
    start, end = links[0].start, links[-1].end
    kind = "loop" if closed else "same" if start.digit == end.digit else "different"
    return step.saying(
        f"step.chain.{kind}",
        start=stands(start, False),
        follows=[follows(link) for link in links],
        digit=start.digit,
        ends=(*start.cells, *end.cells),
        one=stands(start),
        other=stands(end),
    )


def _sets_sentence(step: Step) -> Sentence:
    """Call the sets A, B and C."""
    named = zip("ABC", step.colours, strict=False)
    links = step.links
    return step.saying(
        f"step.sets.{len(step.colours)}",
        sets=[Sentence("set.named", {"name": name, "cells": cells}) for name, cells in named],
        digit=links[0].start.digit,
        first=links[0].end.digit,
        second=links[2].end.digit,
    )


_EXAMPLES = (
    ":0000:x:..425681.8.....652652.187.42....347....1.2....895....11.87...4.9.7...1..54.8219.7:358 688 722::",
    "010478000704239105302651047659147000238965714471823596040702609827396451000504070",
    "021504003560301402034026051402005030105003204603247105340652018016438520258009346",
    "006001000054030000903400007001000020030190000400500001300000680000300270002708003",
    "103000009007109000090300040010007003000020800000500060000060500600805020070004000",
    "980700640706080050005000000690007500004090000000060093250070800000908000000002010",
    "400050009003400800085109000000004000000080290150690070806000040500000003009040780",
)
_along_digit, _along_pairs, _along_candidates, _along_groups, _along_sets = (
    partial(chain, graph_of=graph_of)
    for graph_of in (digit_graph, pair_graph, plain_graph, grouped_graph, locked_graph)
)
TECHNIQUES = shown_on(
    _EXAMPLES,
    Technique("X-chain", 2190, "expert", 260, _along_digit, _sentence),
    Technique("XY-chain", 2200, "expert", 260, _along_pairs, _sentence),
    Technique("alternating inference chain", 2300, "expert", 280, _along_candidates, _sentence),
    Technique("grouped inference chain", 2400, "expert", 300, _along_groups, _sentence),
    Technique("ALS-XZ", 2500, "extreme", 300, partial(sets_in_a_row, count=2), _sets_sentence),
    Technique("ALS-XY-wing", 2600, "extreme", 320, partial(sets_in_a_row, count=3), _sets_sentence),
    Technique("almost locked set chain", 2700, "extreme", 340, _along_sets, _sentence),
)
