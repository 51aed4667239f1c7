"""Any number of boards, in whatever form, solved batch by batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np

from sudoku_vision.errors import BoardError, UsageError
from sudoku_vision.sudoku.board import BoardLike, parse_board
from sudoku_vision.sudoku.bulk.engines import STATUSES, Solved, Values
from sudoku_vision.sudoku.bulk.lists import marks_to_values
from sudoku_vision.sudoku.bulk.scheduler import BulkSolver, Way
from sudoku_vision.sudoku.solver import MESSAGES, Solution, solve


def solve_many(
    boards: Iterable[BoardLike],
    *,
    jobs: int | None = None,
    engine: Way = "auto",
    announce: Callable[[str], object] | None = None,
) -> Iterator[Solution]:
    """Solve any number of boards, each as ``solve`` would; yields in their order.

    *boards*: lines of 81 characters, (9, 9) arrays or what else ``solve`` takes, from a list or from a
    generator without end: only some batches are held at a time. An (N, 81) or (N, 9, 9) array is quickest. A
    malformed board gets its own ``Solution`` and stops nothing. Statistics are not kept.

    *jobs*: threads or processes, as many as processors where not said. *engine* picks the way to solve;
    *announce* is told, in a sentence, what makes a person wait (standard error where not given).

    Raises :class:`UsageError` if *jobs* or *engine* can't be, and :class:`MissingExtraError` if the kernel is
    asked for where there is no numba.

    >>> [solution.status for solution in solve_many(["8" + "." * 80, "88" + "." * 79])]
    ['many', 'clash']
    """
    solver = BulkSolver(jobs=jobs, engine=engine, announce=announce)
    return _solutions(solver, _checked(boards))


def _checked(boards: Iterable[BoardLike]) -> Iterable[BoardLike]:
    """Return *boards*, unless they are one board."""
    if isinstance(boards, (str, bytes)):
        raise UsageError("Several boards are expected, this is one text.", "Put it into a list.")
    if not isinstance(boards, np.ndarray):
        return boards
    if boards.dtype.kind not in "iufb":
        return list(boards)
    if boards.shape[1:] not in ((81,), (9, 9)):
        what = f"Boards have shape (N, 81) or (N, 9, 9), these have {boards.shape}."
        raise UsageError(what, "Put a single board into a list.")
    return boards


def _solutions(solver: BulkSolver, boards: Iterable[BoardLike]) -> Iterator[Solution]:
    """Parse, solve and unpack batch by batch."""
    with solver:
        for (values, known), solved in solver.stream(map(_parsed, _batches(boards, solver.portion))):
            unpacked = _unpacked(values, solved)
            yield from (solution or next(unpacked) for solution in known)


_Batch = tuple[tuple[Values, Sequence["Solution | None"]], Values]


def _batches(boards: Iterable[BoardLike], most: int) -> Iterator[Sequence[BoardLike]]:
    """Yield the boards, at most so many at once; from a generator few at first, to answer soon."""
    if isinstance(boards, (np.ndarray, Sequence)):
        whole: Any = boards
        yield from (whole[start : start + most] for start in range(0, len(whole), most))
        return
    source, size = iter(boards), 1
    while batch := list(islice(source, size)):
        yield batch
        size = min(2 * size, most)


def _parsed(boards: Sequence[BoardLike]) -> _Batch:
    """Return the values of the boards that are well formed, and for each None or that it is malformed."""
    values = _values_at_once(boards)
    if values is not None:
        return (values, [None] * len(boards)), values
    parsed = [_parsed_alone(board) for board in boards]
    values = np.array([board for board in parsed if board], np.uint8).reshape(-1, 81)
    known = [None if good else solve(board) for good, board in zip(parsed, boards, strict=True)]
    return (values, known), values


def _parsed_alone(board: BoardLike) -> tuple[int, ...] | None:
    """Return the 81 values of a board, None if it is malformed."""
    try:
        return parse_board(board)
    except BoardError:
        return None


def _values_at_once(boards: Sequence[BoardLike]) -> Values | None:
    """Return the values (N, 81) of a batch of well-formed boards of one kind; None if it isn't plain."""
    if isinstance(boards, np.ndarray):
        if boards.dtype.kind not in "iu":
            return None
        if len(boards) and not 0 <= int(boards.min()) <= int(boards.max()) <= 9:
            return None
        return np.ascontiguousarray(boards.reshape(-1, 81), np.uint8)
    if not all(isinstance(board, str) and len(board) == 81 and board.isascii() for board in boards):
        return None
    values = marks_to_values(np.frombuffer("".join(boards).encode(), np.uint8).reshape(-1, 81))  # type: ignore[arg-type]
    return values if len(values) == 0 or values.max() <= 9 else None


def _unpacked(values: Values, solved: Solved) -> Iterator[Solution]:
    """Return the boards of a batch as one :class:`Solution` each."""
    solutions = solved.solutions.astype(np.int8).reshape(-1, 9, 9)
    seconds = solved.seconds.astype(np.int8).reshape(-1, 9, 9)
    for at, code in enumerate(solved.statuses.tolist()):
        status = STATUSES[code]
        if status == "one":
            yield Solution("one", solutions[at].copy())
        elif status == "many":
            yield Solution("many", solutions[at].copy(), seconds[at].copy(), message=MESSAGES["many"])
        elif status == "none":
            yield Solution("none", message=MESSAGES["none"])
        else:
            yield solve(values[at])
