"""The steps of a solution and their parts, and the techniques that find steps.

A step has all values that its sentence and its drawing need. Cells are 0..80 in reading order, digits 1..9.
Units are 0..26: nine rows, nine columns and nine boxes. Diagonals and the regions of jigsaws have higher
numbers (:data:`~sudoku_vision.texts.FIRST_UNIT`).
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeAlias

from sudoku_vision.sudoku.logic.candidates import Candidates
from sudoku_vision.sudoku.rules import CLASSIC, Rules
from sudoku_vision.texts import ENGLISH, Sentence, say
from sudoku_vision.values import brief

Candidate: TypeAlias = tuple[int, int]  # a cell (0..80) and a digit (1..9)

Difficulty = Literal["easy", "medium", "hard", "expert", "extreme"]
DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "medium", "hard", "expert", "extreme")
"""The difficulties of techniques and puzzles, easiest first."""

Detail = Literal["name", "place", "step"]
"""What a hint shows: the name of a technique, the name and the place to look at, or the whole step."""

_MAX_PLACES = 4  # maximum number of units, or cells, that a hint names as the place to look at


@dataclass(frozen=True)
class Node:
    """The statement "``digit`` is in one of ``cells``", which is true or false."""

    cells: tuple[int, ...]
    digit: int


@dataclass(frozen=True)
class Link:
    """One inference of a chain, from the node ``start`` to the node ``end``.

    A ``strong`` link says: if ``start`` is false, ``end`` is true. A weak link says: if ``start`` is true,
    ``end`` is false. ``locked``: the cells of the almost locked set that makes a link strong, if any.
    """

    start: Node
    end: Node
    strong: bool
    locked: tuple[int, ...] = ()


@dataclass(frozen=True)
class Trial:
    """The result of assuming a digit. ``follows`` are the candidates that were then filled in, in order.

    At a contradiction, the ``dead_cell`` has no digit left, the ``dead_unit`` has no place for the
    ``dead_digit``, or the cells of the ``dead_cage`` don't add up to its sum. ``guesses``: the number of
    further assumptions.
    """

    outcome: Literal["contradiction", "solution"]
    follows: tuple[Candidate, ...] = ()
    dead_cell: int | None = None
    dead_unit: int | None = None
    dead_digit: int | None = None
    dead_cage: tuple[int, ...] | None = None
    guesses: int = 0


@dataclass(frozen=True)
class Branch:
    """A branch of a forcing net: ``follows`` are the nodes that follow from ``start``, in order.

    If a node has several cells, these cells are all places that are left for the node's digit in a unit.
    """

    start: Candidate
    follows: tuple[Node, ...]


@dataclass(frozen=True)
class Step:
    """One step of a solution that a person can follow.

    * ``cells``, ``digits``, ``units``: the cells, digits and units of the pattern. The pivot of an XY-wing or
      XYZ-wing is the first cell; the cells of a chain are in the order of the chain.
    * ``covers``: for some patterns, the units in which candidates are struck out. These are the cover lines
      of a fish, the regions of a law of leftovers, or the second unit (line or box) of locked candidates.
    * ``colours``: groups of cells with different roles in the pattern.
    * ``links``: the inferences of a chain, in order.
    * ``placements``: the candidates to fill in. ``eliminations``: the candidates to strike out. A step has
      either placements or eliminations.
    * ``trial``: the result of a trial. ``branches``: the branches of a forcing net.
    * ``blockers``: the digits on the board (cell, digit) that are the reasons for a single. They exclude the
      digit of a hidden single from other cells, or other digits from the cell of a naked single. ``struck``:
      the candidates that no blocker excludes. Earlier steps or a person's marks have ruled them out.
    * ``words``: the key of the step's sentence, and the values that :meth:`sentence` doesn't add by itself.
    """

    technique: "Technique"
    cells: tuple[int, ...]
    digits: tuple[int, ...]
    units: tuple[int, ...] = ()
    covers: tuple[int, ...] = ()
    colours: tuple[tuple[int, ...], ...] = ()
    links: tuple[Link, ...] = ()
    placements: tuple[Candidate, ...] = ()
    eliminations: tuple[Candidate, ...] = ()
    branches: tuple[Branch, ...] = ()
    trial: Trial | None = None
    blockers: tuple[Candidate, ...] = ()
    struck: tuple[Candidate, ...] = ()
    rules: Rules = CLASSIC
    words: Sentence = field(default=Sentence(""), compare=False, repr=False)

    __repr__ = brief

    @property
    def text(self) -> str:
        """The sentence of the step in English."""
        return self.text_in(ENGLISH)

    def text_in(self, language: str) -> str:
        """Return the sentence of the step in a *language*, a code such as ``"en"``."""
        return say(self.sentence(self.words.key, **self.words.values), language)

    def place(self, language: str = ENGLISH) -> str:
        """Return where to look for the step, for example ``in row 3`` or ``at r2c5``."""
        at = "at" if len(self.cells) <= _MAX_PLACES else "from"
        key = "in" if 0 < len(self.units) <= _MAX_PLACES else at
        return say(self.sentence(f"place.{key}"), language)

    def sentence(self, key: str, **more: Any) -> Sentence:
        """Return the sentence with this *key*, filled in with values of this step and of *more*."""
        own = {
            "cell": self.cells[0],
            "cells": self.cells,
            "digit": self.digits[0],
            "digits": self.digits,
            "units": self.units,
            "covers": self.covers,
            "count": len(self.cells),
            "gone": self.eliminations,
            "kinds": self.rules.kinds,
        }
        return Sentence(key, own | more)

    def __str__(self) -> str:
        return self.text

    def to_dict(self, language: str = ENGLISH) -> dict[str, Any]:
        """Return the step as a dict for JSON, with its sentence in a *language* as ``text``."""
        names = [part.name for part in fields(Step) if part.name not in ("rules", "words")]
        parts = {name: _plain(getattr(self, name)) for name in names}
        return parts | {"technique": self.technique.name, "text": self.text_in(language)}


def _plain(value: Any) -> Any:
    """Return *value* for JSON: tuples become lists, and records become dicts, at every depth."""
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    if isinstance(value, Node | Link | Trial | Branch):
        return {part.name: _plain(getattr(value, part.name)) for part in fields(value)}
    return value


@dataclass(frozen=True)
class Technique:
    """A technique of solving: the function that finds a step, and the difficulty of such steps.

    * ``name``: the usual name; two techniques with the same name are equal.
    * ``order``: techniques are tried in ascending ``order``; each is at least as hard as those before it.
    * ``score``: what each step of the technique adds to the score of a puzzle, as in HoDoKu (B. Hobiger).
    * ``finder``: returns one step of the technique on a board, or None.
    * ``needs_unique``: whether it is valid only for puzzles with exactly one solution. ``needs_boxes``:
      whether it is valid only if all regions are boxes. ``swaps``: whether its proof exchanges two digits of
      the solution. A technique with such a proof is not used if there are cages, because a swap changes their
      sums.
    """

    name: str
    order: int = field(compare=False, repr=False)
    difficulty: Difficulty = field(compare=False, repr=False)
    score: int = field(compare=False, repr=False)
    finder: Callable[[Candidates], Step | None] = field(compare=False, repr=False)
    needs_unique: bool = field(default=False, compare=False, repr=False)
    needs_boxes: bool = field(default=False, compare=False, repr=False)
    swaps: bool = field(default=False, compare=False, repr=False)

    def find(self, board: Candidates) -> Step | None:
        """Return one step of this technique on *board*, or None if there is none."""
        rules = board.sight.rules
        if (self.needs_boxes and rules.is_jigsaw) or (self.swaps and rules.cages):
            return None
        step = self.finder(board)
        if step is not None:  # the step itself is changed, because a copy takes as long as finding a single
            vars(step).update(technique=self, rules=rules)
        return step

    @property
    def title(self) -> str:
        """The English name of the technique, with a capital letter."""
        return self.title_in(ENGLISH)

    def title_in(self, language: str) -> str:
        """Return the name of the technique in a *language*, a code such as ``"en"``."""
        return say(Sentence(f"technique.{self.name}"), language)

    def __str__(self) -> str:
        return self.name


_UNNAMED = vars(Step(Technique("", 0, "easy", 0, lambda _: None), (), ()))


def new_step(
    cells: tuple[int, ...], digits: tuple[int, ...], units: tuple[int, ...] = (), **parts: Any
) -> Step:
    """Return a step without a technique; :meth:`Technique.find` adds the technique.

    The constructor would take four times as long as this function, because the class is frozen. This matters,
    because rating makes thousands of steps.
    """
    step = object.__new__(Step)
    vars(step).update(_UNNAMED, cells=cells, digits=digits, units=units, **parts)
    return step
