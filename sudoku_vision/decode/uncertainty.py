"""Doubts: the cells of an uncertain reading that a person should look at, and what they may hold.

A cell's probabilities are those of the whole board, marginalised: the ink of the cell, weighed by what the
rules say of the board with that cell changed alone, and of the other likely boards that the decoder met. The
same sum gives the reading its confidence (:mod:`sudoku_vision.decode`), so doubts and confidence agree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import Doubt

Doubles = NDArray[np.float64]
Values = tuple[int, ...]

MAX_DOUBTS = 10
"""Cells named at most: who must check more is quicker with a better photo."""
MAX_OPTIONS = 3
"""Digits named at most for one cell."""
MIN_DOUBTS = (0.01, 0.002)
"""Probability of another reading from which a cell is named; the lower one where else none would be."""
MIN_OPTION = 0.01
"""Probability from which a third digit is named."""
MIN_SUPPORT = 1e-3
"""What the ink must say for another reading of a cell, against its own, for it to be considered."""
MAX_TESTED = 60
"""Changes of a single cell tried at most; each may mean solving a board."""

_CELLS = np.arange(81)


def find_doubts(
    puzzle: Values,
    ratios: Doubles,
    prior: Callable[[Values], float],
    rivals: Mapping[Values, float],
    repaired: tuple[int, ...] = (),
) -> tuple[Doubt, ...]:
    """The cells of *puzzle* that may be read wrongly, most doubtful first.

    *ratios* (81, 10): how likely the ink of each cell is to be each digit (0: no clue), against the puzzle's
    own. *prior*: how likely a board is to be printed at all, by the rules. *rivals*: other boards that differ
    in several cells, and how likely each is against the puzzle. *repaired* cells are named even where the
    rules leave little doubt: their ink looked like something else.
    """
    singles = _single_changes(puzzle, ratios, prior)
    totals = singles.sum(axis=1)
    kin = float(np.prod(totals))
    whole = kin + sum(rivals.values())
    shares = singles / totals[:, None] * (kin / whole)
    for board, weight in rivals.items():
        shares[_CELLS, board] += weight / whole
    doubt = 1 - shares[_CELLS, puzzle]
    least = MIN_DOUBTS[0] if doubt.max() >= MIN_DOUBTS[0] else MIN_DOUBTS[1]
    named = [int(cell) for cell in np.argsort(-doubt, kind="stable") if doubt[cell] >= least]
    named += [cell for cell in repaired if cell not in named]
    return tuple(_doubt(cell, shares[cell], ratios[cell]) for cell in named[:MAX_DOUBTS])


def _single_changes(puzzle: Values, ratios: Doubles, prior: Callable[[Values], float]) -> Doubles:
    """How likely the board is with one cell changed, against the puzzle: (81, 10), 1 for the puzzle's own."""
    singles = np.zeros((81, 10))
    singles[_CELLS, puzzle] = 1.0
    own = prior(puzzle)
    changes = [(int(cell), int(digit)) for cell, digit in np.argwhere(ratios > MIN_SUPPORT)]
    changes = [(cell, digit) for cell, digit in changes if digit != puzzle[cell]]
    changes.sort(key=lambda change: -float(ratios[change]))
    for cell, digit in changes[:MAX_TESTED]:
        changed = (*puzzle[:cell], digit, *puzzle[cell + 1 :])
        singles[cell, digit] = float(ratios[cell, digit]) * prior(changed) / own
    return singles


def _doubt(cell: int, shares: Doubles, ratios: Doubles) -> Doubt:
    """Name the likeliest digits of one cell; at least two, so that there is a choice."""
    by_ink = np.argsort(-ratios, kind="stable")
    order = sorted(by_ink, key=lambda digit: -float(shares[digit]))  # stable: ties as the ink has them
    digits = [int(d) for place, d in enumerate(order[:MAX_OPTIONS]) if place < 2 or shares[d] >= MIN_OPTION]
    return Doubt(cell, tuple(digits), tuple(float(shares[digit]) for digit in digits))
