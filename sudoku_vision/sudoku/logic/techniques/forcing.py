"""Forcing chains and nets: one of several candidates is true, and all of them lead to the same conclusion.

These candidates are a *fork*. There are four kinds of forks:

* all candidates of a cell;
* all places of a digit in a unit;
* any three of the n + 2 candidate digits of n cells. The cells hold all of these digits except two, so they
  hold at least one of the three;
* if four cells of a rectangle have two digits as common candidates: all their other candidates. If all of
  these were false, the two digits could be swapped.

In a chain, each link follows only from the link before it. In a *net*, each step can use all steps before it.
The steps of a net are singles and locked candidates. No branch of a net ends in a contradiction or in the
solution, because that would be a trial.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import combinations
from operator import attrgetter
from typing import Any, NamedTuple

from sudoku_vision.sudoku.logic.bits import DIGITS, DIGITS_OF, bits_of, cells_of, united
from sudoku_vision.sudoku.logic.candidates import Candidates
from sudoku_vision.sudoku.logic.engine import follow, needed_nodes
from sudoku_vision.sudoku.logic.inferences import (
    InferenceGraph,
    Place,
    chain_links,
    doubly_open_sets,
    locked_graph,
    open_graph,
    path_to,
    units_of,
)
from sudoku_vision.sudoku.logic.steps import Branch, Candidate, Link, Node, Step, Technique, new_step
from sudoku_vision.sudoku.logic.techniques.chains import Graph, follows, stands
from sudoku_vision.sudoku.logic.techniques.intersections import CLAIMING, POINTING
from sudoku_vision.sudoku.logic.techniques.uniqueness import rectangles
from sudoku_vision.texts import Sentence


class _Fork(NamedTuple):
    """Some nodes (*places*). At least one of them is true, because of the *cells* and *units*."""

    places: list[Place]
    cells: tuple[int, ...]
    units: tuple[int, ...] = ()


class _Conclusion(NamedTuple):
    """A candidate that all branches of a fork make true, or that all make false.

    *links*: the number of links in all branches together. *candidate*: the number of the candidate's node.
    *true*: whether the branches make it true. *nodes*: the numbers of the nodes with which the branches
    begin.
    """

    links: int
    candidate: int
    true: bool
    fork: _Fork
    nodes: list[int]


def forcing_chain(
    board: Candidates,
    *,
    kind: str,
    forks: Callable[[Candidates], Iterable[_Fork]],
    graph_of: Graph = locked_graph,
) -> Step | None:
    """Find a conclusion to which all branches of a fork lead. The conclusion with the fewest links is taken.

    *kind*: the kind of the fork. A branch is what follows from one candidate of the fork.
    """
    graph = board.derived(graph_of)
    numbers = {place: number for number, place in enumerate(graph.places)}
    found = (one for fork in forks(board) for one in _conclusions(graph, numbers, fork))
    best = min(found, key=attrgetter("links"), default=None)
    return None if best is None else _step(board, graph, best, kind)


def _cells(board: Candidates) -> Iterator[_Fork]:
    """Yield a fork for each cell with three or more candidates."""
    for cell in cells_of(board.blank):
        if board.masks[cell].bit_count() > 2:
            yield _Fork([(digit, 1 << cell) for digit in DIGITS_OF[board.masks[cell]]], (cell,))


def _units(board: Candidates) -> Iterator[_Fork]:
    """Yield a fork for each digit that has three or more places in a unit."""
    for digit in DIGITS:
        for unit, members in board.sight.units.items():
            cells = cells_of(board.planes[digit] & members)
            if len(cells) > 2:
                yield _Fork([(digit, 1 << cell) for cell in cells], cells, (unit,))


def _sets(board: Candidates) -> Iterator[_Fork]:
    """Yield forks: n cells with n + 2 candidate digits hold at least one of any three of these digits."""
    for cells, mask in board.derived(doubly_open_sets):
        for digits in combinations(DIGITS_OF[mask], 3):
            yield _Fork([(digit, board.planes[digit] & cells) for digit in digits], cells_of(cells))


def _rectangles(board: Candidates) -> Iterator[_Fork]:
    """Yield a fork for each rectangle and each pair of digits that are candidates in all its four cells.

    The fork has all candidates of the other digits in these cells.
    """
    for cells, _ in rectangles(board.sight):
        one, two, three, four = (board.masks[cell] for cell in cells)
        for pair in combinations(DIGITS_OF[one & two & three & four], 2):
            others = [(d, 1 << cell) for cell in cells for d in DIGITS_OF[board.masks[cell]] if d not in pair]
            if len(others) <= _MAX_BRANCHES:
                yield _Fork(others, cells)


_MAX_BRANCHES = 9  # maximum number of branches of a rectangle's fork; a person would not follow more


def _conclusions(graph: InferenceGraph, numbers: Mapping[Place, int], fork: _Fork) -> Iterator[_Conclusion]:
    """Yield each candidate outside of *fork* that all branches make false, or that all branches make true."""
    nodes = [numbers[place] for place in fork.places]
    own = sum(1 << node for node in nodes)
    false, true = ~own, (1 << graph.candidates) - 1 & ~own
    ends = []
    for node in nodes:
        ends.append(graph.consequence(node))
        false &= ends[-1].ruled_out[-1]
        if not false:
            return
        true &= united(ends[-1].paces)
    for candidate in bits_of(false):
        links = sum(2 * _first(end.ruled_out, candidate) + 1 for end in ends)
        yield _Conclusion(links, candidate, False, fork, nodes)
    for candidate in bits_of(true):
        links = sum(2 * _first(end.paces, candidate) for end in ends)
        yield _Conclusion(links, candidate, True, fork, nodes)


def _first(sets: Sequence[int], member: int) -> int:
    return next(number for number, members in enumerate(sets) if members >> member & 1)


def _step(board: Candidates, graph: InferenceGraph, found: _Conclusion, kind: str) -> Step:
    links, ways = list[Link](), []
    for node in found.nodes:
        branch = chain_links(board, graph, _branch(graph, node, found), strong=False)
        links += branch
        leads_to = [follows(link) for link in branch]
        ways.append(Sentence("fork.way", {"start": stands(graph.node(node)), "follows": leads_to}))
    nodes = [node for link in links for node in (link.start, link.end)]
    concerned = [*found.fork.cells, *(cell for node in nodes for cell in node.cells)]
    concerned += [cell for link in links for cell in link.locked]
    conclusion = (graph.candidate(found.candidate),)
    digits = [digit for digit, _ in found.fork.places]
    return new_step(
        tuple(dict.fromkeys(concerned)),
        tuple(dict.fromkeys(node.digit for node in nodes)),
        units=tuple(dict.fromkeys((*found.fork.units, *units_of(board, links)))),
        colours=() if found.fork.units else (found.fork.cells,),
        links=tuple(links),
        placements=conclusion if found.true else (),
        eliminations=() if found.true else conclusion,
        words=_words(
            kind, found.fork.cells, digits, found.fork.units, ways, conclusion[0] if found.true else None
        ),
    )


def _branch(graph: InferenceGraph, node: int, found: _Conclusion) -> list[int]:
    """Return the nodes from *node*, a node of the fork, to the conclusion. True and false nodes alternate."""
    paces, ruled_out = graph.consequence(node)
    if found.true:
        return path_to(graph, found.candidate, paces[: _first(paces, found.candidate) + 1])
    count = _first(ruled_out, found.candidate)
    end = next(bits_of(paces[count] & graph.weak[found.candidate]))
    return [*path_to(graph, end, paces[: count + 1]), found.candidate]


def _words(
    kind: str,
    cells: Sequence[int],
    digits: Sequence[int],
    units: Sequence[int],
    ways: Sequence[Sentence],
    filled: Candidate | None = None,
) -> Sentence:
    """Return a step's sentence. *ways*: a sentence for each branch. *filled*: the candidate to fill in."""
    values = {"cell": cells[0], "cells": cells, "digits": digits, "digit": digits[0], "units": units}
    both = {"fork": Sentence(f"fork.{kind}", values), "ways": ways}
    if filled is None:
        return Sentence("step.fork.strike", both)
    return Sentence("step.fork.fill", both | {"cell": filled[0], "digit": filled[1]})


