"""Each technique sees its pattern, strikes out what follows and nothing else, and says why."""

from collections.abc import Mapping, Sequence

import pytest
from examples import EXAMPLES

from sudoku_vision.sudoku.board import cell_name, parse_board
from sudoku_vision.sudoku.logic.candidates import DIGITS, Candidates, cells_of, sight
from sudoku_vision.sudoku.logic.steps import Step, Technique
from sudoku_vision.sudoku.logic.techniques import TECHNIQUES, singles, technique_named
from sudoku_vision.sudoku.rules import CLASSIC, Rules

Held = Mapping[str, str]
"""Digits that are left in cells: ``{"r1c1 r1c5": "12"}``."""
Kept = Sequence[tuple[int, int, str]]
"""A digit, a unit (0..26), and the only cells for it there."""


def at(name: str) -> int:
    """The cell of a name such as r3c7."""
    return 9 * int(name[1]) + int(name[3]) - 10


def row(number: int) -> int:
    return number - 1


def column(number: int) -> int:
    return number + 8


def box(number: int) -> int:
    return number + 17


def board_with(held: Held = {}, kept: Kept = ()) -> Candidates:  # noqa: B006 (never changed)
    """A board without clues, and without all candidates that *held* and *kept* rule out."""
    board = Candidates([0] * 81)
    for cells, digits in held.items():
        for name in cells.split():
            for digit in {*"123456789"} - {*digits}:
                board.remove(at(name), int(digit))
    for digit, unit, cells in kept:
        for cell in set(cells_of(SIGHT.units[unit])) - {at(name) for name in cells.split()}:
            board.remove(cell, digit)
    return board


def found(name: str, board: Candidates) -> Step | None:
    """The step of a technique on a board."""
    return technique_named(name).find(board)


def struck(step: Step | None) -> dict[int, set[str]]:
    """What a step strikes out: the names of cells, by digit."""
    assert step is not None and not step.placements
    by_digit: dict[int, set[str]] = {}
    for cell, digit in step.eliminations:
        by_digit.setdefault(digit, set()).add(cell_name(cell))
    return by_digit


def names(rows: Sequence[int], columns: Sequence[int]) -> str:
    """All cells where some rows and columns cross."""
    return " ".join(f"r{r}c{c}" for r in rows for c in columns)


ALL = range(1, 10)
SIGHT = sight(CLASSIC)
ROW_AND_BOX = f"{names([1], range(4, 10))} {names([2, 3], [1, 2, 3])}"
LINE = [n for n in ALL if n not in (1, 5)]
COLOURED = [(1, row(1), "r1c1 r1c5"), (1, column(5), "r1c5 r8c5"), (1, row(8), "r8c5 r8c2")]
WITH_ROOF = {"r1c1 r1c2": "12"}


