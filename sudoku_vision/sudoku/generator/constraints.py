"""The wanted properties of a puzzle, checked before any search.

A *symmetry* is a movement of the board onto itself, such as a half turn. The cells that change places with
each other are an *orbit*. In a symmetric puzzle, all cells of an orbit are clues, or all are blank.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.errors import UsageError, checked_choice, checked_number
from sudoku_vision.sudoku.logic.steps import DIFFICULTIES, Difficulty
from sudoku_vision.sudoku.logic.techniques import TECHNIQUES
from sudoku_vision.sudoku.rules import (
    BOXES,
    CLASSIC,
    MIN_CLUES_OF_ANY,
    Rules,
    RulesLike,
    rules_for,
    rules_from,
)

Symmetry = Literal["none", "point", "rotate", "horizontal", "vertical", "diagonal", "antidiagonal"]
"""A movement of the board that leaves the pattern of clues as it is. It is a half turn (``point``), a quarter
turn (``rotate``), or a reflection. A reflection exchanges top and bottom (``horizontal``), left and right
(``vertical``), or the two sides of the diagonal from the top left (``diagonal``) or from the top right
(``antidiagonal``)."""

SYMMETRIES: tuple[Symmetry, ...] = get_args(Symmetry)

Orbit = tuple[int, ...]  # cells (0..80) that a symmetry exchanges, in ascending order
MAX_CLUES = 80  # maximum number of clues of a puzzle
MAX_MINIMAL_CLUES = 40  # the largest number of clues in a known minimal puzzle
_SOON_FOUND = 20  # a puzzle with fewer clues takes minutes to find, other puzzles take seconds
_USUAL_MINIMAL = 22, 27  # minimum and maximum number of clues that are suggested for minimal puzzles


@dataclass(frozen=True)
class Constraints:
    """The wanted properties of a puzzle: the arguments of :func:`generate`."""

    difficulty: Difficulty | None = None
    clues: int | None = None
    symmetry: Symmetry = "point"
    minimal: bool = False
    rules: RulesLike = CLASSIC
    technique: str | None = None

    def __post_init__(self) -> None:
        if self.difficulty is not None:
            vars(self)["difficulty"] = checked_choice(self.difficulty, "difficulty", DIFFICULTIES)
        if self.technique is not None:
            needed = checked_choice(self.technique, "technique", TECHNIQUES)
            if self.difficulty not in (None, needed.difficulty):
                what = f"A puzzle that needs the {needed} is {needed.difficulty}, not {self.difficulty}."
                raise UsageError(what, "Leave the difficulty out.")
            vars(self).update(technique=needed.name, difficulty=needed.difficulty)
        vars(self)["symmetry"] = checked_choice(self.symmetry, "symmetry", SYMMETRIES)
        if isinstance(self.rules, str) and {"jigsaw", "killer"} & {*self.rules.lower().split()}:
            # Only the name of the rules is checked here. The regions and cages are made later, with the
            # puzzle.
            rules_from(self.rules, BOXES, [(1, (0,))])
            vars(self)["rules"] = self.rules.lower()
        else:
            vars(self)["rules"] = rules_for(self.rules)
        if self.clues is not None:
            vars(self)["clues"] = checked_number(self.clues, "The number of clues", 0)
            _check_clues(self.clues, self)

    def __str__(self) -> str:
        """Return the constraints in words: ``a minimal hard puzzle with 20 clues``."""
        article = "an" if not self.minimal and self.difficulty in ("easy", "expert", "extreme") else "a"
        name = self.rules.name if isinstance(self.rules, Rules) else str(self.rules)
        words = [article, "minimal" if self.minimal else "", self.difficulty or ""]
        words += [name.replace("classic", ""), "puzzle"]
        words += [] if self.technique is None else [f"that needs the {self.technique}"]
        words += [] if self.clues is None else [f"with {self.clues} clues"]
        words += [] if self.symmetry == "none" else [f"of symmetry {self.symmetry!r}"]
        return " ".join(filter(None, words))


def _check_clues(clues: int, asked: Constraints) -> None:
    """Raise UsageError if a puzzle with the wanted properties *asked* can't have this number of *clues*."""
    by_name = 0 if "killer" in str(asked.rules) else MIN_CLUES_OF_ANY
    fewest = asked.rules.min_clues if isinstance(asked.rules, Rules) else by_name
    if clues < fewest:
        what = f"No puzzle with {clues} clues has only one solution: {fewest} is the fewest."
        remedy = f"Ask for {fewest} to {MAX_CLUES}; below {_SOON_FOUND} the search is long."
        raise UsageError(what, remedy)
    if clues > MAX_CLUES:
        raise UsageError(f"{clues} clues leave nothing to solve.", f"Ask for at most {MAX_CLUES}.")
    if asked.minimal and asked.rules == CLASSIC and clues > MAX_MINIMAL_CLUES:
        what = f"No minimal puzzle with more than {MAX_MINIMAL_CLUES} clues is known."
        fewest, most = _USUAL_MINIMAL
        raise UsageError(what, f"Ask for {fewest} to {most}, or leave out minimal.")
    numbers = clue_numbers(asked.symmetry)
    if clues not in numbers:
        what = f"With symmetry {asked.symmetry!r} clues come in groups that never add up to {clues}."
        below, above = max(n for n in numbers if n < clues), min(n for n in numbers if n > clues)
        raise UsageError(what, f"Ask for {below} or {above}, or for another symmetry.")


_CELLS = np.arange(81).reshape(9, 9)
_IMAGES: dict[Symmetry, NDArray[np.intp]] = {
    "none": _CELLS,
    "point": np.rot90(_CELLS, 2),
    "rotate": np.rot90(_CELLS),
    "horizontal": np.flipud(_CELLS),
    "vertical": np.fliplr(_CELLS),
    "diagonal": _CELLS.T,
    "antidiagonal": np.rot90(_CELLS, 2).T,
}
"""For each symmetry, an array (9, 9): the cell (0..80) that the symmetry moves to each place."""


@lru_cache(maxsize=len(SYMMETRIES))
def orbits(symmetry: Symmetry) -> tuple[Orbit, ...]:
    """Return the orbits of a symmetry, each with its cells (0..80) in order."""
    images = _IMAGES[symmetry].ravel().tolist()
    found: dict[int, Orbit] = {}
    for cell in range(81):
        orbit = [cell]
        while (image := images[orbit[-1]]) != cell:
            orbit.append(image)
        found.setdefault(min(orbit), tuple(sorted(orbit)))
    return tuple(found.values())


@lru_cache(maxsize=len(SYMMETRIES))
def clue_numbers(symmetry: Symmetry) -> tuple[int, ...]:
    """Return all numbers of clues that a puzzle with this symmetry can have, in ascending order."""
    sums = 1  # bit n is set if some choice of orbits has n cells in all
    for orbit in orbits(symmetry):
        sums |= sums << len(orbit)
    return tuple(number for number in range(82) if sums >> number & 1)
