"""Inks: entries are told from clues by colour, depth and likeness, in flat pages, apps and magazines."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from drawn.pages import draw_page
from drawn_grids import LATTICE, Colour, flat_board
from examples import Bools, half_filled

from sudoku_vision.sudoku.board import Board
from sudoku_vision.values import Doubles, Floats
from sudoku_vision.vision.decode import SURE, decode
from sudoku_vision.vision.digits.handwriting import refine_handwriting, similarity_evidence
from sudoku_vision.vision.digits.ink_measurements import InkMeasurements, measure_ink
from sudoku_vision.vision.rectify import coarse_view, even, remove_lines, straighten
from sudoku_vision.vision.results import DigitScores, Lattice, Photo, Reading
from workshop.rendering import (
    Bend,
    Conditions,
    Drawing,
    Light,
    Optics,
    Pose,
    Writing,
    draw,
    random_conditions,
)
from workshop.rendering.hands import new_hand
from workshop.rendering.typefaces import Typeface, bundled_typefaces

WHITE, BLACK, GREY, SOFT = (255, 255, 255), (25, 25, 25), (150, 150, 150), (75, 75, 75)
BLUE, GREEN, RED, PURPLE = (200, 90, 30), (40, 140, 40), (40, 40, 210), (170, 50, 130)
NIGHT, PALE, SKY = (30, 28, 28), (235, 235, 235), (250, 160, 100)


def picture(
    board: Board,
    colours: dict[int, Colour],
    paper: Colour,
    shades: dict[int, Colour] | None = None,
    widths: dict[int, int] | None = None,
) -> tuple[Photo, Lattice]:
    """A flat board with a little noise, stored as JPEG; arguments as for :func:`flat_board`."""
    digits = {cell: str(board.reshape(81)[cell]) for cell in colours}
    image = flat_board(digits, colours, paper, GREY, shades, widths)
    noise = np.random.default_rng(5).normal(0, 1.5, image.shape)
    noisy = np.clip(image + noise, 0, 255).astype(np.uint8)
    stored = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 80])[1]
    return Photo(np.asarray(cv2.imdecode(stored, cv2.IMREAD_COLOR), np.uint8)), LATTICE


def cells_of(photo: Photo, lattice: Lattice) -> Floats:
    return remove_lines(even(straighten(photo, lattice)))


def inks_of(photo: Photo, lattice: Lattice) -> InkMeasurements:
    straight = straighten(photo, lattice)
    return measure_ink(straight, remove_lines(even(straight)), coarse_view(straight))


def read(board: Board, written: Floats | float = 1e-4) -> DigitScores:
    """Scores with sure digits; *written* are the probabilities of handwriting."""
    answers = np.full((81, 10), 1e-5)
    answers[np.arange(81), board.reshape(81)] = 1.0
    logs = np.log(answers / answers.sum(axis=1, keepdims=True)).astype(np.float32)
    return DigitScores(logs, np.broadcast_to(np.float32(written), (81,)).astype(np.float32))


def halves(solution: Board, seed: int, given: int = 28, others: int = 20) -> tuple[Board, Bools, Bools]:
    """A board with two sorts of digits, by chance: the board, and where either sort stands, (81,)."""
    order = np.random.default_rng(seed).permutation(81)
    first, second = np.zeros(81, bool), np.zeros(81, bool)
    first[order[:given]] = True
    second[order[given : given + others]] = True
    board = np.where((first | second).reshape(9, 9), solution, 0).astype(np.int8)
    return board, first, second


def coloured(first: Bools, second: Bools, one: Colour, other: Colour) -> dict[int, Colour]:
    return everywhere(first, one) | everywhere(second, other)


def everywhere(cells: Bools, colour: Colour) -> dict[int, Colour]:
    return dict.fromkeys(np.flatnonzero(cells).tolist(), colour)


def clashing(board: Board, cell: int, solution: Board) -> int:
    """A wrong digit for a *cell*, which its row has already."""
    return next(d for d in range(1, 10) if d in board[cell // 9] and d != solution.flat[cell])


def entered(inks: InkMeasurements, board: Board, written: Floats | float = 1e-4) -> Bools:
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
@pytest.mark.parametrize("others", [8, 45])
def test_clues_and_entries_of_an_app_are_separated_by_their_colours(
    solution: Board, paper: Colour, given: Colour, other: Colour, others: int
) -> None:
    board, first, second = halves(solution, others, others=others)
    inks = inks_of(*picture(board, coloured(first, second, given, other), paper))
    assert np.array_equal(entered(inks, board), second)


SHADED_BOXES = (np.arange(81) // 27 + np.arange(81) % 9 // 3) % 2 > 0


@pytest.mark.parametrize(
    ("given", "others", "paper", "ink", "other"),
    [
        *((digits, 0, WHITE, ink, ink) for digits in (20, 34, 81) for ink in (BLACK, RED, GREY)),
        *((digits, 0, NIGHT, PALE, PALE) for digits in (20, 34, 81)),
        (15, 14, WHITE, BLACK, RED),  # only together they make a puzzle
    ],
)
@pytest.mark.parametrize("shaded", [False, True])
def test_a_page_of_one_puzzle_has_no_entries(
    solution: Board, given: int, others: int, paper: Colour, ink: Colour, other: Colour, shaded: bool
) -> None:
    board, first, second = halves(solution, given, given, others)
    shades = everywhere(SHADED_BOXES, (205, 205, 205)) if shaded and paper == WHITE else None
    inks = inks_of(*picture(board, coloured(first, second, ink, other), paper, shades))
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


def shown(
    board: Board,
    colours: dict[int, Colour],
    widths: dict[int, int] | None = None,
    written: Floats | float = 1e-4,
    shades: dict[int, Colour] | None = None,
    paper: Colour = WHITE,
    light: Doubles | float = 1.0,
) -> Reading:
    """The reading of a drawn board by a classifier that is sure of the digits."""
    photo, lattice = picture(board, colours, paper, shades, widths)
    photo = Photo((photo.pixels * light).astype(np.uint8))
    return decode(refine_handwriting(inks_of(photo, lattice), read(board, written), cells_of(photo, lattice)))


def assert_roles(reading: Reading, board: Board, given: Bools) -> None:
    """Check that the given digits, and only those, were taken for clues, the others for entries."""
    assert np.array_equal(reading.puzzle, np.where(given.reshape(9, 9), board, 0))
    assert np.array_equal(reading.written, np.where(given.reshape(9, 9), 0, board))


@pytest.mark.parametrize("entries", [12, 30])
def test_thin_grey_digits_beside_bold_dark_ones_are_entries(
    puzzle: Board, solution: Board, entries: int
) -> None:
    board, given, entered = half_filled(puzzle, solution, entries)
    widths = dict.fromkeys(np.flatnonzero(entered).tolist(), 1)
    assert_roles(shown(board, coloured(given, entered, BLACK, SOFT), widths), board, given)


@pytest.mark.parametrize(
    ("paper", "clues", "entries"),
    [
        ((0, 0, 0), (51, 255, 51), (102, 255, 255)),
        (NIGHT, (40, 120, 220), PALE),
        (WHITE, BLUE, BLACK),
        (WHITE, (180, 110, 60), BLACK),
    ],
)
def test_clues_in_the_less_neutral_ink_are_told_by_the_rules(
    puzzle: Board, solution: Board, paper: Colour, clues: Colour, entries: Colour
) -> None:
    board, given, entered = half_filled(puzzle, solution, 40)
    assert_roles(shown(board, coloured(given, entered, clues, entries), paper=paper), board, given)


@pytest.mark.parametrize(
    ("paper", "ground", "ink", "light"),
    [
        (WHITE, (230, 230, 230), BLACK, 1.0),
        (WHITE, (247, 230, 208), BLACK, 1.0),
        (NIGHT, (55, 55, 55), PALE, 1.0),
        ((232, 232, 232), WHITE, BLACK, 1.0),
        (WHITE, PALE, BLACK, 0.6),
        (NIGHT, (58, 56, 56), PALE, 0.6),
    ],
)
@pytest.mark.parametrize("entries", [12, 30])
def test_clues_on_a_ground_of_their_own_are_told_from_entries_in_the_same_ink(
    puzzle: Board, solution: Board, entries: int, paper: Colour, ground: Colour, ink: Colour, light: float
) -> None:
    """Also in the light of a photo, which is darker at its top, or yellowish."""
    board, given, entered = half_filled(puzzle, solution, entries)
    fading = np.linspace(light, 0.95, 400)[:, None] * [1.0, 0.95, 0.9] if light < 1 else 1.0
    colours, shades = coloured(given, entered, ink, ink), everywhere(given, ground)
    assert_roles(shown(board, colours, shades=shades, paper=paper, light=fading), board, given)


def test_a_lit_row_leaves_open_which_of_its_digits_are_clues(puzzle: Board, solution: Board) -> None:
    """A wrong entry there doesn't spoil the answer, and the roles of the other rows are sure."""
    board, given, entered = half_filled(puzzle, solution, 30)
    row = np.arange(81) // 9 == 4
    wrong = int(np.flatnonzero(row & entered)[0])
    board.flat[wrong] = clashing(puzzle, wrong, solution)
    shades = everywhere(given, (230, 230, 230)) | everywhere(row, (250, 236, 214))
    reading = shown(board, coloured(given, entered, BLACK, BLACK), shades=shades)
    assert reading.solution is not None and np.array_equal(reading.solution, solution)
    assert np.array_equal((reading.puzzle.ravel() > 0)[~row], given[~row])


