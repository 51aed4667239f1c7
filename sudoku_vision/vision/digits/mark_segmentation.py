"""Cut the ink of cells of pencil marks into pieces that may be one mark each.

The connected components of the ink make rows. A row is cut where its columns hold the least ink. Every run of
neighbouring parts between two cuts is a *piece*, which may be one mark, several, or a part of one: that is
decided by a classifier (:mod:`~sudoku_vision.vision.digits.mark_reader`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.ranks import quantile
from sudoku_vision.values import Floats
from sudoku_vision.vision.digits.glyphs import BODY, GLYPH
from sudoku_vision.vision.digits.segmentation import Components, find_components, ink_mask
from sudoku_vision.vision.rectify import rectify
from sudoku_vision.vision.results import Lattice, Photo

MARK_CELL = 80
"""Side, in pixels, of the cells from which marks are cut: small ink needs finer cells than digits do."""

NUMBERS = 5  # numbers that describe a piece besides its normalised picture

_LINE_PIECES = 2  # pieces of a side along which lines are removed; a mark fills most of a third

# Ink and paper.
_PEAK = 0.99  # quantile of the ink of a cell that counts as its full ink
_THRESHOLD, _MIN_THRESHOLD = 0.3, 0.05
"""Ink is stronger than this share of full ink, and than this. The thin stem of a small 7 in a book face has
0.35 of the ink of an 8 beside it. With 0.38 instead, 14 of 848 marks on photos and 1 in 100 on screens fewer
are read, and 13 more are read falsely."""
_MIN_PEAK = 0.08  # a cell with less full ink holds no marks
_SMOOTH = 0.0125  # blur, in cells, before ink is separated from paper
_EDGE = 0.0125  # cells at each side that are left out, because the grid lines were there

# Components, lengths in cells.
_MIN_AREA = 0.003  # square cells
_MIN_LENGTH = 0.1  # of the longer side of a component that is more than a speck
_SAME_ROW = 0.5  # components of a row overlap by this share of the lower of their heights

# Cuts.
_PROFILE_BLUR = 1.2  # pixels by which the ink of columns is smoothed
_MIN_PART = 3  # pixels from one cut to the next
_MAX_CUT_INK = 0.6  # share of the row's height that the ink of a column may fill at a cut
_MAX_PARTS = 5  # parts of a piece; a mark hardly has more
_MAX_WIDTH = 1.3  # width of a mark, in heights of its row

Box = tuple[int, int, int, int]  # left, top, right and bottom in pixels


class Row(NamedTuple):
    """A row of ink in a cell: ``mask`` (S, S) bool of its pixels; ``cuts``, columns where it may be cut."""

    mask: NDArray[np.bool_]
    cuts: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Pieces:
    """Pieces of ink that may be one mark each, of one page.

    ``images`` (N, 28, 28) float32 in 0..1, centred and size-normalised; ``boxes`` (N, 4) float32, left, top,
    right and bottom in cells; ``cells`` (N,) 0..80; ``rows`` (N,), numbered through the page; ``starts`` and
    ``ends`` (N,), the cuts of its row between which a piece lies; ``gaps`` (N,), the share of its columns
    that are empty; ``last_cuts``: the number of the last cut of each row.
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
        """Return numbers (N, 5) besides the pictures: size relative to the page's marks and row, and gaps."""
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
    """Return the cells of a grid from which marks are cut, (81, MARK_CELL, MARK_CELL) float32 of clean ink.

    Short pieces of line at the edge stay, because they may be marks.
    """
    return rectify(photo, lattice, MARK_CELL, _LINE_PIECES)


