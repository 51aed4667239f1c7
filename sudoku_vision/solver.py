"""The solver: backtracking over a board whose 729 candidates lie in one whole number.

Words: a *unit* is a row, column or box; a *peer* of a cell shares a unit with it; a *candidate* is a digit
that a cell may still take; a *clue* is a given digit. A candidate is a bit: digit d (0..8) in cell
(row, column) is bit ``81 * d + 9 * row + column``, so a board is nine planes of 81 bits, one for each digit.

All units of all digits are looked at together, by shifting the whole board over itself:

* three cells side by side are a *mini-row*, three on top of each other a *mini-column*; three mini-rows make
  a row, and three (one below the other) a box;
* folding the board by threes says which of them hold *some* candidate and which hold *several*;
* a unit without any candidate is a dead end, a unit with one is a *hidden single*, a cell with one is a
  *naked single*, and a unit whose candidates lie in one mini is a *locked candidate*: the rest of the other
  unit through that mini can't hold the digit.

Cheap conclusions come first, dearer ones only where the cheap ones end. Where nothing follows any more, a
cell is guessed: of those with two candidates the one whose two digits strike most others. The guess is taken
back if it fails. A board that takes long without any solution is probed (:data:`PROBE_AT`), so that a corner
which can't be filled is found before guesses elsewhere run into it again and again.

The idea of folding bands of mini-rows is that of the fastest solvers in C (JCZSolve, tdoku).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from sudoku_vision.board import BoardLike, board_array, cell_name, parse_board
from sudoku_vision.errors import BoardError
from sudoku_vision.results import Board, board_text

SolutionStatus = Literal["one", "many", "none", "clash", "malformed", "gave_up"]

PROBE_AT = 100
"""Guesses without any solution after which the board is probed and begun anew."""

PAIR_WEIGHT = 3
"""How much more a struck candidate counts in a cell with two: striking it decides the cell. Tried: 0 to 5."""


def _bits(*positions: int) -> int:
    return sum(1 << position for position in positions)


def _planes(cells: Iterator[int]) -> int:
    """The given cells (0..80) in the planes of all nine digits."""
    plane = _bits(*cells)
    return sum(plane << 81 * digit for digit in range(9))


_CELLS = (1 << 81) - 1
_WIDE_PLANE = (1 << 4 * 81) - 1
_VALUES = bytes.maketrans(b"0123456789", bytes(range(10)))
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
_STRUCK = tuple(_ALL ^ kept for kept in _KEPT)
_MATES = tuple(_EVERY_DIGIT << cell for cell in range(81))


@dataclass(frozen=True)
class Statistics:
    """How much backtracking a board took.

    ``guesses``: cells at which two ways had to be tried. ``backtracks``: ways that ended dead. ``depth``: the
    most guesses that stood at the same time.
    """

    guesses: int = 0
    backtracks: int = 0
    depth: int = 0


@dataclass(frozen=True, eq=False)
class Solution:
    """What became of a board.

    ``status``: ``one`` solution; ``many`` (``solution`` and ``second`` show two of them); ``none``; ``clash``
    (``clashes`` names the cells, 0..80, whose digits stand twice in a unit); ``malformed`` (no board at all);
    ``gave_up`` (the guesses that the caller allowed ran out; ``solution`` is one if any was found).

    ``solution`` and ``second`` are (9, 9) int8 or None. ``message`` says what is wrong and what to do, empty
    where there is one solution. ``str()`` is the solution as 81 digits, empty if there is none.
    """

    status: SolutionStatus
    solution: Board | None = None
    second: Board | None = None
    clashes: tuple[int, ...] = ()
    message: str = ""
    statistics: Statistics = Statistics()

    def __str__(self) -> str:
        return "" if self.solution is None else board_text(self.solution)


class Found(NamedTuple):
    """Solutions found by :func:`search`, each 81 digits; ``finished`` is False where the guesses ran out."""

    solutions: tuple[tuple[int, ...], ...]
    finished: bool
    statistics: Statistics


MESSAGES: dict[SolutionStatus, str] = {
    "one": "",
    "many": "There are several solutions. Clues are missing: compare the board with its source.",
    "none": "No solution fits the clues. At least one clue is wrong: compare the board with its source.",
    "gave_up": "The guesses allowed did not suffice. Allow more of them.",
}
"""What a solution says of itself where that doesn't depend on the board."""