@pytest.mark.parametrize(
    ("technique", "held", "kept", "gone"),
    [
        ("pointing candidates", {}, [(5, box(1), "r1c1 r1c3")], {5: names([1], range(4, 10))}),
        ("claiming candidates", {}, [(5, column(4), "r7c4 r9c4")], {5: names([7, 8, 9], [5, 6])}),
        ("naked pair", {"r1c1 r1c5": "12"}, [], dict.fromkeys((1, 2), names([1], LINE))),
        (
            "naked triple",
            {"r1c1": "12", "r1c5": "23", "r1c9": "13"},
            [],
            dict.fromkeys((1, 2, 3), names([1], [2, 3, 4, 6, 7, 8])),
        ),
        (
            "naked quad",
            {"r1c1 r1c4 r1c5 r1c9": "1234"},
            [],
            dict.fromkeys((1, 2, 3, 4), names([1], [2, 3, 6, 7, 8])),
        ),
        (
            "hidden pair",
            {},
            [(digit, column(1), "r1c1 r5c1") for digit in (1, 2)],
            dict.fromkeys(range(3, 10), "r1c1 r5c1"),
        ),
        (
            "hidden triple",
            {},
            [(digit, column(1), "r1c1 r5c1 r9c1") for digit in (1, 2, 3)],
            dict.fromkeys(range(4, 10), "r1c1 r5c1 r9c1"),
        ),
        (
            "X-wing",
            {},
            [(5, row(2), "r2c3 r2c7"), (5, row(6), "r6c3 r6c7")],
            {5: names([1, 3, 4, 5, 7, 8, 9], [3, 7])},
        ),
        (
            "swordfish",
            {},
            [(5, column(2), "r3c2 r7c2"), (5, column(6), "r7c6 r9c6"), (5, column(8), "r3c8 r9c8")],
            {5: names([3, 7, 9], [1, 3, 4, 5, 7, 9])},
        ),
        (
            "jellyfish",
            {},
            [(5, row(r), names([r], [c for c in (1, 4, 6, 9) if c != r])) for r in (1, 4, 6, 9)],
            {5: names([2, 3, 5, 7, 8], [1, 4, 6, 9])},
        ),
        ("finned X-wing", {}, [(5, row(2), "r2c3 r2c7 r2c8"), (5, row(6), "r6c3 r6c7")], {5: "r1c7 r3c7"}),
        ("sashimi X-wing", {}, [(5, row(2), "r2c3 r2c8 r2c9"), (5, row(6), "r6c3 r6c7")], {5: "r1c7 r3c7"}),
        (
            "skyscraper",
            {},
            [(1, row(1), "r1c1 r1c5"), (1, row(8), "r8c1 r8c6")],
            {1: "r2c6 r3c6 r7c5 r9c5"},
        ),
        ("two-string kite", {}, [(1, row(1), "r1c1 r1c5"), (1, column(2), "r3c2 r8c2")], {1: "r8c5"}),
        (
            # Box 1 has its 5 in row 2 or in column 3; if r2c6 holds it, in column 3, so there or in r7c6.
            "empty rectangle",
            {},
            [(5, box(1), "r1c3 r2c1 r2c2 r2c3 r3c3"), (5, column(6), "r2c6 r7c6")],
            {5: "r7c3"},
        ),
        ("turbot fish", {}, [(1, row(1), "r1c1 r1c5"), (1, box(4), "r4c1 r6c2")], {1: "r6c5"}),
        ("X-chain", {}, COLOURED, {1: "r2c2 r3c2 r7c1 r9c1"}),
        (
            "remote pair",
            {"r1c1 r1c5 r5c5 r5c9": "12"},
            [],
            dict.fromkeys(
                (1, 2), f"{names([1, 5], [2, 3, 4, 6, 7, 8])} r1c9 r5c1 {names([2, 3, 4, 6, 7, 8, 9], [5])}"
            ),
        ),
        ("locked pair", {"r1c1 r1c2": "12"}, [], dict.fromkeys((1, 2), f"r1c3 {ROW_AND_BOX}")),
        ("locked triple", {"r1c1 r1c2 r1c3": "123"}, [], dict.fromkeys((1, 2, 3), ROW_AND_BOX)),
        ("simple colouring", {}, COLOURED, {1: "r2c2 r3c2 r7c1 r9c1"}),
        ("simple colouring", {}, [*COLOURED, (1, column(2), "r8c2 r3c2")], {1: "r1c1 r8c5 r3c2"}),
        ("XY-wing", {"r1c1": "12", "r1c5": "13", "r5c1": "23"}, [], {3: "r5c5"}),
        ("XYZ-wing", {"r1c1": "123", "r1c5": "13", "r2c2": "23"}, [], {3: "r1c2 r1c3"}),
        ("W-wing", {"r1c1 r5c5": "12"}, [(1, row(9), "r9c1 r9c5")], {2: "r1c5 r5c1"}),
        ("XY-chain", {"r1c1": "12", "r1c5": "23", "r5c5": "34", "r5c9": "41"}, [], {1: "r1c9 r5c1"}),
        (
            "alternating inference chain",
            {},
            [(1, row(1), "r1c1 r1c5"), (1, column(2), "r3c2 r8c2")],
            {1: "r8c5"},
        ),
        (
            # If box 1 has its 5 neither in r3c2 nor in r3c3, then in r1c1, so row 7 has it in r7c8.
            "grouped inference chain",
            {},
            [(5, box(1), "r1c1 r3c2 r3c3"), (5, row(7), "r7c1 r7c8")],
            {5: "r3c8"},
        ),
        (
            # r1c4 and r1c5 hold 1 to 3, r3c6 and r3c9 1, 3, 4: the 1 of either takes it from the other.
            "ALS-XZ",
            {"r1c4": "12", "r1c5": "23", "r3c6": "14", "r3c9": "43"},
            [],
            {3: "r1c7 r1c8 r1c9 r3c4 r3c5"},
        ),
        (
            # If r1c9 isn't 3, it is 1, so r1c1 isn't: then r1c1 and r2c2 hold 2 and 3.
            "almost locked set chain",
            {"r1c9": "13", "r1c1": "123", "r2c2": "23"},
            [],
            {3: "r1c2 r1c3"},
        ),
        (
            # r1c1 and r1c2 hold 1 to 4, r1c9 1 or 2, r2c3 3 or 4: so 1 and 2 are in row 1, 3 and 4 in box 1.
            "Sue de Coq",
            {"r1c1 r1c2": "1234", "r1c9": "12", "r2c3": "34"},
            [],
            dict.fromkeys((1, 2), names([1], range(3, 9)))
            | dict.fromkeys((3, 4), f"r1c3 {names([2], [1, 2])} {names([3], [1, 2, 3])}"),
        ),
        ("unique rectangle", {"r1c1 r1c2 r4c1": "12"}, [], {1: "r4c2", 2: "r4c2"}),
        (
            "unique rectangle type 2",
            {**WITH_ROOF, "r4c1 r4c2": "127"},
            [],
            {7: f"{names([4], range(3, 10))} {names([5, 6], [1, 2, 3])}"},
        ),
        ("unique rectangle type 5", {"r1c1 r4c2": "12", "r1c2 r4c1": "127"}, [], {7: "r2c1 r3c1 r5c2 r6c2"}),
        (
            "unique rectangle type 3",
            {**WITH_ROOF, "r4c1": "127", "r4c2": "128", "r4c9": "78"},
            [],
            dict.fromkeys((7, 8), names([4], range(3, 9))),
        ),
        (
            "unique rectangle type 4",
            {**WITH_ROOF, "r4c1": "1278", "r4c2": "1279"},
            [(1, row(4), "r4c1 r4c2")],
            {2: "r4c1 r4c2"},
        ),
        (
            "unique rectangle type 6",
            {"r1c2 r4c1": "12", "r1c1": "1278", "r4c2": "1279"},
            [(1, row(1), "r1c1 r1c2"), (1, row(4), "r4c1 r4c2")],
            {1: "r1c1 r4c2"},
        ),
        (
            "hidden rectangle",
            {"r1c1": "12", "r1c2": "1256", "r4c1": "1278", "r4c2": "1279"},
            [(1, row(4), "r4c1 r4c2"), (1, column(2), "r1c2 r4c2")],
            {2: "r4c2"},
        ),
        (
            # 1 leads to a 9 in r1c9, 2 to one in r9c1, 3 to one in r9c5: none is left for r9c9.
            "cell forcing chain",
            {"r1c1": "123", "r1c9": "19", "r9c1": "29", "r1c5": "35", "r9c5": "59"},
            [],
            {9: "r9c9"},
        ),
    ],
)
def test_a_pattern_strikes_out_what_follows_and_nothing_else(
    technique: str, held: Held, kept: Kept, gone: dict[int, str]
) -> None:
    step = found(technique, board_with(held, kept))
    assert struck(step) == {digit: set(cells.split()) for digit, cells in gone.items()}
    assert step is not None and step.text.endswith(".")


