"""The solver finds what is there, says when it is not, and says so quickly."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_vision.board import board_array, parse_board
from sudoku_vision.errors import BoardError
from sudoku_vision.results import Board, board_text
from sudoku_vision.solver import PEERS, UNITS, count_solutions, find_clashes, search, solve

# Made with this solver: a random full grid, clues taken away in random order while one solution remains.
PROPER = (
    "000054310500370006000000000860030007040700000900006000000000060094000705083060002",
    "790000000034000000658030000001006048000900050870400001010000006000700014500000097",
    "895020310000030900310080200050046003000002005006870000000090840000450002407001000",
    "480073090003006578070009000800000916001084000000000300908205400507008000300607859",
    "530070000600195000098000060800060003400803001700020006060000280000419005000080079",
)
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def is_solved(board: Board) -> bool:
    """Every unit holds every digit."""
    values = board.reshape(81)
    return all({int(values[cell]) for cell in unit} == set(range(1, 10)) for unit in UNITS)


def brute_force(values: list[int], limit: int) -> int:
    """Count solutions by trying digits in the first blank cell, the plainest solver there is."""
    blank = next((cell for cell, value in enumerate(values) if not value), None)
    if blank is None:
        return 1
    count = 0
    for digit in set(range(1, 10)) - {values[peer] for peer in PEERS[blank]}:
        values[blank] = digit
        count += brute_force(values, limit - count)
        if count >= limit:
            break
    values[blank] = 0
    return count


def shuffled(values: str, seed: int) -> list[int]:
    """The same puzzle with digits, rows within bands and columns within stacks in another order."""
    rng = np.random.default_rng(seed)
    board = np.array(parse_board(values)).reshape(9, 9)
    rows = np.concatenate([3 * band + rng.permutation(3) for band in rng.permutation(3)])
    columns = np.concatenate([3 * stack + rng.permutation(3) for stack in rng.permutation(3)])
    digits = np.concatenate([[0], 1 + rng.permutation(9)])
    return [int(value) for value in digits[board[rows][:, columns]].reshape(81)]


@pytest.mark.parametrize("puzzle", PROPER)
def test_a_proper_puzzle_has_its_one_solution(puzzle: str) -> None:
    solution = solve(puzzle)
    assert solution.status == "one"
    assert solution.solution is not None and is_solved(solution.solution)
    assert solution.second is None
    assert all(clue in ("0", digit) for clue, digit in zip(puzzle, str(solution), strict=True))


def test_the_solution_reads_as_81_digits() -> None:
    assert str(solve(PROPER[-1])) == SOLVED
    assert str(solve("11" + "." * 79)) == ""


def test_a_board_may_be_text_an_array_or_nested_lists() -> None:
    board = board_array(parse_board(PROPER[-1]))
    spaced = "\n".join(PROPER[-1].replace("0", ".")[row : row + 9] for row in range(0, 81, 9))
    for same in (board, board.tolist(), board.reshape(81).tolist(), board.astype(float), spaced):
        assert str(solve(same)) == SOLVED


def test_a_clash_names_its_cells_and_is_not_solved() -> None:
    board = board_array(parse_board(PROPER[-1]))
    board[0, 8] = 5
    solution = solve(board)
    assert (solution.status, solution.clashes, solution.solution) == ("clash", (0, 8, 71), None)
    assert count_solutions(board) == 0
    assert len(search([int(value) for value in board.reshape(81)]).solutions) == 0


def test_many_solutions_show_two_different_ones() -> None:
    solution = solve(PROPER[-1].replace("5", "0").replace("7", "0"))
    assert solution.status == "many"
    assert solution.solution is not None and solution.second is not None
    assert is_solved(solution.solution) and is_solved(solution.second)
    assert board_text(solution.solution) != board_text(solution.second)


def test_no_solution_without_any_clash_is_told() -> None:
    solution = solve("12345678" + "." * 9 + "9" + "." * 63)
    assert (solution.status, solution.clashes) == ("none", ())


def test_a_hidden_contradiction_among_few_clues_is_found_soon() -> None:
    board = "000700000000000000000200005008000041007006000006000070000008706900000000042003009"
    assert solve(board, max_steps=500).status == "none"


@pytest.mark.parametrize("clues", range(0, 11))
def test_few_clues_are_many_solutions_at_once(clues: int) -> None:
    solution = solve(SOLVED[:clues] + "." * (81 - clues), max_steps=200)
    assert solution.status == "many"


def test_a_full_board_is_its_own_solution() -> None:
    assert solve(SOLVED).status == "one"
    assert solve(SOLVED[:-1] + "8").status == "clash"


def test_it_says_when_it_gives_up() -> None:
    assert solve("." * 81, max_steps=5).status == "gave_up"


def test_solutions_are_counted_up_to_the_limit() -> None:
    ambiguous = SOLVED.replace("1", "0").replace("2", "0")
    assert count_solutions(ambiguous, limit=1) == 1
    assert count_solutions(ambiguous, limit=1000) == brute_force(list(parse_board(ambiguous)), 1000) > 1


@settings(max_examples=40, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6), blanks=st.sets(st.integers(0, 80), max_size=50))
def test_it_counts_what_brute_force_counts(seed: int, blanks: set[int]) -> None:
    values = shuffled(SOLVED, seed)
    values = [0 if cell in blanks else value for cell, value in enumerate(values)]
    found = search(values, 20)
    assert found.finished
    assert len(found.solutions) == len(set(found.solutions)) == brute_force(values, 20)
    for digits in found.solutions:
        assert is_solved(board_array(digits))
        assert all(value in (0, digit) for value, digit in zip(values, digits, strict=True))


@settings(max_examples=40, deadline=None, derandomize=True)
@given(values=st.lists(st.sampled_from([0] * 30 + list(range(1, 10))), min_size=81, max_size=81))
def test_clashes_are_cells_with_an_equal_peer(values: list[int]) -> None:
    clashing = tuple(
        cell for cell in range(81) if values[cell] and values[cell] in [values[peer] for peer in PEERS[cell]]
    )
    assert find_clashes(values) == clashing
    assert not (clashing and search(values).solutions)


@pytest.mark.parametrize(
    "board",
    ["", "1" * 80, "1" * 82, "a" + "." * 80, [[0] * 9] * 8, [[0] * 9] * 8 + [[0] * 8], np.full((9, 9), 10)],
)
def test_what_is_no_board_says_what_to_give(board: str) -> None:
    with pytest.raises(BoardError, match="Give 81 cells"):
        solve(board)


@pytest.mark.parametrize("board", [np.full((9, 9), 0.5), np.full((9, 9), -1), np.full((9, 9), np.nan), None])
def test_arrays_of_anything_else_are_no_boards(board: str) -> None:
    with pytest.raises(BoardError):
        count_solutions(board)
