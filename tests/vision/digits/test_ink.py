"""Inks: what was entered is told from what is given by colour and depth, and one ink is left in peace."""

from __future__ import annotations

import numpy as np
import pytest
from ink_pages import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    NIGHT,
    PALE,
    RED,
    SKY,
    WHITE,
    Bools,
    Colour,
    coloured,
    halves,
    inks_of,
    picture,
    read,
)

from sudoku_vision.results import Board, Floats, Photo
from sudoku_vision.vision.decode import decode
from sudoku_vision.vision.digits.print_vs_handwriting import InkMeasurements, measure_ink, refine_written
from sudoku_vision.workshop.rendering import Bend, Conditions, GridStyle, Light, Optics, Pose, Writing, draw


def entered(inks: InkMeasurements, board: Board, written: Floats | float = 1e-4) -> Bools:
    """The cells that hold an entered digit, (81,)."""
    return (refine_written(inks, read(board, written)).written > 0.5) & (board.reshape(81) > 0)


@pytest.mark.parametrize(
    ("paper", "given", "other"),
    [
        (WHITE, BLACK, BLUE),
        (WHITE, BLACK, GREEN),
        (WHITE, BLACK, RED),
        (WHITE, BLACK, GREY),
        ((225, 243, 252), (55, 95, 120), (130, 140, 70)),
        (NIGHT, PALE, SKY),
        (NIGHT, PALE, (110, 220, 110)),
    ],
)
@pytest.mark.parametrize("others", [8, 20, 45])
def test_an_apps_given_and_entered_digits_are_told_apart_by_colour(
    solution: Board, paper: Colour, given: Colour, other: Colour, others: int
) -> None:
    board, first, second = halves(solution, others, others=others)
    inks = inks_of(*picture(board, coloured(first, second, given, other), paper))
    assert np.array_equal(entered(inks, board), second)


@pytest.mark.parametrize(("paper", "ink"), [(WHITE, BLACK), (WHITE, RED), (NIGHT, PALE), (WHITE, GREY)])
@pytest.mark.parametrize("digits", [20, 34, 81])
def test_a_page_of_one_ink_keeps_its_verdicts(
    solution: Board, paper: Colour, ink: Colour, digits: int
) -> None:
    board, first, second = halves(solution, digits, digits, 0)
    inks = inks_of(*picture(board, coloured(first, second, ink, ink), paper))
    assert not entered(inks, board).any()


def test_clues_in_black_and_red_that_make_a_puzzle_only_together_are_all_given(solution: Board) -> None:
    board, first, second = halves(solution, 3, 15, 14)
    inks = inks_of(*picture(board, coloured(first, second, BLACK, RED), WHITE))
    assert not entered(inks, board).any()


