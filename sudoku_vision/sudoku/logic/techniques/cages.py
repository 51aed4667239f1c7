"""Cages: what follows in a killer from the sums of cells.

* *Cage sum*: the digits of a cage differ and add up to its sum. A digit is ruled out in a cell of the cage if
  no possible way to fill the cage puts the digit there.
* *Law of 45*: the nine digits of a unit add up to 45. If whole cages fill a unit apart from a few cells,
  these cells are *innies*, and their sum is known. If cages cover a unit and reach beyond it, the cells
  beyond it are *outies*, and their sum is known. The same holds for two units of one kind, with the sum 90.
* *Cage overlap*: if all possible choices of digits for a cage have a common digit, this digit is ruled out in
  each cell outside of the cage that sees all places of the digit in the cage. If all places of a
  digit in a unit lie in one cage, the digit is ruled out in the rest of the cage.
"""

from collections.abc import Iterator
from functools import cache, lru_cache, partial, reduce
from itertools import combinations
from operator import and_
from typing import NamedTuple

from sudoku_vision.sudoku.logic.bits import DIGITS, DIGITS_OF, candidates_at, cells_of, united
from sudoku_vision.sudoku.logic.candidates import Candidates, Sight
from sudoku_vision.sudoku.logic.steps import Candidate, Step, Technique, new_step
from sudoku_vision.texts import Sentence

_MAX_CELLS = 4  # maximum number of innies or outies; larger groups rarely rule anything out
_UNIT_SUM = 45  # sum of the nine digits of a unit

_SUMS = tuple(sum(digits) for digits in DIGITS_OF)  # sum of the digits in each mask


class _Group(NamedTuple):
    """Cells (81 bits) with a known sum: a cage, or the innies or outies of *units*.

    *inside*: False for outies, True for other groups.
    """

    cells: int
    total: int
    units: tuple[int, ...] = ()
    inside: bool = True


@cache
def _cages(sight: Sight) -> tuple[_Group, ...]:
    return tuple(_Group(cells, cage.sum) for cells, cage in sight.cages)


@cache
def _laws(sight: Sight, count: int) -> tuple[_Group, ...]:
    """Return the innies and outies for each choice of *count* units of one kind. Small groups come first."""
    found = []
    kinds = range(9), range(9, 18), sight.regions
    for units in (units for kind in kinds for units in combinations(kind, count)):
        area = united(sight.units[unit] for unit in units)
        touching = [cage for cage in _cages(sight) if cage.cells & area]
        inner = [cage for cage in touching if not cage.cells & ~area]
        outies = united(cage.cells for cage in touching) & ~area
        innies = area & ~united(cage.cells for cage in inner)
        found.append(_Group(innies, _UNIT_SUM * count - sum(cage.total for cage in inner), units))
        if not area & ~united(cage.cells for cage in touching):
            excess = sum(cage.total for cage in touching) - _UNIT_SUM * count
            found.append(_Group(outies, excess, units, inside=False))
    few = [group for group in found if 0 < group.cells.bit_count() <= _MAX_CELLS]
    return tuple(sorted(few, key=lambda group: group.cells.bit_count()))


def _choices(board: Candidates, group: _Group) -> tuple[tuple[int, ...], int]:
    """Return the digits that each blank cell of a group can hold, and the digits that the group must hold.

    Both are masks. To find them, the blank cells are filled in all ways that give the group its sum.
    """
    blank = board.blank & group.cells
    cells = cells_of(blank)
    filled = sum(board.values[cell] for cell in cells_of(group.cells & ~blank))
    differ = all(not blank & ~board.sight.peers[cell] & ~(1 << cell) for cell in cells)
    return _fitting(tuple([board.masks[cell] for cell in cells]), group.total - filled, differ)


