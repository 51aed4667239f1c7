"""The law of leftovers: some lines and as many regions of a jigsaw hold the same digits, each as often.

So do the cells of these lines outside the regions, and those of the regions outside the lines: what the ones
can't hold, the others can't either. Known to players of jigsaws since 2006 or so.
"""

from functools import cache
from itertools import combinations
from typing import NamedTuple

from sudoku_vision.sudoku.logic.candidates import DIGITS, Candidates, Sight, candidates_at, cells_of, united
from sudoku_vision.sudoku.logic.steps import Step, Technique, shown_on
from sudoku_vision.texts import Sentence

_MOST_CELLS = 5
"""Cells left over on either side up to which they are looked at; of the boxes six or more are left over."""
_LINES = range(2, 8)
"""Lines side by side; of one line and one region the law says no more than locked candidates."""


class _Law(NamedTuple):
    """The cells of *lines* outside the *regions*, and those of these outside the lines, as sets."""

    outside: int
    inside: int
    lines: tuple[int, ...]
    regions: tuple[int, ...]


@cache
def laws(sight: Sight) -> tuple[_Law, ...]:
    """Return all of them, those of the fewest cells and lines first, each pair of sets once."""
    found: dict[frozenset[int], _Law] = {}
    for count in _LINES if sight.rules.is_jigsaw else ():
        for start in (*range(10 - count), *range(9, 19 - count)):
            lines = tuple(range(start, start + count))
            own = united(sight.units[line] for line in lines)
            for regions in combinations(sight.regions, count):
                theirs = united(sight.units[region] for region in regions)
                if 0 < (own & ~theirs).bit_count() <= _MOST_CELLS:
                    law = _Law(own & ~theirs, theirs & ~own, lines, regions)
                    found.setdefault(frozenset(law[:2]), law)
    return tuple(sorted(found.values(), key=lambda law: (law.outside.bit_count(), len(law.lines))))


def law_of_leftovers(board: Candidates, technique: Technique) -> Step | None:
    """Find digits that one side of a law has no place for, and the other has."""
    found, planes = laws(board.sight), board.planes
    if not found:
        return None
    held = [plane | standing for plane, standing in zip(planes, board.standing, strict=True)]
    for outside, inside, lines, regions in found:
        digits = [digit for digit in DIGITS if (not held[digit] & outside) != (not held[digit] & inside)]
        if digits:
            sides = cells_of(outside), cells_of(inside)
            gone = [
                one for digit in digits for one in candidates_at(planes[digit] & (outside | inside), digit)
            ]
            return Step(
                technique,
                (*sides[0], *sides[1]),
                tuple(digits),
                lines,
                regions,
                colours=sides,
                eliminations=tuple(sorted(gone)),
            )
    return None


def _sentence(step: Step) -> Sentence:
    return step.saying("step.leftovers", one=step.colours[0], other=step.colours[1])


_EXAMPLES = (
    '{"puzzle": "580742036920637405700360520452073600006598247605824700007016850870050360063085070", '
    '"rules": {"regions": "112333333122444433122224443121526644111566777888566679888567779858567799855599999"'
    "}}",
)
TECHNIQUES = shown_on(
    _EXAMPLES, Technique("law of leftovers", 550, "medium", 60, law_of_leftovers, _sentence)
)
