"""Contact sheet: every failure at a glance, the worst first.

A row each: the photo with the grid that was found, the same grid straightened with the wrong cells ringed,
and what was read, with what the label says.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from sudoku_vision.output.drawing.colours import BLUE, GREEN, INK, PINK, RED, YELLOW, Colour
from sudoku_vision.output.drawing.tiles import TILE, board_lattice, draw_empty_board, titled
from sudoku_vision.output.overlay.print_style import PrintStyle
from sudoku_vision.output.overlay.shape_pixels import draw_shapes
from sudoku_vision.output.overlay.shapes import board_shapes, frame
from sudoku_vision.results import Board, GridResult, Image, Photo
from sudoku_vision.vision.rectify import straighten
from sudoku_vision.workshop.evaluation.labels import Label
from sudoku_vision.workshop.evaluation.metrics import Cells, Outcome, mistakes
from sudoku_vision.workshop.evaluation.text import shortened

SIDE = 360  # height and width of each of the three pictures of a row, in pixels
COLUMNS = 2  # failures side by side
MAX_ROWS = 150  # so many rows are drawn at most: more make a picture that no viewer opens

LEGEND = (
    "black: printed, blue: by hand, as the label has it; pink cell: not read right, in red or blue what was "
    "read, in green the label; yellow cell: handwriting misread; "
    "small: pencil marks, in red those that are not there, in green those that were missed"
)

_GAP = 8  # pixels between pictures
_LINE_WIDTH = 3  # pixels of the lines between cells
_FRAME_WIDTH = 0.15  # cells, round the grid that was found: seen even where the photo is reduced to a tenth
_NAMED_MISTAKES = 8  # cells over a row: so many fit

_DIGIT = PrintStyle(height=0.6, weight=0.08)
_READ = PrintStyle(0.55, 0.08, (0.36, 0.5))
_LABEL = PrintStyle(0.42, 0.07, (0.8, 0.68))
"""How digits are written into a cell: alone, or what was read beside what is right."""
_MARK_HEIGHT, _MARK_WEIGHT = 0.22, 0.05  # in cells


def contact_sheet(failures: Sequence[Outcome]) -> Image:
    """Draw the failures into one picture (H, W, 3) uint8 BGR; a white line of text if there are none."""
    shown = failures[: MAX_ROWS * COLUMNS]
    if not shown:
        return titled(np.full((1, SIDE, 3), 255, np.uint8), "no failures")
    rows = [draw_failure(outcome) for outcome in shown]
    rows += [np.full_like(rows[0], 255)] * (-len(rows) % COLUMNS)
    sheet = np.vstack([np.hstack(rows[i : i + COLUMNS]) for i in range(0, len(rows), COLUMNS)])
    count = f"failures: {len(failures)}" + (f", {len(shown)} shown" if len(shown) < len(failures) else "")
    return titled(sheet, f"{count}. {LEGEND}")


def draw_failure(outcome: Outcome) -> Image:
    """Draw one row: photo with the grid found, straightened grid, and the board that was read."""
    photo, grid = outcome.picture.open(), outcome.grid
    seen = photo.pixels.copy()
    flat = np.full((SIDE, SIDE, 3), 255, np.uint8)
    if grid is not None:
        draw_shapes(seen, grid.lattice, [frame(GREEN, _FRAME_WIDTH)])
        flat = _straightened(photo, grid, outcome.misread)
    panels = [_fitted(panel) for panel in (seen, flat, draw_comparison(outcome))]
    gap = np.full((SIDE, _GAP, 3), 255, np.uint8)
    row = np.hstack([panels[0], gap, panels[1], gap, panels[2], gap])
    words = shortened(mistakes(outcome), _NAMED_MISTAKES)
    words = words or ("on the right what the label says" if grid is None else "on the right what was read")
    row = titled(titled(row, words), _caption(outcome))
    return np.vstack([row, np.full((_GAP, row.shape[1], 3), 255, np.uint8)])


def _caption(outcome: Outcome) -> str:
    grid = outcome.grid
    status = "not found" if grid is None else f"{grid.status}, confidence {grid.confidence:.3f}"
    mark = "WRONGLY CALLED SOLVED " if outcome.wrong else ""
    mark += "NO GRID HERE " if outcome.false else ""
    return f"{mark}{outcome.picture.path.name}  {status}  {' '.join(outcome.picture.tags)}"


def draw_comparison(outcome: Outcome) -> Image:
    """Draw what was read against what is right, in the colours of :data:`LEGEND`.

    Without a grid the label alone is drawn, without a label what was read alone.
    """
    image = draw_empty_board()
    label, grid = outcome.label, outcome.grid
    if label is not None and grid is None:
        draw_shapes(image, board_lattice(), board_shapes(label.board, _DIGIT, GREEN))
    if grid is None:
        return image
    bad, miswritten = outcome.misread, outcome.misread_handwriting
    wrong = bad | miswritten
    _fill_tiles(image, bad, PINK)
    _fill_tiles(image, miswritten, YELLOW)
    for board, fine, colour in ((grid.puzzle, INK, RED), (grid.written, BLUE, BLUE)):
        draw_shapes(image, board_lattice(), board_shapes(_only(board, ~wrong), _DIGIT, fine))
        draw_shapes(image, board_lattice(), board_shapes(_only(board, wrong), _READ, colour))
    _draw_marks(image, grid, label)
    if label is not None:
        truth = label.board if label.everything is None else np.where(bad, label.board, label.everything)
        draw_shapes(image, board_lattice(), board_shapes(_only(truth, wrong), _LABEL, GREEN))
    return image


def _draw_marks(image: Image, grid: GridResult, label: Label | None) -> None:
    """Draw the marks that were read, each digit at its place of a 3x3 raster, and those that were missed.

    Where the label says that marks stand, but not which, what was read is drawn as right.
    """
    for digit in range(1, 10):
        read = np.array([digit in marks for marks in grid.marks])
        noted = None if label is None else label.marks
        there = read if noted is None else np.array([digit in noted.get(cell, ()) for cell in range(81)])
        unnoted = np.array([noted is not None and noted.get(cell) == frozenset() for cell in range(81)])
        place = ((digit - 1) % 3 * 0.3 + 0.2, (digit - 1) // 3 * 0.3 + 0.2)
        style = PrintStyle(_MARK_HEIGHT, _MARK_WEIGHT, place)
        right = read & (there | unnoted)
        for cells, colour in ((right, BLUE), (read & ~right, RED), (there & ~read, GREEN)):
            board = np.where(cells, digit, 0).astype(np.int8).reshape(9, 9)
            draw_shapes(image, board_lattice(), board_shapes(board, style, colour))


def _fill_tiles(image: Image, cells: Cells, colour: Colour) -> None:
    """Fill some cells of a drawn board, short of its lines."""
    for row, column in np.argwhere(cells):
        top, left = row * TILE + _LINE_WIDTH, column * TILE + _LINE_WIDTH
        image[top : top + TILE - 2 * _LINE_WIDTH + 1, left : left + TILE - 2 * _LINE_WIDTH + 1] = colour


def _only(board: Board, cells: Cells) -> Board:
    return np.where(cells, board, 0).astype(np.int8)


def _straightened(photo: Photo, grid: GridResult, ringed: Cells) -> Image:
    """Straighten the grid of a photo along its own lines, with red rings round some cells."""
    cells: Image = straighten(photo, grid.lattice)
    side = cells.shape[1]
    flat = cells.reshape(9, 9, side, side, 3).swapaxes(1, 2).reshape(9 * side, 9 * side, 3)
    flat = np.ascontiguousarray(flat)
    for row, column in np.argwhere(ringed):
        corner = (int(column) * side, int(row) * side)
        cv2.rectangle(flat, corner, (corner[0] + side - 1, corner[1] + side - 1), RED, max(2, side // 12))
    return flat


def _fitted(image: Image) -> Image:
    """Fit a picture into a white square of SIDE pixels."""
    scale = SIDE / max(image.shape[:2])
    size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    square = np.full((SIDE, SIDE, 3), 255, np.uint8)
    square[: size[1], : size[0]] = small
    return square
