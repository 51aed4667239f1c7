"""Find every grid of a picture, and return the 10x10 line crossings of each grid.

* A *proposal* is a guess where a grid may lie. One source of proposals is the outline of connected ink
  (:mod:`.outline`). The other source is the paper between the lines: it consists of four-sided pieces, mostly
  cells, and neighbouring pieces are linked (:mod:`.cells`). Both sources are used at several thresholds
  between ink and paper. :func:`search` tries the proposals one by one.
* Each proposal is fitted to the lines nearby (:mod:`.fit`). A smooth map from the grid to the picture, called
  its *surface* (:mod:`.surface`), gives a small straightened picture of the grid, called its *flat view*. The
  lines are measured on this view (:mod:`.lines`). A rough proposal is moved as a whole. Then the surface is
  bent until it follows the lines. The result is a *candidate*.
* A grid has 20 lines, and its crossings divide each line into nine parts. Each of these 180 parts is called a
  *piece of line*. A candidate is kept if nearly all of its pieces of line are seen (:mod:`.score`), and if
  the lines don't go on outside the grid. If candidates overlap, only the best candidate is kept.
* If the user gives the corners of a grid, :func:`locate_at` starts from them, and only bends the surface.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.blas import one_blas_thread
from sudoku_vision.errors import CornersError
from sudoku_vision.geometry import Points, cell_size, corner_turns, homography_of_grid
from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.load.moire import WORKING_SIDE
from sudoku_vision.vision.locate import fit
from sudoku_vision.vision.locate.candidate import GridCandidate, GridView, overlap
from sudoku_vision.vision.locate.cells import cell_proposals
from sudoku_vision.vision.locate.outline import outline_proposals
from sudoku_vision.vision.locate.score import has_even_cells, is_misplaced
from sudoku_vision.vision.locate.surface import CENTRE, CROSSINGS, NEAR_REACH, GridSurface, Pyramid
from sudoku_vision.vision.locate.threshold import THRESHOLDS, Threshold, colour_edges, ink_mask, lines_alone
from sudoku_vision.vision.results import Lattice, Photo

__all__ = ["locate", "locate_at", "locate_by_colour", "proposed", "quick_locate"]

CLOSER = 2
"""If nothing is found in the usual copy of a photo, a copy that is larger by this factor is searched, too.

The larger copy is for small or faint grids. In it, grids are proposed only from outlines, not from cells.
"""
CLOSER_THRESHOLDS = (THRESHOLDS[0], THRESHOLDS[1], THRESHOLDS[3])
"""The thresholds of ink for the larger copy (``CLOSER``): for usual print, faint print, and dark screens."""
QUICK_SIDE = 800  # a quick search uses a copy of the picture whose longest side has at most this many pixels
QUICK_PROPOSALS = 5
"""A quick search ends after this many proposals without a grid. A proposal takes hundredths of a second."""

# The next constants are for grids whose corners a person gives.
MAX_MOVED = 0.25
"""If the fit moves a corner by more than this many cells, the result of the fit is not used.

People who click carefully are off by a tenth of a cell.
"""
MAX_MOVED_GOOD = 0.7
"""This limit, in cells, replaces ``MAX_MOVED`` if the score of the fitted grid is at least ``SURE_SCORE``.

It is less than one cell, because a grid that is moved by a whole cell is wrong by one row or column.
"""
MIN_BENDING = 0.25  # the fitted surface is used only if its score, the share of lines seen, is at least this
MIN_CELL = 2.0  # smallest side of a cell, in pixels, that can hold a digit
REMEDY = "Give the four outer corners clockwise from the puzzle's top left, in pixels of the upright picture."

MAX_MISSES = 50
"""A search ends after this number of misses (see :func:`search`). Each of 620 grids was found before miss 33.

A picture without noise, for example a screenshot, is searched twice: first a picture of its narrow lines
alone, then the picture itself. Each search has this limit.
"""
MIN_GRID_SIDE = 0.06
"""An outline is used only if its width and height are at least this share of the picture's longer side.

If this side has 900 pixels, the cells of the smallest grid are 6 pixels wide.
"""
MIN_EDGE, MAX_EDGE = 0.96, 1.15
"""The width of cells beside an outer line is divided by the width of other cells. The line is moved if this
ratio is below the first limit or above the second."""
APART = 0.2
"""If two candidates overlap by less than this share of the smaller candidate's area, both are kept."""