def test_red_print_in_shaded_boxes_is_the_red_print_beside_them(solution: Board) -> None:
    board, first, second = halves(solution, 12, 32, 0)
    dark = {cell: (205, 205, 205) for cell in range(81) if (cell // 27 + cell % 9 // 3) % 2}
    inks = inks_of(*picture(board, coloured(first, second, RED, RED), WHITE, dark))
    assert not entered(inks, board).any()


def test_given_digits_on_coloured_cells_stay_given(solution: Board) -> None:
    board, first, second = halves(solution, 8)
    marked: dict[int, Colour] = dict.fromkeys(range(27, 36), (250, 225, 200))
    marked |= {int(cell): (90, 230, 110) for cell in np.flatnonzero(board.reshape(81) == 5)}
    inks = inks_of(*picture(board, coloured(first, second, BLACK, BLUE), WHITE, marked))
    plain = ~np.isin(np.arange(81), [cell for cell, shade in marked.items() if shade[0] == 90])
    found = entered(inks, board)
    assert np.array_equal(found[plain], second[plain])
    assert not found[first].any()


def test_a_digit_that_the_app_marks_by_colour_is_not_taken_for_entered(solution: Board) -> None:
    board, first, second = halves(solution, 4, 34, 0)
    colours = coloured(first, second, BLACK, BLACK)
    colours |= {cell: BLUE for cell in colours if board.reshape(81)[cell] == 7}
    assert sum(colour == BLUE for colour in colours.values()) > 1
    assert not entered(inks_of(*picture(board, colours, WHITE)), board).any()


def test_a_pen_of_another_colour_settles_what_shapes_leave_open(solution: Board) -> None:
    board, first, second = halves(solution, 6, 26, 12)
    shapes = np.full(81, 0.02, np.float32)
    shapes[second] = 0.8
    shapes[np.flatnonzero(second)[:5]] = 0.1
    shapes[np.flatnonzero(first)[:3]] = 0.6
    inks = inks_of(*picture(board, coloured(first, second, BLACK, BLUE), WHITE))
    assert np.array_equal(entered(inks, board, shapes), second)


def test_shapes_say_which_ink_is_the_hands_even_if_the_print_is_red_and_the_pen_black(
    solution: Board,
) -> None:
    board, first, second = halves(solution, 9, 28, 30)
    shapes = np.where(second, 0.95, 0.05).astype(np.float32)
    inks = inks_of(*picture(board, coloured(first, second, RED, BLACK), WHITE))
    assert np.array_equal(entered(inks, board, shapes), second)


def test_uneven_light_is_no_second_ink() -> None:
    conditions = Conditions(
        size=(640, 480),
        paper=(200, 215, 225),
        ink=0.8,
        grain=3,
        pose=Pose(fill=0.95, pitch=6),
        bend=Bend(arch=0.03),
        light=Light(exposure=0.8, gradient=0.6, vignette=0.5, shadow=0.4, colour=(1.08, 1.0, 0.92)),
        optics=Optics(blur=1.3, noise=4, jpeg=80),
    )
    for seed in range(4):
        drawing = draw(np.random.default_rng(seed), conditions)
        grid = drawing.grids[0]
        assert not entered(inks_of(Photo(drawing.pixels), grid.lattice), grid.puzzle, 0.01).any()


def test_entered_digits_of_drawn_screenshots_are_found() -> None:
    for seed, dark in enumerate((False, True, False, True)):
        style = GridStyle(
            cell_colour=NIGHT if dark else WHITE,
            digit_colour=PALE if dark else BLACK,
            highlight=30 + seed,
            highlight_colour=(60, 48, 42) if dark else (250, 235, 220),
        )
        writing = Writing(share=0.5, typed=True, colour=SKY if dark else BLUE, height=0.55, strength=1.0)
        conditions = Conditions(
            size=(540, 1000), layout="app", screenshot=True, dark=dark, grid=style, writing=writing
        )
        drawing = draw(np.random.default_rng(seed), conditions)
        grid = drawing.grids[0]
        board = (grid.puzzle + grid.written).astype(np.int8)
        found = entered(inks_of(Photo(drawing.pixels), grid.lattice), board)
        assert np.array_equal(found, grid.written.reshape(81) > 0)


def test_a_nearly_empty_page_is_left_as_it_is(solution: Board) -> None:
    board, first, second = halves(solution, 2, 2, 2)
    scores = read(board)
    inks = inks_of(*picture(board, coloured(first, second, BLACK, BLUE), WHITE))
    assert refine_written(inks, scores) is scores


def test_inks_turn_with_the_grid(solution: Board) -> None:
    board, first, second = halves(solution, 1)
    photo, lattice = picture(board, coloured(first, second, BLACK, BLUE), WHITE)
    inks = inks_of(photo, lattice)
    for turn in range(4):
        turned = inks_of(photo, lattice.turned(turn))
        inked = np.rot90(board, turn).ravel() > 0
        np.testing.assert_allclose(inks.turned(turn).values[inked], turned.values[inked], atol=0.15)


def test_a_lone_digit_of_another_colour_goes_where_the_puzzle_makes_no_sense_with_it(
    puzzle: Board, solution: Board
) -> None:
    cell = int(np.flatnonzero(puzzle.reshape(81) == 0)[20])
    wrong = int(solution.reshape(81)[cell]) % 9 + 1
    given = puzzle.reshape(81) > 0
    board = puzzle.copy()
    board.reshape(81)[cell] = wrong
    red = inks_of(*picture(board, coloured(given, np.arange(81) == cell, BLACK, RED), WHITE))
    reading = decode(refine_written(red, read(board)))
    assert np.array_equal(reading.puzzle, puzzle)
    assert reading.written.reshape(81)[cell] == wrong
    black = inks_of(*picture(board, coloured(given, np.arange(81) == cell, BLACK, BLACK), WHITE))
    assert decode(refine_written(black, read(board))).puzzle.reshape(81)[cell] == wrong


@pytest.mark.parametrize("inked", [0, 1, 2])
def test_ink_is_measured_where_there_is_any(inked: int) -> None:
    cells = np.full((81, 40, 40, 3), 200, np.uint8)
    ink = np.zeros((81, 40, 40), np.float32)
    cells[:inked, 12:28, 18:22], ink[:inked, 12:28, 18:22] = 20, 1
    measured = measure_ink(cells, ink, np.full((81, 8, 8, 3), 200, np.uint8))
    assert np.isfinite(measured.values).all()
    assert np.exp(measured.values[:inked, 3]) == pytest.approx(0.1, rel=0.2)
    assert (measured.spread[:inked, 3] < measured.spread[inked:, 3].min()).all()
