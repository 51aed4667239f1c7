"""Decode the scores of 81 cells: weigh the hypotheses, search for likely boards, and take the best one."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import NO_MARKS, DigitScores, Doubt, Floats, Marks, Reading
from sudoku_vision.sudoku.board import board_array
from sudoku_vision.sudoku.rules import CLASSIC, Rules
from sudoku_vision.vision.decode.boards import Kind, SolverCheck, likely_boards
from sudoku_vision.vision.decode.confidence import MANY, confidence, grid_status, log_posterior
from sudoku_vision.vision.decode.entries import entry_ink, weigh_entries
from sudoku_vision.vision.decode.hypotheses import (
    Hypothesis,
    Values,
    as_elsewhere,
    likelihoods,
    log_joint,
    lost_chance,
    normalized,
    page_hypotheses,
    sharpened,
    veiled,
)
from sudoku_vision.vision.decode.roles import settled_roles
from sudoku_vision.vision.decode.uncertainty import doubts_of, role_doubts

LOST = 3e-4  # chance that a clue is missed on a page on which nothing seems to cover a blank cell
HIDDEN = 0.2  # probability from which a cell counts as hidden

LEGIBLE = 0.2
"""Probability of its likeliest digit from which ink that looks like pencil marks is taken for some."""
MARKED, POSSIBLE = 0.4, 0.05
"""Probability from which a digit is read among the marks of a cell, and from which it may be there.

