"""Many boards at once get the answers that each would get alone, and lists are read line by line."""

import gzip
import io
import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from examples import EASY, SOLVED, is_solved, shuffled
from hypothesis import given
from hypothesis import strategies as st

from sudoku_vision.errors import MissingExtraError, OpenError
from sudoku_vision.parallel.process_pool import ProcessPool
from sudoku_vision.sudoku import bulk
from sudoku_vision.sudoku.board import board_text, parse_board
from sudoku_vision.sudoku.bulk import BATCH, STATUSES, BulkSolver, Way, lists, solve_many
from sudoku_vision.sudoku.bulk.lists import Chunk, Values, read_list
from sudoku_vision.sudoku.solver import solve

CORNERED = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."
"""No solution and few clues: guesses alone run into the same corner millions of times (Peter Norvig)."""

needs_numba = pytest.mark.skipif(find_spec("numba") is None, reason="numba is not installed")
WAYS = [pytest.param("kernel", marks=needs_numba), "processes", "pure"]


def mixed_boards(count: int, seed: int = 1) -> Values:
    """Boards (N, 81) with none, one and many solutions and with clashes, from few clues to many."""
    rng = np.random.default_rng(seed)
    boards = np.array([shuffled(SOLVED, rng) for _ in range(count)], np.uint8)
    for board in boards:
        board[rng.random((9, 9)) < rng.uniform(0.0, 0.75)] = 0
        for _ in range(rng.choice([0, 0, 1, 2])):
            board[rng.integers(9), rng.integers(9)] = rng.integers(1, 10)
    return boards.reshape(-1, 81)


@pytest.mark.parametrize("way", WAYS)
def test_each_board_gets_what_it_would_get_alone(way: Way) -> None:
    boards = mixed_boards(200)
    alone = [solve(board) for board in boards]
    assert {solution.status for solution in alone} == {"none", "one", "many", "clash"}

    for board, expected, found in zip(boards, alone, solve_many(boards, engine=way, jobs=2), strict=True):
        assert found.status == expected.status
        assert (found.clashes, found.message) == (expected.clashes, expected.message)
        assert str(found) == str(expected) or expected.status == "many"
        for solution in (found.solution, found.second):
            if solution is not None:
                assert solution.shape == (9, 9)
                assert solution.dtype == np.int8
                assert is_solved(solution.flat)
                assert (solution.reshape(81) == board)[board > 0].all()
        if found.status == "many":
            assert found.second is not None
            assert str(found) != board_text(found.second)


def test_boards_come_in_any_form_that_solve_takes() -> None:
    flat = np.array([[int(digit) for digit in EASY]] * 3)
    grid = flat[0].reshape(9, 9)
    forms: list[Any] = [EASY, EASY.replace("0", "."), grid, grid.tolist()]
    for boards in (forms, flat, flat.reshape(-1, 9, 9), flat.astype(float), np.array([EASY] * 3)):
        assert {str(solution) for solution in solve_many(boards, engine="pure")} == {SOLVED}


@pytest.mark.parametrize("way", WAYS)
def test_malformed_boards_keep_their_place(way: Way) -> None:
    boards: list[Any] = [
        "no board",
        EASY,
        EASY[:80],
        np.full((9, 9), 10),
        [[1, 2], [3]],
        None,
        EASY,
        CORNERED,
    ]
    *found, cornered = solve_many(boards, engine=way)
    assert [solution.status == "one" for solution in found] == [board is EASY for board in boards[:-1]]
    assert {solution.status for solution in found} == {"one", "malformed"}
    assert all(solution.message for solution in found if solution.status == "malformed")
    assert cornered.status == "none"


@pytest.mark.parametrize("way", ["auto", *WAYS])
def test_answers_begin_before_the_boards_end(way: Way) -> None:
    drawn = 0

    def endless() -> Iterator[str]:
        nonlocal drawn
        while True:
            drawn += 1
            yield EASY

    assert [str(solution) for solution in islice(solve_many(endless(), engine=way, jobs=1), 4)] == [
        SOLVED
    ] * 4
    assert drawn <= 4 * 8


