"""The pipeline from a picture to its answers.

Its stages are: load the picture, locate the grids, straighten their cells, read the digits, and decode.
Decoding chooses the likeliest digits that make a proper puzzle, and solves it. A proper puzzle has exactly
one solution.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from sudoku_vision.blas import one_blas_thread
from sudoku_vision.errors import explained_memory
from sudoku_vision.output.overlay import overlay
from sudoku_vision.page import Page
from sudoku_vision.sudoku.rules import CLASSIC, Rules, RulesLike, rules_for
from sudoku_vision.values import Floats
from sudoku_vision.vision.cages import CageEvidence, centred, flat, read_cages
from sudoku_vision.vision.decode import decode, decode_turns, grid_status, with_rules
from sudoku_vision.vision.decode.killer import decode_killer
from sudoku_vision.vision.decode.overrides import (
    Overrides,
    OverridesByGrid,
    by_grid,
    parse_corners,
    read_overrides,
)
from sudoku_vision.vision.digits import CellClassifier, read_cells
from sudoku_vision.vision.digits.handwriting import MIN_ON_FULL
from sudoku_vision.vision.digits.mark_segmentation import MARK_CELL
from sudoku_vision.vision.digits.model_files import SUM_READERS, ModelLike, classifier_of
from sudoku_vision.vision.digits.turns import MIN_DIGITS, turned_cells
from sudoku_vision.vision.freed_memory import keep_freed_memory
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.load import Source, load_photo
from sudoku_vision.vision.load.light import Light
from sudoku_vision.vision.locate import (
    locate,
    locate_at,
    locate_by_colour,
    proposed,
    quick_locate,
    with_even_edges,
)
from sudoku_vision.vision.locate.fit import LOWEST_SCORE
from sudoku_vision.vision.other_puzzles import FEW_SUMS, count_cells, has_small_sums, sums_by_turn
from sudoku_vision.vision.rectify import straighten
from sudoku_vision.vision.results import DigitScores, Lattice, Photo, Reading, ReducedCopy
from sudoku_vision.vision.status import TOO_DARK, least_sure_status, message_of

if TYPE_CHECKING:
    from sudoku_vision.output.debug import DebugSink

Corners = Floats | Sequence[Sequence[float]] | str
"""The four outer corners (4, 2) of a grid: (x, y) in photo pixels, clockwise. The first is the top left one
of the upright puzzle. A text as on the command line, ``"x,y,x,y,x,y,x,y"``, is accepted, too."""

GivenRules = Rules | Literal["jigsaw", "killer"] | None
"""The rules that a person gave. "jigsaw" or "killer": the regions or cages are read from the picture. None:
all rules are read from the picture."""

MIN_LINES_SEEN = 0.95
"""A grid that makes no proper puzzle is reported if at least this share of its lines is seen."""
MIN_REPORTED = 0.5
"""A grid that makes no proper puzzle is also reported if its confidence is at least this. A table of numbers
has a lower confidence, and the seen share of its lines is lower than :data:`MIN_LINES_SEEN`."""

MIN_CELL = 60.0
"""Minimum side of a cell, in pixels, in the reduced copy of a photo. If cells are smaller, or any digit is in
doubt, the photo itself is read. The limit is 1.5 times the side of the cells that the classifier gets."""
MIN_CELL_BY_HAND = 80.0
"""Like :data:`MIN_CELL`, but for grids with handwriting. The limit is higher, because pencil marks are read
in larger pictures of cells, with 80 x 80 pixels."""


@one_blas_thread()
def read_page(
    source: Source,
    *,
    model: ModelLike = None,
    debug: DebugSink | None = None,
    overrides: Overrides | None = None,
    corners: Corners | None = None,
    rules: RulesLike = None,
) -> Page:
    """Find, read and solve every sudoku in one picture; return the page without its photo.

    The arguments and errors are those of :func:`sudoku_vision.solve_photo`.
    """
    said = read_overrides(overrides)
    places = parse_corners(corners) if isinstance(corners, str) else corners
    known: GivenRules
    match rules.strip().lower() if isinstance(rules, str) else rules:
        case None:
            known = None
        case "jigsaw" | "killer" as known:
            pass
        case other:
            known = rules_for(other)
    keep_freed_memory()
    photo = load_photo(source)
    with explained_memory(photo.source):
        return _read_page(photo, classifier_of(model), debug, said, places, known)


def _read_page(
    photo: Photo,
    model: CellClassifier,
    debug: DebugSink | None,
    overrides: OverridesByGrid,
    corners: Floats | Sequence[Sequence[float]] | None,
    rules: GivenRules,
) -> Page:
    """Find, read and solve every sudoku in a *photo*, through all stages of the pipeline."""
    started = time.perf_counter()
    copy = None
    if corners is None:
        read, copy = _read_best_view(photo, model, rules)
    else:
        read = _read_grids(photo, [locate_at(photo, corners)], model, rules, 0)
    if debug is not None:
        _draw_places(photo if copy is None else _photo_of(copy, photo), read, debug)
    is_killer = False
    if corners is None:
        read = [(grid, cells) for grid, cells in read if is_reported(grid.lattice, grid)]
        plain = [(grid, cells) for grid, cells in read if not _is_killer(grid, cells)]
        is_killer, read = bool(read) and not plain, plain
    grids = [grid for grid, _ in read]
    for place, said in by_grid(overrides, [grid.status for grid in grids]).items():
        grids[place] = grids[place].with_overrides(said)
        if debug is not None:
            _draw_grid(grids[place], read[place][1], debug)
    if copy is not None:
        grids = [replace(grid, lattice=copy.to_photo(grid.lattice)) for grid in grids]
    status = least_sure_status(grid.status for grid in grids)
    other = "killer" if is_killer else ""
    if not other and status not in ("solved", "uncertain"):
        other = _other_puzzle(photo, grids)
    seconds = time.perf_counter() - started
    if debug is not None:
        debug.add("overlay", overlay(photo, grids))
    too_dark = status in ("no_grid", "unreadable") and Light(photo).is_too_dark
    message = TOO_DARK if too_dark else message_of(status, grids, other)
    return Page(photo.source, photo.page, status, message, tuple(grids), seconds, other)


def _read_best_view(
    photo: Photo, model: CellClassifier, rules: GivenRules
) -> tuple[list[tuple[Grid, Floats]], ReducedCopy | None]:
    """Read the grids of a photo in the copy of the photo that shows the grids best.

    Returns each grid with the pictures of its 81 cells, and the copy of the photo in which the grids were
    read. The copy is None if the grids were read in the photo itself.

    The reduced copy is read first, then the photo itself. If nothing is solved, and the photo is too dark,
    badly lit, overexposed or full of bands (a photo of a screen may have bands), corrected copies are tried.
    A quick search looks for grids in these copies. Of 272 such pictures, 176 are solved. With a full search,
    180 would be solved, but some pages without a grid would take twice as long. In a corrected copy, noise
    and edges of shadows may look like lines and digits, so the copy is used only if a puzzle is solved in it.
    If entries were read, grey copies aren't tried, because perhaps only the colours distinguish entries from
    clues. Finally, if no clear grid was found, grids are looked for at the edges between colours.
    """
    copy = photo.reduced
    read = None if copy is None else _read_reduced(_photo_of(copy, photo), model, rules)
    if read is None:
        copy, read = None, _read_grids(photo, locate(photo), model, rules)
    if _is_solved(read):
        return read, copy
    for second in Light(photo).second_views(in_colour=any(grid.written.any() for grid, _ in read)):
        view = _photo_of(second, photo)
        again = _read_grids(view, quick_locate(view), model, rules)
        if _is_solved(again):
            return again, second
    if not any(is_reported(grid.lattice, grid) for grid, _ in read):
        again = _read_grids(photo, locate_by_colour(photo), model, rules)
        if _is_solved(again):
            return again, None
    return read, copy


def _photo_of(copy: ReducedCopy, photo: Photo) -> Photo:
    """Return a reduced or corrected *copy* of a *photo* as a :class:`Photo` with the same name and page."""
    return Photo(copy.pixels, photo.source, photo.page)


def _is_solved(read: Sequence[tuple[Grid, Floats]]) -> bool:
    """Return whether at least one of the grids that were read is solved."""
    return any(grid.status == "solved" for grid, _ in read)


def _is_killer(grid: Grid, cells: Floats) -> bool:
    """Return whether *cells* show small sums, and *grid* has too few clues for a puzzle without cages."""
    too_few = np.count_nonzero(grid.puzzle) < grid.rules.min_clues
    return bool(too_few) and has_small_sums(sums_by_turn(cells))


def _other_puzzle(photo: Photo, grids: Sequence[Grid]) -> str:
    """Return the kind of puzzle for ``Page.other``.

    The result is empty if the photo shows a sudoku of 9 x 9 cells, or if the kind is unknown.
    """
    unread = all(grid.status == "unreadable" for grid in grids)
    if not unread and len(grids) == 1:  # this grid has 9 x 9 cells, even if some digits are unclear
        return ""
    counted = count_cells(photo)
    return counted if unread or counted == "samurai" else ""


def _read_reduced(small: Photo, model: CellClassifier, rules: GivenRules) -> list[tuple[Grid, Floats]] | None:
    """Return the grids in *small*, a photo's reduced copy; None if the photo itself must be read."""
    lattices = locate(small)
    if any(lattice.cell_size < MIN_CELL for lattice in lattices):
        return None
    read = _read_grids(small, lattices, model, rules)
    return read if all(_is_settled(grid) for grid, _ in read) else None


