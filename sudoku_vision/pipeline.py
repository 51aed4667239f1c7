"""The one road from a picture to its answers: load, locate, rectify, digits, decode (solving)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sudoku_vision.blas import one_blas_thread
from sudoku_vision.errors import explained_memory
from sudoku_vision.output.overlay import overlay
from sudoku_vision.results import (
    Floats,
    GridResult,
    Lattice,
    PageResult,
    PageStatus,
    Photo,
    is_empty,
    least_sure_status,
)
from sudoku_vision.sudoku.board import area_names, cell_name
from sudoku_vision.sudoku.rules import CLASSIC, Rules
from sudoku_vision.vision.decode import decode, decode_turns, grid_status, with_rules
from sudoku_vision.vision.decode.grid import Grid
from sudoku_vision.vision.decode.overrides import Overrides, SaidByGrid, by_grid, read_overrides
from sudoku_vision.vision.digits import CellClassifier, load_model, read_cells
from sudoku_vision.vision.digits.turns import FEWEST_DIGITS, turned_cells
from sudoku_vision.vision.freed_memory import keep_freed_memory
from sudoku_vision.vision.load import Source, load_photo
from sudoku_vision.vision.locate import locate, locate_at, proposed
from sudoku_vision.vision.other_puzzles import count_cells, has_small_sums

if TYPE_CHECKING:
    from sudoku_vision.output.debug import DebugSink

Corners = Floats | Sequence[Sequence[float]]
"""Four outer corners (4, 2) of a grid, (x, y) in photo pixels, clockwise from the puzzle's own top left."""

MIN_CLAIM = 0.95
"""A grid that makes no proper puzzle is only claimed where this share of its lines was seen, ..."""
MIN_SENSE = 0.5
"""... or where its reading, ill-posed as it is, has this confidence: a table of figures reads as anything."""

LEAST_CELL = 60.0
"""Pixels of a cell, in the reduced copy of a photo, from which print is read there: half as many again as the
digits are read at. Where cells are smaller, or anything is in doubt, the photo itself is read; ..."""
LEAST_CELL_BY_HAND = 80.0  # ... and where a person wrote: pencil marks are looked at as closely as this.

MESSAGES: dict[PageStatus, str] = {
    "solved": "",
    "uncertain": "The reading may be wrong: please check the clues against the picture.",
    "many_solutions": "The clues allow more than one solution: one may have been missed, or more rules hold.",
    "no_solution": "The clues contradict one another: one may be misread, or misprinted, "
    "or rules of its own hold, as of a jigsaw.",
    "unreadable": "A grid was found, but its digits can't be read: try a closer or sharper photo.",
    "no_grid": "No sudoku grid was found: the whole grid should be in the picture, its lines visible. "
    "Where you see one, say where with --corners.",
    "error": "",
}
HIDDEN = (
    "{cells} can't be seen: covered, too bright or too dark. The answer depends on what stands there: "
    "take another photo, or say what it is."
)
GIVEN_UP = (
    "The search for solutions was given up, so it is not known how many there are: "
    "please check the clues against the picture, and whether more rules hold."
)
EMPTY = "A grid was found, but it is empty: there are no digits in it."
OTHER = {
    "killer": "Small sums stand in the corners of cells: "
    "this looks like a killer sudoku, which can't be solved.",
    "samurai": "Five grids overlap: this looks like a samurai sudoku, which can't be solved as a whole.",
}
"""What to say of puzzles that are none of ours; of others, how many cells they have."""
MOST_CLUES = 3  # clues of a killer sudoku: it has none, but a sum may be taken for one


