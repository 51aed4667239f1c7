"""Hints, explanations and ratings are right, easiest first, and said in plain words."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from sudoku_vision.errors import ImproperError
from sudoku_vision.sudoku.board import board_array, cell_name, parse_board
from sudoku_vision.sudoku.generator import generate
from sudoku_vision.sudoku.logic import (
    DIFFICULTIES,
    TECHNIQUES,
    Explanation,
    Link,
    Node,
    Rating,
    Step,
    explain,
    hint,
    hints,
    rate,
)
from sudoku_vision.sudoku.logic.assumptions import follow
from sudoku_vision.sudoku.logic.candidates import Candidates, cell_set, cells_of, sight
from sudoku_vision.sudoku.logic.engine import take, walk
from sudoku_vision.sudoku.logic.techniques import allowed_techniques
from sudoku_vision.sudoku.logic.techniques.forcing import branches_of
from sudoku_vision.sudoku.rules import CLASSIC, PEERS
from sudoku_vision.sudoku.solver import search, solve

EASY = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
NONE = "531" + EASY[3:]
SIGHT = sight(CLASSIC)
FORCING = tuple(f"{kind} forcing chain" for kind in ("cell", "unit", "set", "rectangle"))
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def test_a_full_house_is_told_before_anything_else_and_nothing_on_a_full_board() -> None:
    step = hint(SOLVED[:80] + ".")
    assert step is not None and step.placements == ((80, 9),)
    assert (
        step.text == "In box 9, r9c9 is the last empty cell, and 9 is the only digit missing: it goes there."
    )
    assert hint(SOLVED) is None and hints(SOLVED) == ()
    assert explain(SOLVED).status == "one"


def test_a_hint_goes_on_from_a_persons_marks_but_for_those_that_lost_the_right_digit() -> None:
    blank = EASY.index("0", 3)
    plain = hint(EASY)
    right, others = int(SOLVED[blank]), {1, 2, 3, 4, 5, 6, 7, 8, 9} - {int(SOLVED[blank])}
    marks = tuple(frozenset({right}) if cell == blank else frozenset[int]() for cell in range(81))
    board = Candidates.marked([int(digit) for digit in EASY], marks)
    assert board.with_count(1) >> blank & 1
    hard = "800000000003600000070090200050007000000045700000100030001000068008500010090000400"
    answers = solve(hard).solution
    assert answers is not None
    known = tuple(
        frozenset({int(d)}) if cell == 1 else frozenset[int]() for cell, d in enumerate(answers.flat)
    )
    step = hint(hard, known)
    assert step is not None and step.placements == ((1, int(answers.flat[1])),)
    lost = tuple(frozenset(others) if cell == blank else frozenset[int]() for cell in range(81))
    assert hint(EASY, lost) == plain


@pytest.mark.parametrize("seed", range(4))
def test_steps_from_marks_never_strike_out_the_right_digit(seed: int) -> None:
    """Of a puzzle that logic finds hard, with marks at random, some of which have lost the right digit."""
    rng = np.random.default_rng(seed)
    puzzle = generate(difficulty="hard", seed=seed).board
    answers = solve(puzzle).solution
    assert answers is not None
    marks = tuple(
        frozenset(int(digit) for digit in rng.choice(9, 4, replace=False) + 1)
        if rng.random() < 0.5 and not clue
        else frozenset[int]()
        for clue in puzzle.flat
    )
    for step in hints(puzzle, marks):
        assert all(answers.flat[cell] == digit for cell, digit in step.placements)
        assert all(answers.flat[cell] != digit for cell, digit in step.eliminations)


@pytest.mark.parametrize("ask", [hint, hints, rate])
@pytest.mark.parametrize(("board", "words"), [("11" + "0" * 79, "r1c1, r1c2"), (NONE, "no solution")])
def test_a_board_without_a_solution_gets_no_hint(ask: object, board: str, words: str) -> None:
    assert callable(ask)
    with pytest.raises(ImproperError, match=words):
        ask(board)


HARD = "100007090030020008009600500005300900010080002600004000300000010040000007007000300"
TRIALS = "800000000003600000070090200050007000000045700000100030001000068008500010090000400"
NETS = (
    ".3.....82..2.9......4..67......43....1....5..7..6.5.2..9.2....6..65....9......31.",
    ".....8.7..13..............4...1.45...9...73....82....65..6..9...2..43.6..6..1....",
)
"""Need no trial, but a forcing net; of the list magictour top1465."""


slow = pytest.mark.slow


@pytest.fixture(scope="module", params=[8, pytest.param(25, marks=slow)], ids=["few", "many"])
def puzzles(request: pytest.FixtureRequest) -> list[str]:
    """Puzzles of all difficulties."""
    made = (str(generate(symmetry="none", minimal=True, seed=seed)) for seed in range(request.param))
    return [EASY, HARD, TRIALS, str(generate(difficulty="medium", seed=1)), *made]


@cache
def explained(puzzle: str) -> Explanation:
    return explain(puzzle)


@cache
def rated(puzzle: str) -> Rating:
    return rate(puzzle)


def walked(puzzle: str) -> Iterator[tuple[Candidates, Step]]:
    """The steps of a puzzle, each with the board that it is seen on."""
    board = Candidates(parse_board(puzzle))
    for step in explained(puzzle).steps:
        yield board, step
        take(board, step)


def test_the_way_to_the_solution_is_right_in_every_step(puzzles: list[str]) -> None:
    for puzzle in puzzles:
        solution = solve(puzzle).solution
        assert solution is not None
        right = solution.reshape(81)
        for board, step in walked(puzzle):
            assert bool(step.placements) != bool(step.eliminations)
            assert all(board.has(*candidate) for candidate in step.placements + step.eliminations)
            assert all(right[cell] == digit for cell, digit in step.placements), step
            assert all(right[cell] != digit for cell, digit in step.eliminations), step
            assert step.text.endswith(".") and step.text == str(step)
            assert all(cell_name(cell) in step.text for cell, _ in step.eliminations or step.placements)
            assert json.dumps(step.to_dict())
        assert tuple(board.values) == tuple(right)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=slow) for seed in range(1, 6))])
def test_steps_hold_for_every_solution_of_a_board_that_has_several(seed: int, shared_data: Path) -> None:
    """So they follow from the candidates alone, whatever the solution: checked against all that there are."""
    rng = np.random.default_rng(seed)
    lines = (shared_data / "puzzles" / "magictour_top1465.txt").read_text().splitlines()
    tried, steps = 0, 0
    while tried < 3:
        values = list(parse_board(lines[rng.integers(len(lines))][:81]))
        for cell in rng.permutation(np.flatnonzero(values))[: rng.integers(1, 3)]:
            values[cell] = 0
        found = search(values, 300)
        if not 1 < len(found.solutions) < 300:
            continue
        tried += 1
        for step in walk(Candidates(values), allowed_techniques(unique=False)):
            steps += 1
            for solution in found.solutions:
                assert all(solution[cell] == digit for cell, digit in step.placements), step
                assert all(solution[cell] != digit for cell, digit in step.eliminations), step
    assert steps > 25


def test_the_links_of_chains_hold(puzzles: list[str]) -> None:
    chains = 0
    for puzzle in puzzles:
        for board, step in walked(puzzle):
            if step.links and step.technique.name not in ("simple colouring", *FORCING):
                chains += 1
                links_hold(board, step.links)
                assert [link.strong for link in step.links[:2]] == [True, False]
                assert all(one.end == two.start for one, two in pairwise(step.links))
                loop = not step.links[-1].strong
                ends = [(link.start, link.end) for link in step.links if not link.strong]
                if not loop:
                    ends = [(step.links[0].start, step.links[-1].end)]
                for cell, digit in step.eliminations:
                    gone = Node((cell,), digit)
                    assert any(forbids(one, gone) and forbids(two, gone) for one, two in ends)
    assert chains > 10


@pytest.mark.parametrize("every", [300, pytest.param(60, marks=slow)])
def test_the_branches_of_forcing_chains_lead_to_the_same_from_all_that_may_be(
    every: int, shared_data: Path
) -> None:
    """From nodes of which one is true; every link holds on its own."""
    lines = (shared_data / "puzzles" / "forum_hardest_1106.txt").read_text().splitlines()
    told: Counter[str] = Counter()
    for line in [line for line in lines if line[0] != "#"][::every]:
        for board, step in walked(line[:81]):
            if step.technique.name in FORCING:
                told[step.technique.name] += 1
                links_hold(board, step.links)
                branches = branches_of(step.links)
                ((cell, digit),) = step.placements or step.eliminations
                for branch in branches:
                    assert [link.strong for link in branch] == [i % 2 == 1 for i in range(len(branch))]
                    assert branch[-1].end == Node((cell,), digit)
                    assert branch[-1].strong == bool(step.placements)
                one_is_true(board, step, [branch[0].start for branch in branches])
    assert sum(told.values()) > 4 and len(told) > 1, told


def one_is_true(board: Candidates, step: Step, starts: list[Node]) -> None:
    """Check that the branches of *step* begin at nodes of which one must be true."""
    fork = step.colours[0] if step.colours else ()
    begun = {(cell, node.digit) for node in starts for cell in node.cells}
    if step.technique.name == "unit forcing chain":
        places = board.planes[starts[0].digit] & SIGHT.units[step.units[0]]
        assert len({node.digit for node in starts}) == 1
        assert cell_set(cell for cell, _ in begun) == places
    elif step.technique.name == "cell forcing chain":
        assert {cell for cell, _ in begun} == set(fork) == {step.cells[0]}
        assert sum(1 << digit for _, digit in begun) == board.masks[step.cells[0]]
    elif step.technique.name == "set forcing chain":
        digits = {node.digit for node in starts}
        held = {digit for cell in fork for digit in range(1, 10) if board.has(cell, digit)}
        assert len(held) == len(fork) + 2 and len(digits) == 3
        assert begun == {(c, d) for c in fork for d in digits if board.has(c, d)}
    else:
        assert step.technique.name == "rectangle forcing chain"
        assert len({cell // 9 for cell in fork}) == len({cell % 9 for cell in fork}) == 2
        assert len({(cell // 27, cell % 9 // 3) for cell in fork}) == 2
        swapped = [board.masks[cell] & ~sum(1 << d for c, d in begun if c == cell) for cell in fork]
        assert len(set(swapped)) == 1 and swapped[0].bit_count() == 2


def test_the_branches_of_a_forcing_net_follow_by_singles_and_none_ends_it() -> None:
    nets = 0
    for board, step in (each for puzzle in NETS for each in walked(puzzle)):
        if step.branches:
            nets += 1
            ((cell, digit),) = step.eliminations
            starts = {branch.start for branch in step.branches}
            if step.units:
                places = board.planes[step.branches[0].start[1]] & SIGHT.units[step.units[0]]
                assert starts == {(place, step.branches[0].start[1]) for place in cells_of(places)}
            else:
                assert starts == {(step.cells[0], d) for d in range(1, 10) if board.has(step.cells[0], d)}
            for branch in step.branches:
                after = board.copy()
                after.place(*branch.start)
                for node in branch.follows:
                    follow_node(after, node)
                assert not after.has(cell, digit) and after.values[cell] != digit
                end, _, dead = follow(board, branch.start)
                assert end.blank and dead is None
    assert nets


def follow_node(board: Candidates, node: Node) -> None:
    """Check that a single is one, or that all places of a digit in a unit are told, and do what follows."""
    cells = cell_set(node.cells)
    places = (board.planes[node.digit] & unit for unit in SIGHT.units.values())
    seen = any(here and not here & ~cells for here in places)
    if len(node.cells) == 1:
        assert seen or board.masks[node.cells[0]] == 1 << node.digit
        board.place(node.cells[0], node.digit)
    else:
        assert seen
        for cell in range(81):
            if board.has(cell, node.digit) and all(SIGHT.peers[cell] >> one & 1 for one in node.cells):
                board.remove(cell, node.digit)


def links_hold(board: Candidates, links: Sequence[Link]) -> None:
    """Check each link by itself."""
    for link in links:
        assert is_strong(board, link) if link.strong else forbids(link.start, link.end), link


def is_strong(board: Candidates, link: Link) -> bool:
    """Whether one end of a link must be true."""
    one, two = link.start, link.end
    digits = 1 << one.digit | 1 << two.digit
    if link.locked:
        held = 0
        for cell in link.locked:
            held |= board.masks[cell]
        here = cell_set(link.locked)
        assert any(not here & ~unit for unit in SIGHT.units.values())
        assert all(board.planes[node.digit] & here == cell_set(node.cells) for node in (one, two))
        return held.bit_count() == len(link.locked) + 1 and digits & held == digits and one.digit != two.digit
    if one.digit != two.digit:
        return one.cells == two.cells and board.masks[one.cells[0]] == digits
    cells = cell_set({*one.cells, *two.cells})
    places = (board.planes[one.digit] & unit for unit in SIGHT.units.values())
    return any(here and not here & ~cells for here in places)


def forbids(one: Node, two: Node) -> bool:
    """Whether not both can be true."""
    if one.digit != two.digit:
        return one.cells == two.cells and len(one.cells) == 1
    return all(SIGHT.peers[a] >> b & 1 for a in one.cells for b in two.cells)


def test_a_hint_leads_to_a_digit_by_steps_that_it_needs(puzzles: list[str]) -> None:
    several = 0
    for puzzle in set(puzzles) - {TRIALS}:
        for number, (board, _) in enumerate(walked(puzzle)):
            if number % 25:
                continue
            now = board_array(board.values)
            steps = hints(now)
            assert hint(now) == steps[0]
            several += len(steps) > 1
            after = Candidates(board.values)
            for needed in steps[:-1]:
                assert needed.eliminations
                take(after, needed)
            if steps[-1].technique.name not in ("trial", "BUG+1", *FORCING):
                ((cell, digit),) = steps[-1].placements
                alone = [after.planes[digit] & unit == 1 << cell for unit in SIGHT.units.values()]
                assert any(alone) or after.masks[cell] == 1 << digit
    assert several


def test_a_hint_of_bug_plus_one_comes_behind_all_steps_that_make_the_grave() -> None:
    """All blank cells must have two candidates but one, where only the steps told have been taken."""
    puzzle = "538127946624839751719645080960014827001760094047098160490081670006470019172956438"
    left = {
        cell: {*range(1, 10)} - {int(puzzle[peer]) for peer in PEERS[cell]}
        for cell in range(81)
        if puzzle[cell] == "0"
    }
    *before, grave = hints(puzzle)
    assert grave.technique.name == "BUG+1"
    for step in before:
        for cell, digit in step.eliminations:
            left[cell].remove(digit)
    assert sorted(map(len, left.values())) == [2] * (len(left) - 1) + [3]
    assert len(left[grave.placements[0][0]]) == 3 and set(grave.cells) == set(left)


def test_a_rating_counts_the_steps_of_the_explanation(puzzles: list[str]) -> None:
    for puzzle in puzzles:
        rating = rated(puzzle)
        counts = Counter(step.technique for step in explained(puzzle).steps)
        assert dict(rating.counts) == counts
        assert rating.hardest == max(counts, key=TECHNIQUES.index)
        assert list(rating.counts) == sorted(rating.counts, key=TECHNIQUES.index)


def test_the_puzzles_are_of_every_difficulty(puzzles: list[str]) -> None:
    ratings = list(map(rated, puzzles))
    assert {rating.name for rating in ratings} == set(DIFFICULTIES)
    easiest = min(ratings, key=lambda rating: rating.score)
    hardest = max(ratings, key=lambda rating: rating.score)
    assert (easiest.name, hardest.name) == ("easy", "extreme")


@slow
def test_a_limit_ends_a_rating_as_soon_as_it_is_passed(puzzles: list[str]) -> None:
    for puzzle in puzzles:
        full = rated(puzzle)
        for limit in DIFFICULTIES:
            rating = rate(puzzle, limit=limit)
            if DIFFICULTIES.index(full.name) <= DIFFICULTIES.index(limit):
                assert rating == full
            else:
                assert not rating.finished
                assert DIFFICULTIES.index(rating.name) == DIFFICULTIES.index(limit) + 1
                assert rating.score <= full.score


def test_several_solutions_leave_out_what_needs_one() -> None:
    several = EASY[:9] + "0" * 72
    explanation = explain(several)
    assert explanation.status == "many" and explanation.solution is None
    assert "several solutions" in explanation.message
    with pytest.raises(ImproperError, match="several solutions") as refused:
        rate(several)
    assert refused.value.status == "many"


def test_a_trial_ends_a_puzzle_that_logic_does_not() -> None:
    explanation = explain(TRIALS)
    assert not explanation.by_logic
    assert explanation.steps[-1].placements
    assert explain(EASY).by_logic
