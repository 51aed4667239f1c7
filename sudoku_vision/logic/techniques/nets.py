"""Forcing nets: whichever of several candidates is true, singles from each lead to the same.

Where a chain's link follows from the one before it alone, here each digit follows from all that are filled
in before it; Sudoku Explainer calls such chains dynamic. No branch may end in a contradiction or in the
solution: that would be a trial, which has a name of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from sudoku_vision.board import cell_name
from sudoku_vision.logic.candidates import DIGITS, DIGITS_OF, UNIT_SETS, Candidates, cells_of
from sudoku_vision.logic.steps import Branch, Candidate, Step, Technique
from sudoku_vision.logic.techniques.trial import followed, needed_for
from sudoku_vision.logic.words import listed, strike, unit_name

_Followed = tuple[Candidates, tuple[Candidate, ...]]
"""The board after all singles, and what they filled in, the first candidate before them."""


def forcing_net(board: Candidates) -> Step | None:
    """Find a cell or a unit whose candidates all lead to the same by singles; of several, by the fewest."""
    known: dict[Candidate, _Followed | None] = {}
    best: Step | None = None
    for fork, units in _forks(board):
        ends = []
        for candidate in fork:
            if candidate not in known:
                known[candidate] = _open_end(board, candidate)
            ends.append(known[candidate])
        if all(ends):
            step = _shortest(board, [end for end in ends if end], units)
            if step is not None and (best is None or _length(step) < _length(best)):
                best = step
    return best


def _forks(board: Candidates) -> Iterator[tuple[list[Candidate], tuple[int, ...]]]:
    """Yield candidates of which one is true, and the unit that they are the places of a digit in, if any."""
    for cell in cells_of(board.blank):
        yield [(cell, digit) for digit in DIGITS_OF[board.masks[cell]]], ()
    for unit, members in enumerate(UNIT_SETS):
        for digit in DIGITS:
            if board.planes[digit] & members:
                yield [(cell, digit) for cell in cells_of(board.planes[digit] & members)], (unit,)


def _open_end(board: Candidates, candidate: Candidate) -> _Followed | None:
    """Follow the singles; None where they end in a contradiction or in the solution."""
    after, follows, dead = followed(board, candidate)
    return None if dead is not None or not after.blank else (after, (candidate, *follows))


def _shortest(board: Candidates, ends: list[_Followed], units: tuple[int, ...]) -> Step | None:
    """Return the step for the candidate that is false at all *ends*, with the fewest digits filled in."""
    steps = []
    for digit in DIGITS:
        left = 0
        for after, _ in ends:
            left |= after.planes[digit] | after.standing[digit]
        for cell in cells_of(board.planes[digit] & ~left):
            branches = tuple(
                Branch(placed[0], needed_for(board, placed, [(cell, digit)])) for _, placed in ends
            )
            steps.append(_step(branches, (cell, digit), units))
    return min(steps, key=_length, default=None)


def _length(step: Step) -> int:
    return sum(1 + len(branch.follows) for branch in step.branches)


def _step(branches: tuple[Branch, ...], gone: Candidate, units: tuple[int, ...]) -> Step:
    starts = [branch.start for branch in branches]
    return Step(
        FORCING_NET,
        tuple(dict.fromkeys(cell for cell, _ in starts)),
        tuple(dict.fromkeys([*(digit for _, digit in starts), gone[1]])),
        units,
        eliminations=(gone,),
        branches=branches,
    )


def _sentence(step: Step) -> str:
    starts = [branch.start for branch in step.branches]
    if step.units:
        places = listed((cell_name(cell) for cell, _ in starts), "or")
        fork = f"In {unit_name(step.units[0])}, the digit {starts[0][1]} fits only in {places}."
    else:
        fork = f"{cell_name(step.cells[0])} holds {listed((digit for _, digit in starts), 'or')}."
    ((cell, digit),) = step.eliminations
    ways = " ".join(_way(branch, f"{cell_name(cell)} can't be {digit}") for branch in step.branches)
    return f"{fork} {ways} Whichever it is, this holds: {strike(step.eliminations)}."


def _way(branch: Branch, end: str) -> str:
    (cell, digit), follows = branch.start, branch.follows
    singles = [f"{cell_name(other)} = {value}" for other, value in follows]
    then = f" follow{'s' * (len(singles) == 1)} {listed(singles)}, and" if singles else ""
    return f"If {cell_name(cell)} is {digit}, then{then} {end}."


FORCING_NET = Technique(
    "forcing net",
    order=4000,
    difficulty="extreme",
    score=700,
    find=forcing_net,
    sentence=_sentence,
    example="860000070900080006003009180008095000020408060000210800085000600300040008040800020",
)

TECHNIQUES = (FORCING_NET,)
