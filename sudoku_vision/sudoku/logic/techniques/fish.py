"""Fish: some lines in which a digit has places in only as many lines across.

X-wing two, swordfish three, jellyfish four. With *fins*, places in one box beyond those lines, the fish holds
unless a fin does: what the fish clears in the box of the fins is false either way. It is called sashimi where
without its fins a line would have one place left, or none.
"""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache, partial
from itertools import combinations
from typing import Literal, NamedTuple

from sudoku_vision.sudoku.logic.candidates import (
    DIGITS,
    Candidates,
    bits_of,
    candidates_at,
    cell_set,
    cells_of,
    sight,
    united,
)
from sudoku_vision.sudoku.logic.steps import Difficulty, Step, Technique, shown_on
from sudoku_vision.sudoku.rules import CLASSIC
from sudoku_vision.texts import Sentence

Kind = Literal["plain", "finned", "sashimi"]

_CLASSIC = sight(CLASSIC)  # rows and columns are the same under all rules; fins lie in boxes

_CHUTES = (0b111, 0b111_000, 0b111_000_000)  # the three bands or stacks of lines across, nine bits
_MOST_FIN_LINES = 2  # lines across that fins may lie in: the third of their chute is left to the fish


def fish(board: Candidates, technique: Technique, *, size: int, kind: Kind) -> Step | None:
    """Find *size* rows (or columns) with places in as many columns (or rows), but for fins in one box."""
    for digit in DIGITS:
        found = _find(board.planes[digit], size, kind)
        if found is not None:
            return Step(
                technique,
                cells_of(found.places),
                (digit,),
                found.units,
                found.covers,
                colours=(cells_of(found.places & ~found.fins), cells_of(found.fins)) if found.fins else (),
                eliminations=candidates_at(found.gone, digit),
            )
    return None


class _Fish(NamedTuple):
    """Its lines, those across, and sets of cells: its *places*, those that are *fins*, what it clears."""

    units: tuple[int, ...]
    covers: tuple[int, ...]
    places: int
    fins: int
    gone: int


@lru_cache(1 << 15)  # most steps leave most digits as they were
def _find(plane: int, size: int, kind: Kind) -> _Fish | None:
    """Find a fish in the places of a digit that clears some of them."""
    for first, lines in zip((0, 9), _lines(plane), strict=True):
        for base, across in _covered(lines, size, kind):
            units = tuple(first + line for line in base)
            covers = tuple(9 - first + line for line in bits_of(across))
            own, cover = (united([_CLASSIC.units[unit] for unit in chosen]) for chosen in (units, covers))
            fins = plane & own & ~cover
            gone = plane & cover & ~own & _CLASSIC.seen_by_all(cells_of(fins))
            if gone:
                return _Fish(units, covers, plane & own, fins, gone)
    return None


def _lines(plane: int) -> tuple[list[int], list[int]]:
    """Return the places of a digit in each row and in each column, nine bits each."""
    rows, columns = [0] * 9, [0] * 9
    for cell in cells_of(plane):
        row, column = divmod(cell, 9)
        rows[row] |= 1 << column
        columns[column] |= 1 << row
    return rows, columns


def _covered(lines: Sequence[int], size: int, kind: Kind) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield base lines, and the lines across (nine bits) that cover all their places but fins in a box."""
    fewest, most = (size, size) if kind == "plain" else (size + 1, size + _MOST_FIN_LINES)
    able = [line for line, places in enumerate(lines) if 2 <= places.bit_count() <= most]
    for base in combinations(able, size):
        across = united([lines[line] for line in base])
        if fewest <= across.bit_count() <= most:
            for fins in (0,) if kind == "plain" else _fins(across, across.bit_count() - size):
                bands = {line // 3 for line in base if lines[line] & fins}
                sashimi = any((lines[line] & ~fins).bit_count() < 2 for line in base)
                if len(bands) <= 1 and sashimi == (kind == "sashimi"):
                    yield base, across ^ fins


@cache
def _fins(across: int, count: int) -> tuple[int, ...]:
    """List the choices of *count* lines *across* that lie in one chute, of which others of them are left."""
    chutes = (tuple(bits_of(across & chute)) for chute in _CHUTES)
    choices = (combinations(lines, count) for lines in chutes if len(lines) > count)
    return tuple(fins for chosen in choices for fins in sorted(map(cell_set, chosen)))


def _sentence(step: Step) -> Sentence:
    return step.saying("step.finned_fish", fins=step.colours[1]) if step.colours else step.saying("step.fish")


_EXAMPLES = (
    "000003206000700059020040083106000504050601092209000861790030020062007000501200007",
    "719243568342658971856791234560109040090004000400005019970432006004586097680917420",
    "740108009009403751003000824000045173300000402074230090207380006030700000406000007",
    "500700000000030070008005003600109400080020090009008001000400300060090040002006009",
    (
        ":0000:x:32165..4.759.41....8..7.15..4.7.5....7..1..3....46....215.86.7.8.75246...6.1.7582:"
        "224 363 639 934 947 949 951 956 966 967 969 979::"
    ),
    "029051034500039012013204950091002503300510209265397481476125398102900040908000120",
    "000006700000700020709030500005097840847215936900000075390040007510070400074001008",
    (
        ":0000:x:7...23.61.16....23324156....316.2..46.73.4..2.42.1.63.4.376.2.816.24.37527..3..46:"
        "547 557 561 727 813 817 827 917 927::"
    ),
    ":0000:x:632.59..49.56.4...74..32569.27495...463..195.5...63..7..432..95256918..33..54.1..:777 798 862::",
)


def _record(name: str, order: int, difficulty: Difficulty, score: int, size: int, kind: Kind) -> Technique:
    return Technique(
        name,
        order,
        difficulty,
        score,
        partial(fish, size=size, kind=kind),
        _sentence,
        needs_boxes=kind != "plain",
    )


TECHNIQUES = shown_on(
    _EXAMPLES,
    _record("X-wing", 1000, "hard", 140, 2, "plain"),
    _record("finned X-wing", 1810, "hard", 130, 2, "finned"),
    _record("sashimi X-wing", 1820, "hard", 150, 2, "sashimi"),
    _record("swordfish", 1900, "hard", 150, 3, "plain"),
    _record("jellyfish", 2100, "expert", 160, 4, "plain"),
    _record("finned swordfish", 2110, "expert", 200, 3, "finned"),
    _record("sashimi swordfish", 2120, "expert", 240, 3, "sashimi"),
    _record("finned jellyfish", 2130, "expert", 250, 4, "finned"),
    _record("sashimi jellyfish", 2140, "expert", 260, 4, "sashimi"),
)
