"""Cut the ink of a cell into pieces, each of which may be one pencil mark (a small candidate digit).

In each cell, the connected components of the ink are grouped into rows. A row is cut at columns of pixels
that hold little ink. The ink between any two cuts is a *piece*. A piece may be one mark, several marks, or a
part of a mark. A classifier decides what a piece is (:mod:`~sudoku_vision.vision.digits.mark_reader`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.ranks import quantile
from sudoku_vision.values import Bools, Doubles, Floats
from sudoku_vision.vision.digits.glyphs import BODY, GLYPH
from sudoku_vision.vision.digits.segmentation import Components, find_components, ink_mask
from sudoku_vision.vision.rectify import even, remove_lines, straighten, without_print
from sudoku_vision.vision.results import Lattice, Photo

MARK_CELL = 80
"""Side, in pixels, of the cells from which marks are cut. Marks need more pixels than digits do."""

NUMBERS = 5
"""Number of features of a piece of ink that aren't computed from its picture; see :meth:`Pieces.numbers`."""

_LINE_PIECES = 2
"""A side of a cell is divided into this number of pieces. In each piece, the grid line is removed separately.

With three pieces, a mark could be as long as one of them. Then it would be taken for a line, and removed.
"""

# Numbers that separate ink from paper.
_PEAK = 0.99  # the full ink of a cell is this quantile of its ink levels
_THRESHOLD, _MIN_THRESHOLD = 0.3, 0.05
"""A pixel is ink if its level is above the second number, and above the first number times its cell's peak.

The peak is the level of full ink. The thin stem of a small 7 in a typeface for books has 0.35 of the ink
level of an 8 beside it. With 0.38 as the first number, 14 of 848 marks on photos and 1 in 100 marks on
screens were lost, and 13 more marks were misread.
"""
_PIXEL = 1 / MARK_CELL
"""Standard deviation of the blur before ink is separated from paper, as a share of a cell's side: one pixel.

It is also the width of the strip that is left out along each side, because a grid line was removed there.
"""

# Limits for components (connected areas of ink).
MIN_AREA = 0.004  # a component is a speck if its area is below this share of the cell's area
_MIN_LENGTH = 0.1  # a component is a speck if its longer side is below this share of the cell's side
_SAME_ROW = 0.5
"""Components are in one row if their vertical overlap is more than this share of the smaller height."""

# Numbers that decide where a row is cut.
_PROFILE_BLUR = 1.2  # the column sums of a row's ink are blurred with this standard deviation, in pixels
_MIN_PART = 3  # smallest distance from one cut to the next, in pixels
_MAX_CUT_INK = 0.6  # a row is cut only at columns in which ink fills less than this share of the row's height
_MAX_WIDTH = 1.3  # largest width of a mark, relative to the height of its row

Box = tuple[int, int, int, int]  # left, top, right and bottom in pixels


