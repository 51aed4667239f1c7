"""Tell how sure the answer of a decoded board is: the posterior probability of its solution.

Whether a digit that agrees with the solution was printed or entered, and whether a clue that isn't needed was
seen at all, makes no difference to the answer. So all proper boards with the same solution count for it,
summed in closed form. Boards with another one count against it: they were met by the search, or are found by
testing the doubtful clues one by one, and doubtful cells in pairs. What may be claimed of a reading hangs on
that: ``solved`` only where it is all but certain.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import log

import numpy as np

from sudoku_vision.results import GridStatus, Reading
from sudoku_vision.vision.decode.boards import MIN_RIVAL, PRIOR, SolverCheck, agrees, with_changes
from sudoku_vision.vision.decode.hypotheses import (
    CELLS,
    Doubles,
    Hypothesis,
    Likelihoods,
    Values,
    log_joint,
    log_sum,
)

CHANGED_PROPER = 0.04
"""Chance that a proper puzzle stays proper when a clue turns into another digit (measured: 1 to 5 in 100)."""
LEAST_RIVAL = 1e-300  # likelihood that stands for none at all, so that it has a logarithm
MAX_TESTS = 20
"""Clues tested at most for whether the puzzle would be proper without them or with another digit."""
MAX_PAIRS = 60  # pairs of doubtful cells tested at most for whether they make another proper puzzle
DIGITS = 9  # digits of which the rules choose one that makes a proper puzzle
MANY = 0.02  # share of boards on paper that have several solutions
SURE = 0.995
"""Confidence from which a proper reading is called solved.

Of 426 puzzles on real photos whose answer is right, 418 lie above it; none of the wrong ones does.
"""
MAX_SURE_REPAIRS = 3  # A reading with more repairs than this, entries left out, is never called solved
HOPELESS = -30.0
"""Log-probability below which an ill-posed reading is unreadable: a dozen cells are anyone's guess."""
MIN_CONFIDENCE = 0.02  # A reading to which neither the rules nor the ink give as much is unreadable


def log_posterior(values: Values, hypotheses: Sequence[Hypothesis], solver: SolverCheck) -> float:
    """Return how likely a board is, its ink and its kind considered, as a logarithm up to a constant."""
    return log_joint(values, hypotheses) + float(np.log(solver.prior(values)))


def confidence(
    puzzle: Values, likely: Likelihoods, hypotheses: Sequence[Hypothesis], solver: SolverCheck
) -> float:
    """Return how likely the answer of a board is to be right (0..1), among all boards that could be printed.

    *likely*: how likely the board is, and its cells read otherwise, by the *hypotheses*.

    Of a board with one solution that is the share of all boards that have this solution; of any other board
    it is its own share.
    """
    if solver.is_proper(puzzle):
        return _of_proper(puzzle, likely, hypotheses, solver)
    kind = solver.check(puzzle).kind
    prior, joint = PRIOR[kind], np.exp(likely.joint)
    rivals = [board for board in solver.possible_boards if board != puzzle]
    met = sum(np.exp(log_posterior(board, hypotheses, solver)) for board in rivals)
    unseen = max(0.0, 1.0 - joint - met) * max(PRIOR["many"], prior)
    as_printed = MANY / (MANY + solver.lost) if kind == "many" else 1.0
    return as_printed * float(joint * prior / (joint * prior + met + unseen))


def _of_proper(
    puzzle: Values, likely: Likelihoods, hypotheses: Sequence[Hypothesis], solver: SolverCheck
) -> float:
    """Return the share of all boards with the solution of a proper puzzle.

    They differ from it in single cells that may change independently: a blank may hold the solution's digit,
    a clue that isn't needed may be blank. A clue may also be another digit, which hardly ever leaves a proper
    puzzle. All else is ill-posed.
    """
    solution = solver.check(puzzle).solution
    assert solution is not None
    joint, log_shares, ratios = likely.joint, likely.log_shares, likely.ratios
    clue = np.array(puzzle) > 0
    fewer = np.where(clue, ratios[:, :, 0], 0.0)
    more = np.where(clue, 0.0, ratios[:, CELLS, solution])
    other = np.where(clue, ratios.sum(axis=2) - ratios[:, :, 0] - 1, 0.0)
    rivals = {board for board in solver.possible_boards if not agrees(board, solution)}
    rivals |= _test_clues(puzzle, likely, (fewer, other), solver)
    rivals.update(_paired_rivals(puzzle, solution, likely.mean_ratios, solver))
    # As logarithms: a hypothesis that explains next to nothing may make dozens of cells hugely likely.
    same_solution = log_sum(log_shares + np.log1p(fewer + more).sum(axis=1))
    # Another solution has no use for digits that agree with this one, but for clues that aren't needed, too.
    changed = CHANGED_PROPER * (np.maximum(other, 0.0) / (1 + fewer)).sum(axis=1)
    met = sum(np.exp(log_posterior(board, hypotheses, solver) - joint) for board in rivals)
    without_clues = np.log1p(fewer).sum(axis=1)
    other_solution = log_sum(log_shares + without_clues + np.log(np.maximum(changed + met, LEAST_RIVAL)))
    ill_posed = np.log(PRIOR["none"]) - joint
    lost = _of_lost_clues(puzzle, joint, hypotheses, solver)
    return float(np.exp(same_solution - log_sum([same_solution, other_solution, ill_posed, lost])))


