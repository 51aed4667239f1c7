"""Measure the ink of every cell relative to the cell's own paper.

The measures hardly depend on blur, on light and on the thickness of a stroke: two hues of the ink, its depth,
and the width of its strokes.
"""

from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.ranks import median, medians
from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.digits.segmentation import MIN_PEAK, inside, peak_of
from sudoku_vision.vision.digits.turns import in_turn

_RIM = 0.12  # share of a cell on each side where lines may still be seen
_MIN_COLOURED = MIN_PEAK / 2  # ink with a lower peak has no useful colour
# A pixel belongs to the core of a stroke from the first share of the cell's peak on, to the whole stroke
# from the second.
_STRONG, _WIDE = 0.6, 0.4
_RAMP = 0.2  # share of the peak over which the weight of a pixel grows to 1
_DARKEST = 20.0  # grey levels: the smallest divisor; darker values are raised to it
_BRIGHTEST = 90.0  # percentile of the brightness of light ink that counts as white
_LUMINANCE = np.array([0.114, 0.587, 0.299], np.float32)  # of blue, green, red (ITU-R BT.601)
_MAX_VALUE = 4.0  # limit for hues and logarithms; beyond it something was divided by nearly zero
_MIN_DIVISOR = 1e-3  # smallest divisor: a difference, depth or width

_HUE_SPREAD = 0.035  # of the hue of one ink on a page of clean print; the median of 160 photos is 0.04
_HUE_NOISE = 2.0  # grey levels of noise of paper and camera, which affects dark and pale pictures
_LOG_SPREAD = 0.09  # of the logarithms of depth and stroke on such a page
_UNEVEN = 2.0  # weight of the paper's own variety of colour, for example on crumpled pages
_NEAR_PAPER = 0.03  # papers that differ less in colour are alike
_UNKNOWN = 5.0  # spread of a measure without any information


@dataclass(frozen=True, eq=False)
class InkMeasurements:
    """The ink of 81 cells: ``values`` and ``spread`` (81, 4), ``paper`` (81, 3), all float32.

    The columns of ``values`` are two hues, and the logarithms of depth (contrast) and stroke width (in
    cells). Ink takes colours away from its paper (or adds them to dark paper). The hues are how much more
    blue than green it takes, and how much more red than green: 0 for black, white and grey, about 1 for a
    strong colour. ``spread`` is the expected standard
    deviation within one ink; it is large for unreliable cells. ``paper`` is the colour of each
    cell's paper: blue, green, red in grey levels.
    """

    values: Floats
    spread: Floats
    paper: Floats

    @property
    def lightness(self) -> NDArray[np.float64]:
        """The logarithm (81,) of the brightness of each cell's paper, in grey levels."""
        return np.log(np.maximum(self.paper.astype(np.float64) @ _LUMINANCE, 1))

    def turned(self, quarter_turns: int) -> "InkMeasurements":
        """Return the same inks in the reading order of the grid turned counter-clockwise by quarter turns."""
        parts = (self.values, self.spread, self.paper)
        return InkMeasurements(*(in_turn(values, quarter_turns) for values in parts))


class _Strokes(NamedTuple):
    """The strokes of 81 cells and their colours.

    ``peak`` (81,) of the ink; ``width`` (81,) of the strokes in pixels; ``core`` and ``whole`` (81, 3): mean
    colours of the cores of the strokes, and of the whole strokes. All but the peak are 0 for too faint ink.
    """

    peak: Floats
    width: Floats
    core: Floats
    whole: Floats


def measure_ink(cells: Image, ink: Floats, coarse: Image) -> InkMeasurements:
    """Measure the ink of cells: straightened, (81, S, S, 3) uint8 BGR, and evened, (81, S, S) float32.

    *coarse* is the ``coarse_view`` of the cells, which shows their paper.

    * *Hue*: the mean difference to the paper over a glyph and its surroundings. Blur and the coarse colours
      of JPEG only move colour about, so they leave it as it is. It is relative to the paper, channel by
      channel, so the colour of the light cancels out.
    * *Depth*: the same difference over the cores of the strokes, where it is deepest.
    * *Stroke*: twice the amount of ink, divided by the length of the strokes' outlines.
    """
    strokes = _strokes(cells, ink)
    pixels = coarse.reshape(81, -1, 3)
    middle = pixels.shape[1] // 2
    paper = np.partition(pixels, middle, axis=1)[:, middle].astype(np.float32)
    brightness = paper @ _LUMINANCE
    darker = strokes.core @ _LUMINANCE < brightness
    inked = strokes.peak > MIN_PEAK
    light = bool(2 * np.count_nonzero(darker[inked]) >= np.count_nonzero(inked))
    scale = _scale(paper, strokes.core[inked], light)

    signed = (paper - strokes.whole) / scale
    total = signed.mean(axis=1)
    total = np.where(np.abs(total) < _MIN_DIVISOR, _MIN_DIVISOR, total)
    hues = (signed[:, [0, 2]] - signed[:, 1:2]) / total[:, None]
    depth = np.maximum(np.abs((paper - strokes.core) / scale).mean(axis=1), _MIN_DIVISOR)
    width = np.maximum(strokes.width / ink.shape[1], _MIN_DIVISOR)
    values = np.column_stack([hues, np.log(depth), np.log(width)])

    coloured = (darker == light) & (strokes.peak > _MIN_COLOURED)
    spread = _spread(depth * (scale @ _LUMINANCE), _odd_paper(paper, scale, light), coloured)
    return InkMeasurements(np.clip(values, -_MAX_VALUE, _MAX_VALUE).astype(np.float32), spread, paper)


