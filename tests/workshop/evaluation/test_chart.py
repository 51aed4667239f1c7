"""Chart: what is drawn lies where it was asked for."""

from __future__ import annotations

import numpy as np

from sudoku_vision.workshop.evaluation.chart import Chart


def test_a_chart_is_as_large_as_asked_and_draws_where_it_is_told() -> None:
    chart = Chart(60, 40)
    chart.box(10, 10, 20, 20, (0, 0, 255))
    chart.line([(30, 30), (50, 30)], (255, 0, 0), 2, dash=(4, 6))
    chart.picture(np.full((16, 20, 3), (0, 255, 0), np.uint8), 40, 5)
    pixels = chart.pixels()
    assert pixels.shape == (40, 60, 3)
    assert pixels[15, 15].tolist() == [0, 0, 255]
    assert pixels[30, 31].tolist() != pixels[30, 37].tolist() == [255, 255, 255]
    assert pixels[8, 45].tolist() == [0, 255, 0]
