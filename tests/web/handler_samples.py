"""What the tests of a worker's jobs share: a handler, and the sample pictures as bytes."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from sudoku_vision.vision.digits import load_model
from sudoku_vision.web.job_handler import JobHandler

SAMPLES = Path(__file__).resolve().parents[2] / "sample_images"
KEY = b"a key of the tests, 32 bytes long"


@cache
def handler() -> JobHandler:
    """A handler with the model of the package."""
    return JobHandler(load_model(), KEY)


def sample(name: str) -> bytes:
    """The bytes of a sample picture."""
    return (SAMPLES / name).read_bytes()


@cache
def solved(name: str) -> dict[str, Any]:
    """What a handler says of a sample picture."""
    told: dict[str, Any] = json.loads(handler().solve(sample(name)))
    return told


def state_of(name: str, grid: int = 0) -> str:
    """The state of a grid of a sample picture."""
    text: str = solved(name)["view"]["grids"][grid]["state"]
    return text
