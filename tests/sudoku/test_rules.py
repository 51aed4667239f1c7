"""Rules are a value: jigsaws and diagonals are solved, decoded and explained like the classic game."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from examples import EASY, is_solved

from sudoku_vision.errors import ImproperError
from sudoku_vision.page import solved_board
from sudoku_vision.sudoku.board import board_array, board_text, parse_board
from sudoku_vision.sudoku.display import board_lines
from sudoku_vision.sudoku.formats import link, read_boards, write_boards
from sudoku_vision.sudoku.formats.named_board import NamedBoard
from sudoku_vision.sudoku.logic import hint
from sudoku_vision.sudoku.regions import BORDERS, is_cut, random_regions, unevenness
from sudoku_vision.sudoku.rules import BOXES, CLASSIC, Rules, rules_from
from sudoku_vision.sudoku.solver import _SatSearch, count_solutions, is_unique, searcher, solve
from sudoku_vision.sudoku.solver.backtracking import search
from sudoku_vision.vision.decode import decode, grid_status, with_rules
from sudoku_vision.vision.results import DigitScores
from sudoku_vision.vision.verdicts import check

JIGSAW = Rules("222222333221116663521111163555555163445456663744446883777488883777489889779999999")
"""Nine regions of nine cells, grown from boxes by swaps on their borders."""
DIAGONAL = Rules(diagonal=True)
BOTH = Rules(JIGSAW.regions, diagonal=True)
CAGES = (
    (10, (0, 1, 2, 9)), (15, (3, 11, 12)), (16, (4, 13, 22)), (18, (5, 6, 14, 23)), (16, (7, 16, 17)),
    (6, (8,)), (24, (10, 18, 19)), (11, (15, 24)), (12, (20, 21)), (16, (25, 26, 34)), (18, (27, 28, 29)),
    (16, (30, 38, 39)), (10, (31, 32, 33, 41)), (17, (35, 43, 44)), (12, (36, 37, 46)), (21, (40, 49, 50)),
    (22, (42, 51, 60, 69)), (21, (45, 54, 63, 64)), (7, (47, 48)), (6, (52,)), (18, (53, 62, 71)),
    (18, (55, 56, 65)), (3, (57, 66)), (20, (58, 59, 67, 68)), (7, (61, 70)), (7, (72, 73)), (17, (74, 75)),
    (20, (76, 77, 78, 79)), (1, (80,)),
)  # fmt: skip
"""Random cages over a random full board."""
KILLER = Rules(cages=CAGES)
ANSWER = "231489576476523918895761243657812394312694785984357162763145829149238657528976431"


def full_board(rules: Rules) -> tuple[int, ...]:
    first_row = [0] * 9 if rules.cages else range(1, 10)
    return searcher(rules)((*first_row, *[0] * 72), 1).solutions[0]


@cache
def puzzle(rules: Rules) -> tuple[int, ...]:
    """A proper puzzle under the rules, with hardly more clues than it needs."""
    board = list(full_board(rules))
    for cell in np.random.default_rng(1).permutation(81).tolist():
        digit, board[cell] = board[cell], 0
        if len(searcher(rules)(board).solutions) > 1:
            board[cell] = digit
    return tuple(board)


@pytest.mark.parametrize("rules", [JIGSAW, DIAGONAL])
def test_a_board_is_solved_under_its_rules(rules: Rules) -> None:
    board, answer = puzzle(rules), full_board(rules)
    solved = solve(board, rules=rules)
    assert solved.status == "one"
    assert str(solved) == "".join(map(str, answer))
    assert is_solved(answer, rules)
    assert count_solutions([0 if digit == 1 else digit for digit in board], rules=rules) == 2
    assert solve(board).status != "one"  # the clues of a jigsaw, or the few of a diagonal, don't do without


def test_any_rules_find_what_the_fast_search_finds() -> None:
    for clues in (EASY, "0" * 9 + EASY[9:], "55" + "0" * 79):
        values = [int(digit) for digit in clues]
        found = _SatSearch(CLASSIC)(values, 1000)
        assert set(found.solutions) == set(search(values, 1000).solutions)


@pytest.mark.parametrize(
    ("regions", "clues"),
    [
        (
            "112223333111422233114422533114424535677444555667777555666787999666887999888888999",
            {18: 4, 28: 1, 38: 2},
        ),
        ("122223333122222433111111433155556443557556644577766448777966648977968888999999888", {78: 7}),
        ("112223333112223433112553443112255444166555544666657748666777788999777888999999888", {49: 4, 77: 7}),
    ],
)
def test_a_jigsaw_with_few_clues_is_settled_in_a_moment(regions: str, clues: dict[int, int]) -> None:
    """A search that doesn't learn from its dead ends takes more than half a minute for each."""
    solved = solve([clues.get(cell, 0) for cell in range(81)], rules=Rules(regions))
    assert solved.status == "many" and solved.statistics.guesses < 2000


def test_a_search_that_takes_too_long_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """No full board fits these regions, which takes some 500 dead ends to show."""
    monkeypatch.setattr("sudoku_vision.sudoku.solver.MAX_GUESSES", 50)
    rules = Rules("111112222311114422344444562333334562738384562798888566799998556779998556777798566")
    solved = solve("." * 81, rules=rules)
    assert (solved.status, solved.solution) == ("gave_up", None)
    assert solved.statistics.backtracks < 500
    assert "given up" in solved.message
    (grid,) = solved_board(NamedBoard(np.zeros((9, 9), np.int8), rules=rules), "board").grids
    assert (grid.status, grid.solution, check(grid).status) == ("uncertain", None, "uncertain")
    for ask in (is_unique, count_solutions, hint):
        with pytest.raises(ImproperError) as refused:
            ask("." * 81, rules=rules)
        assert refused.value.status == "gave_up"


