"""The one road from a picture to its answers: load, locate, rectify, digits, decode (solving), overlay."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sudoku_vision.decode import decode, grid_status, total_log_probability
from sudoku_vision.decode.overrides import Givens, GivensByGrid, by_grid, check_givens, settle
from sudoku_vision.digits.features import extract
from sudoku_vision.digits.glare import burnt_out, unsettled
from sudoku_vision.digits.ink import measure, refine_written
from sudoku_vision.digits.model import DigitModel, classify, first_looks, load_model, scores_of, second_look
from sudoku_vision.load import load_photo
from sudoku_vision.locate import locate, proposed
from sudoku_vision.locate.corners import locate_at
from sudoku_vision.overlay import overlay
from sudoku_vision.rectify import even, remove_lines, straighten
from sudoku_vision.results import (
    STATUS_ORDER,
    DigitScores,
    Floats,
    GridResult,
    Image,
    Lattice,
    PageResult,
    PageStatus,
    Photo,
    Reading,
)
from sudoku_vision.save import check_output, save

if TYPE_CHECKING:
    from sudoku_vision.debug import DebugSink

Corners = Floats | Sequence[Sequence[float]]
"""Four outer corners (4, 2) of a grid, (x, y) in photo pixels, clockwise from the puzzle's own top left."""

CLEAR_TURN = 12.0
"""Log-probability by which one turn of the grid must beat the others to be taken without decoding both."""
MIN_CLAIM = 0.95
"""A grid that makes no proper puzzle is only claimed where this share of its lines was seen, ..."""
MIN_SENSE = 0.5
"""... or where its reading, ill-posed as it is, has this confidence: a table of figures reads as anything."""

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


def solve_photo(
    source: str | Path | bytes | Photo,
    output: str | Path | None = None,
    *,
    model: DigitModel | None = None,
    debug: DebugSink | None = None,
    givens: Givens | GivensByGrid | None = None,
    corners: Corners | None = None,
) -> PageResult:
    """Solve the sudokus of one picture, and write the annotated picture to *output* where one is given.

    Of a picture in which no grid was found nothing is written. The rest is as for :func:`read_photo`; raises
    :class:`~sudoku_vision.errors.SaveError` or :class:`~sudoku_vision.errors.UsageError` for an output that
    can't be written.
    """
    if output is not None:
        check_output(output)
    photo = source if isinstance(source, Photo) else load_photo(source)
    page = read_photo(photo, model=model, debug=debug, givens=givens, corners=corners)
    if output is not None and page.grids:
        save(output, overlay(photo, page.grids))
    return page


def read_photo(
    source: str | Path | bytes | Photo,
    *,
    model: DigitModel | None = None,
    debug: DebugSink | None = None,
    givens: Givens | GivensByGrid | None = None,
    corners: Corners | None = None,
) -> PageResult:
    """Find, read and solve every sudoku of one picture.

    *source* is a path, the bytes of a picture file, or a :class:`Photo`. *model* is a digit model loaded
    before (:func:`sudoku_vision.digits.model.load_model`), or None for the one that comes with the package.
    Raises :class:`~sudoku_vision.errors.OpenError` for what can't be opened; a picture without a grid is no
    error.

    A person's word overrules the program's: *givens* ``{(row, column): digit}`` says what is printed in cells
    of the only readable grid, rows and columns from 0 to 8 as in ``grid.puzzle``, 0 for blank; of several
    grids, ``{place: {(row, column): digit}}`` says so by their places in ``page.grids``. *corners*
    (4, 2) says where the one grid lies, clockwise from the puzzle's own top left. Raises
    :class:`~sudoku_vision.errors.UsageError` for either that can't be.
    """
    check_givens(givens or {})
    photo = source if isinstance(source, Photo) else load_photo(source)
    model = model or load_model()
    started = time.perf_counter()
    lattices = locate(photo) if corners is None else [locate_at(photo, corners)]
    if debug is not None:
        _draw_locating(photo, lattices, debug)
    turn = None if corners is None else 0
    read = [(lattice, read_grid(photo, lattice, model, debug, turn=turn)) for lattice in lattices]
    read = [(lattice, grid) for lattice, grid in read if corners is not None or is_claimed(lattice, grid)]
    for place, said in by_grid(givens or {}, [grid.status for _, grid in read]).items():
        lattice = read[place][0]
        read[place] = lattice, read_grid(photo, lattice, model, debug, turn=turn, givens=said)
    grids = tuple(grid for _, grid in read)
    status: PageStatus = min((g.status for g in grids), key=STATUS_ORDER.index, default="no_grid")
    page = PageResult(
        source=photo.source,
        page=photo.page,
        status=status,
        message=MESSAGES[status],
        grids=grids,
        seconds=time.perf_counter() - started,
    )
    if debug is not None:
        debug.add("overlay", overlay(photo, page.grids))
    return page


