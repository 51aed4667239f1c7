"""Trials, where logic ends: assume a digit and see what follows, as backtracking does."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from sudoku_vision.sudoku.logic.candidates import DIGITS_OF, Candidates, candidates_at, cells_of
from sudoku_vision.sudoku.logic.engine import follow, needed_nodes
from sudoku_vision.sudoku.logic.steps import Candidate, Step, Technique, Trial
from sudoku_vision.sudoku.solver import searcher
from sudoku_vision.texts import Sentence


def trial(board: Candidates, technique: Technique) -> Step | None:
    """Find an assumption that leads to a contradiction by singles, or else to the solution.

    If there is none, the solver refutes an assumption with further guesses.
    """
    solving = None
    for cell, digit in _assumptions(board):
        after, follows, dead = follow(board, (cell, digit))
        if dead is not None:
            kept = needed_nodes(board, follows, _missing(board, after, dead))
            found = replace(dead, follows=tuple((node.cells[0], node.digit) for node in kept))
            return Step(technique, (cell,), (digit,), eliminations=((cell, digit),), trial=found)
        if not after.blank and solving is None:
            placements = tuple((node.cells[0], node.digit) for node in follows)
            found = Trial("solution", placements[1:])
            solving = Step(technique, (cell,), (digit,), placements=placements, trial=found)
    return solving or _refuted_by_search(board, technique)


def _assumptions(board: Candidates) -> Iterator[Candidate]:
    """Yield the candidates of a board; cells with few candidates come first."""
    for cell in sorted(cells_of(board.blank), key=lambda cell: board.masks[cell].bit_count()):
        for digit in DIGITS_OF[board.masks[cell]]:
            yield cell, digit


def _missing(board: Candidates, after: Candidates, dead: Trial) -> tuple[Candidate, ...]:
    """Return the candidates of *board* that must be false so that *dead* is a contradiction in *after*."""
    if dead.dead_cage is not None:
        held = [(cell, digit) for cell in dead.dead_cage for digit in DIGITS_OF[board.masks[cell]]]
        return tuple((cell, digit) for cell, digit in held if after.values[cell] != digit)
    if dead.dead_cell is not None:
        return tuple((dead.dead_cell, digit) for digit in DIGITS_OF[board.masks[dead.dead_cell]])
    assert dead.dead_unit is not None and dead.dead_digit is not None
    return candidates_at(board.planes[dead.dead_digit] & board.sight.units[dead.dead_unit], dead.dead_digit)


def _refuted_by_search(board: Candidates, technique: Technique) -> Step | None:
    """Find an assumption after which the solver finds no solution; return a step that strikes it out."""
    for cell, digit in _assumptions(board):
        values = list(board.values)
        values[cell] = digit
        found = searcher(board.sight.rules)(values, 1)
        if found.finished and not found.solutions:
            tried = Trial("contradiction", guesses=found.statistics.backtracks)
            return Step(technique, (cell,), (digit,), eliminations=((cell, digit),), trial=tried)
    return None


def trial_sentence(step: Step, *, key: str) -> Sentence:
    """Return the sentence of a trial."""
    trial = step.trial
    assert trial is not None
    ending = "searched" if trial.guesses else "refuted" if trial.follows else "at_once"
    dead = "dead.cell" if trial.dead_cell is not None else "dead.cage" if trial.dead_cage else "dead.unit"
    cages = (cage.sum for cage in step.rules.cages if cage.cells == trial.dead_cage)
    return step.sentence(
        f"{key}.{'solution' if trial.outcome == 'solution' else ending}",
        follows=[Sentence("step.filled", {"cell": cell, "digit": digit}) for cell, digit in trial.follows],
        dead=Sentence(
            dead,
            {
                "cell": trial.dead_cell,
                "digit": trial.dead_digit,
                "units": trial.dead_unit,
                "cage": trial.dead_cage,
                "total": next(cages, 0),
            },
        ),
        count=trial.guesses,
    )


# A new technique needs a smaller order: a trial finds a step on any puzzle with one solution.
_sentence = partial(trial_sentence, key="step.trial")
TRIAL = Technique("trial", 10_000, "extreme", 500, trial, _sentence, needs_unique=True)
TECHNIQUES = (TRIAL,)