def _is_settled(grid: Grid) -> bool:
    """Return whether a grid was read without doubt, so that it need not be read again in a larger picture."""
    if not is_reported(grid.lattice, grid):
        return True
    by_hand = grid.written.any() or any(grid.marks)
    fine_enough = grid.lattice.cell_size >= (MIN_CELL_BY_HAND if by_hand else MIN_CELL)
    return fine_enough and grid.status == "solved" and not grid.reading.unclear


def _read_grids(
    photo: Photo,
    lattices: Sequence[Lattice],
    model: CellClassifier,
    rules: GivenRules,
    turn: int | None = None,
) -> list[tuple[Grid, Floats]]:
    """Return each grid, turned upright, and the pictures of its 81 cells.

    *turn*: the number of counter-clockwise quarter turns that set the grids upright; None: use the likeliest
    number. The answer is unsure if *rules* is "jigsaw" and no regions are read, or if *rules* is "killer" and
    no cages are read.

    If the frame of a grid isn't drawn, a line of text may be taken for one of its outer lines. So if a grid
    isn't solved, and outer cells are too narrow or too wide, the outer line beside them is moved, and the
    grid is read once more. The second reading is returned if it is solved.
    """
    read = []
    for lattice in lattices:
        grid, cells = _read_grid(photo, lattice, model, rules, turn)
        even = lattice if grid.status == "solved" else with_even_edges(lattice)
        if even is not lattice:
            again = _read_grid(photo, even, model, rules, turn)
            grid, cells = again if again[0].status == "solved" else (grid, cells)
        read.append(_with_cages(photo, lattice, grid, cells, model, rules, turn))
    return read


