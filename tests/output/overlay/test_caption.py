"""A caption stands below its picture, whole and legible at any width."""

import numpy as np
import pytest

from sudoku_vision.output.overlay.caption import captioned

WORDS = "In box 7, the digit 1 fits only in r8c3: the 1s in r1c1, r5c2 and r7c8 see the other blank cells."


@pytest.mark.parametrize("width", [60, 320, 1008, 4000])
def test_the_picture_stays_as_it_is_and_the_words_are_large_enough_for_a_phone(width: int) -> None:
    picture = np.full((50, width, 3), 90, np.uint8)
    drawn = captioned(picture, [("Hidden single", True), (WORDS, False)])
    assert np.array_equal(drawn[:50], picture)
    strip = drawn[50:, :, 0]
    inked = strip.min(axis=1) < 128
    assert not inked[0] and not inked[-1], "there is paper round the words"
    assert not (strip[:, [0, -1]] < 250).any(), "no word is cut off"
    heights = np.diff(np.flatnonzero(np.diff(inked.astype(int))))[::2]
    assert heights.max() >= max(7, 0.02 * width)


def test_a_picture_without_words_gets_no_strip() -> None:
    picture = np.zeros((5, 7, 3), np.uint8)
    assert captioned(picture, []) is picture
