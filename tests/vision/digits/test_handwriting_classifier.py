"""The second stage: strokes are told apart, and plain digits are read."""

from __future__ import annotations

import numpy as np
from test_cascade import PUZZLE, clean_cells

from sudoku_vision.vision.digits.glyphs import cut_glyphs
from sudoku_vision.vision.digits.handwriting import HandwritingClassifier
from sudoku_vision.vision.digits.model import load_model


def test_codes_tell_strokes_apart_and_an_empty_glyph_has_none() -> None:
    upright, lying = np.zeros((28, 28), np.float32), np.zeros((28, 28), np.float32)
    upright[4:24, 12:16] = 1
    lying[12:16, 4:24] = 1
    codes = load_handwriting().dictionary.codes(np.stack([upright, lying, np.zeros_like(upright)]))
    assert codes[2].max() == 0
    assert np.abs(codes[0] - codes[1]).max() > 0.2


def test_the_handwriting_classifier_of_the_package_reads_plain_digits() -> None:
    glyphs = cut_glyphs(clean_cells())
    found = np.array([int(digit) for digit in PUZZLE])
    read = load_handwriting().log_probabilities(glyphs.images).argmax(axis=1) + 1
    assert (read == found)[found > 0].mean() > 0.9


def load_handwriting() -> HandwritingClassifier:
    classifier = load_model().handwriting
    assert classifier is not None
    return classifier
