"""Sue de Coq: cells where a line and a box cross, with as many cells of either as use up all their digits.

Also known as two-sector disjoint subsets. Found by a player of that name (forum of sudoku.com, 2005).
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from sudoku_vision.sudoku.logic.candidates import DIGITS_OF, Candidates, cell_set, cells_of, united
from sudoku_vision.sudoku.logic.steps import Candidate, Step, Technique, shown_on
from sudoku_vision.texts import Sentence

_MOST_BESIDE = 4  # cells of the line, or of the box, beside those where they cross


class _Part(NamedTuple):
    """*cells* of a line or a box, and the *mask* of their candidates."""

    cells: tuple[int, ...]
    mask: int

    def takes(self, middle: "_Part") -> int:
        """Return how many digits of the *middle* these cells use up at least."""
        return len(self.cells) - (self.mask & ~middle.mask).bit_count()


def sue_de_coq(board: Candidates, technique: Technique) -> Step | None:
    """Find cells where a box and a line cross, some of the line and some of the box: as many as their digits.

    Those of the line and those of the box share no digit, so each digit stands in one of all these cells,
    and nowhere else where it would see all its places in them.
    """
    units = board.sight.units
    for box, line, crossing in board.sight.crossings:
        for middle in _parts(board, cells_of(board.blank & crossing), range(2, 4)):
            beside = (units[unit] & ~crossing for unit in (line, box))
            for row, block in _beside(board, middle, *beside):
                gone = _gone(board, middle, row, units[line], block)
                gone |= _gone(board, middle, block, units[box], row)
                if gone:
                    return Step(
                        technique,
                        (*middle.cells, *row.cells, *block.cells),
                        DIGITS_OF[middle.mask | row.mask | block.mask],
                        (line, box),
                        colours=(row.cells, block.cells),
                        eliminations=tuple(sorted(gone)),
                    )
    return None


def _parts(board: Candidates, blank: Sequence[int], sizes: range) -> list[_Part]:
    """List all choices of so many of some *blank* cells."""
    return _choices(tuple([(cell, board.masks[cell]) for cell in blank]), sizes)


@lru_cache(1 << 15)  # most steps leave most cells as they were
def _choices(blank: tuple[tuple[int, int], ...], sizes: range) -> list[_Part]:
    """List the same of cells with their digits."""
    chosen = (some for size in sizes for some in combinations(blank, size))
    return [_Part(tuple([cell for cell, _ in some]), united([mask for _, mask in some])) for some in chosen]


def _beside(board: Candidates, middle: _Part, line: int, box: int) -> Iterator[tuple[_Part, _Part]]:
    """Yield cells of the *line* and of the *box* that together use up the spare digits of the *middle*."""
    spare = middle.mask.bit_count() - len(middle.cells)
    if spare < 2:
        return
    rows, blocks = (
        [
            (part, taken)
            for part in _parts(board, able, range(1, _MOST_BESIDE + 1))
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
    """Return what goes from the rest of the *unit* of *part*: its digits, and the middle's that are left."""
    rest = board.blank & unit & ~cell_set((*middle.cells, *part.cells, *other.cells))
    mask = part.mask | middle.mask & ~other.mask
    return {(cell, digit) for cell in cells_of(rest) for digit in DIGITS_OF[board.masks[cell] & mask]}


def _sentence(step: Step) -> Sentence:
    (line, box), (row, block) = step.units, step.colours
    middle = step.cells[: len(step.cells) - len(row) - len(block)]
    return step.saying("step.sue_de_coq", middle=middle, line=line, box=box, in_line=row, in_box=block)


_EXAMPLES = ("861020509547100602239005401705806324682040705403572806954238167178000203326000908",)
TECHNIQUES = shown_on(_EXAMPLES, Technique("Sue de Coq", 2150, "expert", 250, sue_de_coq, _sentence))
