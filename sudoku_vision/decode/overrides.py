"""Let a person overrule the reading: what they say of cells and corners, as text or values."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeGuard, cast

import numpy as np

from sudoku_vision.decode.decoder import CLEAR, decode
from sudoku_vision.decode.roles import settled_roles
from sudoku_vision.errors import UsageError
from sudoku_vision.results import DigitScores, Floats, GridStatus, Reading

Overrides = Mapping[tuple[int, int], int]
"""What cells hold: (row, column), 0..8 as in arrays, to the printed digit 1..9, 0 for blank, or WRITTEN."""

OverridesByGrid = Mapping[int, Overrides]
"""The same for several grids of a picture, by their places in ``page.grids``, from 0."""

WRITTEN = -1
"""Stands for a digit that a person wrote: no clue, whatever it is."""

IMPOSSIBLE = -30.0
"""Log-probability of what a person has ruled out: so low that no rule of sudoku brings it back."""

OVERRIDES_REMEDY = 'Write rows, columns and digits from 1 to 9, as in "r3c5=8,r4c1=blank".'
GRID_REMEDY = 'Count them in reading order, and put the number before the cell, as in "2:r3c5=8".'
CORNERS_REMEDY = "Write x,y of four corners in pixels, clockwise from the puzzle's top left: x,y,x,y,x,y,x,y."

_NO_GRID = -1
"""Stands for the grid of cells that name none."""

_OVERRIDE = re.compile(r"(?:([1-9]\d?):)?r([1-9])c([1-9])=([1-9]|blank|0|\.|written|w)", re.IGNORECASE)


def parse_overrides(text: str) -> Overrides | OverridesByGrid:
    """Read ``"r3c5=8,r4c1=blank"``, rows and columns from 1, as ``{(2, 4): 8, (3, 0): 0}``, from 0.

    ``r2c2=written`` says that the digit seen there is no clue, but was written by hand. ``2:r3c5=8`` says so
    of the second grid of a picture, as do the cells after it: then the cells come by grid, from 0, as
    ``{1: {(2, 4): 8}}``. Raises :class:`~sudoku_vision.errors.UsageError` for anything else, for a cell given
    twice, and where only some of the cells name a grid.
    """
    by_grid: dict[int, dict[tuple[int, int], int]] = {}
    place = _NO_GRID
    for part in text.split(","):
        word = "".join(part.split())
        found = _OVERRIDE.fullmatch(word)
        if not found:
            raise UsageError(f"{part.strip()!r} is not what a cell holds.", OVERRIDES_REMEDY)
        number, row, column, digit = found.groups()
        place = int(number) - 1 if number else place
        overrides = by_grid.setdefault(place, {})
        cell = (int(row) - 1, int(column) - 1)
        if cell in overrides:
            raise UsageError(f"r{row}c{column} is given twice.", "Say once what it holds.")
        blank = WRITTEN if digit.lower().startswith("w") else 0
        overrides[cell] = int(digit) if digit.isdigit() else blank
    if len(by_grid) > 1 and _NO_GRID in by_grid:
        raise UsageError("Some of the cells name a grid, the first ones don't.", GRID_REMEDY)
    return by_grid.get(_NO_GRID, by_grid)


def parse_corners(text: str) -> Floats:
    """Read eight numbers ``"x,y,x,y,x,y,x,y"`` as corners (4, 2).

    Raises :class:`~sudoku_vision.errors.UsageError` for anything else.
    """
    parts = [part for part in re.split(r"[,;\s]+", text) if part]
    if len(parts) != 8:
        raise UsageError(f"Four corners are eight numbers, these are {len(parts)}.", CORNERS_REMEDY)
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        numbers = [math.nan]
    if not all(math.isfinite(number) for number in numbers):
        raise UsageError(f"{text!r} are not eight numbers.", CORNERS_REMEDY)
    return np.array(numbers, np.float32).reshape(4, 2)


def _is_by_grid(overrides: Overrides | OverridesByGrid) -> TypeGuard[OverridesByGrid]:
    return any(isinstance(key, int) for key in overrides)


def check_overrides(overrides: Overrides | OverridesByGrid) -> None:
    """Raise :class:`~sudoku_vision.errors.UsageError` for cells or digits that a board doesn't have."""
    if _is_by_grid(overrides):
        for said in overrides.values():
            check_overrides(said)
        return
    for (row, column), digit in cast(Overrides, overrides).items():
        if not (0 <= row < 9 and 0 <= column < 9 and WRITTEN <= digit <= 9):
            raise UsageError(
                f"A board has no row {row}, column {column} with {digit}.",
                "Rows and columns count from 0 to 8 here; digits are 1 to 9, 0 is blank, -1 written by hand.",
            )


def by_grid(overrides: Overrides | OverridesByGrid, statuses: Sequence[GridStatus]) -> OverridesByGrid:
    """Return the overrides by grid, for a picture whose grids have these *statuses*: nothing without grids.

    Cells that name no grid mean the only one that can be read. Raises
    :class:`~sudoku_vision.errors.UsageError` where there are several, and for a grid that there isn't.
    """
    if not overrides or not statuses:
        return {}
    count = len(statuses)
    if _is_by_grid(overrides):
        wrong = next((place for place in overrides if not 0 <= place < count), None)
        if wrong is not None:
            raise UsageError(
                f"Grids found in this picture: {count}, there is no number {wrong + 1}.", GRID_REMEDY
            )
        return overrides
    readable = [place for place, status in enumerate(statuses) if status != "unreadable"] or range(count)
    if len(readable) > 1:
        raise UsageError(f"Grids found in this picture: {count}, so say which one is meant.", GRID_REMEDY)
    return {readable[0]: cast(Overrides, overrides)}


def apply_overrides(scores: DigitScores, overrides: Overrides, reading: Reading) -> Reading:
    """Return the reading of *scores* with a person's word in place of the ink of the cells in *overrides*.

    *reading* is what was made of the same scores without the overrides. A digit so given is a clue like its
    clues: printed, or by hand where the whole puzzle is.
    """
    scores = settled_roles(scores)
    log_probs, written = scores.log_probs.copy(), scores.written.copy()
    clues = reading.puzzle.reshape(81) > 0
    by_hand = bool(clues.any()) and float(np.median(scores.written[clues])) > 0.5
    for (row, column), digit in overrides.items():
        cell = 9 * row + column
        log_probs[cell] = IMPOSSIBLE
        log_probs[cell, max(digit, 0)] = 0.0
        written[cell] = 1.0 if by_hand else 0.0
    overruled = decode(replace(scores, log_probs=log_probs, written=written))
    return _with_written(overruled, scores, [cell for cell, digit in overrides.items() if digit == WRITTEN])


def _with_written(reading: Reading, scores: DigitScores, cells: list[tuple[int, int]]) -> Reading:
    """Return the reading with the likeliest digits of *cells*, (row, column), as written ones."""
    board, unclear = reading.written.copy(), set(reading.unclear)
    for row, column in cells:
        digits = scores.log_probs[9 * row + column, 1:]
        board[row, column] = 1 + int(digits.argmax())
        if digits.max() < np.log(CLEAR):
            unclear.add(9 * row + column)
    return replace(reading, written=board, unclear=tuple(sorted(unclear)))
