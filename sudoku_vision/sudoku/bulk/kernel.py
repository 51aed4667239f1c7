"""The compiled kernel of bulk solving: 32 boards side by side, one in each lane of the vector registers.

All deductions are integer arithmetic without branches, the same for every board. So the compiler (numba,
extra ``bulk``) can use vector instructions. When a board is done, its lane takes the next board.

A *band* is three rows of the board that hold three whole boxes. A *word* has the candidates of one digit in
one band: 27 bits, one for each cell. A board is 27 words. The three cells of a row in a box are a *mini-row*;
the three cells of a column in a box are a *mini-column*.

A word holds nine mini-rows of one digit. This digit stands once in each row and once in each box of the band.
So its three places are in three mini-rows that share no row and no box. Three such mini-rows are a
*permutation*. A mini-row can hold the digit only if it is in a permutation whose three mini-rows all have the
digit as a candidate. This one condition finds both kinds of locked candidates, and the hidden singles of rows
and boxes. The same holds for the nine mini-columns of three boxes one below another. If no deduction is left,
the kernel guesses in a cell with two candidates. It takes the cell whose candidates would remove the most
other candidates.

Words of 27 bits and guesses in cells with two candidates come from JCZSolve by zhouyundong and champagne;
locked candidates as permutations come from tdoku by Tom Dillon.
"""

import functools
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np
from numba import njit
from numba import uint32 as u32
from numba.core import event
from numpy.typing import NDArray

from sudoku_vision.sudoku.bulk.lists import Values
from sudoku_vision.sudoku.rules import PEERS

NONE, ONE, MANY, GAVE_UP = range(4)
"""Codes of results: no solution, one, several, or given up, because more guesses were needed than allowed."""

LANES = 32  # number of boards solved side by side; their 32-bit words fill two registers of AVX-512
_PAIR_WEIGHT = 3  # extra weight of a removed candidate if its cell then has only one candidate left
_MAX_DEPTH = 81  # maximum number of guesses that are not yet taken back: each guess fills one of 81 cells

_BAND = (1 << 27) - 1
_MINI_ROWS = 0o111_111_111
_FIRST_BOXES, _FIRST_TWO_BOXES = 0o001_001_001, 0o011_011_011
_LAST_BOXES, _LAST_TWO_BOXES = 0o100_100_100, 0o110_110_110
_COLUMNS = 0o777

# Each row of the array *state* has a word for every lane. The constants are indices of rows. Rows 0 to 26 are
# the words of the board: nine digits of the first band, then of the second and third band. The other rows are
# results of a round of deductions.
_SINGLES = 27  # first of 27 rows, one for each word: the cells where the word's digit is a hidden single
_ONCE, _TWICE, _THRICE = 54, 57, 60  # first of 3 rows, one per band: cells with at least 1, 2 or 3 candidates
_PLACED = 63  # first of 3 rows, one for each band: the cells in which any digit is a hidden single
_CHANGED, _SMALLEST = 66, 67  # two rows: removed candidates; minimum of the 27 words (0: contradiction)
_ROWS = 68  # number of rows of the array *state*


