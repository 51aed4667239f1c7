"""The engine: tries the techniques, easiest first, and takes one step after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from sudoku_vision.logic import (
    chains,
    fish,
    locked,
    rectangles,
    single_digit,
    singles,
    subsets,
    wings,
)
from sudoku_vision.logic.candidates import UNIT_SETS, Candidates
from sudoku_vision.logic.steps import Candidate, Step, Technique
from sudoku_vision.logic.trial import trial

Finder = Callable[[Candidates], Step | None]
"""Looks for one step of one technique."""

FINDERS: dict[Technique, Finder] = {
    Technique.FULL_HOUSE: singles.full_house,
    Technique.HIDDEN_SINGLE: singles.hidden_single,
    Technique.NAKED_SINGLE: singles.naked_single,
    Technique.POINTING: locked.pointing,
    Technique.CLAIMING: locked.claiming,
    Technique.NAKED_PAIR: subsets.naked_pair,
    Technique.HIDDEN_PAIR: subsets.hidden_pair,
    Technique.NAKED_TRIPLE: subsets.naked_triple,
    Technique.HIDDEN_TRIPLE: subsets.hidden_triple,
    Technique.X_WING: fish.x_wing,
    Technique.NAKED_QUAD: subsets.naked_quad,
    Technique.HIDDEN_QUAD: subsets.hidden_quad,
    Technique.SKYSCRAPER: single_digit.skyscraper,
    Technique.TWO_STRING_KITE: single_digit.two_string_kite,
    Technique.UNIQUE_RECTANGLE: rectangles.unique_rectangle,
    Technique.XY_WING: wings.xy_wing,
    Technique.XYZ_WING: wings.xyz_wing,
    Technique.W_WING: wings.w_wing,
    Technique.SWORDFISH: fish.swordfish,
    Technique.SIMPLE_COLOURING: single_digit.simple_colouring,
    Technique.JELLYFISH: fish.jellyfish,
    Technique.XY_CHAIN: chains.xy_chain,
    Technique.ALTERNATING_CHAIN: chains.alternating_chain,
    Technique.GROUPED_CHAIN: chains.grouped_chain,
    Technique.TRIAL: trial,
}


def techniques(*, unique: bool = True, hardest: Technique = Technique.TRIAL) -> tuple[Technique, ...]:
    """The techniques up to *hardest*, easiest first, that hold on a board.

    *unique* says that the board has one solution; without it those that build on that are left out.
    """
    return tuple(
        technique
        for technique in FINDERS
        if technique.rank <= hardest.rank and (unique or technique not in _NEED_UNIQUE)
    )


_NEED_UNIQUE = {Technique.UNIQUE_RECTANGLE, Technique.TRIAL}


def next_step(board: Candidates, allowed: tuple[Technique, ...]) -> Step | None:
    """The easiest step on *board* of the techniques *allowed*, or None."""
    for technique in allowed:
        step = FINDERS[technique](board)
        if step is not None:
            return step
    return None


def take(board: Candidates, step: Step) -> None:
    """Do on *board* what *step* says."""
    for cell, digit in step.placements:
        board.place(cell, digit)
    for cell, digit in step.eliminations:
        board.remove(cell, digit)


def walk(board: Candidates, allowed: tuple[Technique, ...]) -> Iterator[Step]:
    """Take steps on *board* as far as *allowed* techniques lead, giving each before it is taken."""
    while board.blank:
        step = next_step(board, allowed)
        if step is None:
            return
        yield step
        take(board, step)


def needed(steps: Sequence[Step]) -> tuple[Step, ...]:
    """Those of *steps* that the last one may rest on, directly or by way of others.

    A step rests on an earlier one that struck out a candidate of its pattern's cells, or one of its digits
    in a unit that the pattern is seen in; every step may rest on more than it would have to, never on less.
    """
    kept: list[Step] = []
    for step in reversed(steps):
        if not kept or any(_rests_on(later, gone) for later in kept for gone in step.eliminations):
            kept.append(step)
    return tuple(reversed(kept))


def _rests_on(step: Step, gone: Candidate) -> bool:
    cell, digit = gone
    return cell in step.cells or (
        digit in step.digits and any(UNIT_SETS[unit] >> cell & 1 for unit in step.units)
    )