def solve(board: BoardLike, *, max_guesses: int | None = None) -> Solution:
    """Solve a board and say whether its solution is the only one.

    *board*: 81 characters (blanks ``0 . _ * x X -``), a (9, 9) array or nested list, 0 for blank. What is no
    board is no error here: its status is ``malformed``. With *max_guesses* the search stops after so many
    guesses and says ``gave_up`` if it doesn't know by then; without, it always ends with an answer.

    >>> solve("8" + "." * 80).status
    'many'
    """
    try:
        values = parse_board(board)
    except BoardError as error:
        return Solution("malformed", message=str(error))
    found = search(values, 2, max_guesses)
    if not (found.solutions or found.statistics.backtracks) and (clashes := find_clashes(values)):
        return Solution("clash", clashes=clashes, message=_clash_message(values, clashes))
    status = _status(found)
    boards = [board_array(digits) for digits in found.solutions]
    first, second = [*boards, None, None][:2]
    return Solution(status, first, second, (), MESSAGES[status], found.statistics)


def count_solutions(board: BoardLike, limit: int = 2, *, max_guesses: int | None = None) -> int:
    """Count the solutions of a board, up to *limit*; 0 for a board that clashes.

    If *max_guesses* don't suffice, those found so far are counted; :func:`solve` tells the difference. Raises
    :class:`~sudoku_vision.errors.BoardError` for what is no board.
    """
    return len(search(parse_board(board), limit, max_guesses).solutions)


def is_unique(board: BoardLike) -> bool:
    """Whether a board has exactly one solution.

    Raises :class:`~sudoku_vision.errors.BoardError` for what is no board.
    """
    return count_solutions(board, 2) == 1


def find_clashes(values: Sequence[int]) -> tuple[int, ...]:
    """The cells (0..80), in order, whose digit stands twice in one of their units; *values* are 81 digits."""
    clashing: set[int] = set()
    for unit in UNITS:
        clues = [values[cell] for cell in unit if values[cell]]
        if len(set(clues)) < len(clues):
            clashing.update(cell for cell in unit if values[cell] and clues.count(values[cell]) > 1)
    return tuple(sorted(clashing))


def search(values: Sequence[int], limit: int = 2, max_guesses: int | None = None) -> Found:
    """Find up to *limit* solutions of 81 *values* (0 for blank), making at most *max_guesses* guesses."""
    candidates, placed = _ALL, 0
    for cell, digit in enumerate(values):
        if digit:
            index = 81 * digit - 81 + cell
            candidates &= _KEPT[index]
            placed |= 1 << index
    if candidates & placed != placed:
        return Found((), True, Statistics())
    solutions: list[tuple[int, ...]] = []
    start = candidates, placed
    open_boards = [start]
    guesses = backtracks = depth = 0
    while open_boards and len(solutions) < limit:
        candidates, placed, undecided = _propagate(*open_boards.pop())
        if not candidates:
            backtracks += 1
        elif not undecided:
            solutions.append(_digits(candidates))
        elif guesses == max_guesses:
            return Found(tuple(solutions), False, Statistics(guesses, backtracks, depth))
        else:
            guesses += 1
            if guesses == PROBE_AT and not solutions:
                open_boards = [_probe(*_propagate(*start))]
                continue
            open_boards += _guess(candidates, placed, undecided)
            depth = max(depth, len(open_boards) - 1)
    return Found(tuple(solutions), True, Statistics(guesses, backtracks, depth))