def _peer_words() -> NDArray[np.uint32]:
    """Return the peers of each cell as three words of 27 bits, one word for each band, (81, 3) uint32."""
    words = np.zeros((81, 3), np.uint32)
    for cell, peers in enumerate(PEERS):
        for peer in peers:
            words[cell, peer // 27] |= np.uint32(1 << peer % 27)
    return words


_PEERS = _peer_words()

_F = TypeVar("_F", bound=Callable[..., Any])


def _inlined(function: _F) -> _F:
    return cast(_F, njit(inline="always")(function))


def _compiled(function: _F) -> _F:
    return cast(_F, njit(nogil=True)(function))


@_inlined
def _next_box(minis: Any) -> Any:
    """Give each mini-row the bit of the next one in its row; the last one gets the bit of the first one."""
    return u32((minis >> 3 & _FIRST_TWO_BOXES) | (minis << 6 & _LAST_BOXES))


@_inlined
def _box_after_next(minis: Any) -> Any:
    return u32((minis >> 6 & _FIRST_BOXES) | (minis << 3 & _LAST_TWO_BOXES))


@_inlined
def _next_column(columns: Any) -> Any:
    """Give each column the bit of the next column in its box; the last column gets the bit of the first."""
    return u32((columns >> 1 & 0o333) | (columns << 2 & 0o444))


@_inlined
def _column_after_next(columns: Any) -> Any:
    return u32((columns >> 2 & 0o111) | (columns << 1 & 0o666))


@_compiled
def _sieve_rows(state: Any, band: int) -> None:
    """Remove the digits that can't be in a mini-row of a *band*, and find the hidden singles of the band."""
    for lane in range(LANES):
        state[_ONCE + band, lane] = state[_TWICE + band, lane] = state[_THRICE + band, lane] = 0
        state[_PLACED + band, lane] = 0
    for word in range(9 * band, 9 * band + 9):
        for lane in range(LANES):
            before = state[word, lane]
            minis = u32((before | before >> 1 | before >> 2) & _MINI_ROWS)
            below = u32((minis >> 9 | minis << 18) & _BAND)
            last = u32((minis >> 18 | minis << 9) & _BAND)
            minis = u32(
                minis
                & ((_next_box(below) & _box_after_next(last)) | (_box_after_next(below) & _next_box(last)))
            )
            after = u32(before & ((minis << 3) - minis))

            alone = u32(minis & ~(_next_box(minis) | _box_after_next(minis)))
            several = (after & after >> 1) | ((after | after >> 1) & after >> 2)
            alone = u32(alone & ~several)
            single = u32(after & ((alone << 3) - alone))

            once, twice = state[_ONCE + band, lane], state[_TWICE + band, lane]
            state[_THRICE + band, lane] |= u32(twice & after)
            state[_TWICE + band, lane] = u32(twice | (once & after))
            state[_ONCE + band, lane] = u32(once | after)
            state[_PLACED + band, lane] |= single
            state[_SINGLES + word, lane] = single
            state[_CHANGED, lane] |= u32(before ^ after)
            state[_SMALLEST, lane] = min(state[_SMALLEST, lane], after)
            state[word, lane] = after


@_compiled
def _place_singles(state: Any, band: int) -> None:
    """Remove other digits in the cell of a hidden single, and a naked single's digit elsewhere in its row."""
    for word in range(9 * band, 9 * band + 9):
        for lane in range(LANES):
            before = state[word, lane]
            after = before & ~(state[_PLACED + band, lane] ^ state[_SINGLES + word, lane])
            naked = u32(before & state[_ONCE + band, lane] & ~state[_TWICE + band, lane])
            rows = naked | naked >> 1 | naked >> 2
            rows = u32((rows | rows >> 3 | rows >> 6) & _FIRST_BOXES)
            after = u32(after & ~(((rows << 9) - rows) ^ naked))
            state[_CHANGED, lane] |= u32(before ^ after)
            state[word, lane] = after


@_compiled
def _sieve_columns(state: Any) -> None:
    """Remove the digits that can't be in a mini-column."""
    for digit in range(9):
        for lane in range(LANES):
            top, middle, bottom = state[digit, lane], state[9 + digit, lane], state[18 + digit, lane]
            first = u32((top | top >> 9 | top >> 18) & _COLUMNS)
            second = u32((middle | middle >> 9 | middle >> 18) & _COLUMNS)
            third = u32((bottom | bottom >> 9 | bottom >> 18) & _COLUMNS)
            first_next, first_after = _next_column(first), _column_after_next(first)
            second_next, second_after = _next_column(second), _column_after_next(second)
            third_next, third_after = _next_column(third), _column_after_next(third)
            first = u32(first & ((second_next & third_after) | (second_after & third_next)))
            second = u32(second & ((first_next & third_after) | (first_after & third_next)))
            third = u32(third & ((first_next & second_after) | (first_after & second_next)))
            first = u32(top & (first | first << 9 | first << 18))
            second = u32(middle & (second | second << 9 | second << 18))
            third = u32(bottom & (third | third << 9 | third << 18))
            state[_CHANGED, lane] |= u32((top ^ first) | (middle ^ second) | (bottom ^ third))
            state[digit, lane] = first
            state[9 + digit, lane] = second
            state[18 + digit, lane] = third


@_compiled
def _round(state: Any) -> None:
    for lane in range(LANES):
        state[_CHANGED, lane] = 0
        state[_SMALLEST, lane] = _BAND
    for band in range(3):
        _sieve_rows(state, band)
        _place_singles(state, band)
    _sieve_columns(state)


@_compiled
def _count(word: Any) -> Any:
    """Count the bits that are set in a *word* (Hacker's Delight, 5-1)."""
    word = u32(word - (word >> 1 & 0x5555_5555))
    word = u32((word & 0x3333_3333) + (word >> 2 & 0x3333_3333))
    word = u32((word + (word >> 4)) & 0x0F0F_0F0F)
    return np.int64(u32(word * u32(0x0101_0101)) >> 24)


@_compiled
def _lowest(word: Any) -> Any:
    """Return the index of the lowest bit that is set in a *word*, which must not be 0."""
    return _count(u32((word & -word) - 1))


@_compiled
def _begin(state: Any, lane: int, board: Any) -> None:
    """Write the words of a *board* (81 values) to a *lane*."""
    for band in range(3):
        given = u32(0)
        for cell in range(27):
            given |= u32(u32(board[27 * band + cell] != 0) << u32(cell))
        for word in range(9 * band, 9 * band + 9):
            state[word, lane] = u32(_BAND & ~given)
        for cell in range(27):
            digit = board[27 * band + cell]
            if digit:
                state[9 * band + digit - 1, lane] |= u32(1) << u32(cell)


@_compiled
def _read(state: Any, lane: int, board: Any) -> None:
    """Write the solution of a *lane* to *board*, an array of 81 values."""
    for band in range(3):
        for digit in range(9):
            word = state[9 * band + digit, lane]
            while word:
                board[27 * band + _lowest(word)] = digit + 1
                word = u32(word & (word - 1))


@_compiled
def _struck(words: Any, digit: int, cell: int, pairs: Any) -> Any:
    """Return 1 plus the weights of the candidates that *digit* in *cell* would remove from other cells.

    A candidate weighs 1, or 1 + _PAIR_WEIGHT if its cell has two candidates. *pairs*: for each band, a word
    with the cells that have two candidates.
    """
    weight = np.int64(1)
    for band in range(3):
        struck = u32(words[9 * band + digit] & _PEERS[cell, band])
        weight += _count(struck) + _PAIR_WEIGHT * _count(u32(struck & pairs[band]))
    return weight


@_compiled
def _choose_cell(words: Any, pairs: Any) -> Any:
    """Return the best cell with two candidates, or -1 if there is none.

    The product of the results of :func:`_struck` for its two candidates is the largest.
    """
    most, chosen = np.int64(0), np.int64(-1)
    for band in range(3):
        left = pairs[band]
        while left:
            place = _lowest(left)
            left = u32(left & (left - 1))
            digits = u32(0)
            for digit in range(9):
                digits |= u32(u32(words[9 * band + digit] >> place & 1) << u32(digit))
            cell = 27 * band + place
            weight = _struck(words, _lowest(digits), cell, pairs)
            weight *= _struck(words, _lowest(u32(digits & (digits - 1))), cell, pairs)
            if weight > most:
                most, chosen = weight, cell
    return chosen


@_compiled
def _undecided_cell(state: Any, lane: int) -> Any:
    """Return the first cell (0..80) with several candidates. The *lane* must have such a cell."""
    for band in range(3):
        if state[_TWICE + band, lane]:
            return 27 * band + _lowest(state[_TWICE + band, lane])
    return 0


@_compiled
def _guess(state: Any, lane: int, kept: Any) -> None:
    """Choose a cell, and guess its first candidate. *kept* (27,) becomes the board without this candidate."""
    for word in range(27):
        kept[word] = state[word, lane]
    pairs = (
        u32(state[_TWICE, lane] & ~state[_THRICE, lane]),
        u32(state[_TWICE + 1, lane] & ~state[_THRICE + 1, lane]),
        u32(state[_TWICE + 2, lane] & ~state[_THRICE + 2, lane]),
    )
    cell = _choose_cell(kept, pairs)
    if cell < 0:
        cell = _undecided_cell(state, lane)
    bit = u32(u32(1) << u32(cell % 27))
    tried = False
    for word in range(9 * (cell // 27), 9 * (cell // 27) + 9):
        if state[word, lane] & bit:
            if tried:
                state[word, lane] &= ~bit
            else:
                kept[word] &= ~bit
                tried = True


def _solve(boards: Any, limit: int, solutions: Any, seconds: Any, found: Any) -> None:
    """Solve *boards*, each with at most *limit* guesses; :func:`compiled_solve` explains the arguments."""
    state = np.zeros((_ROWS, LANES), np.uint32)
    state[:27] = _BAND
    kept = np.zeros((LANES, _MAX_DEPTH, 27), np.uint32)
    depth = np.zeros(LANES, np.int64)
    guesses = np.zeros(LANES, np.int64)
    board = np.full(LANES, -1, np.int64)
    following = np.int64(0)
    busy = np.int64(0)
    for lane in range(min(LANES, boards.shape[0])):
        _begin(state, lane, boards[following])
        board[lane] = following
        following += 1
        busy += 1
    while busy:
        _round(state)
        for lane in range(LANES):
            at = board[lane]
            if at < 0:
                continue
            filled = state[_ONCE, lane] & state[_ONCE + 1, lane] & state[_ONCE + 2, lane]
            if state[_SMALLEST, lane] and filled == _BAND:
                if state[_CHANGED, lane]:
                    continue
                if state[_TWICE, lane] | state[_TWICE + 1, lane] | state[_TWICE + 2, lane]:
                    guesses[lane] += 1
                    if guesses[lane] <= limit:
                        _guess(state, lane, kept[lane, depth[lane]])
                        depth[lane] += 1
                        continue
                    found[at] = GAVE_UP
                    depth[lane] = 0
                elif found[at] == NONE:
                    found[at] = ONE
                    _read(state, lane, solutions[at])
                else:
                    found[at] = MANY
                    _read(state, lane, seconds[at])
                    depth[lane] = 0
            if depth[lane]:
                depth[lane] -= 1
                for word in range(27):
                    state[word, lane] = kept[lane, depth[lane], word]
            elif following < boards.shape[0]:
                _begin(state, lane, boards[following])
                board[lane] = following
                guesses[lane] = 0
                following += 1
            else:
                board[lane] = -1
                busy -= 1


Solve: TypeAlias = Callable[[Values, int, Values, Values, Values], None]


@functools.cache
def compiled_solve(*, cached: bool = True) -> Solve:
    """Return the kernel as a function that runs without the GIL. The function is compiled at its first call.

    The function's arguments are boards (N, 81) uint8 in C order with 0 to 9 in each cell, the number of
    guesses allowed for each board, and three arrays of zeros for the results. The results are a first
    solution (N, 81) uint8, a second solution (N, 81) uint8, and a code (N,) uint8: :data:`NONE`, :data:`ONE`,
    :data:`MANY` or :data:`GAVE_UP`. *cached*: whether the compiled code is kept on disk; numba raises
    RuntimeError if the code can't be written.
    """
    return cast(Solve, njit(nogil=True, cache=cached)(_solve))


def compiling(announce: Callable[[], object]) -> AbstractContextManager[object]:
    """Call *announce* once if numba compiles code in the ``with`` block, not if it loads code from disk."""
    return event.install_listener("numba:compile", _Compiling(announce))


class _Compiling(event.Listener):  # type: ignore[misc,unused-ignore]
    """Calls *announce* only once, although numba compiles many functions, each of them separately."""

    def __init__(self, announce: Callable[[], object]) -> None:
        self._announce: Callable[[], object] | None = announce

    def on_start(self, event: Any) -> None:  # noqa: ARG002 (the signature that numba calls)
        if self._announce is not None:
            self._announce()
            self._announce = None

    def on_end(self, event: Any) -> None:
        pass
