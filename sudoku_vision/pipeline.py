"""The one road from a picture to its answers: load, locate, rectify, digits, decode (solving)."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sudoku_vision.blas import one_blas_thread
from sudoku_vision.errors import explained_memory
from sudoku_vision.output.overlay import overlay
from sudoku_vision.results import (
    DigitScores,
    Floats,
    GridResult,
    Lattice,
    PageResult,
    PageStatus,
    Photo,
    Reading,
    least_sure_status,
)
from sudoku_vision.vision.decode import decode_turns, grid_status
from sudoku_vision.vision.decode.overrides import (
    Overrides,
    OverridesByGrid,
    apply_overrides,
    by_grid,
    check_overrides,
)
from sudoku_vision.vision.digits import CellClassifier, CellReadings, load_model, read_cells
from sudoku_vision.vision.digits.turns import turned_cells
from sudoku_vision.vision.freed_memory import keep_freed_memory
from sudoku_vision.vision.load import Source, load_photo
from sudoku_vision.vision.locate import locate, locate_at, proposed

if TYPE_CHECKING:
    from sudoku_vision.output.debug import DebugSink

Corners = Floats | Sequence[Sequence[float]]
"""Four outer corners (4, 2) of a grid, (x, y) in photo pixels, clockwise from the puzzle's own top left."""

MIN_CLAIM = 0.95
"""A grid that makes no proper puzzle is only claimed where this share of its lines was seen, ..."""
MIN_SENSE = 0.5
"""... or where its reading, ill-posed as it is, has this confidence: a table of figures reads as anything."""
MIN_CLUES = 8
"""And where it has so many clues: a blot between lines of text is soon a digit; puzzles have 17 or more."""

LEAST_CELL = 60.0
"""Pixels of a cell, in the reduced copy of a photo, from which print is read there: half as many again as the
digits are read at. Where cells are smaller, or anything is in doubt, the photo itself is read; ..."""
LEAST_CELL_BY_HAND = 80.0
"""... and where a person wrote: pencil marks are looked at as closely as this."""

MESSAGES: dict[PageStatus, str] = {
    "solved": "",
    "uncertain": "The reading may be wrong: please check the clues against the picture.",
    "many_solutions": "The clues allow more than one solution: one may have been missed.",
    "no_solution": "The clues contradict one another: one may be misread, or misprinted.",
    "unreadable": "A grid was found, but its digits can't be read: try a closer or sharper photo.",
    "no_grid": "No sudoku grid was found: the whole grid should be in the picture, its lines visible. "
    "Where you see one, say where with --corners.",
    "error": "",
}


def read_photo(
    source: Source,
    *,
    model: CellClassifier | None = None,
    debug: DebugSink | None = None,
    overrides: Overrides | OverridesByGrid | None = None,
    corners: Corners | None = None,
) -> PageResult:
    """Find, read and solve every sudoku of one picture, and return the result alone, without its photo.

    *source* is all that ``load_photo`` takes. *model* is what reads the cells, loaded
    before (:func:`sudoku_vision.vision.digits.load_model`) or a classifier of your own
    (:class:`sudoku_vision.vision.digits.CellClassifier`); None for the one that comes with the package.
    Raises :class:`~sudoku_vision.errors.OpenError` for what can't be opened, and the one of them that is also
    a :class:`MemoryError` where there is not the memory for it; a picture without a grid is no error.

    A person's word overrules the program's: *overrides* ``{(row, column): digit}`` says what is printed in
    cells of the only readable grid, rows and columns from 0 to 8 as in ``grid.puzzle``, 0 for blank; of
    several grids, ``{place: {(row, column): digit}}`` says so by their places in ``page.grids``. *corners*
    (4, 2) says where the one grid lies, clockwise from the puzzle's own top left. Raises
    :class:`~sudoku_vision.errors.UsageError` for either that can't be.
    """
    return read_page(source, model=model, debug=debug, overrides=overrides, corners=corners).result


@one_blas_thread()
def read_page(
    source: Source,
    *,
    model: CellClassifier | None = None,
    debug: DebugSink | None = None,
    overrides: Overrides | OverridesByGrid | None = None,
    corners: Corners | None = None,
) -> PageReading:
    """Return all that is known of one picture: also its photo and the scores of the cells of its grids.

    The rest is as for :func:`read_photo`.
    """
    check_overrides(overrides or {})
    keep_freed_memory()
    photo = load_photo(source)
    model = model or load_model()
    with explained_memory(photo.source):
        return _read_page(photo, model, debug, overrides, corners)


