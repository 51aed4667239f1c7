"""Fish: some lines in which all places of a digit lie in the same number of lines across.

Either the lines are rows and the lines across are columns, or the other way round. An X-wing has two lines, a
swordfish three, a jellyfish four. The digit is ruled out in the rest of the lines across. *Fins* are places
in the lines, but outside of the lines across; all fins are in one box. Either a fin holds the digit, or the
fish is valid. So the digit is ruled out only in those cells that also see all fins. A fish is *sashimi* if
one of its lines has at most one place besides the fins.
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
from sudoku_vision.sudoku.logic.steps import Difficulty, Step, Technique
from sudoku_vision.sudoku.rules import CLASSIC
from sudoku_vision.texts import Sentence

Kind = Literal["plain", "finned", "sashimi"]

_CLASSIC = sight(CLASSIC)  # enough for all rules: rows and columns are the same, and fins need boxes

_CHUTES = (0b111, 0b111_000, 0b111_000_000)  # three neighbouring lines each, as bits: bands or stacks
_MAX_FIN_LINES = 2  # most lines across with fins; the third line of their band is part of the fish


def fish(board: Candidates, technique: Technique, *, size: int, kind: Kind) -> Step | None:
    """Find *size* rows in which all places of a digit lie in *size* columns, or the other way round.

    *kind*: whether the fish has no fins, has fins, or is sashimi. Fins are places in other lines across, all
    in one box.
    """
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
    """A fish: its lines, its lines across, and three sets of cells.

    *units*: the lines. *covers*: the lines across. *places*: the places of the digit in the lines. *fins*:
    the places that are not in the lines across. *gone*: the cells where the digit is ruled out.
    """

    units: tuple[int, ...]
    covers: tuple[int, ...]
    places: int
    fins: int
    gone: int


@lru_cache(1 << 15)  # results are kept, because most steps leave most digits unchanged
def _find(plane: int, size: int, kind: Kind) -> _Fish | None:
    """Find a fish in *plane*, the places of a digit, that rules out the digit in some of these places."""
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
    """Return the places of a digit in each row, and its places in each column, as nine bits for each line."""
    rows, columns = [0] * 9, [0] * 9
    for cell in cells_of(plane):
        row, column = divmod(cell, 9)
        rows[row] |= 1 << column
        columns[column] |= 1 << row
    return rows, columns


def _covered(lines: Sequence[int], size: int, kind: Kind) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the lines of each fish as numbers 0..8, and its lines across as nine bits.

    *lines*: for each line, the places of the digit as nine bits.
    """
    fewest, most = (size, size) if kind == "plain" else (size + 1, size + _MAX_FIN_LINES)
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
    """List all choices of *count* lines of *across* that can have the fins, each as nine bits.

    The lines of a choice lie in one band or stack. At least one further line of *across* must lie there, too.
    """
    chutes = (tuple(bits_of(across & chute)) for chute in _CHUTES)
    choices = (combinations(lines, count) for lines in chutes if len(lines) > count)
    return tuple(fins for chosen in choices for fins in sorted(map(cell_set, chosen)))


def _sentence(step: Step) -> Sentence:
    if step.colours:
        return step.sentence("step.finned_fish", fins=step.colours[1])
    return step.sentence("step.fish")


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


TECHNIQUES = (
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
