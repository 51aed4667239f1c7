"""Weigh by the rules which digits are given and which entered, where the ink leaves it open.

The given digits of a page make a proper puzzle. Any other division of its digits hardly ever does: take a
dozen clues from a puzzle by chance, and it mostly has many solutions. So of two hypotheses about a page, the
one whose given digits make a puzzle gains by as much as chance would have had to help it.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sudoku_vision.results import DigitScores, RoleHypothesis
from sudoku_vision.sudoku.rules import FEWEST_CLUES
from sudoku_vision.vision.decode.boards import SolverCheck, with_changes
from sudoku_vision.vision.decode.hypotheses import Doubles, Values, lost_chance

MOST_BY_RULES = 9.0
"""Log-odds by which the rules may speak for one at most: digits are misread, and variants printed."""
TRIALS = 4  # clues tried at each step of taking clues away by chance; more only make the estimate steadier


def settled_roles(scores: DigitScores) -> DigitScores:
    """Return the scores with the hypotheses of given and entered digits weighed by the rules, and settled.

    Scores without rival ones are handed back as they are.
    """
    if not scores.roles:
        return scores
    page: Values = tuple(int(digit) for digit in scores.log_probs.argmax(axis=1))
    weights = _weights(page, scores.roles, SolverCheck(scores.rules, lost=lost_chance(scores.hidden)))
    shares = np.exp(weights - np.logaddexp.reduce(weights))
    written = np.tensordot(shares, np.stack([one.written for one in scores.roles]), axes=1)
    return replace(scores, written=written.astype(np.float32), roles=())


def _weights(page: Values, hypotheses: Sequence[RoleHypothesis], solver: SolverCheck) -> Doubles:
    """Return the log-weights of hypotheses about a *page* by its ink and the rules.

    What chance would have done is only estimated where it can decide: that takes up to 20 ms.
    """
    boards = [_given(page, one) for one in hypotheses]
    weights = np.array([one.log_weight for one in hypotheses])
    weights += [_by_kind(page, given, solver) for given in boards]
    gains = [given != page and solver.is_proper(given) and solver.is_proper(page) for given in boards]
    leader = int(weights.argmax())
    others = weights + MOST_BY_RULES * np.array(gains)
    others[leader] = -np.inf
    if others.max() < weights[leader] - MOST_BY_RULES:
        return weights
    chances = [
        _log_chance(page, given, solver) if gain else 0.0 for given, gain in zip(boards, gains, strict=True)
    ]
    return np.asarray(weights - chances)


def _given(page: Values, hypothesis: RoleHypothesis) -> Values:
    """Return the digits that are given by a hypothesis; all, where all are by one hand."""
    given = tuple(
        digit if by_hand <= 0.5 else 0 for digit, by_hand in zip(page, hypothesis.written, strict=True)
    )
    return given if any(given) else page


def _by_kind(page: Values, given: Values, solver: SolverCheck) -> float:
    """Return how likely the kind of board that *given* digits make is to be printed, as a logarithm.

    Puzzles with rules of their own have but a few clues. They count for as much as others on a full *page*,
    which some rules must have led to.
    """
    if all(page) and sum(digit > 0 for digit in given) < FEWEST_CLUES:
        return 0.0
    return float(np.log(solver.prior(given)))


def _log_chance(page: Values, given: Values, solver: SolverCheck) -> float:
    """Return how likely a proper *page* is to stay so with as many clues as *given*, left over by chance.

    It is a natural logarithm, -:data:`MOST_BY_RULES` at least. Clues are taken away one by one, of those that
    may go; the shares of such clues, multiplied, are an unbiased estimate. A clue that is needed once is
    needed ever after.
    """
    clues = sum(digit > 0 for digit in given)
    rng = np.random.default_rng(clues)
    chance = 0.0
    loose = [cell for cell, digit in enumerate(page) if digit]
    for left in range(len(loose), clues, -1):
        tried = [int(cell) for cell in rng.permutation(loose)[:TRIALS]]
        needed = [cell for cell in tried if not solver.is_proper(with_changes(page, [(cell, 0)]))]
        if len(needed) == len(tried) or chance < -MOST_BY_RULES:
            return -MOST_BY_RULES
        gone = next(cell for cell in tried if cell not in needed)
        share = len(loose) / left * (1 - len(needed) / len(tried))
        chance += float(np.log(share))
        page = with_changes(page, [(gone, 0)])
        loose = [cell for cell in loose if cell != gone and cell not in needed]
    return max(chance, -MOST_BY_RULES)