def read_grid(
    photo: Photo,
    lattice: Lattice,
    model: DigitModel,
    debug: DebugSink | None = None,
    *,
    turn: int | None = None,
    givens: Givens | None = None,
) -> GridResult:
    """Read one grid: its cells, the turn in which they make sense, and the puzzle that they make.

    *turn* is the number of quarter turns counter-clockwise where it is known; *givens* overrule the ink.
    """
    look = look_at(photo, lattice, model, turn)
    turn, reading = upright_reading(look.turns, look.likely)
    if givens:
        reading = settle(look.turns[turn], givens, reading)
    if debug is not None:
        _draw_grid(look.cells, turn, look.turns[turn], reading, debug)
    return GridResult(grid_status(reading), lattice.turned(turn), reading)


class Look(NamedTuple):
    """What one look at a grid shows, before the rules of sudoku have their say.

    ``cells`` (81, S, S) float32 of clean ink; the scores of its four ``turns``, and which are ``likely``.
    """

    cells: Floats
    turns: list[DigitScores]
    likely: list[int]


def look_at(photo: Photo, lattice: Lattice, model: DigitModel, turn: int | None = None) -> Look:
    """Cut out the cells of a grid and say what is likely in them; parameters as for :func:`read_grid`."""
    straight = straighten(photo, lattice)
    cells = remove_lines(even(straight))
    turns, likely = read_turns(cells, model, turn)
    return Look(cells, weigh_inks(straight, cells, turns, likely), likely)


def read_turns(
    cells: Floats, model: DigitModel, turn: int | None = None
) -> tuple[list[DigitScores], list[int]]:
    """What the classifier says of the cells (81, S, S) in the four turns, and which turns are likely.

    A first look takes all turns; a second one at the likely ones takes blank cells as they are turned, too,
    and asks the expert of handwriting. *turn* is the only likely one where it is known.
    """
    glyphs = extract(cells)
    looks = first_looks(glyphs, model)
    turns = [scores_of(look, model) for look in looks]
    likely = close_turns(turns) if turn is None else [turn]
    for other in likely:
        if other:
            turns[other] = classify(turned_cells(cells, other), model)
        else:
            turns[other] = second_look(looks[0], glyphs, model)
    return turns, likely


def turned_cells(cells: Floats, quarter_turns: int) -> Floats:
    """Cells (81, S, S) as they come from the grid turned counter-clockwise by so many quarter turns."""
    board = np.rot90(cells.reshape(9, 9, *cells.shape[1:]), quarter_turns, axes=(0, 1))
    return np.ascontiguousarray(np.rot90(board, quarter_turns, axes=(2, 3))).reshape(cells.shape)


def weigh_inks(
    straight: Image, cells: Floats, turns: list[DigitScores], likely: list[int]
) -> list[DigitScores]:
    """The scores of the four *turns*, the *likely* ones in view of the inks of the page.

    They tell print from handwriting, and where glare may have wiped out a digit.
    """
    inks = measure(straight, cells)
    burnt = burnt_out(straight).reshape(9, 9)
    weighed = list(turns)
    for turn in likely:
        weighed[turn] = refine_written(inks.turned(turn), turns[turn])
        if burnt.any():
            weighed[turn] = unsettled(weighed[turn], np.rot90(burnt, turn).ravel())
    return weighed


def upright_reading(turns: list[DigitScores], likely: list[int]) -> tuple[int, Reading]:
    """The turn (0..3, quarter turns counter-clockwise) of the *likely* ones that reads best, and its reading.

    All are decoded, and the rules of sudoku have their say before the total log-probability.
    """
    readings = {turn: decode(turns[turn]) for turn in likely}
    turn = max(readings, key=lambda t: (readings[t].solutions == 1, readings[t].log_probability))
    return turn, readings[turn]


def close_turns(turns: list[DigitScores]) -> list[int]:
    """The turns whose likeliest digits come close to the best total log-probability, best first."""
    totals = np.array([total_log_probability(scores) for scores in turns])
    best = totals.max()
    return [int(turn) for turn in np.argsort(-totals, kind="stable") if totals[turn] > best - CLEAR_TURN]


def is_claimed(lattice: Lattice, grid: GridResult) -> bool:
    """Whether a grid is reported: one that makes no sense is only where its lines leave no doubt."""
    if lattice.score >= MIN_CLAIM or grid.status in {"solved", "uncertain"}:
        return True
    return grid.status != "unreadable" and grid.confidence >= MIN_SENSE


def _draw_grid(cells: Floats, turn: int, scores: DigitScores, reading: Reading, debug: DebugSink) -> None:
    from sudoku_vision import debug as drawing

    upright = turned_cells(cells, turn)
    debug.add("cells", drawing.draw_cells(upright, scores))
    debug.add("reading", drawing.draw_reading(upright, reading))


def _draw_locating(photo: Photo, lattices: list[Lattice], debug: DebugSink) -> None:
    from sudoku_vision import debug as drawing

    debug.add("proposals", drawing.draw_proposals(photo, proposed(photo)))
    debug.add("lattice", drawing.draw_lattice(photo, lattices))
