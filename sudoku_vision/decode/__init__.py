"""Decode what the classifier says of 81 cells into the most probable well-posed puzzle.

The model is Bayes' rule, cell by cell and then board by board:

* *Ink.* A cell holds a printed digit, or none (it is blank, or its digit was written by hand). The
  probabilities of these ten cases are multiplied over the cells: the *mass* of a board.
* *Rules.* A printed puzzle is *proper*: it has one solution. Boards with many solutions, none, or a clash get
  printed too, but any single one of them is far less likely than a proper one (:data:`PRIOR`).
* *Hands.* Either all ink of a page is by one hand, and is the puzzle; or it is print mixed with handwriting.
  The two *views* of a page are weighed and both are decoded: doubtful verdicts then give way like digits do.

If the likeliest board is proper, that is all. Otherwise the next likeliest boards are searched, best first,
changing only what the ink leaves open, and where digits clash, only those. What stays likeliest wins, even if
it breaks the rules: a board that the ink doesn't support is never made up.

The *confidence* is the posterior probability of the puzzle: its share of all boards that could have been
printed. Boards with the same solution are its main rivals (a clue missed, a clue too many) and are summed in
closed form; others are found by the search, or by testing the doubtful clues one by one.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.board import board_array
from sudoku_vision.decode.uncertainty import find_doubts
from sudoku_vision.results import DigitScores, Doubt, GridStatus, Reading
from sudoku_vision.solver import UNITS, search

Doubles = NDArray[np.float64]
Values = tuple[int, ...]
Kind = Literal["proper", "many", "none", "clash"]

PRIOR: dict[Kind, float] = {"proper": 1.0, "many": 1e-4, "none": 1e-5, "clash": 1e-6}
"""How likely one board of a kind is to be printed, against one proper board.

About 3 in 100 boards on paper are ill-posed, but ill-posed boards are so much more numerous near any reading
(among puzzles with one digit misread, a few in a hundred are proper) that each one counts for little.
"""
MIN_SUPPORT = 1e-3
"""A cell may change to a reading that is at least this likely, against its likeliest one."""
CHANGED_PROPER = 0.04
"""Chance that a proper puzzle stays proper when a clue turns into another digit (measured: 1 to 5 in 100)."""
ONE_HAND = 20.0
"""Prior odds that all ink of a page is by one hand, against each verdict being independent of the others."""
AGREEMENT = 2.0
"""Factor on the log-odds of written verdicts: the marks of one page vouch for one another."""
MIN_VIEW = 1e-6
"""A view of the page less likely than this is not decoded."""

SURE = 0.99
"""Confidence from which a proper reading is called solved."""
MAX_SURE_REPAIRS = 3
"""A reading with more repairs than this is never called solved."""
HOPELESS = -30.0
"""Log-probability below which an ill-posed reading is unreadable: a dozen cells are anyone's guess."""
MIN_CONFIDENCE = 0.02
"""A proper reading below this, and below :data:`HOPELESS`, was found by chance in noise."""

CLEAR = 0.9
"""Probability below which a written digit is not clear enough to be called wrong."""
UNLIKELY = 3e-3
"""Probability of the right digit above which another one, if written, is not clear enough either.

On 145 pages with 8,000 written digits, all right, one was called wrong with this, eight without; of mistakes
made up from the same ink, 85 in 100 are called wrong, the others not clear.
"""

MAX_SOLVES = 60
"""Boards solved for one page at most; each takes about 0.1 ms."""
SOLVE_GUESSES = 100
"""Guesses for one board: real puzzles take few, and a board that takes more counts as not proper."""
MAX_BOARDS = 600
"""Boards looked at in one search at most, most of which clash and are not solved."""
MAX_TESTS = 20
"""Clues tested at most for whether the puzzle would be proper without them or with another digit."""
MAX_PAIRS = 60
"""Pairs of doubtful cells tested at most for whether they make another proper puzzle."""
MIN_RIVAL = 3e-4
"""A rival board below this share of the best one is estimated, not tested."""
_FLOOR = 1e-9
"""Probabilities below this are taken for this: no classifier knows so well."""
_CELLS = np.arange(81)


