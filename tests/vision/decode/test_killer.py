"""Cages in doubt: they are named, and what a person says of them settles them, either way."""

from dataclasses import replace

import numpy as np
import pytest
from test_decode import clean, scores

from sudoku_vision.errors import UsageError
from sudoku_vision.sudoku.board import board_text, cell_name
from sudoku_vision.sudoku.generator import generate
from sudoku_vision.sudoku.rules import Cage
from sudoku_vision.vision.decode import grid_status
from sudoku_vision.vision.decode.killer import decode_killer
from sudoku_vision.vision.decode.overrides import apply_overrides, confirming_overrides, parse_overrides
from sudoku_vision.vision.results import DigitScores, Division, Reading

BLANK = np.zeros((9, 9), np.int8)
KILLER = generate(rules="killer", seed=1)
CAGES = KILLER.rules.cages
ONE, OTHER = CAGES[16], CAGES[18]
"""With one more in the first cage and one less in the other, the killer has exactly one solution, too."""
MISREAD = ONE._replace(sum=ONE.sum + 1)


def read(misread: float, *others: Division) -> DigitScores:
    """The scores of the killer; *misread* is the probability, by the ink, of those two sums."""
    sums = {cage.cells[0]: {cage.sum: 0.9999} for cage in CAGES}
    for cage, more in ((ONE, 1), (OTHER, -1)):
        sums[cage.cells[0]] = {cage.sum + more: misread, cage.sum: 1 - misread}
    divisions = [(0.0, [list(cage.cells) for cage in CAGES]), *others]
    return replace(scores(clean((0,) * 81)), sums=sums, divisions=divisions)


def said(killer: DigitScores, text: str) -> Reading:
    return apply_overrides(killer, parse_overrides(text)[None], BLANK)


def is_right(reading: Reading) -> bool:
    assert reading.solution is not None
    return board_text(reading.solution) == board_text(KILLER.solution)


def test_a_sum_in_doubt_is_named_and_settled_either_way() -> None:
    killer, reading = decode_killer(read(0.6))
    assert grid_status(reading) == "uncertain" and not is_right(reading)
    (doubt,) = reading.doubts  # by the law of 405, one of the two sums is enough
    assert (doubt.kind, doubt.digits, doubt.cages) == ("cage", (), (MISREAD, ONE))
    assert doubt.to_dict()["cages"] == [MISREAD.to_dict(), ONE.to_dict()]
    name = cell_name(ONE.cells[0])
    assert confirming_overrides([doubt]) == f"{name}=sum{MISREAD.sum}"
    for cage in doubt.cages:
        after = said(killer, f"{name}=sum{cage.sum}")
        assert (grid_status(after), after.doubts, is_right(after)) == ("solved", (), cage == ONE)
    assert is_right(said(killer, f"{cell_name(OTHER.cells[1])}=sum{OTHER.sum}"))  # any cell names its cage


def test_a_corrected_sum_leaves_the_others_as_doubtful_as_they_are() -> None:
    """Two wrong sums were read as if sure. If one is corrected, the other follows by the law of 405."""
    killer, _ = decode_killer(read(0.9999))
    after = said(killer, f"{cell_name(ONE.cells[0])}=sum{ONE.sum}")
    assert is_right(after) and grid_status(after) == "uncertain"
    assert [doubt.cages[0] for doubt in after.doubts] == [OTHER]
    both = f"{cell_name(ONE.cells[0])}=sum{ONE.sum},{confirming_overrides(after.doubts)}"
    assert grid_status(said(killer, both)) == "solved"


def test_a_division_in_doubt_is_named_and_settled_either_way() -> None:
    digits = [int(KILLER.solution.flat[cell]) for cell in OTHER.cells]
    first, *rest = OTHER.cells
    cut = sorted([*(list(cage.cells) for cage in CAGES if cage != OTHER), [first], rest])
    killer = read(0.0, (0.0, cut))
    of_parts = {first: {OTHER.sum: 0.5, digits[0]: 0.5}, rest[0]: {sum(digits[1:]): 0.5}}
    killer, reading = decode_killer(replace(killer, sums={**killer.sums, **of_parts}))
    (doubt,) = reading.doubts
    part = Cage(digits[0], (first,))
    assert set(doubt.cages) == {OTHER, part}
    for cages in (doubt.cages, doubt.cages[::-1]):
        after = said(killer, confirming_overrides([replace(doubt, cages=cages)]))
        assert cages[0] in after.rules.cages
        assert (grid_status(after), is_right(after)) == ("solved", True)


def test_a_sum_that_no_ink_shows_is_named_until_a_person_says_it() -> None:
    unseen = read(0.0)
    unseen = replace(unseen, sums={**unseen.sums, CAGES[2].cells[0]: {}})
    killer, reading = decode_killer(unseen)
    assert is_right(reading) and grid_status(reading) == "uncertain"
    assert [doubt.cages for doubt in reading.doubts] == [(CAGES[2],)]
    assert grid_status(said(killer, confirming_overrides(reading.doubts))) == "solved"


def test_a_cage_is_taken_away_and_the_others_stay_as_they_were() -> None:
    for misread in (0.0, 0.6):
        killer, before = decode_killer(read(misread))
        after = said(killer, "nocage=" + "+".join(map(cell_name, ONE.cells)))
        assert set(after.rules.cages) == {*killer.rules.cages} - {ONE, MISREAD}
        assert grid_status(after) == grid_status(before)


def test_cages_that_cannot_be_are_refused() -> None:
    killer, _ = decode_killer(read(0.0))
    with pytest.raises(UsageError, match="can't add up to 46"):
        said(killer, "r1c1=sum46")
