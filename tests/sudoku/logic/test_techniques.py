"""Each technique sees its pattern, strikes out what follows and nothing else, and says why."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from examples import EXAMPLES, candidates_of, check_step, example_of, step_of
from logic_claims import Sight, false_claims

from sudoku_vision.sudoku.board import cell_name, parse_board
from sudoku_vision.sudoku.logic import hints
from sudoku_vision.sudoku.logic.bits import DIGITS, cells_of
from sudoku_vision.sudoku.logic.candidates import Candidates, sight
from sudoku_vision.sudoku.logic.steps import DIFFICULTIES, Step, Technique
from sudoku_vision.sudoku.logic.techniques import TECHNIQUES, singles, technique_named
from sudoku_vision.sudoku.rules import CLASSIC, Rules
from sudoku_vision.sudoku.solver import searcher

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


# Every technique has an example, on which its step is right and every sentence of a hint holds.

ALMOST_GRAVES = (
    "132009087865701002947082000514293678623875040789416325251007804378054210496128753",
    "538127946624839751719645080960014827001760094047098160490081670006470019172956438",
)
"""Each is a grave except for one cell, after some candidates were struck out."""


def false_in(sight: Sight, steps: Sequence[Step]) -> list[str]:
    """The false claims of some steps, each read and taken before the next."""
    false = list[str]()
    for step in steps:
        false += [f"{step}: {what}" for what in false_claims(sight, step)]
        sight.do(step)
    return false


def sight_of(technique: Technique) -> Sight:
    """The example of a technique, as its reader sees it."""
    board = example_of(technique)
    sight = Sight(board.digits.ravel().tolist(), board.clues.ravel().tolist(), board.rules)
    for cell, marks in enumerate(board.marks):
        if marks:
            sight.left[cell] &= marks
    return sight


@pytest.mark.parametrize("technique", TECHNIQUES, ids=str)
def test_a_step_on_an_example_is_right_and_its_sentence_would_not_hold_for_another(
    technique: Technique,
) -> None:
    seen, step = sight_of(technique), step_of(technique)
    right = searcher(step.rules)(seen.values, 1).solutions[0]
    assert step.technique is technique
    check_step(step, candidates_of(technique), right)
    assert re.fullmatch(r"[A-Zr][^{}\n]+[^ .]\.", step.text)
    assert all(cell_name(cell) in step.text for cell, _ in step.placements or step.eliminations)
    assert all(str(digit) in step.text for digit in step.digits)
    assert not false_claims(seen, step)
    if step.placements:
        for cell, digit in ((step.cells[0], digit) for digit in {*range(1, 10)} - {*step.digits}):
            wrong = replace(step, placements=((cell, digit),), digits=(digit,))
            assert false_claims(seen, wrong)
    else:
        for cell in [*step.cells[:9], *seen.left.keys() - step.cells][:12]:
            assert false_claims(seen, replace(step, eliminations=((cell, right[cell]),)))


def test_techniques_have_names_and_places_of_their_own_and_never_get_easier() -> None:
    assert [technique.name for technique in TECHNIQUES] == list(EXAMPLES)
    assert all(easier.order < harder.order for easier, harder in pairwise(TECHNIQUES))
    assert all(technique_named(technique.name) is technique for technique in TECHNIQUES)
    ranks = [DIFFICULTIES.index(technique.difficulty) for technique in TECHNIQUES]
    assert ranks == sorted(ranks) and set(ranks) == set(range(len(DIFFICULTIES)))
    assert {technique.name for technique in TECHNIQUES if technique.needs_unique} == {
        "BUG+1",
        "unique rectangle",
        *(f"unique rectangle type {number}" for number in (2, 3, 4, 5, 6)),
        *(f"avoidable rectangle type {number}" for number in (1, 2)),
        "hidden rectangle",
        "rectangle forcing chain",
        "trial",
    }


SLOW = {"swordfish", "finned jellyfish", *(one.name for one in TECHNIQUES if one.order >= 2500)}
"""Techniques whose boards take long until the next digit."""


@pytest.mark.parametrize(
    "technique",
    [pytest.param(one, marks=pytest.mark.slow if one.name in SLOW else ()) for one in TECHNIQUES],
    ids=str,
)
def test_an_example_begins_with_its_technique_and_all_hints_on_it_hold(technique: Technique) -> None:
    board = example_of(technique)
    found = hints(board.digits, board.marks, board.clues, rules=board.rules)
    assert found[0].technique == technique
    assert not false_in(sight_of(technique), found)


@pytest.mark.parametrize("puzzle", ALMOST_GRAVES)
def test_a_grave_comes_after_the_steps_that_make_it_one(puzzle: str) -> None:
    *before, grave = hints(puzzle)
    assert grave.technique.name == "BUG+1" and set(grave.cells) == Sight(parse_board(puzzle)).left.keys()
    assert not false_in(Sight(parse_board(puzzle)), (*before, grave))
    assert f"{grave}: all have two digits, one has three" in false_in(Sight(parse_board(puzzle)), (grave,))


def test_no_rectangle_is_avoidable_where_its_corners_may_be_clues() -> None:
    technique = technique_named("avoidable rectangle type 1")
    board = example_of(technique)
    assert all(step.technique != technique for step in hints(board.digits)[:1])
    several = board.clues.copy()
    several.flat[np.flatnonzero(several)[5:]] = 0
    assert hints(board.digits, clues=several) == hints(board.digits)
