"""The sums of a killer that have a solution, found among unclear sums."""

from sudoku_vision.sudoku.generator import generate
from sudoku_vision.sudoku.solver.cage_sums import likely_rules

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
