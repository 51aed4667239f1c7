"""Decode the scores (probabilities) of 81 cells into the most probable puzzle that can be solved.

Bayes' rule is used, first for each cell, then for whole boards. A board is 81 clues or blanks.

* *Ink.* A cell holds one of nine printed digits, or no printed digit: then it is blank, or its digit is
  handwritten. The probabilities of these ten cases, multiplied over the cells, give the *joint likelihood* of
  a board.
* *Rules.* A printed puzzle is usually *proper*: it has exactly one solution. Boards that are not proper are
  printed, too, but each of them is far less likely (``boards``).
* *Roles.* The digits are divided into clues and entries (digits of a person) so that the clues make a puzzle
  (``roles``).
* *Hands.* There are two hypotheses. Either all ink of a page is of one kind (print or handwriting), or both
  kinds are mixed (``hypotheses``).

If the likeliest board is not proper, the next likeliest boards are tried, best first. A cell is changed
into another digit only if its ink may show this digit, too. So nothing is made up. The *confidence* is the
posterior probability of the solution (``confidence``). If it is low, the reading names the cells that a
person should look at (``uncertainty``). If a person says what a cell holds, its ink is ignored
(``overrides``). In a killer sudoku, the likely cages are compared, too (``killer``).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.sudoku.board import NO_MARKS, Marks, board_array
from sudoku_vision.sudoku.rules import CLASSIC, Rules
from sudoku_vision.values import Floats
from sudoku_vision.vision.decode.boards import MIN_SUPPORT, Kind, SolverCheck, likely_boards
from sudoku_vision.vision.decode.confidence import MANY, SURE, answer_confidence, grid_status, log_posterior
from sudoku_vision.vision.decode.entries import CLEAR, entry_ink, weigh_entries
from sudoku_vision.vision.decode.hypotheses import (
    Hypothesis,
    Values,
    likelihoods,
    log_joint,
    lost_chance,
    normalized,
    page_hypotheses,
    sharpened,
    with_covers,
    without_covers,
)
from sudoku_vision.vision.decode.roles import resolve_roles
from sudoku_vision.vision.decode.uncertainty import doubts_of, role_doubts
from sudoku_vision.vision.results import DigitScores, Doubt, Reading

__all__ = [
    "CLEAR",
    "MIN_SUPPORT",
    "SURE",
    "decode",
    "decode_turns",
    "grid_status",
    "with_rules",
]

LOST = 3e-4  # probability that a clue is missed on a page on which no blank cell seems to be covered
MIN_HIDDEN = 0.2  # a cell is taken for hidden if the probability that it is hidden is at least this

LEGIBLE = 0.2
"""Pencil marks in a cell are reported only if their likeliest digit has a higher probability than this."""
MARKED, POSSIBLE = 0.4, 0.05
"""Two limits for the probability that a digit is among the pencil marks of a cell.

If the probability is at least the first limit, the digit is read as a mark. Otherwise, if it is at least the
second limit, the digit is named as a possible mark. If no digit of a cell reaches the first limit, the
likeliest digit is read as a mark all the same.

On calendar pages that were not used for training, 93 of 100 marks have a probability of at least 0.4. With
0.2 as the limit, there would be twice as many false marks. For 2 of 100 marks, the probability is below 0.05.
"""

BY_CHANCE, IMPROPER = 0.2, 0.004
"""Two probabilities for the clues of a jigsaw sudoku.

