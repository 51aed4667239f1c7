"""Compute the confidence of a decoded board: the posterior probability that its solution is the answer.

A board is proper if it has exactly one solution. Some misreadings of a board don't change its solution: a
right entry (a digit of a person) is taken for a clue, or a clue that isn't needed is missed. So all proper
boards with the same solution support the answer. The sum of their probabilities is computed with a formula.
Boards with another solution contradict the answer. The search for boards has found some of them. Others are
found by changing doubtful clues one by one, and doubtful cells in pairs. The status of a reading depends on
this confidence: it is ``solved`` only if the answer is almost certain.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import log
from sys import float_info

import numpy as np

from sudoku_vision.values import Doubles
from sudoku_vision.vision.decode.boards import PRIOR, SolverCheck, agrees, with_changes
from sudoku_vision.vision.decode.hypotheses import (
    CELLS,
    MIN_RIVAL,
    Hypothesis,
    Likelihoods,
    Values,
    log_joint,
    log_sum,
)
from sudoku_vision.vision.results import GridStatus, Reading

MAX_CHANGES = 60
"""At most this number of boards with one or two changed cells is tested, because tests take time."""
MANY = 0.02  # share of printed puzzles that have several solutions
SURE = 0.995
"""A reading is called solved if it has exactly one solution and at least this confidence.

On real photos, 418 of 426 right answers had a higher confidence, and all wrong answers had a lower one.
"""
MAX_OVERRULED = 3
"""A reading is called solved only if the rules overruled the ink of at most this many cells.