def test_only_some_batches_are_held_at_a_time() -> None:
    drawn = 0

    def many() -> Iterator[str]:
        nonlocal drawn
        for _ in range(20 * BATCH):
            drawn += 1
            yield SOLVED

    ahead = [drawn - solved for solved, _ in enumerate(solve_many(many(), jobs=1))]
    assert len(ahead) == 20 * BATCH
    assert max(ahead) <= 4 * BATCH


def test_a_process_that_is_lost_loses_no_board() -> None:
    boards = mixed_boards(600)
    expected = [solve(board).status for board in boards]
    found: list[str] = []
    with BulkSolver(engine="processes", jobs=2) as solver:
        parts = ((str(at), boards[at : at + 100]) for at in range(0, 600, 100))
        for _, solved in solver.stream(parts):
            if not found:
                assert solver._engine is not None
                executor = solver._engine.executor
                assert isinstance(executor, ProcessPool)
                os.kill(executor.process_ids()[0], signal.SIGKILL)
            found += [STATUSES[code] for code in solved.statuses]
    assert found == expected


@needs_numba
def test_the_kernel_is_loaded_for_many_boards_and_where_patience_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    boards = mixed_boards(bulk.KERNEL_AT_ONCE_FROM + 1)
    expected = [solve(board).status for board in boards[:60]]

    def engine_after(boards: Values) -> object:
        with BulkSolver(jobs=1) as solver:
            (_, solved), *_ = solver.stream([("", boards)])
            assert [STATUSES[code] for code in solved.statuses[:60]] == expected[: len(boards)]
            return type(solver._engine.executor) if solver._engine else None

    monkeypatch.setattr(bulk, "kernel_is_loaded", lambda: False)
    assert engine_after(boards[:3]) is None
    assert engine_after(boards) is ThreadPoolExecutor
    with monkeypatch.context() as patched:
        patched.setattr(bulk, "PURE_SECONDS", 0.001)
        assert engine_after(boards[:60]) is ThreadPoolExecutor
    monkeypatch.undo()
    assert engine_after(boards[:3]) is ThreadPoolExecutor


@needs_numba
@pytest.mark.parametrize(
    "boards",
    [
        np.zeros(81, np.uint8),
        np.zeros((1, 9, 9), np.uint8),
        np.full((1, 81), 10, np.uint8),
        np.zeros((1, 81)),
    ],
)
def test_the_kernel_never_gets_a_malformed_board(boards: Any) -> None:
    with BulkSolver(engine="kernel") as solver, pytest.raises(ValueError, match=r"\(N, 81\)"):
        list(solver.stream([("", boards)]))


def test_without_numba_the_pure_core_serves_and_announces_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "sudoku_vision.sudoku.bulk.kernel", raising=False)
    monkeypatch.delattr("sudoku_vision.sudoku.bulk.kernel", raising=False)
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.setattr(bulk, "PURE_SECONDS", 0.0)
    messages: list[str] = []
    boards = mixed_boards(50)
    found = [solution.status for solution in solve_many(boards, jobs=1, announce=messages.append)]
    assert found == [solve(board).status for board in boards]
    assert len(messages) == 1
    assert "numba is not installed" in messages[0]
    assert "pip install '.[bulk]'" in messages[0]
    with pytest.raises(MissingExtraError, match="sudoku-vision"):
        solve_many(boards, engine="kernel")


