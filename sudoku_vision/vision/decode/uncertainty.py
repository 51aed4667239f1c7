"""Name the doubts of a reading: the cells that a person should look at, and what they may hold.

A cell's probabilities are those of the whole board, marginalised: the ink of the cell, weighed by what the
rules say of the board with that cell changed alone, and of the other likely boards that the decoder met. The
same sum gives the reading its confidence (``confidence``), so the two agree. Who settles all that is named
settles the reading. What a person wrote is doubted apart (``entries``).

Some answers are the same whatever the doubts hide (:func:`agreed_cells`). A clue in doubt may be one of the
digits that are named, or none; each way to settle all of them makes a board, and an answer that stands in
every solution of all these is agreed. Of 3743 answers on 80 photos made so small and noisy that they were
uncertain, 106 were wrong; of the 1885 that were agreed, none was.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from operator import ne

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import Doubt, Reading
from sudoku_vision.sudoku.rules import Rules
from sudoku_vision.sudoku.solver import searcher
from sudoku_vision.vision.decode.boards import (
    BOARD_WORK,
    MAX_WORK,
    MIN_SUPPORT,
    RIVAL_GUESSES,
    SolverCheck,
    agrees,
    first_clash,
    with_changes,
)
from sudoku_vision.vision.decode.confidence import (
    MIN_CONFIDENCE,
    SURE,
    changes_of,
    log_posterior,
    most_doubtful,
)
from sudoku_vision.vision.decode.hypotheses import CELLS, Doubles, Hypothesis, Likelihoods, Values

MAX_GUESSES = 10
"""Cells named at most where the clues make no proper puzzle: which of them is amiss is then a guess."""
MAX_OPTIONS = 3  # digits named at most for one cell
MIN_DOUBT = 0.01  # probability of another reading from which a cell is named
MIN_ROLE_DOUBT = 0.1  # the same of a solved grid, where nothing but the role of a digit is in doubt
UNNAMED = (1 - SURE) / 2
"""Probability of another answer that may be left to all cells together that are not named."""
MIN_OPTION = 0.01  # probability from which a third digit is named
MAX_TESTED = 60  # changes of a single cell tried at most; each may mean solving a board, within MAX_WORK
MAX_BOARDS = 64
"""Ways to settle the doubts that are told apart; where there are more, a clue in doubt may be anything."""
MAX_AGREED_WORK = 6 * MAX_WORK  # for looking for agreed answers; beyond it nothing is agreed


def role_doubts(puzzle: Values, ratios: Doubles, solution: Values) -> tuple[Doubt, ...]:
    """Return the cells of a solved grid that may or may not hold a clue, most doubtful first.

    *ratios* (81, 10): how likely the ink of each cell is to be each digit, against the puzzle's own.
    """
    other = _same_answer(puzzle, solution)
    doubt = 1 - 1 / (1 + ratios[CELLS, other])
    return tuple(
        Doubt(
            cell, (puzzle[cell], int(other[cell])), (float(1 - doubt[cell]), float(doubt[cell])), kind="role"
        )
        for cell in most_doubtful(doubt, MIN_ROLE_DOUBT)
    )


def doubts_of(
    puzzle: Values,
    likely: Likelihoods,
    hypotheses: Sequence[Hypothesis],
    solver: SolverCheck,
    repaired: tuple[int, ...],
) -> tuple[Doubt, ...]:
    """Return the cells of *puzzle* that may be read wrongly, most doubtful first.

    They follow from its ink and from all boards that were checked: those that differ in several cells are its
    rivals. *repaired* cells are named even where the rules leave little doubt: their ink looked like
    something else. Of a proper puzzle, what agrees with the solution leaves the answer as it is.
    """
    ratios = likely.mean_ratios
    answer = solver.check(puzzle).solution
    rivals = {
        board: float(np.exp(log_posterior(board, hypotheses, solver) - likely.joint)) / solver.prior(puzzle)
        for board in solver.possible_boards
        if sum(map(ne, board, puzzle)) > 1 and (answer is None or not agrees(board, answer))
    }
    solution = answer if solver.is_proper(puzzle) else None
    singles = _single_changes(puzzle, ratios, solver)
    totals = singles.sum(axis=1)
    same_solution = float(np.prod(totals))
    whole = same_solution + sum(rivals.values())
    singles *= (same_solution / whole / totals)[:, None]
    shares = singles.copy()
    for board, weight in rivals.items():
        shares[CELLS, board] += weight / whole
    doubt = 1 - shares[CELLS, puzzle]
    on_answer = doubt
    if solution is not None:  # the rules weigh next to nothing of it where the clue is needed
        on_answer = np.maximum(doubt - singles[CELLS, _same_answer(puzzle, solution)], 0)
    named = _named(doubt, on_answer, UNNAMED if solution is not None else 1.0)
    named += [cell for cell in repaired if cell not in named]
    named = named if solution is not None else named[:MAX_GUESSES]
    role = on_answer < doubt / 2  # what else the cell may hold mostly leaves the answer as it is
    return tuple(_doubt(cell, shares[cell], ratios[cell], role=bool(role[cell])) for cell in named)


def _same_answer(puzzle: Values, solution: Values) -> NDArray[np.intp]:
    """Return what else each cell (81,) may hold with the same answer: no clue, or that of the solution."""
    return np.where(np.array(puzzle) > 0, 0, solution)


def _named(doubt: Doubles, on_answer: Doubles, unnamed: float) -> list[int]:
    """Return the cells to name, most doubtful first, so that at most *unnamed* is left to the others.

    *doubt* (81,): the probability of each cell to be read wrongly; *on_answer* (81,): so wrongly that the
    answer is another one.
    """
    rising = np.argsort(on_answer, kind="stable")
    needed = set(rising[np.cumsum(on_answer[rising]) > unnamed].tolist())
    order = np.argsort(-doubt, kind="stable").tolist()
    return [cell for cell in order if doubt[cell] >= MIN_DOUBT or cell in needed]


def _single_changes(puzzle: Values, ratios: Doubles, solver: SolverCheck) -> Doubles:
    """Return how likely the board is with one cell changed, (81, 10), 1 for the puzzle's own digits."""
    singles = np.zeros((81, 10))
    singles[CELLS, puzzle] = 1.0
    own = solver.prior(puzzle)
    changes = sorted(changes_of(puzzle, ratios, MIN_SUPPORT), key=lambda change: -change[0])
    solver.most_work = solver.work + MAX_WORK
    for ratio, change in changes[:MAX_TESTED]:
        singles[change] = ratio * solver.prior(with_changes(puzzle, [change])) / own
    return singles


