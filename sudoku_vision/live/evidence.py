"""What many frames say together about the digits of one grid.

The log-probabilities of all frames are added up, as if each frame were seen afresh, and then tempered: blur
and light of one frame are much like those of the next, so N looks count as sqrt(N) independent ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sudoku_vision.results import DigitScores, Floats

_LEAST, _MOST = 1e-6, 1 - 1e-6
"""Probabilities of handwriting are kept within these before their odds are added."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """The means of what was seen in a grid, in each of its four turns.

    ``log_probs`` (4, 81, 10) and ``written`` (4, 81), the log-odds of handwriting, are means over ``looks``
    frames.
    """

    log_probs: Floats
    written: Floats
    looks: int

    @classmethod
    def of(cls, turns: Mapping[int, DigitScores]) -> Evidence:
        """What one look shows: the scores of the four *turns*."""
        written = np.clip(np.stack([turns[turn].written for turn in range(4)]), _LEAST, _MOST)
        logs = np.stack([turns[turn].log_probs for turn in range(4)])
        return cls(logs, np.log(written / (1 - written)), 1)

    def __add__(self, other: Evidence) -> Evidence:
        looks = self.looks + other.looks
        share = np.float32(other.looks / looks)
        return Evidence(
            self.log_probs + share * (other.log_probs - self.log_probs),
            self.written + share * (other.written - self.written),
            looks,
        )

    @property
    def turns(self) -> dict[int, DigitScores]:
        """The scores of the four turns that all looks together give."""
        logs = self.log_probs * np.float32(np.sqrt(self.looks))
        logs = logs - logs.max(axis=2, keepdims=True)
        logs -= np.log(np.exp(logs).sum(axis=2, keepdims=True))
        written = 1 / (1 + np.exp(-self.written))
        return {
            turn: DigitScores(logs[turn].astype(np.float32), written[turn].astype(np.float32))
            for turn in range(4)
        }
