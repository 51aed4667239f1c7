"""Name the doubts of an uncertain reading: the cells that a person should look at, and what they may hold.

A cell's probabilities are those of the whole board, marginalised: the ink of the cell, weighed by what the
rules say of the board with that cell changed alone, and of the other likely boards that the decoder met. The
same sum gives the reading its confidence (:mod:`~sudoku_vision.decode.confidence`), so the two agree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from sudoku_vision.decode.confidence import log_posterior
from sudoku_vision.decode.hypotheses import CELLS, Doubles, Hypothesis, Values, log_sum
from sudoku_vision.decode.search import MIN_SUPPORT
from sudoku_vision.decode.solver_check import SolverCheck, agrees, with_changes
from sudoku_vision.results import Doubt

MAX_DOUBTS = 10
"""Cells named at most: who must check more is quicker with a better photo."""
MAX_OPTIONS = 3
"""Digits named at most for one cell."""
MIN_DOUBTS = (0.01, 0.002)
"""Probability of another reading from which a cell is named; the lower one where else none would be."""
MIN_OPTION = 0.01
"""Probability from which a third digit is named."""
MAX_TESTED = 60
"""Changes of a single cell tried at most; each may mean solving a board."""


def doubts_of(
    puzzle: Values, hypotheses: Sequence[Hypothesis], solver: SolverCheck, repaired: tuple[int, ...]
) -> tuple[Doubt, ...]:
    """Return the cells of a reading that may be wrong, from its ink and from all boards that were checked."""
    joints = np.array([one.log_joint(puzzle) for one in hypotheses])
    shares = np.exp(joints - log_sum(joints))
    ratios = sum(share * one.ratios(puzzle) for share, one in zip(shares, hypotheses, strict=True))
    own = log_posterior(puzzle, hypotheses, solver)
    solution = solver.check(puzzle).solution
    rivals = {
        board: float(np.exp(log_posterior(board, hypotheses, solver) - own))
        for board in solver.proper_boards
        if sum(one != other for one, other in zip(board, puzzle, strict=True)) > 1
        and (solution is None or not agrees(board, solution))
    }
    return find_doubts(puzzle, np.asarray(ratios), lambda board: solver.check(board).prior, rivals, repaired)


def find_doubts(
    puzzle: Values,
    ratios: Doubles,
    prior: Callable[[Values], float],
    rivals: Mapping[Values, float],
    repaired: tuple[int, ...] = (),
) -> tuple[Doubt, ...]:
    """Return the cells of *puzzle* that may be read wrongly, most doubtful first.

    *ratios* (81, 10): how likely the ink of each cell is to be each digit (0: no clue), against the puzzle's
    own. *prior*: how likely a board is to be printed at all, by the rules. *rivals*: other boards that differ
    in several cells, and how likely each is against the puzzle. *repaired* cells are named even where the
    rules leave little doubt: their ink looked like something else.
    """
    singles = _single_changes(puzzle, ratios, prior)
    totals = singles.sum(axis=1)
    same_solution = float(np.prod(totals))
    whole = same_solution + sum(rivals.values())
    shares = singles / totals[:, None] * (same_solution / whole)
    for board, weight in rivals.items():
        shares[CELLS, board] += weight / whole
    doubt = 1 - shares[CELLS, puzzle]
    least = MIN_DOUBTS[0] if doubt.max() >= MIN_DOUBTS[0] else MIN_DOUBTS[1]
    named = [int(cell) for cell in np.argsort(-doubt, kind="stable") if doubt[cell] >= least]
    named += [cell for cell in repaired if cell not in named]
    return tuple(_doubt(cell, shares[cell], ratios[cell]) for cell in named[:MAX_DOUBTS])


def _single_changes(puzzle: Values, ratios: Doubles, prior: Callable[[Values], float]) -> Doubles:
    """Return how likely the board is with one cell changed, (81, 10), 1 for the puzzle's own digits."""
    singles = np.zeros((81, 10))
    singles[CELLS, puzzle] = 1.0
    own = prior(puzzle)
    changes = [(int(cell), int(digit)) for cell, digit in np.argwhere(ratios > MIN_SUPPORT)]
    changes = [(cell, digit) for cell, digit in changes if digit != puzzle[cell]]
    changes.sort(key=lambda change: -float(ratios[change]))
    for cell, digit in changes[:MAX_TESTED]:
        changed = with_changes(puzzle, [(cell, digit)])
        singles[cell, digit] = float(ratios[cell, digit]) * prior(changed) / own
    return singles


def _doubt(cell: int, shares: Doubles, ratios: Doubles) -> Doubt:
    """Name the likeliest digits of one cell; at least two, so that there is a choice."""
    by_ink = np.argsort(-ratios, kind="stable")
    order = sorted(by_ink, key=lambda digit: -float(shares[digit]))  # stable: ties as the ink has them
    digits = [int(d) for place, d in enumerate(order[:MAX_OPTIONS]) if place < 2 or shares[d] >= MIN_OPTION]
    return Doubt(cell, tuple(digits), tuple(float(shares[digit]) for digit in digits))
