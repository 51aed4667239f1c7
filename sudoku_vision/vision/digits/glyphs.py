"""Cut the glyphs out of cells of clean ink.

The glyph of a cell is the ink that belongs together and to the middle; it is cut out, centred and brought to
one size. Beside it stand a coarse view of the whole cell and a few sizes and strengths, some relative to the
other cells of the page: they tell digits from specks, pencil marks and dirt, and print from handwriting.

All of it turns with the cell, so the four turns of a board share the cutting out: :meth:`Glyphs.turned`.

The numbers in this module were there when the digit model was trained: who changes one raises
:data:`sudoku_vision.vision.digits.features.VERSION` and trains it anew.
"""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import Floats, Image
from sudoku_vision.vision.digits.components import ChosenInk, choose_components
from sudoku_vision.vision.ranks import largest, medians

GLYPH = 28  # side of a normalised glyph in pixels

COARSE = 10  # side of the coarse view of the whole cell in pixels

STRENGTHS = 9  # numbers that say how strong the ink of a cell is

LEAST_PEAK = 0.12  # weakest ink, against the full ink of its page, that is looked at as a glyph at all

# How strong the ink of a cell is, against the full ink of its page.
_RIM = 0.15  # share of a cell on each side that is left out, for what a grid line may have left there
PEAK_SHARE = 50  # the peak is reached by one in so many pixels: a thin 1 covers that much of a cell
_NOISE_STEP = 3  # noise is measured at every third pixel, for speed

# Soft edges and slopes that are left of shadows are broader than any stroke, so they stay when everything
# narrow is opened away (the white top-hat; J. Serra, "Image analysis and mathematical morphology", 1982).
_TOP_HAT = 0.5  # in cells: what is broader both ways is paper; no stroke is, nor where bold ones meet

# From which share of the peak a pixel is ink and not paper.
_USUAL, _FAINT = 0.42, 0.28  # in most cells, and in the faintest ones, where pencil strokes vary
_FAINT_BELOW, _FAINTER = 0.6, 0.4  # peak below which a cell is faint, and how fast the share falls
_NOISES = 4.0  # but no pixel is ink that is not so many times stronger than the noise, ...
_LEAST_INK = 0.1  # ... nor one weaker than this
_SMOOTH = 0.02  # blur, in cells, before ink is told from paper: noise must not break a glyph apart

# The normalised glyph and the coarse view.
_BODY = 22  # pixels of the normalised glyph that its longer side fills
_LEAST_SIDE = 3.0  # pixels of a cell below which a glyph is not magnified further
COARSE_RANGE = (-0.2, 1.5)  # what ink strengths of the coarse view are limited to

# Strengths are brought to a spread of about one, so that training starts well; and what is huge is limited.
_PEAK_LIMIT = 2.0
_DARKEST_PEAK = 0.01  # below it, the logarithm of a peak says nothing
_NOISE_SCALE, _NOISE_LIMIT = 10, 3
_AREA_SCALE = 4  # of the share of the cell that is ink
_STROKE_SCALE = 10  # of the width of strokes, in cells
_PARTS_SCALE, _PARTS_LIMIT = 2, 5  # pieces of a glyph
_SIDE_SCALE = 2  # of the longer side, in cells


@dataclass(frozen=True, eq=False)
class Glyphs:
    """The ink of N cells, cut out.

    ``images`` (N, 28, 28) float32 in 0..1, the glyph centred and size-normalised; ``coarse`` (N, 10, 10)
    float32, the whole cell; ``box`` (N, 4) float32, left, top, right and bottom of the glyph in cells;
    ``typical`` (N, 2) float32, width and height of a typical glyph of the page; ``strength`` (N, 9) float32,
    what does not depend on the turn; ``found`` (N,) bool, whether there is ink.
    """

    images: Floats
    coarse: Floats
    box: Floats
    typical: Floats
    strength: Floats
    found: NDArray[np.bool_]

    @property
    def area(self) -> Floats:
        """Return the share of each cell (N,) that is ink."""
        return np.asarray(self.strength[:, 3] / _AREA_SCALE)

    def turned(self, quarter_turns: int) -> "Glyphs":
        """Return the same cells in the same order, each turned counter-clockwise by quarter turns."""
        box = self.box
        for _ in range(quarter_turns % 4):
            left, top, right, bottom = box.T
            box = np.stack([top, 1 - right, bottom, 1 - left], axis=1)
        return replace(
            self,
            images=np.rot90(self.images, quarter_turns, axes=(1, 2)),
            coarse=np.rot90(self.coarse, quarter_turns, axes=(1, 2)),
            box=box,
            typical=self.typical[:, ::-1] if quarter_turns % 2 else self.typical,
        )

    def select(self, index: NDArray[Any]) -> "Glyphs":
        """Return the glyphs at *index*."""
        return Glyphs(
            self.images[index],
            self.coarse[index],
            self.box[index],
            self.typical[index],
            self.strength[index],
            self.found[index],
        )


