"""Constraints: what is asked of a puzzle, checked before any search.

A *symmetry* carries the cells of a board into one another; those that it carries into each other are an
*orbit*, and are all clues or all blank.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

from sudoku_vision.errors import UsageError
from sudoku_vision.sudoku.logic import DIFFICULTIES, Difficulty
from sudoku_vision.sudoku.rules import BOXES, CLASSIC, FEWEST_CLUES_OF_ANY, Rules, rules_from
from sudoku_vision.texts import listed

Symmetry = Literal["none", "point", "rotate", "horizontal", "vertical", "diagonal", "antidiagonal"]
"""What leaves the pattern of clues as it is: a half turn (``point``), a quarter turn (``rotate``), swapping
top and bottom (``horizontal``) or left and right (``vertical``), a mirror along the diagonal from the
top left (``diagonal``) or from the top right (``antidiagonal``)."""

SYMMETRIES: tuple[Symmetry, ...] = get_args(Symmetry)

Orbit = tuple[int, ...]  # cells, 0..80 in order
MOST_CLUES = 80  # with one more there is nothing left to solve
MOST_MINIMAL_CLUES = 40  # no minimal classic puzzle with more is known
_SOON_FOUND = 20  # clues from which on a search takes seconds, not minutes
_USUAL_MINIMAL = 22, 27  # clues that minimal puzzles have most often


@dataclass(frozen=True)
class Constraints:
    """What a puzzle must be.

    *difficulty*: one of :data:`~sudoku_vision.sudoku.logic.DIFFICULTIES`; None: any. *clues*: just so many;
    None: for easier puzzles about as many as in print, else as few as thinning out leaves (22 to 32).
    *minimal*: no clue at all can be taken away, not even one that its symmetry would then be lost with.
    *rules*: those that hold on it, or their name; a jigsaw that is only named gets regions of its own. Raises
    :class:`~sudoku_vision.errors.UsageError` for what no puzzle can be, and
    :class:`~sudoku_vision.errors.BoardError` for a name that no rules have.
    """

    difficulty: Difficulty | None = None
    clues: int | None = None
    symmetry: Symmetry = "point"
    minimal: bool = False
    rules: Rules | str = CLASSIC

    def __post_init__(self) -> None:
        """Refuse what can't be had."""
        if self.difficulty is not None and self.difficulty not in DIFFICULTIES:
            what = f"There is no difficulty {self.difficulty!r}."
            raise UsageError(what, f"Choose {listed(DIFFICULTIES, 'or')}.")
        if self.symmetry not in SYMMETRIES:
            what = f"There is no symmetry {self.symmetry!r}."
            raise UsageError(what, f"Choose {listed(SYMMETRIES, 'or')}.")
        if isinstance(self.rules, str):
            named = rules_from(self.rules, BOXES)
            if "jigsaw" not in self.rules.lower().split():
                object.__setattr__(self, "rules", named)
        if self.clues is not None:
            _check_clues(self.clues, self)

    def __str__(self) -> str:
        """Return the constraints in words: ``a minimal hard puzzle with 20 clues``."""
        article = "an" if not self.minimal and self.difficulty in ("easy", "expert", "extreme") else "a"
        name = self.rules.name if isinstance(self.rules, Rules) else self.rules
        words = [article, "minimal" if self.minimal else "", self.difficulty or ""]
        words += [name.replace("classic", ""), "puzzle"]
        words += [] if self.clues is None else [f"with {self.clues} clues"]
        words += [] if self.symmetry == "none" else [f"of symmetry {self.symmetry!r}"]
        return " ".join(filter(None, words))


def _check_clues(clues: int, asked: Constraints) -> None:
    """Raise UsageError if no puzzle can have so many clues."""
    symmetry = asked.symmetry
    fewest = asked.rules.fewest_clues if isinstance(asked.rules, Rules) else FEWEST_CLUES_OF_ANY
    if clues < fewest:
        what = f"No puzzle with {clues} clues has only one solution: {fewest} is the fewest."
        remedy = f"Ask for {fewest} to {MOST_CLUES}; below {_SOON_FOUND} the search is long."
        raise UsageError(what, remedy)
    if clues > MOST_CLUES:
        raise UsageError(f"{clues} clues leave nothing to solve.", f"Ask for at most {MOST_CLUES}.")
    if asked.minimal and asked.rules == CLASSIC and clues > MOST_MINIMAL_CLUES:
        what = f"No minimal puzzle with more than {MOST_MINIMAL_CLUES} clues is known."
        fewest, most = _USUAL_MINIMAL
        raise UsageError(what, f"Ask for {fewest} to {most}, or leave out minimal.")
    numbers = clue_numbers(symmetry)
    if clues not in numbers:
        what = f"With symmetry {symmetry!r} clues come in groups, and never to {clues}."
        below, above = max(n for n in numbers if n < clues), min(n for n in numbers if n > clues)
        raise UsageError(what, f"Ask for {below} or {above}, or for another symmetry.")


@lru_cache(maxsize=len(SYMMETRIES))
def orbits(symmetry: Symmetry) -> tuple[Orbit, ...]:
    """Return the orbits of a symmetry, each with its cells (0..80) in order, by their first cells."""
    found: dict[int, Orbit] = {}
    for cell in range(81):
        orbit = [cell]
        while (image := _image(orbit[-1], symmetry)) != cell:
            orbit.append(image)
        found.setdefault(min(orbit), tuple(sorted(orbit)))
    return tuple(found.values())


def _image(cell: int, symmetry: Symmetry) -> int:
    """Return the cell that a symmetry carries *cell* to."""
    row, column = divmod(cell, 9)
    images: dict[Symmetry, tuple[int, int]] = {
        "none": (row, column),
        "point": (8 - row, 8 - column),
        "rotate": (column, 8 - row),
        "horizontal": (8 - row, column),
        "vertical": (row, 8 - column),
        "diagonal": (column, row),
        "antidiagonal": (8 - column, 8 - row),
    }
    to_row, to_column = images[symmetry]
    return 9 * to_row + to_column


@lru_cache(maxsize=len(SYMMETRIES))
def clue_numbers(symmetry: Symmetry) -> tuple[int, ...]:
    """Return the numbers of clues, fewest first, that a pattern of a symmetry can have."""
    sums = 1  # bit n: some of the orbits seen have together n cells
    for orbit in orbits(symmetry):
        sums |= sums << len(orbit)
    return tuple(number for number in range(82) if sums >> number & 1)
