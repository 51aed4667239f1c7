"""What the logic says: a step with the parts that a picture of it needs, and the technique that found it.

Cells are 0..80 in reading order, digits 1..9, units 0..26 (rows, columns, boxes, each from the top left;
others in :data:`~sudoku_vision.texts.FIRST_UNIT`); a *candidate* is a pair (cell, digit).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, TypeAlias

from sudoku_vision.results import brief
from sudoku_vision.sudoku.logic.candidates import Candidates
from sudoku_vision.sudoku.rules import CLASSIC, Rules
from sudoku_vision.texts import ENGLISH, Sentence, say

Candidate: TypeAlias = tuple[int, int]  # a cell (0..80) and a digit (1..9)

Difficulty = Literal["easy", "medium", "hard", "expert", "extreme"]
DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "medium", "hard", "expert", "extreme")
"""How hard a technique is to see, and a puzzle that needs it; easiest first."""

Detail = Literal["name", "place", "step"]
"""How much of a step is told or drawn: the technique's name, also where to look, all of it."""

_FEW = 4
"""Units or cells up to which all are named as places to look at; a longer list helps no one to find them."""


@dataclass(frozen=True)
class Node:
    """The end of a link, "*digit* stands in one of *cells*": one cell, or two or three of a box and line."""

    cells: tuple[int, ...]
    digit: int


@dataclass(frozen=True)
class Link:
    """One inference of a chain. Strong: if ``start`` is false, ``end`` is true; weak: if true, then false.

    ``locked``: the cells of the almost locked set that a strong link leads through, if any.
    """

    start: Node
    end: Node
    strong: bool
    locked: tuple[int, ...] = ()


@dataclass(frozen=True)
class Trial:
    """What follows when a digit is assumed, by singles alone.

    ``follows``: the digits that the assumption fills in, in order; of a refutation only those that it needs.
    At a contradiction, either no digit is left for ``dead_cell``, or ``dead_digit`` has no place left in
    ``dead_unit``. ``guesses``: assumptions within the assumption; 0 where singles suffice.
    """

    outcome: Literal["contradiction", "solution"]
    follows: tuple[Candidate, ...] = ()
    dead_cell: int | None = None
    dead_unit: int | None = None
    dead_digit: int | None = None
    guesses: int = 0


@dataclass(frozen=True)
class Branch:
    """What ``start`` leads to: ``follows``, in order, and only what is needed.

    A node of several cells is the places of a digit that are left in a unit, which clear those beside them.
    """

    start: Candidate
    follows: tuple[Node, ...]


@dataclass(frozen=True)
class Step:
    """One step of a solution that a person can follow.

    * ``technique``: what it is an instance of.
    * ``cells``: the cells of the pattern; the pivot of a wing first, the cells of a chain in its order.
    * ``digits``: the digits concerned.
    * ``units``: where the pattern lies (0..26); ``covers``: the units that it clears, where those are others
      (the lines across a fish, the line or box of locked candidates).
    * ``colours``: for colouring, the two groups of cells of which one is all true and the other all false.
    * ``links``: the inferences of a chain, in order.
    * ``placements``: candidates to fill in; ``eliminations``: candidates to strike out. Never both.
    * ``trial``: what a trial found; ``branches``: what a forcing net follows, all to the same end.
    * ``blockers``: of a single that is told, the digits on the board, as (cell, digit), that leave it no
      other place or digit; ``struck``: the candidates that earlier steps or a person's marks have struck out.
    * ``rules``: those of the board that it was found on.

    ``text`` says it in words, which are made when they are asked for.
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

    __repr__ = brief

    @property
    def text(self) -> str:
        """The step in plain words: what is seen, and what follows."""
        return self.told()

    def told(self, language: str = ENGLISH) -> str:
        """Return the step in the words of a language, by its code."""
        return say(self.technique.sentence(self), language)

    def place(self, language: str = ENGLISH) -> str:
        """Say where to look for the step, without telling what follows: ``in row 3``, ``at r2c5``."""
        key = "in" if 0 < len(self.units) <= _FEW else "at" if len(self.cells) <= _FEW else "from"
        return say(self.saying(f"place.{key}"), language)

    def saying(self, key: str, **more: Any) -> Sentence:
        """Return a sentence about the step: its cells, digits and units are told, and *more*."""
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
        """Return the step for JSON: cells as 0..80, units as 0..26, candidates as ``[cell, digit]``.

        Its ``text`` is in the words of a *language*.
        """
        parts = {part.name: _plain(getattr(self, part.name)) for part in fields(Step) if part.name != "rules"}
        return parts | {"technique": self.technique.name, "text": self.told(language)}


def _plain(value: Any) -> Any:
    """Return lists for tuples and objects for records, as JSON has them."""
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    if isinstance(value, Node | Link | Trial | Branch):
        return {part.name: _plain(getattr(value, part.name)) for part in fields(value)}
    return value


@dataclass(frozen=True)
class Technique:
    """One way to reason, complete: how it is found, what it costs, how it is said, and where it can be seen.

    * ``name``: what people call it; two techniques are equal if their names are.
    * ``order``: techniques are tried from the lowest on. Hundreds, so that others fit in between.
    * ``difficulty``: the name of puzzles that need nothing harder; never falls along the order.
    * ``score``: what a step of it adds to a puzzle's score, as in HoDoKu (B. Hobiger).
    * ``finder``: gives one step of it on a board, or None; the record itself is its second argument.
    * ``sentence``: says such a step as a text of the catalogue (:mod:`sudoku_vision.texts`) and its values.
    * ``example``: a board on which it is the easiest step: 81 digits, 0 for blank, or a line of HoDoKu's
      library, which tells entries from clues (by a plus) and what has been struck out (digit, row, column).
    * ``needs_unique``: whether it holds only where the puzzle has exactly one solution; ``needs_boxes``:
      whether only where the regions are boxes.
    """

    name: str
    order: int = field(compare=False, repr=False)
    difficulty: Difficulty = field(compare=False, repr=False)
    score: int = field(compare=False, repr=False)
    finder: "Callable[[Candidates, Technique], Step | None]" = field(compare=False, repr=False)
    sentence: Callable[[Step], Sentence] = field(compare=False, repr=False)
    example: str = field(default="", compare=False, repr=False)
    needs_unique: bool = field(default=False, compare=False, repr=False)
    needs_boxes: bool = field(default=False, compare=False, repr=False)

    def find(self, board: Candidates) -> Step | None:
        """Find one step of it on *board*, None if there is none."""
        rules = board.sight.rules
        if self.needs_boxes and rules.is_jigsaw:
            return None
        step = self.finder(board, self)
        return step if step is None or board.sight.is_classic else replace(step, rules=rules)

    @property
    def title(self) -> str:
        """The name as a line begins with it."""
        return self.title_in(ENGLISH)

    def title_in(self, language: str) -> str:
        """Return what people call it in a language, by its code."""
        return say(Sentence(f"technique.{self.name}"), language)

    def __str__(self) -> str:
        return self.name


def shown_on(examples: Sequence[str], *techniques: Technique) -> tuple[Technique, ...]:
    """Return *techniques*, each with its example."""
    pairs = zip(techniques, examples, strict=True)
    return tuple(replace(technique, example=example) for technique, example in pairs)
