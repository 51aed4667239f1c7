"""Glyphs are cut out and read, whichever way up; covered cells are found; a classifier can be replaced."""

import cv2
import numpy as np
import pytest
from conftest import PUZZLE, SOLUTION, board
from drawn_grids import Colour, laid_over
from examples import EASY
from test_model_files import small_model

from sudoku_vision import solve_photo
from sudoku_vision.sudoku.board import Board, board_text
from sudoku_vision.values import Floats
from sudoku_vision.vision.digits import CellClassifier, read_cells
from sudoku_vision.vision.digits.cascade import corrected, handwriting_on_page
from sudoku_vision.vision.digits.glyphs import cut_glyphs
from sudoku_vision.vision.digits.model_files import load_model
from sudoku_vision.vision.digits.strokes import set_upright
from sudoku_vision.vision.digits.turns import (
    CLEAR_LEAD,
    in_turn,
    likely_turns,
    total_log_probability,
    turned_cells,
)
from sudoku_vision.vision.rectify import rectify
from sudoku_vision.vision.results import DigitScores, Lattice, Photo
from workshop.rendering import Conditions, Drawing, GridStyle, draw

TURNABLE = EASY.translate(str.maketrans("347", "869"))
"""No puzzle, but digits that are digits upside down, too."""


def clean_cells(puzzle: str = EASY, size: int = 40) -> Floats:
    """The cells of a puzzle as rectify returns them, drawn in a plain font."""
    cells = np.zeros((81, size, size), np.float32)
    for cell, digit in enumerate(puzzle):
        if digit != "0":
            image = np.zeros((size, size), np.uint8)
            cv2.putText(image, digit, (11, 30), cv2.FONT_HERSHEY_DUPLEX, 0.9, 255, 2, cv2.LINE_AA)
            cells[cell] = image / 255
    return cells


def test_a_clean_puzzle_is_read() -> None:
    scores = load_model().classify(clean_cells())
    assert "".join(map(str, scores.log_probs.argmax(axis=1))) == EASY
    assert np.exp(scores.log_probs).sum(axis=1) == pytest.approx(1, abs=1e-4)
    assert scores.written[np.array(list(EASY)) != "0"].max() < 0.5


@pytest.mark.parametrize("turn", range(4))
def test_the_upright_turn_wins_and_is_classified_alone_where_it_is_plain(turn: int) -> None:
    cells = turned_cells(clean_cells(), -turn)
    totals = [total_log_probability(load_model().classify(turned_cells(cells, each))) for each in range(4)]
    assert int(np.argmax(totals)) == turn
    assert sorted(totals)[-1] - sorted(totals)[-2] > CLEAR_LEAD
    turns = load_model().classify_turns(cells)
    assert turns.likely == (turn,)
    assert sorted(turns.by_turn) == ([0, 1, 2, 3] if turn else [0])


def test_cells_that_are_certain_in_no_turn_do_not_choose_the_turn() -> None:
    """Rows of candidates are no digits upright, and may look like digits on their side."""

    def scores(clue: float, row: float) -> DigitScores:
        likely = np.repeat([clue, row], [30, 51])[:, None]
        shares = np.hstack([likely, np.repeat((1 - likely) / 9, 9, axis=1)])[:, [1, 2, 0, *range(3, 10)]]
        return DigitScores(np.log(shares).astype(np.float32), np.zeros(81, np.float32))

    upright, other = scores(0.999, 0.2), scores(0.2, 0.9)
    turned = DigitScores(in_turn(other.log_probs, 1), other.written)
    assert likely_turns({0: upright, 1: turned}) == (0,)


def test_a_grid_whose_digits_may_be_turned_is_classified_in_all_turns() -> None:
    turns = load_model().classify_turns(clean_cells(TURNABLE))
    assert sorted(turns.by_turn) == [0, 1, 2, 3]
    assert sorted(turns.likely) == [0, 2]


