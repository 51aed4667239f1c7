"""Sample the conditions of half-solved pages: entries, pencil marks and corrections among the clues."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, get_args

import numpy as np

from sudoku_vision.workshop.rendering.conditions import Conditions
from sudoku_vision.workshop.rendering.corrections import Corrections
from sudoku_vision.workshop.rendering.kinds import Kind, random_conditions, random_writing
from sudoku_vision.workshop.rendering.pen import new_hand
from sudoku_vision.workshop.rendering.pencil_marks import MARK_LAYOUTS, MarkLayout, MarkStyle

HalfSolvedKind = Literal["half_solved_page", "half_solved_app"]

HALF_SOLVED_KINDS: tuple[HalfSolvedKind, ...] = get_args(HalfSolvedKind)

_PAGES: tuple[Kind, ...] = ("newspaper", "book", "sheet")
_APPS: tuple[Kind, ...] = ("screenshot_light", "screenshot_dark", "screen_photo")
_APP_LAYOUTS: tuple[MarkLayout, ...] = ("square", "square", "corners", "centre")
_PAGE_LAYOUTS = tuple(layout for layout in MARK_LAYOUTS if layout != "centre")
"""By hand: one small digit in the middle of its cell is an entry to anybody."""
_FILLED = (0.15, 0.7)  # share of the blank cells that bear an entry
_MARKED = (0.2, 0.9)  # share of the cells then left that bear marks
_HEIGHTS = (0.16, 0.42)  # cells: how tall marks by hand are
_APP_HEIGHTS = (0.14, 0.26)


def half_solved_conditions(rng: np.random.Generator, kind: HalfSolvedKind) -> Conditions:
    """Return conditions of *kind*, one of :data:`HALF_SOLVED_KINDS`."""
    return _page(rng) if kind == "half_solved_page" else _app(rng)


def _page(rng: np.random.Generator) -> Conditions:
    """A page with a pen or pencil: marks in a layout that one person keeps to, and mistakes put right."""
    base = random_conditions(rng, _PAGES[int(rng.integers(len(_PAGES)))])
    writing = replace(
        random_writing(rng, probability=1.0),
        share=float(rng.uniform(*_FILLED)),
        writer=new_hand(rng),
        marks=_marks(rng, _PAGE_LAYOUTS, _HEIGHTS),
        corrections=Corrections(*(float(rng.choice([0.0, 0.08])) for _ in range(3))),
    )
    return replace(base, puzzles=1, writing=writing)


def _app(rng: np.random.Generator) -> Conditions:
    base = random_conditions(rng, _APPS[int(rng.integers(len(_APPS)))])
    writing = replace(
        base.writing, share=float(rng.uniform(*_FILLED)), marks=_marks(rng, _APP_LAYOUTS, _APP_HEIGHTS)
    )
    return replace(base, writing=writing)


def _marks(
    rng: np.random.Generator, layouts: tuple[MarkLayout, ...], heights: tuple[float, float]
) -> MarkStyle:
    return MarkStyle(
        share=float(rng.uniform(*_MARKED)),
        most=int(rng.integers(2, 7)),
        height=float(rng.uniform(*heights)),
        layout=layouts[int(rng.integers(len(layouts)))],
        sensible=True,
    )
