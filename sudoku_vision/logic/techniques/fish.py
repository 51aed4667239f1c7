"""Fish: some lines in which a digit has places in only as many lines across.

X-wing two, swordfish three, jellyfish four.
"""

from __future__ import annotations

from functools import partial
from itertools import combinations

from sudoku_vision.logic.candidates import DIGITS, UNIT_SETS, Candidates, cells_of
from sudoku_vision.logic.steps import Step, Technique
from sudoku_vision.logic.words import name_units, strike


def fish(board: Candidates, size: int) -> Step | None:
    """Find *size* rows (or columns) in which a digit has places in only *size* columns (or rows)."""
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
        _BY_SIZE[len(units)],
        cells_of(board.planes[digit] & base),
        (digit,),
        units,
        covers,
        eliminations=tuple((cell, digit) for cell in cells_of(gone)),
    )


def _sentence(step: Step) -> str:
    return (
        f"In {name_units(step.units)}, the digit {step.digits[0]} fits only where they cross "
        f"{name_units(step.covers)}: each of these lines gets its {step.digits[0]} there, so "
        f"{strike(step.eliminations)}."
    )


X_WING = Technique(
    "X-wing",
    order=1000,
    difficulty="hard",
    score=140,
    find=partial(fish, size=2),
    sentence=_sentence,
    example="020385100093100758518700032035200001162450300980631520846500913251943876379816245",
)

SWORDFISH = Technique(
    "swordfish",
    order=1900,
    difficulty="hard",
    score=150,
    find=partial(fish, size=3),
    sentence=_sentence,
    example="500700000000030070008005003600109400080020090009008001000400300060090040002006009",
)

JELLYFISH = Technique(
    "jellyfish",
    order=2100,
    difficulty="expert",
    score=160,
    find=partial(fish, size=4),
    sentence=_sentence,
    example="046007921701092634293164758109000347027040196634971285962415873010709062070000019",
)

_BY_SIZE = {2: X_WING, 3: SWORDFISH, 4: JELLYFISH}
TECHNIQUES = tuple(_BY_SIZE.values())