_Followed = tuple[Candidates, Sequence[Node]]
"""The board at the end of a branch, and all nodes that were found true. The first node is the assumed
candidate."""


def forcing_net(board: Candidates) -> Step | None:
    """Find the shortest net that rules out a candidate. It begins with one of the forks of _net_forks."""
    end_of = cache(partial(_open_end, board))
    nets: list[Step] = []
    for fork, units in _net_forks(board):
        ends = [end for candidate in fork if (end := end_of(candidate))]
        if len(ends) == len(fork):
            nets += _nets(board, ends, units)
    best = min(nets, key=_length, default=None)
    return best and replace(best, words=_net_words(best))


def _net_forks(board: Candidates) -> Iterator[tuple[list[Candidate], tuple[int, ...]]]:
    """Yield pairs (fork, units). A fork is all candidates of a cell, or all places of a digit in a unit.

    *units* holds this unit; it is empty if the fork is a cell's candidates.
    """
    for cell in cells_of(board.blank):
        yield [(cell, digit) for digit in DIGITS_OF[board.masks[cell]]], ()
    for unit, members in board.sight.units.items():
        for digit in DIGITS:
            if board.planes[digit] & members:
                yield [(cell, digit) for cell in cells_of(board.planes[digit] & members)], (unit,)


def _open_end(board: Candidates, candidate: Candidate) -> _Followed | None:
    """Assume that a *candidate* is true, and apply singles and locked candidates until none is left.

    Return the board at the end, and the nodes that were found true. Return None if the assumption leads to a
    contradiction or to the solution.
    """
    after, nodes, dead = follow(board, candidate, lambda board: POINTING.find(board) or CLAIMING.find(board))
    return (after, nodes) if dead is None and after.blank else None


