"""The solver finds what is there, says when it is not, and says so quickly; also for unclear sums."""

from pathlib import Path
from typing import cast

import numpy as np
import pytest
from examples import EASY, SOLVED, is_solved, shuffled
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_vision.errors import BoardError
from sudoku_vision.sudoku.board import board_array, board_text, parse_board
from sudoku_vision.sudoku.generator import generate
from sudoku_vision.sudoku.rules import CLASSIC, PEERS
from sudoku_vision.sudoku.solver import count_solutions, is_unique, solve
from sudoku_vision.sudoku.solver.backtracking import PROBE_AT, Statistics, search
from sudoku_vision.sudoku.solver.cage_sums import likely_rules


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


def test_a_clash_names_its_cells_and_is_not_solved() -> None:
    board = board_array(parse_board(EASY))
    board[0, 8] = 5
    solution = solve(board)
    assert (solution.status, solution.clashes, solution.solution) == ("clash", (0, 8, 71), None)
    assert "5 in r1c1, 5 in r1c9, 5 in r8c9" in solution.message
    assert count_solutions(board) == 0
    assert not is_unique(board)
    assert len(search([int(value) for value in board.reshape(81)]).solutions) == 0


def test_many_solutions_show_two_different_ones() -> None:
    solution = solve(EASY.replace("5", "0").replace("7", "0"))
    assert solution.status == "many"
    assert solution.solution is not None and solution.second is not None
    assert is_solved(solution.solution.flat) and is_solved(solution.second.flat)
    assert board_text(solution.solution) != board_text(solution.second)


def test_a_board_may_have_no_solution_without_any_clash() -> None:
    solution = solve("12345678" + "." * 9 + "9" + "." * 63)
    assert (solution.status, solution.clashes) == ("none", ())
    assert "clue is wrong" in solution.message


def test_a_corner_that_cant_be_filled_is_found_while_all_else_is_open() -> None:
    """Made to take long: a few units can't be filled, and guesses elsewhere don't show it."""
    solution = solve("000005080000601200006000000010500000000136000300000045530000061000800000000000000")
    assert solution.status == "none"
    assert solution.statistics.guesses <= 2 * PROBE_AT


def test_statistics_count_how_much_was_tried() -> None:
    assert solve(EASY).statistics == Statistics(guesses=0, backtracks=0, depth=0)
    empty = solve("." * 81).statistics
    assert empty.guesses >= empty.depth > 20
    gave_up = solve("." * 81, max_guesses=5)
    assert (gave_up.status, gave_up.statistics.guesses) == ("gave_up", 5)
    hard = solve(
        "010500780900003000807000000700000000500004003002060070000005209000100000240000560"
    ).statistics
    # Each guess opens two ways; all but that to the solution end dead.
    assert hard.guesses == hard.backtracks > hard.depth > 2


@settings(max_examples=40)
@given(
    seed=st.integers(0, 10**6), blanks=st.sets(st.integers(0, 80), max_size=50), wrong=st.integers(-81, 80)
)
def test_status_and_count_are_those_of_brute_force(seed: int, blanks: set[int], wrong: int) -> None:
    """A solved board gets blank cells; half of the boards also get a digit that may be wrong or clash."""
    board = shuffled(SOLVED, np.random.default_rng(seed))
    values = [0 if cell in blanks else int(value) for cell, value in enumerate(board.flat)]
    if wrong >= 0:
        values[wrong] = seed % 9 + 1
    clashing = tuple(
        cell for cell in range(81) if values[cell] and values[cell] in [values[peer] for peer in PEERS[cell]]
    )
    count = 0 if clashing else brute_force(values[:], 20)
    found, solution = search(values, 20), solve(values)
    assert solution.status == (
        "clash" if clashing else "none" if not count else "one" if count == 1 else "many"
    )
    assert solution.clashes == CLASSIC.find_clashes(values) == clashing
    assert found.finished and len(set(found.solutions)) == count_solutions(values, 20) == count
    for digits in found.solutions:
        assert is_solved(digits)
        assert all(value in (0, digit) for value, digit in zip(values, digits, strict=True))


