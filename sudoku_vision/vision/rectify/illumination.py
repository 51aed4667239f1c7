"""Illumination: the light of each cell divided out, its ink told from its paper, whatever colour either has.

What is left over the paper is projected onto the colour of the cell's own ink, so dark on light, light on
dark, coloured ink and shaded cells all come out alike. Strength is scaled once for the whole page, so an
empty cell stays empty.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import Floats, Image
from sudoku_vision.vision.rectify.background import coarse_view, magnify, paper_of

_INNER = 0.15
"""Share of a cell on each side that is left out when its ink is measured: lines may reach that far."""
_THINNED = 2  # every second pixel, in both directions, is enough to measure ink, at a quarter of the time
_TOP = 30
"""Full ink is what one of so many pixels of a cell reaches: the middle of strokes, no single noisy one."""
_LEAST_TOP = 2  # the same in pixels, at least
_PAGE_PULL = 0.15  # how far the page's ink colour steers the ink colour of a cell, against the cell's own
_MIN_INK = 0.05  # least contrast to paper that counts as full ink: below it lies noise
_DARKEST = 40.0  # length of a BGR colour below which a cell is too dark for its ratios to mean anything
_STRONG_CELLS = 10  # the page's full ink is that of its tenth strongest cell: puzzles have 17 clues ..
_FEW_CELLS, _FEW_SHARE = 3, 0.5
"""... but at least half of that of the third strongest, for pages with fewer digits still."""
_PAGE_CELLS = 2 * _STRONG_CELLS  # the page's ink colour is the mean of that of so many of its strongest cells
_DARKER: Floats = np.full(3, -1 / np.sqrt(3), np.float32)
"""The ink colour of a cell in which nothing differs from paper: darker in all three channels."""
_NOTHING = 1e-6  # length of a colour below which it has no direction


def even(cells: Image, coarse: Image | None = None) -> Floats:
    """Turn colours into ink: (81, S, S, 3) uint8 BGR to (81, S, S) float32.

    *coarse* is their :func:`coarse_view`, where it is at hand.

    * The paper of a cell is a running median over a coarse view of its inside (``background``).
    * The ink colour of a cell is the mean difference from its paper, weighted by its own size, pulled
      slightly towards that of the page; its sign settles the polarity.
    * Ink is the projection on that colour, divided by the brighter of paper and ink (so it is a reflectance)
      and by the full ink of the page.
    """
    size = cells.shape[1]
    paper = paper_of(coarse_view(cells) if coarse is None else coarse)
    rim = round(_INNER * size)
    thinned = slice(rim, -rim, _THINNED)
    inner = (cells[:, thinned, thinned] - magnify(paper, size, thinned)).reshape(81, -1, 3)
    direction = _ink_direction(inner)
    direction /= _brightness(inner, direction, _mean_colour(paper))[:, None]
    ink = _along(cells, direction)
    ink -= magnify(_along(paper, direction)[..., None], size)[..., 0]
    ranked = np.sort(_top(ink[:, thinned, thinned].reshape(81, -1)))
    ink /= max(_MIN_INK, float(ranked[-_STRONG_CELLS]), _FEW_SHARE * float(ranked[-_FEW_CELLS]))
    return ink


def _mean_colour(cells: Floats) -> Floats:
    """Return the mean colour of cells (81, S, S, 3), (81, 3); as a product ten times as quick as ``mean``."""
    flat = cells.reshape(81, -1, 3)
    mean: Floats = np.full(flat.shape[1], 1 / flat.shape[1], np.float32) @ flat
    return mean


def _along(colours: NDArray[Any], direction: Floats) -> Floats:
    """Return how far *colours* (81, S, S, 3) reach along a *direction* (81, 3) of each cell, (81, S, S)."""
    flat = colours.reshape(81, -1, 3).astype(np.float32, copy=False)
    reach: Floats = np.matmul(flat, direction[:, :, None])
    return reach.reshape(colours.shape[:3])


def _ink_direction(inner: Floats) -> Floats:
    """Return unit vectors (81, 3) from paper to ink, from the differences (81, N, 3) inside the cells."""
    strength = np.sqrt((inner * inner) @ np.ones(3, np.float32))
    pull = np.matmul(strength[:, None], inner)[:, 0] / inner.shape[1]
    size = np.linalg.norm(pull, axis=1)
    strong = np.argsort(size)[-_PAGE_CELLS:]
    page = pull[strong].mean(axis=0)
    pull = pull + _PAGE_PULL * page
    length = np.linalg.norm(pull, axis=1, keepdims=True)
    return np.where(length > _NOTHING, pull / np.maximum(length, _NOTHING), _DARKER).astype(np.float32)


def _brightness(inner: Floats, direction: Floats, paper: Floats) -> NDArray[np.float32]:
    """Return the brighter of paper and ink, (81,): the lengths of their BGR colours."""
    along = np.matmul(inner, direction[:, :, None])[..., 0]
    ink = paper + _top(along)[:, None] * direction
    level = np.maximum(np.linalg.norm(paper, axis=1), np.linalg.norm(ink, axis=1))
    return np.asarray(np.maximum(level, _DARKEST), np.float32)


def _top(ink: Floats) -> Floats:
    """Return the full ink of each cell, (81,), from the ink of its pixels (81, N)."""
    place = max(_LEAST_TOP, ink.shape[1] // _TOP)
    full: Floats = np.partition(ink, -place, axis=1)[:, -place]
    return full