def test_where_compiled_code_cant_be_kept_it_serves_this_run(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[bool] = []

    def compiled_solve(*, cached: bool) -> Any:
        tried.append(cached)
        if cached:
            raise RuntimeError("cannot cache function '_solve': no locator available")
        return lambda *_: None

    class Compiling:
        def __init__(self, announce: Any) -> None: ...
        def __enter__(self) -> None: ...
        def __exit__(self, *_: object) -> None: ...

    stand_in = SimpleNamespace(compiled_solve=compiled_solve, compiling=Compiling)
    monkeypatch.setitem(sys.modules, "sudoku_vision.sudoku.bulk.kernel", stand_in)
    monkeypatch.setattr("sudoku_vision.sudoku.bulk.kernel", stand_in, raising=False)
    assert callable(bulk.load_kernel(print))
    assert tried == [True, False]


def test_a_million_lines_without_a_puzzle_are_no_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A gzip file of a megabyte may hold a thousand million of them."""
    path = tmp_path / "list.txt.gz"
    path.write_bytes(gzip.compress(f"{EASY}\n".encode() + 300_000 * b"#\n"))
    monkeypatch.setattr(lists, "MAX_IDLE_LINES", 150_000)
    found: list[lists.Chunk] = []
    with pytest.raises(OpenError, match=r"no puzzle in [\d,]+ successive lines"):
        found.extend(read_list(str(path)))
    assert sum(len(chunk.values) for chunk in found) == 1


CLASH = "55" + EASY[2:]
MANY = EASY[:9] + "0" * 72


def read(text: str | bytes, folder: Path) -> list[Chunk]:
    path = folder / "list.txt"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return list(read_list(str(path)))


@pytest.mark.parametrize(
    "line",
    [
        *(EASY.replace("0", blank) for blank in "0._*xX "),
        *(EASY + rest for rest in (f",{SOLVED}", " an easy one", "\t17;x", ";3.2", "\r")),
        *(f"  {EASY}", f'"{EASY}","{SOLVED}"', f"\ufeff{EASY}"),
    ],
)
def test_lines_as_people_have_them_are_puzzles(line: str, tmp_path: Path) -> None:
    for end in ("", "\n", f"\n{EASY}\n\n"):
        (chunk,) = read(line + end, tmp_path)
        assert chunk.well_formed.all()
        assert chunk.numbers.tolist() == list(range(1, len(chunk.numbers) + 1))
        assert {tuple(values) for values in chunk.values.tolist()} == {parse_board(EASY)}


def test_digits_set_apart_by_spaces_are_not_taken_for_a_board_with_blanks(tmp_path: Path) -> None:
    (chunk,) = read(" ".join(SOLVED) + "\n", tmp_path)
    assert not chunk.well_formed.any()


@given(st.lists(st.sampled_from([EASY, CLASH, "bad", "", "# note", f"{MANY} etc", "\u00e4" * 81, "7" * 90])))
def test_chunks_hold_every_line_once_whatever_their_size(lines: list[str]) -> None:
    text = "".join(f"{line}\n" for line in lines).encode()
    expected = [(number, line) for number, line in enumerate(lines, 1) if line and line[0] != "#"]
    for size in (1, 7, 1 << 18):
        chunks = [
            portion
            for piece in lists._whole_lines(Trickle(text, size), "")
            for portion in [lists._parse(piece, "", 1)[0]]
        ]
        good = [tuple(values) for chunk in chunks for values in chunk.values[chunk.well_formed].tolist()]
        assert good == [
            parse_board(line[:81]) for _, line in expected if line in (EASY, CLASH) or "etc" in line
        ]
        assert sum(len(chunk.numbers) for chunk in chunks) == len(expected)
        for chunk in chunks:
            parts = list(chunk.portions(2))
            assert [n for part in parts for n in part.numbers] == chunk.numbers.tolist()
            assert [good for part in parts for good in part.well_formed] == chunk.well_formed.tolist()
            assert [row for part in parts for row in part.values.tolist()] == chunk.values.tolist()


class Trickle(io.BytesIO):
    """Bytes that come a few at a time, as through a pipe."""

    def __init__(self, data: bytes, size: int) -> None:
        super().__init__(data)
        self._size = size

    def read1(self, size: int | None = -1, /) -> bytes:
        return super().read1(self._size)


def test_a_line_without_end_is_given_up_and_takes_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "MAX_UNENDED", 100_000)
    endless = Trickle(b"1" * 300_000, 10_000)
    with pytest.raises(OpenError, match="no line ends"):
        list(lists._whole_lines(endless, ""))
    long = Trickle(b"1" * 90_000 + b"\n" + EASY.encode(), 10_000)
    pieces = b"".join(lists._whole_lines(long, "")).splitlines()
    assert pieces == [b"1" * lists.MAX_LINE, EASY.encode()]


def test_every_listed_line_is_read_as_it_is_counted(shared_data: Path) -> None:
    counts = {"sudoku17_49158": 49158, "magictour_top1465": 1465, "tdoku_test_puzzles": 43}
    for name, count in counts.items():
        chunks = list(read_list(str(shared_data / "puzzles" / f"{name}.txt")))
        assert sum(len(chunk.values) for chunk in chunks) == count
        assert (np.diff(np.concatenate([chunk.numbers for chunk in chunks])) > 0).all()
        assert all(chunk.values.dtype == np.uint8 and chunk.values.max() <= 9 for chunk in chunks)
