"""Let a person overrule the reading: what they say of cells and corners, as text or values."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Literal, SupportsIndex, TypeAlias

import numpy as np

from sudoku_vision.errors import CornersError, OverridesError
from sudoku_vision.results import Board, DigitScores, Doubt, Floats, GridStatus, Reading, Written
from sudoku_vision.sudoku.board import board_array, cell_name, parse_board
from sudoku_vision.vision.decode.decoder import decode
from sudoku_vision.vision.decode.entries import entry_ink, weigh_entries
from sudoku_vision.vision.decode.roles import settled_roles

_Cell: TypeAlias = int | Literal["all"]
_Content: TypeAlias = int | Written | Literal["printed"]
Said: TypeAlias = Mapping[_Cell, _Content]  # what is said of the cells (0..80) of one grid
SaidByGrid: TypeAlias = Mapping[int | None, Said]
"""The same by the places of grids, from 0; None for the only one that can be read."""

_Said: TypeAlias = SupportsIndex | Written | str
Overrides: TypeAlias = str | Mapping[Any, _Said | Mapping[Any, _Said]]
"""What cells hold: ``{cell: digit}``, or a text as on the command line, ``"r3c5=8,r4c1=blank,r2c6=w7"``.

A cell is a :class:`Doubt`, or its number, 0 to 80 in reading order. It holds a printed digit 1 to 9, 0 for
blank, or a :class:`Written` one. Of several grids of a picture, ``{place: {cell: digit}}`` says so by their
places in ``page.grids``, from 0.
"""

ALL: Final = "all"
"""Stands for the cells of all digits that may be clues or entries, unless they are named; ..."""
PRINTED: Final = "printed"  # ... what says that they are clues, as Written says that they are none.

IMPOSSIBLE = -30.0
"""Log-probability of what a person has ruled out: so low that no rule of sudoku brings it back."""

OVERRIDES_REMEDY = 'Write rows, columns and digits from 1 to 9, as in "r3c5=8,r4c1=blank".'
GRID_REMEDY = 'Count them in reading order, and put the number before the cell, as in "2:r3c5=8".'
CORNERS_REMEDY = "Write x,y of four corners in pixels, clockwise from the puzzle's top left: x,y,x,y,x,y,x,y."

_FARTHEST = 1e9  # pixels beyond which no picture reaches, and no corner can be
_LONGEST_TOLD = 100  # characters of what a person has written that messages repeat

_OVERRIDE = re.compile(
    r"(?:([1-9]\d?):)?(?:r([1-9])c([1-9])=([1-9]|blank|0|\.|(?:written|w)[1-9]?)|all=(printed|written))",
    re.IGNORECASE,
)


def parse_overrides(text: str) -> SaidByGrid:
    """Read ``"r3c5=8,r4c1=blank"``, rows and columns from 1, as ``{None: {22: 8, 27: 0}}``.

    ``r2c2=written`` says that the digit seen there is no clue, but was written by hand, ``r2c2=w7`` that it
    is a 7, ``all=printed`` and ``all=written`` that all digits are clues, or none is, of which it is open.
    ``2:r3c5=8`` says so of the second grid of a picture, as do the cells after it: then the cells come by
    grid, from 0, as ``{1: {22: 8}}``. Raises :class:`~sudoku_vision.errors.OverridesError` for
    anything else, for a cell given twice, and where only some of the cells name a grid.
    """
    by_grid: dict[int | None, dict[_Cell, _Content]] = {}
    place = None
    for part in text.split(","):
        word = "".join(part.split())
        found = _OVERRIDE.fullmatch(word)
        if not found:
            raise OverridesError(f"{part.strip()!r} is not what a cell holds.", OVERRIDES_REMEDY)
        number, row, column, digit, role = found.groups()
        place = int(number) - 1 if number else place
        said = by_grid.setdefault(place, {})
        cell: _Cell = ALL if role else 9 * int(row) + int(column) - 10
        if cell in said:
            given = cell if cell == ALL else cell_name(cell)
            raise OverridesError(f"{given} is given twice.", "Say once what it holds.")
        if role:
            said[cell] = PRINTED if role[0] in "pP" else Written()
        elif digit[0] in "wW":
            said[cell] = Written(int(digit[-1]) if digit[-1].isdigit() else 0)
        else:
            said[cell] = int(digit) if digit.isdigit() else 0
    if len(by_grid) > 1 and None in by_grid:
        raise OverridesError("Some of the cells name a grid, the first ones don't.", GRID_REMEDY)
    return by_grid


def read_overrides(overrides: Overrides | None) -> SaidByGrid:
    """Return what *overrides* say; raises :class:`OverridesError` for cells and digits that can't be."""
    if not overrides:
        return {}
    if isinstance(overrides, str):
        return parse_overrides(overrides)
    if not any(isinstance(value, Mapping) for value in overrides.values()):
        return {None: _said(overrides)}
    return {
        int(place) if isinstance(place, int | np.integer) else -1: _said(cells)
        for place, cells in overrides.items()
    }


