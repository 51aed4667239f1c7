"""Adds up the scores (log-probabilities of digits) of a grid's cells over the frames of a film.

The mean of the log-probabilities of N frames is multiplied by sqrt(N). The factor N would be right only for
independent frames, but successive frames have nearly the same blur and light. If something covers a cell in a
frame, this frame has almost no weight for the cell.

When the reading of a puzzle is sure, its clues are no longer changed. Each further frame is then read
without the scores of earlier frames, to find new entries (digits of a person) and pencil marks. A hand, a
shadow or blur can spoil a single frame. So new entries and marks are accepted only if two successive frames
agree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from sudoku_vision.blas import one_blas_thread
from sudoku_vision.sudoku.rules import Rules
from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.decode import decode_turns, grid_status
from sudoku_vision.vision.decode.roles import resolve_roles
from sudoku_vision.vision.digits import CellClassifier, likely_turns, read_cells
from sudoku_vision.vision.digits.turns import TURNS
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import DigitScores, Lattice, Photo, Reading

TrackState = Literal["reading", "sure", "unsolvable"]
"""State of a grid. ``reading``: more frames are needed. ``sure``: its only solution is known. ``unsolvable``:
after many frames, there is no solution, or several."""

MANY_FRAMES = 12  # a grid is reported as unsolvable only after this many frames, about half a second

_AVERAGED = ("log_probs", "written", "marks", "mark_digits", "corrected")
"""Names of the fields of :class:`DigitScores` that are averaged over the frames."""
_UNREAD = DigitScores(np.full((81, 10), -np.log(10), np.float32), np.full(81, 0.5, np.float32))
"""Scores for a turn (rotation of the grid) that was not read: all digits are equally likely."""

HIDDEN_EXPONENT = 8
"""The weight of a frame for a cell is the probability that the cell is visible, raised to this power. A cell
under a hand looks blank, but its probability of being visible is seldom near 0. The high power makes the
weight of this frame small all the same."""

_MIN_PROBABILITY = 1e-6  # probabilities are kept this far from 0 and 1, so that log-odds are finite


@dataclass(frozen=True, eq=False)
class AccumulatedScores:
    """The mean scores of a grid's cells, for each of four quarter turns. One turn sets the grid upright."""

    means: dict[str, Floats]  # means of the fields _AVERAGED, (4, 81, ...); "written" is averaged as log-odds
    frames: int  # number of frames
    hidden: Floats  # probability that the cell was hidden, (4, 81): the lowest value of all frames
    seen: Floats  # sum of the weights of all frames for the cell, (4, 81); see HIDDEN_EXPONENT
    # Maps rules to two values: the number of frames that show the rules, and the rules' highest probability.
    rules: Mapping[Rules, tuple[int, float]]

    @classmethod
    def of_frame(
        cls, by_turn: Mapping[int, DigitScores], rules: Mapping[Rules, tuple[int, float]]
    ) -> AccumulatedScores:
        """Return the scores of one frame.

        *by_turn*: the scores for each turn. *rules*: the value of the field ``rules``.
        """
        turns = [resolve_roles(by_turn.get(turn, _UNREAD)) for turn in TURNS]
        means = {name: np.stack([getattr(scores, name) for scores in turns]) for name in _AVERAGED}
        written = np.clip(means["written"], _MIN_PROBABILITY, 1 - _MIN_PROBABILITY)
        means["written"] = np.log(written / (1 - written))
        hidden = np.stack([scores.hidden for scores in turns])
        return cls(means, 1, hidden, (1 - hidden) ** HIDDEN_EXPONENT, rules)

    def __add__(self, other: AccumulatedScores) -> AccumulatedScores:
        seen = self.seen + other.seen
        share = other.seen / np.maximum(seen, _MIN_PROBABILITY)
        means = {
            name: own + share.reshape(share.shape + (1,) * (own.ndim - 2)) * (other.means[name] - own)
            for name, own in self.means.items()
        }
        rules = dict(self.rules)
        for shown, (times, sure) in other.rules.items():
            before, surest = rules.get(shown, (0, 0.0))
            rules[shown] = before + times, max(surest, sure)
        hidden = np.minimum(self.hidden, other.hidden)
        return AccumulatedScores(means, self.frames + other.frames, hidden, seen, rules)

    @property
    def by_turn(self) -> dict[int, DigitScores]:
        """The scores for each of the four turns (rotations of the grid), ready for decoding."""
        logs = self.means["log_probs"] * np.sqrt(np.maximum(self.seen, 1))[..., None]
        logs = logs - logs.max(axis=2, keepdims=True)
        logs -= np.log(np.exp(logs).sum(axis=2, keepdims=True))
        values = self.means | {"log_probs": logs, "hidden": self.hidden}
        values["written"] = 1 / (1 + np.exp(-self.means["written"]))
        rules, (_, sure) = max(self.rules.items(), key=lambda seen: seen[1])
        scores: dict[int, DigitScores] = {}
        for turn in TURNS:
            of_turn: dict[str, Any] = {name: value[turn].astype(np.float32) for name, value in values.items()}
            scores[turn] = DigitScores(**of_turn, rules=rules.turned(turn), rules_probability=sure)
        return scores


