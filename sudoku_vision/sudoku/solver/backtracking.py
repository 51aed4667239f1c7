"""Backtracking: if no digit is certain, guess one, and take the guess back if it fails.

If cells with two candidates are left, the guess is made in one of these cells. It is the cell whose digits
would remove the most candidates from other cells.

A board is one integer. Its 729 candidates are the bits of the integer. The candidate of digit d (0..8) in the
cell (row, column) is bit ``81 * d + 9 * row + column``. So a board is nine planes of 81 bits, one plane for
each digit.

Between two guesses, singles are placed and candidates removed until nothing more is certain. All rows,
columns and boxes are examined at once for all digits: the integer is combined with shifted copies of itself.

* three cells of a row in one box are a *mini-row*, and three cells of a column in one box a *mini-column*.
  Both are called *minis*.
* bits are combined in threes (*folded*). This finds the minis that hold *some* candidate of a digit, and the
  minis that hold *several*. The idea comes from the fastest solvers in C (JCZSolve, tdoku).
* each mini lies in two units: a box, and a row or column. If all candidates of a digit in one of these units
  lie in the mini, they are *locked candidates*: the digit is ruled out in the rest of the other unit.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from sudoku_vision.sudoku.rules import PEERS

MAX_GUESSES = 10_000
"""By default, a search gives up after this many guesses for each wanted solution. So many guesses take about
a second. All known classic puzzles with one solution need less than a twentieth of this limit."""
PROBE_AT = 100  # after this many guesses without a solution, every candidate of the board is tried once
PAIR_WEIGHT = 3  # extra weight of a removed candidate in a cell with two candidates: the cell is then decided

State: TypeAlias = tuple[int, int]  # candidates as bits: all that are left, and those that are placed


@dataclass(frozen=True)
class Statistics:
    """The work that the search for the solutions of a board took.

    ``backtracks``: the number of guesses that led to a dead end. ``depth``: the largest number of guesses
    that were open (not yet taken back) at the same time. ``work``: the whole effort, as the number of
    guesses in the classic game that take the same time. So the efforts under different rules can be compared.
    """

    guesses: int = 0
    backtracks: int = 0
    depth: int = 0
    work: int = 0


class Found(NamedTuple):
    """The *solutions* that a search found, each with 81 digits; *finished*: False if it gave up."""

    solutions: tuple[tuple[int, ...], ...]
    finished: bool
    statistics: Statistics


Search: TypeAlias = Callable[..., Found]
"""A function with the arguments and the result of :func:`search`, for boards under one set of rules."""


def _bits(*positions: int) -> int:
    return sum(1 << position for position in positions)


_ALL = (1 << 729) - 1  # the candidates of a blank board
_CELLS = (1 << 81) - 1  # all cells, as the plane of one digit
_EVERY_DIGIT = _bits(*range(0, 729, 81))
"""The product of a set of cells (81 bits) and this number is the set of all candidates of these cells."""

_THREE_PLANES = (1 << 243) - 1
_WIDE_PLANE = (1 << 4 * 81) - 1
_VALUES = bytes.maketrans(b"0123456789", bytes(range(10)))

# What is found for a mini-row, mini-column, row, column or box is stored in the bit of its first cell. These
# masks have the bits of all such first cells.
_MINI_ROW = _EVERY_DIGIT * _bits(*range(0, 81, 3))
_MINI_COLUMN = _EVERY_DIGIT * _bits(*(cell for cell in range(81) if cell // 9 % 3 == 0))
_ROW = _EVERY_DIGIT * _bits(*range(0, 81, 9))
_COLUMN = _EVERY_DIGIT * _bits(*range(9))
_BOX = _MINI_ROW & _MINI_COLUMN

# Factors for sets of cells, or of minis (a mini is stored in the bit of its first cell). The product also has
# a copy of each bit at the next two cells or minis along a row or down a column.
_CELLS_ALONG, _CELLS_DOWN = _bits(0, 1, 2), _bits(0, 9, 18)
_MINIS_ALONG, _MINIS_DOWN = _bits(0, 3, 6), _bits(0, 27, 54)

_MATES = tuple(_EVERY_DIGIT << cell for cell in range(81))  # for each cell, its own nine candidates as bits
_SEEN = tuple(_bits(*peers) for peers in PEERS)  # for each cell, its peers as 81 bits
_STRUCK = tuple(
    _SEEN[cell] << 81 * digit | _MATES[cell] ^ 1 << 81 * digit + cell
    for digit in range(9)
    for cell in range(81)
)
"""For each candidate, the candidates that are removed when it is placed."""
_KEPT = tuple(_ALL ^ struck for struck in _STRUCK)
"""For each candidate, the candidates that are kept when it is placed."""


def propagate(left: int, placed: int) -> tuple[int, int]:
    """Place all singles, and remove the candidates that singles and locked candidates exclude.

    *left*: all candidates that are left. *placed*: the candidates whose digits stand in their cells already;
    the digits have been removed from the peers of the cells. Returns both sets after all deductions. Both are
    0 if there is a contradiction. They are equal if the board is solved.
    """
    while True:
        singles = _naked_singles(left)
        if singles is None:
            return 0, 0
        fresh = singles ^ placed  # no cell is without candidates, so every placed digit is a naked single
        if not fresh:
            if left == placed:
                return left, placed
            minis = _lone_minis(left)
            if not minis:
                return 0, 0
            fresh = left & minis[-1]
            fresh ^= fresh & placed
            if not fresh:
                gone = left & _locked(*minis[:-1])
                if not gone:
                    return left, placed
                left ^= gone
                continue
        placed |= fresh
        while fresh:
            single = fresh.bit_length() - 1
            fresh ^= 1 << single
            left &= _KEPT[single]


# A *fold* of three bits (``first``, ``second`` and ``third``) finds two facts. Let ``either`` be ``first |
# second``. At least one bit is set if ``either | third`` is 1. At least two are set if ``first & second |
# either & third`` is 1. Folds are written out below, because calling a function for each one would take a
# third more time.


def _naked_singles(candidates: int) -> int | None:
    """Return the candidates that are alone in their cells; None if a cell has no candidate at all."""
    second, third = candidates >> 243, candidates >> 486
    either = candidates | second
    trios = (either | third) & _THREE_PLANES
    trios_several = (candidates & second | either & third) & _THREE_PLANES
    second, third = trios >> 81, trios >> 162
    either = trios | second
    if (either | third) & _CELLS != _CELLS:
        return None
    several = trios & second | either & third | trios_several | trios_several >> 81 | trios_several >> 162
    return candidates & (_CELLS ^ several & _CELLS) * _EVERY_DIGIT


def _lone_minis(candidates: int) -> tuple[int, int, int, int, int] | None:
    """Find minis that hold all candidates of a digit in a unit; None if a unit has no candidate of a digit.

    Returns five sets as bits. The first has the mini-rows that hold all candidates of a digit in their row,
    the second those that hold all candidates of a digit in their box. The third and fourth have the
    mini-columns that do this for their column and for their box. The fifth has the cells of those minis that
    hold only one candidate of the digit: a hidden single.
    """
    rows = _lone_along(candidates, 1, _MINI_ROW, 3, _ROW, _MINIS_ALONG, 9, _CELLS_DOWN)
    if not rows:
        return None
    columns = _lone_along(candidates, 9, _MINI_COLUMN, 27, _COLUMN, _MINIS_DOWN, 1, _CELLS_ALONG)
    if not columns:
        return None
    return *rows[:2], *columns[:2], rows[2] * _CELLS_ALONG | columns[2] * _CELLS_DOWN


def _lone_along(
    candidates: int, step: int, mini: int, along: int, line: int, in_line: int, across: int, in_box: int
) -> tuple[int, int, int] | None:
    """Return three sets of mini-rows, or of mini-columns; None if a line or box has no candidate of a digit.

    The first set has the minis that hold all candidates of a digit in their line, the second those that hold
    all candidates of a digit in their box. The third has those of both that hold only one candidate.

    The cells of a mini are *step* bits apart, the minis of a line *along* bits, and the minis of a box
    *across* bits. *mini* and *line* are the first cells of all minis and lines. *in_line* and *in_box* are
    the factors that copy the bit of a line or box to its three minis.
    """
    second, third = candidates >> step, candidates >> 2 * step
    either = candidates | second
    some = (either | third) & mini
    several = (candidates & second | either & third) & mini
    second, third = some >> along, some >> 2 * along
    either = some | second
    if (either | third) & line != line:
        return None
    lone_in_line = some & (line ^ (some & second | either & third) & line) * in_line
    second, third = some >> across, some >> 2 * across
    either = some | second
    if (either | third) & _BOX != _BOX:
        return None
    lone_in_box = some & (_BOX ^ (some & second | either & third) & _BOX) * in_box
    lone = lone_in_line | lone_in_box
    return lone_in_line, lone_in_box, lone ^ (lone & several)


def _locked(lone_in_row: int, row_lone_in_box: int, lone_in_column: int, column_lone_in_box: int) -> int:
    """Return the candidates that locked candidates exclude; the arguments come from :func:`_lone_minis`."""
    rows = _others(lone_in_row, 9, _BOX, _CELLS_DOWN) | _others(row_lone_in_box, 3, _ROW, _MINIS_ALONG)
    columns = _others(lone_in_column, 1, _BOX, _CELLS_ALONG)
    columns |= _others(column_lone_in_box, 27, _COLUMN, _MINIS_DOWN)
    return rows * _CELLS_ALONG | columns * _CELLS_DOWN


def _others(minis: int, step: int, unit: int, repeat: int) -> int:
    """Return for each mini in *minis* the other two minis of its unit.

    The minis of a unit are *step* bits apart. *unit*: the first minis of all units. *repeat*: the factor that
    copies the bit of a unit's first mini to all three minis.
    """
    return ((minis | minis >> step | minis >> 2 * step) & unit) * repeat ^ minis


def digits_of(left: int) -> tuple[int, ...]:
    """Return the 81 digits of a board that has one candidate in each cell."""
    # The bits of *left* are read as hexadecimal digits, so that each cell gets four bits: room for its digit.
    planes = int(f"{left:b}", 16)
    cells = 0
    for digit in range(1, 10):
        cells += digit * (planes & _WIDE_PLANE)
        planes >>= 4 * 81
    return tuple(f"{cells:081x}"[::-1].encode().translate(_VALUES))


def search(values: Sequence[int], limit: int = 2, max_guesses: int | None = None) -> Found:
    """Find up to *limit* solutions of 81 *values*, 0 for blank; give up after *max_guesses* guesses.

    By default, :data:`MAX_GUESSES` guesses are allowed for each wanted solution. A board that takes many
    guesses without a solution is *probed*: every candidate is tried once, and the candidates that lead to a
    dead end are removed. Then the search begins again. Without probing, guesses in one part of the board
    might lead again and again to the same dead end in another part.
    """
    left, placed = _ALL, 0
    for cell, digit in enumerate(values):
        if digit:
            candidate = 81 * digit - 81 + cell
            left &= _KEPT[candidate]
            placed |= 1 << candidate
    if left & placed != placed:
        return Found((), True, Statistics())
    start = left, placed
    solutions: list[tuple[int, ...]] = []
    open_boards = [start]
    most = MAX_GUESSES * limit if max_guesses is None else max_guesses
    guesses = backtracks = depth = 0
    finished = True
    while finished and open_boards and len(solutions) < limit:
        left, placed = propagate(*open_boards.pop())
        if not left:
            backtracks += 1
        elif left == placed:
            solutions.append(digits_of(left))
        elif guesses >= most:
            finished = False
        else:
            guesses += 1
            if guesses == PROBE_AT and not solutions:
                open_boards = [_probe(*start)]
                continue
            open_boards += _ways(left, placed)
            depth = max(depth, len(open_boards) - 1)
    return Found(tuple(solutions), finished, Statistics(guesses, backtracks, depth, guesses))


def _probe(left: int, placed: int) -> State:
    """Try each candidate without further guesses. Return the board without the candidates that fail."""
    left, placed = propagate(left, placed)
    trials = left ^ placed
    while trials and left:
        trial = trials.bit_length() - 1
        trials ^= 1 << trial
        if not propagate(left & _KEPT[trial], placed | 1 << trial)[0]:
            left, placed = propagate(left ^ 1 << trial, placed)
            trials &= left & ~placed
    return left, placed


def _ways(left: int, placed: int) -> Sequence[State]:
    """Choose the next cell to guess in, and return the two boards that are possible after the guess.

    If there are cells with two candidates, :func:`_best_pair` chooses one of these cells, and each board
    keeps one of its candidates. Otherwise the cell with the fewest candidates is chosen. One of its
    candidates is removed in the first board, and placed in the second board. The second board is examined
    first.
    """
    pairs = _pairs(left)
    if not pairs:
        undecided = left ^ placed
        cells = (undecided & mates for mates in _MATES)
        guess = min(filter(None, cells), key=int.bit_count).bit_length() - 1
        return (left ^ 1 << guess, placed), (left & _KEPT[guess], placed | 1 << guess)
    one, other = _best_pair(left, pairs)
    return (left & _KEPT[other], placed | 1 << other), (left & _KEPT[one], placed | 1 << one)


def _best_pair(left: int, pairs: int) -> tuple[int, int]:
    """Return the candidates of the best cell in *pairs* (81 bits): its digits remove the most candidates."""
    paired = left & pairs * _EVERY_DIGIT
    best, choice = -1, (0, 0)
    while pairs:
        cell = pairs.bit_length() - 1
        pairs ^= 1 << cell
        mates = paired & _MATES[cell]
        one = mates.bit_length() - 1
        other = (mates ^ 1 << one).bit_length() - 1
        struck = left & (_STRUCK[one] | _STRUCK[other])
        weight = struck.bit_count() + PAIR_WEIGHT * (struck & paired).bit_count()
        if weight > best:
            best, choice = weight, (one, other)
    return choice


def _pairs(left: int) -> int:
    """Return the set of cells (81 bits) that have exactly two candidates."""
    one = two = more = 0
    for _ in range(9):
        plane = left & _CELLS
        more |= two & plane
        two |= one & plane
        one |= plane
        left >>= 81
    return two & ~more
