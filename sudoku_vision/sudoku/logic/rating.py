"""How hard a puzzle is: a name from the hardest technique it needs, a number from all of its steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sudoku_vision.sudoku.logic.steps import DIFFICULTIES, Difficulty, Technique
from sudoku_vision.sudoku.logic.techniques import TECHNIQUES


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
        """Return the rating for JSON."""
        return {
            "difficulty": self.name,
            "score": self.score,
            "hardest": None if self.hardest is None else self.hardest.name,
            "counts": {technique.name: count for technique, count in self.counts.items()},
        }


def rating_of(counts: Mapping[Technique, int], *, passed: Difficulty | None = None) -> Rating:
    """Rate a puzzle whose solution takes each technique so often; *passed*: the limit that it exceeds."""
    ordered = {technique: counts[technique] for technique in TECHNIQUES if counts.get(technique)}
    hardest = list(ordered)[-1] if ordered else None
    score = sum(technique.score * count for technique, count in ordered.items())
    if passed is not None:
        name = DIFFICULTIES[DIFFICULTIES.index(passed) + 1]
        return Rating(name, score, hardest, ordered, finished=False)
    return Rating(hardest.difficulty if hardest else DIFFICULTIES[0], score, hardest, ordered)