def _status(found: Found) -> SolutionStatus:
    if len(found.solutions) > 1:
        return "many"
    if not found.finished:
        return "gave_up"
    return "one" if found.solutions else "none"


def _clash_message(values: Sequence[int], clashes: tuple[int, ...]) -> str:
    """Name the digits that stand twice and their cells, as people count rows and columns."""
    cells = ", ".join(f"{values[cell]} in {cell_name(cell)}" for cell in clashes)
    return f"The same digit stands twice in a row, column or box: {cells}. Correct these cells."


def _propagate(candidates: int, placed: int) -> tuple[int, int, int]:
    """Draw all conclusions from singles and locked candidates.

    *placed* are the singles whose peers were cleared before. Returns the candidates left (0 at a dead end),
    the singles placed by now, and the cells (81 bits) that still have several candidates.
    """
    while True:
        cells = _naked_singles(candidates)
        if not cells:
            return _DEAD_END
        singles, undecided = cells
        fresh = singles ^ placed  # every placed digit is alone in its cell, or the cell would be empty
        if not fresh:
            if not undecided:
                return candidates, placed, 0
            minis = _lone_minis(candidates)
            if not minis:
                return _DEAD_END
            fresh = candidates & minis[0]
            fresh ^= fresh & placed
            if not fresh:
                gone = candidates & _locked(*minis[1:])
                if not gone:
                    return candidates, placed, undecided
                candidates ^= gone
                continue
        placed |= fresh
        while fresh:
            single = fresh.bit_length() - 1
            fresh ^= 1 << single
            candidates &= _KEPT[single]


_DEAD_END = (0, 0, 0)

# Folds: of every three notes some are set where ``either | third`` is, and several where ``first & second |
# either & third`` is. They are written out below, for a call each would cost a third of the time.


def _naked_singles(candidates: int) -> tuple[int, int] | None:
    """The candidates alone in their cell, and the cells (81 bits) that have several; None at a dead end."""
    second, third = candidates >> 243, candidates >> 486
    either = candidates | second
    trios = (either | third) & _THREE_PLANES
    trios_several = (candidates & second | either & third) & _THREE_PLANES
    second, third = trios >> 81, trios >> 162
    either = trios | second
    if (either | third) & _CELLS != _CELLS:
        return None
    several = trios & second | either & third | trios_several | trios_several >> 81 | trios_several >> 162
    several &= _CELLS
    return candidates & (_CELLS ^ several) * _EVERY_DIGIT, several


def _lone_minis(candidates: int) -> tuple[int, int, int, int, int] | None:
    """Minis that hold all that is left of a digit in their row, box, column, and again box.

    None at a dead end. Before the four comes where these minis hold a single candidate: hidden singles.
    """
    second, third = candidates >> 1, candidates >> 2
    either = candidates | second
    rows = (either | third) & _MINI_ROW
    rows_several = (candidates & second | either & third) & _MINI_ROW
    second, third = rows >> 3, rows >> 6
    either = rows | second
    if (either | third) & _ROW != _ROW:
        return None
    lone_in_row = rows & (_ROW ^ (rows & second | either & third) & _ROW) * _MINIS_ALONG
    second, third = rows >> 9, rows >> 18
    either = rows | second
    if (either | third) & _BOX != _BOX:
        return None
    row_lone_in_box = rows & (_BOX ^ (rows & second | either & third) & _BOX) * _CELLS_DOWN

    second, third = candidates >> 9, candidates >> 18
    either = candidates | second
    columns = (either | third) & _MINI_COLUMN
    columns_several = (candidates & second | either & third) & _MINI_COLUMN
    second, third = columns >> 27, columns >> 54
    either = columns | second
    if (either | third) & _COLUMN != _COLUMN:
        return None
    lone_in_column = columns & (_COLUMN ^ (columns & second | either & third) & _COLUMN) * _MINIS_DOWN
    second, third = columns >> 1, columns >> 2
    either = columns | second
    column_lone_in_box = columns & (_BOX ^ (columns & second | either & third) & _BOX) * _CELLS_ALONG

    rows, columns = lone_in_row | row_lone_in_box, lone_in_column | column_lone_in_box
    rows ^= rows & rows_several
    columns ^= columns & columns_several
    singles = rows * _CELLS_ALONG | columns * _CELLS_DOWN
    return singles, lone_in_row, row_lone_in_box, lone_in_column, column_lone_in_box