def test_a_clash_names_the_unit_that_the_rules_have() -> None:
    twice = [5, *[0] * 39, 5, *[0] * 40]  # both on the diagonal from the top left
    assert solve(twice).status == "many"
    solved = solve(twice, rules=DIAGONAL)
    assert solved.clashes == (0, 40)
    assert "row, column, box or diagonal" in solved.message


def test_regions_are_equal_however_they_are_numbered() -> None:
    renumbered = JIGSAW.regions.translate(str.maketrans("123456789", "987654321"))
    assert Rules(" ".join(renumbered)) == JIGSAW
    assert Rules(BOXES) == CLASSIC
    assert rules_from("diagonal jigsaw", JIGSAW.regions) == BOTH
    names = [rules.name for rules in (CLASSIC, JIGSAW, DIAGONAL, BOTH)]
    assert names == ["classic", "jigsaw", "diagonal", "diagonal jigsaw"]


@pytest.mark.parametrize("rules", [JIGSAW, DIAGONAL, BOTH, KILLER])
def test_rules_travel_in_text_and_links(rules: Rules) -> None:
    board = NamedBoard((*full_board(rules)[:30], *[0] * 51), rules=rules)
    links = link(board, "f-puzzles.com"), link(board, "sudokupad.app")
    for text in (write_boards([board], "jsonl"), *links):
        assert read_boards(text) == [board]


@pytest.mark.parametrize("unicode", [False, True])
def test_the_cages_of_a_drawn_killer_are_read_back(unicode: bool) -> None:
    lines = board_lines("." * 81, unicode=unicode, rules=KILLER)
    (board,) = read_boards("\n".join(lines))
    assert board.rules == KILLER
    assert lines[0].translate(str.maketrans("┌─┬┐", "+-++")) == "+10---------+15-+16-+18-----+16-+6--+"


@pytest.fixture
def scores() -> DigitScores:
    """A jigsaw that is read without doubt, but as a classic puzzle."""
    ink = np.full((81, 10), 1e-6)
    ink[np.arange(81), puzzle(JIGSAW)] = 1
    log_probs = np.log(ink / ink.sum(axis=1, keepdims=True)).astype(np.float32)
    return DigitScores(log_probs, np.zeros(81, np.float32))


def test_a_page_is_decoded_under_its_rules(scores: DigitScores) -> None:
    assert grid_status(decode(scores)) != "solved"
    by_rules = replace(scores, rules=JIGSAW)
    assert grid_status(decode(by_rules)) == "solved"
    assert grid_status(decode(replace(by_rules, rules_probability=0.9))) == "uncertain"


def test_where_lines_leave_a_choice_the_clues_decide_which_regions_hold(scores: DigitScores) -> None:
    other = Rules(JIGSAW.regions[::-1])
    ruled = with_rules(scores, {other: 0.6, JIGSAW: 0.4})
    assert ruled.rules == JIGSAW and 0.99 < ruled.rules_probability < 1
    assert decode(ruled).solutions == 1
    assert with_rules(scores, {CLASSIC: 0.6, JIGSAW: 0.4}).rules == CLASSIC


def test_random_regions_are_nine_connected_ones_of_nine_and_come_again_with_their_seed() -> None:
    divisions = [random_regions(np.random.default_rng(seed)) for seed in range(8)]
    assert len(set(divisions)) == 8
    for seed, division in enumerate(divisions):
        assert Rules(division).regions == division and not unevenness([int(region) for region in division])
        group = np.arange(81)  # cells joined over borders that aren't cut
        for _ in range(81):
            for one, other in BORDERS[~is_cut(division)]:
                group[[one, other]] = min(group[one], group[other])
        assert len(set(group.tolist())) == 9
        assert division == random_regions(np.random.default_rng(seed))


def test_a_killer_is_solved_without_a_clue() -> None:
    assert sum(cage.sum for cage in KILLER.cages) == 405
    assert str(solve("." * 81, rules=KILLER)) == ANSWER
    assert solve("." * 81, rules=Rules(cages=CAGES[:-1])).status == "one"
    assert solve("." * 81, rules=Rules(cages=CAGES[:9])).status == "many"
    assert solve("." * 81, rules=Rules(cages=((4, (0, 1)), *CAGES[1:]))).status == "none"


def test_a_killer_turns_with_its_page() -> None:
    turned = KILLER.turned(1)
    assert str(solve("." * 81, rules=turned)) == board_text(np.rot90(board_array(parse_board(ANSWER))))
    assert turned.turned(3) == KILLER


def test_digits_of_a_cage_clash_if_they_are_equal_or_cant_make_its_sum() -> None:
    assert KILLER.find_clashes([*[0] * 57, 3, *[0] * 23]) == (57,)
    assert KILLER.find_clashes([*[0] * 57, 1, *[0] * 23]) == ()
    assert Rules(cages=[(12, (0, 1, 30))]).find_clashes([2, *[0] * 29, 2, *[0] * 50]) == (0, 30)
