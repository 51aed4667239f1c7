"""Intersections: what follows where a box or region and a line cross.

* *Locked candidates*: if all places of a digit in a box lie in one line, the digit is ruled out in the rest
  of this line. The same holds if box and line change their roles.
* *Law of leftovers*, for jigsaws: n neighbouring rows or columns hold each digit n times, and so do n
  regions. So two sets of cells hold the same digits: the cells in these lines but outside of the regions, and
  the cells in the regions but outside of the lines. If a digit has no place in one of the two sets, the digit
  is ruled out in the other set.
* *Sue de Coq* (forum of sudoku.com, 2005), also called two-sector disjoint subsets: a group of n cells that
  together have n candidate digits. Some of the cells lie where a box and a line cross, some in the rest of
  the line, and some in the rest of the box. Each of the n digits is in exactly one of the cells.
"""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache, partial
from itertools import combinations
from typing import NamedTuple

from sudoku_vision.sudoku.logic.bits import DIGITS, DIGITS_OF, candidates_at, cell_set, cells_of, united
from sudoku_vision.sudoku.logic.candidates import Candidates, Sight
from sudoku_vision.sudoku.logic.steps import Candidate, Step, Technique, new_step
from sudoku_vision.texts import Sentence

_MAX_LEFTOVERS = 5  # maximum number of cells on one side of a law of leftovers
_LINES = range(2, 8)
"""Possible numbers of lines in a law of leftovers. A law of one line is the same as locked candidates."""
_MAX_BESIDE = 4
"""Maximum number of cells of a Sue de Coq in the rest of its line. The same limit holds for the rest of its
box."""


_LOCKED = Sentence("step.locked")


def locked(board: Candidates, *, in_region: bool) -> Step | None:
    """Find a digit whose places in one unit all lie in a second unit; rule it out in the rest of the second.

    *in_region*: if True, the first unit is a box or region and the second is a line; if False, the first is a
    line.
    """
    units = board.sight.units
    for holder, swept in board.sight.region_to_line if in_region else board.sight.line_to_region:
        holding, sweeping = units[holder], units[swept]
        for digit in DIGITS:
            places = board.planes[digit] & holding
            if places and not places & ~sweeping:
                gone = board.planes[digit] & sweeping & ~holding
                if gone:
                    return new_step(
                        cells_of(places),
                        (digit,),
                        units=(holder,),
                        covers=(swept,),
                        eliminations=candidates_at(gone, digit),
                        words=_LOCKED,
                    )
    return None


class _Law(NamedTuple):
    """A law of leftovers: two sets of cells hold the same digits.

    *outside*: the cells of *lines* that aren't in *regions*. *inside*: the cells of *regions* that aren't in
    *lines*.
    """

    outside: int
    inside: int
    lines: tuple[int, ...]
    regions: tuple[int, ...]


@cache
def laws(sight: Sight) -> tuple[_Law, ...]:
    """Return all laws of leftovers of a jigsaw, laws with few cells first. For other games, return ()."""
    found: dict[frozenset[int], _Law] = {}
    for count in _LINES if sight.rules.is_jigsaw else ():
        for start in (*range(10 - count), *range(9, 19 - count)):
            lines = tuple(range(start, start + count))
            own = united(sight.units[line] for line in lines)
            for regions in combinations(sight.regions, count):
                theirs = united(sight.units[region] for region in regions)
                if 0 < (own & ~theirs).bit_count() <= _MAX_LEFTOVERS:
                    law = _Law(own & ~theirs, theirs & ~own, lines, regions)
                    found.setdefault(frozenset(law[:2]), law)
    return tuple(sorted(found.values(), key=lambda law: (law.outside.bit_count(), len(law.lines))))


def law_of_leftovers(board: Candidates) -> Step | None:
    """Find digits that have places on only one side of a law of leftovers, and rule them out there."""
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
            return new_step(
                (*sides[0], *sides[1]),
                tuple(digits),
                lines,
                covers=regions,
                colours=sides,
                eliminations=tuple(sorted(gone)),
                words=Sentence("step.leftovers", {"one": sides[0], "other": sides[1]}),
            )
    return None