def _of_lost_clues(
    puzzle: Values, joint: float, hypotheses: Sequence[Hypothesis], solver: SolverCheck
) -> float:
    """Return the log-weight, against a puzzle, of the boards with several solutions that were met.

    In such a board a clue is lost, and the puzzle has a wrong digit instead. A wrong digit that the ink shows
    makes a proper puzzle only by chance. A digit that the rules chose makes one more often.
    """
    values, logs = np.array(puzzle), np.max([one.logs for one in hypotheses], axis=0)
    # A digit that the ink shows plainly is not chosen, even if it may be an entry and no clue.
    role = np.any([one.fixed for one in hypotheses], axis=0) & (values == 1 + logs[:, 1:].argmax(axis=1))
    chosen = (values != logs.argmax(axis=1)) & ~role
    weights = [LEAST_RIVAL]
    for board, checked in solver.known.items():
        if checked.kind == "many":
            by_choice = bool((chosen & (np.array(board) != puzzle)).any())
            by_chance = CHANGED_PROPER * (DIGITS if by_choice else 1)
            weights.append(np.exp(log_joint(board, hypotheses) - joint) * by_chance)
    return float(np.log(sum(weights) * solver.several))


def _test_clues(
    puzzle: Values, likely: Likelihoods, changes: tuple[Doubles, Doubles], solver: SolverCheck
) -> set[Values]:
    """Test the doubtful clues of a puzzle, and return its rivals: boards with another digit in their place.

    *changes*: how likely each clue is to be none or another digit (H, 81 each); what the tests tell is worked
    in, in place.
    """
    fewer, other = changes
    shares, ratios = np.exp(likely.log_shares), likely.ratios
    rivals: set[Values] = set()
    for cell in most_doubtful(shares @ (fewer + CHANGED_PROPER * other), MIN_RIVAL)[:MAX_TESTS]:
        if solver.is_proper(with_changes(puzzle, [(cell, 0)])):
            other[:, cell] = 0.0
            continue
        fewer[:, cell] = 0.0
        for digit in np.flatnonzero(likely.mean_ratios[cell] > MIN_RIVAL):
            changed = with_changes(puzzle, [(cell, int(digit))])
            if digit not in (0, puzzle[cell]):
                other[:, cell] -= ratios[:, cell, digit]
                if solver.may_be_proper(changed):
                    rivals.add(changed)
    return rivals


def most_doubtful(doubts: Doubles, least: float) -> list[int]:
    """Return the cells whose *doubts* (81,) are above the *least*, most doubtful first."""
    cells = np.flatnonzero(doubts > least)
    order: list[int] = cells[np.argsort(-doubts[cells], kind="stable")].tolist()
    return order


def _paired_rivals(
    puzzle: Values, solution: Values, ratios: Doubles, solver: SolverCheck
) -> Iterator[Values]:
    """Give boards with another solution, as far as can be told, that differ in two doubtful cells.

    *ratios* (81, 10): how likely each reading of a cell is against the puzzle's.
    """
    changes = changes_of(puzzle, ratios, MIN_RIVAL)
    pairs = [
        (ratio * other_ratio, one, two)
        for (ratio, one), (other_ratio, two) in combinations(changes, 2)
        if one[0] != two[0] and ratio * other_ratio > MIN_RIVAL
    ]
    for _, one, two in sorted(pairs, reverse=True)[:MAX_PAIRS]:
        board = with_changes(puzzle, [one, two])
        if not agrees(board, solution) and solver.may_be_proper(board):
            yield board


def changes_of(puzzle: Values, ratios: Doubles, least: float) -> list[tuple[float, tuple[int, int]]]:
    """Return what cells may hold besides the digits of a puzzle: (ratio, (cell, digit)), by cell and digit.

    *ratios* (81, 10) as for :func:`_paired_rivals`: those above the *least* count.
    """
    possible = ratios > least
    possible[CELLS, puzzle] = False
    return [(float(ratios[cell, digit]), (cell, digit)) for cell, digit in np.argwhere(possible).tolist()]


def grid_status(reading: Reading) -> GridStatus:
    """Return what may be said of a grid so read."""
    vague = reading.confidence < MIN_CONFIDENCE and reading.log_probability < log(MIN_CONFIDENCE)
    if vague or not reading.puzzle.any():
        return "unreadable"
    if reading.solutions == 1:
        repairs = sum(not reading.written.flat[cell] for cell in reading.repaired)
        sure = reading.confidence >= SURE and repairs <= MAX_SURE_REPAIRS
        return "solved" if sure else "uncertain"
    if reading.log_probability < HOPELESS:
        return "unreadable"
    if reading.solutions < 0 or (reading.solutions and reading.hidden):
        return "uncertain"
    return "many_solutions" if reading.solutions else "no_solution"