def _doubt(cell: int, shares: Doubles, ratios: Doubles, *, role: bool) -> Doubt:
    """Name the likeliest digits of one cell; at least two, so that there is a choice."""
    by_ink = np.argsort(-ratios, kind="stable")
    order = sorted(by_ink, key=lambda digit: -float(shares[digit]))  # stable: ties as the ink has them
    digits = [int(d) for place, d in enumerate(order[:MAX_OPTIONS]) if place < 2 or shares[d] >= MIN_OPTION]
    likely = tuple(float(shares[digit]) for digit in digits)
    return Doubt(cell, tuple(digits), likely, kind="role" if role else "clue")


def agreed_cells(reading: Reading) -> frozenset[int]:
    """Return the blank cells (0..80) whose answer is the same in all readings that are in question.

    None where there is no answer, or nothing is named that it hangs on: then all of it is in question. Nor
    where none of the boards but the reading's own can be solved, as what is named doesn't explain the doubt
    then, or where the reading may be chance.
    """
    clues = [doubt for doubt in reading.doubts if doubt.kind == "clue"]
    options = {doubt.cell: (0,) if 0 in doubt.digits else doubt.digits for doubt in clues}
    options |= dict.fromkeys(reading.hidden, (0,))
    by_chance = reading.confidence < MIN_CONFIDENCE and not reading.hidden
    if reading.solution is None or not options or by_chance:
        return frozenset()
    puzzle, answer = (tuple(board.ravel().tolist()) for board in (reading.puzzle, reading.solution))
    agreed = {cell for cell, clue in enumerate(puzzle) if not clue} - set(options)
    explained, work, search = False, 0, searcher(reading.rules)
    for board in _boards_in_question(puzzle, options, reading.rules):
        found = search(board, 2, RIVAL_GUESSES)
        others = [found]
        explained |= any(other != answer for other in found.solutions)
        agreed = {cell for cell in agreed if all(other[cell] == answer[cell] for other in found.solutions)}
        if len(found.solutions) > 1:
            for cell, digit in product(sorted(agreed), range(1, 10)):
                if cell in agreed and digit != answer[cell]:
                    others.append(search(with_changes(board, [(cell, digit)]), 1, RIVAL_GUESSES))
                    for other in others[-1].solutions:
                        agreed = {cell for cell in agreed if other[cell] == answer[cell]}
        work += sum(BOARD_WORK + other.statistics.work for other in others)
        if work >= MAX_AGREED_WORK or not all(other.finished for other in others):
            return frozenset()
    return frozenset(agreed if explained else ())


def _boards_in_question(
    puzzle: Values, options: Mapping[int, tuple[int, ...]], rules: Rules
) -> Iterator[Values]:
    """Yield the boards that the *options* of cells make, those with a clash left out."""
    if prod(map(len, options.values())) > MAX_BOARDS:
        options = dict.fromkeys(options, (0,))
    for digits in product(*options.values()):
        board = with_changes(puzzle, zip(options, digits, strict=True))
        if not first_clash(board, rules):
            yield board
