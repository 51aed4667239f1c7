"""Rules are a value: jigsaws and diagonals are solved, decoded and explained like the classic game."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from examples import EASY, is_solved

from sudoku_vision.api.board_pages import solved_board
from sudoku_vision.errors import BoardError, ImproperError
from sudoku_vision.sudoku.display import board_lines
from sudoku_vision.sudoku.formats import link, read_boards, read_link, write_boards
from sudoku_vision.sudoku.formats.named_board import NamedBoard
from sudoku_vision.sudoku.logic import hint
from sudoku_vision.sudoku.regions import BORDERS, is_cut, random_regions, unevenness
from sudoku_vision.sudoku.rules import BOXES, CLASSIC, Rules, rules_from
from sudoku_vision.sudoku.solver import any_rules, backtracking, count_solutions, is_unique, searcher, solve
from sudoku_vision.vision.decode import decode, grid_status, with_rules
from sudoku_vision.vision.results import DigitScores
from sudoku_vision.vision.verdicts import check

JIGSAW = Rules("222222333221116663521111163555555163445456663744446883777488883777489889779999999")
"""Nine regions of nine cells, grown from boxes by swaps on their borders."""
DIAGONAL = Rules(diagonal=True)
BOTH = Rules(JIGSAW.regions, diagonal=True)


def full_board(rules: Rules) -> tuple[int, ...]:
    """Any full board under the rules."""
    return searcher(rules)((1, 2, 3, 4, 5, 6, 7, 8, 9, *[0] * 72), 1).solutions[0]


@cache
def puzzle(rules: Rules) -> tuple[int, ...]:
    """A proper puzzle under the rules, from which no further clue is taken in reading order."""
    board = list(full_board(rules))
    for cell in np.random.default_rng(1).permutation(81).tolist():
        digit, board[cell] = board[cell], 0
        if len(searcher(rules)(board).solutions) > 1:
            board[cell] = digit
    return tuple(board)


@pytest.mark.parametrize("rules", [JIGSAW, DIAGONAL, BOTH])
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
        found = any_rules._CoverSearch(CLASSIC, values).run(1000)
        assert set(found.solutions) == set(backtracking.search(values, 1000).solutions)


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
    """Without learning from dead ends these take more than half a minute."""
    solved = solve([clues.get(cell, 0) for cell in range(81)], rules=Rules(regions))
    assert solved.status == "many" and solved.statistics.guesses < 2000


def test_a_search_that_takes_too_long_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """No full board fits these regions, and to show that takes a search hours."""
    monkeypatch.setattr(backtracking, "MAX_GUESSES", 50)
    rules = Rules("111112222311114422344444562333334562738384562798888566799998556779998556777798566")
    solved = solve("." * 81, rules=rules)
    assert (solved.status, solved.solution, solved.statistics.guesses) == ("gave_up", None, 100)
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
    assert [rules.name for rules in (CLASSIC, JIGSAW, DIAGONAL, BOTH)] == [
        "classic",
        "jigsaw",
        "diagonal",
        "diagonal jigsaw",
    ]


@pytest.mark.parametrize(
    ("name", "regions", "reason"),
    [
        ("killer", "", "no rules 'killer'"),
        ("jigsaw", "", "needs its regions"),
        ("", "123", "these are 3"),
        ("", BOXES[:-1] + "1", "region 1 has 10"),
    ],
)
def test_what_are_no_rules_is_refused(name: str, regions: str, reason: str) -> None:
    with pytest.raises(BoardError, match=reason):
        rules_from(name, regions)


@pytest.mark.parametrize("rules", [JIGSAW, DIAGONAL, BOTH])
def test_rules_travel_in_text_and_links(rules: Rules) -> None:
    board = NamedBoard(puzzle(rules), rules=rules)
    assert read_boards(write_boards([board], "jsonl")) == [board]
    assert read_link(link(board, "f-puzzles.com")) == read_link(link(board, "sudokupad.app")) == board


def test_a_drawn_board_shows_its_regions() -> None:
    """The borders between cells are those between regions, and nothing else is."""
    lines = board_lines("0" * 81, rules=JIGSAW)
    assert [len(line) for line in lines] == [37] * 19
    between = [line[1::4] for line in lines[::2]]  # below each row, from above the first on
    assert [(row, column) for row in range(1, 9) for column in range(9) if between[row][column] == "-"] == [
        divmod(two, 9) for one, two in JIGSAW.borders() if two == one + 9
    ]
    beside = [line[::4] for line in lines[1::2]]
    assert [(row, column) for row in range(9) for column in range(1, 9) if beside[row][column] == "|"] == [
        divmod(two, 9) for one, two in JIGSAW.borders() if two == one + 1
    ]


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
    divisions = [random_regions(np.random.default_rng(seed)) for seed in range(20)]
    assert len(set(divisions)) == 20
    for seed, division in enumerate(divisions):
        assert Rules(division).regions == division and not unevenness([int(region) for region in division])
        group = np.arange(81)  # cells joined over borders that aren't cut
        for _ in range(81):
            for one, other in BORDERS[~is_cut(division)]:
                group[[one, other]] = min(group[one], group[other])
        assert len(set(group.tolist())) == 9
        assert division == random_regions(np.random.default_rng(seed))


def test_boxes_cut_the_fewest_borders() -> None:
    assert np.count_nonzero(is_cut(BOXES)) == 36