class _Part(NamedTuple):
    """Some *cells* of a line or a box, and the *mask* of all candidates of these cells."""

    cells: tuple[int, ...]
    mask: int

    def takes(self, middle: "_Part") -> int:
        """Return how many cells of this part, at least, hold a candidate of *middle*, another part."""
        return len(self.cells) - (self.mask & ~middle.mask).bit_count()


def sue_de_coq(board: Candidates) -> Step | None:
    """Find a Sue de Coq: n cells of a line and a crossing box that together have n candidate digits.

    The cells outside of the box and the cells outside of the line have no common candidate. So all places of
    a digit in the Sue de Coq lie in one unit, and at most one of the cells holds the digit. There are as many
    digits as cells, so exactly one of the cells holds the digit. The digit is ruled out in every cell that
    sees all these places.
    """
    units = board.sight.units
    for box, line, crossing in board.sight.crossings:
        for middle in _parts(board, cells_of(board.blank & crossing), range(2, 4)):
            beside = (units[unit] & ~crossing for unit in (line, box))
            for row, block in _beside(board, middle, *beside):
                gone = _gone(board, middle, row, units[line], block)
                gone |= _gone(board, middle, block, units[box], row)
                if gone:
                    names = {"middle": middle.cells, "in_line": row.cells, "in_box": block.cells}
                    return new_step(
                        (*middle.cells, *row.cells, *block.cells),
                        DIGITS_OF[middle.mask | row.mask | block.mask],
                        (line, box),
                        colours=(row.cells, block.cells),
                        eliminations=tuple(sorted(gone)),
                        words=Sentence("step.sue_de_coq", names | {"line": line, "box": box}),
                    )
    return None


def _parts(board: Candidates, blank: Sequence[int], sizes: range) -> list[_Part]:
    return _choices(tuple([(cell, board.masks[cell]) for cell in blank]), sizes)


@lru_cache(1 << 15)  # cached, because a step changes few cells: most calls repeat an earlier call
def _choices(blank: tuple[tuple[int, int], ...], sizes: range) -> list[_Part]:
    """Return all groups of cells whose size is in *sizes*. *blank*: pairs of a cell and its candidates."""
    chosen = (some for size in sizes for some in combinations(blank, size))
    return [_Part(tuple([cell for cell, _ in some]), united([mask for _, mask in some])) for some in chosen]


def _beside(board: Candidates, middle: _Part, line: int, box: int) -> Iterator[tuple[_Part, _Part]]:
    """Yield pairs (part of the line, part of the box) that make a Sue de Coq with the part *middle*.

    *line*, *box*: the cells of the line and of the box outside of their crossing, as 81 bits.
    """
    spare = middle.mask.bit_count() - len(middle.cells)
    if spare < 2:
        return
    rows, blocks = (
        [
            (part, taken)
            for part in _parts(board, able, range(1, _MAX_BESIDE + 1))
            if (taken := part.takes(middle)) > 0
        ]
        for able in (
            [cell for cell in cells_of(board.blank & place) if board.masks[cell] & middle.mask]
            for place in (line, box)
        )
    )
    for row, of_row in rows:
        for block, of_block in blocks:
            if of_row + of_block == spare and not row.mask & block.mask:
                yield row, block


def _gone(board: Candidates, middle: _Part, part: _Part, unit: int, other: _Part) -> set[Candidate]:
    """Return the candidates that a Sue de Coq rules out in *unit*, the cells (81 bits) of its line or box.

    *middle*: the cells of the Sue de Coq where line and box cross. *part*: its further cells in *unit*.
    *other*: its cells outside of *unit*.
    """
    rest = board.blank & unit & ~cell_set((*middle.cells, *part.cells, *other.cells))
    mask = part.mask | middle.mask & ~other.mask
    return {(cell, digit) for cell in cells_of(rest) for digit in DIGITS_OF[board.masks[cell] & mask]}


TECHNIQUES = (
    Technique("pointing candidates", 400, "medium", 50, partial(locked, in_region=True)),
    Technique("claiming candidates", 500, "medium", 50, partial(locked, in_region=False)),
    Technique("law of leftovers", 550, "medium", 60, law_of_leftovers),
    Technique("Sue de Coq", 2150, "expert", 250, sue_de_coq),
)
POINTING, CLAIMING = TECHNIQUES[:2]