class View(NamedTuple):
    """One way to look at the ink of a page: its probability, and what it makes of the cells.

    ``logs`` (81, 10): log-probabilities of no printed digit (column 0) and of the printed digits. ``fixed``
    (81,): cells whose digit, taken as handwriting, must not change into another digit.
    """

    log_weight: float
    logs: Doubles
    fixed: NDArray[np.bool_]

    def log_mass(self, values: Values) -> float:
        """The log-probability of a board, the view's own included."""
        return self.log_weight + float(self.logs[_CELLS, values].sum())


class Verdict(NamedTuple):
    """What the solver says of a board; ``solution`` is one of its solutions, if there is any."""

    kind: Kind
    solution: Values | None


@dataclass
class Judge:
    """Tells the kind of boards, remembers what it told, and counts the boards that it solved."""

    solves: int = 0
    known: dict[Values, Verdict] = field(default_factory=dict)

    @property
    def tired(self) -> bool:
        """Whether no further board should be solved."""
        return self.solves >= MAX_SOLVES

    def verdict(self, values: Values) -> Verdict:
        """Solve a board that doesn't clash, or recall its verdict."""
        if values not in self.known:
            self.solves += 1
            found = search(values, 2, SOLVE_GUESSES)
            solution = found.solutions[0] if found.solutions else None
            kind: Kind = "many" if solution else "none"
            if found.finished and len(found.solutions) == 1:
                kind = "proper"
            self.known[values] = Verdict(kind, solution)
        return self.known[values]

    def is_proper(self, values: Values) -> bool:
        """Whether a board has exactly one solution, as far as can be told."""
        return not _clash(values) and self.verdict(values).kind == "proper"


def decode(scores: DigitScores) -> Reading:
    """The most probable puzzle that the ink supports, with its confidence.

    *scores*: calibrated log-probabilities (81, 10) and probabilities of handwriting (81,), in the upright
    turn. Digits taken as handwriting go to ``written`` as they are and are never repaired.
    ``log_probability`` is that of the puzzle from the ink alone, without the rules.
    """
    ink = _normalized(scores.log_probs)
    by_hand = _sharpened(scores.written)
    views = _views(ink, by_hand)
    judge = Judge()
    boards = [board for view in views for board in _likely_boards(view, judge)]
    puzzle = max(dict.fromkeys(boards), key=lambda board: _log_posterior(board, views, judge))
    verdict = _verdict(puzzle, judge)
    written = _written(puzzle, ink, by_hand)
    if verdict.kind == "proper":
        confidence = _proper_confidence(puzzle, views, judge)
    else:
        confidence = _ill_posed_confidence(puzzle, views, judge)
    reading = Reading(
        puzzle=board_array(puzzle),
        written=board_array(written),
        solution=None if verdict.solution is None else board_array(verdict.solution),
        solutions={"proper": 1, "many": 2}.get(verdict.kind, 0),
        confidence=confidence,
        repaired=_repaired(puzzle, written, ink),
        log_probability=_log_sum(view.log_mass(puzzle) for view in views),
        unclear=_unclear(written, verdict.solution, ink),
    )
    if grid_status(reading) in ("solved", "unreadable"):
        return reading
    doubts = _doubts(puzzle, views, judge, reading.repaired)
    inked = ink[:, 0] < 0.5
    return replace(reading, doubts=tuple(replace(doubt, inked=bool(inked[doubt.cell])) for doubt in doubts))


def grid_status(reading: Reading) -> GridStatus:
    """What may be said of a grid so read: ``solved`` only where the reading is all but certain."""
    if not reading.puzzle.any():
        return "unreadable"
    if reading.solutions == 1:
        if reading.confidence >= SURE and len(reading.repaired) <= MAX_SURE_REPAIRS:
            return "solved"
        hopeless = reading.log_probability < HOPELESS and reading.confidence < MIN_CONFIDENCE
        return "unreadable" if hopeless else "uncertain"
    if reading.log_probability < HOPELESS:
        return "unreadable"
    return "many_solutions" if reading.solutions else "no_solution"


