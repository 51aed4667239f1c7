"""Fish: some lines in which a digit has places in only as many lines across.

X-wing two, swordfish three, jellyfish four. With *fins*, places in one box beyond those lines, the fish holds
unless a fin does: what the fish clears in the box of the fins is false either way. It is called sashimi where
without its fins a line would have one place left, or none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import combinations

from sudoku_vision.sudoku.logic.candidates import DIGITS, UNIT_SETS, Candidates, cells_of, seen_by_all
from sudoku_vision.sudoku.logic.steps import Step, Technique
from sudoku_vision.sudoku.logic.words import name_cells, name_units, strike


def fish(board: Candidates, size: int) -> Step | None:
    """Find *size* rows (or columns) in which a digit has places in only *size* columns (or rows)."""
    for digit in DIGITS:
        rows, columns = _lines(board.planes[digit])
        step = _search(board, digit, rows, 0, size) or _search(board, digit, columns, 9, size)
        if step is not None:
            return step
    return None


def _lines(plane: int) -> tuple[list[int], list[int]]:
    """Return the places of a digit in each row and in each column, nine bits each."""
    rows, columns = [0] * 9, [0] * 9
    for cell in cells_of(plane):
        row, column = divmod(cell, 9)
        rows[row] |= 1 << column
        columns[column] |= 1 << row
    return rows, columns


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
    base, cover = _union(units), _union(covers)
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


def finned_fish(board: Candidates, size: int, *, sashimi: bool) -> Step | None:
    """Find *size* rows (or columns) with places in as many columns (or rows), and fins in one box beyond."""
    for digit in DIGITS:
        rows, columns = _lines(board.planes[digit])
        for lines, first in ((rows, 0), (columns, 9)):
            for base, cover in _with_fins(lines, size, sashimi=sashimi):
                units = tuple(first + line for line in base)
                covers = tuple(9 - first + line for line in range(9) if cover >> line & 1)
                step = _finned_step(board, digit, units, covers, sashimi=sashimi)
                if step is not None:
                    return step
    return None


def _with_fins(lines: list[int], size: int, *, sashimi: bool) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield base lines, and the lines across (nine bits) that cover all their places but fins in a box."""
    able = [line for line, places in enumerate(lines) if 2 <= places.bit_count() <= size + 2]
    for base in combinations(able, size):
        across = 0
        for line in base:
            across |= lines[line]
        if not size < across.bit_count() <= size + 2:
            continue
        for chute in _CHUTES:
            beyond = across & chute
            if beyond.bit_count() <= across.bit_count() - size:
                continue  # a line of the chute must be left to cover
            for fins in _SUBSETS[beyond]:
                if (across ^ fins).bit_count() == size:
                    bands = {line // 3 for line in base if lines[line] & fins}
                    single = any((lines[line] & ~fins).bit_count() < 2 for line in base)
                    if len(bands) == 1 and single == sashimi:
                        yield base, across ^ fins


_CHUTES = (0b111, 0b111_000, 0b111_000_000)
"""The three bands or stacks of lines across, nine bits."""

_SUBSETS = {
    beyond: [part for part in range(1, 512) if not part & ~beyond and part != beyond]
    for chute in _CHUTES
    for beyond in range(512)
    if not beyond & ~chute
}
"""The parts of each set of lines in a chute that leave one of them out at least."""


def _finned_step(
    board: Candidates, digit: int, units: tuple[int, ...], covers: tuple[int, ...], *, sashimi: bool
) -> Step | None:
    base = _union(units) & board.planes[digit]
    cover = _union(covers)
    beyond = base & ~cover
    gone = board.planes[digit] & cover & ~base & seen_by_all(cells_of(beyond))
    if not gone:
        return None
    return Step(
        _FINNED[len(units), sashimi],
        cells_of(base),
        (digit,),
        units,
        covers,
        colours=(cells_of(base & cover), cells_of(beyond)),
        eliminations=tuple((cell, digit) for cell in cells_of(gone)),
    )


def _union(units: Iterable[int]) -> int:
    cells = 0
    for unit in units:
        cells |= UNIT_SETS[unit]
    return cells


def _finned_sentence(step: Step) -> str:
    digit, fins = step.digits[0], step.colours[1]
    covers = name_units(step.covers)
    return (
        f"In {name_units(step.units)}, the digit {digit} fits only where they cross {covers}, and in "
        f"{name_cells(fins)} beside, the {'fin' if len(fins) == 1 else 'fins'}. Either a fin holds it, or "
        f"{covers} get their {digit} at the crossings. What is cleared either way is false: "
        f"{strike(step.eliminations)}."
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

FINNED_X_WING = Technique(
    "finned X-wing",
    order=1810,
    difficulty="hard",
    score=130,
    find=partial(finned_fish, size=2, sashimi=False),
    sentence=_finned_sentence,
    example="000300500050010030007004001200000400060090000001006002800700200790080050005009007",
)

SASHIMI_X_WING = Technique(
    "sashimi X-wing",
    order=1820,
    difficulty="hard",
    score=150,
    find=partial(finned_fish, size=2, sashimi=True),
    sentence=_finned_sentence,
    example="000152036506038012213604805721386000000521687658040321002860100060410200100200060",
)

FINNED_SWORDFISH = Technique(
    "finned swordfish",
    order=2110,
    difficulty="expert",
    score=200,
    find=partial(finned_fish, size=3, sashimi=False),
    sentence=_finned_sentence,
    example="029051034500039012013204950091002503300510209265397481476125398102900040908000120",
)

SASHIMI_SWORDFISH = Technique(
    "sashimi swordfish",
    order=2120,
    difficulty="expert",
    score=240,
    find=partial(finned_fish, size=3, sashimi=True),
    sentence=_finned_sentence,
    example="706021034940376012123045600307450261410632005562710340230107406604503120801264003",
)

FINNED_JELLYFISH = Technique(
    "finned jellyfish",
    order=2130,
    difficulty="expert",
    score=250,
    find=partial(finned_fish, size=4, sashimi=False),
    sentence=_finned_sentence,
    example="020731690000009380903500001009000806010600040206097153090000560000000010500002038",
)

SASHIMI_JELLYFISH = Technique(
    "sashimi jellyfish",
    order=2140,
    difficulty="expert",
    score=260,
    find=partial(finned_fish, size=4, sashimi=True),
    sentence=_finned_sentence,
    example="000000001000000023004005000000000600000010090007800500000406000010020009230000000",
)

_FINNED = {
    (2, False): FINNED_X_WING,
    (2, True): SASHIMI_X_WING,
    (3, False): FINNED_SWORDFISH,
    (3, True): SASHIMI_SWORDFISH,
    (4, False): FINNED_JELLYFISH,
    (4, True): SASHIMI_JELLYFISH,
}
TECHNIQUES = (*_BY_SIZE.values(), *_FINNED.values())
