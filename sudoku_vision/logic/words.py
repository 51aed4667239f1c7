"""The words: every step as a sentence or two that a beginner can follow.

Each technique has a function from a step to its sentence; cells are named r3c7 (row 3, column 7), units row
3, column 7, box 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sudoku_vision.board import cell_name
from sudoku_vision.logic.steps import Candidate, Node, Step, Technique


def sentence(step: Step) -> str:
    """Say *step* in plain words."""
    return _SENTENCES[step.technique](step)


def unit_name(unit: int) -> str:
    """The name of a unit (0..26): ``row 3``, ``column 7``, ``box 2``."""
    return f"{('row', 'column', 'box')[unit // 9]} {unit % 9 + 1}"


def seen_in(step: Step) -> str:
    """Where to look for *step*, without telling what follows: ``in row 3``, ``at r2c5``."""
    if step.units and len(step.units) <= _FEW:
        return f"in {_units(step.units)}"
    return (
        f"at {_cells(step.cells)}" if len(step.cells) <= _FEW else f"beginning at {cell_name(step.cells[0])}"
    )


_FEW = 4
"""Units or cells that are named as places to look at."""


def listed(words: Iterable[object], last: str = "and") -> str:
    """``a, b and c``."""
    *others, final = map(str, words)
    return f"{', '.join(others)} {last} {final}" if others else final


def _cells(cells: Sequence[int]) -> str:
    return listed(map(cell_name, cells))


def _units(units: Sequence[int]) -> str:
    """``rows 2 and 5``; units of several kinds one by one."""
    if len(units) > 1 and len({unit // 9 for unit in units}) == 1:
        kind = ("rows", "columns", "boxes")[units[0] // 9]
        return f"{kind} {listed(unit % 9 + 1 for unit in units)}"
    return listed(map(unit_name, units))


def _strike(eliminations: Sequence[Candidate]) -> str:
    """``strike 5 out of r1c2 and r1c3``."""
    by_cells: dict[tuple[int, ...], list[int]] = {}
    for digit in sorted({digit for _, digit in eliminations}):
        cells = tuple(sorted(cell for cell, other in eliminations if other == digit))
        by_cells.setdefault(cells, []).append(digit)
    parts = [f"{listed(digits)} out of {_cells(cells)}" for cells, digits in by_cells.items()]
    return f"strike {', and '.join(parts)}"


def _full_house(step: Step) -> str:
    unit, cell, digit = unit_name(step.units[0]), cell_name(step.cells[0]), step.digits[0]
    return f"In {unit}, {cell} is the last blank cell: {digit} is the digit that is missing."


def _hidden_single(step: Step) -> str:
    return (
        f"In {unit_name(step.units[0])}, the digit {step.digits[0]} fits only in {cell_name(step.cells[0])}."
    )


def _naked_single(step: Step) -> str:
    return f"In {cell_name(step.cells[0])}, no digit but {step.digits[0]} is possible any more."


def _pointing(step: Step) -> str:
    holder, swept, digit = unit_name(step.units[0]), unit_name(step.covers[0]), step.digits[0]
    return (
        f"In {holder}, the digit {digit} fits only in {_cells(step.cells)}, all in {swept}. "
        f"One of them holds it, so {_strike(step.eliminations)}."
    )


def _naked_subset(step: Step) -> str:
    digits = listed(step.digits)
    return (
        f"In {_units(step.units)}, {_cells(step.cells)} hold nothing but {digits}: as many digits as cells, "
        f"so these digits are used up there, and you can {_strike(step.eliminations)}."
    )


def _hidden_subset(step: Step) -> str:
    digits = listed(step.digits)
    return (
        f"In {unit_name(step.units[0])}, the digits {digits} fit only in {_cells(step.cells)}: as many cells "
        f"as digits, so nothing else fits there, and you can {_strike(step.eliminations)}."
    )


def _fish(step: Step) -> str:
    return (
        f"In {_units(step.units)}, the digit {step.digits[0]} fits only where they cross "
        f"{_units(step.covers)}: each of these lines gets its {step.digits[0]} there, so "
        f"{_strike(step.eliminations)}."
    )


def _skyscraper(step: Step) -> str:
    roof, foot, other_foot, other_roof = map(cell_name, step.cells)
    first, shared, second = map(unit_name, step.units)
    digit = step.digits[0]
    return (
        f"The digit {digit} has two places in {first} ({roof}, {foot}) and two in {second} ({other_foot}, "
        f"{other_roof}). {foot} and {other_foot} share {shared}, so they can't both hold it: "
        f"{roof} or {other_roof} does. Both see the rest, so {_strike(step.eliminations)}."
    )


def _unique_rectangle(step: Step) -> str:
    one, two = step.digits
    fourth, *floor = step.cells
    return (
        f"{_cells(floor)} hold nothing but {one} and {two}. If {cell_name(fourth)} held {one} or {two} as "
        f"well, these two could be swapped in the four cells, and the puzzle would have two solutions. It "
        f"has one, so {_strike(step.eliminations)}."
    )


def _xy_wing(step: Step) -> str:
    pivot, one, two = map(cell_name, step.cells)
    digit, *others = step.digits
    return (
        f"{pivot} holds {listed(others, 'or')}. Whichever it is, it takes that digit from {one} or from "
        f"{two}, and then {digit} is left there. So one of these two holds {digit}, and what sees both "
        f"can't: {_strike(step.eliminations)}."
    )


def _xyz_wing(step: Step) -> str:
    pivot, one, two = map(cell_name, step.cells)
    digit, *others = step.digits
    return (
        f"{pivot} holds {digit} itself, or {listed(others, 'or')}, which leaves {digit} for {one} or {two}. "
        f"So one of the three holds {digit}, and what sees all three can't: {_strike(step.eliminations)}."
    )


def _w_wing(step: Step) -> str:
    one, two, first, second = map(cell_name, step.cells)
    digit, linked = step.digits
    return (
        f"{one} and {two} both have {linked} and {digit} left. They can't both hold {linked}: in "
        f"{unit_name(step.units[0])} it fits only in {first}, which {one} sees, and {second}, which {two} "
        f"sees. So one of them holds {digit}, and what sees both can't: {_strike(step.eliminations)}."
    )


def _colouring(step: Step) -> str:
    digit = step.digits[0]
    one, other = step.colours
    start = (
        f"Follow the units where {digit} has only two places: either it stands in all of {_cells(one)}, "
        f"or in all of {_cells(other)}. "
    )
    if any(cell in other for cell, _ in step.eliminations):
        return f"{start}Two of the latter see each other, so they are wrong: {_strike(step.eliminations)}."
    return f"{start}Cells that see one of each can't hold it: {_strike(step.eliminations)}."


def _stands(node: Node, true: bool = True) -> str:
    """``5 is in r1c2 or r1c3``, or that it is not."""
    cells = listed(map(cell_name, node.cells), "or")
    return f"{node.digit} is {'' if true else 'not '}in {cells}"


def _chain(step: Step) -> str:
    closed = not step.links[-1].strong
    links = step.links[:-1] if closed else step.links
    start, end = links[0].start, links[-1].end
    follows = ", so ".join(_stands(link.end, link.strong) for link in links)
    follow = f"Suppose that {_stands(start, False)}. Then {follows}."
    if closed:
        return (
            f"{follow} These ends can't both be true, so the chain closes to a loop: of any two neighbours "
            f"in it one is true, and you can {_strike(step.eliminations)}."
        )
    if start.digit == end.digit:
        return (
            f"{follow} So {_stands(start)}, or in {listed(map(cell_name, end.cells), 'or')}, and what sees "
            f"both can't hold it: {_strike(step.eliminations)}."
        )
    return (
        f"{follow} So {_stands(start)}, or {_stands(end)}, and what would rule out both is wrong: "
        f"{_strike(step.eliminations)}."
    )


def _trial(step: Step) -> str:
    trial = step.trial
    assert trial is not None
    (cell,), (digit,) = step.cells, step.digits
    start = f"Logic ends here, so try: let {cell_name(cell)} be {digit}. "
    follows = [f"{cell_name(cell)} = {digit}" for cell, digit in trial.follows]
    if trial.outcome == "solution":
        return f"{start}Then all other cells can be filled in ({', '.join(follows)}): this is the solution."
    if trial.guesses:
        return (
            f"{start}Whatever is tried under it ({trial.guesses} boards) ends in a contradiction, so "
            f"{_strike(step.eliminations)}."
        )
    then = f"Then follow {', '.join(follows)}, and" if follows else "Then"
    if trial.dead_cell is not None:
        dead = f"no digit is left for {cell_name(trial.dead_cell)}"
    else:
        assert trial.dead_unit is not None
        dead = f"{unit_name(trial.dead_unit)} has no place left for {trial.dead_digit}"
    return f"{start}{then} {dead}. That can't be, so {_strike(step.eliminations)}."


_SENTENCES: dict[Technique, Callable[[Step], str]] = {
    Technique.FULL_HOUSE: _full_house,
    Technique.HIDDEN_SINGLE: _hidden_single,
    Technique.NAKED_SINGLE: _naked_single,
    Technique.POINTING: _pointing,
    Technique.CLAIMING: _pointing,
    Technique.NAKED_PAIR: _naked_subset,
    Technique.HIDDEN_PAIR: _hidden_subset,
    Technique.NAKED_TRIPLE: _naked_subset,
    Technique.HIDDEN_TRIPLE: _hidden_subset,
    Technique.X_WING: _fish,
    Technique.NAKED_QUAD: _naked_subset,
    Technique.HIDDEN_QUAD: _hidden_subset,
    Technique.SKYSCRAPER: _skyscraper,
    Technique.TWO_STRING_KITE: _skyscraper,
    Technique.UNIQUE_RECTANGLE: _unique_rectangle,
    Technique.XY_WING: _xy_wing,
    Technique.XYZ_WING: _xyz_wing,
    Technique.W_WING: _w_wing,
    Technique.SWORDFISH: _fish,
    Technique.SIMPLE_COLOURING: _colouring,
    Technique.JELLYFISH: _fish,
    Technique.XY_CHAIN: _chain,
    Technique.ALTERNATING_CHAIN: _chain,
    Technique.GROUPED_CHAIN: _chain,
    Technique.TRIAL: _trial,
}