@dataclass(frozen=True, eq=False)
class AccumulatedReading:
    """What was read of a puzzle so far."""

    scores: AccumulatedScores | None = None  # the scores of all frames together
    result: Grid | None = None  # the decoded grid
    turn: int = 0  # number of counter-clockwise quarter turns that set the puzzle upright
    unconfirmed: Reading | None = None  # reading of the last frame, if it has unconfirmed changes

    @property
    def sure(self) -> bool:
        """Whether the puzzle is solved. Otherwise, its answer must not be shown."""
        return self.result is not None and self.result.status == "solved"

    @property
    def frames(self) -> int:
        """Number of frames whose scores were added up."""
        return 0 if self.scores is None else self.scores.frames

    @property
    def state(self) -> TrackState:
        """The state of the grid. A grid is called unsolvable only after :data:`MANY_FRAMES` frames."""
        if self.sure:
            return "sure"
        hopeless = self.result is not None and self.result.status in ("no_solution", "many_solutions")
        return "unsolvable" if hopeless and self.frames >= MANY_FRAMES else "reading"


@one_blas_thread()
def read_frame(
    pixels: Image, lattice: Lattice, before: AccumulatedReading, model: CellClassifier
) -> AccumulatedReading:
    """Return the reading of the puzzle at *lattice*, updated by one more frame (H, W, 3) uint8 BGR.

    *before* is the reading after the earlier frames. If *before* is sure, the frame is read without the
    scores of earlier frames, to find new entries and marks. If this gives a sure reading of another puzzle,
    one of the two readings is wrong. Then the reading starts again with this frame, and no answer is shown
    until further frames agree.
    """
    cells = read_cells(Photo(pixels), lattice, model)
    by_turn, scores, held = cells.turns.by_turn, before.scores, before.result
    if scores is None or held is None or not before.sure:
        likeliest, probability = next(iter(cells.rules.items()))
        fresh = AccumulatedScores.of_frame(by_turn, {likeliest: (1, probability)})
        scores = fresh if scores is None else scores + fresh
        turn, grid = _decoded(scores, lattice)
        return AccumulatedReading(scores, grid, turn)
    fresh = AccumulatedScores.of_frame(by_turn, scores.rules)
    _, alone = _decoded(fresh, lattice)
    newest = alone.reading
    if not has_same_answer(newest, held.reading):
        return AccumulatedReading(fresh) if alone.status == "solved" else before
    reading = confirmed_changes(held.reading, newest, before.unconfirmed)
    settled = contents(newest, reading) == contents(reading, reading)
    if settled and before.unconfirmed is None:
        return before
    return replace(before, result=replace(held, reading=reading), unconfirmed=None if settled else newest)


def _decoded(scores: AccumulatedScores, lattice: Lattice) -> tuple[int, Grid]:
    """Return the turn that sets the puzzle upright, and the upright grid."""
    by_turn = scores.by_turn
    turn, reading = decode_turns({turn: by_turn[turn] for turn in likely_turns(by_turn)})
    return turn, Grid(grid_status(reading), lattice.turned(turn), reading)


def has_same_answer(one: Reading, other: Reading) -> bool:
    """Return whether the clues of each reading agree with the solution of the other.

    The clues may differ: a digit can be read as a clue in one reading, and as an entry in the other.
    """
    if one.solution is None or other.solution is None:
        return False
    pairs = ((one.puzzle, other.solution), (other.puzzle, one.solution))
    return all(bool(((clues == 0) | (clues == solution)).all()) for clues, solution in pairs)


def confirmed_changes(held: Reading, newest: Reading, before: Reading | None) -> Reading:
    """Return the *held* reading, with new entries and marks in the cells where the last two frames agree.

    *newest*: the reading of the last frame. *before*: the reading of the frame before the last one, or None
    if that frame showed no change.
    """
    if before is None:
        return held
    entered, kept = contents(newest, held), contents(held, held)
    agreed = [one == other for one, other in zip(entered, contents(before, held), strict=True)]
    chosen = [new if take else old for new, old, take in zip(entered, kept, agreed, strict=True)]
    both = zip(newest.possible_marks, held.possible_marks, agreed, strict=True)
    unclear = set(held.unclear) - set(np.flatnonzero(agreed).tolist())
    unclear |= {cell for cell in newest.unclear if agreed[cell]}
    doubts = [doubt for doubt in held.doubts if doubt.kind != "entry" or not agreed[doubt.cell]]
    doubts += [doubt for doubt in newest.doubts if doubt.kind == "entry" and agreed[doubt.cell]]
    return replace(
        held,
        written=np.array([digit for digit, _ in chosen], np.int8).reshape(9, 9),
        marks=tuple(marks for _, marks in chosen),
        possible_marks=tuple(new if take else old for new, old, take in both),
        unclear=tuple(sorted(unclear)),
        doubts=tuple(doubts),
        entry_confidence=np.where(agreed, newest.entry_confidence, held.entry_confidence).astype(np.float32),
    )


def contents(reading: Reading, held: Reading) -> list[tuple[int, frozenset[int]]]:
    """Return the digit (0 for none) and the pencil marks of each of the 81 cells of a *reading*.

    For a cell with a clue in *held*, the result is 0 and no marks, because a person can't change clues.
    """
    digits = np.where(held.puzzle > 0, 0, reading.puzzle + reading.written).ravel().tolist()
    clues = held.puzzle.ravel().tolist()
    return [
        (digit, frozenset() if clue else marks)
        for digit, clue, marks in zip(digits, clues, reading.marks, strict=True)
    ]