class InkLevels(NamedTuple):
    """Ink levels of N cells: that of their strongest ink, and that of noise, (N,) each."""

    peak: Floats
    noise: Floats


def cut_glyphs(cells: Floats) -> Glyphs:
    """Cut the glyphs out of the cells (81, S, S) float32 of one page."""
    count, size = cells.shape[:2]
    rows = cells.reshape(count * size, size)
    view = cv2.resize(rows, (COARSE, count * COARSE), interpolation=cv2.INTER_AREA)
    coarse = np.asarray(view, np.float32).reshape(count, COARSE, COARSE)
    level = levelled(cells, coarse)
    levels = ink_levels(level)
    level[levels.peak < LEAST_PEAK] = 0
    ink = choose_components(thresholded(level, levels), count, size)
    amount = ink.area * np.clip(levels.peak, 0, _PEAK_LIMIT)
    typical = [_typical(side, amount) for side in (ink.box[:, 2:] - ink.box[:, :2]).T]
    return Glyphs(
        _images(cells, ink, levels.peak),
        np.clip(coarse, *COARSE_RANGE),
        ink.box,
        np.tile(np.array(typical, np.float32), (count, 1)),
        _strengths(ink, levels, size),
        ink.area > 0,
    )


def levelled(cells: Floats, coarse: Floats) -> Floats:
    """Return cells (N, S, S) with their paper at 0 throughout; *coarse* (N, C, C) is a view of them."""
    size = cells.shape[1]
    window = np.ones((round(_TOP_HAT * coarse.shape[1]),) * 2, np.uint8)
    opened = cv2.dilate(cv2.erode(np.ascontiguousarray(coarse.transpose(1, 2, 0)), window), window)
    level = cv2.resize(cv2.blur(opened, (3, 3)), (size, size), interpolation=cv2.INTER_LINEAR)
    level = cv2.transpose(level.reshape(size * size, -1))  # in a third of NumPy's time
    return np.asarray(cells - level.reshape(cells.shape), np.float32)


def ink_levels(cells: Floats) -> InkLevels:
    """Measure how strong the ink and the noise of cells (N, S, S) are."""
    count, size = cells.shape[:2]
    rim = round(_RIM * size)
    inner = cells[:, rim:-rim, rim:-rim].reshape(count, -1)
    place = inner.shape[1] // PEAK_SHARE
    return InkLevels(largest(inner, place), medians(np.abs(inner[:, ::_NOISE_STEP])))


def thresholded(cells: Floats, levels: InkLevels) -> Image:
    """Tell ink from paper in cells (N, S, S): (S, N * (S + 1)) uint8, an empty column after each cell."""
    count, size = cells.shape[:2]
    share = np.clip(_USUAL - _FAINTER * (_FAINT_BELOW - levels.peak), _FAINT, _USUAL)
    floor = np.maximum(np.minimum(_USUAL * levels.peak, _NOISES * levels.noise), _LEAST_INK)
    threshold = np.maximum(share * levels.peak, floor)
    strip = np.zeros((size, count, size + 1), np.float32)
    strip[:, :, :size] = (cells / threshold[:, None, None]).transpose(1, 0, 2)
    smooth = cv2.GaussianBlur(strip.reshape(size, count * (size + 1)), (0, 0), _SMOOTH * size)
    smooth.reshape(strip.shape)[:, :, size] = 0
    return (smooth > 1).view(np.uint8)


