"""Score: how much of a grid's lines is seen, as a share of its 180 pieces of line.

Pieces on the very edge of the picture don't count, pieces beyond it count as missing.
"""

import numpy as np

from sudoku_vision.results import Image
from sudoku_vision.vision.locate.flatten import CELL, MARGIN
from sudoku_vision.vision.locate.line_evidence import BOX, LineEvidence
from sudoku_vision.vision.ranks import median, medians

TOLERANCE = 0.075  # how far a piece of line may lie from the surface, in cells, to count as seen
MIN_STRENGTH = 2.0  # depth of the faintest line, in grey levels: below lies the noise of the camera
FAINTEST = 0.07  # depth of the faintest line as a share of the typical one
MIN_COUNTED = 120
"""Pieces of line, of 180, that must not lie on the picture's edge for a grid to be scored: two thirds."""

LINE_SEEN = 0.34
"""Share of a line's nine pieces that tells a line from none: four of them, three may be digits."""
MANY_MISSING = 3  # inner lines of one direction that, wholly unseen, tell that cells were split which are one
GAPPED = 0.8  # what is left of the score of a grid that misses so many

STANDS_OUT = 1.35  # how much deeper than the others lines must be to tell where the boxes are
STANDS_OUT_BUT = 2
"""Pieces of such a line that may be fainter: those of a jigsaw's regions stand out along a part of a line."""
MISPLACED = 0.88  # what is left of the score of a grid whose box lines are at the wrong places

BOXES_SEEN = 0.95  # share of the pieces of the lines between boxes that tells boxes, where no cells are ruled
FAINT_INK = 0.25
"""Depth of the faintest digits, and of the deepest lines between cells, as a share of that of such lines."""
LEAST_DIGITS = 8  # inked cells that must stand in order to tell where cells would be
IN_ORDER = 0.95  # share of them whose ink lies in the middle, and of the paper between them that is blank
OFF_CENTRE = 0.15 * CELL  # pixels of the flat view by which the ink of a cell may lie off its middle

EVEN, MOST_UNEVEN = 64, 4  # grey levels by which cells may differ in shade, and how many may by more
RIM = 3  # pixels of the flat view along the side of a cell in which a line may lie

_INNER_LINES = slice(1, 9)
_INSIDE = slice(RIM, CELL - RIM)
_UNRULED = [column for column in range(9) if (column + 1) % BOX]  # with no line between boxes after them
_INNER_BOX_LINES = np.array([BOX, 2 * BOX])
_SHIFTED_BOX_LINES = _INNER_BOX_LINES + np.arange(-2, 3)[:, None]
"""Where these are if a grid begins some lines too early or too late, (5, 2): by three, boxes fit again."""


def share_seen(evidence: LineEvidence, tolerance: float = TOLERANCE) -> float:
    """Return the share, 0..1, of the 180 pieces of line seen within *tolerance* cells of their place.

    Less is left of it where whole lines are missing, or where the box lines stand at the wrong places. 0
    where too much lies on the picture's edge.
    """
    counted = evidence.inside != 0
    if np.count_nonzero(counted) < MIN_COUNTED or not (evidence.inside > 0).any():
        return 0.0
    within = evidence.inside > 0
    least = max(MIN_STRENGTH, FAINTEST * median(evidence.strength[within]))
    seen = (evidence.strength > least) & (np.abs(evidence.offset) <= tolerance) & within
    share = int(np.count_nonzero(seen)) / int(np.count_nonzero(counted))
    missing = (seen.sum(axis=2) < LINE_SEEN * seen.shape[2])[:, _INNER_LINES].sum(axis=1)
    if missing.max() >= MANY_MISSING:
        share *= GAPPED
    return MISPLACED * share if is_misplaced(evidence) else share


def is_misplaced(evidence: LineEvidence) -> bool:
    """Tell whether the lines that stand out, every third, say that the grid begins some cells further on."""
    ranked = np.sort(evidence.strength, axis=2)
    usual, along = ranked[..., ranked.shape[2] // 2], ranked[..., STANDS_OUT_BUT]
    boxes = along[:, _SHIFTED_BOX_LINES].min(axis=2).max(axis=1)
    here, between = usual[:, _INNER_BOX_LINES].min(axis=1), medians(usual[:, _INNER_LINES])
    return bool((boxes > STANDS_OUT * np.maximum(here, between)).any())


def has_even_cells(view: Image) -> bool:
    """Tell whether nearly all cells of a flat *view* (SIDE, SIDE) are of one shade; a crossword's are not."""
    cells = view[MARGIN:-MARGIN, MARGIN:-MARGIN].reshape(9, CELL, 9, CELL).transpose(0, 2, 1, 3)
    shades = medians(cells[:, :, _INSIDE, _INSIDE].reshape(81, -1))
    return bool(np.count_nonzero(np.abs(shades - median(shades)) > EVEN) <= MOST_UNEVEN)


def are_boxes_alone(evidence: LineEvidence) -> bool:
    """Tell whether the lines between boxes are seen, and none that is nearly as deep between cells."""
    between = evidence.strength[:, _INNER_BOX_LINES]
    cells = np.delete(evidence.strength, slice(0, 10, BOX), axis=1)
    deep = max(MIN_STRENGTH, median(cells) / FAINT_INK)
    return bool(np.mean(between > deep) > BOXES_SEEN)


def are_digits_in_cells(view: Image, evidence: LineEvidence) -> bool:
    """Tell whether ink on a flat *view* (SIDE, SIDE) stands in the middle of cells, where boxes are ruled.

    Ink is what differs from the paper by a part of what the lines between boxes do.
    """
    depth = np.abs(view[MARGIN:-MARGIN, MARGIN:-MARGIN] - np.float32(median(view)))
    ink = depth > FAINT_INK * median(evidence.strength[:, _INNER_BOX_LINES])
    for turned in (ink, ink.T):
        cells = turned.reshape(9, CELL, 9, CELL).transpose(0, 2, 1, 3)
        columns = cells[:, :, _INSIDE, _INSIDE].any(axis=2)
        inked = columns.any(axis=2)
        off = columns.argmax(axis=2) - columns[..., ::-1].argmax(axis=2)
        blank = ~cells[:, _UNRULED, _INSIDE, -RIM // 2 :].any(axis=(2, 3))
        central = np.abs(off[inked]) <= 2 * OFF_CENTRE
        if len(central) < LEAST_DIGITS or min(blank.mean(), central.mean()) < IN_ORDER:
            return False
    return True
