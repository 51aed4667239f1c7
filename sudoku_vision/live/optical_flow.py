"""Optical flow: where points of one picture went in another, and the one motion that most of them share.

The flow is that of B. Lucas and T. Kanade, "An iterative image registration technique", 1981, in pyramids as
by J.-Y. Bouguet, 2000; points that moved otherwise are left out of the motion (RANSAC).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import Homography, fit_homography_robustly
from sudoku_vision.results import Floats, Image

MIN_POINTS = 8
"""Points from which a motion is fitted: four determine it, as many again bear it out."""

_ITERATIONS, _STEP = 12, 0.02
"""The search for a point ends after so many steps, or when one is shorter than this, in pixels."""
_CRITERIA = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, _ITERATIONS, _STEP)


@dataclass(frozen=True)
class FlowSettings:
    """How far points are searched: the side of the ``window``, in pixels, doubled ``levels`` times."""

    window: int
    levels: int


def measure_flow(
    before: Image, after: Image, points: Floats, settings: FlowSettings
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return where *points* (N, 2) of a grey picture went in another, (N, 2), and which were found, (N,)."""
    start = points.reshape(-1, 1, 2)
    end, found, _ = cv2.calcOpticalFlowPyrLK(
        before,
        after,
        start,
        start.copy(),
        winSize=(settings.window, settings.window),
        maxLevel=settings.levels,
        criteria=_CRITERIA,
    )
    return np.asarray(end, np.float32).reshape(-1, 2), np.asarray(found).ravel() == 1


def common_motion(start: Floats, end: Floats, tolerance: float) -> tuple[Homography | None, int]:
    """Return the homography by which most points (N, 2) move, and how many go within *tolerance* of it.

    *tolerance* is in pixels of *end*. The homography is None where the points determine none.
    """
    if len(start) < MIN_POINTS:
        return None, 0
    found = fit_homography_robustly(start, end, tolerance)
    return (None, 0) if found is None else (found[0], int(found[1].sum()))
