"""The desk of a worker: opened once, with the model loaded and one picture read to be warm."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sudoku_vision.web.settings import Limits
from sudoku_vision.web.workers import Factory

_WARMING = "400000805030000000000700000020000060000080400000010000000603070500200000104000000"
"""A puzzle whose picture is read before the first request comes."""


def desk_factory(key: bytes, limits: Limits, model: Path | None = None) -> Factory:
    """Return what opens a desk in each worker; *key* signs what clients bring back."""
    return Factory(__name__, "open_desk", {"key": key, "limits": limits, "model": model})


def open_desk(key: bytes, limits: Limits, model: Path | None = None) -> Any:  # noqa: ARG001 (jobs come next)
    """Return a desk that has read a picture: the object whose methods are the jobs.

    Raises :class:`~sudoku_vision.errors.ModelError` if *model* is none.
    """
    from sudoku_vision.board import board_array, parse_board
    from sudoku_vision.digits import load_model
    from sudoku_vision.drawing.puzzle import PrintablePuzzle, draw_puzzle
    from sudoku_vision.pipeline import read_photo
    from sudoku_vision.results import Photo

    puzzle = board_array(parse_board(_WARMING))
    read_photo(Photo(draw_puzzle(PrintablePuzzle(puzzle, puzzle)), ""), model=load_model(model))
    return object()
