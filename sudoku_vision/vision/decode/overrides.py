"""Let a person overrule the reading: what they say of cells and corners, as text or values."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeGuard, cast

import numpy as np

from sudoku_vision.errors import CornersError, OverridesError
from sudoku_vision.results import Board, DigitScores, Doubt, Floats, GridStatus, Reading
from sudoku_vision.sudoku.board import board_array, parse_board
from sudoku_vision.vision.decode.decoder import decode
from sudoku_vision.vision.decode.entries import entry_ink, weigh_entries
from sudoku_vision.vision.decode.roles import settled_roles

Overrides = Mapping[tuple[int, int], int]
"""What cells hold: (row, column), 0..8 as in arrays, to the printed digit 1..9, 0 for blank, WRITTEN, or
ENTRY + digit. ALL stands for all digits of which it is open whether they are clues: PRINTED or WRITTEN."""

OverridesByGrid = Mapping[int, Overrides]
"""The same for several grids of a picture, by their places in ``page.grids``, from 0."""

WRITTEN = -1  # stands for a digit that a person wrote: no clue, whatever it is

ENTRY = 10  # added to a digit: that digit is no clue, but was written by a person

ALL = (-1, -1)
"""Stands, in place of a cell, for all digits that may be clues or entries, unless their cells are named."""

PRINTED = -2  # of ALL: they are clues

IMPOSSIBLE = -30.0
"""Log-probability of what a person has ruled out: so low that no rule of sudoku brings it back."""

OVERRIDES_REMEDY = 'Write rows, columns and digits from 1 to 9, as in "r3c5=8,r4c1=blank".'
GRID_REMEDY = 'Count them in reading order, and put the number before the cell, as in "2:r3c5=8".'
CORNERS_REMEDY = "Write x,y of four corners in pixels, clockwise from the puzzle's top left: x,y,x,y,x,y,x,y."

_FARTHEST = 1e9  # pixels beyond which no picture reaches, and no corner can be
_LONGEST_TOLD = 100  # characters of what a person has written that messages repeat

_NO_GRID = -1  # stands for the grid of cells that name none

_OVERRIDE = re.compile(
    r"(?:([1-9]\d?):)?(?:r([1-9])c([1-9])=([1-9]|blank|0|\.|(?:written|w)[1-9]?)|all=(printed|written))",
    re.IGNORECASE,
)


def parse_overrides(text: str) -> Overrides | OverridesByGrid:
    """Read ``"r3c5=8,r4c1=blank"``, rows and columns from 1, as ``{(2, 4): 8, (3, 0): 0}``, from 0.

    ``r2c2=written`` says that the digit seen there is no clue, but was written by hand, ``r2c2=w7`` that it
    is a 7, ``all=printed`` and ``all=written`` that all digits are clues, or none is, of which it is open.
    ``2:r3c5=8`` says so of the second grid of a picture, as do the cells after it: then the cells come by
    grid, from 0, as ``{1: {(2, 4): 8}}``. Raises :class:`~sudoku_vision.errors.OverridesError` for
    anything else, for a cell given twice, and where only some of the cells name a grid.
    """
    by_grid: dict[int, dict[tuple[int, int], int]] = {}
    place = _NO_GRID
    for part in text.split(","):
        word = "".join(part.split())
        found = _OVERRIDE.fullmatch(word)
        if not found:
            raise OverridesError(f"{part.strip()!r} is not what a cell holds.", OVERRIDES_REMEDY)
        number, row, column, digit, role = found.groups()
        place = int(number) - 1 if number else place
        overrides = by_grid.setdefault(place, {})
        cell = ALL if role else (int(row) - 1, int(column) - 1)
        if cell in overrides:
            given = "all" if role else f"r{row}c{column}"
            raise OverridesError(f"{given} is given twice.", "Say once what it holds.")
        if role:
            overrides[cell] = PRINTED if role[0] in "pP" else WRITTEN
        elif digit[0] in "wW":
            overrides[cell] = ENTRY + int(digit[-1]) if digit[-1].isdigit() else WRITTEN
        else:
            overrides[cell] = int(digit) if digit.isdigit() else 0
    if len(by_grid) > 1 and _NO_GRID in by_grid:
        raise OverridesError("Some of the cells name a grid, the first ones don't.", GRID_REMEDY)
    return by_grid.get(_NO_GRID, by_grid)


def open_roles(doubts: Iterable[Doubt]) -> list[Doubt]:
    """Return the *doubts* that ALL speaks for: of digits that may be clues or entries."""
    return [doubt for doubt in doubts if doubt.kind == "role" and doubt.entry]


def settling(doubts: Sequence[Doubt]) -> str:
    """Return the overrides, as text, that say of all cells in doubt that they are as they were read."""
    words: list[str] = []
    roles = open_roles(doubts)
    printed = [doubt for doubt in roles if doubt.digits[0]]
    if len(roles) > 1 and len(printed) in (0, len(roles)):
        words, doubts = ["all=printed" if printed else "all=written"], [d for d in doubts if d not in roles]
    for doubt in doubts:
        digit = doubt.digits[0]
        entry = digit if doubt.kind == "entry" else 0 if digit else doubt.entry
        content = f"w{entry}" if entry else str(digit) if digit else "blank"
        words.append(f"r{doubt.row}c{doubt.column}={content}")
    return ",".join(words)


def parse_corners(text: str) -> Floats:
    """Read eight numbers ``"x,y,x,y,x,y,x,y"`` as corners (4, 2).

    Raises :class:`~sudoku_vision.errors.CornersError` for anything else.
    """
    parts = [part for part in re.split(r"[,;\s]+", text) if part]
    if len(parts) != 8:
        raise CornersError(f"Four corners are eight numbers, these are {len(parts)}.", CORNERS_REMEDY)
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        numbers = [math.nan]
    if not all(abs(number) <= _FARTHEST for number in numbers):  # nor is NaN
        raise CornersError(f"{text[:_LONGEST_TOLD]!r} are not eight numbers of pixels.", CORNERS_REMEDY)
    return np.array(numbers, np.float32).reshape(4, 2)


def _is_by_grid(overrides: Overrides | OverridesByGrid) -> TypeGuard[OverridesByGrid]:
    return any(isinstance(key, int) for key in overrides)


def check_overrides(overrides: Overrides | OverridesByGrid) -> None:
    """Raise :class:`~sudoku_vision.errors.OverridesError` for cells or digits that a board doesn't have."""
    if _is_by_grid(overrides):
        for said in overrides.values():
            check_overrides(said)
        return
    for cell, digit in cast(Overrides, overrides).items():
        if not (isinstance(cell, tuple) and len(cell) == 2):
            raise OverridesError(f"{cell!r} is no cell.", "Write cells as (row, column), from 0 to 8.")
        if cell == ALL and digit in (PRINTED, WRITTEN):
            continue
        row, column = cell
        known = WRITTEN <= digit <= 9 or ENTRY < digit <= ENTRY + 9
        if not (0 <= row < 9 and 0 <= column < 9 and known):
            raise OverridesError(
                f"A board has no row {row}, column {column} with {digit}.",
                "Rows and columns count from 0 to 8 here; digits are 1 to 9, 0 is blank, -1 written by hand, "
                "11 to 19 are the digits 1 to 9 written by hand.",
            )


