"""Decide by the rules of sudoku which digits are clues and which are entries, if the ink doesn't decide it.

An entry is a digit that a person wrote or typed. The clues of a page make a proper puzzle: a puzzle with
exactly one solution. If the wrong digits are taken for clues, they usually have many solutions. So if the
clues of a hypothesis make a proper puzzle, this is evidence for the hypothesis. The evidence is strong if the
same number of digits, chosen at random from the page, would hardly ever make a proper puzzle.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sudoku_vision.sudoku.rules import MIN_CLUES
from sudoku_vision.values import Doubles
from sudoku_vision.vision.decode.boards import SolverCheck, with_changes
from sudoku_vision.vision.decode.hypotheses import Values, lost_chance
from sudoku_vision.vision.results import DigitScores, RoleHypothesis

MAX_BY_RULES = 9.0
"""The rules raise the log-odds of a hypothesis by at most this.

There is a limit, because the evidence of the rules may be wrong: digits may be misread, and the puzzle may
have other rules.
"""
TRIALS = 4
"""Number of digits that :func:`_log_chance` tests at each step of its estimate.

With more digits, the estimate is more precise, but takes longer.
"""


def resolve_roles(scores: DigitScores) -> DigitScores:
    """Combine the hypotheses about clues and entries; return scores without hypotheses.

    In the result, ``written`` (the probability of an entry) is the weighted mean over the hypotheses. Each
    weight depends on the ink and on the rules. Scores without hypotheses are returned as they are.
    """
    if not scores.roles:
        return scores
    page: Values = tuple(int(digit) for digit in scores.log_probs.argmax(axis=1))
    weights = _weights(page, scores.roles, SolverCheck(scores.rules, lost=lost_chance(scores.hidden)))
    shares = np.exp(weights - np.logaddexp.reduce(weights))
    written = np.tensordot(shares, np.stack([one.written for one in scores.roles]), axes=1)
    return replace(scores, written=written.astype(np.float32), roles=())


def _weights(page: Values, hypotheses: Sequence[RoleHypothesis], solver: SolverCheck) -> Doubles:
    """Return the log-weights of the *hypotheses* about the digits of a *page*, by the ink and the rules.

    A weight is the log-likelihood of the ink, plus the log-prior of the clues. If only some digits are clues,
    they may have exactly one solution by chance. So if these clues and the whole page both have exactly one
    solution, the log-probability of this chance (:func:`_log_chance`) is subtracted. It takes up to 20 ms to
    compute this. So it is only done if it can change which weight is the largest.
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
    """Return the digits of *page* that are clues in the *hypothesis*. If there are none, return *page*."""
    clues = tuple(
        digit if by_hand <= 0.5 else 0 for digit, by_hand in zip(page, hypothesis.written, strict=True)
    )
    return clues if any(clues) else page


def _by_kind(page: Values, clues: Values, solver: SolverCheck) -> float:
    """Return the log-prior of the board with these *clues*, minus that of a proper board.

    A puzzle with additional rules may have fewer clues than a classic sudoku needs for a single solution
    (:data:`MIN_CLUES`). In this case, if every cell of the *page* has a digit, a person has solved the
    puzzle. So the board is taken for proper, and the result is 0.
    """
    if all(page) and sum(digit > 0 for digit in clues) < MIN_CLUES:
        return 0.0
    return float(np.log(solver.prior(clues)))


def _log_chance(page: Values, clues_left: Values, solver: SolverCheck) -> float:
    """Return the log-probability that digits, chosen at random from a *page*, make a proper puzzle.

    As many digits are chosen as *clues_left* has clues. The result isn't below -:data:`MAX_BY_RULES`. To
    estimate the probability, digits of the page are removed one by one. A digit is removed only if it isn't
    needed: without it, the puzzle still has exactly one solution. At each step, the share of digits that
    aren't needed is estimated. The product of these shares is an unbiased estimate of the probability. A
    digit that is needed at one step is needed at all later steps, too.
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