def _images(cells: Floats, ink: ChosenInk, peak: Floats) -> Floats:
    """Return the normalised glyphs (N, 28, 28) float32 in 0..1 of the cells (N, S, S)."""
    count, size = cells.shape[:2]
    mask = cv2.dilate(ink.kept, np.ones((3, 3), np.uint8)).reshape(size, -1, size + 1)[:, :, :size]
    masked = cells[ink.cells].transpose(1, 0, 2) * mask
    found = _normalised(masked, ink.box[ink.cells], size)
    found /= np.maximum(peak[ink.cells], LEAST_PEAK)[:, None, None]
    images = np.zeros((count, GLYPH, GLYPH), np.float32)
    images[ink.cells] = np.clip(found, 0, 1, out=found)
    return images


def _normalised(masked: Floats, box: Floats, size: int) -> Floats:
    """Bring the boxed part of each cell to the middle of a 28x28 picture, its longer side to 22 pixels.

    *masked* is (S, N, S), the cells side by side; returns (N, 28, 28).
    """
    count = masked.shape[1]
    strip = np.ascontiguousarray(masked).reshape(size, count * size)
    middle = (box[:, :2] + box[:, 2:]) / 2 * size
    longer = np.maximum((box[:, 2:] - box[:, :2]).max(axis=1) * size, _LEAST_SIDE)
    step = (longer / _BODY)[:, None]
    place = np.arange(GLYPH, dtype=np.float32) - (GLYPH - 1) / 2
    x = middle[:, :1] + place * step - 0.5
    y = middle[:, 1:] + place * step - 0.5
    inside = (x >= -0.5) & (x <= size - 0.5)
    x = np.clip(x, 0, size - 1) + (np.arange(count, dtype=np.float32) * size)[:, None]
    map_x = np.broadcast_to(x[:, None, :], (count, GLYPH, GLYPH)).reshape(count * GLYPH, GLYPH)
    map_y = np.broadcast_to(y[:, :, None], (count, GLYPH, GLYPH)).reshape(count * GLYPH, GLYPH)
    images = cv2.remap(
        strip,
        np.ascontiguousarray(map_x, np.float32),
        np.ascontiguousarray(map_y, np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
    )
    images = np.asarray(images, np.float32).reshape(count, GLYPH, GLYPH)
    images *= inside[:, None, :]
    return images


def _strengths(ink: ChosenInk, levels: InkLevels, size: int) -> Floats:
    """Return what does not depend on the turn, (N, 9): ink, noise, size and stroke, alone and on the page."""
    outline = np.zeros(len(ink.area), np.float32)
    outline[ink.cells] = _outline(ink.kept, size)
    stroke = _STROKE_SCALE * ink.area / np.maximum(outline, 1) / size
    longer = (ink.box[:, 2:] - ink.box[:, :2]).max(axis=1)
    strong = np.clip(levels.peak, 0, _PEAK_LIMIT)
    amount = ink.area * strong
    return np.stack(
        [
            strong,
            np.log(np.maximum(levels.peak, _DARKEST_PEAK)),
            np.clip(_NOISE_SCALE * levels.noise, 0, _NOISE_LIMIT),
            _AREA_SCALE * ink.area / size**2,
            stroke,
            np.minimum(ink.parts, _PARTS_LIMIT) / _PARTS_SCALE,
            strong - _typical(strong, amount),
            stroke - _typical(stroke, amount),
            _SIDE_SCALE * (longer - _typical(longer, amount)),
        ],
        axis=1,
    ).astype(np.float32)


def _outline(kept: Image, size: int) -> NDArray[np.float32]:
    """Return the length of the outlines, (N,) in pixels, of ink kept in a strip of cells."""
    core = np.asarray(cv2.erode(kept, cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))), np.uint8)
    columns = np.asarray(cv2.reduce(kept - core, 0, cv2.REDUCE_SUM, dtype=cv2.CV_32F), np.float32)
    return np.asarray(columns.reshape(-1, size + 1)[:, :-1].sum(axis=1))


def _typical(values: NDArray[np.floating[Any]], amount: NDArray[np.floating[Any]]) -> float:
    """Return the median over the cells, weighted by the amount of ink that they hold; 0 if there is none."""
    order = np.argsort(values)
    along = np.cumsum(amount[order])
    if not len(order) or along[-1] <= 0:
        return 0.0
    return float(values[order[np.searchsorted(along, along[-1] / 2)]])
