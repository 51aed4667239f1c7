"""Subsets: n cells of a unit that hold n known digits, in an unknown order.

In a *naked* subset, the cells have no other candidates, so no other cell of the unit holds these digits. A
*locked* subset is a naked subset that lies in both a box and a line; its digits are struck out in the rest of
the box and of the line. In a *hidden* subset, the digits have no other places in the unit, so the cells hold
no other digits.
"""

from collections.abc import Sequence
from functools import lru_cache, partial
from itertools import combinations

from sudoku_vision.sudoku.logic.bits import DIGITS, DIGITS_OF, cell_set, cells_of, united
from sudoku_vision.sudoku.logic.candidates import Candidates
from sudoku_vision.sudoku.logic.steps import Step, Technique, new_step
from sudoku_vision.texts import Sentence


def subset(board: Candidates, *, size: int, hidden: bool, locked: bool = False) -> Step | None:
    """Find *size* cells of a unit with only *size* candidates, or *size* digits with only *size* places.

    *hidden*: whether to find digits with few places, not cells with few candidates. *locked*: find only cells
    that lie in one box and in one line, and that strike out candidates in the rest of both units.
    """
    make = _hidden if hidden else _naked
    for unit in board.sight.regions if locked else board.sight.units:
        members = board.sight.units[unit]
        if hidden:
            keys: Sequence[int] = [digit for digit in DIGITS if board.planes[digit] & members]
            held = tuple([board.planes[digit] & members for digit in keys])
        else:
            keys = cells_of(members & board.blank)
            held = tuple([board.masks[cell] for cell in keys])
        for places, others in _subsets(held, size):
            step = make(board, tuple([keys[place] for place in places]), others, unit)
            if step is not None and len(step.units) > locked:
                return step
    return None


@lru_cache(1 << 16)  # cached, because a step changes few units: most calls repeat an earlier call
def _subsets(held: tuple[int, ...], size: int) -> list[tuple[tuple[int, ...], int]]:
    """Return each choice of *size* sets in *held* whose union has *size* members.

    A choice is a pair: the indices of its sets in *held*, and their union. The choice of all sets is left
    out, because nothing would be left to strike out.
    """
    narrow = [place for place, members in enumerate(held) if members.bit_count() <= size < len(held)]
    unions = ((places, united([held[place] for place in places])) for places in combinations(narrow, size))
    return [(places, union) for places, union in unions if union.bit_count() == size]


def _naked(board: Candidates, cells: tuple[int, ...], mask: int, unit: int) -> Step | None:
    own, units = cell_set(cells), board.sight.units
    around = sorted(board.sight.units_around(own), key=lambda other: other != unit)
    seen, digits = united([units[u] for u in around]) & ~own, DIGITS_OF[mask]
    gone = [(cell, digit) for digit in digits for cell in cells_of(board.planes[digit] & seen)]
    if not gone:
        return None
    struck = cell_set({cell for cell, _ in gone})
    touched = tuple(u for u in around if struck & units[u])
    return new_step(cells, digits, touched, eliminations=tuple(sorted(gone)), words=_NAKED_WORDS)


def _hidden(board: Candidates, digits: tuple[int, ...], places: int, unit: int) -> Step | None:
    cells = cells_of(places)
    gone = tuple((cell, d) for cell in cells for d in DIGITS_OF[board.masks[cell]] if d not in digits)
    return new_step(cells, digits, (unit,), eliminations=gone, words=_HIDDEN_WORDS) if gone else None


_NAKED_WORDS, _HIDDEN_WORDS = Sentence("step.naked_subset"), Sentence("step.hidden_subset")
_NAKED, _HIDDEN = partial(subset, hidden=False), partial(subset, hidden=True)
TECHNIQUES = (
    Technique("locked pair", 310, "medium", 40, partial(_NAKED, size=2, locked=True)),
    Technique("locked triple", 320, "medium", 60, partial(_NAKED, size=3, locked=True)),
    Technique("naked pair", 600, "medium", 60, partial(_NAKED, size=2)),
    Technique("hidden pair", 700, "medium", 70, partial(_HIDDEN, size=2)),
    Technique("naked triple", 800, "medium", 80, partial(_NAKED, size=3)),
    Technique("hidden triple", 900, "medium", 100, partial(_HIDDEN, size=3)),
    Technique("naked quad", 1100, "hard", 120, partial(_NAKED, size=4)),
    Technique("hidden quad", 1200, "hard", 150, partial(_HIDDEN, size=4)),
)
