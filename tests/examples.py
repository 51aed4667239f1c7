"""The boards that techniques are shown on, and puzzles of other rules."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.sudoku.board import Board, board_array, parse_board
from sudoku_vision.sudoku.formats import NamedBoard, read_boards
from sudoku_vision.sudoku.logic.candidates import Candidates
from sudoku_vision.sudoku.logic.steps import Step, Technique
from sudoku_vision.sudoku.logic.techniques.singles import with_blockers
from sudoku_vision.sudoku.rules import CLASSIC, Rules

Bools = NDArray[np.bool_]
_EXAMPLES = Path(__file__).resolve().parents[1] / "docs" / "tools" / "technique_examples.json"
EXAMPLES: dict[str, str] = json.loads(_EXAMPLES.read_text())
JIGSAW = "023000000000000000000800000005008000500074000040000103000007000000120000970001500"
REGIONS = "111111222113334442513333342555555342665654442766664882777688882777689889779999999"
"""The clues of a jigsaw, and the region of each of its cells."""
EASY = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
HARD = "100007090030020008009600500005300900010080002600004000300000010040000007007000300"
"""Needs all kinds of forcing chains, and a trial."""
PROPER = (
    "000054310500370006000000000860030007040700000900006000000000060094000705083060002",
    "790000000034000000658030000001006048000900050870400001010000006000700014500000097",
    "000003700000100090000070240039700000007020300410000000001060020620007800700800059",
    "895020310000030900310080200050046003000002005006870000000090840000450002407001000",
    "480073090003006578070009000800000916001084000000000300908205400507008000300607859",
    "600038000000000500009102380902850670040601900150000000000740005000000800090006030",
)
"""Made with this project's solver: clues taken from random full grids while one solution remained."""


def example_of(technique: Technique) -> NamedBoard:
    """The example of a technique: clues, entries and what is left of the candidates."""
    (board,) = read_boards(EXAMPLES[technique.name])
    return board


def candidates_of(technique: Technique) -> Candidates:
    """The example of a technique, to be searched."""
    board = example_of(technique)
    clues = board.clues.ravel().tolist()
    return Candidates(board.digits.ravel().tolist(), clues, board.rules, board.marks)


def step_of(technique: Technique) -> Step:
    """What a technique finds on its example."""
    board = candidates_of(technique)
    step = technique.find(board)
    assert step is not None
    return with_blockers(board, step)


def is_solved(board: Iterable[Any], rules: Rules = CLASSIC) -> bool:
    """Whether every unit of 81 values holds every digit."""
    values = list(map(int, board))
    return all({values[cell] for cell in unit} == set(range(1, 10)) for unit in rules.units.values())


def shuffled(board: str, rng: np.random.Generator) -> Board:
    """The same board with digits, rows within bands and columns within stacks in another order."""
    rows, columns = (
        [3 * band + line for band in rng.permutation(3) for line in rng.permutation(3)] for _ in "12"
    )
    digits = np.concatenate([[0], 1 + rng.permutation(9)]).astype(np.int8)
    return np.asarray(digits[board_array(parse_board(board))[rows][:, columns]])


def half_filled(puzzle: Board, solution: Board, entries: int, seed: int = 1) -> tuple[Board, Bools, Bools]:
    """A puzzle with right *entries*: the board, and the cells of clues and of entries, (81,)."""
    blank = np.flatnonzero(puzzle.reshape(81) == 0)
    entered = np.zeros(81, bool)
    entered[np.random.default_rng(seed).permutation(blank)[:entries]] = True
    board = np.where(entered.reshape(9, 9), solution, puzzle).astype(np.int8)
    return board, puzzle.reshape(81) > 0, entered


def check_step(step: Step, board: Candidates, right: Sequence[int]) -> None:
    """Check that a step agrees with the solution, and fills in or strikes out candidates of the board."""
    assert bool(step.placements) != bool(step.eliminations)
    assert all(board.has(*candidate) for candidate in step.placements + step.eliminations)
    assert all(right[cell] == digit for cell, digit in step.placements), step
    assert all(right[cell] != digit for cell, digit in step.eliminations), step
