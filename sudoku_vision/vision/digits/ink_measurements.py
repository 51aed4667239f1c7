"""Measure the ink of every cell, against the cell's own paper.

Ink is described by quantities that blur, light and the thickness of a stroke change little: two hues, its
depth, and the width of its strokes.
"""

from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import Floats, Image
from sudoku_vision.vision.digits.glyphs import LEAST_PEAK, PEAK_SHARE
from sudoku_vision.vision.digits.turns import in_turn
from sudoku_vision.vision.ranks import median, medians

_RIM = 0.12  # share of a cell on each side where lines may still show
_LEAST_TOLD = LEAST_PEAK / 2  # peak from which the colour of ink tells anything
# Shares of the cell's strongest ink from which a pixel belongs to a stroke's core, or to its edge.
_STRONG, _WIDE = 0.6, 0.4
_RAMP = 0.2  # share of the strongest ink over which a pixel comes to count fully
_DARKEST = 20.0  # grey levels below which ratios mean nothing
_BRIGHTEST = 90.0  # percentile of the ink of a page in light digits that stands for white
_LUMINANCE = np.array([0.114, 0.587, 0.299], np.float32)  # of blue, green, red (ITU-R BT.601)
_MOST = 4.0  # what hues and logarithms are limited to: beyond, something was divided by next to nothing
_LEAST = 1e-3  # of differences, depths and widths, before they are divided by

_HUE_SPREAD = 0.035  # of the hue of one ink within a page of clean print (median of 160 photos: 0.04)
_HUE_NOISE = 2.0  # grey levels of noise of paper and camera, which dark and pale pictures suffer from
_LOG_SPREAD = 0.09  # of the logarithms of depth and stroke, likewise
_UNEVEN = 2.0  # how much of the paper's own variety of colour, as on crumpled pages, goes for that of inks
_NEAR_PAPER = 0.03  # papers that differ less in colour are alike
_NO_IDEA = 5.0  # spread where a quantity says nothing


@dataclass(frozen=True, eq=False)
class InkMeasurements:
    """The ink of 81 cells: ``values`` and ``spread`` (81, 4), ``paper`` (81,), all float32.

    The columns of ``values`` are two hues (how much more blue, and more red, than green the ink takes away
    from its paper, or adds to it where paper is dark; 0 for black, white and grey, about 1 for a strong
    colour), the logarithm of its depth (its contrast) and that of its stroke (its width in cells). ``spread``
    is the standard deviation expected of each within one ink; it is large where a cell tells little.
    ``paper`` is the logarithm of the brightness of each cell's paper, in grey levels.
    """

    values: Floats
    spread: Floats
    paper: Floats

    def turned(self, quarter_turns: int) -> "InkMeasurements":
        """Return the same inks in the reading order of the grid turned counter-clockwise by quarter turns."""
        if not quarter_turns:
            return self
        return InkMeasurements(
            *(in_turn(values, quarter_turns) for values in (self.values, self.spread, self.paper))
        )


class _Strokes(NamedTuple):
    """Where the ink of 81 cells is, and what colour it has there.

    ``peak`` (81,): the strongest ink of each cell that may hold any, else nought; ``width`` (81,) of its
    strokes in pixels; ``core`` and ``whole`` (81, 3): mean colours of the strokes' cores, and of all of them.
    All but the first are nought where ink is too faint to tell anything.
    """

    peak: Floats
    width: Floats
    core: Floats
    whole: Floats


def measure_ink(cells: Image, ink: Floats, coarse: Image) -> InkMeasurements:
    """Measure the ink of cells: straightened, (81, S, S, 3) uint8 BGR, and evened, (81, S, S) float32.

    *coarse* is the view of the cells from which their paper is told (``coarse_view``).

    * *Hue*: the difference to the paper, added up over the glyph and its surroundings, so that blur and the
      coarse colours of JPEG, which only move colour about, leave it as it is; relative to the paper, channel
      by channel, so that the light's colour cancels out.
    * *Depth*: the same difference, but over the cores of the strokes, where it is deepest.
    * *Stroke*: twice the amount of ink by the length of the strokes' outlines.
    """
    strokes = _strokes(cells, ink)
    inside = coarse.reshape(81, -1, 3)
    middle = inside.shape[1] // 2
    paper = np.partition(inside, middle, axis=1)[:, middle].astype(np.float32)
    brightness = paper @ _LUMINANCE
    darker = strokes.core @ _LUMINANCE < brightness
    inked = strokes.peak > LEAST_PEAK
    light = bool(2 * np.count_nonzero(darker[inked]) >= np.count_nonzero(inked))
    scale = _scale(paper, strokes.core[inked], light)

    signed = (paper - strokes.whole) / scale
    total = signed.mean(axis=1)
    total = np.where(np.abs(total) < _LEAST, _LEAST, total)
    hues = (signed[:, [0, 2]] - signed[:, 1:2]) / total[:, None]
    depth = np.maximum(np.abs((paper - strokes.core) / scale).mean(axis=1), _LEAST)
    width = np.maximum(strokes.width / ink.shape[1], _LEAST)
    values = np.column_stack([hues, np.log(depth), np.log(width)])

    told = (darker == light) & (strokes.peak > _LEAST_TOLD)
    spread = _spread(depth * (scale @ _LUMINANCE), _odd_paper(paper, scale, light), told)
    lightness = np.log(np.maximum(brightness, 1)).astype(np.float32)
    return InkMeasurements(np.clip(values, -_MOST, _MOST).astype(np.float32), spread, lightness)


