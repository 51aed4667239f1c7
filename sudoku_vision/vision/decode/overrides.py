"""Overrides: what a person says about cells and corners, as text or values. They replace what was read."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Literal, SupportsIndex, TypeAlias

import numpy as np

from sudoku_vision.errors import CornersError, OverridesError, named
from sudoku_vision.sudoku.board import Board, board_array, cell_name, parse_board
from sudoku_vision.sudoku.rules import Cage
from sudoku_vision.values import Floats
from sudoku_vision.vision.decode import decode
from sudoku_vision.vision.decode.entries import entry_ink, weigh_entries
from sudoku_vision.vision.decode.killer import NO_CAGE, decode_cages
from sudoku_vision.vision.decode.roles import resolve_roles
from sudoku_vision.vision.results import DigitScores, Doubt, GridStatus, Reading, Written

_Cell: TypeAlias = int | Literal["all"] | tuple[int]
_Content: TypeAlias = int | Written | Literal["printed"] | Cage
CellOverrides: TypeAlias = Mapping[_Cell, _Content]
"""The overrides of one grid. The key is a cell (0..80), and the value is what this cell holds.

If the value is a cage, the key is a tuple with one cell of this cage: ``{(0,): Cage(12, (0, 1))}``. If the
sum of the cage is 0, the sum that was read is kept. If the cage has no cells, the cells that were read are
kept. If the sum is :data:`NO_CAGE`, the cells are in no cage.
"""
OverridesByGrid: TypeAlias = Mapping[int | None, CellOverrides]
"""The overrides of each grid. The key is the number of the grid in the picture, from 0.

The key None stands for the only readable grid.
"""

_Value: TypeAlias = SupportsIndex | Written | Cage | str
Overrides: TypeAlias = str | Mapping[Any, _Value | Mapping[Any, _Value]]
"""What cells hold: ``{cell: digit}``, or a text as on the command line, ``"r3c5=8,r4c1=blank,r2c6=w7"``.

A cell is given by its :class:`Doubt`, by its number (0 to 80 in reading order), or by its name ``"r3c5"``.
The value is a printed digit 1 to 9, or 0 for a blank cell, or a handwritten digit as :class:`Written`. For a
picture with several grids, give ``{number: {cell: digit}}``. The number is the index of the grid in
``page.grids``, from 0.
"""

ALL: Final = "all"
"""The key for all cells in which it is in doubt whether the digit is a clue or an entry. A cell that has its
own key is left out.

