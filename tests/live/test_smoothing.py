"""What lies still is drawn still, and what moves is drawn where it is."""

from __future__ import annotations

import numpy as np

from sudoku_vision.live.target import smooth


def test_noise_is_smoothed_and_motion_is_not_lagged_behind() -> None:
    rng = np.random.default_rng(4)
    place = np.zeros((10, 10, 2), np.float32)
    shown, trembling = place, []
    for _ in range(200):
        shown = smooth(shown, place + rng.normal(0, 0.1, 2).astype(np.float32))
        trembling.append(shown[0, 0])
    assert np.std(trembling) < 0.075, "noise of 0.1 pixels is damped"
    assert np.array_equal(smooth(place, place + 5), place + 5)
