"""Trials: if no other technique finds a step, assume a digit and see what follows, as backtracking does."""

from collections.abc import Iterator
from dataclasses import replace

from sudoku_vision.sudoku.logic.bits import DIGITS_OF, candidates_at, cells_of
from sudoku_vision.sudoku.logic.candidates import Candidates
from sudoku_vision.sudoku.logic.engine import follow, needed_nodes
from sudoku_vision.sudoku.logic.steps import Candidate, Step, Technique, Trial, new_step
from sudoku_vision.sudoku.solver import searcher
from sudoku_vision.texts import Sentence


def trial(board: Candidates) -> Step | None:
    """Find an assumption that leads to a contradiction by singles, or else one that leads to the solution.

    If there is no such assumption, the step is an assumption that the solver refutes with further guesses.
    """
    solving = None
    for cell, digit in _assumptions(board):
        after, follows, dead = follow(board, (cell, digit))
        if dead is not None:
            kept = needed_nodes(board, follows, _missing(board, after, dead))
            found = replace(dead, follows=tuple((node.cells[0], node.digit) for node in kept))
            return trial_step(board, (cell, digit), found)
        if not after.blank and solving is None:
            found = Trial("solution", tuple((node.cells[0], node.digit) for node in follows[1:]))
            solving = trial_step(board, (cell, digit), found)
    return solving or _refuted_by_search(board)


def _assumptions(board: Candidates) -> Iterator[Candidate]:
    """Yield the candidates of a board; cells with few candidates come first."""
    for cell in sorted(cells_of(board.blank), key=lambda cell: board.masks[cell].bit_count()):
        for digit in DIGITS_OF[board.masks[cell]]:
            yield cell, digit


def _missing(board: Candidates, after: Candidates, dead: Trial) -> tuple[Candidate, ...]:
    """Return the candidates of *board* that became false, and so led to a contradiction.

    *dead*: the contradiction. *after*: the board on which the contradiction was found.
    """
    if dead.dead_cage is not None:
        held = [(cell, digit) for cell in dead.dead_cage for digit in DIGITS_OF[board.masks[cell]]]
        return tuple((cell, digit) for cell, digit in held if after.values[cell] != digit)
    if dead.dead_cell is not None:
        return tuple((dead.dead_cell, digit) for digit in DIGITS_OF[board.masks[dead.dead_cell]])
    assert dead.dead_unit is not None and dead.dead_digit is not None
    return candidates_at(board.planes[dead.dead_digit] & board.sight.units[dead.dead_unit], dead.dead_digit)


def _refuted_by_search(board: Candidates) -> Step | None:
    """Find an assumption after which the solver finds no solution; return a step that strikes it out."""
    for cell, digit in _assumptions(board):
        values = list(board.values)
        values[cell] = digit
        found = searcher(board.sight.rules)(values, 1)
        if found.finished and not found.solutions:
            # The clauses of a cage can contradict the digit before any guess. But 0 guesses would mean that
            # singles lead to the contradiction.
            guesses = max(1, found.statistics.backtracks)
            return trial_step(board, (cell, digit), Trial("contradiction", guesses=guesses))
    return None


def trial_step(board: Candidates, assumed: Candidate, found: Trial, *, key: str = "step.trial") -> Step:
    """Return the step that follows from a trial. After a contradiction, it strikes out *assumed*.

    Otherwise it fills in *assumed* and all digits that follow.
    """
    refuted = found.outcome == "contradiction"
    ending = "searched" if found.guesses else "refuted" if found.follows else "at_once"
    dead = "dead.cell" if found.dead_cell is not None else "dead.cage" if found.dead_cage else "dead.unit"
    totals = (cage.sum for cage in board.sight.rules.cages if cage.cells == found.dead_cage)
    place = {
        "cell": found.dead_cell,
        "digit": found.dead_digit,
        "units": found.dead_unit,
        "cage": found.dead_cage,
        "total": next(totals, 0),
    }
    filled = [Sentence("step.filled", {"cell": cell, "digit": digit}) for cell, digit in found.follows]
    values = {"follows": filled, "dead": Sentence(dead, place), "count": found.guesses}
    return new_step(
        assumed[:1],
        assumed[1:],
        placements=() if refuted else (assumed, *found.follows),
        eliminations=(assumed,) if refuted else (),
        trial=found,
        words=Sentence(f"{key}.{ending if refuted else 'solution'}", values),
    )


# The order of a new technique must be smaller than this order. A trial finds a step on any puzzle with one
# solution, so no technique after it would be tried.
TRIAL = Technique("trial", 10_000, "extreme", 500, trial, needs_unique=True)
TECHNIQUES = (TRIAL,)
