"""View: what a browser needs to draw grids over their picture, beside what programs are told of them."""

import base64
from collections.abc import Sequence
from typing import Any

import numpy as np

from sudoku_vision.output.drawing.colours import hex_colour
from sudoku_vision.output.drawing.tiles import reduced
from sudoku_vision.output.overlay.answer_drawing import answer_colour, grid_shapes
from sudoku_vision.output.overlay.colour_choice import hollow_ground, on_dark_paper
from sudoku_vision.output.overlay.hint_drawing import hint_shapes
from sudoku_vision.output.overlay.shapes import Shapes, shape_dicts
from sudoku_vision.output.save import encode
from sudoku_vision.results import Board, GridResult, Image, Lattice, Marks, board_text
from sudoku_vision.sudoku.board import area_names
from sudoku_vision.sudoku.logic import Step
from sudoku_vision.sudoku.logic.candidates import Candidates
from sudoku_vision.sudoku.logic.engine import take
from sudoku_vision.web.state import GridState

PREVIEW_SIDE = 1600
"""Longer side of a preview, in pixels: sharp on a large screen, and a few hundred kilobytes."""
_SHOWN_BY_BROWSERS = {"Jpeg", "Png", "WebP", "Gif", "Bmp", "Avif"}
"""The kinds of pictures, as ``sniff`` names them, that browsers show themselves."""


def grid_view(grid: GridResult, kept: GridState, state: str, shapes: Shapes | None = None) -> dict[str, Any]:
    """Return what a browser needs to draw a *grid*, its answers or other *shapes*, for JSON.

    *kept* is what the grid was decoded from, *state* its packed text, which settles it anew. Crossings are
    in pixels, cells 0..80, colours ``#rrggbb``.
    """
    style = kept.print_style
    shown = grid.answers if grid.status in ("solved", "uncertain") else None
    return {
        "crossings": crossings_list(grid.lattice),
        "answers": board_text(np.zeros((9, 9), np.int8) if shown is None else shown),
        "unclear": list(grid.reading.unclear),
        "hidden": area_names(grid.hidden),
        "clues_by_hand": kept.clues_by_hand,
        "look": {
            "height": round(style.height, 4),
            "weight": round(style.weight, 4),
            "middle": [round(place, 4) for place in style.middle],
            "ink": hex_colour(style.ink),
            "paper": hex_colour(style.paper),
            "colour": hex_colour(answer_colour(grid, style)),
            "hollow": grid.status != "solved",
            "ground": hex_colour(hollow_ground(style)),
            "dark": on_dark_paper(style),
        },
        "shapes": shape_dicts(grid_shapes(grid, style) if shapes is None else shapes),
        "state": state,
    }


def step_shapes(
    grid: GridResult, board: Board, steps: Sequence[Step], kept: GridState, marks: Marks, notes: Sequence[str]
) -> list[tuple[Board, dict[str, Any]]]:
    """Return the board (9, 9) before each of *steps*, one taken after the other, and what is drawn of it.

    *board* is what the first was found on, with *marks* as candidates; the page shows *notes* in its cells.
    """
    noted = [cell for cell, text in enumerate(notes) if text]
    now = Candidates.marked(board.reshape(81).tolist(), marks, rules=grid.rules)
    told = []
    for step in steps:
        before = np.array(now.values, np.int8).reshape(9, 9)
        told.append((before, {"shapes": shape_dicts(hint_shapes(grid, now, step, kept.print_style, noted))}))
        take(now, step)
    return told


def names_of(step: Step, language: str) -> dict[str, str]:
    """Return what a step is called in a language, and where to look for it."""
    return {"name": step.technique.title_in(language), "place": step.place(language)}


def needs_preview(kind: str) -> bool:
    """Tell whether a browser can't show a picture of this *kind* itself."""
    return kind not in _SHOWN_BY_BROWSERS


def preview_of(pixels: Image) -> str:
    """Return a picture (H, W, 3) uint8 BGR as a JPEG in a ``data:`` address, at most PREVIEW_SIDE long."""
    packed = encode(reduced(pixels, PREVIEW_SIDE)[0], ".jpg")
    return "data:image/jpeg;base64," + base64.b64encode(packed).decode("ascii")


def crossings_list(lattice: Lattice) -> list[list[list[float]]]:
    """Return the crossings of a lattice for JSON: 10 row lines of 10 points (x, y)."""
    told: list[list[list[float]]] = np.round(lattice.crossings.astype(np.float64), 2).tolist()
    return told
