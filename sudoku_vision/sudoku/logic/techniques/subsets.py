"""Subsets: so many digits in so many cells of a unit, and nothing else for either.

These are the preemptive sets of J. F. Crook, "A pencil-and-paper algorithm for solving Sudoku puzzles",
Notices of the AMS 56 (2009). Naked: some cells hold no other digits, so no other cell of the unit holds these
digits; *locked* ones lie in a box and a line, and clear both. Hidden: some digits have no other cells, so
these cells hold no other digits. The one is the other with cells and digits swapped.
"""

from collections.abc import Sequence
from functools import lru_cache, partial
from itertools import combinations

from sudoku_vision.sudoku.logic.candidates import DIGITS, DIGITS_OF, Candidates, cell_set, cells_of, united
from sudoku_vision.sudoku.logic.steps import Step, Technique, shown_on


def subset(
    board: Candidates, technique: Technique, *, size: int, hidden: bool, locked: bool = False
) -> Step | None:
    """Find *size* cells of a unit with no more than *size* digits together, or (hidden) digits with cells.

    *locked*: cells of a box and a line, both of which they clear.
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
            step = make(board, technique, tuple([keys[place] for place in places]), others, unit)
            if step is not None and len(step.units) > locked:
                return step
    return None


@lru_cache(1 << 16)  # most steps leave most units as they were
def _subsets(held: tuple[int, ...], size: int) -> list[tuple[tuple[int, ...], int]]:
    """List the choices of *size* of some sets, though not all of them, that have as many members together."""
    narrow = [place for place, members in enumerate(held) if members.bit_count() <= size < len(held)]
    unions = ((places, united([held[place] for place in places])) for places in combinations(narrow, size))
    return [(places, union) for places, union in unions if union.bit_count() == size]


def _naked(
    board: Candidates, technique: Technique, cells: tuple[int, ...], mask: int, unit: int
) -> Step | None:
    """Strike out what a naked subset rules out in its units: two, where a box and a line share it."""
    own, units = cell_set(cells), board.sight.units
    around = sorted((u for u in units if not own & ~units[u]), key=lambda other: other != unit)
    seen, digits = united([units[u] for u in around]) & ~own, DIGITS_OF[mask]
    gone = [(cell, digit) for digit in digits for cell in cells_of(board.planes[digit] & seen)]
    if not gone:
        return None
    struck = cell_set({cell for cell, _ in gone})
    touched = tuple(u for u in around if struck & units[u])
    return Step(technique, cells, digits, touched, eliminations=tuple(sorted(gone)))


def _hidden(
    board: Candidates, technique: Technique, digits: tuple[int, ...], places: int, unit: int
) -> Step | None:
    """Strike all other digits out of the *places* of a hidden subset."""
    cells = cells_of(places)
    gone = tuple((cell, d) for cell in cells for d in DIGITS_OF[board.masks[cell]] if d not in digits)
    return Step(technique, cells, digits, (unit,), eliminations=gone) if gone else None


_naked_sentence = partial(Step.saying, key="step.naked_subset")
_hidden_sentence = partial(Step.saying, key="step.hidden_subset")


_EXAMPLES = (
    "361792548000845030000631007050184300603579480004263075138926754000318000296457813",
    "807410532000800491400300867050100370170503620300700145506200984780900256942658713",
    "040012035050300412213045086192458673374001528568273149435126897621000354789534261",
    "203000541705001923194325768031500690059010380027903415942137856316854279578200134",
    "070689451856741923194235600080196500010058000560072100631824795725963814948517000",
    "000900086000000500000050001020000004708500090400360000200003000040690070670010400",
    (
        ":0000:x:7.4.6.8..25..4...1.....7.....28...5..6..251.75..1..28......3.6.9.........25...4..:"
        "686 696 775 785 795::"
    ),
    (
        ":0000:x:..6......35..1..6..17..3.5..6...9.4..2.356..8...2..6.........9.672.....3.8....7.6:"
        "296 417 461 462 463 917 994 995::"
    ),
)

_NAKED, _HIDDEN = partial(subset, hidden=False), partial(subset, hidden=True)
TECHNIQUES = shown_on(
    _EXAMPLES,
    Technique("locked pair", 310, "medium", 40, partial(_NAKED, size=2, locked=True), _naked_sentence),
    Technique("locked triple", 320, "medium", 60, partial(_NAKED, size=3, locked=True), _naked_sentence),
    Technique("naked pair", 600, "medium", 60, partial(_NAKED, size=2), _naked_sentence),
    Technique("hidden pair", 700, "medium", 70, partial(_HIDDEN, size=2), _hidden_sentence),
    Technique("naked triple", 800, "medium", 80, partial(_NAKED, size=3), _naked_sentence),
    Technique("hidden triple", 900, "medium", 100, partial(_HIDDEN, size=3), _hidden_sentence),
    Technique("naked quad", 1100, "hard", 120, partial(_NAKED, size=4), _naked_sentence),
    Technique("hidden quad", 1200, "hard", 150, partial(_HIDDEN, size=4), _hidden_sentence),
)
