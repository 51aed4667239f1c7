"""Backtracking under any rules: all conditions of the game are looked at together, in one whole number.

A board is an exact cover (D. Knuth, "Dancing Links", 2000). Its *conditions*: each cell takes one digit, and
each unit takes each digit in one place. An *option*, a digit in a cell, meets several of them. A condition is
nine bits, one for each option that meets it. Folding the number by threes, twice, finds the conditions with
one option left (naked and hidden singles) and those with none (dead ends).

A condition that has met dead ends is decided before others (F. Boussemart and others, "Boosting systematic
search by weighting constraints", 2004), and the search begins anew from time to time. So it soon works where
the board is hard, however early it guessed elsewhere.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.sudoku.rules import CLASSIC, Rules
from sudoku_vision.sudoku.solver import backtracking
from sudoku_vision.sudoku.solver.backtracking import MAX_GUESSES, Found, Statistics

BEGIN_ANEW_AT = 50
"""Guesses without any solution after which the board is probed and begun anew; then at twice as many."""

_WIDTH = 16  # bits from one condition to the next, so that NumPy can take them apart
_OPTIONS = np.array([bits.bit_count() for bits in range(512)])


class _Cover(NamedTuple):
    """Rules as an exact cover; option ``9 * cell + digit`` is that of a digit 0..8 in a cell 0..80."""

    firsts: int
    """The first bit of each condition."""
    option_at: dict[int, int]
    """The option that each bit stands for."""
    bits: tuple[int, ...]
    """The bits of each option, one in each condition that it meets."""
    kept: tuple[int, ...]
    """The bits that stay once an option is taken: its own, and those of options that share no condition."""


@lru_cache(maxsize=8)  # each takes a megabyte and 3 ms
def _cover(rules: Rules) -> _Cover:
    cells = [[9 * cell + digit for digit in range(9)] for cell in range(81)]
    places = [[9 * cell + digit for cell in unit] for unit in rules.units.values() for digit in range(9)]
    conditions = cells + places
    firsts = sum(1 << _WIDTH * number for number in range(len(conditions)))
    option_at: dict[int, int] = {}
    bits, kept = [0] * 729, [511 * firsts] * 729
    for number, options in enumerate(conditions):
        for bit, option in enumerate(options, start=_WIDTH * number):
            option_at[bit] = option
            bits[option] |= 1 << bit
    for options in conditions:
        together = sum(bits[option] for option in options)
        for option in options:
            kept[option] &= ~(together ^ bits[option])
    return _Cover(firsts, option_at, tuple(bits), tuple(kept))


def searcher(rules: Rules) -> Callable[..., Found]:
    """Return the search for boards under *rules*: the fast one of the classic game, or that of any rules.

    Its arguments are those of :func:`~sudoku_vision.sudoku.solver.search`.
    """
    return backtracking.search if rules == CLASSIC else partial(search, rules)


def search(rules: Rules, values: Sequence[int], limit: int = 2, max_guesses: int | None = None) -> Found:
    """Find up to *limit* solutions of 81 *values*, as :func:`backtracking.search` does."""
    cover = _cover(rules)
    left, taken = 511 * cover.firsts, 0
    for cell, digit in enumerate(values):
        if digit:
            left, taken = _taking(cover, left, taken, 9 * cell + digit - 1)
    if left & taken != taken:
        return Found((), True, Statistics())
    solutions: list[tuple[int, ...]] = []
    open_boards = [(left, taken)]
    start, begin_anew_at = open_boards[0], BEGIN_ANEW_AT
    weights = np.ones(cover.firsts.bit_count())
    most = MAX_GUESSES * limit if max_guesses is None else max_guesses
    guesses = backtracks = depth = work = 0
    while open_boards and len(solutions) < limit:
        left, taken = _propagated(cover, *open_boards.pop())
        work += 1
        if not left:
            backtracks += 1
            weights[taken] += 1
        elif left == taken:
            solutions.append(_digits(left))
        elif guesses >= most:
            return Found(tuple(solutions), False, Statistics(guesses, backtracks, depth, work))
        else:
            guesses += 1
            if guesses == begin_anew_at and not solutions:
                start, begin_anew_at = _probed(cover, *start), 2 * begin_anew_at
                work += 81 * 9 // 2  # as many options are tried, about
                open_boards = [start]
                continue
            open_boards += [_taking(cover, left, taken, option) for option in _choice(cover, left, weights)]
            depth = max(depth, len(open_boards) - 1)
    return Found(tuple(solutions), True, Statistics(guesses, backtracks, depth, work))


def _taking(cover: _Cover, left: int, taken: int, option: int) -> tuple[int, int]:
    """Return the bits of the options left, and of those taken, with one more taken."""
    return left & cover.kept[option], taken | cover.bits[option]


def _propagated(cover: _Cover, left: int, taken: int) -> tuple[int, int]:
    """Take all singles; at a dead end return 0 and the number of a condition that has no option left."""
    firsts, option_at, bits, kept = cover
    thirds = firsts * 0b1001001
    while True:
        second, third = left >> 1, left >> 2
        either = left | second
        some = (either | third) & thirds
        several = (left & second | either & third) & thirds
        second, third = some >> 3, some >> 6
        either = some | second
        if dead := (either | third) & firsts ^ firsts:
            return 0, dead.bit_length() // _WIDTH
        several |= some & second | either & third | several >> 3 | several >> 6
        singles = left & (firsts & ~several) * 511
        singles ^= singles & taken
        if not singles:
            return left, taken
        while singles:
            option = option_at[singles.bit_length() - 1]
            left &= kept[option]
            taken |= bits[option]
            singles &= ~bits[option]


def _probed(cover: _Cover, left: int, taken: int) -> tuple[int, int]:
    """Try every option once, and take away those that lead to a dead end."""
    left, taken = _propagated(cover, left, taken)
    for option, own in enumerate(cover.bits):
        if left & own & ~taken and not _propagated(cover, *_taking(cover, left, taken, option))[0]:
            left, taken = _propagated(cover, left & ~own, taken)
    return left, taken


def _choice(cover: _Cover, left: int, weights: NDArray[np.float64]) -> list[int]:
    """Return the options of a condition that has few of them and has met many dead ends, by its weight."""
    conditions = _conditions(left, len(weights))
    counts = _OPTIONS[conditions]
    number = int(np.where(counts > 1, counts / weights, np.inf).argmin())
    options = int(conditions[number])
    return [cover.option_at[_WIDTH * number + bit] for bit in range(9) if options >> bit & 1]


def _conditions(left: int, count: int) -> NDArray[np.uint16]:
    """Return the nine bits of each condition, in (count,)."""
    return np.frombuffer(left.to_bytes(count * _WIDTH // 8, "little"), "<u2")


def _digits(left: int) -> tuple[int, ...]:
    """Return the 81 digits of a board that has one option in each cell."""
    return tuple((left >> _WIDTH * cell & 511).bit_length() for cell in range(81))
