"""Each technique sees its pattern, strikes out what follows and nothing else, and says why."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from sudoku_vision.board import cell_name, parse_board
from sudoku_vision.logic import TECHNIQUES, Step, Technique
from sudoku_vision.logic.candidates import DIGITS, EVERY_CELL, UNIT_SETS, Candidates, cells_of
from sudoku_vision.logic.techniques import (
    chains,
    colouring,
    fish,
    locked_candidates,
    rectangles,
    single_digit,
    singles,
    subsets,
    trial,
    wings,
)


def at(name: str) -> int:
    """The cell of a name such as r3c7."""
    return 9 * int(name[1]) + int(name[3]) - 10


def open_board() -> Candidates:
    """A board on which everything is possible."""
    return Candidates([0] * 81)


def hold(board: Candidates, cells: str, digits: Iterable[int]) -> None:
    """Leave *digits* alone in each of *cells*."""
    for name in cells.split():
        for digit in set(DIGITS) - set(digits):
            board.remove(at(name), digit)


def keep(board: Candidates, digit: int, unit: int, cells: str) -> None:
    """Leave *cells* alone as the places of *digit* in *unit* (0..26)."""
    kept = {at(name) for name in cells.split()}
    for cell in cells_of(UNIT_SETS[unit]):
        if cell not in kept:
            board.remove(cell, digit)


def struck(step: Step | None) -> dict[int, set[str]]:
    """What a step strikes out: the names of cells, by digit."""
    assert step is not None
    assert not step.placements
    by_digit: dict[int, set[str]] = {}
    for cell, digit in step.eliminations:
        by_digit.setdefault(digit, set()).add(cell_name(cell))
    return by_digit


def row(number: int) -> int:
    return number - 1


def column(number: int) -> int:
    return number + 8


def box(number: int) -> int:
    return number + 17


@pytest.mark.parametrize("technique", [one for one in TECHNIQUES if one is not trial.TRIAL], ids=str)
def test_nothing_is_seen_where_everything_is_possible(technique: Technique) -> None:
    assert technique.find(open_board()) is None


def test_a_hidden_single_is_told_by_its_unit() -> None:
    board = open_board()
    keep(board, 5, row(3), "r3c7")
    step = singles.hidden_single(board)
    assert step is not None
    assert step.placements == ((at("r3c7"), 5),)
    assert step.text == "In row 3, the digit 5 fits only in r3c7."


def test_a_naked_single_is_told_by_its_cell() -> None:
    board = open_board()
    hold(board, "r9c9", [4])
    step = singles.naked_single(board)
    assert step is not None
    assert step.placements == ((at("r9c9"), 4),)
    assert "r9c9" in step.text


def test_a_single_is_told_with_the_digits_that_force_it_and_what_was_struck_out() -> None:
    board = Candidates(parse_board("000000000000000050" + "0" * 54 + "000500000"))
    for name in ("r1c1", "r1c2", "r1c3", "r1c5"):
        board.remove(at(name), 5)
    step = singles.hidden_single(board)
    assert step is not None
    told = singles.with_blockers(board, step)
    assert told.text == (
        "In row 1, the digit 5 fits only in r1c6: the 5s in r2c8 and r9c4 see the other blank cells but for "
        "r1c1, r1c2, r1c3 and r1c5, where it has been struck out."
    )
    assert told.blockers == ((at("r2c8"), 5), (at("r9c4"), 5))
    board = Candidates(parse_board("120000000000000004" + "0" * 54 + "000000005"))
    for digit in (3, 6, 7):
        board.remove(at("r1c9"), digit)
    board.remove(at("r1c9"), 8)
    step = singles.naked_single(board)
    assert step is not None
    assert singles.with_blockers(board, step).text == (
        "In r1c9, no digit but 9 is possible any more: row 1 holds 1 and 2; column 9 holds 4 and 5; "
        "3, 6, 7 and 8 have been struck out."
    )


def test_pointing_clears_the_line_outside_the_box() -> None:
    board = open_board()
    keep(board, 5, box(1), "r1c1 r1c3")
    step = locked_candidates.pointing(board)
    assert struck(step) == {5: {f"r1c{c}" for c in range(4, 10)}}
    assert step is not None and (step.units, step.covers) == ((box(1),), (row(1),))


def test_claiming_clears_the_box_outside_the_line() -> None:
    board = open_board()
    keep(board, 5, column(4), "r7c4 r9c4")
    step = locked_candidates.claiming(board)
    assert struck(step) == {5: {f"r{r}c{c}" for r in (7, 8, 9) for c in (5, 6)}}
    assert step is not None and (step.units, step.covers) == ((column(4),), (box(8),))


@pytest.mark.parametrize(
    ("finder", "cells", "digits"),
    [
        (subsets.NAKED_PAIR.find, "r1c1 r1c5", (1, 2)),
        (subsets.NAKED_TRIPLE.find, "r1c1 r1c5 r1c9", (1, 2, 3)),
        (subsets.NAKED_QUAD.find, "r1c1 r1c4 r1c5 r1c9", (1, 2, 3, 4)),
    ],
)
def test_a_naked_subset_keeps_its_digits_from_the_rest_of_the_unit(
    finder: Callable[[Candidates], Step | None], cells: str, digits: tuple[int, ...]
) -> None:
    board = open_board()
    hold(board, cells, digits)
    step = finder(board)
    others = {f"r1c{c}" for c in range(1, 10)} - set(cells.split())
    assert struck(step) == dict.fromkeys(digits, others)
    assert step is not None and step.units == (row(1),)


def test_a_naked_pair_of_a_box_and_a_line_clears_both() -> None:
    board = open_board()
    hold(board, "r1c1 r1c2", (1, 2))
    step = subsets.NAKED_PAIR.find(board)
    others = {f"r1c{c}" for c in range(3, 10)} | {f"r{r}c{c}" for r in (2, 3) for c in (1, 2, 3)}
    assert struck(step) == {1: others, 2: others}
    assert step is not None and set(step.units) == {row(1), box(1)}


def test_a_naked_triple_needs_no_cell_with_all_three() -> None:
    board = open_board()
    hold(board, "r1c1", (1, 2))
    hold(board, "r1c5", (2, 3))
    hold(board, "r1c9", (1, 3))
    assert set(struck(subsets.NAKED_TRIPLE.find(board))) == {1, 2, 3}


@pytest.mark.parametrize(
    ("finder", "cells", "digits"),
    [
        (subsets.HIDDEN_PAIR.find, "r1c1 r5c1", (1, 2)),
        (subsets.HIDDEN_TRIPLE.find, "r1c1 r5c1 r9c1", (1, 2, 3)),
        (subsets.HIDDEN_QUAD.find, "r1c1 r4c1 r5c1 r9c1", (1, 2, 3, 4)),
    ],
)
def test_a_hidden_subset_keeps_other_digits_from_its_cells(
    finder: Callable[[Candidates], Step | None], cells: str, digits: tuple[int, ...]
) -> None:
    board = open_board()
    for digit in digits:
        keep(board, digit, column(1), cells)
    assert struck(finder(board)) == {digit: set(cells.split()) for digit in set(DIGITS) - set(digits)}


@pytest.mark.parametrize(
    ("finder", "lines", "across"),
    [
        (fish.X_WING.find, (2, 6), (3, 7)),
        (fish.SWORDFISH.find, (2, 6, 8), (3, 7, 9)),
        (fish.JELLYFISH.find, *[(1, 4, 6, 9)] * 2),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_a_fish_clears_the_lines_across(
    finder: Callable[[Candidates], Step | None], lines: tuple[int, ...], across: tuple[int, ...], turned: bool
) -> None:
    def name(along: int, cross: int) -> str:
        return f"r{cross}c{along}" if turned else f"r{along}c{cross}"

    board = open_board()
    for number, line in enumerate(lines):
        # Where there are three or more places, each line may lack one.
        places = across if len(across) == 2 else across[:number] + across[number + 1 :]
        keep(board, 5, (column if turned else row)(line), " ".join(name(line, cross) for cross in places))
    step = finder(board)
    rest = {name(line, cross) for line in set(range(1, 10)) - set(lines) for cross in across}
    assert struck(step) == {5: rest}
    assert step is not None and len(step.units) == len(step.covers) == len(lines)


def test_a_skyscraper_clears_what_sees_both_roofs() -> None:
    board = open_board()
    keep(board, 1, row(1), "r1c1 r1c5")
    keep(board, 1, row(8), "r8c1 r8c6")
    step = single_digit.skyscraper(board)
    assert struck(step) == {1: {"r2c6", "r3c6", "r7c5", "r9c5"}}
    assert step is not None and [link.strong for link in step.links] == [True, False, True]


def test_a_two_string_kite_clears_what_sees_both_ends() -> None:
    board = open_board()
    keep(board, 1, row(1), "r1c1 r1c5")
    keep(board, 1, column(2), "r3c2 r8c2")
    assert struck(single_digit.two_string_kite(board)) == {1: {"r8c5"}}


def test_colouring_clears_what_sees_both_colours() -> None:
    board = open_board()
    keep(board, 1, row(1), "r1c1 r1c5")
    keep(board, 1, column(5), "r1c5 r8c5")
    keep(board, 1, row(8), "r8c5 r8c2")
    step = colouring.simple_colouring(board)
    assert struck(step) == {1: {"r2c2", "r3c2", "r7c1", "r9c1"}}
    assert step is not None
    assert {frozenset(map(cell_name, colour)) for colour in step.colours} == {
        frozenset({"r1c1", "r8c5"}),
        frozenset({"r1c5", "r8c2"}),
    }


def test_a_colour_that_sees_itself_is_false() -> None:
    board = open_board()
    keep(board, 1, row(1), "r1c1 r1c5")
    keep(board, 1, column(5), "r1c5 r8c5")
    keep(board, 1, row(8), "r8c5 r8c2")
    keep(board, 1, column(2), "r8c2 r3c2")
    step = colouring.simple_colouring(board)
    assert struck(step) == {1: {"r1c1", "r8c5", "r3c2"}}
    assert step is not None and "see each other" in step.text


def test_a_unique_rectangle_keeps_its_fourth_corner_other() -> None:
    board = open_board()
    hold(board, "r1c1 r1c2 r4c1", (1, 2))
    assert struck(rectangles.unique_rectangle(board)) == {1: {"r4c2"}, 2: {"r4c2"}}


def test_a_rectangle_over_four_boxes_says_nothing() -> None:
    board = open_board()
    hold(board, "r1c1 r1c4 r4c1", (1, 2))
    assert rectangles.unique_rectangle(board) is None


def test_an_xy_wing_clears_what_sees_both_pincers() -> None:
    board = open_board()
    hold(board, "r1c1", (1, 2))
    hold(board, "r1c5", (1, 3))
    hold(board, "r5c1", (2, 3))
    step = wings.xy_wing(board)
    assert struck(step) == {3: {"r5c5"}}
    assert step is not None and step.cells[0] == at("r1c1")


def test_an_xyz_wing_clears_what_sees_all_three() -> None:
    board = open_board()
    hold(board, "r1c1", (1, 2, 3))
    hold(board, "r1c5", (1, 3))
    hold(board, "r2c2", (2, 3))
    assert struck(wings.xyz_wing(board)) == {3: {"r1c2", "r1c3"}}


def test_a_w_wing_clears_what_sees_both_ends() -> None:
    board = open_board()
    hold(board, "r1c1 r5c5", (1, 2))
    keep(board, 1, row(9), "r9c1 r9c5")
    assert struck(wings.w_wing(board)) == {2: {"r1c5", "r5c1"}}


def test_an_xy_chain_clears_what_sees_both_ends() -> None:
    board = open_board()
    hold(board, "r1c1", (1, 2))
    hold(board, "r1c5", (2, 3))
    hold(board, "r5c5", (3, 4))
    hold(board, "r5c9", (4, 1))
    step = chains.xy_chain(board)
    assert struck(step) == {1: {"r1c9", "r5c1"}}
    assert step is not None and len(step.links) == 7


def test_a_chain_finds_the_shortest_way() -> None:
    board = open_board()
    keep(board, 1, row(1), "r1c1 r1c5")
    keep(board, 1, column(2), "r3c2 r8c2")
    step = chains.alternating_chain(board)
    assert struck(step) == {1: {"r8c5"}}
    assert step is not None and len(step.links) == 3


def test_a_chain_that_closes_clears_all_its_weak_links() -> None:
    board = open_board()
    keep(board, 5, row(2), "r2c3 r2c7")
    keep(board, 5, row(6), "r6c3 r6c7")
    step = chains.alternating_chain(board)
    rest = {f"r{r}c{c}" for r in set(range(1, 10)) - {2, 6} for c in (3, 7)}
    assert struck(step) == {5: rest}
    assert step is not None and not step.links[-1].strong
    assert "loop" in step.text


def test_a_group_of_cells_may_be_a_link() -> None:
    # If box 1 has its 5 neither in r3c2 nor in r3c3, then in r1c1, so row 7 has it in r7c8.
    board = open_board()
    keep(board, 5, box(1), "r1c1 r3c2 r3c3")
    keep(board, 5, row(7), "r7c1 r7c8")
    assert chains.alternating_chain(board) is None
    step = chains.grouped_chain(board)
    assert struck(step) == {5: {"r3c8"}}
    assert step is not None
    assert "5 is in r3c2 or r3c3" in step.text or "5 is not in r3c2 or r3c3" in step.text


def test_a_trial_tells_what_its_contradiction_comes_from() -> None:
    board = open_board()
    hold(board, "r1c1", (1, 2))
    hold(board, "r1c5", (1, 3))
    hold(board, "r5c1", (1, 4))
    hold(board, "r5c5", (3, 4))
    for digit in (5, 6):
        keep(board, digit, box(9), "r7c7 r8c8 r9c9")
    step = trial.trial(board)
    assert step is not None and step.trial is not None
    assert step.trial.outcome == "contradiction"
    assert step.eliminations == ((at("r1c1"), 1),)
    assert {cell_name(cell) for cell, _ in step.trial.follows} == {"r1c5", "r5c1"}
    assert step.trial.dead_cell == at("r5c5")
    assert "Then follow r1c5 = 3, r5c1 = 4, and no digit is left for r5c5." in step.text


def test_a_set_of_cells_is_read_in_order() -> None:
    assert cells_of(EVERY_CELL) == tuple(range(81))
    assert cells_of(1 << 80 | 1) == (0, 80)