def _locked(lone_in_row: int, row_lone_in_box: int, lone_in_column: int, column_lone_in_box: int) -> int:
    """Where a digit can't stand as it is locked into a mini: the rest of the other unit through the mini."""
    rows = _others(lone_in_row, 9, _BOX, _CELLS_DOWN) | _others(row_lone_in_box, 3, _ROW, _MINIS_ALONG)
    columns = _others(lone_in_column, 1, _BOX, _CELLS_ALONG)
    columns |= _others(column_lone_in_box, 27, _COLUMN, _MINIS_DOWN)
    return rows * _CELLS_ALONG | columns * _CELLS_DOWN


def _others(minis: int, step: int, unit: int, repeat: int) -> int:
    """The other minis of the units (noted at *unit*, minis *step* apart) that *minis* lie in."""
    return ((minis | minis >> step | minis >> 2 * step) & unit) * repeat ^ minis


def _probe(candidates: int, placed: int, undecided: int) -> tuple[int, int]:
    """Try every candidate of the undecided cells once, and take away those that lead to a dead end.

    Finds the corner of a board that can't be filled, which guesses elsewhere would run into again and again.
    """
    trials = candidates & undecided * _EVERY_DIGIT
    while trials and candidates:
        trial = trials.bit_length() - 1
        trials ^= 1 << trial
        if not _propagate(candidates & _KEPT[trial], placed | 1 << trial)[0]:
            candidates, placed, undecided = _propagate(candidates ^ 1 << trial, placed)
            trials &= candidates & undecided * _EVERY_DIGIT
    return candidates, placed


def _guess(candidates: int, placed: int, undecided: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The two ways to go on: a candidate of some cell taken away, and, to be tried first, it placed."""
    pairs = _pairs(candidates)
    if not pairs:
        cells = [cell for cell in range(81) if undecided >> cell & 1]
        guess = min((candidates & _MATES[cell] for cell in cells), key=int.bit_count).bit_length() - 1
        return (candidates ^ 1 << guess, placed), (candidates & _KEPT[guess], placed | 1 << guess)
    one, other = _best_pair(candidates, pairs)
    return (candidates & _KEPT[other], placed | 1 << other), (candidates & _KEPT[one], placed | 1 << one)


def _best_pair(candidates: int, pairs: int) -> tuple[int, int]:
    """The two candidates of that cell, among *pairs* (81 bits), which strike most others when placed."""
    paired = candidates & pairs * _EVERY_DIGIT
    best, choice = -1, (0, 0)
    while pairs:
        cell = pairs.bit_length() - 1
        pairs ^= 1 << cell
        mates = paired & _MATES[cell]
        one = mates.bit_length() - 1
        other = (mates ^ 1 << one).bit_length() - 1
        struck = candidates & (_STRUCK[one] | _STRUCK[other])
        weight = struck.bit_count() + PAIR_WEIGHT * (struck & paired).bit_count()
        if weight > best:
            best, choice = weight, (one, other)
    return choice


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


def _digits(candidates: int) -> tuple[int, ...]:
    """The 81 digits of a board that has one candidate in each cell."""
    # With its bits read as hexadecimal, a board has four bits for each cell of a plane: room for the digit.
    planes = int(f"{candidates:b}", 16)
    cells = 0
    for digit in range(1, 10):
        cells += digit * (planes & _WIDE_PLANE)
        planes >>= 4 * 81
    return tuple(f"{cells:081x}"[::-1].encode().translate(_VALUES))
