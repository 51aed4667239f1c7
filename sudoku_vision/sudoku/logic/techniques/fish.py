"""Fish: all places of a digit in n *base lines* lie in n *cover lines*.

The base lines are rows and the cover lines are columns, or the other way round. An X-wing has two base lines,
a swordfish three, a jellyfish four. The digit is ruled out in the rest of the cover lines. *Fins* are places
of the digit in the base lines, but outside of the cover lines; all fins are in one box. Either a fin holds
the digit, or the fish is valid. So a fish with fins rules out the digit only in cells that also see all fins.
A fish with fins is *sashimi* if one of its base lines has at most one place besides the fins.
"""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache, partial
from itertools import combinations
from typing import Literal, NamedTuple

from sudoku_vision.sudoku.logic.bits import DIGITS, bits_of, candidates_at, cell_set, cells_of, united
from sudoku_vision.sudoku.logic.candidates import Candidates, sight
from sudoku_vision.sudoku.logic.steps import Difficulty, Step, Technique, new_step
from sudoku_vision.sudoku.rules import CLASSIC
from sudoku_vision.texts import Sentence

Kind = Literal["plain", "finned", "sashimi"]

_CLASSIC = sight(CLASSIC)
"""The units of the classic game. They are used under all rules: a fish without fins needs only rows and
columns, which are the same under all rules. Fish with fins are searched for only if the regions are boxes."""
_CHUTES = (0b111, 0b111_000, 0b111_000_000)  # the three lines of each band or stack of boxes, as bits
_MAX_FIN_LINES = 2  # maximum number of lines with fins; these lines are parallel to the cover lines


def fish(board: Candidates, *, size: int, kind: Kind) -> Step | None:
    """Find *size* base lines whose places of a digit, except fins, all lie in *size* cover lines."""
    for digit in DIGITS:
        found = _find(board.planes[digit], size, kind)
        if found is not None:
            return new_step(
                cells_of(found.places),
                (digit,),
                found.units,
                covers=found.covers,
                colours=(cells_of(found.places & ~found.fins), cells_of(found.fins)) if found.fins else (),
                eliminations=candidates_at(found.gone, digit),
                words=Sentence(
                    "step.finned_fish" if found.fins else "step.fish", {"fins": cells_of(found.fins)}
                ),
            )
    return None


class _Fish(NamedTuple):
    """A fish: the numbers of its base lines (*units*) and cover lines (*covers*), and three sets of cells.

    *places*: all places in the base lines. *fins*: the fins. *gone*: the places that are ruled out.
    """

    units: tuple[int, ...]
    covers: tuple[int, ...]
    places: int
    fins: int
    gone: int


@lru_cache(1 << 15)  # cached, because a step changes few digits: most calls repeat an earlier call
def _find(plane: int, size: int, kind: Kind) -> _Fish | None:
    """Find a fish that rules out a digit in some cells. *plane*: the set of all places of the digit."""
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
    """For each row, and for each column, return the places of a digit as nine bits."""
    rows, columns = [0] * 9, [0] * 9
    for cell in cells_of(plane):
        row, column = divmod(cell, 9)
        rows[row] |= 1 << column
        columns[column] |= 1 << row
    return rows, columns


def _covered(lines: Sequence[int], size: int, kind: Kind) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield each fish as a pair: its base lines (0..8), and its cover lines (nine bits).

    *lines*: for each line, the places of the digit in this line (nine bits).
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
    """Return all choices of *count* lines with fins. They are lines of *across* in one band or stack.

    At least one more line of *across* must be in this band or stack. Such a line becomes a cover line, and
    its cells can see the fins.
    """
    chutes = (tuple(bits_of(across & chute)) for chute in _CHUTES)
    choices = (combinations(lines, count) for lines in chutes if len(lines) > count)
    return tuple(fins for chosen in choices for fins in sorted(map(cell_set, chosen)))


def _record(name: str, order: int, difficulty: Difficulty, score: int, size: int, kind: Kind) -> Technique:
    finder = partial(fish, size=size, kind=kind)
    return Technique(name, order, difficulty, score, finder, needs_boxes=kind != "plain")


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
