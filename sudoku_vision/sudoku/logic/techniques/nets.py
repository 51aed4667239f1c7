"""Forcing nets: whichever of several candidates is true, singles and locked candidates lead to the same.

Where a chain's link follows from the one before it alone, here each step may rest on all that are
before it; Sudoku Explainer calls such chains dynamic. No branch may end in a contradiction or in the
solution: that would be a trial, which has a name of its own.
"""

from collections.abc import Iterator, Sequence

from sudoku_vision.sudoku.logic.assumptions import follow, needed
from sudoku_vision.sudoku.logic.candidates import DIGITS, DIGITS_OF, Candidates, cells_of, united
from sudoku_vision.sudoku.logic.steps import Branch, Candidate, Node, Step, Technique, shown_on
from sudoku_vision.sudoku.logic.techniques.chains import stands
from sudoku_vision.sudoku.logic.techniques.forcing import told
from sudoku_vision.sudoku.logic.techniques.locked_candidates import CLAIMING, POINTING
from sudoku_vision.texts import Sentence

_Followed = tuple[Candidates, Sequence[Node]]
"""The board after all that follows, and what it was, the first candidate before it."""


def forcing_net(board: Candidates, technique: Technique) -> Step | None:
    """Find a cell or a unit whose candidates all lead to the same; the shortest of such nets is told."""
    known: dict[Candidate, _Followed | None] = {}
    best: Step | None = None
    for fork, units in _forks(board):
        for candidate in fork:
            if candidate not in known:
                known[candidate] = _open_end(board, candidate)
        ends = [end for candidate in fork if (end := known[candidate])]
        if len(ends) == len(fork):
            step = _shortest(board, technique, ends, units)
            if step is not None and (best is None or _length(step) < _length(best)):
                best = step
    return best


def _forks(board: Candidates) -> Iterator[tuple[list[Candidate], tuple[int, ...]]]:
    """Yield candidates of which one is true, and the unit that they are the places of a digit in, if any."""
    for cell in cells_of(board.blank):
        yield [(cell, digit) for digit in DIGITS_OF[board.masks[cell]]], ()
    for unit, members in board.sight.units.items():
        for digit in DIGITS:
            if board.planes[digit] & members:
                yield [(cell, digit) for cell in cells_of(board.planes[digit] & members)], (unit,)


def _open_end(board: Candidates, candidate: Candidate) -> _Followed | None:
    """Follow singles, and locked candidates where there are none; None at a contradiction or the solution."""
    after, follows, dead = follow(
        board, candidate, lambda board: POINTING.find(board) or CLAIMING.find(board)
    )
    return (after, follows) if dead is None and after.blank else None


def _shortest(
    board: Candidates, technique: Technique, ends: Sequence[_Followed], units: tuple[int, ...]
) -> Step | None:
    """Return the step for the candidate that is false at all *ends*, with the fewest digits filled in."""
    steps = []
    for digit in DIGITS:
        left = united(after.planes[digit] | after.standing[digit] for after, _ in ends)
        for cell in cells_of(board.planes[digit] & ~left):
            branches = tuple(
                Branch((nodes[0].cells[0], nodes[0].digit), tuple(needed(board, nodes, [(cell, digit)])))
                for _, nodes in ends
            )
            starts = [branch.start for branch in branches]
            step = Step(
                technique,
                tuple(dict.fromkeys(start for start, _ in starts)),
                tuple(dict.fromkeys([*(other for _, other in starts), digit])),
                units,
                eliminations=((cell, digit),),
                branches=branches,
            )
            steps.append(step)
    return min(steps, key=_length, default=None)


def _length(step: Step) -> int:
    return sum(1 + len(branch.follows) for branch in step.branches)


def _sentence(step: Step) -> Sentence:
    ((cell, digit),) = step.eliminations
    end = stands(Node((cell,), digit), False)
    cells, digits = zip(*(branch.start for branch in step.branches), strict=True)
    return told(
        step, "unit" if step.units else "cell", cells, digits, [_way(one, end) for one in step.branches]
    )


def _way(branch: Branch, end: Sentence) -> Sentence:
    (cell, digit), follows = branch.start, [*map(stands, branch.follows), end]
    return Sentence("fork.net_way", {"start": stands(Node((cell,), digit)), "follows": follows})


_EXAMPLES = ("100000002290400050006000700050903000000070000000850040700000600030009080002000001",)
TECHNIQUES = shown_on(_EXAMPLES, Technique("forcing net", 4000, "extreme", 700, forcing_net, _sentence))