def locate(photo: Photo) -> list[Lattice]:
    """Return a lattice for each grid of *photo*, in reading order; the list is empty if there is no grid."""
    scale = scale_to(WORKING_SIDE, photo)
    grey = working_copy(photo.pixels, scale)
    pyramid = Pyramid(grey)
    clean: list[GridCandidate] = []
    misses, given_up = MAX_MISSES, 0  # given_up counts candidates that are crosswords or misplaced
    for sign, lines in zip((1, -1), lines_alone(grey) if pyramid.is_clean else (), strict=False):
        candidates, misses = search(Pyramid(lines), THRESHOLDS[1:2], misses)  # the threshold for faint print
        likely = (one for one in candidates if one.score >= fit.LOWEST_SCORE)
        for found in (fit.settle_half_cells(pyramid, one, sign) for one in likely):
            view = GridView(pyramid, found.view.surface, sign)  # the flat view of the picture itself
            if has_even_cells(view.grey) and not is_misplaced(view.lines(NEAR_REACH)):
                clean.append(found)
            else:
                given_up += 1
        if misses == 0 or (clean and min(candidate.score for candidate in clean) >= fit.PERFECT_SCORE):
            break
    clean = best_of_each_place(clean)
    if clean and not given_up:
        return _lattices(reading_order(clean), grey, photo)
    # If a grid was found already, grids are proposed only from outlines, not from cells. If there is also a
    # crossword, proposals from its many cells would take seconds.
    candidates, misses = search(pyramid, THRESHOLDS, known=clean, outlines_only=bool(clean))
    if misses > 0 and max((one.score for one in candidates), default=0.0) < fit.LOWEST_SCORE:
        closer = working_copy(photo.pixels, CLOSER * scale)
        better, _ = search(Pyramid(closer), CLOSER_THRESHOLDS, misses, outlines_only=True)
        grey, candidates = (closer, better) if better else (grey, candidates)
    return _lattices(candidates, grey, photo)


@one_blas_thread()
def locate_by_colour(photo: Photo) -> list[Lattice]:
    """Return the lattices of the grids that are found by the edges between the colours of a *photo*.

    Call this function if :func:`locate` finds no grid. This search finds grids whose lines are broken, or
    less clear than the borders between cells of different colours. It also finds tables, so use a grid only
    if its digits make a proper puzzle.
    """
    copy = working_copy(photo.pixels, scale_to(WORKING_SIDE, photo), in_colour=True)
    pyramid, edges = Pyramid(np.asarray(cv2.cvtColor(copy, cv2.COLOR_BGR2GRAY), np.uint8)), colour_edges(copy)
    found, _ = search(Pyramid(edges), THRESHOLDS[:1], QUICK_PROPOSALS, outlines_only=True)
    even = [one for one in found if has_even_cells(GridView(pyramid, one.view.surface).grey)]
    return _lattices(even, edges, photo)


@one_blas_thread()
def quick_locate(photo: Photo, number: int = 0) -> list[Lattice]:
    """Return the lattices of the grids that a quick search finds, with few proposals at one threshold.

    This search is for frames of a film. *number* counts the searches in one film: 0, 1, 2, and so on. If it
    is even, the threshold for dark lines is used, because most grids have dark lines. If it is odd, one of
    the other thresholds is used, in turn.
    """
    grey = working_copy(photo.pixels, scale_to(QUICK_SIDE, photo))
    chosen = 0 if number % 2 == 0 else 1 + number // 2 % (len(THRESHOLDS) - 1)
    candidates, _ = search(Pyramid(grey), [THRESHOLDS[chosen]], QUICK_PROPOSALS)
    return _lattices(candidates, grey, photo)


def proposed(photo: Photo) -> list[Floats]:
    """Return, for debugging, the corners (4, 2) in photo pixels of the first proposals of grids.

    At most ``MAX_MISSES`` proposals are returned. The first threshold between ink and paper is used.
    """
    scale = scale_to(WORKING_SIDE, photo)
    proposals = proposals_at(Pyramid(working_copy(photo.pixels, scale)), THRESHOLDS[0])
    places = (proposal.corners for proposal in proposals)
    return [((points + 0.5) / scale - 0.5).astype(np.float32) for points in islice(places, MAX_MISSES)]


def locate_at(photo: Photo, corners: NDArray[Any] | Sequence[Sequence[float]]) -> Lattice:
    """Return the lattice of the grid whose outer *corners* (4, 2) a person gives.

    The corners are (x, y) in photo pixels, clockwise. The first is the top left corner of the upright puzzle.
    So the corners also say how the puzzle is turned in the photo, and the first row of the lattice is the top
    of the puzzle. The lattice is bent along the lines nearby. If too few lines are seen, the lattice is flat,
    with exactly these corners.

    Raises :class:`~sudoku_vision.errors.CornersError` if no grid of this photo can have such corners.
    """
    try:
        quad = _checked(np.asarray(corners, np.float64), photo)
    except (TypeError, ValueError):
        raise CornersError("Corners are 4 points of (x, y), these are no numbers.", REMEDY) from None
    grey = np.asarray(cv2.cvtColor(photo.pixels, cv2.COLOR_BGR2GRAY), np.uint8)
    pyramid, surface = Pyramid(grey), GridSurface(homography_of_grid(quad))
    dark, light = (fit.score_proposal(GridView(pyramid, surface, sign)) for sign in (1, -1))
    best = fit.polish(fit.best_of(dark, light))
    moved = np.linalg.norm(best.view.corners - quad, axis=1).max()
    max_moved = MAX_MOVED_GOOD if best.score >= fit.SURE_SCORE else MAX_MOVED
    if best.score >= MIN_BENDING and moved <= max_moved * cell_size(quad):
        surface = best.view.surface
    crossings = surface(CROSSINGS).reshape(10, 10, 2)
    return Lattice(crossings.astype(np.float32), score=best.score)


