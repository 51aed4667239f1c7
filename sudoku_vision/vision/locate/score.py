"""The score of a grid is the share of its 180 pieces of line that is seen.

A piece of line lies between two neighbouring crossings. Its *depth* is how much darker the piece is than both
of its sides (:mod:`.lines`). A piece is seen if its depth is large enough, and if it lies near its expected
place. Pieces on the edge of the picture are ignored. Pieces outside the picture count as not seen.
"""

import numpy as np

from sudoku_vision.geometry import CELLS
from sudoku_vision.ranks import median, medians
from sudoku_vision.values import Bools, Image
from sudoku_vision.vision.locate.lines import BOX, MIN_STRENGTH, NEARLY_ALL, LineEvidence
from sudoku_vision.vision.locate.surface import CELL, MARGIN, RIM

TOLERANCE = 0.075  # a piece of line is seen only if it is at most this far from its expected place, in cells
MOST = 2 / 3
"""The score is 0 if more than one third (1 - MOST) of the pieces of line lie on the edge of the picture.

The module :mod:`.cells` also uses this value: it proposes a bent surface only if at least this share of the
cells is seen.
"""

LINE_SEEN = 0.34
"""A line is seen if more than this share of its nine pieces is seen.

So at least four pieces must be seen. Three pieces aren't enough, because they may be digits.
"""
MANY_MISSING = 3
"""If at least this many inner lines of one direction aren't seen, the spacing of the candidate is too narrow:
some of its lines run through the middle of real cells."""

STANDS_OUT = 1.35
"""Lines between boxes stand out if their depth is more than this factor times the depth of other lines."""
MAX_FAINTER = 2
"""A line between boxes stands out only if at most this many of its nine pieces have a smaller depth than
``STANDS_OUT`` demands.

In a jigsaw, only a part of each line is a border of regions and drawn bold. So no line stands out.
"""
MISPLACED = 0.8
"""The score is multiplied by this if too many inner lines are missing (``MANY_MISSING``), and once more if
the lines between boxes are at the wrong places."""

# The next constants are for grids in which only the lines between boxes are drawn.
FAINT_INK = 0.25
"""Digits have a larger depth than this, and faint lines between cells have a smaller depth.

The unit is the depth of the lines between boxes.
"""
EVEN = 64  # a cell is even if its grey level differs by at most this from the median of all cells

INNER = slice(1, 9)  # the inner lines among the ten lines of one direction
_INSIDE = slice(RIM, CELL - RIM)
_UNRULED = [column for column in range(9) if (column + 1) % BOX]  # columns whose right side is inside a box
_INNER_BOX_LINES = np.array([BOX, 2 * BOX])
_SHIFTED_BOX_LINES = _INNER_BOX_LINES + np.arange(-2, 3)[:, None]
"""Pairs (5, 2) of lines of a candidate: where the real grid may have its two inner lines between boxes.

The five rows are for a real grid that begins at line -2, -1, 0, 1 or 2 of the candidate. A shift by three
lines can't be recognised, because every third line is a line between boxes.
"""


def share_seen(evidence: LineEvidence, tolerance: float = TOLERANCE) -> float:
    """Return the share (0..1) of the 180 pieces of line that are seen.

    A piece lies between two neighbouring crossings. *evidence* holds its depth and place. *tolerance*: a
    piece is seen only if it is at most this far from its expected place, in cells. The share is lowered if
    whole lines are missing, or if the lines between boxes are at the wrong places. The share is 0 if too many
    pieces lie on the picture's edge, or if no piece lies inside the picture.
    """
    counted = evidence.inside != 0
    if counted.mean() < MOST or not (evidence.inside > 0).any():
        return 0.0
    seen = pieces_seen(evidence, tolerance)
    share = int(np.count_nonzero(seen)) / int(np.count_nonzero(counted))
    missing = (seen.sum(axis=2) < LINE_SEEN * seen.shape[2])[:, INNER].sum(axis=1)
    if missing.max() >= MANY_MISSING:
        share *= MISPLACED
    return MISPLACED * share if is_misplaced(evidence) else share


