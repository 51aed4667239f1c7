"""Where logic ends: assume a digit and see what follows, as backtracking does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from sudoku_vision.sudoku.board import cell_name
from sudoku_vision.sudoku.logic.candidates import (
    DIGITS,
    DIGITS_OF,
    PEER_SETS,
    UNIT_SETS,
    UNITS_OF,
    Candidates,
    cells_of,
)
from sudoku_vision.sudoku.logic.steps import Candidate, Step, Technique, Trial
from sudoku_vision.sudoku.logic.words import strike, unit_name
from sudoku_vision.sudoku.solver import search


def trial(board: Candidates) -> Step | None:
    """Assume a digit that singles refute, or lead from to the solution; cells with few candidates first.

    If no assumption is settled by singles alone, one is refuted by trying further digits under it.
    """
    solving = None
    for candidate in _assumptions(board):
        found = follow(board, candidate)
        if found is None:
            continue
        if found.outcome == "contradiction":
            return _refuted(candidate, _shortened(board, candidate, found))
        solving = solving or _confirmed(candidate, found)
    return solving or _refuted_by_search(board)


def follow(board: Candidates, assumed: Candidate) -> Trial | None:
    """Follow the singles from *assumed*: to a contradiction, the solution, or nothing certain (None)."""
    after, follows, dead = _followed(board, assumed)
    if dead is not None:
        return replace(dead, follows=follows)
    return None if after.blank else Trial("solution", follows)


def _followed(
    board: Candidates, assumed: Candidate
) -> tuple[Candidates, tuple[Candidate, ...], Trial | None]:
    """Return the board after all singles from *assumed*, what they fill in, and the dead end, if any."""
    after = board.copy()
    after.place(*assumed)
    follows: list[Candidate] = []
    while after.blank:
        singles, dead = look(after)
        if dead is not None or not singles:
            return after, tuple(follows), dead
        for cell, digit in singles:
            if after.has(cell, digit):
                after.place(cell, digit)
                follows.append((cell, digit))
    return after, tuple(follows), None


def _assumptions(board: Candidates) -> Iterator[Candidate]:
    """Yield all candidates, those of cells with few of them first."""
    for cell in sorted(cells_of(board.blank), key=lambda cell: board.masks[cell].bit_count()):
        for digit in DIGITS_OF[board.masks[cell]]:
            yield cell, digit


def look(board: Candidates) -> tuple[list[Candidate], Trial | None]:
    """Find all singles; and the dead end, if a cell has no digit or a digit no place left."""
    held = 0
    for plane in board.planes:
        held |= plane
    if held != board.blank:
        return [], Trial("contradiction", dead_cell=cells_of(board.blank & ~held)[0])
    singles = [(cell, DIGITS_OF[board.masks[cell]][0]) for cell in cells_of(board.with_count(1))]
    for digit in DIGITS:
        plane, standing = board.planes[digit], board.standing[digit]
        for unit, members in enumerate(UNIT_SETS):
            places = plane & members
            if not places:
                if not standing & members:
                    return [], Trial("contradiction", dead_unit=unit, dead_digit=digit)
            elif not places & places - 1:
                singles.append((places.bit_length() - 1, digit))
    return singles, None


def dead_end(board: Candidates) -> Trial | None:
    """Return the contradiction on a board: a cell without a digit, or a unit without a place for one."""
    return look(board)[1]


def _shortened(board: Candidates, assumed: Candidate, found: Trial) -> Trial:
    """Return a refutation with those digits alone that its contradiction comes from."""
    if found.dead_cell is not None:
        missing = [(found.dead_cell, digit) for digit in DIGITS_OF[board.masks[found.dead_cell]]]
    else:
        assert found.dead_unit is not None and found.dead_digit is not None
        places = board.planes[found.dead_digit] & UNIT_SETS[found.dead_unit]
        missing = [(cell, found.dead_digit) for cell in cells_of(places)]
    return replace(found, follows=_needed_for(board, (assumed, *found.follows), missing))


def _needed_for(
    board: Candidates, placed: Sequence[Candidate], missing: Iterable[Candidate]
) -> tuple[Candidate, ...]:
    """Select the singles of *placed*, whose first is assumed, that the *missing* candidates are taken by."""
    after = board.copy()
    taken_by: dict[Candidate, int] = {}
    reasons: list[set[int]] = []
    for number, (cell, digit) in enumerate(placed):
        reasons.append(_reasons(board, after, (cell, digit), taken_by) if number else set())
        for other in DIGITS_OF[after.masks[cell]]:
            taken_by[cell, other] = number
        for peer in cells_of(after.planes[digit] & PEER_SETS[cell]):
            taken_by[peer, digit] = number
        after.place(cell, digit)
    needed = {taken_by[candidate] for candidate in missing}
    for number in range(len(placed) - 1, 0, -1):
        if number in needed:
            needed |= reasons[number]
    return tuple(placed[number] for number in sorted(needed - {0}))


def _reasons(
    board: Candidates, after: Candidates, single: Candidate, taken_by: dict[Candidate, int]
) -> set[int]:
    """Return the numbers of the placements that made a *single*, from *board* to *after*."""
    cell, digit = single
    if after.masks[cell].bit_count() == 1:
        return {taken_by[cell, other] for other in DIGITS_OF[board.masks[cell]] if other != digit}
    unit = next(unit for unit in UNITS_OF[cell] if after.planes[digit] & UNIT_SETS[unit] == 1 << cell)
    places = board.planes[digit] & UNIT_SETS[unit]
    return {taken_by[other, digit] for other in cells_of(places) if other != cell}


def _refuted(candidate: Candidate, found: Trial) -> Step:
    cell, digit = candidate
    return Step(TRIAL, (cell,), (digit,), eliminations=(candidate,), trial=found)


def _confirmed(candidate: Candidate, found: Trial) -> Step:
    cell, digit = candidate
    placements = (candidate, *found.follows)
    return Step(TRIAL, (cell,), (digit,), placements=placements, trial=found)


def _refuted_by_search(board: Candidates) -> Step | None:
    """Refute an assumption by trying all that may stand under it."""
    for cell, digit in _assumptions(board):
        values = list(board.values)
        values[cell] = digit
        found = search(values, 1)
        if found.finished and not found.solutions:
            return _refuted((cell, digit), Trial("contradiction", guesses=found.statistics.backtracks))
    return None


def _sentence(step: Step) -> str:
    trial = step.trial
    assert trial is not None
    (cell,), (digit,) = step.cells, step.digits
    start = f"Logic ends here, so try: let {cell_name(cell)} be {digit}. "
    follows = [f"{cell_name(cell)} = {digit}" for cell, digit in trial.follows]
    if trial.outcome == "solution":
        return f"{start}Then all other cells can be filled in ({', '.join(follows)}): this is the solution."
    if trial.guesses:
        return (
            f"{start}Whatever is tried under it ({trial.guesses} boards) ends in a contradiction, so "
            f"{strike(step.eliminations)}."
        )
    then = f"Then follow {', '.join(follows)}, and" if follows else "Then"
    return f"{start}{then} {ending(trial)}. That can't be, so {strike(step.eliminations)}."


def ending(trial: Trial) -> str:
    """Say what a trial ends in at a contradiction: ``no digit is left for r5c5``."""
    if trial.dead_cell is not None:
        return f"no digit is left for {cell_name(trial.dead_cell)}"
    assert trial.dead_unit is not None
    return f"{unit_name(trial.dead_unit)} has no place left for {trial.dead_digit}"


AFTER_ALL_OTHERS = 10_000
"""Whatever is added comes before it: a trial always leads on where a puzzle has one solution."""

TRIAL = Technique(
    "trial",
    order=AFTER_ALL_OTHERS,
    difficulty="extreme",
    score=500,
    find=trial,
    sentence=_sentence,
    example="030000607070000024004001000090000003000010080001050706612504000053208461040100502",
    needs_unique=True,
)

TECHNIQUES = (TRIAL,)
