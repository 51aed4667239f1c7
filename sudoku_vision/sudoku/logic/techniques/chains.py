"""Chains of inferences: at least one end of a chain is true, so a candidate that both ends forbid is false.

An alternating inference chain has strong and weak links in turn (:mod:`inferences`), and its first and last
links are strong. So if one of its ends is false, the other end is true. If a weak link also joins the two
ends, the chain is a loop, and each of its weak links is strong too. A sequence of two or three almost locked
sets is also a chain: every strong link joins two digits of an almost locked set.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from sudoku_vision.sudoku.logic.bits import bits_of
from sudoku_vision.sudoku.logic.candidates import Candidates
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
from sudoku_vision.sudoku.logic.steps import Link, Node, Step, Technique, new_step
from sudoku_vision.texts import Sentence

Graph: TypeAlias = Callable[[Candidates], InferenceGraph]


def chain(board: Candidates, *, graph_of: Graph) -> Step | None:
    """Find a shortest chain in the graph of a board, and all candidates that this chain rules out."""
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
    cells += [cell for link in links for cell in link.locked]
    return _step(board, graph, links, cells, gone, _chain_words(links))


def sets_in_a_row(board: Candidates, *, count: int) -> Step | None:
    """Find a sequence of *count* almost locked sets that rules out a candidate.

    Each set and the next set have a *restricted common*. This is a digit of both sets: all its places in one
    set see all its places in the other set. So at least one of the two sets does not hold this digit. Such
    a set holds all its other digits.
    """
    graph = board.derived(set_graph)
    path = shortest_chain(graph, most=count)
    if path is None or len(path) != 2 * count:
        return None
    links = chain_links(board, graph, path, strong=True)
    sets = tuple(link.locked or link.start.cells for link in links if link.strong)
    gone = graph.forbids[path[0]] & graph.forbids[path[-1]]
    named = zip("ABC", sets, strict=False)
    values = {
        "sets": [Sentence("set.named", {"name": name, "cells": cells}) for name, cells in named],
        "digit": links[0].start.digit,
        "first": links[0].end.digit,
        "second": links[2].end.digit,
    }
    words = Sentence(f"step.sets.{count}", values)
    return replace(
        _step(board, graph, links, [cell for one in sets for cell in one], gone, words), colours=sets
    )


def _step(
    board: Candidates,
    graph: InferenceGraph,
    links: Sequence[Link],
    cells: Sequence[int],
    gone: int,
    words: Sentence,
) -> Step:
    return new_step(
        tuple(dict.fromkeys(cells)),
        tuple(dict.fromkeys(node.digit for link in links for node in (link.start, link.end))),
        units=units_of(board, links),
        links=tuple(links),
        eliminations=tuple(sorted(map(graph.candidate, bits_of(gone)))),
        words=words,
    )


def stands(node: Node, true: bool = True) -> Sentence:
    """Return a sentence that says that a node is true or false, such as ``5 is in r1c2 or r1c3``."""
    values = {"digit": node.digit, "cells": node.cells, "count": len(node.cells)}
    return Sentence("node.true" if true else "node.false", values)


def follows(link: Link) -> Sentence:
    """Return the sentence that says what follows by a link."""
    end, count = stands(link.end, link.strong), len(link.locked)
    values = {"node": end, "digit": link.start.digit, "cells": link.locked, "count": count}
    return Sentence("node.locked", values) if count else end


def _chain_words(links: Sequence[Link]) -> Sentence:
    closed = not links[-1].strong
    links = links[:-1] if closed else links
    start, end = links[0].start, links[-1].end
    kind = "loop" if closed else "same" if start.digit == end.digit else "different"
    values = {
        "start": stands(start, False),
        "follows": [follows(link) for link in links],
        "digit": start.digit,
        "ends": (*start.cells, *end.cells),
        "one": stands(start),
        "other": stands(end),
    }
    return Sentence(f"step.chain.{kind}", values)


TECHNIQUES = (
    Technique("X-chain", 2190, "expert", 260, partial(chain, graph_of=digit_graph)),
    Technique("XY-chain", 2200, "expert", 260, partial(chain, graph_of=pair_graph)),
    Technique("alternating inference chain", 2300, "expert", 280, partial(chain, graph_of=plain_graph)),
    Technique("grouped inference chain", 2400, "expert", 300, partial(chain, graph_of=grouped_graph)),
    Technique("ALS-XZ", 2500, "extreme", 300, partial(sets_in_a_row, count=2)),
    Technique("ALS-XY-wing", 2600, "extreme", 320, partial(sets_in_a_row, count=3)),
    Technique("almost locked set chain", 2700, "extreme", 340, partial(chain, graph_of=locked_graph)),
)
