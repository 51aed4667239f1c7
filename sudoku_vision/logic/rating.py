"""How hard a puzzle is: a name from the hardest technique it needs, a number from all of its steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sudoku_vision.logic.steps import Technique

Difficulty = Literal["easy", "medium", "hard", "expert", "extreme"]
DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "medium", "hard", "expert", "extreme")
"""The names, easiest first."""

HARDEST_OF: dict[Difficulty, Technique] = {
    "easy": Technique.NAKED_SINGLE,
    "medium": Technique.HIDDEN_TRIPLE,
    "hard": Technique.SIMPLE_COLOURING,
    "expert": Technique.GROUPED_CHAIN,
    "extreme": Technique.TRIAL,
}
"""The hardest technique that a puzzle of each name may need."""

SCORES: dict[Technique, float] = {
    Technique.FULL_HOUSE: 4,
    Technique.HIDDEN_SINGLE: 14,
    Technique.NAKED_SINGLE: 4,
    Technique.POINTING: 50,
    Technique.CLAIMING: 50,
    Technique.NAKED_PAIR: 60,
    Technique.HIDDEN_PAIR: 70,
    Technique.NAKED_TRIPLE: 80,
    Technique.HIDDEN_TRIPLE: 100,
    Technique.X_WING: 140,
    Technique.NAKED_QUAD: 120,
    Technique.HIDDEN_QUAD: 150,
    Technique.SKYSCRAPER: 130,
    Technique.TWO_STRING_KITE: 150,
    Technique.UNIQUE_RECTANGLE: 100,
    Technique.XY_WING: 160,
    Technique.XYZ_WING: 180,
    Technique.W_WING: 150,
    Technique.SWORDFISH: 150,
    Technique.SIMPLE_COLOURING: 150,
    Technique.JELLYFISH: 160,
    Technique.XY_CHAIN: 260,
    Technique.ALTERNATING_CHAIN: 280,
    Technique.GROUPED_CHAIN: 300,
    Technique.TRIAL: 500,
}


@dataclass(frozen=True)
class Rating:
    """How hard a puzzle is.

    ``name``: easy, medium, hard, expert or extreme, from the ``hardest`` technique it needs (None for a full
    board). ``score``: the sum of what its steps cost, a whole number from 0, comparable between puzzles.
    ``counts``: how often each technique is used, easiest first. ``finished``: False where a limit was passed;
    ``name`` is then the next one after the limit, a lower bound like all the rest.
    """

    name: Difficulty
    score: int
    hardest: Technique | None
    counts: Mapping[Technique, int]
    finished: bool = True

    def to_dict(self) -> dict[str, Any]:
        """The rating for JSON."""
        return {
            "difficulty": self.name,
            "score": self.score,
            "hardest": None if self.hardest is None else self.hardest.value,
            "counts": {technique.value: count for technique, count in self.counts.items()},
        }


def difficulty_of(technique: Technique | None) -> Difficulty:
    """The name of puzzles whose hardest technique is *technique*."""
    rank = -1 if technique is None else technique.rank
    return next(name for name in DIFFICULTIES if rank <= HARDEST_OF[name].rank)


def rating_of(counts: Mapping[Technique, int], *, passed: Difficulty | None = None) -> Rating:
    """The rating of a puzzle whose solution takes each technique so often; *passed*: the limit it exceeds."""
    ordered = {technique: counts[technique] for technique in Technique if counts.get(technique)}
    hardest = max(ordered, key=lambda technique: technique.rank, default=None)
    score = round(sum(SCORES[technique] * count for technique, count in ordered.items()))
    if passed is None:
        return Rating(difficulty_of(hardest), score, hardest, ordered)
    return Rating(DIFFICULTIES[DIFFICULTIES.index(passed) + 1], score, hardest, ordered, finished=False)
