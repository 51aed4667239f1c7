"""Hands: every one forms every digit, at the height that is asked for."""

from __future__ import annotations

import numpy as np
import pytest

from sudoku_vision.output.drawing.typefaces import bundled_typefaces
from sudoku_vision.workshop.rendering.hands import (
    FORMS,
    Writer,
    in_typeface,
    many_hands,
    new_hand,
    of_database,
    pen_mask,
)


def database() -> Writer:
    """Two bars for each digit, the digit's number of pixels wide."""
    images = np.zeros((18, 28, 28), np.uint8)
    labels = np.tile(np.arange(1, 10), 2)
    for image, label in zip(images, labels, strict=True):
        image[4:24, 8 : 9 + label] = 255
    return of_database(images, labels)


def test_every_hand_forms_every_digit() -> None:
    rng = np.random.default_rng(0)
    assert set(FORMS) == set(range(1, 10))
    for _ in range(20):
        hand = new_hand(rng)
        for digit in range(1, 10):
            assert pen_mask(hand, digit, rng).mean() > 2


@pytest.mark.parametrize(
    "writer",
    [
        new_hand(np.random.default_rng(3)),
        many_hands(0.1),
        in_typeface(bundled_typefaces()[0]),
        database(),
    ],
    ids=["pen", "pens of many", "typeface", "database"],
)
def test_a_glyph_is_as_tall_as_asked_for(writer: Writer) -> None:
    rng = np.random.default_rng(1)
    for height in (14.0, 40.0):
        masks = [writer(digit, height, rng) for digit in range(1, 10)]
        assert all(mask.dtype == np.uint8 and mask.max() > 150 for mask in masks)
        assert [mask.shape[0] for mask in masks] == pytest.approx([height] * 9, abs=0.15 * height)
