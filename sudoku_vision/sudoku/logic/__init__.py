"""Logic that a person can follow: a hint, the whole way to the solution, and how hard the puzzle is.

>>> from sudoku_vision.sudoku.logic import hint
>>> str(hint("53467891267219534819834256785976142342685379171392485696153728428741963534528617."))
'In box 9, r9c9 is the last empty cell, and 9 is the only digit missing: it goes there.'

The road: :mod:`candidates` (the board with its pencil marks) -> :mod:`techniques` (a module for each family,
in it a record for each technique, whose finder gives a :class:`Step`) -> :mod:`engine` (easiest first) ->
:mod:`explain` (what people ask). A sentence is a key and values; :mod:`sudoku_vision.texts`
puts it into words when it is told.
"""

from sudoku_vision.sudoku.logic.explain import Explanation, Rating, explain, hint, hints, next_steps, rate
from sudoku_vision.sudoku.logic.methods import METHODS, Method
from sudoku_vision.sudoku.logic.steps import (
    DIFFICULTIES,
    Candidate,
    Detail,
    Difficulty,
    Link,
    Node,
    Step,
    Technique,
    Trial,
)
from sudoku_vision.sudoku.logic.techniques import TECHNIQUES, technique_named

__all__ = [
    "DIFFICULTIES",
    "METHODS",
    "TECHNIQUES",
    "Candidate",
    "Detail",
    "Difficulty",
    "Explanation",
    "Link",
    "Method",
    "Node",
    "Rating",
    "Step",
    "Technique",
    "Trial",
    "explain",
    "hint",
    "hints",
    "next_steps",
    "rate",
    "technique_named",
]
