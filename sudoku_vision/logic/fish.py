"""Fish: some lines in which a digit has places in only as many lines across.

X-wing two, swordfish three, jellyfish four.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import combinations

from sudoku_vision.logic.candidates import DIGITS, UNIT_SETS, Candidates, cells_of
from sudoku_vision.logic.steps import Step, Technique

_NAMES = {2: Technique.X_WING, 3: Technique.SWORDFISH, 4: Technique.JELLYFISH}


def _fish(board: Candidates, size: int) -> Step | None:
    for digit in DIGITS:
        rows, columns = [0] * 9, [0] * 9
        for cell in cells_of(board.planes[digit]):
            row, column = divmod(cell, 9)
            rows[row] |= 1 << column
            columns[column] |= 1 << row
        step = _search(board, digit, rows, 0, size) or _search(board, digit, columns, 9, size)
        if step is not None:
            return step
    return None


def _search(board: Candidates, digit: int, lines: list[int], first: int, size: int) -> Step | None:
    """Look for a fish in *lines* of one kind (the places in each, nine bits), unit *first* and on."""
    narrow = [line for line, places in enumerate(lines) if 2 <= places.bit_count() <= size]
    if len(narrow) < size:
        return None
    for base in combinations(narrow, size):
        across = 0
        for line in base:
            across |= lines[line]
        if across.bit_count() == size:
            units = tuple(first + line for line in base)
            covers = tuple(9 - first + line for line in range(9) if across >> line & 1)
            step = _step(board, digit, units, covers)
            if step is not None:
                return step
    return None


def _step(board: Candidates, digit: int, units: tuple[int, ...], covers: tuple[int, ...]) -> Step | None:
    base = cover = 0
    for unit in units:
        base |= UNIT_SETS[unit]
    for unit in covers:
        cover |= UNIT_SETS[unit]
    gone = board.planes[digit] & cover & ~base
    if not gone:
        return None
    return Step(
        _NAMES[len(units)],
        cells_of(board.planes[digit] & base),
        (digit,),
        units,
        covers,
        eliminations=tuple((cell, digit) for cell in cells_of(gone)),
    )


_Finder = Callable[[Candidates], Step | None]
x_wing: _Finder = partial(_fish, size=2)
swordfish: _Finder = partial(_fish, size=3)
jellyfish: _Finder = partial(_fish, size=4)