def test_noise_and_a_speck_are_blank_and_a_line_at_the_edge_is_no_one() -> None:
    noise = np.random.default_rng(0).normal(0, 0.02, (81, 40, 40)).astype(np.float32)
    cells = clean_cells()
    cells[2, 19:22, 19:22] = 1
    cells[3, :, 36:38] = 1
    for some, blank in ((noise, slice(81)), (cells, slice(2, 4))):
        assert not load_model().classify(some).log_probs.argmax(axis=1)[blank].any()


def test_the_second_stage_only_decides_which_digit_is_written() -> None:
    model = small_model()
    rng = np.random.default_rng(3)
    first = rng.dirichlet(np.ones(20), 6).astype(np.float32)
    first[:3, 10:19] = 0
    first /= first.sum(axis=1, keepdims=True)
    second, _ = model.both_stages(first, rng.random((6, 28, 28), np.float32))
    assert np.array_equal(second[:3], first[:3])
    assert (np.abs(second - first)[3:].max(axis=1) > 0.005).all()
    for kind in (slice(0, 1), slice(1, 10), slice(10, 19), slice(19, 20)):
        assert second[:, kind].sum(axis=1) == pytest.approx(first[:, kind].sum(axis=1), abs=1e-5)


def test_a_corrected_entry_has_more_ink_than_the_others_and_is_hard_to_read() -> None:
    """Each sign alone is weak: an 8 has more ink than a 1, and many digits are hard to read."""
    classes = np.full((81, 20), 1e-4, np.float32)
    classes[:, 14] = 1.0
    area, entropy = np.full(81, 0.1, np.float32), np.full(81, 0.01, np.float32)
    area[[0, 1]], entropy[[1, 2]] = 0.2, 0.7
    classes[1, 19] = 0.05
    likely = corrected(classes, entropy, area)
    assert likely[1] > 0.9
    assert likely[[0, 2]].max() < 0.2
    assert likely[3:].max() < 0.01
    assert not corrected(np.eye(20, dtype=np.float32)[np.ones(81, int)], entropy, area).any(), (
        "all is printed"
    )


def test_a_lone_doubtful_cell_counts_as_print_and_handwriting_among_print_stays() -> None:
    written = np.full(81, 0.02, np.float32)
    written[7] = 0.7
    by_hand, share = handwriting_on_page(1 - written, written, 0.4)
    assert by_hand.max() < 0.5 and share < 0.05
    written = np.where(np.arange(81) % 2, 0.98, 0.02).astype(np.float32)
    by_hand, share = handwriting_on_page(1 - written, written, 0.4)
    assert 0.3 < share < 0.7
    assert by_hand[1::2].min() > 0.9 and by_hand[::2].max() < 0.1


class TemplateMatcher(CellClassifier):
    """Compares each glyph with the mean shape of each digit in a board that is known."""

    def __init__(self, known: Drawing) -> None:
        glyphs = cut_glyphs(rectify(Photo(known.pixels), known.grids[0].lattice))
        digits = known.grids[0].puzzle.ravel()
        self.templates = np.stack([glyphs.images[digits == digit].mean(axis=0) for digit in range(1, 10)])

    def classify(self, cells: Floats) -> DigitScores:
        glyphs = cut_glyphs(cells)
        off = glyphs.images[:, None] - self.templates
        likeness = np.exp(-0.5 * (off**2).sum(axis=(2, 3)))
        blank = np.where(glyphs.found, 1e-6, 1.0)
        answers = np.column_stack([blank, np.where(glyphs.found[:, None], likeness, 0) + 1e-6])
        log_probs = np.log(answers / answers.sum(axis=1, keepdims=True)).astype(np.float32)
        return DigitScores(log_probs, np.full(81, 0.01, np.float32))


@pytest.fixture(scope="module")
def matcher() -> TemplateMatcher:
    conditions = Conditions(size=(480, 480))
    return TemplateMatcher(draw(np.random.default_rng(1), conditions, puzzles=[board(EASY)]))