def with_even_edges(lattice: Lattice) -> Lattice:
    """Return a copy of *lattice*. An outer line is moved if the cells beside it are too narrow or too wide.

    Such a line may have been found at a line of cages, or at print beside the grid. Its new place is
    extrapolated from the inner lines. If no line is moved, *lattice* itself is returned.
    """
    lines = lattice.crossings.copy()
    for turn in range(4):
        turned = np.rot90(lines, turn)
        step = (turned[4] - turned[1]) / 3
        gap = np.linalg.norm(turned[1] - turned[0], axis=-1).mean() / np.linalg.norm(step, axis=-1).mean()
        if not MIN_EDGE <= gap <= MAX_EDGE:
            turned[0] = turned[1] - step
    return lattice if np.array_equal(lines, lattice.crossings) else replace(lattice, crossings=lines)


def _checked(quad: Points, photo: Photo) -> Points:
    """Return *quad* unchanged. Raises :class:`CornersError` if no grid of *photo* can have such corners."""
    if quad.shape != (4, 2) or not np.isfinite(quad).all():
        raise CornersError(f"Corners are 4 points of (x, y), these are {quad.shape}.", REMEDY)
    turns = corner_turns(quad)
    if (turns <= 0).any():
        order = (
            "run anti-clockwise" if (turns < 0).all() else "don't make a four-sided outline in their order"
        )
        raise CornersError(f"The corners {order}.", REMEDY)
    cell = cell_size(quad)
    if cell < MIN_CELL:
        raise CornersError(f"The corners lie so close that a cell has {cell:.1f} pixels.", REMEDY)
    height, width = photo.pixels.shape[:2]
    if np.maximum(-quad, quad - (width - 1, height - 1)).max() > fit.MAX_CUT_OFF * cell:
        raise CornersError(f"The corners lie outside the picture of {width} x {height} pixels.", REMEDY)
    return quad


def working_copy(pixels: Image, scale: float, *, in_colour: bool = False) -> Image:
    """Return a copy of a picture (H, W, 3) BGR, resized by *scale*; it is grey if *in_colour* is false.

    A large picture is first halved as often as possible, and then made grey. This order is several times as
    fast as the opposite order, and the copy is as good for finding grids.
    """
    size = (max(1, round(scale * pixels.shape[1])), max(1, round(scale * pixels.shape[0])))
    while pixels.shape[1] >= 2 * size[0] and pixels.shape[0] >= 2 * size[1] and pixels.shape[0] > 1:
        half = (pixels.shape[1] // 2, pixels.shape[0] // 2)
        pixels = np.asarray(cv2.resize(pixels, half, interpolation=cv2.INTER_AREA), np.uint8)
    copy = pixels if in_colour else np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)
    if copy.shape[:2] == size[::-1]:
        return copy
    way = cv2.INTER_AREA if copy.shape[1] > size[0] else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(copy, size, interpolation=way), np.uint8)


def scale_to(side: int, photo: Photo) -> float:
    """Return the factor, at most 1, that makes the longer side of a photo at most *side* pixels long."""
    height, width = photo.pixels.shape[:2]
    return float(min(1.0, side / max(height, width)))


def _lattices(candidates: list[GridCandidate], grey: Image, photo: Photo) -> list[Lattice]:
    """Return the lattices of *candidates*, in pixels of *photo*.

    The candidates were found in *grey* (H, W), a copy of the photo in another size.
    """
    height, width = photo.pixels.shape[:2]
    ratio = np.array([grey.shape[1] / width, grey.shape[0] / height])
    lattices = []
    for candidate in candidates:
        points = (candidate.view.surface(CROSSINGS) + 0.5) / ratio - 0.5
        crossings = points.reshape(10, 10, 2).astype(np.float32)
        lattices.append(Lattice(crossings, score=candidate.score))
    return lattices