def _strokes(cells: Image, ink: Floats) -> _Strokes:
    """Find the strokes in the inside of cells; these and their *ink* are as for :func:`measure_ink`."""
    rim, count = round(_RIM * ink.shape[1]), len(ink)
    inner = ink[:, rim:-rim, rim:-rim]
    side, pixels = inner.shape[1], inner.shape[1] * inner.shape[2]
    flat = inner.reshape(count, pixels)
    place = max(2, pixels // PEAK_SHARE)
    peak = np.partition(flat, -place, axis=1)[:, -place]
    told = np.flatnonzero(peak > _LEAST_TOLD)
    relative = flat[told] / np.maximum(peak[told], LEAST_PEAK)[:, None]
    core = np.clip((relative - _STRONG) / _RAMP, 0, 1)
    whole = _widened(np.clip((relative - _WIDE) / _RAMP, 0, 1), side)
    colours = cells[told, rim:-rim, rim:-rim].reshape(len(told), pixels, 3).astype(np.float32)
    summed = np.matmul(np.stack([core, whole], axis=1), colours)
    weight = np.stack([core.sum(axis=1), whole.sum(axis=1)], axis=1)
    width, mean = np.zeros(count, np.float32), np.zeros((count, 2, 3), np.float32)
    mean[told] = summed / np.maximum(weight, _LEAST)[:, :, None]
    width[told] = _stroke_width((np.maximum(relative, 0) * whole).reshape(len(told), side, side))
    return _Strokes(peak, width, mean[:, 0], mean[:, 1])


def _widened(glyphs: Floats, side: int) -> Floats:
    """Return glyphs (N, P) with one more pixel all round; *side* is that of their cells, in pixels."""
    if not len(glyphs):
        return glyphs
    apart = np.zeros((len(glyphs), side + 1, side + 1), np.float32)  # so that no glyph grows into the next
    apart[:, :side, :side] = glyphs.reshape(-1, side, side)
    wide = cv2.dilate(apart.reshape(-1, side + 1), np.ones((3, 3), np.uint8))
    return np.reshape(wide, apart.shape)[:, :side, :side].reshape(glyphs.shape).astype(np.float32, copy=False)


def _scale(paper: Floats, ink: Floats, light: bool) -> Floats:
    """Return what differences are measured against, (81, 3): the paper; where dark, the brightest ink."""
    if light:
        return np.maximum(paper, _DARKEST)
    brightest = max(_DARKEST, float(np.percentile(ink @ _LUMINANCE, _BRIGHTEST)))
    return np.full_like(paper, brightest)


def _odd_paper(paper: Floats, scale: Floats, light: bool) -> Floats:
    """Return how much the paper's colour differs from that of other cells, (81,), brightness aside."""
    against = np.maximum(paper @ _LUMINANCE, _DARKEST)[:, None] if light else scale
    tone = paper / against
    odd = np.abs(tone - medians(tone.T)).max(axis=1)
    return np.asarray(np.hypot(np.maximum(odd - _NEAR_PAPER, 0), _UNEVEN * median(odd)), np.float32)


def _stroke_width(glyph: Floats) -> Floats:
    """Return the width of strokes in pixels, (N,): twice the ink of glyphs (N, R, R) by their outlines."""
    across = np.abs(np.diff(glyph, axis=2)).sum(axis=(1, 2))
    down = np.abs(np.diff(glyph, axis=1)).sum(axis=(1, 2))
    return np.asarray(2 * glyph.sum(axis=(1, 2)) / np.maximum(np.hypot(across, down), 1e-3), np.float32)


def _spread(contrast: Floats, odd: Floats, told: NDArray[np.bool_]) -> Floats:
    """Return the standard deviations (81, 4) to be expected.

    *contrast* (81,) is that of the ink in grey levels, *odd* how unusual the paper's colour is, and *told*
    where the cell says anything.
    """
    hue = np.sqrt(_HUE_SPREAD**2 + (_HUE_NOISE / contrast) ** 2 + odd**2)
    deep = np.hypot(_LOG_SPREAD, odd / 2)
    spread = np.column_stack([hue, hue, deep, np.full(len(odd), _LOG_SPREAD)])
    return np.where(told[:, None], spread, _NO_IDEA).astype(np.float32)
