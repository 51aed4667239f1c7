"""Cut the ink of a cell of pencil marks into pieces that may be one mark each.

The connected components of the ink stand in rows. A row is cut where its columns hold least ink; every run of
neighbouring parts between two cuts is a *piece*, which may be one mark, or several, or part of one: that is
for a classifier to tell (:mod:`~sudoku_vision.vision.digits.mark_reader`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import Floats, Lattice, Photo
from sudoku_vision.vision.digits.components import Components, all_components
from sudoku_vision.vision.digits.glyphs import GLYPH
from sudoku_vision.vision.ranks import quantile
from sudoku_vision.vision.rectify import rectify

MARK_CELL = 80
"""Side, in pixels, of the cells from which marks are cut: small ink needs finer cells than digits do."""

NUMBERS = 5  # numbers that say of a piece what its normalised picture doesn't

_LINE_PIECES = 2  # of a side, along each of which a line is taken away: a mark fills most of a third

# Ink against paper.
_PEAK = 0.99  # quantile of the ink of a cell that counts as its full ink
_THRESHOLD, _LEAST_THRESHOLD = 0.38, 0.05  # share of the full ink from which a pixel is ink, and the least
_LEAST_PEAK = 0.08  # full ink below which a cell holds no marks
_SMOOTH = 0.0125  # blur, in cells, before ink is told from paper
_EDGE = 0.0125  # cells at each side that are left out: there the grid lines were

# Components, lengths in cells.
_LEAST_AREA = 0.003  # square cells
_LEAST_SIDE = 0.1  # of the longer side of a component that is more than a speck
_SAME_ROW = 0.5  # share of the lower of two heights by which components of a row overlap

# Cuts.
_PROFILE_BLUR = 1.2  # pixels by which the ink of columns is smoothed
_LEAST_PART = 3  # pixels from one cut to the next
_HIGHEST_CUT = 0.6  # share of the row's height that a column may hold where it is cut
_MOST_PARTS = 5  # parts of a piece: a mark falls into hardly more
_WIDEST = 1.3  # heights of a row: wider pieces are no mark
_MOST_CUTS = 28  # cuts of a row, those with the least ink: time stays bounded on cells full of scribbles

_BODY = 22  # pixels of the normalised picture that the longer side of a piece fills


class Row(NamedTuple):
    """A row of ink: its pixels ``mask`` (S, S) bool, and the columns where it may be cut, ends included."""

    mask: NDArray[np.bool_]
    cuts: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Pieces:
    """Pieces of ink that may be one mark each, of one page.

    ``images`` (N, 28, 28) float32 in 0..1, centred and size-normalised; ``boxes`` (N, 4) float32, left, top,
    right and bottom in cells; ``cells`` (N,) 0..80; ``rows`` (N,), numbered through the page; ``starts`` and
    ``ends`` (N,), the cuts of its row between which a piece lies; ``gaps`` (N,), the share of its columns
    that are empty; ``last_cuts``: of each row, the number of its last cut.
    """

    images: Floats
    boxes: Floats
    cells: NDArray[np.intp]
    rows: NDArray[np.intp]
    starts: NDArray[np.intp]
    ends: NDArray[np.intp]
    gaps: Floats
    last_cuts: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.images)

    def numbers(self) -> Floats:
        """Return what the pictures don't show, (N, 5): size against the page's marks and row, and gaps."""
        width, height = self.boxes[:, 2] - self.boxes[:, 0], self.boxes[:, 3] - self.boxes[:, 1]
        if not len(self):
            return np.zeros((0, NUMBERS), np.float32)
        tallest = np.zeros(len(self.last_cuts), np.float32)
        np.maximum.at(tallest, self.rows, height)
        page = float(np.median(tallest[np.unique(self.rows)]))
        row = tallest[self.rows]
        return np.stack(
            [width / page, height / page, width / row, height / row, np.asarray(5 * self.gaps)], axis=1
        ).astype(np.float32)


def fine_cells(photo: Photo, lattice: Lattice) -> Floats:
    """Return the cells of a grid as marks are cut from them, (81, MARK_CELL, MARK_CELL) float32 of clean ink.

    What looks like a short piece of line at the edge is left: it may be a mark.
    """
    return rectify(photo, lattice, MARK_CELL, _LINE_PIECES)


def cut_pieces(ink: Floats, cells: Sequence[int]) -> Pieces:
    """Cut the ink of some *cells* of a page into pieces; *ink* (81, S, S) float32 is that of all."""
    found: list[tuple[int, int, int, int, Floats, tuple[float, ...], float]] = []
    last_cuts: list[int] = []
    for cell in cells:
        peak = max(quantile(ink[cell], _PEAK), _LEAST_PEAK)
        for row in rows_of(ink[cell], peak):
            clean = np.where(_grown(row.mask), np.clip(ink[cell] / peak, 0, 1), 0).astype(np.float32)
            for start, end in _runs(row):
                box, gap = _tight(row, start, end)
                if box is not None:
                    picture = _normalised(clean, box)
                    size = len(row.mask)
                    found.append(
                        (cell, len(last_cuts), start, end, picture, tuple(side / size for side in box), gap)
                    )
            last_cuts.append(len(row.cuts) - 1)
    if not found:
        nothing = np.zeros(0, np.intp)
        images, boxes = np.zeros((0, GLYPH, GLYPH), np.float32), np.zeros((0, 4), np.float32)
        return Pieces(images, boxes, nothing, nothing, nothing, nothing, np.zeros(0, np.float32), ())
    cell_of, row_of, starts, ends, images_of, boxes_of, gaps = zip(*found, strict=True)
    return Pieces(
        np.stack(images_of).astype(np.float32),
        np.array(boxes_of, np.float32),
        np.array(cell_of),
        np.array(row_of),
        np.array(starts),
        np.array(ends),
        np.array(gaps, np.float32),
        tuple(last_cuts),
    )


def rows_of(ink: Floats, peak: float) -> list[Row]:
    """Return the rows of ink of one cell (S, S), whose full ink is *peak*, from top to bottom."""
    size = len(ink)
    threshold = max(_THRESHOLD * peak, _LEAST_THRESHOLD)
    smooth = cv2.GaussianBlur(np.ascontiguousarray(ink, np.float32), (0, 0), _SMOOTH * size)
    mask = (smooth > threshold).astype(np.uint8)
    edge = round(_EDGE * size)
    mask[:edge] = mask[size - edge :] = 0
    mask[:, :edge] = mask[:, size - edge :] = 0
    _, labels, components = all_components(np.pad(mask, ((0, 0), (0, 1))), 1, size)
    tops, bottoms = components.top.tolist(), components.bottom.tolist()
    rows: list[tuple[int, int, list[int]]] = []
    for number in sorted(np.flatnonzero(_may_be_marks(components)).tolist(), key=lambda one: tops[one]):
        top, bottom = tops[number], bottoms[number]
        for place, (upper, lower, members) in enumerate(rows):
            shared = min(lower, bottom) - max(upper, top)
            if shared > _SAME_ROW * min(bottom - top, lower - upper):
                rows[place] = (min(upper, top), max(lower, bottom), [*members, number])
                break
        else:
            rows.append((top, bottom, [number]))
    row_of = np.full(int(labels.max()) + 1, -1)
    for place, (_, _, members) in enumerate(rows):
        row_of[members] = place
    places = row_of[labels[:, :size]]
    return [_row(places == place) for place in range(len(rows))]


def _may_be_marks(components: Components) -> NDArray[np.bool_]:
    """Tell which components are more than a speck or a piece of a line."""
    longer = np.maximum(components.width, components.height) / components.size
    possible = (components.area / components.size**2 >= _LEAST_AREA) & (longer >= _LEAST_SIDE)
    possible &= ~components.line_remains()
    possible[0] = False  # the background
    return np.asarray(possible)


def _row(mask: NDArray[np.bool_]) -> Row:
    columns = np.flatnonzero(mask.any(axis=0))
    lines = np.flatnonzero(mask.any(axis=1))
    first, last, height = int(columns[0]), int(columns[-1]) + 1, int(np.ptp(lines)) + 1
    profile = mask.sum(axis=0).astype(np.float32)
    smooth = cv2.GaussianBlur(profile[None], (0, 0), _PROFILE_BLUR)[0]
    inside = np.arange(first + _LEAST_PART, last - _LEAST_PART + 1)
    low = (smooth[inside - 1] >= smooth[inside]) & (smooth[inside] < smooth[inside + 1])
    low &= smooth[inside] < _HIGHEST_CUT * height
    lowest = inside[low][np.argsort(smooth[inside[low]], kind="stable")][:_MOST_CUTS]
    cuts = [first]
    for x in np.sort(lowest).tolist():
        if x - cuts[-1] >= _LEAST_PART:
            cuts.append(x)
    return Row(mask, (*cuts, last))


def _runs(row: Row) -> list[tuple[int, int]]:
    """Return the runs of parts, as (first cut, last cut), that are not too wide for a mark."""
    lines = np.flatnonzero(row.mask.any(axis=1))
    widest = _WIDEST * (int(np.ptp(lines)) + 1) + _LEAST_PART
    count = len(row.cuts)
    return [
        (start, end)
        for start in range(count - 1)
        for end in range(start + 1, min(count, start + _MOST_PARTS + 1))
        if end == start + 1 or row.cuts[end] - row.cuts[start] <= widest
    ]


def _tight(row: Row, start: int, end: int) -> tuple[tuple[int, int, int, int] | None, float]:
    """Return the box of the ink between two cuts, in pixels, and the share of its columns that are empty."""
    left, right = row.cuts[start], row.cuts[end]
    part = row.mask[:, left:right]
    lines, columns = np.flatnonzero(part.any(axis=1)), np.flatnonzero(part.any(axis=0))
    if not len(lines):
        return None, 0.0
    width = int(np.ptp(columns)) + 1
    box = (left + int(columns[0]), int(lines[0]), left + int(columns[0]) + width, int(lines[-1]) + 1)
    return box, 1 - len(columns) / width


def _grown(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return np.asarray(cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0)


def _normalised(clean: Floats, box: tuple[int, int, int, int]) -> Floats:
    """Bring the ink in a box to the middle of a 28x28 picture, its longer side to 22 pixels."""
    left, top, right, bottom = box
    scale = _BODY / max(right - left, bottom - top, 3)
    width, height = max(1, round((right - left) * scale)), max(1, round((bottom - top) * scale))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    picture = np.zeros((GLYPH, GLYPH), np.float32)
    x, y = (GLYPH - width) // 2, (GLYPH - height) // 2
    picture[y : y + height, x : x + width] = cv2.resize(
        clean[top:bottom, left:right], (width, height), interpolation=how
    )
    return picture