@pytest.mark.parametrize("technique", [one for one in TECHNIQUES if one.name != "trial"], ids=str)
def test_nothing_is_seen_where_everything_is_possible(technique: Technique) -> None:
    assert technique.find(board_with()) is None


@pytest.mark.parametrize(
    ("technique", "held", "kept"),
    [
        ("unique rectangle", {"r1c1 r1c4 r4c1": "12"}, ()),  # over four boxes
        ("sashimi X-wing", {}, [(5, row(2), "r2c3 r2c7 r2c8"), (5, row(6), "r6c3 r6c7")]),
        ("finned X-wing", {}, [(5, row(2), "r2c3 r2c8 r2c9"), (5, row(6), "r6c3 r6c7")]),
        ("alternating inference chain", {}, [(5, box(1), "r1c1 r3c2 r3c3"), (5, row(7), "r7c1 r7c8")]),
    ],
)
def test_what_only_looks_like_a_pattern_is_none(technique: str, held: Held, kept: Kept) -> None:
    assert found(technique, board_with(held, kept)) is None


def test_a_single_is_explained_by_the_digits_that_force_it_and_what_was_struck_out() -> None:
    board = Candidates(parse_board("000000000000000050" + "0" * 54 + "000500000"))
    for name in ("r1c1", "r1c2", "r1c3", "r1c5"):
        board.remove(at(name), 5)
    step = found("hidden single", board)
    assert step is not None and step.text == "In row 1, the digit 5 fits only in r1c6."
    step = singles.with_blockers(board, step)
    assert step.text == (
        "In row 1, the digit 5 fits only in r1c6: each other empty cell there shares a row, column or box "
        "with the 5 in r2c8 or r9c4, except r1c1, r1c2, r1c3 and r1c5, where 5 is already crossed out."
    )
    assert step.blockers == ((at("r2c8"), 5), (at("r9c4"), 5))
    board = Candidates(parse_board("120000000000000004" + "0" * 54 + "000000005"))
    for digit in (3, 6, 7, 8):
        board.remove(at("r1c9"), digit)
    step = found("naked single", board)
    assert step is not None
    assert singles.with_blockers(board, step).text == (
        "In r1c9, only 9 is still possible: row 1 already has 1 and 2; column 9 already has 4 and 5; "
        "3, 6, 7 and 8 are already crossed out."
    )
    values = parse_board("012340000" + "0" * 18 + "600000000700050000800000000" + "0" * 27)
    board = Candidates(values, rules=Rules(cages=[(14, [at("r1c1"), at("r5c5")])]))
    step = found("naked single", board)
    assert step is not None
    assert singles.with_blockers(board, step).text == (
        "In r1c1, only 9 is still possible: row 1 already has 1, 2, 3 and 4; "
        "column 1 already has 6, 7 and 8; its cage already has 5."
    )


