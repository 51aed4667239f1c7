"""Score: the share of a grid's 180 pieces of line that is seen.

Pieces on the edge of the picture don't count; pieces beyond it count as missing.
"""

import numpy as np

from sudoku_vision.ranks import median, medians
from sudoku_vision.values import Image
from sudoku_vision.vision.locate.lines import BOX, LineEvidence
from sudoku_vision.vision.locate.surface import CELL, MARGIN, RIM

TOLERANCE = 0.075  # a piece of line is seen if it is not farther from the surface, in cells
MIN_STRENGTH = 2.0  # depth of the faintest line, in grey levels; camera noise is below it
MIN_COUNTED = 120  # pieces of line, of 180, that must lie off the picture's edge for a score

LINE_SEEN = 0.34  # share of its nine pieces that shows a line: four of them, since three may be digits

MANY_MISSING = 3
"""If this many inner lines of one direction are invisible, the candidate has split real cells in two."""
FLAWED = 0.8  # factor for the score of such a candidate, or of one whose box lines are at the wrong places

STANDS_OUT = 1.35  # lines between boxes stand out if they are so many times deeper than the others
MAX_FAINTER = 2
"""Pieces of such a line that may be fainter: in a jigsaw, only a part of a line lies between regions."""

# Grids in which only the lines between boxes are drawn.
NEARLY_ALL = 0.95
"""Share of the pieces of these lines that must be seen, of cells with ink in the middle, and of blank paper
between them."""
FAINT_INK = 0.25
"""Depth relative to these lines: lines between cells are fainter than this, digits are not."""

EVEN, MAX_UNEVEN = 64, 4  # grey levels by which cells may differ in shade, and cells that may differ by more

_INNER_LINES = slice(1, 9)
_INSIDE = slice(RIM, CELL - RIM)
_UNRULED = [column for column in range(9) if (column + 1) % BOX]  # with no line between boxes after them
_INNER_BOX_LINES = np.array([BOX, 2 * BOX])
_SHIFTED_BOX_LINES = _INNER_BOX_LINES + np.arange(-2, 3)[:, None]
"""Their places if a grid begins up to two lines too early or too late, (5, 2); by three, boxes fit again."""


def share_seen(evidence: LineEvidence, tolerance: float = TOLERANCE) -> float:
    """Return the share, 0..1, of the 180 pieces of line that is seen within *tolerance* cells.

    It is reduced if whole lines are missing, or if the box lines are at the wrong places. It is 0 if too much
    lies on the picture's edge.
    """
    counted = int(np.count_nonzero(evidence.inside))
    if counted < MIN_COUNTED:
        return 0.0
    within = evidence.inside > 0
    seen = (evidence.strength > MIN_STRENGTH) & (np.abs(evidence.offset) <= tolerance) & within
    share = int(np.count_nonzero(seen)) / counted
    missing = (seen.sum(axis=2) < LINE_SEEN * seen.shape[2])[:, _INNER_LINES].sum(axis=1)
    flaws = int(missing.max() >= MANY_MISSING) + int(is_misplaced(evidence))
    return share * FLAWED**flaws


def shows_corners(evidence: LineEvidence) -> bool:
    """Return whether the eight pieces of the border that meet at the corners of a grid are seen."""
    return bool((evidence.strength[:, ::9, ::8] > MIN_STRENGTH).all())


def is_misplaced(evidence: LineEvidence) -> bool:
    """Return whether the deepest lines, every third one, show that the grid begins some cells elsewhere."""
    ranked = np.sort(evidence.strength, axis=2)
    usual, along = ranked[..., ranked.shape[2] // 2], ranked[..., MAX_FAINTER]
    boxes = along[:, _SHIFTED_BOX_LINES].min(axis=2).max(axis=1)
    here, between = usual[:, _INNER_BOX_LINES].min(axis=1), medians(usual[:, _INNER_LINES])
    return bool((boxes > STANDS_OUT * np.maximum(here, between)).any())


def has_even_cells(view: Image) -> bool:
    """Return whether nearly all cells of a flat *view* (SIDE, SIDE) have one shade, unlike a crossword."""
    cells = view[MARGIN:-MARGIN, MARGIN:-MARGIN].reshape(9, CELL, 9, CELL).transpose(0, 2, 1, 3)
    shades = medians(cells[:, :, _INSIDE, _INSIDE].reshape(81, -1))
    return bool(np.count_nonzero(np.abs(shades - median(shades)) > EVEN) <= MAX_UNEVEN)


def are_boxes_alone(evidence: LineEvidence) -> bool:
    """Return whether the lines between boxes are seen, and no lines of similar depth between cells."""
    between = evidence.strength[:, _INNER_BOX_LINES]
    cells = np.delete(evidence.strength, slice(0, 10, BOX), axis=1)
    deep = max(MIN_STRENGTH, median(cells) / FAINT_INK)
    return bool(np.mean(between > deep) > NEARLY_ALL)


def are_digits_in_cells(view: Image, evidence: LineEvidence) -> bool:
    """Return whether ink on a flat *view* (SIDE, SIDE) stands in the middle of cells if only boxes are drawn.

    Ink differs from the paper by at least :data:`FAINT_INK` of the depth of the lines between boxes.
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
        if not len(central) or min(blank.mean(), central.mean()) < NEARLY_ALL:
            return False
    return True