def _read_grid(
    photo: Photo, lattice: Lattice, model: CellClassifier, rules: GivenRules, turn: int | None
) -> tuple[Grid, Floats]:
    """Read a grid as a puzzle without cages. Return it upright, with the pictures of its 81 cells."""
    cells = read_cells(photo, lattice, model, turn)
    likely = cells.turns.likely_scores
    if isinstance(rules, Rules):
        likely = {turn: replace(scores, rules=rules) for turn, scores in likely.items()}
    upright, reading = decode_turns(likely)
    scores = likely[upright]
    if rules == "jigsaw":
        seen = {one.turned(upright): sure for one, sure in cells.rules.items() if one.is_jigsaw}
        scores = with_rules(scores, seen) if seen else replace(scores, rules_probability=0.0)
        reading = decode(scores)
    elif rules is None and (grid_status(reading) != "solved" or reading.repaired):
        # Clues hardly ever make a proper classic puzzle by chance, so a solved grid keeps the classic
        # rules. For any other grid, its lines and colours show which rules are likely.
        scores = with_rules(scores, {one.turned(upright): sure for one, sure in cells.rules.items()})
        reading = reading if scores.rules == CLASSIC else decode(scores)
    return _grid_of(lattice.turned(upright), scores, reading), turned_cells(cells.cells, upright)


def _with_cages(
    photo: Photo,
    lattice: Lattice,
    grid: Grid,
    cells: Floats,
    model: CellClassifier,
    rules: GivenRules,
    turn: int | None,
) -> tuple[Grid, Floats]:
    """Read a grid as a killer if *rules* is "killer", or if *rules* is None and *cells* show sums.

    *grid* was read without cages. *cells* are the pictures of its 81 cells. If no killer is read, *grid* and
    *cells* are returned. But if the grid seems to be a killer, the answer of *grid* is made unsure first.
    """
    killer, solved = None, grid.status == "solved"
    sums = sums_by_turn(cells)
    has_sums = rules == "killer" or (rules is None and has_small_sums(sums, grid.board.ravel()))
    if has_sums or (rules is None and not solved and max(map(np.count_nonzero, sums)) >= FEW_SUMS):
        killer = _read_killer(photo, lattice, model, turn)
    if killer is None and has_sums and grid.scores and (solved or rules == "killer"):
        # The grid seems to be a killer, but no killer was read. The answer must be unsure, because the
        # digits that a person wrote into a killer may make a proper classic puzzle.
        scores = replace(grid.scores, rules_probability=0.0)
        grid = _grid_of(grid.lattice, scores, decode(scores))
    return killer or (grid, cells)


