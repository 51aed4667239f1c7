"""Every step of an explanation is drawn: alone, on pages, on one long sheet, with legible captions."""

import re
from functools import cache

import numpy as np
import pytest
from examples import EASY, HARD, PROPER, SOLVED

from sudoku_vision.output.drawing.figure import BLACK, Area, Element, Figure, Line, Text
from sudoku_vision.output.drawing.puzzle_figure import ANSWER, DIGIT_HEIGHT
from sudoku_vision.output.overlay.step_sheets import (
    StepSheet,
    captioned,
    sheet_figure,
    sheet_pages,
    step_figures,
)
from sudoku_vision.sudoku.board import board_array, parse_board
from sudoku_vision.sudoku.logic import explain
from sudoku_vision.sudoku.logic.methods import METHODS

MEDIUM = PROPER[0]
"""Strikes out candidates, by few steps."""


@cache
def sheet_of(puzzle: str, method: str = "easiest") -> StepSheet:
    return StepSheet(
        explain(puzzle, method=method), board_array(parse_board(puzzle)), "A puzzle", ["A note."]
    )


def places_of(element: Element) -> list[tuple[float, float]]:
    match element:
        case Line():
            return list(element.points)
        case Area():
            return [place for polygon in element.polygons for place in polygon]
        case Text():
            return [element.place]


def held(figure: Figure) -> None:
    """All of a figure lies on its sheet."""
    places = np.array([place for element in figure.elements for place in places_of(element)])
    assert (places >= 0).all() and (places <= (figure.width, figure.height)).all()


def words_of(figure: Figure) -> str:
    return " ".join(element.words for element in figure.elements if isinstance(element, Text))


@pytest.mark.slow
def test_each_step_has_a_figure_with_its_number_name_and_sentence() -> None:
    sheet = sheet_of(HARD)
    figures = list(step_figures(sheet))
    assert len(figures) == len(sheet.explanation.steps)
    for number, (figure, step) in enumerate(zip(figures, sheet.explanation.steps, strict=True), start=1):
        held(figure)
        name = step.technique.name
        assert f"{number}. {name[0].upper()}{name[1:]} {step.text}" in words_of(figure)


def test_the_board_of_a_step_is_as_it_stands_there() -> None:
    sheet = sheet_of(EASY)
    board = board_array(parse_board(EASY)).ravel().tolist()
    for step, figure in zip(sheet.explanation.steps, step_figures(sheet), strict=True):
        shown = [0] * 81
        for text in digits_of_a_board(figure):
            column, row = (int((place - 4.0) // (82.0 / 9)) for place in text.place)
            shown[9 * row + column] = int(text.words)
        assert shown == board
        for cell, digit in step.placements:
            board[cell] = digit
    assert 0 not in board


def digits_of_a_board(figure: Figure) -> list[Text]:
    """The clues and entries of a figure, as tall as they are printed, 82 mm for a board."""
    texts = [one for one in figure.elements if isinstance(one, Text) and one.words.isdigit()]
    inks = (BLACK, ANSWER)  # not that of what the step fills in
    return [one for one in texts if one.size > DIGIT_HEIGHT * 82.0 / 9 and one.colour in inks]


def test_candidates_are_shown_where_a_step_is_about_them() -> None:
    sheet = sheet_of(MEDIUM)
    smallest: dict[bool, float] = {}
    for figure, step in zip(step_figures(sheet), sheet.explanation.steps, strict=True):
        size = min(one.size for one in figure.elements if isinstance(one, Text))
        smallest.setdefault(bool(step.eliminations), size)
    assert smallest[True] < smallest[False] / 1.2


@pytest.mark.parametrize("method", list(METHODS))
def test_pages_hold_two_to_six_steps_and_all_of_them_once(method: str) -> None:
    sheet = sheet_of(MEDIUM, method)
    pages = sheet_pages([sheet])
    assert "A puzzle A note." in words_of(pages[0])
    numbers = []
    for page in pages:
        held(page)
        heads = (one.words for one in page.elements if isinstance(one, Text) and one.bold)
        here = [int(head.split(".")[0]) for head in heads if re.match(r"\d+\. [A-Z]", head)]
        numbers += here
        assert len(here) <= 6 and (len(here) >= 2 or page in (pages[0], pages[-1]))
    assert numbers == list(range(1, len(sheet.explanation.steps) + 1))
    words = " ".join(map(words_of, pages))
    assert all(heading in words for heading in sheet.explanation.headings.values())


def test_each_explanation_begins_a_page_and_one_sheet_holds_all() -> None:
    sheets = [sheet_of(EASY), sheet_of(EASY, "rows")]
    pages = sheet_pages(sheets)
    assert len(pages) == sum(len(sheet_pages([sheet])) for sheet in sheets)
    figure = sheet_figure(sheets)
    held(figure)
    count = sum(len(sheet.explanation.steps) for sheet in sheets)
    assert words_of(figure).count("Hidden single") <= count and words_of(figure).count("A puzzle") == 2


def test_a_full_board_and_one_of_many_solutions_have_their_sheets() -> None:
    for puzzle in (SOLVED, "1" + "0" * 80):
        (page,) = sheet_pages([sheet_of(puzzle)])
        held(page)
        assert not list(step_figures(sheet_of(puzzle)))


WORDS = "In box 7, the digit 1 fits only in r8c3: the 1s in r1c1, r5c2 and r7c8 see the other blank cells."


@pytest.mark.parametrize("width", [60, 320, 1008, 4000])
def test_the_picture_stays_as_it_is_and_the_words_are_large_enough_for_a_phone(width: int) -> None:
    picture = np.full((50, width, 3), 90, np.uint8)
    drawn = captioned(picture, [("Hidden single", True), (WORDS, False)])
    assert np.array_equal(drawn[:50], picture)
    strip = drawn[50:, :, 0]
    inked = strip.min(axis=1) < 128
    assert not inked[0] and not inked[-1], "there is paper round the words"
    assert not (strip[:, [0, -1]] < 250).any(), "no word is cut off"
    heights = np.diff(np.flatnonzero(np.diff(inked.astype(int))))[::2]
    assert heights.max() >= max(7, 0.02 * width)


def test_a_picture_without_words_gets_no_strip() -> None:
    picture = np.zeros((5, 7, 3), np.uint8)
    assert captioned(picture, []) is picture
