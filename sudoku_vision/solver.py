"""The solver: backtracking over a board whose 729 candidates lie in one whole number.

Words: a *unit* is a row, column or box; a *peer* of a cell shares a unit with it; a *candidate* is a digit
that a cell may still take; a *clue* is a given digit. A candidate is a bit: digit d (0..8) in cell
(row, column) is bit ``81 * d + 9 * row + column``, so a board is nine planes of 81 bits, one for each digit.

All units of all digits are looked at together, by shifting the whole board over itself:

* three cells side by side are a *mini-row*, three on top of each other a *mini-column*; three mini-rows make
  a row, and three (one below the other) a box;
* folding the board by threes says which of them hold *some* candidate and which hold *several*;
* a unit without any candidate is a dead end, a unit with one is a *hidden single*, a cell with one is a
  *naked single*, and a unit whose candidates lie in one mini-row is a *locked candidate*: the rest of the
  other unit through that mini-row can't hold the digit.

Where nothing follows any more, the cell with the fewest candidates is guessed, and the guess taken back if it
fails. The idea of folding bands of mini-rows is that of the fastest solvers in C (JCZSolve, tdoku).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from sudoku_vision.board import BoardLike, board_array, parse_board
from sudoku_vision.results import Board, board_text

SolutionStatus = Literal["one", "many", "none", "clash", "gave_up"]

MAX_STEPS = 100_000
"""Guesses followed before giving up: a few seconds; the hardest known proper puzzles take some hundred."""

PROBE_AT = 100
"""Guesses without any solution after which the board is probed and begun anew."""


def _bits(*positions: int) -> int:
    return sum(1 << position for position in positions)


def _planes(cells: Iterator[int]) -> int:
    """The given cells (0..80) in the planes of all nine digits."""
    plane = _bits(*cells)
    return sum(plane << 81 * digit for digit in range(9))


_CELLS = (1 << 81) - 1
_THREE_PLANES = (1 << 243) - 1
_ALL = (1 << 729) - 1
_EVERY_DIGIT = _bits(*range(0, 729, 81))

# Where a mini-row, mini-column, row, column or box is noted down: at its first cell.
_MINI_ROW = _planes(cell for cell in range(81) if cell % 3 == 0)
_MINI_COLUMN = _planes(cell for cell in range(81) if cell // 9 % 3 == 0)
_ROW = _planes(cell for cell in range(81) if cell % 9 == 0)
_COLUMN = _planes(cell for cell in range(9))
_BOX = _MINI_ROW & _MINI_COLUMN

# Multiplying a note by one of these repeats it three times: along the row or down the column, cells or minis.
_CELLS_ALONG, _CELLS_DOWN = _bits(0, 1, 2), _bits(0, 9, 18)
_MINIS_ALONG, _MINIS_DOWN = _bits(0, 3, 6), _bits(0, 27, 54)


def _unit_cells() -> tuple[tuple[int, ...], ...]:
    rows = [tuple(range(9 * row, 9 * row + 9)) for row in range(9)]
    columns = [tuple(range(column, 81, 9)) for column in range(9)]
    boxes = [
        tuple(corner + 9 * row + column for row in range(3) for column in range(3))
        for corner in (0, 3, 6, 27, 30, 33, 54, 57, 60)
    ]
    return (*rows, *columns, *boxes)


UNITS = _unit_cells()
"""The 27 units, each nine cells (0..80): rows, columns, boxes."""

PEERS = tuple(
    tuple(sorted({peer for unit in UNITS if cell in unit for peer in unit} - {cell})) for cell in range(81)
)
"""The 20 peers of each cell."""


def _kept_by(digit: int, cell: int) -> int:
    """The candidates that stay possible once *digit* (0..8) stands in *cell*."""
    gone = _bits(*(81 * digit + peer for peer in PEERS[cell]))
    gone |= _bits(*(81 * other + cell for other in range(9) if other != digit))
    return _ALL & ~gone


_KEPT = tuple(_kept_by(digit, cell) for digit in range(9) for cell in range(81))


@dataclass(frozen=True, eq=False)
class Solution:
    """What became of a board.

    ``status``: ``one`` solution; ``many`` (``solution`` and ``second`` show two of them); ``none``; ``clash``
    (``clashes`` names the cells, 0..80, whose digits stand twice in a unit); ``gave_up`` (the allowed steps
    ran out; ``solution`` is one if any was found). ``solution`` and ``second`` are (9, 9) int8 or None.
    ``str()`` is the solution as 81 digits, empty if there is none.
    """

    status: SolutionStatus
    solution: Board | None = None
    second: Board | None = None
    clashes: tuple[int, ...] = ()
    steps: int = 0

    def __str__(self) -> str:
        return "" if self.solution is None else board_text(self.solution)


class Found(NamedTuple):
    """Solutions found by :func:`search`, each 81 digits; ``finished`` is False where the steps ran out."""

    solutions: tuple[tuple[int, ...], ...]
    finished: bool
    steps: int


def solve(board: BoardLike, *, max_steps: int = MAX_STEPS) -> Solution:
    """Solve a board and say whether its solution is the only one.

    *board*: 81 characters (blanks ``0 . _ * x X -``), a (9, 9) array or nested list, 0 for blank. At most
    *max_steps* guesses are followed. Raises :class:`~sudoku_vision.errors.BoardError` if it is no board.

    >>> solve("8" + "." * 80).status
    'many'
    """
    values = parse_board(board)
    clashes = find_clashes(values)
    if clashes:
        return Solution("clash", clashes=clashes)
    found = search(values, 2, max_steps)
    boards = [board_array(digits) for digits in found.solutions]
    first, second = [*boards, None, None][:2]
    return Solution(_status(found), first, second, steps=found.steps)


def count_solutions(board: BoardLike, limit: int = 2, *, max_steps: int = MAX_STEPS) -> int:
    """Count the solutions of a board, up to *limit*; 0 for a board that clashes.

    If *max_steps* guesses don't suffice, those found so far are counted; :func:`solve` tells the difference.
    """
    values = parse_board(board)
    return 0 if find_clashes(values) else len(search(values, limit, max_steps).solutions)


def find_clashes(values: Sequence[int]) -> tuple[int, ...]:
    """The cells (0..80), in order, whose digit stands twice in one of their units; *values* are 81 digits."""
    clashing: set[int] = set()
    for unit in UNITS:
        clues = [values[cell] for cell in unit if values[cell]]
        if len(set(clues)) < len(clues):
            clashing.update(cell for cell in unit if values[cell] and clues.count(values[cell]) > 1)
    return tuple(sorted(clashing))


def search(values: Sequence[int], limit: int = 2, max_steps: int = MAX_STEPS) -> Found:
    """Find up to *limit* solutions of 81 *values* (0 for blank), following at most *max_steps* guesses."""
    candidates = _ALL
    for cell, digit in enumerate(values):
        if digit:
            index = 81 * digit - 81 + cell
            if not candidates >> index & 1:
                return Found((), True, 0)
            candidates &= _KEPT[index]
    start = candidates
    solutions: list[tuple[int, ...]] = []
    open_boards = [(start, 0)]
    steps = 0
    while open_boards and len(solutions) < limit:
        if steps == max_steps:
            return Found(tuple(solutions), False, steps)
        steps += 1
        if steps == PROBE_AT and not solutions:
            open_boards = [_probe(*_propagate(start, 0))]
        candidates, placed, undecided = _propagate(*open_boards.pop())
        if undecided:
            guess, cell_mates = _guess(candidates, undecided)
            open_boards.append((candidates ^ guess, placed))
            open_boards.append((candidates & ~cell_mates | guess, placed))
        elif candidates:
            solutions.append(_digits(candidates))
    return Found(tuple(solutions), True, steps)


def _status(found: Found) -> SolutionStatus:
    if len(found.solutions) > 1:
        return "many"
    if not found.finished:
        return "gave_up"
    return "one" if found.solutions else "none"


def _fold(notes: int, step: int, keep: int) -> tuple[int, int]:
    """Of every three bits, *step* apart from those in *keep*: whether some are set, and whether several."""
    second, third = notes >> step, notes >> 2 * step
    either = notes | second
    return (either | third) & keep, (notes & second | either & third) & keep


def _propagate(candidates: int, placed: int) -> tuple[int, int, int]:
    """Draw all conclusions from singles and locked candidates.

    *placed* are the singles whose peers were cleared before. Returns the candidates left (0 at a dead end),
    the singles placed by now, and the cells (81 bits) that still have several candidates.
    """
    while True:
        # Cells: which hold some candidate, which several.
        trios, trios_several = _fold(candidates, 243, _THREE_PLANES)
        some, several = _fold(trios, 81, _CELLS)
        if some != _CELLS:
            return 0, placed, 0
        several |= (trios_several | trios_several >> 81 | trios_several >> 162) & _CELLS
        singles = candidates & (_CELLS ^ several) * _EVERY_DIGIT

        # Rows, columns and boxes, by way of mini-rows and mini-columns.
        mini_rows, mini_rows_several = _fold(candidates, 1, _MINI_ROW)
        rows, rows_several = _fold(mini_rows, 3, _ROW)
        boxes, boxes_high = _fold(mini_rows, 9, _BOX)
        mini_columns, mini_columns_several = _fold(candidates, 9, _MINI_COLUMN)
        columns, columns_several = _fold(mini_columns, 27, _COLUMN)
        if rows != _ROW or columns != _COLUMN or boxes != _BOX:
            return 0, placed, 0
        boxes_wide = _fold(mini_columns, 1, _BOX)[1]

        # Minis that hold all that is left of their row or column, or of their box.
        lone_in_row = mini_rows & (rows ^ rows_several) * _MINIS_ALONG
        row_lone_in_box = mini_rows & (boxes ^ boxes_high) * _CELLS_DOWN
        lone_in_column = mini_columns & (columns ^ columns_several) * _MINIS_DOWN
        column_lone_in_box = mini_columns & (boxes ^ boxes_wide) * _CELLS_ALONG

        singles |= candidates & ((lone_in_row | row_lone_in_box) & ~mini_rows_several) * _CELLS_ALONG
        singles |= candidates & ((lone_in_column | column_lone_in_box) & ~mini_columns_several) * _CELLS_DOWN

        locked = _others(lone_in_row, 9, _BOX, _CELLS_DOWN) | _others(row_lone_in_box, 3, _ROW, _MINIS_ALONG)
        gone = locked * _CELLS_ALONG
        locked = _others(lone_in_column, 1, _BOX, _CELLS_ALONG)
        locked |= _others(column_lone_in_box, 27, _COLUMN, _MINIS_DOWN)
        gone |= locked * _CELLS_DOWN

        left = candidates & ~gone
        fresh = singles & ~placed
        placed |= fresh
        while fresh:
            single = fresh & -fresh
            left &= _KEPT[single.bit_length() - 1]
            fresh ^= single
        if left == candidates:
            return candidates, placed, several
        candidates = left


def _others(minis: int, step: int, unit: int, repeat: int) -> int:
    """The other minis of the units (noted at *unit*, minis *step* apart) that *minis* lie in."""
    return ((minis | minis >> step | minis >> 2 * step) & unit) * repeat & ~minis


def _probe(candidates: int, placed: int, undecided: int) -> tuple[int, int]:
    """Try every candidate of the undecided cells once, and take away those that lead to a dead end.

    Finds the corner of a board that can't be filled, which guesses elsewhere would run into again and again.
    """
    trials = candidates & undecided * _EVERY_DIGIT
    while trials and candidates:
        trial = trials & -trials
        trials ^= trial
        if not _propagate(candidates & _KEPT[trial.bit_length() - 1], placed)[0]:
            candidates, placed, undecided = _propagate(candidates ^ trial, placed)
            trials &= candidates & undecided * _EVERY_DIGIT
    return candidates, placed


def _guess(candidates: int, undecided: int) -> tuple[int, int]:
    """Pick a candidate of a cell with the fewest; returns its bit and all candidates of that cell."""
    cells = _pairs(candidates) or _fewest(candidates, undecided)
    cell_mates = candidates & (cells & -cells) * _EVERY_DIGIT
    return cell_mates & -cell_mates, cell_mates


def _pairs(candidates: int) -> int:
    """The cells (81 bits) that have exactly two candidates."""
    one = two = more = 0
    for _ in range(9):
        plane = candidates & _CELLS
        more |= two & plane
        two |= one & plane
        one |= plane
        candidates >>= 81
    return two & ~more


def _fewest(candidates: int, undecided: int) -> int:
    """The undecided cell (one bit of 81) with the fewest candidates."""
    cells = [1 << cell for cell in range(81) if undecided >> cell & 1]
    return min(cells, key=lambda cell: (candidates & cell * _EVERY_DIGIT).bit_count())


def _digits(candidates: int) -> tuple[int, ...]:
    """The 81 digits of a board that has one candidate in each cell."""
    digits = [0] * 81
    while candidates:
        digit, cell = divmod(candidates.bit_length() - 1, 81)
        digits[cell] = digit + 1
        candidates ^= 1 << 81 * digit + cell
    return tuple(digits)
