"""Corrections: digits rubbed out, written over, or crossed out with the right one beside them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from sudoku_vision.output.drawing.typefaces import Mask
from sudoku_vision.workshop.rendering.ink_masks import tight_ink

_GHOST = (0.06, 0.2)  # of the ink: what an eraser leaves
_GHOST_BLUR = 0.03  # of the height of a digit: how far its ghost is smeared
_SMUDGE = (0.03, 0.1)  # of the ink: the grey that is rubbed into the paper
_UNDER = (0.25, 0.6)  # of the ink of the last digit: how dark the one that it was written over still is
_STRIKES = (1, 3)  # strokes that cross a digit out, the higher number not included
_STRIKE_WIDTH = 0.07  # of the height of a digit


@dataclass(frozen=True)
class Corrections:
    """How often a person was mistaken, in shares of 0..1.

    ``rubbed_out``: of the cells left blank that bear the ghost of a digit; ``overwritten``: of the entries
    that stand over another digit; ``crossed_out``: of the entries that stand beside one struck out.
    """

    rubbed_out: float = 0.0
    overwritten: float = 0.0
    crossed_out: float = 0.0


def ghost_of(mask: Mask, rng: np.random.Generator) -> Mask:
    """Return what an eraser leaves of the ink (H, W) of a digit: a smeared trace on a smudge."""
    mask = tight_ink(mask)
    pad = max(2, mask.shape[0] // 4)
    wide = cv2.copyMakeBorder(mask, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=0)
    trace = cv2.GaussianBlur(wide.astype(np.float32), (0, 0), max(0.4, _GHOST_BLUR * mask.shape[0]))
    smudge = np.zeros(wide.shape, np.float32)
    height, width = wide.shape
    axes = (width / 2.4, height / 2.6)
    cv2.ellipse(smudge, ((width / 2, height / 2), (2 * axes[0], 2 * axes[1]), rng.uniform(-40, 40)), 255, -1)
    smudge = np.asarray(cv2.GaussianBlur(smudge, (0, 0), max(1.0, pad / 2)), np.float32)
    left = trace * rng.uniform(*_GHOST) + smudge * rng.uniform(*_SMUDGE)
    return np.asarray(np.clip(left, 0, 255), np.uint8)


def underneath(mask: Mask, rng: np.random.Generator) -> Mask:
    """Return the ink (H, W) of a digit that another one is about to be written over: paler than that."""
    return np.asarray(mask * rng.uniform(*_UNDER), np.uint8)


def struck_out(mask: Mask, rng: np.random.Generator) -> Mask:
    """Return the ink (H, W) of a digit with a stroke or two right through it, from side to side."""
    mask = tight_ink(mask)
    pad = max(2, mask.shape[0] // 8)
    struck = cv2.copyMakeBorder(mask, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=0)
    height, width = struck.shape
    thickness = max(1, round(_STRIKE_WIDTH * mask.shape[0]))
    rising = bool(rng.random() < 0.5)
    for _ in range(int(rng.integers(*_STRIKES))):
        start, end = height * rng.uniform(0.6, 0.9), height * rng.uniform(0.1, 0.4)
        ends = (start, end) if rising else (end, start)
        cv2.line(struck, (0, round(ends[0])), (width - 1, round(ends[1])), 255, thickness, cv2.LINE_AA)
        rising = not rising
    return np.asarray(struck, np.uint8)
