"""A cell that could not be seen is not blank: an answer that depends on it is not sure, and it is named."""

from dataclasses import replace
from itertools import product

import numpy as np
from test_decode import PUZZLES, SOLUTIONS, clean, clues, doubtful, read, scores

from sudoku_vision.sudoku.board import area_names
from sudoku_vision.sudoku.solver import is_unique
from sudoku_vision.vision.decode import SURE, decode, grid_status
from sudoku_vision.vision.decode.boards import with_changes
from sudoku_vision.vision.decode.overrides import CellOverrides, apply_overrides
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import DigitScores, Lattice, Reading
from sudoku_vision.vision.status import message_of

PUZZLE, SOLUTION = PUZZLES[0], SOLUTIONS[0]
NEEDED = next(cell for cell in clues(PUZZLE) if not is_unique((*PUZZLE[:cell], 0, *PUZZLE[cell + 1 :])))
WITH_EXTRA = (*SOLUTION[:9], *PUZZLE[9:])
"""The puzzle with clues that it could do without."""


def without(values: tuple[int, ...], *cells: int) -> tuple[int, ...]:
    """A board with some cells blank."""
    return tuple(0 if cell in cells else value for cell, value in enumerate(values))


def covered(values: tuple[int, ...], hidden: dict[int, float]) -> DigitScores:
    """The scores of a clean board with the probabilities that some cells are hidden."""
    chances = np.zeros(81, np.float32)
    for cell, chance in hidden.items():
        chances[cell] = chance
    return replace(scores(clean(values)), hidden=chances)


def grid(reading: Reading) -> Grid:
    return Grid(grid_status(reading), Lattice(np.zeros((10, 10, 2), np.float32)), reading)


def test_a_clue_that_a_cover_hides_makes_the_grid_uncertain_and_is_named() -> None:
    reading = decode(covered(without(PUZZLE, NEEDED), {NEEDED: 0.7}))
    assert reading.solutions == 2
    found = grid(reading)
    assert (found.status, found.hidden) == ("uncertain", (NEEDED,))
    assert area_names([NEEDED]) in message_of("uncertain", [found])
    seen = decode(covered(without(PUZZLE, NEEDED), {}))
    assert (grid_status(seen), seen.hidden) == ("many_solutions", ())
    overrides: CellOverrides = {NEEDED: PUZZLE[NEEDED]}
    overruled = apply_overrides(covered(without(PUZZLE, NEEDED), {NEEDED: 0.7}), overrides, reading.puzzle)
    assert grid_status(overruled) == "solved"


def test_a_cover_over_cells_that_the_answer_does_not_need_leaves_it_sure() -> None:
    reading = decode(covered(without(WITH_EXTRA, 0, 1), {0: 0.9, 1: 0.9}))
    assert grid_status(reading) == "solved"
    assert reading.confidence > SURE
    found = grid(reading)
    assert found.hidden == ()
    named = [(doubt.cell, doubt.digits, doubt.kind) for doubt in found.doubts]
    assert named == [(cell, (SOLUTION[cell], 0), "role") for cell in (0, 1)]


def test_the_rules_choose_no_digit_against_its_ink_while_a_clue_is_hidden() -> None:
    """A smudged clue could be another digit that leaves one solution, but that solution would be wrong."""
    board = without(PUZZLE, NEEDED)
    options = product(clues(board), range(1, 10))
    cell, digit = next(
        one for one in options if one[1] != board[one[0]] and is_unique(with_changes(board, [one]))
    )
    ink = clean(board)
    doubtful(ink, cell, **{f"d{board[cell]}": 0.97, f"d{digit}": 0.03})
    hidden = covered(board, {NEEDED: 0.7}).hidden
    assert grid_status(decode(replace(scores(ink), hidden=hidden))) == "uncertain"


def test_a_hidden_digit_that_the_rules_contradict_gives_way() -> None:
    """A stroke makes a clue look like another one, which leaves no solution."""
    reading = decode(covered((WITH_EXTRA[1], *WITH_EXTRA[1:]), {0: 0.8}))
    assert read(reading)[0] in (0, WITH_EXTRA[0])
    assert reading.solution is not None
    assert tuple(reading.solution.ravel().tolist()) == SOLUTION


def test_areas_are_named_by_their_first_and_last_cell() -> None:
    names = {(): "", (0,): "r1c1", (0, 80): "r1c1, r9c9", (30, 31, 39, 40): "r4c4-r5c5", (8, 9): "r1c9, r2c1"}
    assert {cells: area_names(cells) for cells in names} == names