def _read_page(
    photo: Photo,
    model: CellClassifier,
    debug: DebugSink | None,
    overrides: Overrides | OverridesByGrid | None,
    corners: Corners | None,
) -> PageReading:
    """Take a photo down the road."""
    started = time.perf_counter()
    copy = photo.reduced if corners is None else None
    small = None if copy is None else Photo(copy.pixels, photo.source, photo.page)
    readings = None if small is None else _read_reduced(small, model)
    if readings is None:
        copy = small = None
        lattices = locate(photo) if corners is None else [locate_at(photo, corners)]
        readings = _read_grids(photo, lattices, model, None if corners is None else 0)
    if debug is not None:
        _draw_places(small or photo, readings, debug)
    if corners is None:
        readings = [reading for reading in readings if is_claimed(reading.lattice, reading.result)]
    for place, said in by_grid(overrides or {}, [reading.result.status for reading in readings]).items():
        readings[place] = readings[place].with_overrides(said, debug)
    if copy is not None:
        readings = [reading.placed(copy.to_photo) for reading in readings]
    grids = tuple(reading.result for reading in readings)
    status = least_sure_status(grid.status for grid in grids)
    seconds = time.perf_counter() - started
    result = PageResult(photo.source, photo.page, status, MESSAGES[status], grids, seconds)
    if debug is not None:
        debug.add("overlay", overlay(photo, result.grids))
    return PageReading(photo, tuple(readings), result)


def _read_reduced(small: Photo, model: CellClassifier) -> list[GridReading] | None:
    """Read the grids of the reduced copy of a photo; None where the photo itself may tell more."""
    lattices = locate(small)
    if any(lattice.cell_size < LEAST_CELL for lattice in lattices):
        return None
    readings = _read_grids(small, lattices, model)
    return readings if all(_is_settled(reading.result, reading.lattice) for reading in readings) else None


def _is_settled(grid: GridResult, lattice: Lattice) -> bool:
    """Tell whether nothing of a grid is in doubt that more pixels than those of *lattice* might tell."""
    if not is_claimed(lattice, grid):
        return True
    by_hand = grid.written.any() or any(grid.marks)
    fine_enough = lattice.cell_size >= (LEAST_CELL_BY_HAND if by_hand else LEAST_CELL)
    return fine_enough and grid.status == "solved" and not grid.reading.unclear


def _read_grids(
    photo: Photo, lattices: Sequence[Lattice], model: CellClassifier, turn: int | None = None
) -> list[GridReading]:
    return [_decode_grid(lattice, read_cells(photo, lattice, model, turn)) for lattice in lattices]


@dataclass(frozen=True, eq=False)
class GridReading:
    """A grid that was read, with the scores of its cells, so that it can be decoded again.

    ``lattice`` and ``cells`` lie as the grid was found, ``turn`` quarter turns off upright. ``ink`` is what
    the ink alone reads as; ``result``, upright, what was made of it with a person's word.
    """

    lattice: Lattice
    cells: CellReadings
    turn: int
    ink: Reading
    result: GridResult

    @property
    def scores(self) -> DigitScores:
        """The scores of the cells of the upright grid, in the reading order of ``result``."""
        return self.cells.turns.by_turn[self.turn]

    def with_overrides(self, overrides: Overrides, debug: DebugSink | None = None) -> GridReading:
        """Decode the same scores anew, with a person's word in place of the ink."""
        reading = apply_overrides(self.scores, overrides, self.ink.puzzle)
        overruled = replace(self, result=GridResult(grid_status(reading), self.result.lattice, reading))
        if debug is not None:
            _draw_grid(overruled, debug)
        return overruled

    def placed(self, place: Callable[[Lattice], Lattice]) -> GridReading:
        """Return the same reading of a grid that lies where *place* puts its lattice."""
        result = replace(self.result, lattice=place(self.result.lattice))
        return replace(self, lattice=place(self.lattice), result=result)


@dataclass(frozen=True, eq=False)
class PageReading:
    """A picture that was read: its ``photo``, its ``grids`` with their scores, and the ``result`` told.

    ``result.grids`` are the results of ``grids``, in the same order.
    """

    photo: Photo
    grids: tuple[GridReading, ...]
    result: PageResult


def _decode_grid(lattice: Lattice, cells: CellReadings) -> GridReading:
    """Return the reading of the turn in which the cells of a grid make most sense."""
    turn, reading = decode_turns(cells.turns.likely_scores)
    result = GridResult(grid_status(reading), lattice.turned(turn), reading)
    return GridReading(lattice, cells, turn, reading, result)


def is_claimed(lattice: Lattice, grid: GridResult) -> bool:
    """Tell whether a grid is reported: one that makes no sense is only where its lines leave no doubt."""
    if lattice.score >= MIN_CLAIM or grid.status in {"solved", "uncertain"}:
        return True
    if np.count_nonzero(grid.puzzle) < MIN_CLUES:
        return False
    return grid.status != "unreadable" and grid.confidence >= MIN_SENSE


def _draw_places(photo: Photo, readings: Sequence[GridReading], debug: DebugSink) -> None:
    from sudoku_vision.output import debug as drawing

    debug.add("proposals", drawing.draw_proposals(photo, proposed(photo)))
    debug.add("lattice", drawing.draw_lattice(photo, [reading.lattice for reading in readings]))
    for reading in readings:
        _draw_grid(reading, debug)


def _draw_grid(read: GridReading, debug: DebugSink) -> None:
    from sudoku_vision.output import debug as drawing

    cells = turned_cells(read.cells.cells, read.turn)
    debug.add("cells", drawing.draw_cells(cells, read.scores))
    debug.add("reading", drawing.draw_reading(cells, read.result.reading))
