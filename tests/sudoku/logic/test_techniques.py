"""Each technique sees its pattern, strikes out what follows and nothing else, and says why."""

import re
from collections.abc import Iterator

import pytest
from examples import EXAMPLES

from sudoku_vision.sudoku.board import cell_name, parse_board
from sudoku_vision.sudoku.logic.bits import DIGITS, cells_of
from sudoku_vision.sudoku.logic.candidates import Candidates, sight
from sudoku_vision.sudoku.logic.steps import Step, Technique
from sudoku_vision.sudoku.logic.techniques import TECHNIQUES, singles, technique_named
from sudoku_vision.sudoku.rules import CLASSIC, Rules

SIGHT = sight(CLASSIC)
UNITS = {f"{kind}{number}": 9 * at + number - 1 for at, kind in enumerate("rcb") for number in range(1, 10)}
"""The numbers of rows, columns and boxes by names such as c3."""

PATTERNS = """
pointing candidates         | | 5 b1 r1c13 | 5 r1c456789
claiming candidates         | | 5 c4 r79c4 | 5 r789c56
naked pair                  | 12 r1c15 | | 12 r1c2346789
naked triple                | 12 r1c1, 23 r1c5, 13 r1c9 | | 123 r1c234678
naked quad                  | 1234 r1c1459 | | 1234 r1c23678
hidden pair                 | | 12 c1 r15c1 | 3456789 r15c1
hidden triple               | | 123 c1 r159c1 | 456789 r159c1
X-wing                      | | 5 r2 r2c37, 5 r6 r6c37 | 5 r1345789c37
swordfish                   | | 5 c2 r37c2, 5 c6 r79c6, 5 c8 r39c8 | 5 r379c134579
jellyfish                   | | 5 r1 r1c469, 5 r4 r4c169, 5 r6 r6c149, 5 r9 r9c146 | 5 r23578c1469
finned X-wing               | | 5 r2 r2c378, 5 r6 r6c37 | 5 r13c7
sashimi X-wing              | | 5 r2 r2c389, 5 r6 r6c37 | 5 r13c7
skyscraper                  | | 1 r1 r1c15, 1 r8 r8c16 | 1 r23c6 r79c5
two-string kite             | | 1 r1 r1c15, 1 c2 r38c2 | 1 r8c5
empty rectangle             | | 5 b1 r13c3 r2c123, 5 c6 r27c6 | 5 r7c3
turbot fish                 | | 1 r1 r1c15, 1 b4 r4c1 r6c2 | 1 r6c5
X-chain                     | | 1 r1 r1c15, 1 c5 r18c5, 1 r8 r8c25 | 1 r23c2 r79c1
remote pair                 | 12 r1c15 r5c59 | | 12 r15c234678 r1c9 r2346789c5 r5c1
locked pair                 | 12 r1c12 | | 12 r1c3456789 r23c123
locked triple               | 123 r1c123 | | 123 r1c456789 r23c123
simple colouring            | | 1 r1 r1c15, 1 c5 r18c5, 1 r8 r8c25 | 1 r23c2 r79c1
simple colouring            | | 1 r1 r1c15, 1 c5 r18c5, 1 r8 r8c25, 1 c2 r38c2 | 1 r1c1 r3c2 r8c5
XY-wing                     | 12 r1c1, 13 r1c5, 23 r5c1 | | 3 r5c5
XYZ-wing                    | 123 r1c1, 13 r1c5, 23 r2c2 | | 3 r1c23
W-wing                      | 12 r1c1 r5c5 | 1 r9 r9c15 | 2 r1c5 r5c1
XY-chain                    | 12 r1c1, 23 r1c5, 34 r5c5, 41 r5c9 | | 1 r1c9 r5c1
alternating inference chain | | 1 r1 r1c15, 1 c2 r38c2 | 1 r8c5
grouped inference chain     | | 5 b1 r1c1 r3c23, 5 r7 r7c18 | 5 r3c8
ALS-XZ                      | 12 r1c4, 23 r1c5, 14 r3c6, 43 r3c9 | | 3 r1c789 r3c45
almost locked set chain     | 13 r1c9, 123 r1c1, 23 r2c2 | | 3 r1c23
Sue de Coq                  | 1234 r1c12, 12 r1c9, 34 r2c3 | | 12 r1c345678, 34 r13c3 r23c12
unique rectangle            | 12 r1c12 r4c1 | | 12 r4c2
unique rectangle type 2     | 12 r1c12, 127 r4c12 | | 7 r4c3456789 r56c123
unique rectangle type 5     | 12 r1c1 r4c2, 127 r1c2 r4c1 | | 7 r23c1 r56c2
unique rectangle type 3     | 12 r1c12, 127 r4c1, 128 r4c2, 78 r4c9 | | 78 r4c345678
unique rectangle type 4     | 12 r1c12, 1278 r4c1, 1279 r4c2 | 1 r4 r4c12 | 2 r4c12
unique rectangle type 6     | 12 r1c2 r4c1, 1278 r1c1, 1279 r4c2 | 1 r1 r1c12, 1 r4 r4c12 | 1 r1c1 r4c2
hidden rectangle            | 12 r1c1, 1256 r1c2, 1278 r4c1, 1279 r4c2 | 1 r4 r4c12, 1 c2 r14c2 | 2 r4c2
cell forcing chain          | 123 r1c1, 19 r1c9, 29 r9c1, 35 r1c5, 59 r9c5 | | 9 r9c9
"""
"""A technique; the only digits of cells; the only cells of digits in a unit; the digits to strike out.

The cells r79c13 are those where rows 7 and 9 cross columns 1 and 3. Some patterns need a word:

* *empty rectangle*: box 1 has its 5 in row 2 or in column 3. If r2c6 holds it, in column 3: there or in r7c6.
* *grouped inference chain*: if box 1 has its 5 neither in r3c2 nor in r3c3, then in r1c1. So row 7 has
  it in r7c8.
* *ALS-XZ*: r1c4 and r1c5 hold 1 to 3; r3c6 and r3c9 hold 1, 3 and 4. The 1 of either takes it from the other.
* *almost locked set chain*: if r1c9 isn't 3, it is 1, so r1c1 isn't. Then r1c1 and r2c2 hold 2 and 3.
* *Sue de Coq*: r1c1 and r1c2 hold 1 to 4, r1c9 1 or 2, r2c3 3 or 4. So row 1 has 1 and 2, box 1 has
  3 and 4.
* *cell forcing chain*: 1 leads to a 9 in r1c9, 2 to one in r9c1, 3 to one in r9c5. None is left for r9c9.
"""