def test_checkered_boxes_are_no_ground_of_clues(puzzle: Board, solution: Board) -> None:
    board, given, entered = half_filled(puzzle, solution, 20)
    shades, printed = everywhere(~SHADED_BOXES, (225, 225, 225)), given | entered
    assert_roles(shown(board, coloured(given, entered, BLACK, BLACK), shades=shades), board, printed)


def test_two_black_digits_on_a_board_full_of_blue_ones_are_clues(solution: Board) -> None:
    given = np.isin(np.arange(81), [38, 51])
    assert_roles(shown(solution, coloured(given, ~given, BLACK, BLUE)), solution, given)


@pytest.mark.parametrize("wrong_in", [RED, BLUE, PURPLE])
def test_wrong_entries_in_a_colour_of_their_own_are_no_clues(
    puzzle: Board, solution: Board, wrong_in: Colour
) -> None:
    board, given, entered = half_filled(puzzle, solution % 9 + 1, 5)
    assert_roles(shown(board, coloured(given, entered, BLACK, wrong_in)), board, given)


@pytest.mark.parametrize("seed", [0, 1])
def test_one_wrong_entry_in_red_does_not_make_the_other_entries_clues(
    puzzle: Board, solution: Board, seed: int
) -> None:
    board, given, entered = half_filled(puzzle, solution, 48, seed)
    wrong = int(np.flatnonzero(entered)[0])
    board.flat[wrong] = clashing(puzzle, wrong, solution)
    colours = {**coloured(given, entered, BLACK, (140, 79, 29)), wrong: (24, 24, 192)}
    assert_roles(shown(board, colours), board, given)