def decode_turns(likely: Mapping[int, DigitScores]) -> tuple[int, Reading]:
    """Return the turn in which a grid reads best, and its reading.

    *likely*: scores by turn, in quarter turns counter-clockwise. All are decoded, and the rules of sudoku
    have their say before the log-probability.
    """
    readings = {turn: decode(scores) for turn, scores in likely.items()}
    turn = max(readings, key=lambda turn: (readings[turn].solutions == 1, readings[turn].log_probability))
    return turn, readings[turn]


# What the ink says.


def _normalized(log_probs: NDArray[np.float32]) -> Doubles:
    """Probabilities (81, 10), each row summing to one, none quite zero."""
    probabilities = np.maximum(np.exp(log_probs.astype(np.float64)), _FLOOR)
    normalized: Doubles = probabilities / probabilities.sum(axis=1, keepdims=True)
    return normalized


def _sharpened(written: NDArray[np.float32]) -> Doubles:
    """Probabilities of handwriting (81,), made firmer because the cells of a page agree with one another."""
    clipped = np.clip(written.astype(np.float64), 1e-4, 1 - 1e-4)
    odds = (clipped / (1 - clipped)) ** AGREEMENT
    sharpened: Doubles = odds / (1 + odds)
    return sharpened


def _views(ink: Doubles, by_hand: Doubles) -> list[View]:
    """The page as all by one hand and as print mixed with handwriting, leaving out what is most unlikely."""
    inked = 1 - ink[:, 0]
    all_print = float(inked @ np.log1p(-by_hand))
    all_hand = float(inked @ np.log(by_hand))
    one_hand = np.log(ONE_HAND) + np.logaddexp(all_print, all_hand)
    whole = float(np.logaddexp(one_hand, 0.0))
    handwriting = by_hand > 0.5
    nothing = np.zeros(81, np.bool_)

    mixed_ink = ink * (1 - by_hand)[:, None]
    mixed_ink[:, 0] = 1 - mixed_ink[:, 1:].sum(axis=1)
    views = [
        View(float(one_hand) - whole, np.log(ink), handwriting if all_print > all_hand else nothing),
        View(-whole, np.log(mixed_ink), handwriting),
    ]
    return [view for view in views if view.log_weight > np.log(MIN_VIEW)]


def _written(puzzle: Values, ink: Doubles, by_hand: Doubles) -> Values:
    """The likeliest digit of each cell that is not a clue, where handwriting is likelier than a blank."""
    likeliest = ink.argmax(axis=1)
    wrote = (likeliest > 0) & (ink.max(axis=1) * by_hand > ink[:, 0]) & (np.array(puzzle) == 0)
    return tuple(int(digit) for digit in np.where(wrote, likeliest, 0))


def _unclear(written: Values, solution: Values | None, ink: Doubles) -> tuple[int, ...]:
    """The written cells that may well hold another digit, the solution's above all."""
    digits = np.array(written)
    unclear = ink.max(axis=1) < CLEAR
    if solution is not None:
        unclear |= (digits != solution) & (ink[_CELLS, solution] > UNLIKELY)
    return tuple(int(cell) for cell in np.flatnonzero(unclear & (digits > 0)))


def _repaired(puzzle: Values, written: Values, ink: Doubles) -> tuple[int, ...]:
    """The cells read otherwise than their ink alone would be."""
    read = np.array(puzzle) + np.array(written)
    return tuple(int(cell) for cell in np.flatnonzero(read != ink.argmax(axis=1)))


# The search for likely boards.


class _Change(NamedTuple):
    """A cell read otherwise, and how much less likely (natural logarithm, at least 0) that is."""

    cost: float
    cell: int
    digit: int


