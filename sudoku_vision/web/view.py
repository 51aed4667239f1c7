"""View: what a browser needs to draw grids over their picture, beside what programs are told of them."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from sudoku_vision.output.drawing.colours import Colour, hex_colour
from sudoku_vision.output.overlay.answer_drawing import answer_colour, grid_shapes
from sudoku_vision.output.overlay.colour_choice import hollow_ground, on_dark_paper
from sudoku_vision.output.overlay.hint_drawing import hint_shapes
from sudoku_vision.output.overlay.print_style import PrintStyle
from sudoku_vision.output.overlay.shapes import Shapes, shape_dicts
from sudoku_vision.output.save import encode
from sudoku_vision.results import Board, GridResult, Image, Lattice, Marks, Photo, board_text
from sudoku_vision.sudoku.logic import Step
from sudoku_vision.sudoku.logic.candidates import DIGITS_OF, Candidates
from sudoku_vision.sudoku.logic.engine import take
from sudoku_vision.web.state import GridState

PREVIEW_SIDE = 1600
"""Longer side of a preview, in pixels: sharp on a large screen, and a few hundred kilobytes."""

_CROSSING_DECIMALS = 2
"""Of crossings, in pixels."""

_SHOWN_BY_BROWSERS = {"Jpeg", "Png", "WebP", "Gif", "Bmp", "Avif"}
"""The kinds of pictures, as ``sniff`` names them, that browsers show themselves."""


@dataclass(frozen=True, eq=False)
class GridView:
    """One grid as a browser draws it.

    ``shapes`` are what is drawn on it; ``state`` is the packed text that settles it anew.
    """

    grid: GridResult
    print_style: PrintStyle
    shapes: Shapes
    clues_by_hand: bool
    state: str

    def to_dict(self) -> dict[str, Any]:
        """Return the view for JSON: crossings in pixels, cells 0..80, colours ``#rrggbb``."""
        grid = self.grid
        shown = grid.answers if grid.status in ("solved", "uncertain") else None
        answers = np.zeros((9, 9), np.int8) if shown is None else shown
        return {
            "crossings": crossings_list(grid.lattice),
            "answers": board_text(answers),
            "unclear": list(grid.reading.unclear),
            "clues_by_hand": self.clues_by_hand,
            "look": _look(self.print_style, answer_colour(grid, self.print_style), grid.status != "solved"),
            "shapes": shape_dicts(self.shapes),
            "state": self.state,
        }


def view_of(grid: GridResult, kept: GridState, state: str, shapes: Shapes | None = None) -> GridView:
    """Return the view of a *grid* that was decoded from *kept*, with its answers or other *shapes*.

    *state* is the packed text of *kept*.
    """
    style = kept.print_style
    shapes = grid_shapes(grid, style) if shapes is None else shapes
    return GridView(grid, style, shapes, kept.content.clues_by_hand, state)


def step_shapes(
    grid: GridResult, board: Board, steps: Sequence[Step], print_style: PrintStyle, marks: Marks
) -> list[tuple[Board, Shapes]]:
    """Return what is drawn of each of *steps*, one taken after the other, and the board (9, 9) before it.

    *board* is what the first was found on, with *marks* as candidates.
    """
    now = Candidates.marked(board.reshape(81).tolist(), marks)
    told = []
    for step in steps:
        before = np.array(now.values, np.int8).reshape(9, 9)
        left: Marks = tuple(frozenset(DIGITS_OF[mask]) for mask in now.masks)
        told.append((before, hint_shapes(grid, before, step, print_style, candidate_marks=left)))
        take(now, step)
    return told


def page_view(photo: Photo, grids: Sequence[GridView], *, preview: bool) -> dict[str, Any]:
    """Return the view of a page for JSON: its size, its grids, and by wish a *preview* of its picture."""
    return {
        "size": list(photo.size),
        "preview": preview_of(photo.pixels) if preview else None,
        "grids": [grid.to_dict() for grid in grids],
    }


def needs_preview(kind: str) -> bool:
    """Tell whether a browser can't show a picture of this *kind* itself."""
    return kind not in _SHOWN_BY_BROWSERS


def preview_of(pixels: Image) -> str:
    """Return a picture (H, W, 3) uint8 BGR as a JPEG in a ``data:`` address, at most PREVIEW_SIDE long."""
    scale = PREVIEW_SIDE / max(pixels.shape[:2])
    if scale < 1:
        height, width = (max(1, round(scale * side)) for side in pixels.shape[:2])
        pixels = np.asarray(cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    return "data:image/jpeg;base64," + base64.b64encode(encode(pixels, ".jpg")).decode("ascii")


def size_of(pixels: Image) -> list[int]:
    """Return the width and height of a picture."""
    return [pixels.shape[1], pixels.shape[0]]


def crossings_list(lattice: Lattice) -> list[list[list[float]]]:
    """Return the crossings of a lattice for JSON: 10 row lines of 10 points (x, y)."""
    rounded = np.round(lattice.crossings.astype(np.float64), _CROSSING_DECIMALS)
    told: list[list[list[float]]] = rounded.tolist()
    return told


def _look(style: PrintStyle, colour: Colour, hollow: bool) -> dict[str, Any]:
    """Return how answers look, for what the page draws by itself."""
    return {
        "height": round(style.height, 4),
        "weight": round(style.weight, 4),
        "middle": [round(place, 4) for place in style.middle],
        "ink": hex_colour(style.ink),
        "paper": hex_colour(style.paper),
        "colour": hex_colour(colour),
        "hollow": hollow,
        "ground": hex_colour(hollow_ground(style)),
        "dark": on_dark_paper(style),
    }