@pytest.mark.parametrize("ground", [(190, 110, 40), (150, 90, 60), (120, 170, 70)])
@pytest.mark.parametrize("entries", [40, 55])
def test_a_wrong_entry_in_a_selected_cell_is_no_clue_even_in_an_ink_of_its_own(
    puzzle: Board, solution: Board, entries: int, ground: Colour
) -> None:
    board, given, entered = half_filled(puzzle, solution, entries)
    given[np.flatnonzero(entered)[::4]] = True
    entered &= ~given
    selected = int(np.flatnonzero(entered)[0])
    board.flat[selected] = clashing(puzzle, selected, solution)
    colours = {**coloured(given, entered, PALE, SKY), selected: WHITE}
    assert_roles(shown(board, colours, shades={selected: ground}, paper=NIGHT), board, given)


@pytest.mark.parametrize("marked_in", [RED, PURPLE, BLUE])
def test_a_highlighted_digit_among_clues_and_entries_leaves_the_answer(
    puzzle: Board, solution: Board, marked_in: Colour
) -> None:
    """Nobody knows which of the highlighted ones are clues, least of all in the blue of the entries."""
    board, given, entered = half_filled(puzzle, solution, 30)
    given[np.flatnonzero(entered)[::2]] = True
    marked = board.reshape(81) == 4
    colours = coloured(entered & ~given, given, BLUE, BLACK) | everywhere(marked, marked_in)
    reading = shown(board, colours)
    assert reading.solution is not None and np.array_equal(reading.solution, solution)
    others = (board.reshape(81) > 0) & ~marked
    assert np.array_equal(reading.puzzle.reshape(81)[others] > 0, given[others])
    eights = puzzle.reshape(81) == 8  # among clues alone, they stay clues
    alone = puzzle.reshape(81) > 0
    assert_roles(shown(puzzle, coloured(alone, eights, BLACK, marked_in)), puzzle, alone)


