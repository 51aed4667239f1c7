"""What the tests of a worker's jobs share: a desk, and the sample pictures as bytes."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from sudoku_vision.vision.digits import load_model
from sudoku_vision.web.jobs import Desk

SAMPLES = Path(__file__).resolve().parents[2] / "sample_images"
KEY = b"a key of the tests, 32 bytes long"


@cache
def desk() -> Desk:
    """A desk with the model of the package."""
    return Desk(load_model(), KEY)


def sample(name: str) -> bytes:
    """The bytes of a sample picture."""
    return (SAMPLES / name).read_bytes()


@cache
def solved(name: str) -> dict[str, Any]:
    """What a desk says of a sample picture."""
    told: dict[str, Any] = json.loads(desk().solve(sample(name)))
    return told


def state_of(name: str, grid: int = 0) -> str:
    """The state of a grid of a sample picture."""
    text: str = solved(name)["view"]["grids"][grid]["state"]
    return text