def search(
    pyramid: Pyramid,
    thresholds: Sequence[Threshold],
    misses: int = MAX_MISSES,
    *,
    outlines_only: bool = False,
    known: Sequence[GridCandidate] = (),
) -> tuple[list[GridCandidate], int]:
    """Return the grids of a picture in reading order, and how many misses are left.

    *pyramid* holds the picture. *known* are grids that were already found in it; the result holds them, too.

    A miss is a proposal that leads to no grid. *misses* is the number of misses that end the search. If a
    proposal leads to a grid, places one cell beside this grid are tried, too, and each place counts as a
    miss. If a candidate with at least ``SURE_SCORE`` is only a part of a larger table, the second result is
    0. The search is limited by misses and not by seconds, so that a slow machine finds the same grids as a
    fast one.
    """
    kept = list(known)
    judged: list[GridView] = []
    beside: fit.Judged = []
    for threshold in thresholds:
        proposals = proposals_at(pyramid, threshold, kept, outlines_only=outlines_only)
        fresh = (
            one
            for one in proposals
            if not (is_beaten(one, fit.SURE_SCORE, kept) or any(one.is_like(other) for other in judged))
        )
        for proposal in islice(fresh, misses):
            judged.append(proposal)
            candidate, moved = fit.score_proposal(proposal), len(beside)
            if candidate.score >= fit.DOUBTFUL_SCORE and not is_beaten(*candidate, kept):
                kept[:] = best_of_each_place([*kept, fit.shift_to_best(candidate, beside)])
                misses = max(0, misses - (len(beside) - moved))
            else:
                misses -= 1
            if misses == 0:
                break
        if kept and min(candidate.score for candidate in kept) >= fit.SURE_SCORE:
            break
    final = [fit.finalise(candidate, beside) for candidate in kept]
    tables = [one for one, grid in zip(kept, final, strict=True) if grid is None]
    misses = 0 if any(one.score >= fit.SURE_SCORE for one in tables) else misses
    return reading_order([grid for grid in final if grid is not None]), misses


def proposals_at(
    pyramid: Pyramid, threshold: Threshold, kept: Sequence[GridCandidate] = (), *, outlines_only: bool = False
) -> Iterator[GridView]:
    """Yield the proposals of one threshold: first the proposals from outlines, then those from cells.

    If *outlines_only* is true, cells aren't searched. Outlines are enough on a larger copy (see ``CLOSER``):
    among 710 small and faint drawn grids, 20 were found only on the larger copy, all of them by outlines.
    *kept* holds grids that were already found. If such a grid has at least ``SURE_SCORE``, no cells are
    searched inside it. The caller is allowed to add grids to *kept* between two proposals.
    """
    ink = ink_mask(pyramid.levels[0], threshold)
    for homography in outline_proposals(ink, min_side=MIN_GRID_SIDE * max(ink.shape)):
        yield GridView(pyramid, GridSurface(homography), threshold.sign)
    if outlines_only:
        return
    paper = np.asarray(cv2.bitwise_not(ink), np.uint8)
    for candidate in kept:
        if candidate.score >= fit.SURE_SCORE:
            cv2.fillConvexPoly(paper, np.rint(candidate.view.corners).astype(np.int32), 0)
    for surface in cell_proposals(paper):
        yield GridView(pyramid, surface, threshold.sign)


def is_beaten(view: GridView, score: float, kept: list[GridCandidate]) -> bool:
    """Return whether a grid in *kept* overlaps the grid on *view*, and has at least the same score.

    *score* is the score of the grid on *view*.
    """
    return any(other.score >= score and overlap(view, other.view) > APART for other in kept)


def best_of_each_place(candidates: list[GridCandidate]) -> list[GridCandidate]:
    """Return *candidates*, the highest score first. Of candidates that overlap, only the best is returned."""
    kept: list[GridCandidate] = []
    for candidate in sorted(candidates, key=lambda c: -c.score):
        if all(overlap(candidate.view, other.view) < APART for other in kept):
            kept.append(candidate)
    return kept


def reading_order(candidates: list[GridCandidate]) -> list[GridCandidate]:
    """Return *candidates* in reading order: in rows from top to bottom, and in each row from left to right.

    The grid with the uppermost centre begins the first row. Another grid belongs to this row if its centre is
    lower by less than half the height of the grid that began the row. The other rows are found in the same
    way among the remaining grids.
    """
    rest = sorted(candidates, key=lambda c: c.view.surface(CENTRE)[0, 1])
    ordered: list[GridCandidate] = []
    while rest:
        low = rest[0].view.surface(CENTRE)[0, 1] + np.ptp(rest[0].view.corners[:, 1]) / 2
        band = [c for c in rest if c.view.surface(CENTRE)[0, 1] < low]
        ordered += sorted(band, key=lambda c: c.view.surface(CENTRE)[0, 0])
        rest = [c for c in rest if c not in band]
    return ordered