Cells with entries (digits of a person) are ignored.
"""
MIN_READABLE = 0.02
"""A reading is unreadable if its confidence and its probability by the ink alone are both lower than this."""


def log_posterior(values: Values, hypotheses: Sequence[Hypothesis], solver: SolverCheck) -> float:
    """Return the posterior log-probability of the board *values*, up to a constant.

    It is the log-likelihood of the board by the ink, plus a log-prior for its number of solutions.
    """
    return log_joint(values, hypotheses) + float(np.log(solver.prior(values)))


def answer_confidence(
    puzzle: Values, likely: Likelihoods, hypotheses: Sequence[Hypothesis], solver: SolverCheck
) -> float:
    """Return the probability (0..1) that the answer of a board is right.

    *puzzle* is the board. If it has one solution, the result is the total probability of all boards with the
    same solution, divided by the total probability of all possible boards. Otherwise the result is the
    probability of this board alone, divided by the total probability of all possible boards. *likely* holds
    the likelihoods of the board, and of boards that differ from it in one cell, under the *hypotheses*.
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
    """Return the probability that the true board has the same solution as the proper board *puzzle*.

    Two kinds of changes keep the solution: a blank cell gets the digit of the solution, or a clue that isn't
    needed becomes blank. Changes of different cells are assumed to be independent. If a clue becomes another
    digit, the board hardly ever has exactly one solution. If a needed clue becomes blank, or a blank cell
    gets a digit other than that of the solution, the board never has exactly one solution.
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
    # Under an unlikely hypothesis, dozens of cells may have huge likelihood ratios. The product of the ratios
    # might be infinite. So their logarithms are added.
    same_solution = log_sum(log_shares + np.log1p(fewer + more).sum(axis=1))
    # A board with another solution may also lack clues of *puzzle*, so *fewer* is used. It is assumed that
    # blank cells of *puzzle* don't get digits of *solution* in such a board, so *more* isn't used.
    changed = PRIOR["open"] * (np.maximum(other, 0.0) / (1 + fewer)).sum(axis=1)
    met = sum(np.exp(log_posterior(board, hypotheses, solver) - joint) for board in rivals)
    without_clues = np.log1p(fewer).sum(axis=1)
    other_solution = log_sum(log_shares + without_clues + np.log(np.maximum(changed + met, float_info.min)))
    ill_posed = np.log(PRIOR["none"]) - joint
    lost = _of_lost_clues(puzzle, joint, hypotheses, solver)
    return float(np.exp(same_solution - log_sum([same_solution, other_solution, ill_posed, lost])))


def _of_lost_clues(
    puzzle: Values, joint: float, hypotheses: Sequence[Hypothesis], solver: SolverCheck
) -> float:
    """Return the log-weight of all checked boards with several solutions, minus the log-weight of *puzzle*.

    The *solver* has checked these boards. One of them may be right, except that a clue was missed. In this
    case, *puzzle* has a wrong digit, and has exactly one solution only by chance. The chance is low if the
    ink shows the wrong digit. It is higher if the rules chose this digit.
    """
    values, logs = np.array(puzzle), np.max([one.logs for one in hypotheses], axis=0)
    # In these cells, the ink shows the digit clearly. The rules only decided whether the digit is a clue.
    role = np.any([one.fixed for one in hypotheses], axis=0) & (values == 1 + logs[:, 1:].argmax(axis=1))
    chosen = (values != logs.argmax(axis=1)) & ~role
    weight = float_info.min  # not 0, because 0 has no logarithm
    for board, checked in solver.known.items():
        if checked.kind == "many":
            by_choice = bool((chosen & (np.array(board) != puzzle)).any())
            # This is the chance that *puzzle*, although wrong, has exactly one solution. If the rules chose
            # the wrong digit, they chose it from nine digits, so the chance is 9 times as high.
            by_chance = PRIOR["open"] * (9 if by_choice else 1)
            weight += float(np.exp(log_joint(board, hypotheses) - joint)) * by_chance
    return log(weight * solver.several)


def _test_clues(
    puzzle: Values, likely: Likelihoods, changes: tuple[Doubles, Doubles], solver: SolverCheck
) -> set[Values]:
    """Change the doubtful clues of a puzzle one by one, and solve the resulting boards; return the rivals.

    A rival is a board that has another digit for one clue, and has, or may have, exactly one solution.
    *changes* holds two arrays (H, 81) for the H hypotheses. For each clue, the first is the likelihood that
    the cell is blank, the second is the likelihood that it holds another digit. Both are divided by the
    likelihood of the clue. This function changes the arrays in place. If a clue isn't needed, the second
    array becomes 0 there. If a clue is needed, the first array becomes 0 there, and the likelihoods of the
    tested digits are subtracted from the second array.
    """
    fewer, other = changes
    shares, ratios = np.exp(likely.log_shares), likely.ratios
    rivals: set[Values] = set()
    for cell in most_doubtful(shares @ (fewer + PRIOR["open"] * other), MIN_RIVAL):
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


def most_doubtful(doubts: Doubles, limit: float) -> list[int]:
    """Return the cells (0..80) whose *doubts* (81,) are above the *limit*, the most doubtful cell first."""
    cells = np.flatnonzero(doubts > limit)
    order: list[int] = cells[np.argsort(-doubts[cells], kind="stable")].tolist()
    return order


def _paired_rivals(
    puzzle: Values, solution: Values, ratios: Doubles, solver: SolverCheck
) -> Iterator[Values]:
    """Yield boards that differ from *puzzle* in two doubtful cells. Their answer isn't *solution*.

    The yielded boards have exactly one solution, or weren't solved to the end. *ratios* (81, 10) is the
    likelihood of each digit in each cell, divided by the likelihood of the digit in *puzzle*.
    """
    changes = changes_of(puzzle, ratios, MIN_RIVAL)
    pairs = [
        (ratio * other_ratio, one, two)
        for (ratio, one), (other_ratio, two) in combinations(changes, 2)
        if one[0] != two[0] and ratio * other_ratio > MIN_RIVAL
    ]
    for _, one, two in sorted(pairs, reverse=True)[:MAX_CHANGES]:
        board = with_changes(puzzle, [one, two])
        if not agrees(board, solution) and solver.may_be_proper(board):
            yield board


def changes_of(puzzle: Values, ratios: Doubles, limit: float) -> list[tuple[float, tuple[int, int]]]:
    """Return all other digits that the cells of a puzzle may hold, as a list of (ratio, (cell, digit)).

    *ratios* (81, 10) is the likelihood of each digit in each cell, divided by the likelihood of the digit in
    *puzzle*. Only digits with a ratio above the *limit* are returned. The digit 0 stands for a blank cell.
    """
    possible = ratios > limit
    possible[CELLS, puzzle] = False
    return [(float(ratios[cell, digit]), (cell, digit)) for cell, digit in np.argwhere(possible).tolist()]


def grid_status(reading: Reading) -> GridStatus:
    """Return the status of a grid by its *reading*: the number of solutions, the confidence and the ink."""
    vague = reading.confidence < MIN_READABLE and reading.log_probability < log(MIN_READABLE)
    if vague or not (reading.puzzle.any() or reading.rules.cages):
        return "unreadable"
    if reading.solutions == 1:
        overruled = sum(not reading.written.flat[cell] for cell in reading.repaired)
        sure = reading.confidence >= SURE and overruled <= MAX_OVERRULED
        return "solved" if sure else "uncertain"
    if reading.solutions < 0 or reading.hidden:
        return "uncertain"
    return "many_solutions" if reading.solutions else "no_solution"
