"""Find the doubts of a reading: the cells that a person should look at, and the digits that they may hold.

The probability of a digit in a cell is the sum of the probabilities of whole boards. These are the boards in
which only this cell is changed, and other likely boards that the decoder has checked. The probability of a
board is its likelihood by the ink, times a prior probability that depends on its number of solutions. The
confidence of a reading is also a sum of probabilities of boards (``confidence``), so doubts and confidence
agree. If a person confirms or corrects all named cells, the reading is sure. The doubts about entries, the
digits of a person, are computed elsewhere (``entries``).

A clue in doubt may be one of its named digits, or no clue. So there are several possible boards, one for each
choice. The answer of a cell is *agreed* if it is the same in every solution of all these boards
(:func:`agreed_cells`). This was tested on 80 photos that were made so small and noisy that they became
uncertain: 106 of 3743 answers were wrong, but none of the 1885 agreed answers.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from operator import ne

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.sudoku.rules import Rules
from sudoku_vision.sudoku.solver import searcher
from sudoku_vision.values import Doubles, Floats
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
    MAX_CHANGES,
    MIN_READABLE,
    SURE,
    changes_of,
    log_posterior,
    most_doubtful,
)
from sudoku_vision.vision.decode.hypotheses import CELLS, Hypothesis, Likelihoods, Values
from sudoku_vision.vision.results import Doubt, Reading

MAX_GUESSES = 10
"""If a puzzle doesn't have exactly one solution, at most this number of cells is named as doubtful.

In this case, it is only a guess which clue is wrong.
"""
MAX_OPTIONS = 3  # at most this number of possible digits is named for a doubtful cell
MIN_DOUBT = 0.01
"""A cell is always named as doubtful if the probability that it is misread is at least this.

At least two digits are named for such a cell. A third digit is named if its probability is at least this.
"""
MIN_ROLE_DOUBT = 0.1
"""A cell of a solved grid is named as doubtful if its role is wrong with a higher probability than this.

The role of a cell is one of three: clue, entry, or no digit at all.
"""
MAX_BOARDS = 64
""":func:`agreed_cells` solves all possible boards, if there are at most this many. Otherwise it solves only
the board in which all clues in doubt are blank."""
MAX_AGREED_WORK = 6 * MAX_WORK
"""If :func:`agreed_cells` needs this much work, it gives up and returns no cells. The unit is one guess of
the solver."""


def role_doubts(puzzle: Values, ratios: Doubles, solution: Values, covered: Floats) -> tuple[Doubt, ...]:
    """Return doubts about whether cells of a solved grid hold a clue; the most doubtful cell is the first.

    *ratios* (81, 10) is the likelihood of each digit in each cell, divided by the likelihood of the digit in
    *puzzle*. *covered* (81,) is the probability that a cell looks blank only because something covers it. It
    is 0 for cells with a digit. A clue in a covered cell can only be the digit of the *solution*. So this
    digit gets the whole probability *covered*. In *ratios*, the probability is divided among nine digits.
    """
    other = _same_answer(puzzle, solution)
    doubt = np.maximum(1 - 1 / (1 + ratios[CELLS, other]), covered)
    doubts = []
    for cell in most_doubtful(doubt, MIN_ROLE_DOUBT):
        options = (puzzle[cell], float(1 - doubt[cell])), (int(other[cell]), float(doubt[cell]))
        digits, likely = zip(*sorted(options, key=lambda option: -option[1]), strict=True)
        doubts.append(Doubt(cell, digits, likely, kind="role"))
    return tuple(doubts)


def doubts_of(
    puzzle: Values,
    likely: Likelihoods,
    hypotheses: Sequence[Hypothesis],
    solver: SolverCheck,
    overruled: tuple[int, ...],
) -> tuple[Doubt, ...]:
    """Return doubts about the cells of *puzzle* that may be misread, most doubtful first.

    The doubts come from the ink of single cells, and from rivals: boards that the *solver* has checked, and
    that differ from the puzzle in several cells. *overruled* are the cells in which the rules overruled the
    ink. They are always named, even if the rules leave little doubt. If the puzzle has exactly one solution,
    two kinds of changes keep the answer: a blank cell gets the digit of the solution, or a clue that isn't
    needed becomes blank. If most of the doubt about a cell comes from these changes, only the role of the
    cell is in doubt: whether it holds a clue, an entry or no digit.
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
    if solution is not None:
        # The probability of changes that keep the answer is subtracted. If a needed clue became blank, the
        # new board would have several solutions. Its prior is low, so hardly anything is subtracted then.
        on_answer = np.maximum(doubt - singles[CELLS, _same_answer(puzzle, solution)], 0)
    # Enough cells are named to make the answer sure once a person has confirmed all of them.
    named = _named(doubt, on_answer, (1 - SURE) / 2 if solution is not None else 1.0)
    named += [cell for cell in overruled if cell not in named]
    named = named if solution is not None else named[:MAX_GUESSES]
    role = on_answer < doubt / 2  # true if a misreading of the cell probably doesn't change the answer
    return tuple(_doubt(cell, shares[cell], ratios[cell], role=bool(role[cell])) for cell in named)