def _grid_of(lattice: Lattice, scores: DigitScores, reading: Reading) -> Grid:
    """Return a :class:`Grid` at the upright *lattice*. *reading*: what was decoded from its *scores*."""
    return Grid(grid_status(reading), lattice, reading, scores, reading.puzzle)


def _read_killer(
    photo: Photo, lattice: Lattice, model: CellClassifier, turn: int | None
) -> tuple[Grid, Floats] | None:
    """Read a grid as a killer, and return it upright, with the pictures of its 81 cells.

    Returns None if the grid does not make a killer with one solution. If cages are seen but the puzzle is not
    solved, the lattice may follow the lines of cages instead of the grid lines. So :func:`centred` moves the
    lattice back onto the grid lines, and the grid is read again. If the puzzle is still not solved, the page
    is assumed to be flat. Then the lattice gets straight lines, :func:`centred` moves it, and the grid is
    read once more.
    """
    lattice = with_even_edges(lattice)
    cages = read_cages(straighten(photo, lattice, MARK_CELL), SUM_READERS.load(), turn)
    if cages is None:
        return None
    killer = _killer_of(photo, lattice, cages, model)
    for start in (lattice, flat(lattice)):
        if killer is not None and killer[0].status == "solved":
            break
        moved = centred(start, straighten(photo, start, MARK_CELL))
        cages = read_cages(straighten(photo, moved, MARK_CELL), SUM_READERS.load(), turn)
        again = None if cages is None else _killer_of(photo, moved, cages, model)
        killer = max(killer, again, key=_confidence)
    return killer


def _confidence(read: tuple[Grid, Floats] | None) -> float:
    """Return the confidence of a grid that was read, and -1 for None."""
    return -1.0 if read is None else read[0].confidence


def _killer_of(
    photo: Photo, lattice: Lattice, cages: CageEvidence, model: CellClassifier
) -> tuple[Grid, Floats] | None:
    """Return the result of :func:`_read_killer` for a grid that shows these *cages*.

    The sums and the lines of cages are removed from the cells before digits are read there.
    """
    cells = read_cells(photo, lattice, model, cages.turn, cages.covers, MIN_ON_FULL)
    scores = replace(cells.turns.by_turn[cages.turn], sums=cages.sums, divisions=cages.divisions)
    if cages.coloured:
        scores = replace(scores, hidden=np.zeros_like(scores.hidden))
    scores, reading = decode_killer(scores)
    if not (reading.rules.cages and reading.solutions == 1):
        return None
    return _grid_of(lattice.turned(cages.turn), scores, reading), turned_cells(cells.cells, cages.turn)


def is_reported(lattice: Lattice, grid: Grid) -> bool:
    """Return whether a grid is clear enough to be reported. A solved grid is always reported.

    * Any grid is reported if nearly all of its lines are seen.
    * An uncertain grid is reported if the seen share of its lines is at least :data:`LOWEST_SCORE`.
    * Any other readable grid with at least :data:`MIN_DIGITS` clues is reported if its digits are clear, or
      if it has regions other than boxes. Such regions don't arise by chance, so the grid is no table of
      numbers. Fewer clues prove nothing: a blot between lines of text is easily read as a digit.
    """
    if lattice.score >= MIN_LINES_SEEN or grid.status == "solved":
        return True
    if grid.status == "uncertain" and lattice.score >= LOWEST_SCORE:
        return True
    if grid.status == "unreadable" or np.count_nonzero(grid.puzzle) < MIN_DIGITS:
        return False
    return grid.confidence >= MIN_REPORTED or grid.rules.regions != CLASSIC.regions


def _draw_places(photo: Photo, read: Sequence[tuple[Grid, Floats]], debug: DebugSink) -> None:
    from sudoku_vision.output import debug as drawing

    debug.add("proposals", drawing.draw_proposals(photo, proposed(photo)))
    debug.add("lattice", drawing.draw_lattice(photo, [grid.lattice for grid, _ in read]))
    for grid, cells in read:
        _draw_grid(grid, cells, debug)


def _draw_grid(grid: Grid, cells: Floats, debug: DebugSink) -> None:
    from sudoku_vision.output import debug as drawing

    assert grid.scores is not None, "it was read from a picture"
    debug.add("cells", drawing.draw_cells(cells, grid.scores))
    debug.add("reading", drawing.draw_reading(cells, grid.reading))
