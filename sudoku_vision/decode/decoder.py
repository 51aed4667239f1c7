"""Decode the scores of 81 cells: weigh the hypotheses, search for likely boards, and take the best one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from sudoku_vision.board import board_array
from sudoku_vision.decode.confidence import confidence, log_posterior
from sudoku_vision.decode.hypotheses import (
    CELLS,
    Doubles,
    Values,
    log_joint,
    normalized,
    page_hypotheses,
    sharpened,
)
from sudoku_vision.decode.roles import settled_roles
from sudoku_vision.decode.search import likely_boards
from sudoku_vision.decode.solver_check import SolverCheck
from sudoku_vision.decode.status import grid_status
from sudoku_vision.decode.uncertainty import doubts_of
from sudoku_vision.results import DigitScores, Reading

CLEAR = 0.9
"""Probability below which a written digit is not clear enough to be called wrong."""
UNLIKELY = 3e-3
"""Probability of the right digit above which another one, if written, is not clear enough either.

On 145 pages with 8,000 written digits, all right, one was called wrong with this, eight without; of mistakes
made up from the same ink, 85 in 100 are called wrong, the others not clear.
"""


def decode(scores: DigitScores) -> Reading:
    """Return the most probable puzzle that the ink supports, with its confidence.

    *scores*: calibrated log-probabilities (81, 10) and probabilities of handwriting (81,), in the upright
    turn. Digits taken as handwriting go to ``written`` as they are and are never repaired.
    ``log_probability`` is that of the puzzle from the ink alone, without the rules.
    """
    scores = settled_roles(scores)
    ink = normalized(scores.log_probs)
    by_hand = sharpened(scores.written)
    hypotheses = page_hypotheses(ink, by_hand)
    solver = SolverCheck()
    boards = [board for one in hypotheses for board in likely_boards(one, solver)]
    puzzle = max(dict.fromkeys(boards), key=lambda board: log_posterior(board, hypotheses, solver))
    checked = solver.check(puzzle)
    written = _written(puzzle, ink, by_hand)
    reading = Reading(
        puzzle=board_array(puzzle),
        written=board_array(written),
        solution=None if checked.solution is None else board_array(checked.solution),
        solutions={"proper": 1, "many": 2}.get(checked.kind, 0),
        confidence=confidence(puzzle, hypotheses, solver),
        repaired=_repaired(puzzle, written, ink),
        log_probability=log_joint(puzzle, hypotheses),
        unclear=_unclear(written, checked.solution, ink),
    )
    if grid_status(reading) in ("solved", "unreadable"):
        return reading
    doubts = doubts_of(puzzle, hypotheses, solver, reading.repaired)
    inked = ink[:, 0] < 0.5
    return replace(reading, doubts=tuple(replace(doubt, inked=bool(inked[doubt.cell])) for doubt in doubts))


def decode_turns(likely: Mapping[int, DigitScores]) -> tuple[int, Reading]:
    """Return the turn in which a grid reads best, and its reading.

    *likely*: scores by turn, in quarter turns counter-clockwise. All are decoded, and the rules of sudoku
    have their say before the log-probability.
    """
    readings = {turn: decode(scores) for turn, scores in likely.items()}
    turn = max(readings, key=lambda turn: (readings[turn].solutions == 1, readings[turn].log_probability))
    return turn, readings[turn]


def _written(puzzle: Values, ink: Doubles, by_hand: Doubles) -> Values:
    """Return the likeliest digit of each cell that is no clue, where handwriting is likelier than a blank."""
    likeliest = ink.argmax(axis=1)
    wrote = (likeliest > 0) & (ink.max(axis=1) * by_hand > ink[:, 0]) & (np.array(puzzle) == 0)
    return tuple(int(digit) for digit in np.where(wrote, likeliest, 0))


def _unclear(written: Values, solution: Values | None, ink: Doubles) -> tuple[int, ...]:
    """Return the written cells that may well hold another digit, the solution's above all."""
    digits = np.array(written)
    unclear = ink.max(axis=1) < CLEAR
    if solution is not None:
        unclear |= (digits != solution) & (ink[CELLS, solution] > UNLIKELY)
    return tuple(int(cell) for cell in np.flatnonzero(unclear & (digits > 0)))


def _repaired(puzzle: Values, written: Values, ink: Doubles) -> tuple[int, ...]:
    """Return the cells read otherwise than their ink alone would be."""
    read = np.array(puzzle) + np.array(written)
    return tuple(int(cell) for cell in np.flatnonzero(read != ink.argmax(axis=1)))
