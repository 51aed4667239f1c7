"""The benchmark of the service: what is counted as refused, lost and wrong, and what processes take."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Load a script of the benchmark by its name; none is part of the package."""
    pytest.importorskip("websockets")
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module


def test_a_refusal_says_when_to_come_again_and_anything_else_is_lost(benchmark: Any) -> None:
    answer, web = benchmark("web_service").Answer, benchmark("web")
    answers = [answer(200, 0.1), answer(200, 0.2), answer(503, 0.01, "1"), answer(0, 60.0)]
    name, *counts = web.waits_row("all", answers)[:4]
    assert (name, counts) == ("all", ["2", "1", "1"])
    assert not answer(503, 0.01).is_refusal


def test_a_solution_is_wrong_where_another_puzzle_lies(benchmark: Any) -> None:
    def grid(place: float, digit: int) -> Any:
        crossings = np.full((10, 10, 2), place, np.float32)
        return SimpleNamespace(lattice=SimpleNamespace(crossings=crossings), solution=np.full((9, 9), digit))

    frame = benchmark("web_cameras").FilmFrame(b"", (grid(100, 1), grid(300, 2)))
    near_first = [[[110.0, 90.0]] * 10] * 10
    assert frame.wrong([{"solution": "1" * 81, "crossings": near_first}]) == 0
    assert frame.wrong([{"solution": "2" * 81, "crossings": near_first}]) == 1
    assert frame.wrong([{"solution": None, "crossings": near_first}]) == 0
