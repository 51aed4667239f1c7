"""Steps, with all parts that a picture or a sentence needs, and the techniques that find them.

Cells are 0..80 in reading order, digits 1..9. Units are 0..26 (rows, columns, boxes, each from the top left;
for others see :data:`~sudoku_vision.texts.FIRST_UNIT`). A *candidate* is a pair (cell, digit).
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, TypeAlias

from sudoku_vision.sudoku.logic.candidates import Candidates
from sudoku_vision.sudoku.rules import CLASSIC, Rules
from sudoku_vision.texts import ENGLISH, Sentence, say
from sudoku_vision.values import brief

Candidate: TypeAlias = tuple[int, int]  # a cell (0..80) and a digit (1..9)

Difficulty = Literal["easy", "medium", "hard", "expert", "extreme"]
DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "medium", "hard", "expert", "extreme")
"""How hard a technique is to find, and a puzzle that needs it; easiest first."""

Detail = Literal["name", "place", "step"]
"""How much of a step is shown: the technique's name, also the place to look at, or everything."""

_MAX_PLACES = 4  # a hint names at most so many units or cells as the place to look at


@dataclass(frozen=True)
class Node:
    """The end of a link: "*digit* is in one of *cells*", a cell or two or three cells of a box and a line."""

    cells: tuple[int, ...]
    digit: int


@dataclass(frozen=True)
class Link:
    """One inference of a chain.

    ``strong``: if ``start`` is false, ``end`` is true. Weak: if ``start`` is true, ``end`` is false.
    ``locked``: the cells of the almost locked set that a strong link leads through, if any.
    """

    start: Node
    end: Node
    strong: bool
    locked: tuple[int, ...] = ()


@dataclass(frozen=True)
class Trial:
    """The result of assuming a digit and following the singles.

    ``follows``: the digits that are filled in, in order; at a contradiction only those that lead to it. A
    contradiction is a ``dead_cell`` without a digit left, or a ``dead_unit`` without a place for the
    ``dead_digit``. ``guesses``: further assumptions that were needed; 0 if singles suffice.
    """

    outcome: Literal["contradiction", "solution"]
    follows: tuple[Candidate, ...] = ()
    dead_cell: int | None = None
    dead_unit: int | None = None
    dead_digit: int | None = None
    guesses: int = 0


@dataclass(frozen=True)
class Branch:
    """What follows from ``start``: the nodes that are needed, in order.

    A node of several cells is all places left for a digit in a unit; they rule out the digit in cells that
    see them all.
    """

    start: Candidate
    follows: tuple[Node, ...]


@dataclass(frozen=True)
class Step:
    """One step of a solution that a person can follow.

    * ``technique``: the technique that found it.
    * ``cells``: the cells of the pattern; the pivot of a wing first, the cells of a chain in its order.
    * ``digits``: the digits of the pattern.
    * ``units``: the units of the pattern (0..26). ``covers``: the units that it clears, if others:
      the lines across a fish, the line or box of locked candidates.
    * ``colours``: groups of cells: in colouring the two groups of which one is all true, the other all false.
    * ``links``: the inferences of a chain, in order.
    * ``placements``: candidates to fill in; ``eliminations``: candidates to strike out. Never both.
    * ``trial``: the result of a trial. ``branches``: the branches of a forcing net, all to the same end.
    * ``blockers``: for a single, the digits on the board, as (cell, digit), that leave it no other place or
      digit. ``struck``: the other candidates that earlier steps or a person's marks have struck out.
    * ``rules``: the rules of the board.
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
        """The step in English: what is seen, and what follows from it."""
        return self.text_in(ENGLISH)

    def text_in(self, language: str) -> str:
        """Return the step in the words of a language, given by its code."""
        return say(self.technique.sentence(self), language)

    def place(self, language: str = ENGLISH) -> str:
        """Return where to look for the step, but not what follows: ``in row 3``, ``at r2c5``."""
        at = "at" if len(self.cells) <= _MAX_PLACES else "from"
        key = "in" if 0 < len(self.units) <= _MAX_PLACES else at
        return say(self.sentence(f"place.{key}"), language)

    def sentence(self, key: str, **more: Any) -> Sentence:
        """Return the sentence *key* with the cells, digits and units of the step, and *more* values."""
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
        """Return the step for JSON, its ``text`` in a *language*; candidates are ``[cell, digit]``."""
        parts = {part.name: _plain(getattr(self, part.name)) for part in fields(Step) if part.name != "rules"}
        return parts | {"technique": self.technique.name, "text": self.text_in(language)}


def _plain(value: Any) -> Any:
    """Turn tuples into lists and records into dicts, for JSON."""
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    if isinstance(value, Node | Link | Trial | Branch):
        return {part.name: _plain(getattr(value, part.name)) for part in fields(value)}
    return value


@dataclass(frozen=True)
class Technique:
    """One way to reason: how to find it, its difficulty, and its sentence.

    * ``name``: the usual name; two techniques are equal if their names are.
    * ``order``: techniques are tried in this order. Numbers are in hundreds, so that others fit in between.
    * ``difficulty``: the difficulty of puzzles that need nothing harder; it never falls along the order.
    * ``score``: each step of the technique adds this to the score of a puzzle, as in HoDoKu (B. Hobiger).
    * ``finder``: returns one step on a board, or None; its second argument is the technique itself.
    * ``sentence``: returns the sentence for a step, with a key of :mod:`sudoku_vision.texts`.
    * ``needs_unique``: whether it is valid only for puzzles with exactly one solution. ``needs_boxes``:
      whether it is valid only if the regions are boxes.
    """

    name: str
    order: int = field(compare=False, repr=False)
    difficulty: Difficulty = field(compare=False, repr=False)
    score: int = field(compare=False, repr=False)
    finder: "Callable[[Candidates, Technique], Step | None]" = field(compare=False, repr=False)
    sentence: Callable[[Step], Sentence] = field(compare=False, repr=False)
    needs_unique: bool = field(default=False, compare=False, repr=False)
    needs_boxes: bool = field(default=False, compare=False, repr=False)

    def find(self, board: Candidates) -> Step | None:
        """Find one step on *board*, None if there is none."""
        rules = board.sight.rules
        if self.needs_boxes and rules.is_jigsaw:
            return None
        step = self.finder(board, self)
        return step if step is None or board.sight.is_classic else replace(step, rules=rules)

    @property
    def title(self) -> str:
        """The English name with a capital letter."""
        return self.title_in(ENGLISH)

    def title_in(self, language: str) -> str:
        """Return the name in a language, given by its code."""
        return say(Sentence(f"technique.{self.name}"), language)

    def __str__(self) -> str:
        return self.name