def _nets(board: Candidates, ends: Sequence[_Followed], units: tuple[int, ...]) -> Iterator[Step]:
    """Yield a step, still without a sentence, for each candidate that is false at the end of every branch."""
    for digit in DIGITS:
        left = united(after.planes[digit] | after.standing[digit] for after, _ in ends)
        for cell in cells_of(board.planes[digit] & ~left):
            gone = [(cell, digit)]
            starts = [(nodes[0].cells[0], nodes[0].digit) for _, nodes in ends]
            branches = [
                Branch(start, tuple(needed_nodes(board, nodes, gone)))
                for start, (_, nodes) in zip(starts, ends, strict=True)
            ]
            yield new_step(
                tuple(dict.fromkeys(start for start, _ in starts)),
                tuple(dict.fromkeys([*(other for _, other in starts), digit])),
                units,
                eliminations=tuple(gone),
                branches=tuple(branches),
            )


def _length(step: Step) -> int:
    return sum(1 + len(branch.follows) for branch in step.branches)


def _net_words(step: Step) -> Sentence:
    ((gone, digit),) = step.eliminations
    end = stands(Node((gone,), digit), False)
    cells, digits = zip(*(branch.start for branch in step.branches), strict=True)
    starts = [stands(Node((cell,), digit)) for cell, digit in zip(cells, digits, strict=True)]
    ways = [
        Sentence("fork.net_way", {"start": start, "follows": [*map(stands, branch.follows), end]})
        for start, branch in zip(starts, step.branches, strict=True)
    ]
    return _words("unit" if step.units else "cell", cells, digits, step.units, ways)


def _chain(kind: str, order: int, **parts: Any) -> Technique:
    finder = partial(forcing_chain, kind=kind, **parts)
    return Technique(f"{kind} forcing chain", order, "extreme", 500, finder)


TECHNIQUES = (
    _chain("cell", 3000, forks=_cells),
    _chain("unit", 3100, forks=_units),
    _chain("set", 3200, forks=_sets, graph_of=open_graph),
    replace(_chain("rectangle", 3300, forks=_rectangles), needs_unique=True, swaps=True),
    Technique("forcing net", 4000, "extreme", 700, forcing_net),
)
