"""Patterns of one digit, made of *strong pairs*: two cells, the only places that a unit has for it."""

from __future__ import annotations

from itertools import combinations

from sudoku_vision.logic.candidates import DIGITS, PEER_SETS, UNIT_SETS, UNITS_OF, Candidates, cells_of
from sudoku_vision.logic.steps import Link, Node, Step, Technique

_Pair = tuple[int, int, int]
"""A unit and the two cells of a digit in it."""


def _pairs(plane: int, units: range) -> list[_Pair]:
    pairs = []
    for unit in units:
        places = plane & UNIT_SETS[unit]
        if places.bit_count() == 2:
            first, second = cells_of(places)
            pairs.append((unit, first, second))
    return pairs


def skyscraper(board: Candidates) -> Step | None:
    """Two rows (or columns) with a strong pair each, and one end of each in the same column (or row)."""
    for digit in DIGITS:
        plane = board.planes[digit]
        for lines in (range(9), range(9, 18)):
            across = 1 if lines.start == 0 else 0
            for one, two in combinations(_pairs(plane, lines), 2):
                for a, b in ((0, 0), (0, 1), (1, 0), (1, 1)):
                    foot, other_foot = one[1 + a], two[1 + b]
                    if UNITS_OF[foot][across] == UNITS_OF[other_foot][across]:
                        shared = UNITS_OF[foot][across]
                        path = (one[2 - a], foot, other_foot, two[2 - b])
                        units = (one[0], shared, two[0])
                        step = _step(board, Technique.SKYSCRAPER, digit, path, units)
                        if step is not None:
                            return step
    return None


def two_string_kite(board: Candidates) -> Step | None:
    """A row and a column with a strong pair each, and one end of each in the same box."""
    for digit in DIGITS:
        plane = board.planes[digit]
        columns = _pairs(plane, range(9, 18))
        for row in _pairs(plane, range(9)):
            for column in columns:
                for a, b in ((0, 0), (0, 1), (1, 0), (1, 1)):
                    end, other_end = row[1 + a], column[1 + b]
                    box = UNITS_OF[end][2]
                    if end != other_end and UNITS_OF[other_end][2] == box:
                        path = (row[2 - a], end, other_end, column[2 - b])
                        if len(set(path)) == 4:
                            units = (row[0], box, column[0])
                            step = _step(board, Technique.TWO_STRING_KITE, digit, path, units)
                            if step is not None:
                                return step
    return None


def _step(
    board: Candidates, technique: Technique, digit: int, path: tuple[int, ...], units: tuple[int, ...]
) -> Step | None:
    """Strong, weak, strong: one end of *path* is true, so what sees both ends is false."""
    gone = board.planes[digit] & PEER_SETS[path[0]] & PEER_SETS[path[-1]]
    if not gone:
        return None
    nodes = [Node((cell,), digit) for cell in path]
    links = tuple(Link(nodes[i], nodes[i + 1], strong=i != 1) for i in range(3))
    eliminations = tuple((cell, digit) for cell in cells_of(gone))
    return Step(technique, path, (digit,), units, links=links, eliminations=eliminations)


def simple_colouring(board: Candidates) -> Step | None:
    """Cells joined by strong pairs, coloured in turn: one colour is all true, the other all false.

    If two cells of a colour see each other, that colour is false; else what sees both colours is false.
    """
    for digit in DIGITS:
        plane = board.planes[digit]
        pairs = _pairs(plane, range(27))
        left = set().union(*((first, second) for _, first, second in pairs))
        while left:
            colours = _coloured(min(left), pairs)
            left -= set(cells_of(colours[0] | colours[1]))
            step = _colour_step(digit, plane, colours, pairs)
            if step is not None:
                return step
    return None


def _coloured(start: int, pairs: list[_Pair]) -> tuple[int, int]:
    """The two colours (sets of cells) of all that hangs together with *start*."""
    colours = [1 << start, 0]
    grown = True
    while grown:
        grown = False
        for _, first, second in pairs:
            for one, other in ((first, second), (second, first)):
                for colour in (0, 1):
                    if colours[colour] >> one & 1 and not colours[1 - colour] >> other & 1:
                        colours[1 - colour] |= 1 << other
                        grown = True
    return colours[0], colours[1]


def _colour_step(digit: int, plane: int, colours: tuple[int, int], pairs: list[_Pair]) -> Step | None:
    seen = [0, 0]
    gone = 0
    for colour, cells in enumerate(colours):
        for cell in cells_of(cells):
            seen[colour] |= PEER_SETS[cell]
    for colour, cells in enumerate(colours):
        if seen[colour] & cells:
            gone = cells
            colours = (colours[1 - colour], cells)
            break
    else:
        gone = plane & seen[0] & seen[1] & ~(colours[0] | colours[1])
    if not gone:
        return None
    both = colours[0] | colours[1]
    joining = [pair for pair in pairs if both >> pair[1] & 1]
    return Step(
        Technique.SIMPLE_COLOURING,
        cells_of(both),
        (digit,),
        tuple(unit for unit, _, _ in joining),
        colours=(cells_of(colours[0]), cells_of(colours[1])),
        links=tuple(Link(Node((a,), digit), Node((b,), digit), strong=True) for _, a, b in joining),
        eliminations=tuple((cell, digit) for cell in cells_of(gone)),
    )
