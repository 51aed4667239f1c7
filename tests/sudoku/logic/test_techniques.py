"""Each technique sees its pattern, strikes out what follows and nothing else, and says why."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from sudoku_vision.sudoku.board import cell_name, parse_board
from sudoku_vision.sudoku.logic import TECHNIQUES, Step, Technique, technique_named
from sudoku_vision.sudoku.logic.candidates import DIGITS, EVERY_CELL, UNIT_SETS, Candidates, cells_of
from sudoku_vision.sudoku.logic.techniques import forcing, singles


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


def found(name: str, board: Candidates) -> Step | None:
    """The step of a technique on a board."""
    return technique_named(name).find(board)


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


@pytest.mark.parametrize("technique", [one for one in TECHNIQUES if one.name != "trial"], ids=str)
def test_nothing_is_seen_where_everything_is_possible(technique: Technique) -> None:
    assert technique.find(open_board()) is None


def test_a_hidden_single_is_told_by_its_unit() -> None:
    board = open_board()
    keep(board, 5, row(3), "r3c7")
    step = found("hidden single", board)
    assert step is not None
    assert step.placements == ((at("r3c7"), 5),)
    assert step.text == "In row 3, the digit 5 fits only in r3c7."


def test_a_naked_single_is_told_by_its_cell() -> None:
    board = open_board()
    hold(board, "r9c9", [4])
    step = found("naked single", board)
    assert step is not None
    assert step.placements == ((at("r9c9"), 4),)
    assert "r9c9" in step.text


def test_a_single_is_told_with_the_digits_that_force_it_and_what_was_struck_out() -> None:
    board = Candidates(parse_board("000000000000000050" + "0" * 54 + "000500000"))
    for name in ("r1c1", "r1c2", "r1c3", "r1c5"):
        board.remove(at(name), 5)
    step = found("hidden single", board)
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
    step = found("naked single", board)
    assert step is not None
    assert singles.with_blockers(board, step).text == (
        "In r1c9, no digit but 9 is possible any more: row 1 holds 1 and 2; column 9 holds 4 and 5; "
        "3, 6, 7 and 8 have been struck out."
    )


def test_pointing_clears_the_line_outside_the_box() -> None:
    board = open_board()
    keep(board, 5, box(1), "r1c1 r1c3")
    step = found("pointing candidates", board)
    assert struck(step) == {5: {f"r1c{c}" for c in range(4, 10)}}
    assert step is not None and (step.units, step.covers) == ((box(1),), (row(1),))


def test_claiming_clears_the_box_outside_the_line() -> None:
    board = open_board()
    keep(board, 5, column(4), "r7c4 r9c4")
    step = found("claiming candidates", board)
    assert struck(step) == {5: {f"r{r}c{c}" for r in (7, 8, 9) for c in (5, 6)}}
    assert step is not None and (step.units, step.covers) == ((column(4),), (box(8),))


@pytest.mark.parametrize(
    ("technique", "cells", "digits"),
    [
        ("naked pair", "r1c1 r1c5", (1, 2)),
        ("naked triple", "r1c1 r1c5 r1c9", (1, 2, 3)),
        ("naked quad", "r1c1 r1c4 r1c5 r1c9", (1, 2, 3, 4)),
    ],
)
def test_a_naked_subset_keeps_its_digits_from_the_rest_of_the_unit(
    technique: str, cells: str, digits: tuple[int, ...]
) -> None:
    board = open_board()
    hold(board, cells, digits)
    step = found(technique, board)
    others = {f"r1c{c}" for c in range(1, 10)} - set(cells.split())
    assert struck(step) == dict.fromkeys(digits, others)
    assert step is not None and step.units == (row(1),)


def test_a_naked_pair_of_a_box_and_a_line_clears_both() -> None:
    board = open_board()
    hold(board, "r1c1 r1c2", (1, 2))
    step = found("naked pair", board)
    others = {f"r1c{c}" for c in range(3, 10)} | {f"r{r}c{c}" for r in (2, 3) for c in (1, 2, 3)}
    assert struck(step) == {1: others, 2: others}
    assert step is not None and set(step.units) == {row(1), box(1)}


def test_a_naked_triple_needs_no_cell_with_all_three() -> None:
    board = open_board()
    hold(board, "r1c1", (1, 2))
    hold(board, "r1c5", (2, 3))
    hold(board, "r1c9", (1, 3))
    assert set(struck(found("naked triple", board))) == {1, 2, 3}


@pytest.mark.parametrize(
    ("technique", "cells", "digits"),
    [
        ("hidden pair", "r1c1 r5c1", (1, 2)),
        ("hidden triple", "r1c1 r5c1 r9c1", (1, 2, 3)),
        ("hidden quad", "r1c1 r4c1 r5c1 r9c1", (1, 2, 3, 4)),
    ],
)
def test_a_hidden_subset_keeps_other_digits_from_its_cells(
    technique: str, cells: str, digits: tuple[int, ...]
) -> None:
    board = open_board()
    for digit in digits:
        keep(board, digit, column(1), cells)
    assert struck(found(technique, board)) == {
        digit: set(cells.split()) for digit in set(DIGITS) - set(digits)
    }


@pytest.mark.parametrize(
    ("technique", "lines", "across"),
    [
        ("X-wing", (2, 6), (3, 7)),
        ("swordfish", (2, 6, 8), (3, 7, 9)),
        ("jellyfish", *[(1, 4, 6, 9)] * 2),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_a_fish_clears_the_lines_across(
    technique: str, lines: tuple[int, ...], across: tuple[int, ...], turned: bool
) -> None:
    def name(along: int, cross: int) -> str:
        return f"r{cross}c{along}" if turned else f"r{along}c{cross}"

    board = open_board()
    for number, line in enumerate(lines):
        # Where there are three or more places, each line may lack one.
        places = across if len(across) == 2 else across[:number] + across[number + 1 :]
        keep(board, 5, (column if turned else row)(line), " ".join(name(line, cross) for cross in places))
    step = found(technique, board)
    rest = {name(line, cross) for line in set(range(1, 10)) - set(lines) for cross in across}
    assert struck(step) == {5: rest}
    assert step is not None and len(step.units) == len(step.covers) == len(lines)


def test_a_skyscraper_clears_what_sees_both_roofs() -> None:
    board = open_board()
    keep(board, 1, row(1), "r1c1 r1c5")
    keep(board, 1, row(8), "r8c1 r8c6")
    step = found("skyscraper", board)
    assert struck(step) == {1: {"r2c6", "r3c6", "r7c5", "r9c5"}}
    assert step is not None and [link.strong for link in step.links] == [True, False, True]


def test_a_two_string_kite_clears_what_sees_both_ends() -> None:
    board = open_board()
    keep(board, 1, row(1), "r1c1 r1c5")
    keep(board, 1, column(2), "r3c2 r8c2")
    assert struck(found("two-string kite", board)) == {1: {"r8c5"}}


def test_colouring_clears_what_sees_both_colours() -> None:
    board = open_board()
    keep(board, 1, row(1), "r1c1 r1c5")
    keep(board, 1, column(5), "r1c5 r8c5")
    keep(board, 1, row(8), "r8c5 r8c2")
    step = found("simple colouring", board)
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
    step = found("simple colouring", board)
    assert struck(step) == {1: {"r1c1", "r8c5", "r3c2"}}
    assert step is not None and "see each other" in step.text


def test_a_unique_rectangle_keeps_its_fourth_corner_other() -> None:
    board = open_board()
    hold(board, "r1c1 r1c2 r4c1", (1, 2))
    assert struck(found("unique rectangle", board)) == {1: {"r4c2"}, 2: {"r4c2"}}


def test_a_rectangle_over_four_boxes_says_nothing() -> None:
    board = open_board()
    hold(board, "r1c1 r1c4 r4c1", (1, 2))
    assert found("unique rectangle", board) is None


def test_an_xy_wing_clears_what_sees_both_pincers() -> None:
    board = open_board()
    hold(board, "r1c1", (1, 2))
    hold(board, "r1c5", (1, 3))
    hold(board, "r5c1", (2, 3))
    step = found("XY-wing", board)
    assert struck(step) == {3: {"r5c5"}}
    assert step is not None and step.cells[0] == at("r1c1")


def test_an_xyz_wing_clears_what_sees_all_three() -> None:
    board = open_board()
    hold(board, "r1c1", (1, 2, 3))
    hold(board, "r1c5", (1, 3))
    hold(board, "r2c2", (2, 3))
    assert struck(found("XYZ-wing", board)) == {3: {"r1c2", "r1c3"}}


def test_a_w_wing_clears_what_sees_both_ends() -> None:
    board = open_board()
    hold(board, "r1c1 r5c5", (1, 2))
    keep(board, 1, row(9), "r9c1 r9c5")
    assert struck(found("W-wing", board)) == {2: {"r1c5", "r5c1"}}


def test_an_xy_chain_clears_what_sees_both_ends() -> None:
    board = open_board()
    hold(board, "r1c1", (1, 2))
    hold(board, "r1c5", (2, 3))
    hold(board, "r5c5", (3, 4))
    hold(board, "r5c9", (4, 1))
    step = found("XY-chain", board)
    assert struck(step) == {1: {"r1c9", "r5c1"}}
    assert step is not None and len(step.links) == 7


def test_a_chain_finds_the_shortest_way() -> None:
    board = open_board()
    keep(board, 1, row(1), "r1c1 r1c5")
    keep(board, 1, column(2), "r3c2 r8c2")
    step = found("alternating inference chain", board)
    assert struck(step) == {1: {"r8c5"}}
    assert step is not None and len(step.links) == 3


def test_a_chain_that_closes_clears_all_its_weak_links() -> None:
    board = open_board()
    keep(board, 5, row(2), "r2c3 r2c7")
    keep(board, 5, row(6), "r6c3 r6c7")
    step = found("alternating inference chain", board)
    rest = {f"r{r}c{c}" for r in set(range(1, 10)) - {2, 6} for c in (3, 7)}
    assert struck(step) == {5: rest}
    assert step is not None and not step.links[-1].strong
    assert "loop" in step.text


def test_a_group_of_cells_may_be_a_link() -> None:
    # If box 1 has its 5 neither in r3c2 nor in r3c3, then in r1c1, so row 7 has it in r7c8.
    board = open_board()
    keep(board, 5, box(1), "r1c1 r3c2 r3c3")
    keep(board, 5, row(7), "r7c1 r7c8")
    assert found("alternating inference chain", board) is None
    step = found("grouped inference chain", board)
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
    step = found("trial", board)
    assert step is not None and step.trial is not None
    assert step.trial.outcome == "contradiction"
    assert step.eliminations == ((at("r1c1"), 1),)
    assert {cell_name(cell) for cell, _ in step.trial.follows} == {"r1c5", "r5c1"}
    assert step.trial.dead_cell == at("r5c5")
    assert "Then follow r1c5 = 3, r5c1 = 4, and no digit is left for r5c5." in step.text


def test_a_set_of_cells_is_read_in_order() -> None:
    assert cells_of(EVERY_CELL) == tuple(range(81))
    assert cells_of(1 << 80 | 1) == (0, 80)


def test_a_fin_leaves_of_a_fish_what_it_sees_itself() -> None:
    # Rows 2 and 6 have their 5 in columns 3 and 7, but for the fin r2c8 beside r2c7.
    board = open_board()
    keep(board, 5, row(2), "r2c3 r2c7 r2c8")
    keep(board, 5, row(6), "r6c3 r6c7")
    step = found("finned X-wing", board)
    assert struck(step) == {5: {"r1c7", "r3c7"}}
    assert step is not None and step.colours[1] == (at("r2c8"),)
    assert found("sashimi X-wing", board) is None


def test_a_fish_without_one_of_its_crossings_is_sashimi() -> None:
    board = open_board()
    keep(board, 5, row(2), "r2c3 r2c8 r2c9")
    keep(board, 5, row(6), "r6c3 r6c7")
    step = found("sashimi X-wing", board)
    assert struck(step) == {5: {"r1c7", "r3c7"}}
    assert found("finned X-wing", board) is None


def rectangle_board(**others: tuple[int, ...]) -> Candidates:
    """A board on which r1c1, r1c2, r4c1 and r4c2 hold 1 and 2, and some of them *others*."""
    board = open_board()
    for cell in ("r1c1", "r1c2", "r4c1", "r4c2"):
        hold(board, cell, (1, 2, *others.get(cell, ())))
    return board


def test_a_rectangle_with_one_more_digit_keeps_it_from_what_sees_its_roof() -> None:
    side_by_side = rectangle_board(r4c1=(7,), r4c2=(7,))
    rest = {f"r4c{c}" for c in range(3, 10)} | {f"r{r}c{c}" for r in (5, 6) for c in (1, 2, 3)}
    assert struck(found("unique rectangle type 2", side_by_side)) == {7: rest}
    across = rectangle_board(r1c1=(7,), r4c2=(7,))
    seen = {"r1c2", "r4c1"} | {f"r{r}c2" for r in (2, 3)} | {f"r{r}c1" for r in (5, 6)}
    step = found("unique rectangle type 2", across)
    assert set(struck(step)) == {7} and struck(step)[7] <= seen


def test_a_rectangle_whose_other_digits_make_a_subset_clears_the_unit() -> None:
    board = rectangle_board(r4c1=(7,), r4c2=(8,))
    hold(board, "r4c9", (7, 8))
    step = found("unique rectangle type 3", board)
    assert struck(step) == {digit: {f"r4c{c}" for c in range(3, 9)} for digit in (7, 8)}


def test_a_rectangle_that_holds_one_digit_of_a_unit_loses_the_other() -> None:
    board = rectangle_board(r4c1=(7, 8), r4c2=(7, 9))
    keep(board, 1, row(4), "r4c1 r4c2")
    assert struck(found("unique rectangle type 4", board)) == {2: {"r4c1", "r4c2"}}


def test_a_rectangle_that_is_an_x_wing_loses_that_digit_in_its_roof() -> None:
    board = rectangle_board(r1c1=(7, 8), r4c2=(7, 9))
    keep(board, 1, row(1), "r1c1 r1c2")
    keep(board, 1, row(4), "r4c1 r4c2")
    assert struck(found("unique rectangle type 6", board)) == {1: {"r1c1", "r4c2"}}


def test_a_hidden_rectangle_keeps_its_corner_from_the_other_digit() -> None:
    board = rectangle_board(r1c2=(5, 6), r4c1=(7, 8), r4c2=(7, 9))
    keep(board, 1, row(4), "r4c1 r4c2")
    keep(board, 1, column(2), "r1c2 r4c2")
    assert struck(found("hidden rectangle", board)) == {2: {"r4c2"}}


def test_sue_de_coq_uses_up_digits_of_a_line_and_a_box() -> None:
    # r1c1 and r1c2 hold 1 to 4, r1c9 1 or 2, r2c3 3 or 4: 1 and 2 stand in row 1 there, 3 and 4 in box 1.
    board = open_board()
    hold(board, "r1c1 r1c2", (1, 2, 3, 4))
    hold(board, "r1c9", (1, 2))
    hold(board, "r2c3", (3, 4))
    step = found("Sue de Coq", board)
    gone = struck(step)
    assert gone[1] == gone[2] == {f"r1c{c}" for c in range(3, 9)}
    assert gone[3] == gone[4] == {"r1c3", "r2c1", "r2c2", "r3c1", "r3c2", "r3c3"}


def test_two_almost_locked_sets_with_a_restricted_common_keep_what_both_may_hold() -> None:
    # r1c4 and r1c5 hold 1 to 3, r3c6 and r3c9 1, 3, 4: the 1 of either takes it from the other.
    board = open_board()
    hold(board, "r1c4", (1, 2))
    hold(board, "r1c5", (2, 3))
    hold(board, "r3c6", (1, 4))
    hold(board, "r3c9", (4, 3))
    step = found("ALS-XZ", board)
    assert struck(step) == {3: {"r1c7", "r1c8", "r1c9", "r3c4", "r3c5"}}
    assert step is not None and len(step.colours) == 2


def test_a_chain_leads_through_an_almost_locked_set() -> None:
    # If r1c9 isn't 3, it is 1, so r1c1 isn't: then r1c1 and r2c2 hold 2 and 3.
    board = open_board()
    hold(board, "r1c9", (1, 3))
    hold(board, "r1c1", (1, 2, 3))
    hold(board, "r2c2", (2, 3))
    step = found("almost locked set chain", board)
    assert struck(step) == {3: {"r1c2", "r1c3"}}
    assert step is not None and {link.locked for link in step.links} == {(), (at("r1c1"), at("r2c2"))}
    assert "r1c1 and r2c2 are 2 cells for 2 digits" in step.text


def test_all_candidates_of_a_cell_may_lead_to_the_same() -> None:
    # 1 leads to a 9 in r1c9, 2 to one in r9c1, 3 to one in r9c5, locked there: none is left for r9c9.
    board = open_board()
    hold(board, "r1c1", (1, 2, 3))
    hold(board, "r1c9", (1, 9))
    hold(board, "r9c1", (2, 9))
    hold(board, "r1c5", (3, 5))
    hold(board, "r9c5", (5, 9))
    step = found("cell forcing chain", board)
    assert struck(step) == {9: {"r9c9"}}
    assert step is not None and [len(branch) for branch in forcing.branches_of(step.links)] == [3, 3, 3]
    assert step.text.startswith(
        "r1c1 holds 1, 2 or 3. If 1 is in r1c1, then 1 is not in r1c9, so 9 is in r1c9"
    )


def test_all_places_of_a_digit_may_lead_to_the_same() -> None:
    # Each 4 of row 1 leads to a 7 that r5c4 sees: in r5c1, in r6c5, and by way of r4c9 in r4c6.
    board = open_board()
    keep(board, 4, row(1), "r1c1 r1c5 r1c9")
    for cells, digits in (("r5c1 r6c5", (4, 7)), ("r4c9", (4, 8)), ("r4c6", (8, 7))):
        hold(board, cells, digits)
    step = found("unit forcing chain", board)
    assert set(struck(step)[7]) <= {"r5c4", "r5c5", "r5c6"}
    assert step is not None and step.units[0] == row(1)
    branches = forcing.branches_of(step.links)
    assert [branch[0].start.cells for branch in branches] == [(at("r1c1"),), (at("r1c5"),), (at("r1c9"),)]
    assert "In row 1, the digit 4 fits only in r1c1, r1c5 or r1c9." in step.text


def test_only_a_grave_but_for_one_candidate_is_one() -> None:
    board = Candidates([int(digit) for digit in technique_named("BUG+1").example])
    step = found("BUG+1", board)
    assert step is not None
    ((cell, digit),) = step.placements
    assert board.masks[cell].bit_count() == 3
    other = next(d for d in DIGITS if d != digit and board.has(cell, d))
    board.remove(cell, other)
    assert found("BUG+1", board) is None