def message_of(status: PageStatus, grids: Sequence[GridResult], other: str = "") -> str:
    """Return what to say of a page; where a person's own word clashes with clues, which word.

    *other*: what it shows instead of a sudoku of 9 x 9 cells.
    """
    if other and status not in ("solved", "uncertain"):
        cells = other.replace("x", " x ")
        return OTHER.get(other, f"This grid has {cells} cells: only sudokus of 9 x 9 cells can be solved.")
    if is_empty(grids):
        return EMPTY
    hidden = [area_names(grid.hidden) for grid in grids if grid.hidden]
    if status == "uncertain" and hidden:
        return HIDDEN.format(cells="; ".join(hidden))
    if status == "uncertain" and any(grid.status == status and grid.solution is None for grid in grids):
        return GIVEN_UP
    said = [
        cell_name(cell)
        for grid in grids
        for cell in grid.clashes
        if isinstance(grid, Grid) and grid.status == "no_solution" and cell in grid.overrides
    ]
    if status == "no_solution" and said:
        return f"What was said of {', '.join(said)} contradicts other clues: please check it."
    return MESSAGES[status]


@dataclass(frozen=True, eq=False, repr=False)
class PageReading(PageResult):
    """One picture that was read: its grids with the scores from which they are decoded again."""

    grids: tuple[Grid, ...]


def read_photo(
    source: Source,
    *,
    model: CellClassifier | None = None,
    debug: DebugSink | None = None,
    overrides: Overrides | None = None,
    corners: Corners | None = None,
    rules: Rules | None = None,
) -> PageResult:
    """Find, read and solve every sudoku of one picture, and return the result alone, without any scores.

    Arguments and errors as for :func:`sudoku_vision.solve_photo`.
    """
    page = read_page(source, model=model, debug=debug, overrides=overrides, corners=corners, rules=rules)
    grids = tuple(GridResult(grid.status, grid.lattice, grid.reading) for grid in page.grids)
    return PageResult(**{**vars(page), "grids": grids})


@one_blas_thread()
def read_page(
    source: Source,
    *,
    model: CellClassifier | None = None,
    debug: DebugSink | None = None,
    overrides: Overrides | None = None,
    corners: Corners | None = None,
    rules: Rules | None = None,
) -> PageReading:
    """Read a picture as :func:`read_photo` does, and keep the scores of the cells of its grids."""
    said = read_overrides(overrides)
    keep_freed_memory()
    photo = load_photo(source)
    model = model or load_model()
    with explained_memory(photo.source):
        return _read_page(photo, model, debug, said, corners, rules)


def _read_page(
    photo: Photo,
    model: CellClassifier,
    debug: DebugSink | None,
    overrides: SaidByGrid,
    corners: Corners | None,
    rules: Rules | None,
) -> PageReading:
    """Take a photo down the road."""
    started = time.perf_counter()
    copy = photo.reduced if corners is None else None
    small = None if copy is None else Photo(copy.pixels, photo.source, photo.page)
    read = None if small is None else _read_reduced(small, model, rules)
    if read is None:
        copy = small = None
        lattices = locate(photo) if corners is None else [locate_at(photo, corners)]
        read = _read_grids(photo, lattices, model, rules, None if corners is None else 0)
    if debug is not None:
        _draw_places(small or photo, read, debug)
    if corners is None:
        read = [(grid, cells) for grid, cells in read if is_claimed(grid.lattice, grid)]
    grids = [grid for grid, _ in read]
    for place, said in by_grid(overrides, [grid.status for grid in grids]).items():
        grids[place] = grids[place].with_overrides(said)
        if debug is not None:
            _draw_grid(grids[place], read[place][1], debug)
    if copy is not None:
        grids = [replace(grid, lattice=copy.to_photo(grid.lattice)) for grid in grids]
    status = least_sure_status(grid.status for grid in grids)
    other = "" if status in ("solved", "uncertain") else _other_puzzle(photo, read)
    seconds = time.perf_counter() - started
    if debug is not None:
        debug.add("overlay", overlay(photo, grids))
    message = message_of(status, grids, other)
    return PageReading(photo.source, photo.page, status, message, tuple(grids), seconds, other)


