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
    ReducedCopy,
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
    look = None if corners is not None else _settling_look(photo, model)
    look = look or _look(photo, model, corners)
    if debug is not None:
        _draw_look(look, debug)
    readings = [one for one in look.readings if corners is not None or is_claimed(one.lattice, one.result)]
    for place, said in by_grid(overrides or {}, [one.result.status for one in readings]).items():
        readings[place] = readings[place].with_overrides(said, debug)
    if look.copy is not None:
        readings = [one.placed(look.copy.to_photo) for one in readings]
    result = _page_result(photo, [one.result for one in readings], time.perf_counter() - started)
    if debug is not None:
        debug.add("overlay", overlay(photo, result.grids))
    return PageReading(photo, tuple(readings), result)


@dataclass(frozen=True, eq=False)
class _Look:
    """All places that were looked at in ``photo``, claimed or not; ``copy``: where that is a reduced one."""

    photo: Photo
    readings: list[GridReading]
    copy: ReducedCopy | None = None

    @property
    def is_settled(self) -> bool:
        """Whether nothing is in doubt that more pixels might tell."""
        claimed = [one for one in self.readings if is_claimed(one.lattice, one.result)]
        return all(_is_settled(one.result, one.lattice.cell_size) for one in claimed)


def _is_settled(grid: GridResult, cell_size: float) -> bool:
    """Tell whether a grid that was read from cells of so many pixels is surely read as well as it can be."""
    by_hand = grid.written.any() or any(grid.marks)
    fine_enough = cell_size >= (LEAST_CELL_BY_HAND if by_hand else LEAST_CELL)
    return fine_enough and grid.status == "solved" and not grid.reading.unclear


def _settling_look(photo: Photo, model: CellClassifier) -> _Look | None:
    """Look at the reduced copy of a photo; None where there is none, or the photo itself may tell more."""
    copy = photo.reduced
    if copy is None:
        return None
    small = Photo(copy.pixels, photo.source, photo.page)
    lattices = locate(small)
    if any(one.cell_size < LEAST_CELL for one in lattices):
        return None
    look = _Look(small, [_decode_grid(one, read_cells(small, one, model)) for one in lattices], copy)
    return look if look.is_settled else None


def _look(photo: Photo, model: CellClassifier, corners: Corners | None) -> _Look:
    """Look at a photo at full size."""
    lattices = locate(photo) if corners is None else [locate_at(photo, corners)]
    turn = None if corners is None else 0
    return _Look(photo, [_decode_grid(one, read_cells(photo, one, model, turn)) for one in lattices])


@one_blas_thread()
def read_grid(
    photo: Photo,
    lattice: Lattice,
    model: CellClassifier,
    debug: DebugSink | None = None,
    *,
    turn: int | None = None,
) -> GridResult:
    """Read one grid: its cells, the turn in which they make sense, and the puzzle that they make.

    *turn* is the number of quarter turns counter-clockwise where it is known.
    """
    read = _decode_grid(lattice, read_cells(photo, lattice, model, turn))
    if debug is not None:
        _draw_grid(read, debug)
    return read.result


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
        if debug is not None:
            _draw_reading(self.cells, self.turn, reading, debug)
        return replace(self, result=GridResult(grid_status(reading), self.result.lattice, reading))

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
    turn, reading = decode_turns(cells.likely_scores)
    result = GridResult(grid_status(reading), lattice.turned(turn), reading)
    return GridReading(lattice, cells, turn, reading, result)


def _page_result(photo: Photo, grids: Sequence[GridResult], seconds: float) -> PageResult:
    status = least_sure_status(grid.status for grid in grids)
    return PageResult(
        source=photo.source,
        page=photo.page,
        status=status,
        message=MESSAGES[status],
        grids=tuple(grids),
        seconds=seconds,
    )


def is_claimed(lattice: Lattice, grid: GridResult) -> bool:
    """Tell whether a grid is reported: one that makes no sense is only where its lines leave no doubt."""
    if lattice.score >= MIN_CLAIM or grid.status in {"solved", "uncertain"}:
        return True
    if np.count_nonzero(grid.puzzle) < MIN_CLUES:
        return False
    return grid.status != "unreadable" and grid.confidence >= MIN_SENSE


def _draw_look(look: _Look, debug: DebugSink) -> None:
    from sudoku_vision.output import debug as drawing

    debug.add("proposals", drawing.draw_proposals(look.photo, proposed(look.photo)))
    debug.add("lattice", drawing.draw_lattice(look.photo, [one.lattice for one in look.readings]))
    for one in look.readings:
        _draw_grid(one, debug)


def _draw_grid(one: GridReading, debug: DebugSink) -> None:
    from sudoku_vision.output import debug as drawing

    cells = turned_cells(one.cells.cells, one.turn)
    debug.add("cells", drawing.draw_cells(cells, one.scores))
    _draw_reading(one.cells, one.turn, one.result.reading, debug)


def _draw_reading(cells: CellReadings, turn: int, reading: Reading, debug: DebugSink) -> None:
    from sudoku_vision.output import debug as drawing

    debug.add("reading", drawing.draw_reading(turned_cells(cells.cells, turn), reading))
