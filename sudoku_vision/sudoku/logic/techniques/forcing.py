"""Forcing chains: one of several candidates is true, and whichever it is, chains from each lead to the same.

What they branch from: the candidates of a cell, the places of a digit in a unit, three digits of cells that
hold two digits more than there are cells. (The two states of one candidate need no case of their own, which
others call digit forcing chains: two chains from "true" and "false" to the same end are, joined there, one
alternating inference chain.) Within each branch a link follows from the one before it alone.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any, TypeAlias

from sudoku_vision.sudoku.logic.candidates import DIGITS, DIGITS_OF, Candidates, bits_of, cells_of
from sudoku_vision.sudoku.logic.inferences import (
    Consequences,
    chain_links,
    consequences,
    doubly_open_sets,
    path_to,
    set_consequences,
    units_of,
)
from sudoku_vision.sudoku.logic.steps import Link, Step, Technique, shown_on
from sudoku_vision.sudoku.logic.techniques.chains import follows, stands
from sudoku_vision.sudoku.logic.techniques.uniqueness import rectangles
from sudoku_vision.texts import Sentence


@dataclass(frozen=True)
class _Fork:
    """Nodes of which one is true; *cells* and *units* are where that is seen."""

    nodes: tuple[int, ...]
    cells: tuple[int, ...]
    units: tuple[int, ...] = ()


@dataclass(frozen=True)
class _Conclusion:
    """A candidate that is *true* or false by all branches of a fork, and by how many links in all."""

    links: int
    candidate: int
    true: bool
    fork: _Fork


_Forks: TypeAlias = Callable[[Candidates, Consequences], Iterable[_Fork]]


def forcing_chain(
    board: Candidates,
    technique: Technique,
    *,
    forks: _Forks,
    known_by: Callable[[Candidates], Consequences] = consequences,
) -> Step | None:
    """Find the shortest conclusion that all branches of a fork lead to."""
    known = board.derived(known_by)
    best = None
    for fork in forks(board, known):
        for found in _conclusions(known, fork):
            if best is None or found.links < best.links:
                best = found
    return None if best is None else _step(board, known, best, technique)


def _cells(board: Candidates, known: Consequences) -> Iterator[_Fork]:
    """Yield the cells with three or more candidates."""
    for cell in cells_of(board.blank):
        if board.masks[cell].bit_count() > 2:
            nodes = tuple(known.numbers[digit, 1 << cell] for digit in DIGITS_OF[board.masks[cell]])
            yield _Fork(nodes, (cell,))


def _units(board: Candidates, known: Consequences) -> Iterator[_Fork]:
    """Yield the digits with three or more places in a unit."""
    for digit in DIGITS:
        for unit, members in board.sight.units.items():
            cells = cells_of(board.planes[digit] & members)
            if len(cells) > 2:
                yield _Fork(tuple(known.numbers[digit, 1 << cell] for cell in cells), cells, (unit,))


def _sets(board: Candidates, known: Consequences) -> Iterator[_Fork]:
    """Yield the cells with two digits more than cells: of any three digits one stands there."""
    for cells, mask in board.derived(doubly_open_sets):
        for digits in combinations(DIGITS_OF[mask], 3):
            nodes = tuple(known.numbers[digit, board.planes[digit] & cells] for digit in digits)
            yield _Fork(nodes, cells_of(cells))


def _rectangles(board: Candidates, known: Consequences) -> Iterator[_Fork]:
    """Yield four cells that could swap two digits: one of their other candidates is true."""
    for cells in rectangles(board.sight):
        one, two, three, four = (board.masks[cell] for cell in cells)
        for pair in combinations(DIGITS_OF[one & two & three & four], 2):
            others = [(cell, d) for cell in cells for d in DIGITS_OF[board.masks[cell]] if d not in pair]
            if len(others) <= _MOST_BRANCHES:
                yield _Fork(tuple(known.numbers[digit, 1 << cell] for cell, digit in others), cells)


_MOST_BRANCHES = 9  # from a rectangle: with more, nobody would follow


def _conclusions(known: Consequences, fork: _Fork) -> Iterator[_Conclusion]:
    """Yield what all branches of *fork* lead to: candidates that are false, and such that are true.

    None of the fork's own: those are settled by a chain without branches.
    """
    false = true = ~sum(1 << node for node in fork.nodes)
    for node in fork.nodes:
        false &= known.ruled_out(node)[-1]
        if not false:
            return
        true &= known.made_true(node)
    for candidate in bits_of(false):
        paces = (_first(known.ruled_out(node), candidate) for node in fork.nodes)
        yield _Conclusion(sum(2 * count + 1 for count in paces), candidate, False, fork)
    for candidate in bits_of(true):
        paces = (_first(known.paces(node), candidate) for node in fork.nodes)
        yield _Conclusion(sum(2 * count for count in paces), candidate, True, fork)


def _first(sets: Sequence[int], member: int) -> int:
    """Return the number of the first of *sets* that *member* is in."""
    return next(number for number, members in enumerate(sets) if members >> member & 1)


def _step(board: Candidates, known: Consequences, found: _Conclusion, technique: Technique) -> Step:
    graph, links = known.graph, list[Link]()
    for node in found.fork.nodes:
        links += chain_links(board, graph, _branch(known, node, found), strong=False)
    nodes = [node for link in links for node in (link.start, link.end)]
    concerned = [*found.fork.cells, *(cell for node in nodes for cell in node.cells)]
    concerned += [cell for link in links for cell in link.locked]
    conclusion = (graph.candidate(found.candidate),)
    return Step(
        technique,
        tuple(dict.fromkeys(concerned)),
        tuple(dict.fromkeys(node.digit for node in nodes)),
        units=tuple(dict.fromkeys((*found.fork.units, *units_of(board, links)))),
        colours=() if found.fork.units else (found.fork.cells,),
        links=tuple(links),
        placements=conclusion if found.true else (),
        eliminations=() if found.true else conclusion,
    )


def _branch(known: Consequences, node: int, found: _Conclusion) -> list[int]:
    """Return the nodes that lead from one node of the fork to what is found, true and false in turn."""
    graph, paces = known.graph, known.paces(node)
    if found.true:
        return path_to(graph, found.candidate, paces[: _first(paces, found.candidate) + 1])
    count = _first(known.ruled_out(node), found.candidate)
    end = next(bits_of(paces[count] & graph.weak[found.candidate]))
    return [*path_to(graph, end, paces[: count + 1]), found.candidate]


def branches_of(links: Sequence[Link]) -> list[list[Link]]:
    """Part the *links* of a step into branches: each goes on from where the link before it ends."""
    branches: list[list[Link]] = []
    for link in links:
        if branches and branches[-1][-1].end == link.start:
            branches[-1].append(link)
        else:
            branches.append([link])
    return branches


def _sentence(step: Step, *, fork: str) -> Sentence:
    """Say that one of several is true, and what each of them leads to."""
    starts, ways = [], []
    for branch in branches_of(step.links):
        starts.append(branch[0].start)
        leads_to = [follows(link) for link in branch]
        ways.append(Sentence("fork.way", {"start": stands(starts[-1]), "follows": leads_to}))
    cells = step.colours[0] if step.colours else [node.cells[0] for node in starts]
    return told(step, fork, cells, [node.digit for node in starts], ways)


def told(
    step: Step, fork: str, cells: Sequence[int], digits: Sequence[int], ways: Sequence[Sentence]
) -> Sentence:
    """Say a step of *ways* that begin at a *fork*: one of *digits* in some *cells*."""
    values = {"cells": cells, "digits": digits, "digit": digits[0], "units": step.units[:1]}
    one_of = step.saying(f"fork.{fork}", **values)
    if not step.placements:
        return step.saying("step.fork.strike", fork=one_of, ways=ways)
    ((cell, digit),) = step.placements
    return step.saying("step.fork.fill", fork=one_of, ways=ways, cell=cell, digit=digit)


_EXAMPLES = (
    "023400000050009000600027100205060001040500060006003500009000607000000802802070010",
    "100400080006080100708003504230508001009060800860007050002800016600020008980000205",
    "100000002293407050006000700050903000000070000000850040700000600030009080002000001",
    "000006000000508000008090500000075004007600200010020030002000600040060090396000001",
)


def _chain(name: str, order: int, forks: _Forks, **more: Any) -> Technique:
    finder = partial(forcing_chain, forks=forks, **more)
    return Technique(name, order, "extreme", 500, finder, partial(_sentence, fork=name.split()[0]))


TECHNIQUES = shown_on(
    _EXAMPLES,
    _chain("cell forcing chain", 3000, _cells),
    _chain("unit forcing chain", 3100, _units),
    _chain("set forcing chain", 3200, _sets, known_by=set_consequences),
    replace(_chain("rectangle forcing chain", 3300, _rectangles), needs_unique=True),
)