@pytest.mark.parametrize("turn", [0, 1, 2])
def test_template_matching_reads_a_drawn_photo_in_any_turn(
    drawing: Drawing, matcher: TemplateMatcher, turn: int
) -> None:
    pixels = np.ascontiguousarray(np.rot90(drawing.pixels, turn))
    (grid,) = solve_photo(Photo(pixels), model=matcher).grids
    assert board_text(grid.puzzle) == PUZZLE
    assert grid.solution is not None and board_text(grid.solution) == SOLUTION


def test_where_the_turn_is_known_no_other_is_classified(drawing: Drawing) -> None:
    lattice = drawing.grids[0].lattice
    upright = read_cells(Photo(drawing.pixels), lattice, load_model())
    known = read_cells(Photo(drawing.pixels), lattice.turned(1), load_model(), turn=3)
    assert (known.turns.likely, list(known.turns.by_turn)) == ((3,), [3])
    one, other = known.turns.likely_scores[3], upright.turns.likely_scores[0]
    assert np.array_equal(one.log_probs.argmax(axis=1), other.log_probs.argmax(axis=1))
    assert one.hidden == pytest.approx(other.hidden, abs=0.02)


# Cells that something covers are found, in each turn of the page.


def hidden(photo: Photo, lattice: Lattice) -> Floats:
    return read_cells(photo, lattice, load_model(), 0).turns.by_turn[0].hidden


@pytest.mark.parametrize("kind", ["finger", "thing"])
def test_covered_cells_are_found_and_no_others(drawing: Drawing, kind: str) -> None:
    lattice = drawing.grids[0].lattice
    assert hidden(Photo(drawing.pixels), lattice).max() < 0.02
    cell = 20  # a blank one: what hides it may hide a clue
    spoilt, share = laid_over(drawing, kind, cell)
    found = hidden(Photo(spoilt), lattice)
    assert found[cell] > 0.05
    far = share < 0.01
    assert found[far].max() < 0.2


@pytest.mark.parametrize("lit", [(60, 48, 40), (40, 90, 90), (80, 120, 60)])
def test_lit_cells_of_a_dark_screen_are_not_covered(puzzle: Board, lit: Colour) -> None:
    """Lines that are lighter than other cells may be darker than lit ones."""
    style = GridStyle(
        cell_colour=(43, 37, 34),
        line_colour=(74, 64, 58),
        digit_colour=(212, 201, 195),
        thin=0.02,
        thick=0.03,
        border=0.03,
        highlight=54,
        highlight_colour=lit,
    )
    conditions = Conditions(size=(600, 800), dark=True, screenshot=True, grid=style)
    drawing = draw(np.random.default_rng(2), conditions, puzzles=[puzzle])
    assert hidden(Photo(drawing.pixels), drawing.grids[0].lattice).max() < 0.05


@pytest.mark.parametrize("side", range(4))
def test_cells_that_the_edge_of_the_picture_cuts_off_are_hidden(drawing: Drawing, side: int) -> None:
    lattice = drawing.grids[0].lattice
    cut = round(float(lattice.crossings[0, 0, 0] + 0.8 * lattice.cell_size))
    pixels = np.ascontiguousarray(np.rot90(np.rot90(drawing.pixels, side)[:, cut:], -side))
    moved = lattice.crossings - np.array([cut if side == 0 else 0, cut if side == 1 else 0], np.float32)
    found = hidden(Photo(pixels), Lattice(moved)).reshape(9, 9)
    first = np.rot90(found, side)
    assert first[:, 0].min() > 0.6
    assert first[:, 1:].max() < 0.05


# Glyphs: the digit is cut out of its cell without anything near it, and set upright.