def _likely_boards(view: View, judge: Judge) -> list[Values]:
    """The likeliest board of a view, and the proper ones among the next likeliest.

    Best first over sets of changes to the likeliest board. Of two digits that clash one must change, so only
    these are changed; a board without clash that is not proper may change anywhere.
    """
    root: Values = tuple(int(digit) for digit in view.logs.argmax(axis=1))
    found = [root]
    if _verdict(root, judge).kind == "proper":
        return found
    changes = _changes(view, root)
    by_cell: dict[int, list[_Change]] = {}
    for change in changes:
        by_cell.setdefault(change.cell, []).append(change)
    horizon = -np.log(PRIOR[_verdict(root, judge).kind])
    heap: list[tuple[float, tuple[tuple[int, int], ...]]] = [(0.0, ())]
    seen = {heap[0][1]}
    for _ in range(MAX_BOARDS):
        if not heap or judge.tired:
            break
        cost, changed = heapq.heappop(heap)
        if cost > horizon:
            break
        board = _with(root, changed)
        clash = _clash(board)
        if not clash and judge.verdict(board).kind == "proper":
            found.append(board)
            horizon = min(horizon, cost - np.log(MIN_RIVAL))
            continue
        taken = {cell for cell, _ in changed}
        options = [c for cell in clash for c in by_cell.get(cell, ())] if clash else changes
        for change in options:
            if change.cell in taken or cost + change.cost > horizon:
                continue
            child = tuple(sorted((*changed, (change.cell, change.digit))))
            if child not in seen:
                seen.add(child)
                heapq.heappush(heap, (cost + change.cost, child))
    return found


def _changes(view: View, root: Values) -> list[_Change]:
    """All changes to the likeliest board that the ink supports, likeliest first."""
    costs = view.logs[_CELLS, root][:, None] - view.logs
    open_ = costs <= -np.log(MIN_SUPPORT)
    open_[_CELLS, root] = False
    open_[view.fixed, 1:] &= view.logs[view.fixed, 1:] == view.logs[view.fixed, 1:].max(axis=1, keepdims=True)
    return sorted(
        _Change(float(costs[cell, digit]), int(cell), int(digit)) for cell, digit in np.argwhere(open_)
    )


def _with(values: Values, changed: Iterable[tuple[int, int]]) -> Values:
    """The board after some cells were given other digits."""
    board = list(values)
    for cell, digit in changed:
        board[cell] = digit
    return tuple(board)


def _clash(values: Values) -> tuple[int, ...]:
    """Two cells of one unit with the same digit, or nothing."""
    for unit in UNITS:
        first: dict[int, int] = {}
        for cell in unit:
            digit = values[cell]
            if digit and digit in first:
                return first[digit], cell
            first[digit] = cell
    return ()


def _verdict(values: Values, judge: Judge) -> Verdict:
    return Verdict("clash", None) if _clash(values) else judge.verdict(values)


# How sure that is.


def _log_sum(logs: Iterable[float]) -> float:
    return float(np.logaddexp.reduce(list(logs)))


def _log_posterior(values: Values, views: list[View], judge: Judge) -> float:
    """How likely a board is, its ink and its kind considered, up to a constant."""
    mass = _log_sum(view.log_mass(values) for view in views)
    return mass + float(np.log(PRIOR[_verdict(values, judge).kind]))


def _proper_confidence(puzzle: Values, views: list[View], judge: Judge) -> float:
    """The share of a proper puzzle among all boards that could have been printed.

    Rivals with the same solution differ from it in single cells that may change independently: a blank may
    hold the solution's digit, a clue that isn't needed may be blank. A clue may also be another digit, which
    hardly ever leaves a proper puzzle. All else is ill-posed.
    """
    solution = judge.verdict(puzzle).solution
    assert solution is not None
    masses = np.array([view.log_mass(puzzle) for view in views])
    mass = _log_sum(masses)
    shares = np.exp(masses - mass)
    ratios = np.stack([np.exp(view.logs - view.logs[_CELLS, puzzle][:, None]) for view in views])

    clue = np.array(puzzle) > 0
    fewer = np.where(clue, ratios[:, :, 0], 0.0)
    more = np.where(clue, 0.0, ratios[:, _CELLS, solution])
    other = np.where(clue, ratios.sum(axis=2) - ratios[:, :, 0] - 1, 0.0)
    rivals = {board for board in _proper_boards(judge) if not _agree(board, solution)}
    for cell in _doubtful(shares @ (fewer + CHANGED_PROPER * other)):
        if judge.tired:
            break
        if judge.is_proper(_with(puzzle, [(cell, 0)])):
            other[:, cell] = 0.0
            continue
        fewer[:, cell] *= PRIOR["many"]
        for digit in np.flatnonzero(shares @ ratios[:, cell] > MIN_RIVAL):
            changed = _with(puzzle, [(cell, int(digit))])
            if digit not in (0, puzzle[cell]) and not judge.tired:
                other[:, cell] -= ratios[:, cell, digit]
                if judge.is_proper(changed):
                    rivals.add(changed)
    rivals.update(_paired_rivals(puzzle, solution, np.tensordot(shares, ratios, axes=1), judge))
    kin = float(shares @ np.prod(1 + fewer + more + CHANGED_PROPER * np.maximum(other, 0.0), axis=1))
    strangers = sum(np.exp(_log_sum(view.log_mass(board) for view in views) - mass) for board in rivals)
    ill_posed = PRIOR["none"] * np.exp(-mass)
    return float(1 / (kin + strangers + ill_posed))