def pieces_seen(evidence: LineEvidence, tolerance: float = TOLERANCE) -> Bools:
    """Return for each piece of line (2, 10, 9) whether it is seen. *tolerance*: see :func:`share_seen`."""
    near = np.abs(evidence.offset) <= tolerance
    return np.asarray((evidence.strength > MIN_STRENGTH) & near & (evidence.inside > 0))


def shows_corners(evidence: LineEvidence) -> bool:
    """Return whether the corners of a grid are seen: all eight pieces of line that end at a corner."""
    return bool((evidence.strength[:, ::9, ::8] > MIN_STRENGTH).all())


def is_misplaced(evidence: LineEvidence) -> bool:
    """Return whether the lines between boxes show that the candidate is one or two cells off.

    Lines between boxes often are darker than other lines. The candidate begins at a wrong line if two other
    lines, three cells apart, are clearly darker than the fainter of its two inner lines between boxes.
    They must also be clearly darker than the median of its inner lines.
    """
    ranked = np.sort(evidence.strength, axis=2)
    usual, along = ranked[..., ranked.shape[2] // 2], ranked[..., MAX_FAINTER]
    boxes = along[:, _SHIFTED_BOX_LINES].min(axis=2).max(axis=1)
    here, between = usual[:, _INNER_BOX_LINES].min(axis=1), medians(usual[:, INNER])
    return bool((boxes > STANDS_OUT * np.maximum(here, between)).any())


def has_even_cells(view: Image) -> bool:
    """Return whether nearly all cells on a flat *view* (SIDE, SIDE) have about the same grey level.

    In a crossword, many cells are black.
    """
    cells = view[MARGIN:-MARGIN, MARGIN:-MARGIN].reshape(9, CELL, 9, CELL).transpose(0, 2, 1, 3)
    shades = medians(cells[:, :, _INSIDE, _INSIDE].reshape(81, -1))
    return bool(np.mean(np.abs(shades - median(shades)) <= EVEN) > NEARLY_ALL)


def are_boxes_alone(evidence: LineEvidence) -> bool:
    """Return whether only the lines between boxes are drawn.

    Nearly all their pieces must be far darker than the places of the lines between cells.
    """
    between = evidence.strength[:, _INNER_BOX_LINES]
    cells = np.delete(evidence.strength, slice(0, 10, BOX), axis=1)
    deep = max(MIN_STRENGTH, median(cells) / FAINT_INK)
    return bool(np.mean(between > deep) > NEARLY_ALL)


def are_digits_in_cells(view: Image, evidence: LineEvidence) -> bool:
    """Return whether the ink on a flat *view* (SIDE, SIDE) stands in the middle of cells, as digits do.

    This is for grids in which only the lines between boxes are drawn. At least nine cells must have ink. The
    ink must be in the middle of nearly all these cells. Nearly all borders between cells of a box must be
    free of ink. A pixel is ink if it differs from the paper by more than a limit. The limit is the depth of
    the lines between boxes, times :data:`FAINT_INK`.
    """
    depth = np.abs(view[MARGIN:-MARGIN, MARGIN:-MARGIN] - np.float32(median(view)))
    ink = depth > FAINT_INK * median(evidence.strength[:, _INNER_BOX_LINES])
    for turned in (ink, ink.T):
        cells = turned.reshape(9, CELL, 9, CELL).transpose(0, 2, 1, 3)
        columns = cells[:, :, _INSIDE, _INSIDE].any(axis=2)
        inked = columns.any(axis=2)
        off = columns.argmax(axis=2) - columns[..., ::-1].argmax(axis=2)
        blank = ~cells[:, _UNRULED, _INSIDE, -RIM // 2 :].any(axis=(2, 3))
        central = np.abs(off[inked]) <= 2 * RIM
        if len(central) < CELLS or min(blank.mean(), central.mean()) < NEARLY_ALL:
            return False
    return True