def at(name: str) -> int:
    """The cell of a name such as r3c7."""
    return 9 * int(name[1]) + int(name[3]) - 10


def cells_in(text: str) -> set[int]:
    """The cells of names such as r3c7 and r79c13."""
    crossed = re.findall(r"r(\d+)c(\d+)", text)
    return {at(f"r{row}c{column}") for rows, columns in crossed for row in rows for column in columns}


def parts(text: str) -> Iterator[tuple[list[int], str]]:
    """The digits of each part of a text, and what stands behind them."""
    for part in text.split(","):
        digits, _, rest = part.strip().partition(" ")
        yield list(map(int, digits)), rest


def board_with(held: str = "", kept: str = "") -> Candidates:
    """A board without clues, and without all candidates that *held* and *kept* rule out, as in PATTERNS."""
    board = Candidates([0] * 81)
    for digits, cells in parts(held):
        for cell in cells_in(cells):
            for digit in set(DIGITS) - set(digits):
                board.remove(cell, digit)
    for digits, unit in parts(kept):
        for digit in digits:
            for cell in set(cells_of(SIGHT.units[UNITS[unit[:2]]])) - cells_in(unit[2:]):
                board.remove(cell, digit)
    return board


def found(name: str, board: Candidates) -> Step | None:
    """The step of a technique on a board."""
    return technique_named(name).find(board)


@pytest.mark.parametrize(
    "pattern", PATTERNS.strip().split("\n"), ids=lambda pattern: pattern.split(" |")[0].strip()
)
def test_a_pattern_strikes_out_what_follows_and_nothing_else(pattern: str) -> None:
    technique, held, kept, gone = (column.strip() for column in pattern.split("|"))
    step = found(technique, board_with(held, kept))
    assert step is not None and not step.placements and step.text.endswith(".")
    assert set(step.eliminations) == {
        (cell, digit) for digits, cells in parts(gone) for digit in digits for cell in cells_in(cells)
    }


@pytest.mark.parametrize("technique", [one for one in TECHNIQUES if one.name != "trial"], ids=str)
def test_nothing_is_seen_where_everything_is_possible(technique: Technique) -> None:
    assert technique.find(board_with()) is None


@pytest.mark.parametrize(
    ("technique", "held", "kept"),
    [
        ("unique rectangle", "12 r1c14 r4c1", ""),  # over four boxes
        ("sashimi X-wing", "", "5 r2 r2c378, 5 r6 r6c37"),
        ("finned X-wing", "", "5 r2 r2c389, 5 r6 r6c37"),
        ("alternating inference chain", "", "5 b1 r1c1 r3c23, 5 r7 r7c18"),
    ],
)
def test_what_only_looks_like_a_pattern_is_none(technique: str, held: str, kept: str) -> None:
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
    step = found("alternating inference chain", board_with(kept="5 r2 r2c37, 5 r6 r6c37"))
    assert step is not None and set(step.eliminations) == {(cell, 5) for cell in cells_in("r1345789c37")}
    assert not step.links[-1].strong
    assert "loop" in step.text


def test_a_trial_shows_what_its_contradiction_comes_from() -> None:
    held = "12 r1c1, 13 r1c5, 14 r5c1, 34 r5c5"
    step = found("trial", board_with(held, "56 b9 r7c7 r8c8 r9c9"))
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
