"""Decide by the rules which digits are clues and which are entries, if the ink leaves it open.

The clues of a page make a proper puzzle. Any other division of its digits hardly ever does: if a dozen clues
are taken from a puzzle by chance, it mostly has many solutions. So if the clues of a hypothesis make a
puzzle, that is evidence for it. The evidence is strong if this would hardly happen by chance.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sudoku_vision.sudoku.rules import MIN_CLUES
from sudoku_vision.vision.decode.boards import SolverCheck, with_changes
from sudoku_vision.vision.decode.hypotheses import Doubles, Values, lost_chance
from sudoku_vision.vision.results import DigitScores, RoleHypothesis

MAX_BY_RULES = 9.0
"""Limit for the log-odds by which the rules favour a hypothesis, since a digit may be misread, and the puzzle
may be a variant."""
TRIALS = 4
"""Clues that are tried at each step, when clues are taken away by chance; more give a steadier estimate."""


def resolve_roles(scores: DigitScores) -> DigitScores:
    """Weigh the rival hypotheses of clues and entries by the rules, and return scores with their mean.

    Scores without such hypotheses are returned as they are.
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

    The estimate of chance takes up to 20 ms, so it is only made if it can decide.
    """
    boards = [_clues(page, one) for one in hypotheses]
    weights = np.array([one.log_weight for one in hypotheses])
    weights += [_by_kind(page, clues, solver) for clues in boards]
    gains = [clues != page and solver.is_proper(clues) and solver.is_proper(page) for clues in boards]
    leader = int(weights.argmax())
    others = weights + MAX_BY_RULES * np.array(gains)
    others[leader] = -np.inf
    if others.max() < weights[leader] - MAX_BY_RULES:
        return weights
    chances = [
        _log_chance(page, clues, solver) if gain else 0.0 for clues, gain in zip(boards, gains, strict=True)
    ]
    return np.asarray(weights - chances)


def _clues(page: Values, hypothesis: RoleHypothesis) -> Values:
    """Return the digits of a *page* that are clues by a hypothesis; all of them if it leaves none."""
    clues = tuple(
        digit if by_hand <= 0.5 else 0 for digit, by_hand in zip(page, hypothesis.written, strict=True)
    )
    return clues if any(clues) else page


def _by_kind(page: Values, clues: Values, solver: SolverCheck) -> float:
    """Return the logarithm of the prior of the board that *clues* make.

    Puzzles with rules of their own have very few clues. On a full *page* they count as much as proper
    puzzles, because someone has solved the page by some rules.
    """
    if all(page) and sum(digit > 0 for digit in clues) < MIN_CLUES:
        return 0.0
    return float(np.log(solver.prior(clues)))


def _log_chance(page: Values, clues_left: Values, solver: SolverCheck) -> float:
    """Return how likely a proper *page* stays proper with as many digits as *clues_left*, chosen by chance.

    The result is a natural logarithm, not below -:data:`MAX_BY_RULES`. Digits are taken away one by one,
    always one that isn't needed. The product of the shares of such digits is an unbiased estimate. Once a
    digit is needed, it stays needed.
    """
    clues = sum(digit > 0 for digit in clues_left)
    rng = np.random.default_rng(clues)
    chance = 0.0
    loose = [cell for cell, digit in enumerate(page) if digit]
    for left in range(len(loose), clues, -1):
        tried = [int(cell) for cell in rng.permutation(loose)[:TRIALS]]
        needed = [cell for cell in tried if not solver.is_proper(with_changes(page, [(cell, 0)]))]
        if len(needed) == len(tried) or chance < -MAX_BY_RULES:
            return -MAX_BY_RULES
        gone = next(cell for cell in tried if cell not in needed)
        share = len(loose) / left * (1 - len(needed) / len(tried))
        chance += float(np.log(share))
        page = with_changes(page, [(gone, 0)])
        loose = [cell for cell in loose if cell != gone and cell not in needed]
    return max(chance, -MAX_BY_RULES)
