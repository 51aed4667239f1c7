"""Measure the ink of every cell relative to the cell's own paper.

Four numbers are measured: two hues of the ink, the *depth* of the ink (its contrast with the paper), and the
width of its strokes. Blur and light hardly change these numbers. Thin and thick strokes of one ink have
nearly the same hues and depth.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from sudoku_vision.geometry import TINY
from sudoku_vision.ranks import median, medians
from sudoku_vision.values import Bools, Doubles, Floats, Image
from sudoku_vision.vision.digits.segmentation import MIN_PEAK, inside, peak_of
from sudoku_vision.vision.digits.turns import in_turn
from sudoku_vision.vision.rectify import RIM

_STRONG, _WIDE = 0.6, 0.4
"""Two shares of the peak. The peak of a cell is the ink level that one in 50 of its pixels reaches.

A pixel is in the core of a stroke if its ink level is above 0.6 of the peak. Its weight in the core grows
linearly from 0 to 1 between the levels 0.6 and 0.8. A pixel is in the whole stroke if its level is above 0.4
of the peak. Its weight in the whole stroke grows linearly from 0 to 1 between the levels 0.4 and 0.6.
"""
_DARKEST = 20.0
"""Colours are divided by the brightness of paper or ink, but at least by this number of grey levels."""
_LUMINANCE = np.array([0.114, 0.587, 0.299], np.float32)  # weights of blue, green and red (ITU-R BT.601)
_MAX_VALUE = 4.0
"""Hues and logarithms are clipped to this absolute value: a division by nearly zero gives too large values.

This number is also the expected standard deviation of a value that can't be measured.
"""

_HUE_SPREAD = 0.035
"""Standard deviation of the hue of one ink on a clean printed page.

On 160 photos, the median of this deviation is 0.04.
"""
_HUE_NOISE = 2.0
"""Noise of paper and camera in grey levels. It matters if the contrast between ink and paper is low."""
LOG_SPREAD = 0.09
"""Standard deviation of the logarithms of depth and of stroke width, for one ink on a clean printed page."""
_NEAR_PAPER = 0.03
"""A cell's paper is usual if its colour differs by less than this from the median paper of the page.