@pytest.mark.parametrize(
    "board",
    [
        "",
        "1" * 80,
        "1" * 82,
        "a" + "." * 80,
        [[0] * 9] * 8,
        [[0] * 9] * 8 + [[0] * 8],
        np.full((9, 9), 10),
        np.full((9, 9), 0.5),
    ],
)
def test_malformed_boards_get_a_remedy(board: str) -> None:
    assert solve(board).status == "malformed"
    assert "Give 81 cells" in solve(board).message
    assert solve(cast(str, None)).status == solve(np.full((9, 9), np.inf)).status == "malformed"
    for ask in (count_solutions, is_unique, parse_board):
        with pytest.raises(BoardError, match="Give 81 cells"):
            ask(board)


@settings(max_examples=100)
@given(
    board=st.text(alphabet="0123456789.x \n|١½", max_size=100) | st.lists(st.integers(-2, 11), max_size=82)
)
def test_no_input_raises(board: str) -> None:
    solution = solve(board)
    assert solution.status in ("one", "many", "none", "clash", "malformed")
    assert str(solution) == "" or is_solved(parse_board(str(solution)))


# Lists of puzzles: name, status of all their puzzles, and a number n: every n-th puzzle is solved.
LISTS = (
    ("seeds.txt", "one", 1),
    ("norvig_top95.txt", "one", 1),
    ("norvig_hardest.txt", "one", 1),
    ("magictour_top1465.txt", "one", 5),
    ("sudoku17_49158.txt", "one", 200),
    ("forum_hardest_1106.txt", "one", 10),
    ("forum_hardest_1905_11plus.txt", "one", 2000),
    ("serg_benchmark.txt", "many", 100),
)


@pytest.mark.parametrize(("name", "status", "every"), LISTS)
def test_listed_puzzles_have_the_status_that_they_are_listed_with(
    shared_data: Path, name: str, status: str, every: int
) -> None:
    path = shared_data / "puzzles" / name
    if not path.is_file():
        pytest.skip(f"no {name} at hand")
    for line in path.read_text().split()[::every]:
        solution = solve(line)
        assert solution.status == status
        for one in (solution.solution, solution.second):
            assert one is None or is_solved(one.flat)


RULES = generate(rules="killer", seed=5).rules
CELLS = [cage.cells for cage in RULES.cages]


def read_as(**others: dict[int, float]) -> dict[int, dict[int, float]]:
    """Return the right sums as sure ones, except for those of the cages ``c0``, ``c1``, ..."""
    return {
        cage.cells[0]: others.get(f"c{number}", {cage.sum: 0.99}) for number, cage in enumerate(RULES.cages)
    }


def test_unclear_sums_are_those_with_a_solution() -> None:
    unclear = {
        f"c{number}": {RULES.cages[number].sum: 0.3, RULES.cages[number].sum + change: 0.6}
        for number, change in ((0, 1), (3, -1), (7, 2), (12, -2))
    }
    ((rules, sure),) = likely_rules([(0.0, CELLS)], read_as(**unclear)).items()
    assert rules == RULES
    assert sure > 0.5


def test_a_sum_that_was_not_read_follows_from_the_others() -> None:
    assert list(likely_rules([(0.0, CELLS)], read_as(c4={}))) == [RULES]


def test_of_several_divisions_the_one_that_fits_its_sums_is_likeliest() -> None:
    merged = [(*CELLS[0], *CELLS[1]), *CELLS[2:]]
    likeliest, *_ = likely_rules([(0.0, merged), (0.0, CELLS)], read_as())
    assert likeliest == RULES


def test_nothing_is_likely_if_no_sums_make_405() -> None:
    rows = [tuple(range(9 * row, 9 * row + 9)) for row in range(8)]
    assert likely_rules([(0.0, [*rows, (72, 73)])], {}) == {}
