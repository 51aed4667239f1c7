"""Constraints: what is asked of a puzzle, checked before any search."""

from __future__ import annotations

from dataclasses import dataclass

from sudoku_vision.errors import UsageError
from sudoku_vision.sudoku.board import FEWEST_CLUES
from sudoku_vision.sudoku.generator.symmetry import SYMMETRIES, Symmetry, clue_numbers
from sudoku_vision.sudoku.logic import DIFFICULTIES, Difficulty
from sudoku_vision.sudoku.logic.words import listed

MOST_CLUES = 80
"""With one more there is nothing left to solve."""

MOST_MINIMAL_CLUES = 40
"""No minimal puzzle with more is known."""

_SOON_FOUND = 20
"""Clues from which on a search takes seconds, not minutes."""

_USUAL_MINIMAL = 22, 27
"""Clues that minimal puzzles have most often."""


@dataclass(frozen=True)
class Constraints:
    """What a puzzle must be.

    *difficulty*: one of :data:`~sudoku_vision.sudoku.logic.DIFFICULTIES`, as
    ``rate`` has them; None: any. *clues*: exactly so many; None: for easier puzzles
    about as many as are usual in print, else as few as thinning out leaves, which is 22 to 32. *symmetry*:
    see :data:`Symmetry`. *minimal*: no clue at all can be taken away, not even one that its symmetry would
    then be lost with. Raises :class:`~sudoku_vision.errors.UsageError` for what no puzzle can be.
    """

    difficulty: Difficulty | None = None
    clues: int | None = None
    symmetry: Symmetry = "point"
    minimal: bool = False

    def __post_init__(self) -> None:
        """Refuse what can't be had."""
        if self.difficulty is not None and self.difficulty not in DIFFICULTIES:
            what = f"There is no difficulty {self.difficulty!r}."
            raise UsageError(what, f"Choose {listed(DIFFICULTIES, 'or')}.")
        if self.symmetry not in SYMMETRIES:
            what = f"There is no symmetry {self.symmetry!r}."
            raise UsageError(what, f"Choose {listed(SYMMETRIES, 'or')}.")
        if self.clues is not None:
            _check_clues(self.clues, self.symmetry, self.minimal)

    def __str__(self) -> str:
        """Return the constraints in words: ``a minimal hard puzzle with 20 clues``."""
        article = "an" if not self.minimal and self.difficulty in ("easy", "expert", "extreme") else "a"
        words = [article, "minimal" if self.minimal else "", self.difficulty or "", "puzzle"]
        words += [] if self.clues is None else [f"with {self.clues} clues"]
        words += [] if self.symmetry == "none" else [f"of symmetry {self.symmetry!r}"]
        return " ".join(filter(None, words))


def _check_clues(clues: int, symmetry: Symmetry, minimal: bool) -> None:
    """Raise UsageError if no puzzle can have so many clues."""
    if clues < FEWEST_CLUES:
        what = f"No puzzle with {clues} clues has only one solution: {FEWEST_CLUES} is the fewest."
        remedy = f"Ask for {FEWEST_CLUES} to {MOST_CLUES}; below {_SOON_FOUND} the search is long."
        raise UsageError(what, remedy)
    if clues > MOST_CLUES:
        raise UsageError(f"{clues} clues leave nothing to solve.", f"Ask for at most {MOST_CLUES}.")
    if minimal and clues > MOST_MINIMAL_CLUES:
        what = f"No minimal puzzle with more than {MOST_MINIMAL_CLUES} clues is known."
        fewest, most = _USUAL_MINIMAL
        raise UsageError(what, f"Ask for {fewest} to {most}, or leave out minimal.")
    numbers = clue_numbers(symmetry)
    if clues not in numbers:
        what = f"With symmetry {symmetry!r} clues come in groups, and never to {clues}."
        below, above = max(n for n in numbers if n < clues), min(n for n in numbers if n > clues)
        raise UsageError(what, f"Ask for {below} or {above}, or for another symmetry.")
