"""Draw the steps of an explanation: a picture with a sentence for each step, alone or on pages.

A picture shows the board before a step, and the step is drawn over the board. Lengths are in millimetres. A
*caption* is a white strip with words below a photo; the lengths of captions are in pixels.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sudoku_vision.output.drawing import puzzle_figure
from sudoku_vision.output.drawing.figure import BLACK, INK, WHITE, Element, Figure, Text, moved
from sudoku_vision.output.drawing.puzzle_pages import PAPERS, PageStyle, page_number
from sudoku_vision.output.drawing.raster import raster
from sudoku_vision.output.drawing.text_metrics import (
    CAP_HEIGHT,
    LEADING,
    Paragraph,
    text_lines,
    text_width,
    wrapped_words,
)
from sudoku_vision.output.overlay.flatten import flatten, straight_lattice, vector_elements
from sudoku_vision.output.overlay.hint_drawing import StepStyle, step_shapes
from sudoku_vision.output.overlay.print_style import SURE_COLOURS, PrintStyle
from sudoku_vision.output.overlay.shapes import Wash
from sudoku_vision.sudoku.board import Board
from sudoku_vision.sudoku.logic import Explanation
from sudoku_vision.sudoku.logic.candidates import Candidates
from sudoku_vision.sudoku.logic.engine import take
from sudoku_vision.sudoku.logic.steps import Detail, Step
from sudoku_vision.texts import ENGLISH
from sudoku_vision.values import Image

STEP_DPI = 300  # resolution of the picture of a step, in pixels to the inch
SHEET_DPI = 150  # resolution of a sheet with all steps, in pixels to the inch

_STEP_WIDTH, _STEP_MARGIN, _STEP_EM = 90.0, 4.0, 3.9
_SHEET_MARGIN, _GUTTER, _SHEET_EM = 14.0, 8.0, 3.3
_BOARD_SHARE = 0.68  # width of a board, as a share of its column; with this value, six boards fit on a page

_ROW_GAP, _CAPTION_GAP = 7.0, 1.2
_TITLE_EM, _HEADING_EM = 6.4, 3.6
_FOOT = 7.0
_EM, _MIN_EM = 1 / 30, 11
"""Em of a caption: as a share of the picture's width, and its minimum in pixels."""
_MARGIN, _PARAGRAPH = 0.9, 0.35  # margin of a caption, and gap between its paragraphs, in em

_PRINT = PrintStyle(puzzle_figure.DIGIT_HEIGHT, 0.075, (0.5, 0.5), ink=BLACK, paper=WHITE)
_STYLE = StepStyle(_PRINT, SURE_COLOURS[0], all_candidates=True)


@dataclass(frozen=True, eq=False)
class StepSheet:
    """An explanation to draw. ``clues`` (9, 9): the clues of its board. ``notes``: lines below the title."""

    explanation: Explanation
    clues: Board
    title: str = "Sudoku"
    notes: Sequence[str] = ()


def step_figures(sheet: StepSheet) -> Iterator[Figure]:
    """Yield a figure for each step: a board with words below it."""
    side = _STEP_WIDTH - 2 * _STEP_MARGIN
    for block in _step_blocks(sheet, side, side, _STEP_EM):
        whole = _side_by_side([block], side)
        elements = [*moved(whole.elements, _STEP_MARGIN, _STEP_MARGIN)]
        yield Figure(_STEP_WIDTH, whole.height + 2 * _STEP_MARGIN, elements)


def sheet_figure(sheets: Iterable[StepSheet]) -> Figure:
    """Return one long sheet, as wide as A4, with all steps of *sheets*."""
    width, _ = PAPERS["a4"]
    elements: list[Element] = []
    top = _SHEET_MARGIN
    for sheet in sheets:
        for row in _rows(sheet, width - 2 * _SHEET_MARGIN):
            elements += moved(row.elements, _SHEET_MARGIN, top)
            top += row.height + _ROW_GAP
    return Figure(width, top - _ROW_GAP + _SHEET_MARGIN, elements)


def sheet_pages(sheets: Iterable[StepSheet]) -> list[Figure]:
    """Return pages with all steps of *sheets*, two steps side by side. Each sheet begins on a new page."""
    width, height = PAPERS["a4"]
    bottom = height - _SHEET_MARGIN - _FOOT
    pages: list[list[Element]] = []
    for sheet in sheets:
        top = float("inf")
        for row in _rows(sheet, width - 2 * _SHEET_MARGIN):
            if top + row.height > bottom:
                pages.append([])
                top = _SHEET_MARGIN
            pages[-1] += moved(row.elements, _SHEET_MARGIN, top)
            top += row.height + _ROW_GAP
    return [
        Figure(width, height, [*page, *page_number(PageStyle(), (number, len(pages)))])
        for number, page in enumerate(pages, start=1)
    ]


@dataclass(frozen=True)
class _Block:
    """A part of a page: ``elements``, their ``height``, and the lines of a ``heading`` above them.

    The top left corner of the elements is (0, 0).
    """

    elements: Sequence[Element]
    height: float
    heading: Sequence[str] = ()


