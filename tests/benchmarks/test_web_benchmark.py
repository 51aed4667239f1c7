"""The benchmark of the service: what is counted as refused, lost and wrong, and what processes take."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import web
from web_cameras import FilmFrame
from web_service import Answer


def test_a_refusal_says_when_to_come_again_and_anything_else_is_lost() -> None:
    answers = [Answer(200, 0.1), Answer(200, 0.2), Answer(503, 0.01, "1"), Answer(0, 60.0)]
    name, *counts = web.waits_row("all", answers)[:4]
    assert (name, counts) == ("all", ["2", "1", "1"])
    assert not Answer(503, 0.01).is_refusal


def test_a_solution_is_wrong_where_another_puzzle_lies() -> None:
    def grid(place: float, digit: int) -> Any:
        crossings = np.full((10, 10, 2), place, np.float32)
        return SimpleNamespace(lattice=SimpleNamespace(crossings=crossings), solution=np.full((9, 9), digit))

    frame = FilmFrame(b"", (grid(100, 1), grid(300, 2)))
    near_first = [[[110.0, 90.0]] * 10] * 10
    assert frame.wrong([{"solution": "1" * 81, "crossings": near_first}]) == 0
    assert frame.wrong([{"solution": "2" * 81, "crossings": near_first}]) == 1
    assert frame.wrong([{"solution": None, "crossings": near_first}]) == 0
