"""Inks: entries are separated from clues by colour, depth and similarity; a page of one ink stays as it
is."""

import numpy as np
import pytest
from flat_boards import Colour
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
    cells_of,
    coloured,
    halves,
    inks_of,
    picture,
    read,
)

from sudoku_vision.sudoku.board import Board
from sudoku_vision.values import Floats
from sudoku_vision.vision.decode import decode
from sudoku_vision.vision.digits.handwriting import refine_handwriting, similarity_evidence
from sudoku_vision.vision.digits.ink_measurements import InkMeasurements
from sudoku_vision.vision.results import Photo
from workshop.rendering import Bend, Conditions, Drawing, Light, Optics, Pose, Writing, draw


def entered(inks: InkMeasurements, board: Board, written: Floats | float = 1e-4) -> Bools:
    """The cells that hold an entered digit, (81,)."""
    return (refine_handwriting(inks, read(board, written)).written > 0.5) & (board.reshape(81) > 0)


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
def test_clues_and_entries_of_an_app_are_separated_by_their_colours(
    solution: Board, paper: Colour, given: Colour, other: Colour, others: int
) -> None:
    board, first, second = halves(solution, others, others=others)
    inks = inks_of(*picture(board, coloured(first, second, given, other), paper))
    assert np.array_equal(entered(inks, board), second)


@pytest.mark.parametrize(("paper", "ink"), [(WHITE, BLACK), (WHITE, RED), (NIGHT, PALE), (WHITE, GREY)])
@pytest.mark.parametrize("digits", [20, 34, 81])
def test_a_page_of_one_ink_has_no_entries(solution: Board, paper: Colour, ink: Colour, digits: int) -> None:
    board, first, second = halves(solution, digits, digits, 0)
    inks = inks_of(*picture(board, coloured(first, second, ink, ink), paper))
    assert not entered(inks, board).any()


def test_clues_in_black_and_red_that_only_together_make_a_puzzle_stay_clues(solution: Board) -> None:
    board, first, second = halves(solution, 3, 15, 14)
    inks = inks_of(*picture(board, coloured(first, second, BLACK, RED), WHITE))
    assert not entered(inks, board).any()


def test_red_print_in_shaded_boxes_is_the_same_ink_as_beside_them(solution: Board) -> None:
    board, first, second = halves(solution, 12, 32, 0)
    dark = {cell: (205, 205, 205) for cell in range(81) if (cell // 27 + cell % 9 // 3) % 2}
    inks = inks_of(*picture(board, coloured(first, second, RED, RED), WHITE, dark))
    assert not entered(inks, board).any()


def test_clues_on_coloured_cells_stay_clues(solution: Board) -> None:
    board, first, second = halves(solution, 8)
    marked: dict[int, Colour] = dict.fromkeys(range(27, 36), (250, 225, 200))
    marked |= {int(cell): (90, 230, 110) for cell in np.flatnonzero(board.reshape(81) == 5)}
    inks = inks_of(*picture(board, coloured(first, second, BLACK, BLUE), WHITE, marked))
    plain = ~np.isin(np.arange(81), [cell for cell, shade in marked.items() if shade[0] == 90])
    found = entered(inks, board)
    assert np.array_equal(found[plain], second[plain])
    assert not found[first].any()


def test_a_pen_of_another_colour_decides_if_shapes_leave_it_open(solution: Board) -> None:
    board, first, second = halves(solution, 6, 26, 12)
    shapes = np.full(81, 0.02, np.float32)
    shapes[second] = 0.8
    shapes[np.flatnonzero(second)[:5]] = 0.1
    shapes[np.flatnonzero(first)[:3]] = 0.6
    inks = inks_of(*picture(board, coloured(first, second, BLACK, BLUE), WHITE))
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


@pytest.fixture(scope="module")
def filled_in() -> Drawing:
    """A printed puzzle that a hand has filled in."""
    conditions = Conditions(
        size=(600, 600),
        layout="close_up",
        clues=34,
        writing=Writing(share=1.0, jitter=1.6, height_spread=0.2),
        optics=Optics(blur=0.8, noise=3, jpeg=80),
    )
    return draw(np.random.default_rng(3), conditions)


def test_printed_digits_are_more_similar_than_handwritten_ones(filled_in: Drawing) -> None:
    grid = filled_in.grids[0]
    printed, written = grid.puzzle.reshape(81), grid.written.reshape(81)
    cells = cells_of(Photo(filled_in.pixels), grid.lattice)
    of_print = [similarity_evidence(cells[printed == digit]) for digit in range(1, 10)]
    by_hand = [similarity_evidence(cells[written == digit]) for digit in range(1, 10)]
    assert np.median(np.concatenate(of_print)) < -0.5
    assert np.median(np.concatenate(by_hand)) > 0.5


def test_a_puzzle_by_one_hand_is_all_clues_even_if_some_digits_look_printed(
    puzzle: Board, solution: Board
) -> None:
    """Three digits can't be the clues of a puzzle, and all of them together make one."""
    board = np.where(halves(solution, 3, given=12, others=0)[1].reshape(9, 9), solution, puzzle)
    board = board.astype(np.int8)
    used = np.flatnonzero(board)
    looks = np.full(81, 0.97, np.float32)
    looks[used[::9]] = 1e-3
    scores = read(board, looks)
    inks = inks_of(*picture(board, dict.fromkeys(used.tolist(), BLACK), WHITE))
    assert np.array_equal(decode(refine_handwriting(inks, scores)).puzzle, board)