def test_a_lone_wrong_digit_in_a_colour_of_its_own_does_not_make_the_clues_doubtful(
    puzzle: Board, solution: Board
) -> None:
    board, given, entered = half_filled(puzzle, solution, 22)
    given |= entered
    wrong = int(np.flatnonzero(~given)[0])
    board.flat[wrong] = clashing(board, wrong, solution)
    reading = shown(board, coloured(given, np.arange(81) == wrong, BLACK, RED))
    assert reading.confidence > SURE
    assert_roles(reading, board, given)


def face(family: str) -> Typeface:
    faces = [face for face in bundled_typefaces() if face.family == family]
    return min(faces, key=lambda face: abs(face.weight - 400))


def black_pencil(rng: np.random.Generator) -> Drawing:
    """A newspaper with one or two digits in black pencil among black print."""
    base = random_conditions(rng, "newspaper")
    grid = replace(base.grid, digit_colour=(35.0, 33.0, 32.0))
    writing = Writing(share=0.035, writer=new_hand(rng), colour=(55.0, 52.0, 50.0), strength=0.9)
    return draw_page(rng, replace(base, grid=grid, writing=writing))


def hand_like_print(rng: np.random.Generator) -> Drawing:
    """A magazine whose print looks handwritten."""
    base = random_conditions(rng, "newspaper")
    family = ("Patrick Hand", "Gochi Hand")[int(rng.integers(2))]
    grid = replace(base.grid, typeface=face(family), digit_colour=(35.0, 30.0, 30.0))
    writing = Writing(share=float(rng.choice([0.0, 0.4])), writer=new_hand(rng))
    return draw_page(rng, replace(base, grid=grid, writing=writing))


def assert_read_as_drawn(drawing: Drawing, looks: Floats | float) -> None:
    """Check the clues and entries of a drawing whose digits have these probabilities of handwriting."""
    grid, photo = drawing.grids[0], Photo(drawing.pixels)
    scores = read((grid.puzzle + grid.written).astype(np.int8), looks)
    reading = decode(refine_handwriting(inks_of(photo, grid.lattice), scores, cells_of(photo, grid.lattice)))
    assert np.array_equal(reading.puzzle, grid.puzzle)
    assert np.array_equal(reading.written, grid.written)


@pytest.mark.parametrize("seed", [(0, 11), (5, 35)])
def test_a_few_digits_in_black_pencil_among_black_print_are_entries(seed: tuple[int, int]) -> None:
    """Their shapes leave it open who wrote them, but no other digit of the page is similar to them."""
    drawing = black_pencil(np.random.default_rng(seed))
    written = drawing.grids[0].written.ravel() > 0
    assert written.any()
    assert_read_as_drawn(drawing, np.where(written, 0.3, 0.01).astype(np.float32))


@pytest.mark.parametrize("seed", [(0, 14), (0, 26), (5, 146)])
def test_print_that_looks_handwritten_may_have_a_hand_beside_it(seed: tuple[int, int]) -> None:
    """All digits look handwritten; only the printed ones repeat."""
    assert_read_as_drawn(hand_like_print(np.random.default_rng(seed)), 0.97)


def test_print_that_looks_handwritten_in_some_digits_is_print_because_it_repeats(
    puzzle: Board, solution: Board
) -> None:
    board, given, entered = half_filled(puzzle, solution, 13)
    printed = given | entered
    looks = np.where(np.isin(board.reshape(81), [3, 5, 8]), 0.97, 0.02).astype(np.float32)
    assert_roles(shown(board, coloured(printed, ~printed, BLACK, BLACK), written=looks), board, printed)