def cell_with(*boxes: tuple[int, int, int, int]) -> tuple[bool, tuple[float, ...]]:
    """Whether a glyph is found in a cell of 40 pixels inked in *boxes*, and its own box in pixels."""
    cells = np.zeros((81, 40, 40), np.float32)
    for left, top, right, bottom in boxes:
        cells[0, top:bottom, left:right] = 1
    glyphs = cut_glyphs(cells)
    return bool(glyphs.found[0]), tuple(float(side) for side in np.round(40 * glyphs.box[0]))


DIGIT = (14, 10, 26, 30)


@pytest.mark.parametrize(
    ("what", "box"),
    [
        ("a mark in the corner", (3, 3, 9, 11)),
        ("a line along the edge", (0, 35, 40, 38)),
        ("a digit that reaches in from next door", (36, 10, 40, 30)),
    ],
)
def test_what_lies_near_a_digit_is_no_part_of_it(what: str, box: tuple[int, int, int, int]) -> None:
    assert cell_with(DIGIT, box) == cell_with(DIGIT)
    assert not cell_with(box)[0], what


def test_the_dot_of_a_broken_stroke_belongs_to_its_digit() -> None:
    found, box = cell_with((14, 10, 26, 24), (18, 27, 23, 32))
    assert found
    assert box[3] > 30


def test_a_glyph_is_as_large_and_strong_wherever_it_is_and_however_faint() -> None:
    cells = np.zeros((81, 40, 40), np.float32)
    cells[0, 10:30, 14:26] = 1
    cells[1, 12:28, 15:25] = 0.5
    glyphs = cut_glyphs(cells)
    for image in glyphs.images[:2]:
        rows = np.flatnonzero(image.max(axis=1) > 0.5)
        assert np.ptp(rows) + 1 == pytest.approx(22, abs=2)
        assert image.max() == pytest.approx(1)


def test_a_faint_stroke_on_sloping_paper_is_cut_out_whole() -> None:
    cells = np.zeros((81, 40, 40), np.float32)
    cells[:40, 8:32, 18:22] = 1.0  # the print of the page
    cells[40] = np.linspace(-0.2, 0.2, 40)
    for left in (10, 26):  # an H in pencil
        cells[40, 8:32, left : left + 3] += 0.25
    cells[40, 19:22, 10:29] += 0.25
    left, _, right, _ = cut_glyphs(cells).box[40]
    assert 40 * left == pytest.approx(10, abs=2)
    assert 40 * right == pytest.approx(29, abs=2)


def seven(slant: float, width: float) -> Floats:
    """A 7 of 28 pixels, sheared by *slant* and *width* pixels wide."""
    image = np.zeros((28, 28), np.float32)
    for (x1, y1), (x2, y2) in (((-0.5, -9), (0.5, -9)), ((0.5, -9), (-0.2, 9))):
        ends = [(round(14 + width * x - slant * y), round(14 + y)) for x, y in ((x1, y1), (x2, y2))]
        cv2.line(image, ends[0], ends[1], 1.0, 3, cv2.LINE_AA)
    return np.clip(image, 0, 1)


def likeness(one: Floats, other: Floats) -> float:
    return float((one * other).sum() / np.sqrt((one**2).sum() * (other**2).sum()))


@pytest.mark.parametrize("slant", [-0.4, 0.4])
def test_slant_is_taken_out_and_a_narrow_digit_is_widened(slant: float) -> None:
    straight, slanted = set_upright(np.stack([seven(0.0, 12), seven(slant, 12)]))
    assert likeness(straight, slanted) > 0.9
    assert likeness(seven(0.0, 12), seven(slant, 12)) < 0.75
    narrow = seven(0.0, 6)
    (wide,) = set_upright(narrow[None])
    assert (wide > 0.5).any(axis=0).sum() > (narrow > 0.5).any(axis=0).sum()
    assert (wide > 0.5).any(axis=1).sum() == pytest.approx((narrow > 0.5).any(axis=1).sum(), abs=1)
