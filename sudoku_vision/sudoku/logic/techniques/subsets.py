"""Subsets: so many digits in so many cells of a unit, and nothing else for either.

These are the preemptive sets of J. F. Crook, "A pencil-and-paper algorithm for solving Sudoku puzzles",
Notices of the AMS 56 (2009). Naked: some cells hold no other digits, so no other cell of the unit holds these
digits. Hidden: some digits have no other cells, so these cells hold no other digits.
"""

from __future__ import annotations

from functools import partial
from itertools import combinations

from sudoku_vision.sudoku.logic.candidates import (
    DIGITS,
    DIGITS_OF,
    UNIT_SETS,
    Candidates,
    cells_of,
    seen_by_all,
)
from sudoku_vision.sudoku.logic.steps import Candidate, Step, Technique
from sudoku_vision.sudoku.logic.words import listed, name_cells, name_units, strike, unit_name
from sudoku_vision.sudoku.solver import UNITS


def naked_subset(board: Candidates, size: int) -> Step | None:
    """Find *size* cells of a unit that hold no more than *size* digits together."""
    masks = board.masks
    for unit, members in enumerate(UNITS):
        blank = [cell for cell in members if masks[cell]]
        if len(blank) <= size:
            continue
        narrow = [cell for cell in blank if masks[cell].bit_count() <= size]
        for cells in combinations(narrow, size):
            mask = 0
            for cell in cells:
                mask |= masks[cell]
            if mask.bit_count() == size:
                step = _naked_step(board, cells, mask, unit)
                if step is not None:
                    return step
    return None


def _naked_step(board: Candidates, cells: tuple[int, ...], mask: int, unit: int) -> Step | None:
    """Strike out what a naked subset rules out in its units: two, where a box and a line share it."""
    sharing = (other for other in range(27) if all(UNIT_SETS[other] >> cell & 1 for cell in cells))
    units = (unit, *(other for other in sharing if other != unit))
    seen = seen_by_all(cells)
    digits = DIGITS_OF[mask]
    gone = [(cell, digit) for digit in digits for cell in cells_of(board.planes[digit] & seen)]
    if not gone:
        return None
    touched = tuple(u for u in units if any(UNIT_SETS[u] >> cell & 1 for cell, _ in gone))
    return Step(_NAKED[len(cells)], cells, digits, touched, eliminations=tuple(sorted(gone)))


def hidden_subset(board: Candidates, size: int) -> Step | None:
    """Find *size* digits that have no more than *size* places in a unit together."""
    for unit, members in enumerate(UNIT_SETS):
        places = [(digit, board.planes[digit] & members) for digit in DIGITS]
        open_digits = [(digit, cells) for digit, cells in places if cells]
        if len(open_digits) <= size:
            continue
        narrow = [(digit, cells) for digit, cells in open_digits if cells.bit_count() <= size]
        for chosen in combinations(narrow, size):
            cells = 0
            for _, here in chosen:
                cells |= here
            if cells.bit_count() == size:
                digits = tuple(digit for digit, _ in chosen)
                gone = _others(board, cells, digits)
                if gone:
                    technique = _HIDDEN[size]
                    return Step(technique, cells_of(cells), digits, (unit,), eliminations=gone)
    return None


def _others(board: Candidates, cells: int, digits: tuple[int, ...]) -> tuple[Candidate, ...]:
    """Return the candidates of *cells* (a set) that are none of *digits*."""
    kept = sum(1 << digit for digit in digits)
    return tuple((cell, digit) for cell in cells_of(cells) for digit in DIGITS_OF[board.masks[cell] & ~kept])


def _naked_sentence(step: Step) -> str:
    digits = listed(step.digits)
    return (
        f"In {name_units(step.units)}, {name_cells(step.cells)} hold nothing but {digits}: as many digits as "
        f"cells, so these digits are used up there, and you can {strike(step.eliminations)}."
    )


def _hidden_sentence(step: Step) -> str:
    digits = listed(step.digits)
    return (
        f"In {unit_name(step.units[0])}, the digits {digits} fit only in {name_cells(step.cells)}: as many "
        f"cells as digits, so nothing else fits there, and you can {strike(step.eliminations)}."
    )


NAKED_PAIR = Technique(
    "naked pair",
    order=600,
    difficulty="medium",
    score=60,
    find=partial(naked_subset, size=2),
    sentence=_naked_sentence,
    example="040012035050300412213045086192458673374001528568273149435126897621000354789534261",
)

HIDDEN_PAIR = Technique(
    "hidden pair",
    order=700,
    difficulty="medium",
    score=70,
    find=partial(hidden_subset, size=2),
    sentence=_hidden_sentence,
    example="203000541705001923194325768031500690059010380027903415942137856316854279578200134",
)

NAKED_TRIPLE = Technique(
    "naked triple",
    order=800,
    difficulty="medium",
    score=80,
    find=partial(naked_subset, size=3),
    sentence=_naked_sentence,
    example="070689451856741923194235600080196500010058000560072100631824795725963814948517000",
)

HIDDEN_TRIPLE = Technique(
    "hidden triple",
    order=900,
    difficulty="medium",
    score=100,
    find=partial(hidden_subset, size=3),
    sentence=_hidden_sentence,
    example="128359647600841523345276918003097402000082370200063109000735291731924800952618734",
)

NAKED_QUAD = Technique(
    "naked quad",
    order=1100,
    difficulty="hard",
    score=120,
    find=partial(naked_subset, size=4),
    sentence=_naked_sentence,
    example="028071930900200008700089050800004000300120060000090100493810005287003000156042000",
)

HIDDEN_QUAD = Technique(
    "hidden quad",
    order=1200,
    difficulty="hard",
    score=150,
    find=partial(hidden_subset, size=4),
    sentence=_hidden_sentence,
    example="123400689456189273789362451200006398308940500695238714500000040802000005960000007",
)

_NAKED = {2: NAKED_PAIR, 3: NAKED_TRIPLE, 4: NAKED_QUAD}
_HIDDEN = {2: HIDDEN_PAIR, 3: HIDDEN_TRIPLE, 4: HIDDEN_QUAD}
TECHNIQUES = (*_NAKED.values(), *_HIDDEN.values())
