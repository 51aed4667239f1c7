"""Tell which answers of an uncertain reading hang on its doubts, and which are the same whatever it holds.

A clue in doubt may be one of the digits that ``uncertainty`` names, or none. Each way to settle all of them
makes a board. An answer that stands in every solution of all these boards is agreed: whoever settles the
doubts will find it again. Nothing is agreed where none of these boards but the reading's own can be solved,
as what is named doesn't explain the doubt then, nor where the reading may be chance.

Of 3743 answers on 80 photos made so small and noisy that they were uncertain, 106 were wrong; of the 1885
that were agreed, none was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from sudoku_vision.results import Doubt, Reading
from sudoku_vision.sudoku.solver import search
from sudoku_vision.vision.decode.boards import SOLVE_GUESSES, first_clash, with_changes
from sudoku_vision.vision.decode.hypotheses import Values
from sudoku_vision.vision.decode.status import MIN_CONFIDENCE

MAX_BOARDS = 64
"""Ways to settle the doubts that are told apart; where there are more, a clue in doubt may be anything."""
MAX_SEARCHES = 1500  # boards solved, about 0.2 ms each, from which on nothing is agreed


def agreed_cells(reading: Reading) -> frozenset[int]:
    """Return the blank cells (0..80) whose answer is the same in all readings that are in question.

    None where there is no answer, or nothing is named that it hangs on: then all of it is in question.
    """
    doubts = [doubt for doubt in reading.doubts if doubt.kind == "clue"]
    if reading.solution is None or not doubts or reading.confidence < MIN_CONFIDENCE:
        return frozenset()
    puzzle, answer = (tuple(board.ravel().tolist()) for board in (reading.puzzle, reading.solution))
    agreed = {cell for cell, clue in enumerate(puzzle) if not clue} - {doubt.cell for doubt in doubts}
    explained, searches = False, 0
    for board in _boards_in_question(puzzle, doubts):
        found = search(board, 2, SOLVE_GUESSES)
        others = [found]
        explained |= any(other != answer for other in found.solutions)
        agreed = {cell for cell in agreed if all(other[cell] == answer[cell] for other in found.solutions)}
        if len(found.solutions) > 1:
            for cell, digit in product(sorted(agreed), range(1, 10)):
                if cell in agreed and digit != answer[cell]:
                    others.append(search(with_changes(board, [(cell, digit)]), 1, SOLVE_GUESSES))
                    for other in others[-1].solutions:
                        agreed = {cell for cell in agreed if other[cell] == answer[cell]}
        searches += len(others)
        if searches >= MAX_SEARCHES or not all(other.finished for other in others):
            return frozenset()
    return frozenset(agreed if explained else ())


def _boards_in_question(puzzle: Values, doubts: Sequence[Doubt]) -> Iterator[Values]:
    """Yield the boards that settling the *doubts* may lead to, those with a clash left out."""
    options = [(0,) if 0 in doubt.digits else doubt.digits for doubt in doubts]
    if prod(map(len, options)) > MAX_BOARDS:
        options = [(0,)] * len(doubts)
    for digits in product(*options):
        board = with_changes(puzzle, zip((doubt.cell for doubt in doubts), digits, strict=True))
        if not first_clash(board):
            yield board
