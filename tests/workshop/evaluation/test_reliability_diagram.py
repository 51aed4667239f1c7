"""The diagram shows how far confidence holds."""

from __future__ import annotations

from sudoku_vision.workshop.evaluation.reliability import Pair
from sudoku_vision.workshop.evaluation.reliability_diagram import draw_reliability

HONEST = [Pair(0.75, number % 4 > 0) for number in range(40)]
"""Forty grids with confidence 0.75, of which thirty are right."""


def test_the_picture_shows_overconfidence_in_red() -> None:
    def reddish(pairs: list[Pair]) -> int:
        pixels = draw_reliability({"drawn": pairs}, sure=0.99)[:580].astype(int)
        return int(((pixels[..., 2] - pixels[..., 0]) > 100).sum())

    honest, boast = reddish(HONEST), reddish([Pair(0.995, False)] * 10)
    assert boast > honest + 100
    assert draw_reliability({}).shape == draw_reliability({"drawn": HONEST}).shape
