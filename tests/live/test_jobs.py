"""Jobs that are done when they are handed in."""

from __future__ import annotations

from sudoku_vision.live.jobs import ImmediateExecutor


def test_a_job_at_once_keeps_its_error_for_who_asks() -> None:
    assert ImmediateExecutor().submit(lambda: 3).result() == 3
    assert isinstance(ImmediateExecutor().submit(lambda: 1 / 0).exception(), ZeroDivisionError)