def _other_puzzle(photo: Photo, read: Sequence[tuple[Grid, Floats]]) -> str:
    """Return what a page shows instead of a sudoku of 9 x 9 cells, "" where nothing tells."""
    for grid, cells in read:
        if np.count_nonzero(grid.puzzle) <= MOST_CLUES and has_small_sums(cells):
            return "killer"
    unread = all(grid.status == "unreadable" for grid, _ in read)
    if not unread and len(read) == 1:  # it has nine cells across, whatever its digits are
        return ""
    counted = count_cells(photo)
    return counted if unread or counted == "samurai" else ""


def _read_reduced(
    small: Photo, model: CellClassifier, rules: Rules | None
) -> list[tuple[Grid, Floats]] | None:
    """Read the grids of the reduced copy of a photo; None where the photo itself may tell more."""
    lattices = locate(small)
    if any(lattice.cell_size < LEAST_CELL for lattice in lattices):
        return None
    read = _read_grids(small, lattices, model, rules)
    return read if all(_is_settled(grid) for grid, _ in read) else None


def _is_settled(grid: Grid) -> bool:
    """Tell whether nothing of a grid is in doubt that more pixels than these might tell."""
    if not is_claimed(grid.lattice, grid):
        return True
    by_hand = grid.written.any() or any(grid.marks)
    fine_enough = grid.lattice.cell_size >= (LEAST_CELL_BY_HAND if by_hand else LEAST_CELL)
    return fine_enough and grid.status == "solved" and not grid.reading.unclear


def _read_grids(
    photo: Photo,
    lattices: Sequence[Lattice],
    model: CellClassifier,
    rules: Rules | None,
    turn: int | None = None,
) -> list[tuple[Grid, Floats]]:
    """Return each grid in the turn in which it makes most sense, and its 81 cells as they were read.

    *rules* are those that a person says, None where the lines are to tell. *turn* is the number of quarter
    turns counter-clockwise where it is known.
    """
    read = []
    for lattice in lattices:
        cells = read_cells(photo, lattice, model, turn)
        likely = cells.turns.likely_scores
        if rules is not None:
            likely = {turn: replace(scores, rules=rules) for turn, scores in likely.items()}
        upright, reading = decode_turns(likely)
        scores = likely[upright]
        if rules is None and (grid_status(reading) != "solved" or reading.repaired):
            # Clues that make one classic puzzle as they look hardly do so by chance: no line need tell.
            scores = with_rules(scores, cells.rules.turned(upright))
            reading = reading if scores.rules == CLASSIC else decode(scores)
        place = lattice.turned(upright)
        grid = Grid(grid_status(reading), place, reading, scores, reading.puzzle)
        read.append((grid, turned_cells(cells.cells, upright)))
    return read


def is_claimed(lattice: Lattice, grid: GridResult) -> bool:
    """Tell whether a grid is reported: one that makes no sense is only where its lines leave no doubt.

    Nor where next to no clues are read: a blot between lines of text is soon a digit.
    """
    if lattice.score >= MIN_CLAIM or grid.status in {"solved", "uncertain"}:
        return True
    if np.count_nonzero(grid.puzzle) < FEWEST_DIGITS:
        return False
    return grid.status != "unreadable" and grid.confidence >= MIN_SENSE


def _draw_places(photo: Photo, read: Sequence[tuple[Grid, Floats]], debug: DebugSink) -> None:
    from sudoku_vision.output import debug as drawing

    debug.add("proposals", drawing.draw_proposals(photo, proposed(photo)))
    debug.add("lattice", drawing.draw_lattice(photo, [grid.lattice for grid, _ in read]))
    for grid, cells in read:
        _draw_grid(grid, cells, debug)


def _draw_grid(grid: Grid, cells: Floats, debug: DebugSink) -> None:
    from sudoku_vision.output import debug as drawing

    debug.add("cells", drawing.draw_cells(cells, grid.scores))
    debug.add("reading", drawing.draw_reading(cells, grid.reading))