def _paired_rivals(puzzle: Values, solution: Values, ratios: Doubles, judge: Judge) -> Iterator[Values]:
    """Proper boards with another solution that differ from the puzzle in two doubtful cells.

    *ratios* (81, 10): how likely each reading of a cell is against the puzzle's.
    """
    doubts = [(int(cell), int(digit)) for cell, digit in np.argwhere(ratios > MIN_RIVAL)]
    changes = [(cell, digit) for cell, digit in doubts if digit != puzzle[cell]]
    pairs = [
        (float(ratios[one] * ratios[two]), one, two)
        for one, two in combinations(changes, 2)
        if one[0] != two[0] and ratios[one] * ratios[two] > MIN_RIVAL
    ]
    for _, one, two in sorted(pairs, reverse=True)[:MAX_PAIRS]:
        board = _with(puzzle, [one, two])
        if judge.tired:
            return
        if not _agree(board, solution) and judge.is_proper(board):
            yield board


def _doubtful(doubts: Doubles) -> list[int]:
    """The most doubtful cells, if their doubts matter at all."""
    order = np.argsort(-doubts, kind="stable")[:MAX_TESTS]
    return [int(cell) for cell in order if doubts[cell] > MIN_RIVAL]


def _proper_boards(judge: Judge) -> list[Values]:
    return [board for board, verdict in judge.known.items() if verdict.kind == "proper"]


def _agree(board: Values, solution: Values) -> bool:
    """Whether every clue of the board is the solution's."""
    return all(digit in (0, answer) for digit, answer in zip(board, solution, strict=True))


def _doubts(puzzle: Values, views: list[View], judge: Judge, repaired: tuple[int, ...]) -> tuple[Doubt, ...]:
    """The cells of a reading that may be wrong, from its ink and from all boards that were looked at."""
    masses = np.array([view.log_mass(puzzle) for view in views])
    shares = np.exp(masses - _log_sum(masses))
    ratios = sum(
        share * np.exp(view.logs - view.logs[_CELLS, puzzle][:, None])
        for share, view in zip(shares, views, strict=True)
    )
    own = _log_posterior(puzzle, views, judge)
    solution = _verdict(puzzle, judge).solution
    rivals = {
        board: float(np.exp(_log_posterior(board, views, judge) - own))
        for board in _proper_boards(judge)
        if sum(one != other for one, other in zip(board, puzzle, strict=True)) > 1
        and (solution is None or not _agree(board, solution))
    }
    return find_doubts(
        puzzle, np.asarray(ratios), lambda board: PRIOR[_verdict(board, judge).kind], rivals, repaired
    )


def _ill_posed_confidence(puzzle: Values, views: list[View], judge: Judge) -> float:
    """The share of an ill-posed board among all boards that could have been printed."""
    kind = _verdict(puzzle, judge).kind
    mass = np.exp(_log_sum(view.log_mass(puzzle) for view in views))
    proper = sum(np.exp(_log_sum(view.log_mass(board) for view in views)) for board in _proper_boards(judge))
    unseen = max(0.0, 1.0 - mass - proper) * max(PRIOR["many"], PRIOR[kind])
    return float(mass * PRIOR[kind] / (mass * PRIOR[kind] + proper + unseen))