An entry is a digit that a person wrote or typed.
"""
PRINTED: Final = "printed"
"""A value of the key :data:`ALL`: the digits in these doubtful cells are clues. The other possible value is
``Written()``: they are entries."""

IMPOSSIBLE = -30.0
"""Log-probability of digits that a person has excluded. It is so low that the rules never choose them."""

OVERRIDES_REMEDY = 'Write rows, columns and digits from 1 to 9, as in "r3c5=8,r4c1=blank".'
GRID_REMEDY = 'Count them in reading order, and put the number before the cell, as in "2:r3c5=8".'
_AS_CELLS = 'Give {cell: digit} with cells from 0 to 80, or a text such as "r3c5=8,r4c1=blank".'
CORNERS_REMEDY = "Write x,y of four corners in pixels, clockwise from the puzzle's top left: x,y,x,y,x,y,x,y."

_MAX_COORDINATE = 1e9  # largest allowed coordinate of a corner, in pixels; no picture is so large
_MAX_QUOTED = 100  # an error message quotes at most this number of characters of a person's text

_OVERRIDE = re.compile(
    r"(?:([1-9]\d?):)?(?:r([1-9])c([1-9])=([1-9]|blank|written|w[1-9]|sum\d\d?)|all=(printed|written)|"
    r"(no)?cage=(r[1-9]c[1-9](?:\+r[1-9]c[1-9])*))",
    re.IGNORECASE,
)


def parse_overrides(text: str) -> OverridesByGrid:
    """Parse overrides: ``"r3c5=8,r4c1=blank"`` becomes ``{None: {22: 8, 27: 0}}``.

    In the text, rows and columns are numbered from 1. In the result, cells are numbers from 0 to 80.

    * ``r2c2=written``: the digit in this cell is an entry and no clue; ``r2c2=w7``: the entry is a 7.
    * ``all=printed``: if it is in doubt whether a digit is a clue or an entry, the digit is a clue.
      ``all=written``: such a digit is an entry.
    * ``r1c1=sum12``: the sum of the cage with this cell is 12. ``cage=r1c1+r1c2``: these cells are a cage.
      ``nocage=r1c1+r1c2``: these cells are in no cage.
    * ``2:r3c5=8``: this cell, and all cells after it in the text, belong to the second grid of the picture.
      In the result, the key of this grid is 1, because keys count from 0: ``{1: {22: 8}}``.

    Raises :class:`~sudoku_vision.errors.OverridesError` for any other text, and for a cell that is given
    twice. The error is also raised if a later cell names a grid, but the first cell doesn't.
    """
    by_place: dict[int | None, dict[_Cell, _Content]] = {}
    place = None
    for part in text.split(","):
        found = _OVERRIDE.fullmatch("".join(part.split()).lower())
        if not found:
            raise OverridesError(f"{part.strip()!r} is not what a cell holds.", OVERRIDES_REMEDY)
        number, row, column, content, role, none, cage = found.groups()
        place = int(number) - 1 if number else place
        contents = by_place.setdefault(place, {})
        if cage or (content or "").startswith("sum"):
            cells = tuple(_cell_at(name[1], name[3]) for name in cage.split("+")) if cage else ()
            key = (min(cells) if cells else _cell_at(row, column),)
            before = contents.get(key)
            total, others = before if isinstance(before, Cage) else Cage(0, ())
            total = NO_CAGE if none else max(total, 0) if cells else int(content[3:])
            contents[key] = Cage(total, cells or others)
            continue
        cell: _Cell = ALL if role else _cell_at(row, column)
        if cell in contents:
            name = cell_name(cell) if isinstance(cell, int) else ALL
            raise OverridesError(f"{name} is given twice.", "Say once what it holds.")
        if role:
            contents[cell] = PRINTED if role == PRINTED else Written()
        elif content[0] == "w":
            contents[cell] = Written(int(content[1]) if content[1].isdigit() else 0)
        else:
            contents[cell] = 0 if content == "blank" else int(content)
    if len(by_place) > 1 and None in by_place:
        raise OverridesError("Some of the cells name a grid, the first ones don't.", GRID_REMEDY)
    return by_place


def _cell_at(row: str, column: str) -> int:
    return 9 * int(row) + int(column) - 10


def read_overrides(overrides: Overrides | None) -> OverridesByGrid:
    """Convert *overrides* of any form to a mapping with the overrides of each grid.

    Raises :class:`OverridesError` for impossible cells or digits.
    """
    if overrides is None:
        return {}
    if isinstance(overrides, str):
        return parse_overrides(overrides) if overrides else {}
    if not isinstance(overrides, Mapping):
        raise OverridesError(
            f"Overrides are cells and what they hold, this is {named(overrides)}.", _AS_CELLS
        )
    if not any(isinstance(value, Mapping) for value in overrides.values()):
        return {None: _checked_cells(overrides)} if overrides else {}
    return {
        int(place) if isinstance(place, int | np.integer) else -1: _checked_cells(cells)
        for place, cells in overrides.items()
    }


def _checked_cells(cells: Any) -> CellOverrides:
    """Check the overrides of one grid; return them with the numbers of the cells as keys.

    Raises :class:`OverridesError` for impossible cells or digits.
    """
    checked: dict[_Cell, _Content] = {}
    if not isinstance(cells, Mapping):
        raise OverridesError(f"{cells!r} are no cells of a grid.", "Give {grid: {cell: digit}} of each grid.")
    for name, content in cells.items():
        of_cage = isinstance(content, Cage) and isinstance(name, tuple)
        cell = _cell_number(name[0] if of_cage else name)
        if isinstance(content, Cage) and isinstance(cell, int):
            checked[(cell,)] = content
            continue
        if isinstance(content, int | np.integer):
            content = int(content)
        known = isinstance(content, Written) or (isinstance(content, int) and 0 <= content <= 9)
        if not (content in (PRINTED, Written()) if cell == ALL else known):
            what = f"{content!r} can't be in a cell."
            raise OverridesError(what, "Give a digit 1 to 9, 0 for blank, or Written(7) for a handwritten 7.")
        checked[cell] = content
    return checked


def _cell_number(name: Any) -> _Cell:
    """Return the number of a cell that is given as a doubt, a number or a name; for ALL, return ALL."""
    if isinstance(name, Doubt):
        return name.cell
    if isinstance(name, int | np.integer) and 0 <= name < 81:
        return int(name)
    if isinstance(name, str) and name == ALL:
        return ALL
    if isinstance(name, str) and (place := re.fullmatch("r([1-9])c([1-9])", name.strip().lower())):
        return _cell_at(place[1], place[2])
    raise OverridesError(f"{name!r} is no cell.", 'Name cells by their doubts, from 0 to 80, or as "r3c5".')


def open_roles(doubts: Iterable[Doubt]) -> list[Doubt]:
    """Return those *doubts* that ask whether a digit is a clue or an entry.

    In overrides, the key :data:`ALL` stands for the cells of these doubts.
    """
    return [doubt for doubt in doubts if doubt.kind == "role" and doubt.entry]


def confirming_overrides(doubts: Sequence[Doubt]) -> str:
    """Return overrides, as text, that confirm the likeliest option of each of the *doubts*."""
    words: list[str] = []
    roles = open_roles(doubts)
    printed = [doubt for doubt in roles if doubt.digits[0]]
    if len(roles) > 1 and len(printed) in (0, len(roles)):
        words, doubts = ["all=printed" if printed else "all=written"], [d for d in doubts if d not in roles]
    for doubt in doubts:
        name = cell_name(doubt.cell)
        if doubt.cages:
            if doubt.is_of_cells:
                words.append(f"cage={'+'.join(map(cell_name, doubt.cages[0].cells))}")
            words.append(f"{name}=sum{doubt.cages[0].sum}")
            continue
        digit = doubt.digits[0]
        entry = digit if doubt.kind == "entry" else 0 if digit else doubt.entry
        content = f"w{entry}" if entry else str(digit) if digit else "blank"
        words.append(f"{name}={content}")
    return ",".join(words)


def parse_corners(text: str) -> Floats:
    """Parse eight numbers ``"x,y,x,y,x,y,x,y"`` into corners (4, 2), in pixels.

    Raises :class:`~sudoku_vision.errors.CornersError` for any other text.
    """
    parts = [part for part in re.split(r"[,;\s]+", text) if part]
    if len(parts) != 8:
        raise CornersError(f"Four corners are eight numbers, these are {len(parts)}.", CORNERS_REMEDY)
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        numbers = [math.nan]
    if not all(abs(number) <= _MAX_COORDINATE for number in numbers):  # false for NaN, too
        raise CornersError(f"{text[:_MAX_QUOTED]!r} are not eight numbers of pixels.", CORNERS_REMEDY)
    return np.array(numbers, np.float32).reshape(4, 2)


def by_grid(overrides: OverridesByGrid, statuses: Sequence[GridStatus]) -> Mapping[int, CellOverrides]:
    """Return the overrides of each grid of a picture; the key is the number of the grid, from 0.

    *statuses* are the statuses of all grids of the picture. If the picture has no grids, the result is empty.
    Overrides without a number of a grid belong to the only readable grid. Raises
    :class:`~sudoku_vision.errors.OverridesError` if the number is missing although several grids are
    readable, or if there is no grid with this number.
    """
    if not statuses:
        return {}
    count = len(statuses)
    readable = [place for place, status in enumerate(statuses) if status != "unreadable"] or range(count)
    if None in overrides and len(readable) > 1:
        raise OverridesError(f"Grids found in this picture: {count}, so say which one is meant.", GRID_REMEDY)
    placed = {readable[0] if place is None else place: cells for place, cells in overrides.items()}
    wrong = next((place for place in placed if not 0 <= place < count), None)
    if wrong is not None:
        raise OverridesError(
            f"Grids found in this picture: {count}, there is no number {wrong + 1}.", GRID_REMEDY
        )
    return placed


def apply_overrides(scores: DigitScores, overrides: CellOverrides, puzzle: Board) -> Reading:
    """Return the reading of *scores*. In a cell of *overrides*, the override is used instead of the ink.

    *puzzle* (9, 9) holds the clues that were read from *scores* without overrides. If they are handwritten
    (:func:`clues_by_hand`), a digit that a person gives is taken for a handwritten clue. Otherwise it is
    taken for a printed clue. If there are no overrides, the result is the reading of the ink alone.
    """
    if not (overrides or scores.divisions):
        return decode(scores)
    scores = resolve_roles(scores)
    contents = _cell_by_cell(overrides, scores)
    log_probs, by_hand, hidden = (
        values.copy() for values in (scores.log_probs, scores.written, scores.hidden)
    )
    all_by_hand = clues_by_hand(scores, puzzle)
    for cell, content in contents.items():
        log_probs[cell] = IMPOSSIBLE
        log_probs[cell, 0 if isinstance(content, Written) else content] = 0.0
        by_hand[cell] = 1.0 if all_by_hand else 0.0
        hidden[cell] = 0.0
    ink = replace(scores, log_probs=log_probs, written=by_hand, hidden=hidden)
    _, overruled = decode_cages(ink, cages_said(overrides))
    entered = {cell: content for cell, content in contents.items() if isinstance(content, Written)}
    return _with_entries(overruled, scores, entered)


def cages_said(overrides: CellOverrides) -> dict[int, Cage]:
    """Return what *overrides* say about cages; the key of each cage is one of its cells."""
    return {
        key[0]: cage for key, cage in overrides.items() if isinstance(key, tuple) and isinstance(cage, Cage)
    }


def _cell_by_cell(overrides: CellOverrides, scores: DigitScores) -> dict[int, int | Written]:
    """Return the *overrides* of single cells; the key ALL is replaced by the cells for which it stands."""
    contents = {
        cell: content
        for cell, content in overrides.items()
        if isinstance(cell, int) and isinstance(content, int | Written)
    }
    if ALL in overrides:
        printed = overrides[ALL] == PRINTED
        for doubt in open_roles(decode(scores).doubts):
            contents.setdefault(doubt.cell, doubt.entry if printed else Written(doubt.entry))
    return contents


def clues_by_hand(scores: DigitScores, puzzle: Board) -> bool:
    """Return whether the clues of *puzzle* (9, 9) are handwritten; *puzzle* was read from *scores*."""
    clues = puzzle.reshape(81) > 0
    return bool(clues.any()) and float(np.median(resolve_roles(scores).written[clues])) > 0.5


def _with_entries(reading: Reading, scores: DigitScores, entered: Mapping[int, Written]) -> Reading:
    """Return *reading* with the entries that a person gives. *entered*: the cells, each with its entry.

    If the person gives the digit 0, the entry is the digit that the ink of the cell most likely shows.
    """
    if not entered:
        return reading
    ink, has_entry = entry_ink(scores), reading.written.reshape(81) > 0
    for cell, content in entered.items():
        if content.digit:
            ink[cell] = np.eye(10)[content.digit]
        ink[cell, 0] = 0.0  # the cell surely has a digit
        has_entry[cell] = True
    answer = None if reading.solution is None or reading.solutions != 1 else parse_board(reading.solution)
    entries = weigh_entries(has_entry, ink, answer, reading.confidence)
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
