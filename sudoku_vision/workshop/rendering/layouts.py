"""Lay out a page: newspaper, sheet of paper, open book, screen of an app."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from sudoku_vision.output.drawing.canvas import Canvas
from sudoku_vision.output.drawing.colours import WHITE, Colour, mixed
from sudoku_vision.output.drawing.grid import PrintedGrid, print_grid
from sudoku_vision.sudoku.generator import random_puzzle
from sudoku_vision.workshop.rendering.app_screen import lay_out_app
from sudoku_vision.workshop.rendering.conditions import Conditions, Layout
from sudoku_vision.workshop.rendering.page import LEVELS, Area, Content, Fonts, Page, page_ink, put_grid
from sudoku_vision.workshop.rendering.running_text import fill_column, fill_columns, ghost, set_paragraph
from sudoku_vision.workshop.rendering.spoiling import add_specks
from sudoku_vision.workshop.rendering.writing import fill_in

_TITLES = ("SUDOKU", "Sudoku", "SU DO KU", "Daily Sudoku", "SUDOKU 156", "Number place", "Logic corner")
_RULES = (
    "Fill in the grid so that every row, every column and every 3x3 box contains the digits 1 to 9. "
    "There is no guessing and no arithmetic: only logic is needed."
)


_GHOST_SIZE = 0.3  # of a cell: size of the running text on the other side of a sheet
_NEIGHBOURS = 25  # digits printed close round a grid, in a close-up


def lay_out(
    conditions: Conditions,
    cell: float,
    fonts: Fonts,
    rng: np.random.Generator,
    given: Sequence[Content] = (),
) -> Page:
    """Draw the page of *conditions* with cells of *cell* pixels.

    *given* is what stands in the first grids; further ones get puzzles of their own.
    """
    contents = [_content(conditions, rng, given[place : place + 1]) for place in range(conditions.puzzles)]
    return _LAYOUTS[conditions.layout](conditions, cell, fonts, rng, contents)


def _content(conditions: Conditions, rng: np.random.Generator, given: Sequence[Content]) -> Content:
    content = given[0] if given else Content(*random_puzzle(rng, conditions.clues))
    if content.written is not None:
        return content
    return replace(content, written=fill_in(content.puzzle, content.solution, conditions.writing, rng))


def _newspaper(
    conditions: Conditions, cell: float, fonts: Fonts, rng: np.random.Generator, contents: list[Content]
) -> Page:
    side, gap = 9 * cell, 0.5 * cell
    margin = conditions.surround * side
    below = side * (len(contents) - 1) * 1.25
    foot = 2.2 * margin + (3 * cell if conditions.solution_grid else 0)
    canvas = Canvas.blank(round(side + 2 * margin), round(side + below + foot), conditions.paper)
    size = cell * float(rng.uniform(0.26, 0.42))
    top = margin * 1.1
    block = Area(margin - gap, top - 1.9 * cell, margin + side + gap, top + side + below + gap)
    ghost(canvas, conditions, fonts, rng, size)
    edge = 0.3 * cell if rng.random() < 0.5 else -0.5 * cell  # a margin of white paper, or text cut off
    _around(canvas, block, edge, conditions, fonts, rng, size)
    if rng.random() < 0.3:
        _banner(canvas, block, cell, conditions, fonts, rng)
    else:
        _heading(canvas, (margin, block.top, margin + side, top - 0.3 * cell), cell, conditions, fonts, rng)
    grids = []
    for rank, content in enumerate(contents):
        y = top + rank * 1.25 * side
        grids.append(put_grid(canvas, conditions, content, (margin, y), cell, fonts, rng))
    if conditions.solution_grid:
        _solution(canvas, conditions, (margin, top + side + below + 1.2 * cell), cell * 0.38, fonts, rng)
    return Page(canvas, tuple(grids))


def _around(
    canvas: Canvas,
    block: Area,
    edge: float,
    conditions: Conditions,
    fonts: Fonts,
    rng: np.random.Generator,
    size: float,
) -> None:
    """Columns of text in the four strips round *block*."""
    gap = size
    foot = block.bottom + (block.width * 0.45 if conditions.solution_grid else 0)
    strips = [
        Area(edge, edge, block.left - gap, canvas.height - edge),
        Area(block.right + gap, edge, canvas.width - edge, canvas.height - edge),
        Area(block.left, edge, block.right, block.top - gap),
        Area(block.left, foot + gap, block.right, canvas.height - edge),
    ]
    empty = int(rng.integers(0, 6))  # one strip is often white
    for place, strip in enumerate(strips):
        if place == empty or strip.width < 3 * size or strip.height < size:
            continue
        count = max(1, round(strip.width / (size * 16)))
        bounds = (strip.left, strip.top, strip.right, strip.bottom)
        fill_columns(canvas, bounds, count, conditions, fonts, rng, size)


def _heading(
    canvas: Canvas,
    area: tuple[float, float, float, float],
    cell: float,
    conditions: Conditions,
    fonts: Fonts,
    rng: np.random.Generator,
) -> None:
    """A title, a level, or the rules of the game above the grid."""
    left, _, right, bottom = area
    ink = page_ink(conditions)
    choice = rng.random()
    if choice < 0.35:
        set_paragraph(canvas, area, _RULES, cell * 0.36, fonts.text, ink)
    elif choice < 0.85:
        title = _TITLES[int(rng.integers(len(_TITLES)))]
        canvas.text(title, left, bottom - 0.8 * cell, cell * float(rng.uniform(0.6, 1.0)), fonts.head, ink)
        level = LEVELS[int(rng.integers(len(LEVELS)))]
        canvas.text(level, right - 2.2 * cell, bottom - 0.5 * cell, cell * 0.4, fonts.text, ink)


def _banner(
    canvas: Canvas, block: Area, cell: float, conditions: Conditions, fonts: Fonts, rng: np.random.Generator
) -> None:
    """A band of colour with the title in white."""
    bands: tuple[Colour, ...] = ((40, 40, 170), (170, 120, 60), (60, 60, 60), (70, 160, 220))
    colour = mixed(conditions.paper, bands[int(rng.integers(len(bands)))], conditions.ink)
    canvas.rectangle(block.left, block.top, block.right, block.top + 1.1 * cell, colour)
    title = _TITLES[int(rng.integers(len(_TITLES)))]
    canvas.text(title, block.left + 0.4 * cell, block.top + 0.25 * cell, 0.8 * cell, fonts.head, WHITE)


def _solution(
    canvas: Canvas,
    conditions: Conditions,
    at: tuple[float, float],
    cell: float,
    fonts: Fonts,
    rng: np.random.Generator,
) -> None:
    """The small full grid of the day before, which is no puzzle."""
    solution = random_puzzle(rng, 81)[1]
    grid = PrintedGrid(at[0], at[1], cell, solution, np.zeros((9, 9), np.int8), solution)
    style = replace(conditions.grid, digit_height=0.7, highlight=None, shaded=())
    print_grid(canvas, grid, style, fonts.text, conditions.paper, conditions.ink)
    bounds = (at[0] + 10 * cell, at[1], at[0] + 22 * cell, at[1] + 9 * cell)
    set_paragraph(canvas, bounds, _RULES, cell * 0.85, fonts.text, page_ink(conditions))


def _sheet(
    conditions: Conditions, cell: float, fonts: Fonts, rng: np.random.Generator, contents: list[Content]
) -> Page:
    """A printed sheet: one grid, or several in one or two columns, with a title."""
    side, margin = 9 * cell, conditions.surround * 9 * cell
    across = 2 if len(contents) > 2 else 1
    down = -(-len(contents) // across)
    step = side + 2.2 * cell
    width = across * step - 2.2 * cell + 2 * margin
    height = down * step - 2.2 * cell + 2 * margin + 1.5 * cell
    canvas = Canvas.blank(round(width), round(height), conditions.paper)
    ghost(canvas, conditions, fonts, rng, _GHOST_SIZE * cell)
    grids = []
    for rank, content in enumerate(contents):
        x, y = margin + step * (rank % across), margin + 1.5 * cell + step * (rank // across)
        if conditions != Conditions():
            label = LEVELS[int(rng.integers(len(LEVELS)))]
            canvas.text(label, x, y - 0.9 * cell, cell * 0.55, fonts.head, page_ink(conditions))
        grids.append(put_grid(canvas, conditions, content, (x, y), cell, fonts, rng))
    return Page(canvas, tuple(grids))


def _book(
    conditions: Conditions, cell: float, fonts: Fonts, rng: np.random.Generator, contents: list[Content]
) -> Page:
    """An open book: grids on the one page, text or another grid on the other, the fold between them."""
    side = 9 * cell
    inner, outer = side * float(rng.uniform(0.1, 0.2)), conditions.surround * side
    leaf = inner + side + outer
    height = side * float(rng.uniform(1.4, 1.65)) * (1 if len(contents) < 3 else 1.5)
    canvas = Canvas.blank(round(2 * leaf), round(height), conditions.paper)
    spine = canvas.width / 2
    right = conditions.bend.arch >= 0  # the side of the bow decides which page is looked at
    top = (height - side) * 0.55
    lefts = [spine + inner, spine - inner - side]
    ink = page_ink(conditions)
    grids = []
    for rank in range(2):
        left = lefts[rank if right else 1 - rank]
        if rank < len(contents):
            title = f"SUDOKU {int(rng.integers(1, 400))}"
            canvas.text(title, left + side / 2, top - 1.6 * cell, cell, fonts.head, ink, centred=True)
            grids.append(put_grid(canvas, conditions, contents[rank], (left, top), cell, fonts, rng))
        else:
            area = Area(left, 1.5 * cell, left + side, height - 2 * cell)
            fill_column(canvas, area, conditions, fonts, rng, cell * 0.42)
        number = str(int(rng.integers(10, 300)))
        canvas.text(number, left + side / 2, height - 1.2 * cell, cell * 0.5, fonts.text, ink, centred=True)
    return Page(canvas, tuple(grids), spine)


def _close_up(
    conditions: Conditions, cell: float, fonts: Fonts, rng: np.random.Generator, contents: list[Content]
) -> Page:
    """One grid and hardly more than a rim of paper, with whatever is printed close by."""
    margin = conditions.surround * 9 * cell
    side = round(9 * cell + 2 * margin)
    canvas = Canvas.blank(side, side, conditions.paper)
    ghost(canvas, conditions, fonts, rng, _GHOST_SIZE * cell)
    if rng.random() < 0.6:
        _neighbours(canvas, margin, cell, conditions, fonts, rng)
    grid = put_grid(canvas, conditions, contents[0], (margin, margin), cell, fonts, rng)
    add_specks(canvas, grid, conditions.specks, page_ink(conditions), rng)
    return Page(canvas, (grid,))


def _neighbours(
    canvas: Canvas, margin: float, cell: float, conditions: Conditions, fonts: Fonts, rng: np.random.Generator
) -> None:
    """Small print on all four sides of a grid, and sometimes a bar of colour above it."""
    ink, end = page_ink(conditions), float(canvas.width)
    if rng.random() < 0.3:
        bar: Colour = (float(rng.uniform(0, 255)), float(rng.uniform(0, 255)), float(rng.uniform(0, 255)))
        canvas.rectangle(0, 0, end, min(float(rng.uniform(0.2, 0.6)) * cell, margin - 0.1 * cell), bar)
    height = float(rng.uniform(0.15, 0.3)) * cell
    for _ in range(_NEIGHBOURS):
        along, away = float(rng.uniform(0, end)), float(rng.uniform(0.1, 0.6)) * margin
        x, y = ((along, away), (away, along), (along, end - away), (end - away, along))[int(rng.integers(4))]
        canvas.glyph(str(int(rng.integers(1, 10))), x, y, height, fonts.digits, ink)


_Maker = Callable[[Conditions, float, Fonts, np.random.Generator, list[Content]], Page]

_LAYOUTS: dict[Layout, _Maker] = {
    "sheet": _sheet,
    "newspaper": _newspaper,
    "book": _book,
    "app": lay_out_app,
    "close_up": _close_up,
}