def _said(cells: Any) -> Said:
    """Return what is said of the cells of one grid."""
    said: dict[_Cell, _Content] = {}
    if not isinstance(cells, Mapping):
        raise OverridesError(f"{cells!r} says nothing of a grid.", "Say {grid: {cell: digit}} of every grid.")
    for name, content in cells.items():
        cell = _cell_named(name)
        if isinstance(content, int | np.integer):
            content = int(content)
        known = isinstance(content, Written) or (isinstance(content, int) and 0 <= content <= 9)
        if not (content in (PRINTED, Written()) if cell == ALL else known):
            what = f"{content!r} is nothing that a cell holds."
            raise OverridesError(what, "Say a digit 1 to 9, 0 for blank, or Written(7) for one by hand.")
        said[cell] = content
    return said


def _cell_named(name: Any) -> _Cell:
    """Return the number of a cell, whichever way it is named."""
    if isinstance(name, Doubt):
        return name.cell
    if isinstance(name, int | np.integer) and 0 <= name < 81:
        return int(name)
    if isinstance(name, str) and name == ALL:
        return ALL
    raise OverridesError(f"{name!r} is no cell.", "Name cells by their doubts, or from 0 to 80.")


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
        words.append(f"{cell_name(doubt.cell)}={content}")
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


def by_grid(said: SaidByGrid, statuses: Sequence[GridStatus]) -> Mapping[int, Said]:
    """Return what is said of each grid of a picture whose grids have these *statuses*: nothing without grids.

    Cells that name no grid mean the only one that can be read. Raises
    :class:`~sudoku_vision.errors.OverridesError` where there are several, and for a grid that there isn't.
    """
    if not statuses:
        return {}
    count = len(statuses)
    readable = [place for place, status in enumerate(statuses) if status != "unreadable"] or range(count)
    if None in said and len(readable) > 1:
        raise OverridesError(f"Grids found in this picture: {count}, so say which one is meant.", GRID_REMEDY)
    placed = {readable[0] if place is None else place: cells for place, cells in said.items()}
    wrong = next((place for place in placed if not 0 <= place < count), None)
    if wrong is not None:
        raise OverridesError(
            f"Grids found in this picture: {count}, there is no number {wrong + 1}.", GRID_REMEDY
        )
    return placed


def apply_overrides(scores: DigitScores, said: Said, puzzle: Board) -> Reading:
    """Return the reading of *scores* with a person's word in place of the ink of the cells that it names.

    *puzzle* (9, 9) are the clues of the same scores read without it. A digit so given is a clue
    like them: printed, or by hand where the whole puzzle is (:func:`clues_by_hand`). Without any word it is
    what the ink alone reads as.
    """
    if not said:
        return decode(scores)
    scores = settled_roles(scores)
    contents = _cell_by_cell(said, scores)
    log_probs, written, hidden = (
        values.copy() for values in (scores.log_probs, scores.written, scores.hidden)
    )
    by_hand = clues_by_hand(scores, puzzle)
    for cell, content in contents.items():
        log_probs[cell] = IMPOSSIBLE
        log_probs[cell, 0 if isinstance(content, Written) else content] = 0.0
        written[cell] = 1.0 if by_hand else 0.0
        hidden[cell] = 0.0
    overruled = decode(replace(scores, log_probs=log_probs, written=written, hidden=hidden))
    entered = {cell: content for cell, content in contents.items() if isinstance(content, Written)}
    return _with_entries(overruled, scores, entered)


def _cell_by_cell(said: Said, scores: DigitScores) -> dict[int, int | Written]:
    """Return what is *said* with ALL replaced by the cells of *scores* that it stands for."""
    contents = {cell: content for cell, content in said.items() if cell != ALL and content != PRINTED}
    if ALL in said:
        for doubt in open_roles(decode(scores).doubts):
            contents.setdefault(doubt.cell, doubt.entry if said[ALL] == PRINTED else Written(doubt.entry))
    return contents


def clues_by_hand(scores: DigitScores, puzzle: Board) -> bool:
    """Tell whether the clues of *puzzle* (9, 9), which was read of *scores*, were written by hand."""
    clues = puzzle.reshape(81) > 0
    return bool(clues.any()) and float(np.median(settled_roles(scores).written[clues])) > 0.5


def _with_entries(reading: Reading, scores: DigitScores, entered: Mapping[int, Written]) -> Reading:
    """Return the reading with what a person says was *entered*: the likeliest digit, or the one named."""
    if not entered:
        return reading
    ink, written = entry_ink(scores), reading.written.reshape(81) > 0
    for cell, content in entered.items():
        if content.digit:
            ink[cell] = np.eye(10)[content.digit]
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
