"""Sue de Coq: cells where a line and a box cross, with as many cells of either as use up all their digits.

Also known as two-sector disjoint subsets. Found by a player of that name (forum of sudoku.com, 2005).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from sudoku_vision.sudoku.logic.candidates import DIGITS_OF, UNIT_SETS, Candidates, cell_set, cells_of
from sudoku_vision.sudoku.logic.steps import Candidate, Step, Technique
from sudoku_vision.sudoku.logic.words import listed, name_cells, strike, unit_name

_MOST_BESIDE = 4
"""Cells of the line, or of the box, beside those where they cross."""


class _Part(NamedTuple):
    """*cells* of a line or a box, and the *mask* of their candidates."""

    cells: tuple[int, ...]
    mask: int


def sue_de_coq(board: Candidates) -> Step | None:
    """Find cells where a box and a line cross, some of the line and some of the box: as many as their digits.

    Those of the line and those of the box share no digit, so each digit stands in one of all these cells,
    and nowhere else where it would see all its places in them.
    """
    for box in range(18, 27):
        for line in range(18):
            crossing = board.blank & UNIT_SETS[box] & UNIT_SETS[line]
            if crossing & crossing - 1:
                for count in (2, 3):
                    for cells in combinations(cells_of(crossing), count):
                        step = _around(board, _part(board, cells), box, line)
                        if step is not None:
                            return step
    return None


def _part(board: Candidates, cells: tuple[int, ...]) -> _Part:
    mask = 0
    for cell in cells:
        mask |= board.masks[cell]
    return _Part(cells, mask)


def _around(board: Candidates, middle: _Part, box: int, line: int) -> Step | None:
    spare = middle.mask.bit_count() - len(middle.cells)
    if spare < 2:
        return None
    crossing = UNIT_SETS[box] & UNIT_SETS[line]
    in_box = list(_beside(board, middle, UNIT_SETS[box] & ~crossing))
    for row in _beside(board, middle, UNIT_SETS[line] & ~crossing):
        taken = _takes(row, middle)
        for block in in_box:
            if taken + _takes(block, middle) == spare and not row.mask & block.mask:
                gone = _gone(board, middle, row, UNIT_SETS[line], block)
                gone += _gone(board, middle, block, UNIT_SETS[box], row)
                if gone:
                    return _step(middle, row, block, (line, box), gone)
    return None


def _takes(part: _Part, middle: _Part) -> int:
    """Return how many digits of the *middle* the cells of *part* use up at least."""
    return len(part.cells) - (part.mask & ~middle.mask).bit_count()


def _beside(board: Candidates, middle: _Part, rest: int) -> Iterator[_Part]:
    """Yield the cells of *rest* that use up digits of the *middle*, and leave some over."""
    able = [cell for cell in cells_of(board.blank & rest) if board.masks[cell] & middle.mask]
    for count in range(1, min(len(able), _MOST_BESIDE) + 1):
        for cells in combinations(able, count):
            part = _part(board, cells)
            if _takes(part, middle) > 0:
                yield part


def _gone(board: Candidates, middle: _Part, part: _Part, unit: int, other: _Part) -> list[Candidate]:
    """Return what goes from the rest of the *unit* of *part*: its digits, and the middle's that are left."""
    rest = board.blank & unit & ~cell_set((*middle.cells, *part.cells, *other.cells))
    mask = part.mask | middle.mask & ~other.mask
    return [(cell, digit) for cell in cells_of(rest) for digit in DIGITS_OF[board.masks[cell] & mask]]


def _step(middle: _Part, row: _Part, block: _Part, units: tuple[int, int], gone: list[Candidate]) -> Step:
    return Step(
        SUE_DE_COQ,
        (*middle.cells, *row.cells, *block.cells),
        DIGITS_OF[middle.mask | row.mask | block.mask],
        units,
        colours=(row.cells, block.cells),
        eliminations=tuple(sorted(set(gone))),
    )


def _sentence(step: Step) -> str:
    row, block = step.colours
    middle = step.cells[: len(step.cells) - len(row) - len(block)]
    line, box = map(unit_name, step.units)
    return (
        f"{name_cells(middle)} lie where {line} and {box} cross; with {name_cells(row)} of {line} and "
        f"{name_cells(block)} of {box}, they are as many cells as they hold digits ({listed(step.digits)}). "
        f"None of these can stand in them twice, so each stands in them once, and elsewhere in {line} or "
        f"{box} you can {strike(step.eliminations)}."
    )


SUE_DE_COQ = Technique(
    "Sue de Coq",
    order=2150,
    difficulty="expert",
    score=250,
    find=sue_de_coq,
    sentence=_sentence,
    example="861020509547100602239005401705806324682040705403572806954238167178000203326000908",
)

TECHNIQUES = (SUE_DE_COQ,)
