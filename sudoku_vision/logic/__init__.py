"""Logic that a person can follow: a hint, the whole way to the solution, and how hard the puzzle is.

>>> from sudoku_vision.logic import hint
>>> str(hint("53467891267219534819834256785976142342685379171392485696153728428741963534528617."))
'In box 9, r9c9 is the last blank cell: 9 is the digit that is missing.'

The road: :mod:`candidates` (the board with its pencil marks) -> one module for each family of techniques,
whose finders give a :class:`Step` -> :mod:`engine` (easiest first) -> :mod:`explain` (what people ask) with
:mod:`rating` and :mod:`words`.
"""

from sudoku_vision.logic.explain import Explanation, explain, hint, hints, rate
from sudoku_vision.logic.rating import DIFFICULTIES, Difficulty, Rating
from sudoku_vision.logic.steps import Candidate, Link, Node, Step, Technique, Trial

__all__ = [
    "DIFFICULTIES",
    "Candidate",
    "Difficulty",
    "Explanation",
    "Link",
    "Node",
    "Rating",
    "Step",
    "Technique",
    "Trial",
    "explain",
    "hint",
    "hints",
    "rate",
]