def _strokes(cells: Image, ink: Floats) -> _Strokes:
    """Find the strokes inside cells; *cells* and *ink* as for :func:`measure_ink`.

    Pixels have weights here instead of a mask: those of the cores count fully, and edges count in part.
    """
    pixels = inside(ink, _RIM)
    count, size = pixels.shape
    rim, side = round(_RIM * ink.shape[1]), round(size**0.5)
    peak = peak_of(pixels)
    found = np.flatnonzero(peak > _MIN_COLOURED)
    relative = pixels[found] / np.maximum(peak[found], MIN_PEAK)[:, None]
    core = np.clip((relative - _STRONG) / _RAMP, 0, 1)
    whole = _widened(np.clip((relative - _WIDE) / _RAMP, 0, 1), side)
    colours = cells[found, rim:-rim, rim:-rim].reshape(len(found), size, 3).astype(np.float32)
    summed = np.matmul(np.stack([core, whole], axis=1), colours)
    weight = np.stack([core.sum(axis=1), whole.sum(axis=1)], axis=1)
    width, mean = np.zeros(count, np.float32), np.zeros((count, 2, 3), np.float32)
    mean[found] = summed / np.maximum(weight, _MIN_DIVISOR)[:, :, None]
    width[found] = _stroke_width((np.maximum(relative, 0) * whole).reshape(len(found), side, side))
    return _Strokes(peak, width, mean[:, 0], mean[:, 1])


def _widened(glyphs: Floats, side: int) -> Floats:
    """Return glyphs (N, P) with one more pixel all around; *side* is that of their cells, in pixels."""
    if not len(glyphs):
        return glyphs
    apart = np.zeros((len(glyphs), side + 1, side + 1), np.float32)  # so that no glyph grows into the next
    apart[:, :side, :side] = glyphs.reshape(-1, side, side)
    wide = cv2.dilate(apart.reshape(-1, side + 1), np.ones((3, 3), np.uint8))
    return np.reshape(wide, apart.shape)[:, :side, :side].reshape(glyphs.shape).astype(np.float32, copy=False)


def _scale(paper: Floats, ink: Floats, light: bool) -> Floats:
    """Return the divisor of differences, (81, 3): the paper if it is *light*, else the brightest ink."""
    if light:
        return np.maximum(paper, _DARKEST)
    brightest = max(_DARKEST, float(np.percentile(ink @ _LUMINANCE, _BRIGHTEST)))
    return np.full_like(paper, brightest)


def _odd_paper(paper: Floats, scale: Floats, light: bool) -> Floats:
    """Return the difference of each paper's colour to that of the other cells, (81,), without brightness."""
    divisor = np.maximum(paper @ _LUMINANCE, _DARKEST)[:, None] if light else scale
    tone = paper / divisor
    odd = np.abs(tone - medians(tone.T)).max(axis=1)
    return np.asarray(np.hypot(np.maximum(odd - _NEAR_PAPER, 0), _UNEVEN * median(odd)), np.float32)


def _stroke_width(glyph: Floats) -> Floats:
    """Return the width of strokes, (N,) pixels: twice the ink of glyphs (N, R, R) per length of outline."""
    across = np.abs(np.diff(glyph, axis=2)).sum(axis=(1, 2))
    down = np.abs(np.diff(glyph, axis=1)).sum(axis=(1, 2))
    return np.asarray(2 * glyph.sum(axis=(1, 2)) / np.maximum(np.hypot(across, down), 1e-3), np.float32)


def _spread(contrast: Floats, odd: Floats, coloured: NDArray[np.bool_]) -> Floats:
    """Return the expected standard deviations (81, 4).

    *contrast* (81,) is that of the ink in grey levels, *odd* (81,) how unusual the colour of the paper is,
    and *coloured* (81,) whether the cell has ink of a useful colour.
    """
    hue = np.sqrt(_HUE_SPREAD**2 + (_HUE_NOISE / contrast) ** 2 + odd**2)
    deep = np.hypot(_LOG_SPREAD, odd / 2)
    spread = np.column_stack([hue, hue, deep, np.full(len(odd), _LOG_SPREAD)])
    return np.where(coloured[:, None], spread, _UNKNOWN).astype(np.float32)