def _same_answer(puzzle: Values, solution: Values) -> NDArray[np.intp]:
    """Return, for each cell, the only other digit (81,) with which *puzzle* can still have its *solution*.

    For a cell with a clue, this digit is 0: the clue becomes blank. For a blank cell, it is the digit of the
    solution.
    """
    return np.where(np.array(puzzle) > 0, 0, solution)


def _named(doubt: Doubles, on_answer: Doubles, unnamed: float) -> list[int]:
    """Return the cells (0..80) to name, the most doubtful cell first.

    *doubt* (81,) is the probability that each cell is misread. *on_answer* (81,) is the part of this
    probability that changes the answer. The sum of *on_answer* over the cells that aren't named is at most
    *unnamed*. All cells with a *doubt* of at least :data:`MIN_DOUBT` are named.
    """
    rising = np.argsort(on_answer, kind="stable")
    needed = set(rising[np.cumsum(on_answer[rising]) > unnamed].tolist())
    order = np.argsort(-doubt, kind="stable").tolist()
    return [cell for cell in order if doubt[cell] >= MIN_DOUBT or cell in needed]


def _single_changes(puzzle: Values, ratios: Doubles, solver: SolverCheck) -> Doubles:
    """Return the probabilities (81, 10) of the boards that differ from *puzzle* in one cell.

    The probabilities are divided by the probability of *puzzle* itself. The first index is the cell
    that is changed, the second is the new digit.
    """
    singles = np.zeros((81, 10))
    singles[CELLS, puzzle] = 1.0
    own = solver.prior(puzzle)
    changes = sorted(changes_of(puzzle, ratios, MIN_SUPPORT), key=lambda change: -change[0])
    solver.max_work = solver.work + MAX_WORK
    for ratio, change in changes[:MAX_CHANGES]:
        singles[change] = ratio * solver.prior(with_changes(puzzle, [change])) / own
    return singles


def _doubt(cell: int, shares: Doubles, ratios: Doubles, *, role: bool) -> Doubt:
    """Return the doubt about one cell, with its two or three likeliest digits.

    *shares* (10,) are the probabilities of the digits. *ratios* (10,) are their likelihoods by the ink. They
    give the order of digits with equal probabilities. If *role* is true, the doubt is only whether the cell
    holds a clue, an entry or no digit.
    """
    by_ink = np.argsort(-ratios, kind="stable")
    order = sorted(by_ink, key=lambda digit: -float(shares[digit]))  # equal shares keep the order by ink
    digits = [int(d) for place, d in enumerate(order[:MAX_OPTIONS]) if place < 2 or shares[d] >= MIN_DOUBT]
    likely = tuple(float(shares[digit]) for digit in digits)
    return Doubt(cell, tuple(digits), likely, kind="role" if role else "clue")


def agreed_cells(reading: Reading) -> frozenset[int]:
    """Return the blank cells (0..80) whose answer is the same, whatever the clues in doubt really are.

    The result is empty in these cases:

    * The reading has no answer, or a cage is in doubt.
    * The reading names no clue in doubt and no hidden cell. Then any cell of the answer may be wrong.
    * All possible boards have the same answer. Then the clues in doubt don't explain why the reading is in
      doubt.
    * The confidence is so low that the reading may be right only by chance.
    * The solver would need too much work.
    """
    clues = [doubt for doubt in reading.doubts if doubt.kind == "clue"]
    options = {doubt.cell: (0,) if 0 in doubt.digits else doubt.digits for doubt in clues}
    options |= dict.fromkeys(reading.hidden, (0,))
    by_chance = reading.confidence < MIN_READABLE and not reading.hidden
    by_chance |= any(doubt.cages for doubt in reading.doubts)
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
    """Yield the boards that may be the true puzzle, without those in which digits clash.

    *puzzle* is the board that was read. *options* holds the possible digits of each cell in doubt. There is
    one board for each choice of digits. If there are more than :data:`MAX_BOARDS` choices, only one board is
    yielded, with blanks in all these cells.
    """
    if prod(map(len, options.values())) > MAX_BOARDS:
        options = dict.fromkeys(options, (0,))
    for digits in product(*options.values()):
        board = with_changes(puzzle, zip(options, digits, strict=True))
        if not first_clash(board, rules):
            yield board