class Row(NamedTuple):
    """A row of ink in a cell, for example some pencil marks side by side.

    ``mask`` (S, S) bool is True for the pixels of the row's ink. ``cuts`` are the columns at which the row
    may be cut, in ascending order. The first and the last cut are the two ends of the row.
    """

    mask: Bools
    cuts: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Pieces:
    """The pieces of ink of one page; each piece may be one mark.

    The marks of a cell form rows. A row is divided at cuts: columns that hold little ink (see :class:`Row`).

    * ``images`` (N, 28, 28) float32 in 0..1: pictures of the pieces, centred and scaled to one size.
    * ``boxes`` (N, 4) float32: the left, top, right and bottom of each piece, as shares of the cell's side.
    * ``cells`` (N,): the number of the cell (0..80) of each piece.
    * ``rows`` (N,): the number of the row of each piece; all rows of the page are numbered from 0.
    * ``starts`` and ``ends`` (N,): the numbers of the cuts where each piece begins and ends.
    * ``gaps`` (N,): the number of columns without ink in a piece, divided by the number of its columns.
    * ``last_cuts``: the number of the last cut of each row; the first cut is 0.
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
        """Return five numbers (N, 5) for each piece. The normalised picture of the piece doesn't show them.

        The first two numbers are the width and height of the piece, divided by the median height of the
        page's rows. The next two are the width and height of the piece, divided by the height of its own row.
        The last number is five times its ``gaps``.
        """
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


def fine_cells(photo: Photo, lattice: Lattice, other: Bools | None = None) -> Floats:
    """Return pictures (81, MARK_CELL, MARK_CELL) float32 of the cells' clean ink, large enough for marks.

    Short pieces of lines at the edges of cells are not removed, because they may be marks. *other* (81, K, K)
    is True where a cell has print other than digits and marks. This print is removed.
    """
    return remove_lines(without_print(even(straighten(photo, lattice, MARK_CELL)), other), _LINE_PIECES)


def cut_pieces(ink: Floats, cells: Sequence[int]) -> Pieces:
    """Cut the ink of some *cells* (0..80) into pieces. *ink* (81, S, S) float32 is the ink of all cells."""
    size = ink.shape[1]
    peaks = np.array([max(quantile(ink[cell], _PEAK), _MIN_THRESHOLD) for cell in cells], np.float32)
    images: list[Floats] = []
    boxes: list[Doubles] = []
    places: list[tuple[int, int, int, int]] = []  # the cell, the row, the first and last cut of each piece
    gaps: list[float] = []
    last_cuts: list[int] = []
    for place, row in rows_of(ink[list(cells)], peaks) if cells else ():
        cell = cells[place]
        grown = cv2.dilate(row.mask.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        clean = np.where(grown, np.clip(ink[cell] / peaks[place], 0, 1), 0).astype(np.float32)
        for start, end in _runs(row):
            box, gap = _tight(row, start, end)
            images.append(normalised_piece(clean, box))
            boxes.append(np.array(box) / size)
            places.append((cell, len(last_cuts), start, end))
            gaps.append(gap)
        last_cuts.append(len(row.cuts) - 1)
    cell_of, row_of, starts, ends = np.array(places, np.intp).reshape(-1, 4).T
    return Pieces(
        np.array(images, np.float32).reshape(-1, GLYPH, GLYPH),
        np.array(boxes, np.float32).reshape(-1, 4),
        cell_of,
        row_of,
        starts,
        ends,
        np.array(gaps, np.float32),
        tuple(last_cuts),
    )


def rows_of(ink: Floats, peaks: Floats) -> Iterator[tuple[int, Row]]:
    """Yield the rows of ink in M cells, cell by cell, each row with the index (0..M-1) of its cell.

    *ink* (M, S, S) are pictures of the cells' clean ink. *peaks* (M,) is the level of full ink in each cell.
    The rows of a cell come from top to bottom.
    """
    count, size = ink.shape[:2]
    strip = ink_mask(ink, np.maximum(_THRESHOLD * peaks, _MIN_THRESHOLD), _PIXEL)
    edge = round(_PIXEL * size)
    strip[:edge] = strip[size - edge :] = 0
    by_cell = strip.reshape(size, count, size + 1)
    by_cell[:, :, :edge] = by_cell[:, :, size - edge :] = 0
    cells, labels, components = find_components(strip, count, size)
    # Tops and bottoms are whole pixels. As shares of the side, they may have tiny errors, so they are
    # rounded.
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


def _may_be_marks(components: Components, size: int) -> Bools:
    """Return which *components* (N,) may be marks or parts of marks: all but specks and remains of lines."""
    possible = (components.area / size**2 >= MIN_AREA) & (components.sides.max(axis=1) >= _MIN_LENGTH)
    possible &= ~components.line_remains()
    possible[0] = False  # component 0 is the background
    return np.asarray(possible)


def _row(mask: Bools) -> Row:
    """Return the row whose ink is *mask* (S, S), with the columns at which the row can be cut."""
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
    """Return all pairs of cuts of a row between which one mark may lie, as numbers (first, last).

    More cuts may lie between the first and the last. Pairs that are too far apart for a mark are left out.
    But two neighbouring cuts are always a pair, even if they are far apart.
    """
    lines = np.flatnonzero(row.mask.any(axis=1))
    widest = _MAX_WIDTH * (int(np.ptp(lines)) + 1) + _MIN_PART
    count = len(row.cuts)
    return [
        (start, end)
        for start in range(count - 1)
        for end in range(start + 1, count)
        if end == start + 1 or row.cuts[end] - row.cuts[start] <= widest
    ]


def _tight(row: Row, start: int, end: int) -> tuple[Box, float]:
    """Return the box of the ink between two cuts, and the share of the box's columns that hold no ink.

    *start* and *end* are the numbers of the cuts. There is always ink between two cuts, because a row is cut
    only at local minima of its ink.
    """
    left, right = row.cuts[start], row.cuts[end]
    part = row.mask[:, left:right]
    lines, columns = np.flatnonzero(part.any(axis=1)), np.flatnonzero(part.any(axis=0))
    width = int(np.ptp(columns)) + 1
    box = (left + int(columns[0]), int(lines[0]), left + int(columns[0]) + width, int(lines[-1]) + 1)
    return box, 1 - len(columns) / width


def normalised_piece(clean: Floats, box: Box) -> Floats:
    """Return a picture (28, 28) of the ink in a *box*, centred and scaled to one size.

    *clean* (S, S) is the ink of the cell in which the box lies. The longer side of the box becomes 22 pixels
    long.
    """
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