@lru_cache(1 << 14)  # cached, because a step changes few groups: most calls repeat an earlier call
def _fitting(masks: tuple[int, ...], total: int, differ: bool) -> tuple[tuple[int, ...], int]:
    """Return the result of :func:`_choices` for cells with the candidates *masks* and the sum *total*.

    *differ*: whether the digits must differ. The cells are filled one by one. A state stands for the digits
    that were filled in so far. It is the mask of these digits if they must differ, and otherwise their sum.
    """
    before: list[set[int]] = [{0}]
    for mask in masks:
        before.append({after for state in before[-1] for _, after in _ways(state, mask, differ)})
    good = {state for state in before[-1] if (_SUMS[state] if differ else state) == total}
    needed = reduce(and_, good, -1) if differ and good else 0
    possible = []
    for mask, states in zip(reversed(masks), reversed(before[:-1]), strict=True):
        ways = [
            (state, digit) for state in states for digit, after in _ways(state, mask, differ) if after in good
        ]
        possible.append(united(1 << digit for _, digit in ways))
        good = {state for state, _ in ways}
    return tuple(reversed(possible)), needed


def _ways(state: int, mask: int, differ: bool) -> Iterator[tuple[int, int]]:
    """Yield pairs: a digit of *mask* that can be added to *state*, and the state after that."""
    if differ:
        return ((digit, state | 1 << digit) for digit in DIGITS_OF[mask & ~state])
    return ((digit, state + digit) for digit in DIGITS_OF[mask])


def group_sum(board: Candidates, *, count: int) -> Step | None:
    """Fill in a group of one cell, or rule out digits that can't complete a group to its sum.

    The groups are the cages if *count* is 0, and otherwise the innies and outies of *count* units.
    """
    for group in _laws(board.sight, count) if count else _cages(board.sight):
        masks, _ = _choices(board, group)
        gone = [
            (cell, digit)
            for cell, mask in zip(cells_of(board.blank & group.cells), masks, strict=True)
            for digit in DIGITS_OF[board.masks[cell] & ~mask]
        ]
        cells = cells_of(group.cells)
        placed: tuple[Candidate, ...] = ()
        if board.blank & group.cells and len(cells) == 1:
            gone, placed = [], ((cells[0], group.total),)
        if gone or placed:
            digits = tuple(sorted({digit for _, digit in (*gone, *placed)}))
            return new_step(
                cells,
                digits,
                group.units,
                placements=placed,
                eliminations=tuple(gone),
                words=_sum_words(group),
            )
    return None


def overlap(board: Candidates) -> Step | None:
    """Find a cage overlap that rules out a digit, as explained at the top of this module."""
    for group in _cages(board.sight):
        _, needed = _choices(board, group)
        cage = {"cage": cells_of(group.cells), "total": group.total}
        for digit in DIGITS:
            inside = board.planes[digit] & group.cells
            gone = board.planes[digit] & board.sight.seen_by_all(cells_of(inside)) & ~group.cells
            if needed >> digit & 1 and gone:
                struck = candidates_at(gone, digit)
                return new_step(
                    cells_of(inside), (digit,), eliminations=struck, words=Sentence("step.cage_needs", cage)
                )
            for unit, members in board.sight.units.items():
                places, gone = board.planes[digit] & members, inside & ~members
                if places and gone and not places & ~inside:
                    struck = candidates_at(gone, digit)
                    words = Sentence("step.cage_claims", cage)
                    return new_step(cells_of(places), (digit,), (unit,), eliminations=struck, words=words)
    return None


def _sum_words(group: _Group) -> Sentence:
    whole = _UNIT_SUM * len(group.units)
    part = whole - group.total if group.inside else whole + group.total
    key = "step.cage_sum" if not group.units else "step.innies" if group.inside else "step.outies"
    return Sentence(key, {"total": group.total, "whole": whole, "part": part})


TECHNIQUES = (
    Technique("cage sum", 250, "easy", 10, partial(group_sum, count=0)),
    Technique("law of 45", 420, "medium", 50, partial(group_sum, count=1)),
    Technique("cage overlap", 430, "medium", 50, overlap),
    Technique("law of 45 for two units", 1150, "hard", 120, partial(group_sum, count=2)),
)
