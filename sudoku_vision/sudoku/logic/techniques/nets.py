"""Forcing nets: whichever of several candidates is true, singles and locked candidates lead to the same.

Where a chain's link follows from the one before it alone, here each step may rest on all that are
before it; Sudoku Explainer calls such chains dynamic. No branch may end in a contradiction or in the
solution: that would be a trial, which has a name of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sudoku_vision.sudoku.board import cell_name
from sudoku_vision.sudoku.logic.candidates import (
    DIGITS,
    DIGITS_OF,
    UNIT_SETS,
    Candidates,
    cell_set,
    cells_of,
    seen_by_all,
)
from sudoku_vision.sudoku.logic.engine import take
from sudoku_vision.sudoku.logic.steps import Branch, Candidate, Node, Step, Technique
from sudoku_vision.sudoku.logic.techniques.chains import stands
from sudoku_vision.sudoku.logic.techniques.locked_candidates import claiming, pointing
from sudoku_vision.sudoku.logic.techniques.trial import look
from sudoku_vision.sudoku.logic.words import listed, strike, unit_name

_Followed = tuple[Candidates, tuple[Node, ...]]
"""The board after all that follows, and what it was, the first candidate before it."""


def forcing_net(board: Candidates) -> Step | None:
    """Find a cell or a unit whose candidates all lead to the same; the shortest of such nets is told."""
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
    """Follow singles, and locked candidates where there are none; None at a contradiction or the solution."""
    after = board.copy()
    after.place(*candidate)
    follows = [Node(candidate[:1], candidate[1])]
    while after.blank:
        singles, dead = look(after)
        if dead is not None:
            return None
        for cell, digit in singles:
            if after.has(cell, digit):
                after.place(cell, digit)
                follows.append(Node((cell,), digit))
        if not singles:
            locked = pointing(after) or claiming(after)
            if locked is None:
                return after, tuple(follows)
            follows.append(Node(locked.cells, locked.digits[0]))
            take(after, locked)
    return None


def _needed(board: Candidates, follows: Sequence[Node], gone: Candidate) -> tuple[Node, ...]:
    """Select those of *follows*, without the first, that the candidate *gone* is taken by, or rests on."""
    after = board.copy()
    taken_by: dict[Candidate, int] = {}
    reasons: list[set[int]] = []
    for number, node in enumerate(follows):
        before = _before(board, after, node) if number else ()
        reasons.append({taken_by[candidate] for candidate in before})
        for candidate in _cleared(after, node):
            taken_by[candidate] = number
            after.remove(*candidate)
    needed = {taken_by[gone]}
    for number in range(len(follows) - 1, 0, -1):
        if number in needed:
            needed |= reasons[number]
    return tuple(follows[number] for number in sorted(needed - {0}))


def _cleared(after: Candidates, node: Node) -> list[Candidate]:
    """Return what is false on a board if *node* is true."""
    seen = after.planes[node.digit] & seen_by_all(node.cells)
    cleared = [(cell, node.digit) for cell in cells_of(seen)]
    if len(node.cells) == 1:
        (cell,) = node.cells
        cleared += [(cell, digit) for digit in DIGITS_OF[after.masks[cell]] if digit != node.digit]
    return cleared


def _before(board: Candidates, after: Candidates, node: Node) -> list[Candidate]:
    """Return what had to be false, of the candidates of *board*, for *node* to be seen."""
    cells = cell_set(node.cells)
    if len(node.cells) == 1 and after.masks[node.cells[0]] == 1 << node.digit:
        (cell,) = node.cells
        return [(cell, digit) for digit in DIGITS_OF[board.masks[cell]] if digit != node.digit]
    left = after.planes[node.digit]
    unit = next(unit for unit in UNIT_SETS if left & unit and not left & unit & ~cells and not cells & ~unit)
    return [(cell, node.digit) for cell in cells_of(board.planes[node.digit] & unit & ~cells)]


def _shortest(board: Candidates, ends: list[_Followed], units: tuple[int, ...]) -> Step | None:
    """Return the step for the candidate that is false at all *ends*, with the fewest digits filled in."""
    steps = []
    for digit in DIGITS:
        left = 0
        for after, _ in ends:
            left |= after.planes[digit] | after.standing[digit]
        for cell in cells_of(board.planes[digit] & ~left):
            branches = tuple(
                Branch((follows[0].cells[0], follows[0].digit), _needed(board, follows, (cell, digit)))
                for _, follows in ends
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
    told = [
        f"{cell_name(node.cells[0])} = {node.digit}" if len(node.cells) == 1 else stands(node)
        for node in follows
    ]
    then = f" follow{'s' * (len(told) == 1)} {listed(told)}, and" if told else ""
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