def test_a_chain_that_closes_clears_all_its_weak_links() -> None:
    board = board_with(kept=[(5, row(2), "r2c3 r2c7"), (5, row(6), "r6c3 r6c7")])
    step = found("alternating inference chain", board)
    assert struck(step) == {5: set(names([1, 3, 4, 5, 7, 8, 9], [3, 7]).split())}
    assert step is not None and not step.links[-1].strong
    assert "loop" in step.text


def test_a_trial_shows_what_its_contradiction_comes_from() -> None:
    kept = [(digit, box(9), "r7c7 r8c8 r9c9") for digit in (5, 6)]
    step = found("trial", board_with({"r1c1": "12", "r1c5": "13", "r5c1": "14", "r5c5": "34"}, kept))
    assert step is not None and step.trial is not None
    assert step.trial.outcome == "contradiction"
    assert step.eliminations == ((at("r1c1"), 1),)
    assert {cell_name(cell) for cell, _ in step.trial.follows} == {"r1c5", "r5c1"}
    assert step.trial.dead_cell == at("r5c5")
    assert "Then follow r1c5 = 3, r5c1 = 4, and no digit is left for r5c5." in step.text


def test_only_a_grave_but_for_one_candidate_is_one() -> None:
    board = Candidates(parse_board(EXAMPLES["BUG+1"]))
    step = found("BUG+1", board)
    assert step is not None
    ((cell, digit),) = step.placements
    assert board.masks[cell].bit_count() == 3
    board.remove(cell, next(d for d in DIGITS if d != digit and board.has(cell, d)))
    assert found("BUG+1", board) is None
