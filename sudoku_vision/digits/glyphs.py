"""Cut the glyphs out of cells of clean ink.

The glyph of a cell is the ink that belongs together and to the middle; it is cut out, centred and brought to
one size. Beside it stand a coarse view of the whole cell and a few sizes and strengths, some relative to the
other cells of the page: they tell digits from specks, pencil marks and dirt, and print from handwriting.

All of it turns with the cell, so the four turns of a board share the cutting out: :meth:`Glyphs.turned`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import Floats, Image

GLYPH = 28
"""Side of a normalised glyph in pixels."""

COARSE = 10
"""Side of the coarse view of the whole cell in pixels."""

_BODY = 22  # pixels of the normalised glyph that its longer side fills
_LEAST_PEAK = 0.12  # weakest ink, against the page's full ink, that is looked at as a glyph at all
_USUAL, _FAINT = 0.42, 0.28  # share of the peak that still counts as ink; in faint cells: pencil strokes vary
_FAINT_BELOW, _FAINTER = 0.6, 0.4  # peak below which a cell is faint, and how fast the share falls
_NOISES = 4.0  # unless noise reaches as high
_LEAST_INK = 0.1  # nor anything below this
_SMOOTH = 0.02  # blur, in cells, before ink is told from paper: noise must not break a glyph apart


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

    def turned(self, quarter_turns: int) -> Glyphs:
        """The same cells in the same order, each turned counter-clockwise by quarter turns."""
        box = self.box
        for _ in range(quarter_turns % 4):
            left, top, right, bottom = box.T
            box = np.stack([top, 1 - right, bottom, 1 - left], axis=1)
        return Glyphs(
            np.rot90(self.images, quarter_turns, axes=(1, 2)),
            np.rot90(self.coarse, quarter_turns, axes=(1, 2)),
            box,
            self.typical[:, ::-1] if quarter_turns % 2 else self.typical,
            self.strength,
            self.found,
        )

    def select(self, index: NDArray[Any]) -> Glyphs:
        """The glyphs at *index*."""
        return Glyphs(
            self.images[index],
            self.coarse[index],
            self.box[index],
            self.typical[index],
            self.strength[index],
            self.found[index],
        )


def cut_glyphs(cells: Floats) -> Glyphs:
    """Cut the glyphs out of the cells (81, S, S) float32 of one page."""
    count, size = cells.shape[:2]
    rim = round(0.15 * size)
    inner = cells[:, rim:-rim, rim:-rim].reshape(count, -1)
    place = inner.shape[1] // 50
    peak = np.partition(inner, -place, axis=1)[:, -place]
    noise = np.median(np.abs(inner[:, ::3]), axis=1)
    share = np.clip(_USUAL - _FAINTER * (_FAINT_BELOW - peak), _FAINT, _USUAL)
    floor = np.maximum(np.minimum(_USUAL * peak, _NOISES * noise), _LEAST_INK)
    threshold = np.maximum(share * peak, floor)
    strip = np.zeros((size, count, size + 1), np.float32)
    strip[:, :, :size] = (cells / threshold[:, None, None]).transpose(1, 0, 2)
    smooth = cv2.GaussianBlur(strip.reshape(size, count * (size + 1)), (0, 0), _SMOOTH * size)
    smooth.reshape(strip.shape)[:, :, size] = 0
    strip = (smooth > 1).view(np.uint8)
    kept, box, area, parts = _choose_components(strip, count, size)
    mask = cv2.dilate(kept, np.ones((3, 3), np.uint8)).reshape(size, count, size + 1)[:, :, :size]
    masked = cells.transpose(1, 0, 2) * mask
    found = area > 0
    scaled = np.maximum(peak, _LEAST_PEAK)
    images = _normalise(masked, box, size) / scaled[:, None, None]
    coarse = cv2.resize(cells.transpose(1, 2, 0), (COARSE, COARSE), interpolation=cv2.INTER_AREA)
    strength = _strengths(box, area, parts, peak, noise, kept.reshape(size, count, size + 1))
    mass = area * np.clip(peak, 0, 2)
    extent = box[:, 2:] - box[:, :2]
    typical = np.array([_typical(extent[:, 0], mass), _typical(extent[:, 1], mass)], np.float32)
    return Glyphs(
        np.clip(images, 0, 1).astype(np.float32),
        np.clip(np.ascontiguousarray(coarse.transpose(2, 0, 1)), -0.2, 1.5).astype(np.float32),
        box,
        np.tile(typical, (count, 1)),
        strength,
        found,
    )


def _choose_components(
    strip: Image, count: int, size: int
) -> tuple[Image, Floats, NDArray[np.float32], NDArray[np.float32]]:
    """Keep the ink that belongs to the glyph in the middle of each cell.

    Takes the thresholded cells side by side, one empty column after each; returns the kept ink in the same
    arrangement, boxes (N, 4) in cells, areas (N,) in pixels and numbers of parts (N,).
    """
    _, labels, stats, centres = cv2.connectedComponentsWithStats(strip, connectivity=8)
    cell = np.minimum((stats[:, 0] // (size + 1)), count - 1)
    left = stats[:, 0] - cell * (size + 1)
    top, width, height = stats[:, 1], stats[:, 2], stats[:, 3]
    area = stats[:, 4].astype(np.float64)
    x = (centres[:, 0] - cell * (size + 1) + 0.5) / size
    y = (centres[:, 1] + 0.5) / size
    off = np.maximum(np.abs(x - 0.5), np.abs(y - 0.5))
    reach = np.maximum(  # how far from the middle the component's nearest edge lies
        np.maximum(left / size - 0.5, 0.5 - (left + width) / size),
        np.maximum(top / size - 0.5, 0.5 - (top + height) / size),
    )
    at_edge = (left <= 2) | (top <= 2) | (left + width >= size - 2) | (top + height >= size - 2)
    through = ((left <= 2) & (left + width >= size - 2)) | ((top <= 2) & (top + height >= size - 2))
    line = through & (np.minimum(width, height) < 0.3 * size) & (off > 0.12)
    eligible = (reach < 0.22) & (off < 0.36) & ~(at_edge & (reach > 0.12)) & ~line
    eligible[0] = False
    weight = np.where(eligible, area * (1 - 1.6 * off) ** 2, 0)
    best = np.zeros(count)
    np.maximum.at(best, cell, weight)
    main = eligible & (weight >= best[cell]) & (weight > 0)
    main_area = np.zeros(count)
    np.maximum.at(main_area, cell, np.where(main, area, 0))
    keep = eligible & (area >= np.maximum(0.06 * main_area[cell], 3)) & (main_area[cell] > 0)
    kept = keep.astype(np.uint8)[labels]
    box = np.tile(np.array([1, 1, 0, 0], np.float32), (count, 1))
    np.minimum.at(box[:, 0], cell[keep], (left[keep] / size).astype(np.float32))
    np.minimum.at(box[:, 1], cell[keep], (top[keep] / size).astype(np.float32))
    np.maximum.at(box[:, 2], cell[keep], ((left + width)[keep] / size).astype(np.float32))
    np.maximum.at(box[:, 3], cell[keep], ((top + height)[keep] / size).astype(np.float32))
    sums = np.zeros(count, np.float32)
    np.add.at(sums, cell[keep], area[keep].astype(np.float32))
    parts = np.zeros(count, np.float32)
    np.add.at(parts, cell[keep], 1)
    box[sums == 0] = (0.5, 0.5, 0.5, 0.5)
    return kept, box, sums, parts


def _normalise(masked: Floats, box: Floats, size: int) -> Floats:
    """Bring the boxed part of each cell to the middle of a 28x28 picture, its longer side to 22 pixels.

    *masked* is (S, N, S), the cells side by side; returns (N, 28, 28).
    """
    count = masked.shape[1]
    strip = np.ascontiguousarray(masked).reshape(size, count * size)
    middle = (box[:, :2] + box[:, 2:]) / 2 * size
    longer = np.maximum((box[:, 2:] - box[:, :2]).max(axis=1) * size, 3.0)
    step = (longer / _BODY)[:, None]
    place = np.arange(GLYPH, dtype=np.float32) - (GLYPH - 1) / 2
    x = middle[:, :1] + place * step - 0.5
    y = middle[:, 1:] + place * step - 0.5
    outside = (x < -0.5) | (x > size - 0.5)
    x = np.clip(x, 0, size - 1) + (np.arange(count) * size)[:, None]
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
    images[np.broadcast_to(outside[:, None, :], images.shape)] = 0
    return images


def _strengths(
    box: Floats,
    area: Floats,
    parts: Floats,
    peak: Floats,
    noise: Floats,
    kept: Image,
) -> Floats:
    """What does not depend on the turn, (N, 9): ink, noise, size and stroke, alone and against the page."""
    core = np.asarray(cv2.erode(kept.reshape(kept.shape[0], -1), _CROSS), np.uint8).reshape(kept.shape)
    outline = (kept - core)[:, :, :-1]
    edge = outline.sum(axis=(0, 2)).astype(np.float32)
    size = kept.shape[0]
    stroke = 10 * area / np.maximum(edge, 1) / size
    longer = (box[:, 2:] - box[:, :2]).max(axis=1)
    strong = np.clip(peak, 0, 2)
    mass = area * strong
    return np.stack(
        [
            strong,
            np.log(np.maximum(peak, 0.01)),
            np.clip(10 * noise, 0, 3),
            4 * area / size**2,
            stroke,
            np.minimum(parts, 5) / 2,
            strong - _typical(strong, mass),
            stroke - _typical(stroke, mass),
            2 * (longer - _typical(longer, mass)),
        ],
        axis=1,
    ).astype(np.float32)


_CROSS = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))


def _typical(values: Floats, mass: Floats) -> float:
    """The median over the cells, weighted by how much ink they hold; 0 if there is none."""
    order = np.argsort(values)
    along = np.cumsum(mass[order])
    if not len(order) or along[-1] <= 0:
        return 0.0
    return float(values[order[np.searchsorted(along, along[-1] / 2)]])