def by_grid(overrides: Overrides | OverridesByGrid, statuses: Sequence[GridStatus]) -> OverridesByGrid:
    """Return the overrides by grid, for a picture whose grids have these *statuses*: nothing without grids.

    Cells that name no grid mean the only one that can be read. Raises
    :class:`~sudoku_vision.errors.OverridesError` where there are several, and for a grid that there isn't.
    """
    if not overrides or not statuses:
        return {}
    count = len(statuses)
    if _is_by_grid(overrides):
        wrong = next((place for place in overrides if not 0 <= place < count), None)
        if wrong is not None:
            raise OverridesError(
                f"Grids found in this picture: {count}, there is no number {wrong + 1}.", GRID_REMEDY
            )
        return overrides
    readable = [place for place, status in enumerate(statuses) if status != "unreadable"] or range(count)
    if len(readable) > 1:
        raise OverridesError(f"Grids found in this picture: {count}, so say which one is meant.", GRID_REMEDY)
    return {readable[0]: cast(Overrides, overrides)}


def apply_overrides(scores: DigitScores, overrides: Overrides, puzzle: Board) -> Reading:
    """Return the reading of *scores* with a person's word in place of the ink of the cells in *overrides*.

    *puzzle* (9, 9) are the clues of the same scores read without the overrides. A digit so given is a clue
    like them: printed, or by hand where the whole puzzle is (:func:`clues_by_hand`). Without any word it is
    what the ink alone reads as.
    """
    if not overrides:
        return decode(scores)
    scores = settled_roles(scores)
    overrides = _cell_by_cell(overrides, scores)
    log_probs, written = scores.log_probs.copy(), scores.written.copy()
    by_hand = clues_by_hand(scores, puzzle)
    for (row, column), digit in overrides.items():
        cell = 9 * row + column
        log_probs[cell] = IMPOSSIBLE
        log_probs[cell, digit if 0 <= digit <= 9 else 0] = 0.0
        written[cell] = 1.0 if by_hand else 0.0
    overruled = decode(replace(scores, log_probs=log_probs, written=written))
    entered = {cell: digit for cell, digit in overrides.items() if not 0 <= digit <= 9}
    return _with_entries(overruled, scores, entered)


def _cell_by_cell(overrides: Overrides, scores: DigitScores) -> Overrides:
    """Return the overrides with ALL replaced by the cells of *scores* that it stands for."""
    if ALL not in overrides:
        return overrides
    said = {
        divmod(doubt.cell, 9): doubt.entry + (0 if overrides[ALL] == PRINTED else ENTRY)
        for doubt in open_roles(decode(scores).doubts)
    }
    return said | {cell: digit for cell, digit in overrides.items() if cell != ALL}


def clues_by_hand(scores: DigitScores, puzzle: Board) -> bool:
    """Tell whether the clues of *puzzle* (9, 9), which was read of *scores*, were written by hand."""
    clues = puzzle.reshape(81) > 0
    return bool(clues.any()) and float(np.median(settled_roles(scores).written[clues])) > 0.5


def _with_entries(reading: Reading, scores: DigitScores, entered: Overrides) -> Reading:
    """Return the reading with what a person says was *entered*: the likeliest digit, or the one named."""
    if not entered:
        return reading
    ink, written = entry_ink(scores), reading.written.reshape(81) > 0
    for (row, column), said in entered.items():
        cell = 9 * row + column
        if said > ENTRY:
            ink[cell] = np.eye(10)[said - ENTRY]
        ink[cell, 0] = 0.0  # something is written there, says the person
        written[cell] = True
    answer = None if reading.solution is None or reading.solutions != 1 else parse_board(reading.solution)
    entries = weigh_entries(written, ink, answer, reading.confidence)
    others = [doubt for doubt in reading.doubts if doubt.kind != "entry"]
    marks = tuple(
        frozenset[int]() if digit else own for digit, own in zip(entries.digits, reading.marks, strict=True)
    )
    return replace(
        reading,
        written=board_array(entries.digits),
        marks=marks,
        unclear=entries.unclear,
        entry_confidence=entries.confidence,
        doubts=(*others, *entries.doubts),
    )