def cut_pieces(ink: Floats, cells: Sequence[int]) -> Pieces:
    """Cut the ink of some *cells* (M,) of a page into pieces; *ink* is (81, S, S) float32."""
    size = ink.shape[1]
    peaks = np.array([max(quantile(ink[cell], _PEAK), _MIN_PEAK) for cell in cells], np.float32)
    found: list[tuple[int, int, int, int, Floats, NDArray[np.float64], float]] = []
    last_cuts: list[int] = []
    for place, row in rows_of(ink[list(cells)], peaks) if cells else ():
        cell = cells[place]
        grown = cv2.dilate(row.mask.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        clean = np.where(grown, np.clip(ink[cell] / peaks[place], 0, 1), 0).astype(np.float32)
        for start, end in _runs(row):
            box, gap = _tight(row, start, end)
            if box is not None:
                picture, in_cells = _normalised(clean, box), np.array(box) / size
                found.append((cell, len(last_cuts), start, end, picture, in_cells, gap))
        last_cuts.append(len(row.cuts) - 1)
    if not found:
        nothing = np.zeros(0, np.intp)
        images, boxes = np.zeros((0, GLYPH, GLYPH), np.float32), np.zeros((0, 4), np.float32)
        return Pieces(images, boxes, nothing, nothing, nothing, nothing, np.zeros(0, np.float32), ())
    cell_of, row_of, starts, ends, images_of, boxes_of, gaps = zip(*found, strict=True)
    return Pieces(
        np.stack(images_of),
        np.stack(boxes_of).astype(np.float32),
        np.array(cell_of),
        np.array(row_of),
        np.array(starts),
        np.array(ends),
        np.array(gaps, np.float32),
        tuple(last_cuts),
    )


def rows_of(ink: Floats, peaks: Floats) -> Iterator[tuple[int, Row]]:
    """Yield each row of *ink* (M, S, S) with the index (0..M-1) of its cell, cell by cell from top to bottom.

    *peaks* (M,) are the full inks of the cells.
    """
    count, size = ink.shape[:2]
    strip = ink_mask(ink, np.maximum(_THRESHOLD * peaks, _MIN_THRESHOLD), _SMOOTH)
    edge = round(_EDGE * size)
    strip[:edge] = strip[size - edge :] = 0
    by_cell = strip.reshape(size, count, size + 1)
    by_cell[:, :, :edge] = by_cell[:, :, size - edge :] = 0
    cells, labels, components = find_components(strip, count, size)
    # Whole pixels, since rows are compared by exact shares of their heights.
    tops, bottoms = (np.rint(size * ends[:, 1]).tolist() for ends in (components.low, components.high))
    possible = _may_be_marks(components, size)
    row_of = np.full(len(possible), -1)
    for place, cell in enumerate(cells.tolist()):
        rows: list[tuple[float, float, list[int]]] = []
        members = np.flatnonzero(possible & (components.cell == cell)).tolist()
        for number in sorted(members, key=lambda one: tops[one]):
            top, bottom = tops[number], bottoms[number]
            for index, (upper, lower, others) in enumerate(rows):
                shared = min(lower, bottom) - max(upper, top)
                if shared > _SAME_ROW * min(bottom - top, lower - upper):
                    rows[index] = (min(upper, top), max(lower, bottom), [*others, number])
                    break
            else:
                rows.append((top, bottom, [number]))
        for index, (_, _, others) in enumerate(rows):
            row_of[others] = index
        numbers = row_of[labels[:, place * (size + 1) :][:, :size]]
        yield from ((cell, _row(numbers == index)) for index in range(len(rows)))


def _may_be_marks(components: Components, size: int) -> NDArray[np.bool_]:
    """Return which components are more than a speck or a piece of a line."""
    possible = (components.area / size**2 >= _MIN_AREA) & (components.sides.max(axis=1) >= _MIN_LENGTH)
    possible &= ~components.line_remains()
    possible[0] = False  # the background
    return np.asarray(possible)


def _row(mask: NDArray[np.bool_]) -> Row:
    """Return the row of the ink in *mask* (S, S), with its cuts."""
    columns = np.flatnonzero(mask.any(axis=0))
    lines = np.flatnonzero(mask.any(axis=1))
    first, last, height = int(columns[0]), int(columns[-1]) + 1, int(np.ptp(lines)) + 1
    profile = mask.sum(axis=0).astype(np.float32)
    smooth = cv2.GaussianBlur(profile[None], (0, 0), _PROFILE_BLUR)[0]
    middle = np.arange(first + _MIN_PART, last - _MIN_PART + 1)
    low = (smooth[middle - 1] >= smooth[middle]) & (smooth[middle] < smooth[middle + 1])
    low &= smooth[middle] < _MAX_CUT_INK * height
    cuts = [first]
    for x in middle[low].tolist():
        if x - cuts[-1] >= _MIN_PART:
            cuts.append(x)
    return Row(mask, (*cuts, last))


def _runs(row: Row) -> list[tuple[int, int]]:
    """Return the runs of parts, as (first cut, last cut), that are not too wide for a mark."""
    lines = np.flatnonzero(row.mask.any(axis=1))
    widest = _MAX_WIDTH * (int(np.ptp(lines)) + 1) + _MIN_PART
    count = len(row.cuts)
    return [
        (start, end)
        for start in range(count - 1)
        for end in range(start + 1, min(count, start + _MAX_PARTS + 1))
        if end == start + 1 or row.cuts[end] - row.cuts[start] <= widest
    ]


def _tight(row: Row, start: int, end: int) -> tuple[Box | None, float]:
    """Return the box of the ink between two cuts, and the share of its columns that are empty."""
    left, right = row.cuts[start], row.cuts[end]
    part = row.mask[:, left:right]
    lines, columns = np.flatnonzero(part.any(axis=1)), np.flatnonzero(part.any(axis=0))
    if not len(lines):
        return None, 0.0
    width = int(np.ptp(columns)) + 1
    box = (left + int(columns[0]), int(lines[0]), left + int(columns[0]) + width, int(lines[-1]) + 1)
    return box, 1 - len(columns) / width


def _normalised(clean: Floats, box: Box) -> Floats:
    """Return a 28x28 picture with the ink of a box in the middle, its longer side 22 pixels long."""
    left, top, right, bottom = box
    scale = BODY / max(right - left, bottom - top, 3)
    width, height = max(1, round((right - left) * scale)), max(1, round((bottom - top) * scale))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    picture = np.zeros((GLYPH, GLYPH), np.float32)
    x, y = (GLYPH - width) // 2, (GLYPH - height) // 2
    picture[y : y + height, x : x + width] = cv2.resize(
        clean[top:bottom, left:right], (width, height), interpolation=how
    )
    return picture