Before colours are compared, they are divided by a brightness; see :func:`_odd_paper`.
"""


@dataclass(frozen=True, eq=False)
class InkMeasurements:
    """The ink of 81 cells: ``values`` and ``spread`` (81, 4), ``paper`` and ``ground`` (81, 3), float32.

    The columns of ``values`` are two hues, the logarithm of the depth (contrast), and the logarithm of the
    stroke width (as a share of the cell's side). Ink makes light paper darker in blue, green and red, or
    makes dark paper lighter. The first hue is the change of blue minus the change of green, divided by the
    mean change of the three colours. For the second hue, red takes the place of blue. Hues are 0 for black,
    white and grey, and about 1 for a strong colour.

    ``spread`` is the expected standard deviation of each value among cells with the same ink. It is large if
    a value is unreliable. ``paper`` and ``ground`` hold two colours (blue, green, red, 0..255) of each cell's
    paper. ``paper`` is the median of the cell's pixels. ``ground`` is the quartile on the side of the paper:
    the upper one if the paper is lighter than the ink. In small cells, bold digits change the median, but not
    this quartile.
    """

    values: Floats
    spread: Floats
    paper: Floats
    ground: Floats

    @property
    def lightness(self) -> Doubles:
        """The natural logarithm (81,) of the brightness, in grey levels, of each cell's paper."""
        return np.log(np.maximum(self.paper.astype(np.float64) @ _LUMINANCE, 1))

    def turned(self, quarter_turns: int) -> "InkMeasurements":
        """Return the measurements in the reading order of the grid after counter-clockwise quarter turns."""
        parts = (self.values, self.spread, self.paper, self.ground)
        return InkMeasurements(*(in_turn(values, quarter_turns) for values in parts))


def measure_ink(cells: Image, ink: Floats, coarse: Image) -> InkMeasurements:
    """Measure the ink of 81 cells.

    *cells* (81, S, S, 3) uint8 BGR are the straightened cells. *ink* (81, S, S) float32 are the same cells
    after their light was evened out. *coarse* (81, 8, 8, 3) are small copies of the cells that show mostly
    paper.

    * *Hue* comes from the difference between ink and paper. The difference is averaged over the strokes and
      the pixels around them, because blur and the low colour resolution of JPEG move colour to these pixels.
      The difference is divided by the colour of the paper, channel by channel, so that the colour of the
      light cancels out.
    * *Depth* is the same difference, but averaged over the cores of the strokes, where it is largest.
    * *Stroke width* is twice the amount of ink, divided by the length of the strokes' outlines.
    """
    peak, width, core, whole = _strokes(cells, ink)
    pixels = coarse.reshape(81, -1, 3)
    ranked = np.sort(pixels, axis=1).astype(np.float32)
    paper = ranked[:, ranked.shape[1] // 2]
    brightness = paper @ _LUMINANCE
    darker = core @ _LUMINANCE < brightness
    inked = peak > MIN_PEAK
    light = bool(2 * np.count_nonzero(darker[inked]) >= np.count_nonzero(inked))
    scale = _scale(paper, core[inked], light)

    signed = (paper - whole) / scale
    total = signed.mean(axis=1)
    total = np.where(np.abs(total) < TINY, TINY, total)
    hues = (signed[:, [0, 2]] - signed[:, 1:2]) / total[:, None]
    depth = np.maximum(np.abs((paper - core) / scale).mean(axis=1), TINY)
    width = np.maximum(width / ink.shape[1], TINY)
    values = np.column_stack([hues, np.log(depth), np.log(width)])

    coloured = (darker == light) & inked
    spread = _spread(depth * (scale @ _LUMINANCE), _odd_paper(paper, scale, light), coloured)
    ground = ranked[:, round(ranked.shape[1] * (0.75 if light else 0.25))]
    return InkMeasurements(np.clip(values, -_MAX_VALUE, _MAX_VALUE).astype(np.float32), spread, paper, ground)


def _strokes(cells: Image, ink: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Find the strokes inside cells; the arguments mean the same as in :func:`measure_ink`.

    Return four arrays: the level (81,) of the strongest ink of each cell, the width (81,) of the strokes in
    pixels, the mean colour (81, 3) of the cores of the strokes, and the mean colour (81, 3) of the whole
    strokes. If the ink of a cell is too faint, its width and both colours are 0. The means are weighted: a
    pixel in the core of a stroke has the weight 1, and a pixel at the edge of a stroke has a lower weight.
    """
    pixels = inside(ink)
    count, size = pixels.shape
    rim, side = round(RIM * ink.shape[1]), round(size**0.5)
    peak = peak_of(pixels)
    found = np.flatnonzero(peak > MIN_PEAK)
    relative = pixels[found] / peak[found, None]
    core = np.clip((relative - _STRONG) / (_STRONG - _WIDE), 0, 1)
    whole = _widened(np.clip((relative - _WIDE) / (_STRONG - _WIDE), 0, 1), side)
    colours = cells[found, rim:-rim, rim:-rim].reshape(len(found), size, 3).astype(np.float32)
    summed = np.matmul(np.stack([core, whole], axis=1), colours)
    weight = np.stack([core.sum(axis=1), whole.sum(axis=1)], axis=1)
    width, mean = np.zeros(count, np.float32), np.zeros((count, 2, 3), np.float32)
    mean[found] = summed / np.maximum(weight, TINY)[:, :, None]
    width[found] = _stroke_width((np.maximum(relative, 0) * whole).reshape(len(found), side, side))
    return peak, width, mean[:, 0], mean[:, 1]


def _widened(glyphs: Floats, side: int) -> Floats:
    """Return *glyphs* (N, P) after a dilation with a square of 3 x 3 pixels.

    Each glyph is a square of *side* x *side* pixels, stored as a vector of P numbers.
    """
    if not len(glyphs):
        return glyphs
    apart = np.zeros((len(glyphs), side + 1, side + 1), np.float32)  # a gap keeps neighbouring glyphs apart
    apart[:, :side, :side] = glyphs.reshape(-1, side, side)
    wide = cv2.dilate(apart.reshape(-1, side + 1), np.ones((3, 3), np.uint8))
    return np.reshape(wide, apart.shape)[:, :side, :side].reshape(glyphs.shape).astype(np.float32, copy=False)


def _scale(paper: Floats, ink: Floats, light: bool) -> Floats:
    """Return the divisors (81, 3) for the blue, green and red differences between ink and paper.

    *light* is True if the paper is lighter than the ink. Then the divisors of a cell are the colour of its
    paper. Otherwise all divisors are the brightness of the brightest ink. *paper* (81, 3) are the colours of
    all cells' paper. *ink* (N, 3) are the colours of the ink in the cells that hold ink.
    """
    if light:
        return np.maximum(paper, _DARKEST)
    brightest = (ink @ _LUMINANCE).max(initial=_DARKEST)
    return np.full_like(paper, brightest)


def _odd_paper(paper: Floats, scale: Floats, light: bool) -> Floats:
    """Return how far (81,) the colour of each cell's paper is from the median paper of the page.

    *light* is True if the paper is lighter than the ink. Then papers are compared only in hue, not in
    brightness: each colour is divided by its own brightness. Otherwise it is divided by *scale* (81, 3), the
    divisors from :func:`_scale`. Each result is sqrt(a^2 + b^2): *a* is the distance of the cell, minus
    ``_NEAR_PAPER`` but at least 0, and *b* is the median distance of all cells, which is higher if the paper
    varies.
    """
    divisor = np.maximum(paper @ _LUMINANCE, _DARKEST)[:, None] if light else scale
    tone = paper / divisor
    odd = np.abs(tone - medians(tone.T)).max(axis=1)
    return np.asarray(np.hypot(np.maximum(odd - _NEAR_PAPER, 0), median(odd)), np.float32)


def _stroke_width(glyph: Floats) -> Floats:
    """Return the width (N,), in pixels, of the strokes of each glyph.

    *glyph* (N, R, R) holds the ink levels. The width is twice the amount of ink, divided by the length of the
    outline.
    """
    across = np.abs(np.diff(glyph, axis=2)).sum(axis=(1, 2))
    down = np.abs(np.diff(glyph, axis=1)).sum(axis=(1, 2))
    return np.asarray(2 * glyph.sum(axis=(1, 2)) / np.maximum(np.hypot(across, down), TINY), np.float32)


def _spread(contrast: Floats, odd: Floats, coloured: Bools) -> Floats:
    """Return the expected standard deviations (81, 4) of the ``values`` in :class:`InkMeasurements`.

    *contrast* (81,) is the difference between ink and paper in grey levels. *odd* (81,) is the difference
    between the colour of the cell's paper and the median paper. *coloured* (81,) is False if a cell has no
    ink that could be measured.
    """
    hue = np.sqrt(_HUE_SPREAD**2 + (_HUE_NOISE / contrast) ** 2 + odd**2)
    deep = np.hypot(LOG_SPREAD, odd / 2)
    spread = np.column_stack([hue, hue, deep, np.full(len(odd), LOG_SPREAD)])
    return np.where(coloured[:, None], spread, _MAX_VALUE).astype(np.float32)
