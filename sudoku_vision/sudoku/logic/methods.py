"""Methods: the orders in which a whole puzzle can be solved.

* ``easiest``: always takes the easiest step.
* ``rows``: goes through the board cell by cell, again and again, and fills in forced digits, as a beginner
  does. When a whole pass fills in nothing, this method tries a digit.
* ``crook``: works as in J. F. Crook, "A pencil-and-paper algorithm for solving Sudoku puzzles", Notices of
  the AMS 56 (2009). After forced digits, preemptive sets (naked and hidden subsets) strike out candidates.
  When no further set is found, a digit is chosen. If the choice ends in a contradiction, the digit is struck
  out.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeAlias

from sudoku_vision.sudoku.logic.bits import DIGITS_OF, cells_of
from sudoku_vision.sudoku.logic.candidates import Candidates
from sudoku_vision.sudoku.logic.engine import follow, next_step, take, walk
from sudoku_vision.sudoku.logic.steps import Candidate, Step, Trial
from sudoku_vision.sudoku.logic.techniques import allowed_techniques, subsets
from sudoku_vision.sudoku.logic.techniques.singles import FULL_HOUSE, HIDDEN_SINGLE, NAKED_SINGLE, single_at
from sudoku_vision.sudoku.logic.techniques.trial import TRIAL, trial_step
from sudoku_vision.texts import Sentence

Way: TypeAlias = Iterator[tuple[Sentence | None, Step]]
"""Yields pairs (heading, step). The heading names the part of the solution to which the step belongs; it is
None if the solution has no parts. A method applies the step to the board after the pair was yielded."""


def _easiest(board: Candidates, unique: bool) -> Way:
    return ((None, step) for step in walk(board, allowed_techniques(unique=unique)))


def _row_by_row(board: Candidates, unique: bool) -> Way:
    number = 0
    while board.blank:
        number += 1
        left = board.blank
        for cell in cells_of(left):
            step = single_at(board, cell) if board.blank >> cell & 1 else None
            if step is not None:
                yield Sentence("heading.pass", {"number": number, "units": cell // 9}), step
                take(board, step)
        if board.blank == left:
            step = TRIAL.find(board) if unique else None
            if step is None:
                return
            yield Sentence("heading.nothing", {"number": number}), step
            take(board, step)


FORCED, MARK_UP, GOING_ON, CHOICE = (
    Sentence(f"heading.{part}") for part in ("forced", "mark_up", "going_on", "choice")
)

_SINGLES = (FULL_HOUSE, HIDDEN_SINGLE, NAKED_SINGLE)
_MEANS = (*_SINGLES, *subsets.TECHNIQUES)


def _pencil_and_paper(board: Candidates, unique: bool) -> Way:
    for step in walk(board, _SINGLES):
        yield FORCED, step
    heading = MARK_UP
    while board.blank:
        for step in walk(board, _MEANS):
            yield heading, step
        heading = GOING_ON
        if board.blank:
            if not unique:
                return
            chosen = _choice(board)
            yield CHOICE, chosen
            take(board, chosen)


def _choice(board: Candidates) -> Step:
    """Return a step that tries the lowest digit of a cell with the fewest candidates.

    The step places the digit, or strikes it out after a contradiction. Crook's method chooses at random. Here
    the choice is fixed, so that equal puzzles have equal explanations.
    """
    cell = _fewest(board)
    chosen = (cell, DIGITS_OF[board.masks[cell]][0])
    found = _followed(board, chosen)
    if found.outcome == "solution":
        found = replace(found, follows=())
    return replace(trial_step(board, chosen, found, key="step.choice"), technique=TRIAL)


def _fewest(board: Candidates) -> int:
    return min(cells_of(board.blank), key=lambda cell: board.masks[cell].bit_count())


def _followed(board: Candidates, assumed: Candidate) -> Trial:
    """Follow an assumption by singles, subsets and more assumptions to a contradiction or the solution."""
    after, nodes, found = follow(board, assumed, lambda board: next_step(board, subsets.TECHNIQUES))
    follows = tuple((node.cells[0], node.digit) for node in nodes[1:] if len(node.cells) == 1)
    if found or not after.blank:
        return replace(found or Trial("solution"), follows=follows)
    cell, guesses = _fewest(after), 0
    *others, last = DIGITS_OF[after.masks[cell]]
    for digit in (*others, last):
        found = _followed(after, (cell, digit))
        guesses += found.guesses + (digit != last)
        if found.outcome == "solution":
            return Trial("solution", (*follows, (cell, digit), *found.follows), guesses=guesses)
    assert found is not None
    return replace(found, follows=follows, guesses=guesses)


METHODS: dict[str, Callable[[Candidates, bool], Way]] = {
    "easiest": _easiest,
    "rows": _row_by_row,
    "crook": _pencil_and_paper,
}
"""For the name of each method, its function. The function's arguments are a board and whether the board has
exactly one solution. The function changes the board."""
