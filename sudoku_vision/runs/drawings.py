"""Drawings: what solve and check draw into a photo, named so that any process finds it."""

from __future__ import annotations

from sudoku_vision.results import GridResult, Image, Photo


def draw_answers(photo: Photo, grids: tuple[GridResult, ...]) -> Image:
    """Draw the answers of the *grids* into their photo."""
    from sudoku_vision.overlay import overlay

    return overlay(photo, grids)


def draw_verdicts(photo: Photo, grids: tuple[GridResult, ...], *, answers: bool, marks: bool) -> Image:
    """Draw which entries of the *grids* are right into their photo.

    With *answers* the right digit stands beside a wrong one; with *marks* the cells whose pencil marks have
    lost it are framed, too.
    """
    from sudoku_vision.overlay import overlay_check
    from sudoku_vision.verdicts import check

    return overlay_check(photo, [check(grid) for grid in grids], answers=answers, marks=marks)