The first is the probability that the clues have exactly one solution, although the regions are wrong: two
cells of different regions were exchanged (the smallest possible error). The second is the probability that
the clues don't have exactly one solution, although all regions are right. The reason is then a misread clue.
"""


def decode(scores: DigitScores) -> Reading:
    """Return the most probable puzzle that the ink supports, with its confidence.

    *scores* are those of the upright grid. In the reading, ``written`` has the handwritten digits. A clear
    handwritten digit is never changed to agree with the solution. ``log_probability`` is the log-probability
    of the puzzle by its ink alone, without the rules and without hidden cells.

    By its lines and colours, a grid may seem to have other rules than the classic ones. If the clues don't
    have exactly one solution under these rules, but have one under the classic rules, the classic rules are
    taken. The reason is that clues hardly ever have exactly one solution by chance.
    """
    reading = _decode(scores)
    if scores.rules_probability < 1 and reading.solutions != 1:
        classic = _decode(replace(scores, rules=CLASSIC, rules_probability=1.0))
        return classic if classic.solutions == 1 else reading
    return reading


def _decode(scores: DigitScores) -> Reading:
    scores = resolve_roles(scores)
    seen = normalized(scores.log_probs)
    ink = with_covers(seen, scores.hidden)
    by_hand = without_covers(sharpened(scores.written), seen, scores.hidden)
    hypotheses = page_hypotheses(ink, by_hand)
    lost = lost_chance(scores.hidden[seen.argmax(axis=1) == 0])
    solver = SolverCheck(scores.rules, LOST + lost)
    boards = list(dict.fromkeys(board for one in hypotheses for board in likely_boards(one, solver)))
    puzzle = _likeliest(boards, hypotheses, solver)
    likely = likelihoods(puzzle, hypotheses)
    checked = solver.check(puzzle)
    likeliest = ink.argmax(axis=1)
    looks_like = seen.argmax(axis=1)
    entered = (looks_like > 0) & (seen.max(axis=1) * by_hand > seen[:, 0])
    as_entries = np.where(entered, looks_like, 0).tolist()
    sure = answer_confidence(puzzle, likely, hypotheses, solver) * scores.rules_probability
    answer = checked.solution if checked.kind == "proper" else None
    entries = weigh_entries(entered & (np.array(puzzle) == 0), entry_ink(scores), answer, sure)
    read = np.array(puzzle) + np.array(entries.digits)
    marks, possible_marks = _marks(read, scores)
    reading = Reading(
        puzzle=board_array(puzzle),
        written=board_array(entries.digits),
        solution=None if checked.solution is None else board_array(checked.solution),
        solutions={"proper": 1, "many": 2, "open": -1}.get(checked.kind, 0),
        confidence=sure,
        repaired=tuple(np.flatnonzero((read != likeliest) & (read != looks_like)).tolist()),
        log_probability=log_joint(puzzle, hypotheses, np.flatnonzero(scores.hidden <= MIN_HIDDEN)),
        unclear=entries.unclear,
        entry_confidence=entries.confidence,
        marks=marks,
        possible_marks=possible_marks,
        clashes=scores.rules.find_clashes(puzzle) if checked.kind == "clash" else (),
        hidden=_hidden(scores.hidden, checked.kind),
        rules=scores.rules,
    )
    status = grid_status(reading)
    if status == "unreadable":
        return reading
    if status == "solved" and checked.solution is not None:
        covered = np.where(read == 0, scores.hidden, 0)
        doubts = role_doubts(puzzle, likely.mean_ratios, checked.solution, covered)
    else:
        overruled = tuple(cell for cell in reading.repaired if not entries.digits[cell])
        doubts = doubts_of(puzzle, likely, hypotheses, solver, overruled)
    doubts = tuple(replace(doubt, entry=as_entries[doubt.cell]) for doubt in doubts)
    joined = _joined(doubts, entries.doubts)
    return replace(reading, doubts=joined) if joined else reading


def _likeliest(boards: Sequence[Values], hypotheses: Sequence[Hypothesis], solver: SolverCheck) -> Values:
    """Return the likeliest of the *boards*.

    If the solver had given up the likeliest board, it solves this board to the end now. If this changes how
    likely the board is, all boards are compared once more.
    """
    while True:
        best = max(boards, key=lambda board: log_posterior(board, hypotheses, solver))
        if solver.check(best) == solver.check_fully(best):
            return best


def _hidden(hidden: Floats, kind: Kind) -> tuple[int, ...]:
    """Return the cells (0..80) that could not be seen.

    *hidden* (81,) is the probability that each cell is hidden. A cell is returned if its probability is at
    least a limit, usually :data:`MIN_HIDDEN`. *kind* is the kind of the board. If it is "many" (several
    solutions), a clue was probably missed. Then the limit is half of the highest probability, but at most
    MIN_HIDDEN, and at least :data:`MANY`: the share of puzzles that are printed with several solutions.
    """
    limit = min(MIN_HIDDEN, max(MANY, float(hidden.max()) / 2)) if kind == "many" else MIN_HIDDEN
    return tuple(np.flatnonzero(hidden >= limit).tolist())


def with_rules(scores: DigitScores, likely: Mapping[Rules, float]) -> DigitScores:
    """Return *scores* with the likeliest rules, by the lines and the digits of the grid.

    *likely* holds all rules that the lines may show, with their probabilities, the likeliest rules first. If
    the classic rules come first, they are always taken. Otherwise, if there are several rules, the digits
    decide: clues have exactly one solution under the right rules, and hardly ever under wrong rules.
    """
    rules, sure = next(iter(likely.items()))
    if rules == CLASSIC:
        return replace(scores, rules=CLASSIC, rules_probability=1.0)
    if len(likely) > 1:
        odds = {one: before * chance(replace(scores, rules=one)) for one, before in likely.items()}
        best = max(odds, key=odds.__getitem__)
        if odds[best] > IMPROPER:
            rules, sure = best, odds[best] / (sum(odds.values()) + BY_CHANCE * (1 - sum(likely.values())))
    return replace(scores, rules=rules, rules_probability=sure)


def chance(scores: DigitScores) -> float:
    """Return the factor by which the probability of ``scores.rules`` changes when the clues are known.

    The factor is 1 if the clues, as the ink shows them, have exactly one solution under these rules.
    Otherwise the factor is :data:`IMPROPER`.
    """
    reading = decode(scores)
    overruled = any(not reading.written.flat[cell] for cell in reading.repaired)
    return IMPROPER if reading.solutions != 1 or overruled else 1.0


def decode_turns(likely: Mapping[int, DigitScores]) -> tuple[int, Reading]:
    """Find the turn that sets a grid upright; return this turn, and the reading of the turned grid.

    A turn is a number of quarter turns counter-clockwise. *likely* holds the scores of the grid after each
    likely turn. All of these scores are decoded. Turns after which the clues have exactly one solution are
    preferred. If there are several such turns, or none, the turn with the highest log-probability is taken.
    Here, the log-probability also includes the ink of cells that are taken for hidden. Digits that stand
    upside down look hidden. So without their ink, a wrong turn might be taken.
    """
    readings = {turn: decode(scores) for turn, scores in likely.items()}

    def sense(turn: int) -> tuple[bool, float]:
        reading, scores = readings[turn], likely[turn]
        of_hidden = float(scores.log_probs.max(axis=1) @ (scores.hidden > MIN_HIDDEN))
        return reading.solutions == 1, reading.log_probability + of_hidden

    turn = max(readings, key=sense)
    return turn, readings[turn]


def _joined(doubts: Sequence[Doubt], of_entries: Sequence[Doubt]) -> tuple[Doubt, ...]:
    """Return all doubts, at most one for each cell, in the order of their kinds: clue, role, entry.

    The role of a digit is clue or entry (a digit of a person). If a cell has several doubts, the doubt about
    its clue is kept, because the answer depends on the clue. If there is no such doubt, the doubt about the
    entry is kept, because the entry matters more than the role.
    """
    clues = [doubt for doubt in doubts if doubt.kind == "clue"]
    entries = [one for one in of_entries if one.cell not in {doubt.cell for doubt in clues}]
    named = {one.cell for one in entries}
    roles = [one for one in doubts if one.kind == "role" and one.cell not in named]
    return (*clues, *roles, *entries)


def _marks(read: NDArray[np.int_], scores: DigitScores) -> tuple[Marks, Marks]:
    """Return the pencil marks of all 81 cells, and for each cell further digits that are possibly marked.

    *read* (81,) are the clues and entries. A cell has marks only if it has no digit in *read*, and if at
    least one of its marks is legible.
    """
    marked = np.flatnonzero((read == 0) & (scores.marks > 0.5)).tolist()
    if not marked:
        return NO_MARKS, NO_MARKS
    marks, possible = list(NO_MARKS), list(NO_MARKS)
    for cell in marked:
        shares = scores.mark_digits[cell]
        if shares.max() > LEGIBLE:
            limit = min(MARKED, float(shares.max()))
            marks[cell] = frozenset((1 + np.flatnonzero(shares >= limit)).tolist())
            possible[cell] = frozenset((1 + np.flatnonzero(shares >= POSSIBLE)).tolist()) - marks[cell]
    return tuple(marks), tuple(possible)
