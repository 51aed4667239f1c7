"""Warm-up: let a process load what reading and drawing take, while it is not yet known what is to be read."""

from __future__ import annotations

from pathlib import Path


def warm_up(model: Path | None) -> None:
    """Load the road and the digit *model*; what is wrong with the model is told by the first task."""
    from sudoku_vision import pipeline  # noqa: F401 (kept loaded)
    from sudoku_vision.cli.runs.model import named_model
    from sudoku_vision.errors import ModelError
    from sudoku_vision.output import overlay  # noqa: F401 (kept loaded)

    try:
        named_model(model)
    except ModelError:
        return
