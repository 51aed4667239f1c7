"""Model: the digit model that a command is to use."""

from __future__ import annotations

from pathlib import Path

from sudoku_vision.errors import ModelError
from sudoku_vision.vision.digits.cascade import DigitModel
from sudoku_vision.vision.digits.model import load_model


def named_model(path: Path | None) -> DigitModel:
    """Load the model of ``--model``, or the one that comes along; raises :class:`ModelError`.

    Who names a file that is no model needs another one, and not the program anew.
    """
    try:
        return load_model(path)
    except ModelError as error:
        if path is None:
            raise
        remedy = "Name one made by `sudoku-vision train`, or leave --model out."
        raise ModelError(error.message, remedy) from None
