"""Recipe: all that decides what is drawn into the picture of a page, besides its file."""

from __future__ import annotations

import json
from pathlib import Path

from sudoku_vision import __version__
from sudoku_vision.cli.runs.provenance import digest
from sudoku_vision.vision.digits.model import default_path


def recipe_of(what: str, model: Path | None, **said: str | float | None) -> str:
    """Return what stands for *what* is drawn, this version, the *model* file, and all that was *said*.

    A model that can't be read has no digest: reading a picture says what is wrong with it.
    """
    try:
        model_digest = digest(model or default_path())
    except OSError:
        model_digest = ""
    return json.dumps([what, __version__, model_digest, sorted(said.items())])
