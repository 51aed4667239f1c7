"""Patterns of one digit, made of two *strong pairs*: two cells that are the only places of a unit for it."""

from __future__ import annotations

from itertools import combinations

from sudoku_vision.sudoku.board import cell_name
from sudoku_vision.sudoku.logic.candidates import DIGITS, PEER_SETS, UNIT_SETS, UNITS_OF, Candidates, cells_of
from sudoku_vision.sudoku.logic.steps import Link, Node, Step, Technique
from sudoku_vision.sudoku.logic.words import strike, unit_name

StrongPair = tuple[int, int, int]
"""A unit and the two cells of a digit in it."""


def strong_pairs(plane: int, units: range) -> list[StrongPair]:
    """List the strong pairs on the *plane* of a digit (a set of cells) in some *units* (0..26)."""
    pairs = []
    for unit in units:
        places = plane & UNIT_SETS[unit]
        if places.bit_count() == 2:
            first, second = cells_of(places)
            pairs.append((unit, first, second))
    return pairs


def skyscraper(board: Candidates) -> Step | None:
    """Find two rows (columns) with a strong pair each, and one end of each in the same column (row)."""
    for digit in DIGITS:
        plane = board.planes[digit]
        for lines in (range(9), range(9, 18)):
            across = 1 if lines.start == 0 else 0
            for one, two in combinations(strong_pairs(plane, lines), 2):
                for a, b in ((0, 0), (0, 1), (1, 0), (1, 1)):
                    foot, other_foot = one[1 + a], two[1 + b]
                    if UNITS_OF[foot][across] == UNITS_OF[other_foot][across]:
                        shared = UNITS_OF[foot][across]
                        path = (one[2 - a], foot, other_foot, two[2 - b])
                        units = (one[0], shared, two[0])
                        step = _step(board, SKYSCRAPER, digit, path, units)
                        if step is not None:
                            return step
    return None


def two_string_kite(board: Candidates) -> Step | None:
    """Find a row and a column with a strong pair each, and one end of each in the same box."""
    for digit in DIGITS:
        plane = board.planes[digit]
        columns = strong_pairs(plane, range(9, 18))
        for row in strong_pairs(plane, range(9)):
            for column in columns:
                for a, b in ((0, 0), (0, 1), (1, 0), (1, 1)):
                    end, other_end = row[1 + a], column[1 + b]
                    box = UNITS_OF[end][2]
                    if end != other_end and UNITS_OF[other_end][2] == box:
                        path = (row[2 - a], end, other_end, column[2 - b])
                        if len(set(path)) == 4:
                            units = (row[0], box, column[0])
                            step = _step(board, TWO_STRING_KITE, digit, path, units)
                            if step is not None:
                                return step
    return None


def _step(
    board: Candidates, technique: Technique, digit: int, path: tuple[int, ...], units: tuple[int, ...]
) -> Step | None:
    """Strike out what sees both ends of a *path* that is strong, weak, strong: one end is true."""
    gone = board.planes[digit] & PEER_SETS[path[0]] & PEER_SETS[path[-1]]
    if not gone:
        return None
    nodes = [Node((cell,), digit) for cell in path]
    links = tuple(Link(nodes[i], nodes[i + 1], strong=i != 1) for i in range(3))
    eliminations = tuple((cell, digit) for cell in cells_of(gone))
    return Step(technique, path, (digit,), units, links=links, eliminations=eliminations)


def _sentence(step: Step) -> str:
    roof, foot, other_foot, other_roof = map(cell_name, step.cells)
    first, shared, second = map(unit_name, step.units)
    digit = step.digits[0]
    return (
        f"The digit {digit} has two places in {first} ({roof}, {foot}) and two in {second} ({other_foot}, "
        f"{other_roof}). {foot} and {other_foot} share {shared}, so they can't both hold it: "
        f"{roof} or {other_roof} does. Both see the rest, so {strike(step.eliminations)}."
    )


SKYSCRAPER = Technique(
    "skyscraper",
    order=1300,
    difficulty="hard",
    score=130,
    find=skyscraper,
    sentence=_sentence,
    example="206704913790031462134692758420907635900063247367425189513249876672008394849376521",
)

TWO_STRING_KITE = Technique(
    "two-string kite",
    order=1400,
    difficulty="hard",
    score=150,
    find=two_string_kite,
    sentence=_sentence,
    example="103026045650491023024350016542030160001642530360015274400283651235169487816574392",
)

TECHNIQUES = (SKYSCRAPER, TWO_STRING_KITE)
