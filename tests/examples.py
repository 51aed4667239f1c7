"""The boards that techniques are shown on, and puzzles of other rules."""

from __future__ import annotations

from sudoku_vision.sudoku.formats import NamedBoard, read_boards
from sudoku_vision.sudoku.logic import Step, Technique
from sudoku_vision.sudoku.logic.candidates import Candidates
from sudoku_vision.sudoku.logic.techniques.singles import with_blockers

JIGSAW = "023000000000000000000800000005008000500074000040000103000007000000120000970001500"
REGIONS = "111111222113334442513333342555555342665654442766664882777688882777689889779999999"
"""The clues of a jigsaw, and the region of each of its cells."""


def example_of(technique: Technique) -> NamedBoard:
    """The example of a technique: clues, entries and what is left of the candidates."""
    (board,) = read_boards(technique.example)
    return board


def candidates_of(technique: Technique) -> Candidates:
    """The example of a technique, to be searched."""
    board = example_of(technique)
    clues = board.clues.ravel().tolist()
    return Candidates.marked(board.digits.ravel().tolist(), board.marks, clues, board.rules)


def step_of(technique: Technique) -> Step:
    """What a technique finds on its example."""
    board = candidates_of(technique)
    step = technique.find(board)
    assert step is not None
    return with_blockers(board, step)