def _rows(sheet: StepSheet, width: float) -> Iterator[_Block]:
    """Yield the rows of a sheet: the title, then two boards in each row. The first board is the puzzle."""
    column = (width - _GUTTER) / 2
    side = _BOARD_SHARE * column
    yield _title(sheet, width)
    entries = np.where(sheet.clues > 0, 0, sheet.explanation.puzzle).astype(np.int8)
    item = puzzle_figure.PrintablePuzzle(sheet.clues, entries=entries, rules=sheet.explanation.rules)
    puzzle = puzzle_figure.puzzle_elements(item, side)
    blocks = [_Block(puzzle, side), *_step_blocks(sheet, side, column, _SHEET_EM)]
    for place in range(0, len(blocks), 2):
        yield _side_by_side(blocks[place : place + 2], column)


def _side_by_side(blocks: Sequence[_Block], column: float) -> _Block:
    leading = LEADING * _HEADING_EM
    top = leading * max(len(block.heading) for block in blocks)
    elements: list[Element] = []
    for place, block in enumerate(blocks):
        left, first = place * (column + _GUTTER), top - leading * len(block.heading) - 1.0
        elements += text_lines(((line, True) for line in block.heading), left, first, column, _HEADING_EM)
        elements += moved(block.elements, left, top)
    return _Block(elements, top + max(block.height for block in blocks))


def _title(sheet: StepSheet, width: float) -> _Block:
    size = _TITLE_EM * min(1.0, width / max(text_width(sheet.title, _TITLE_EM, bold=True), 1e-6))
    elements = [Text(sheet.title, (0.0, _TITLE_EM), size, INK, bold=True)]
    notes = text_lines(((note, False) for note in sheet.notes), 0.0, _TITLE_EM + 2.5, width, _SHEET_EM)
    return _Block([*elements, *notes], _TITLE_EM + 2.5 + LEADING * _SHEET_EM * len(notes))


def _step_blocks(sheet: StepSheet, side: float, width: float, em: float) -> Iterator[_Block]:
    """Yield a block for each step: its board, *side* wide, and words in lines of at most *width*."""
    now = Candidates(sheet.explanation.puzzle.ravel().tolist(), rules=sheet.explanation.rules)
    for number, step in enumerate(sheet.explanation.steps, start=1):
        language = sheet.explanation.language
        head = f"{number}. {step.technique.title_in(language)}"
        paragraphs = (head, True), (step.text_in(language), False)
        words = text_lines(paragraphs, 0.0, side + _CAPTION_GAP, width, em)
        bottom = side + _CAPTION_GAP + LEADING * em * len(words)
        heading = sheet.explanation.headings.get(number - 1, "")
        lines = wrapped_words(heading, width, _HEADING_EM, bold=True)
        yield _Block([*board_elements(now, step, sheet.clues, side), *words], bottom, lines)
        take(now, step)


def board_elements(board: Candidates, step: Step, clues: Board, side: float) -> Iterator[Element]:
    """Yield the elements of *board* with a *step*; the digits lie over the highlights."""
    shapes = step_shapes(board, step, _STYLE)
    primitives = flatten(shapes, straight_lattice(side / 9))
    washes = sum(isinstance(one, Wash) for one in shapes)
    yield from vector_elements(primitives[:washes])
    filled = np.array(board.values, np.int8).reshape(9, 9)
    entries = np.where(clues > 0, 0, filled).astype(np.int8)
    item = puzzle_figure.PrintablePuzzle(clues, entries=entries, rules=board.sight.rules)
    yield from puzzle_figure.puzzle_elements(item, side)
    yield from vector_elements(primitives[washes:], in_type=True)


def step_caption(
    step: Step, detail: Detail = "step", *, before: str = "", language: str = ENGLISH
) -> list[Paragraph]:
    """Return the caption of a step: the name of the technique, with the text *before* in front of it.

    If *detail* is ``place``, the place to look at follows. If it is ``step``, the step's sentence follows.
    """
    place = f" {step.place(language)}" if detail == "place" else ""
    head = f"{before}{step.technique.title_in(language)}{place}"
    return [(head, True), (step.text_in(language), False)] if detail == "step" else [(head, True)]


def captioned(pixels: Image, paragraphs: Iterable[Paragraph]) -> Image:
    """Return a picture with *pixels* (H, W, 3) uint8 BGR, and with *paragraphs* below them."""
    width = pixels.shape[1]
    em = max(round(_EM * width), _MIN_EM)
    margin = round(_MARGIN * em)
    lines: list[Text] = []
    top = margin - (1 - CAP_HEIGHT) * em  # so the capitals of the first line begin at the margin
    for paragraph in paragraphs:
        more = text_lines([paragraph], margin, top, width - 2 * margin, em)
        lines += more
        top += (LEADING * len(more) + _PARAGRAPH) * em
    if not lines:
        return pixels
    height = round(top - (LEADING - 2 + CAP_HEIGHT + _PARAGRAPH) * em) + margin
    return np.vstack([pixels, raster(Figure(width, height, lines))])