On calendar pages not learnt from, 93 of 100 marks are read with the first, with half as many false ones as
with 0.2; of a hundred marks, two are not even thought possible.
"""

BY_CHANCE, IMPROPER = 0.2, 0.004
"""How often the clues of a jigsaw make a proper puzzle under regions that differ from its own by one swap of
two cells, the nearest there are; and how often, besides, they make none under the right ones, as misread."""


def decode(scores: DigitScores) -> Reading:
    """Return the most probable puzzle that the ink supports, with its confidence.

    *scores*: calibrated log-probabilities (81, 10) and probabilities of handwriting (81,), in the upright
    turn. Digits taken as handwriting go to ``written``; a clear one is never repaired.
    ``log_probability`` is that of the puzzle from the ink alone, without the rules and without hidden cells.

    Clues that make a classic puzzle hardly do so by chance: where they don't make one under the rules that
    lines and colours seem to show, they say more.
    """
    reading = _decode(scores)
    if scores.rules_probability < 1 and reading.solutions != 1:
        classic = _decode(replace(scores, rules=CLASSIC, rules_probability=1.0))
        return classic if classic.solutions == 1 else reading
    return reading


def _decode(scores: DigitScores) -> Reading:
    scores = settled_roles(scores)
    seen = normalized(scores.log_probs)
    ink = veiled(seen, scores.hidden)
    by_hand = as_elsewhere(sharpened(scores.written), seen, scores.hidden)
    hypotheses = page_hypotheses(ink, by_hand)
    lost = lost_chance(scores.hidden[seen.argmax(axis=1) == 0])
    solver = SolverCheck(scores.rules, LOST + lost)
    boards = list(dict.fromkeys(board for one in hypotheses for board in likely_boards(one, solver)))
    puzzle = _likeliest(boards, hypotheses, solver)
    likely = likelihoods(puzzle, hypotheses)
    checked = solver.check(puzzle)
    likeliest = ink.argmax(axis=1)
    looks = seen.argmax(axis=1)
    wrote = (looks > 0) & (seen.max(axis=1) * by_hand > seen[:, 0])
    as_entries = np.where(wrote, looks, 0).tolist()
    sure = confidence(puzzle, likely, hypotheses, solver) * scores.rules_probability
    answer = checked.solution if checked.kind == "proper" else None
    entries = weigh_entries(wrote & (np.array(puzzle) == 0), entry_ink(scores), answer, sure)
    written = entries.digits
    read = np.array(puzzle) + np.array(written)
    marks, possible_marks = _marks(read, scores)
    reading = Reading(
        puzzle=board_array(puzzle),
        written=board_array(written),
        solution=None if checked.solution is None else board_array(checked.solution),
        solutions={"proper": 1, "many": 2, "open": -1}.get(checked.kind, 0),
        confidence=sure,
        repaired=tuple(np.flatnonzero((read != likeliest) & (read != looks)).tolist()),
        log_probability=log_joint(puzzle, hypotheses, np.flatnonzero(scores.hidden <= HIDDEN)),
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
        doubts = role_doubts(puzzle, likely.mean_ratios, checked.solution)
    else:
        repaired = tuple(cell for cell in reading.repaired if not written[cell])
        doubts = doubts_of(puzzle, likely, hypotheses, solver, repaired)
    doubts = tuple(replace(doubt, entry=as_entries[doubt.cell]) for doubt in doubts)
    joined = _joined(doubts, entries.doubts)
    return replace(reading, doubts=joined) if joined else reading


def _likeliest(boards: Sequence[Values], hypotheses: Sequence[Hypothesis], solver: SolverCheck) -> Values:
    """Return the likeliest of some boards, what the rules say of it settled."""
    while True:
        best = max(boards, key=lambda board: log_posterior(board, hypotheses, solver))
        if solver.check(best) == solver.settle(best):
            return best


def _hidden(hidden: Floats, kind: Kind) -> tuple[int, ...]:
    """Return the cells (0..80) that could not be seen.

    A board with several solutions probably lost a clue. So its likeliest hidden cells are named as soon as a
    lost clue is likelier than a puzzle that was printed with several solutions (:data:`MANY`).
    """
    least = min(HIDDEN, max(MANY, float(hidden.max()) / 2)) if kind == "many" else HIDDEN
    return tuple(np.flatnonzero(hidden >= least).tolist())


def with_rules(scores: DigitScores, likely: Mapping[Rules, float]) -> DigitScores:
    """Return *scores* under those rules of the *likely* ones, likeliest first, that lines and digits tell.

    Where lines leave a choice, clues make a proper puzzle under the right rules, and hardly under others. But
    those of no classic puzzle say nothing of other rules.
    """
    rules, sure = next(iter(likely.items()))
    if rules == CLASSIC:
        return replace(scores, rules=CLASSIC, rules_probability=1.0)
    if len(likely) > 1:
        odds = {one: before * _chance(replace(scores, rules=one)) for one, before in likely.items()}
        best = max(odds, key=odds.__getitem__)
        if odds[best] > IMPROPER:
            rules, sure = best, odds[best] / (sum(odds.values()) + BY_CHANCE * (1 - sum(likely.values())))
    return replace(scores, rules=rules, rules_probability=sure)


def _chance(scores: DigitScores) -> float:
    """Return how likely clues look as they do under rules, next to such as make a proper puzzle of them."""
    reading = decode(scores)
    repaired = any(not reading.written.flat[cell] for cell in reading.repaired)
    return IMPROPER if reading.solutions != 1 or repaired else 1.0


def decode_turns(likely: Mapping[int, DigitScores]) -> tuple[int, Reading]:
    """Return the turn in which a grid reads best, and its reading.

    *likely*: scores by turn, in quarter turns counter-clockwise. All are decoded, and the rules of sudoku
    have their say before the log-probability. Upside down, digits look hidden: here hidden cells count, too.
    """
    readings = {turn: decode(scores) for turn, scores in likely.items()}

    def sense(turn: int) -> tuple[bool, float]:
        reading, scores = readings[turn], likely[turn]
        looks = float(scores.log_probs.max(axis=1) @ (scores.hidden > HIDDEN))
        return reading.solutions == 1, reading.log_probability + looks

    turn = max(readings, key=sense)
    return turn, readings[turn]


def _joined(doubts: Sequence[Doubt], of_entries: Sequence[Doubt]) -> tuple[Doubt, ...]:
    """Return all doubts, each cell once: clues first, then roles, then entries.

    What a person wrote weighs more than whether it was entered at all, unless the answer hangs on that.
    """
    clues = [doubt for doubt in doubts if doubt.kind == "clue"]
    entries = [one for one in of_entries if one.cell not in {doubt.cell for doubt in clues}]
    named = {one.cell for one in entries}
    roles = [one for one in doubts if one.kind == "role" and one.cell not in named]
    return (*clues, *roles, *entries)


def _marks(read: NDArray[np.int_], scores: DigitScores) -> tuple[Marks, Marks]:
    """Return the digits of the pencil marks of the cells (81,) where no digit is *read*, and possible ones.

    Where not even the likeliest digit can be made out, there are none.
    """
    marked = np.flatnonzero((read == 0) & (scores.marks > 0.5)).tolist()
    if not marked:
        return NO_MARKS, NO_MARKS
    marks, possible = list(NO_MARKS), list(NO_MARKS)
    for cell in marked:
        shares = scores.mark_digits[cell]
        if shares.max() > LEGIBLE:
            least = min(MARKED, float(shares.max()))
            marks[cell] = frozenset((1 + np.flatnonzero(shares >= least)).tolist())
            possible[cell] = frozenset((1 + np.flatnonzero(shares >= POSSIBLE)).tolist()) - marks[cell]
    return tuple(marks), tuple(possible)
