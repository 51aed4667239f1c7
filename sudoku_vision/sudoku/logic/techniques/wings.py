"""Wings: patterns of cells with two or three candidates each.

Two or three of the cells have a common candidate, and at least one of these cells must hold it. So this digit
is ruled out in every cell that sees all of these cells.
"""

from functools import partial
from itertools import combinations

from sudoku_vision.sudoku.logic.bits import DIGITS_OF, candidates_at, cells_of
from sudoku_vision.sudoku.logic.candidates import Candidates
from sudoku_vision.sudoku.logic.steps import Link, Node, Step, Technique, new_step
from sudoku_vision.sudoku.logic.techniques.single_digit import strong_pairs
from sudoku_vision.texts import Sentence


def wing(board: Candidates, *, size: int) -> Step | None:
    """Find a cell, the pivot, that sees a cell with the candidates x and z, and a cell with y and z.

    With *size* 2, the pivot has the candidates x and y, so one of the two other cells holds z. With *size* 3,
    the pivot has x, y and z, so one of the three cells holds z. z is ruled out in every cell that sees all of
    these two or three cells.
    """
    masks, pairs = board.masks, board.with_count(2)
    for pivot in cells_of(board.blank):
        if masks[pivot].bit_count() != size:
            continue
        for one, two in combinations(cells_of(pairs & board.sight.peers[pivot]), 2):
            common, union = masks[one] & masks[two], masks[one] | masks[two]
            if common.bit_count() == 1 and masks[pivot] == (union ^ common if size == 2 else union):
                (digit,) = DIGITS_OF[common]
                holders = (one, two) if size == 2 else (pivot, one, two)
                gone = board.planes[digit] & board.sight.seen_by_all(holders)
                if gone:
                    digits = (digit, *DIGITS_OF[masks[one] ^ common], *DIGITS_OF[masks[two] ^ common])
                    names = {"pivot": pivot, "one": one, "two": two, "x": digits[1], "y": digits[2]}
                    return new_step(
                        (pivot, one, two),
                        digits,
                        eliminations=candidates_at(gone, digit),
                        words=Sentence("step.xy_wing" if size == 2 else "step.xyz_wing", names),
                    )
    return None


def w_wing(board: Candidates) -> Step | None:
    """Find two cells with the candidates x and y, and a unit with only two places for x.

    One of the two cells sees the first of these places, and the other cell sees the second. So at most one of
    the two cells holds x, and at least one holds y. y is ruled out in every cell that sees both cells.
    """
    masks = board.masks
    for one, two in combinations(cells_of(board.with_count(2)), 2):
        if masks[one] == masks[two] and not board.sight.peers[one] >> two & 1:
            seen = board.sight.peers[one] & board.sight.peers[two]
            first, second = DIGITS_OF[masks[one]]
            for linked, digit in ((first, second), (second, first)):
                gone = board.planes[digit] & seen
                bridge = _bridge(board, linked, one, two) if gone else None
                if bridge is not None:
                    unit, first, second = bridge
                    names = {"one": one, "two": two, "first": first, "second": second, "linked": linked}
                    path = [(one, digit), (one, linked), (first, linked), (second, linked)]
                    nodes = [Node((cell,), held) for cell, held in (*path, (two, linked), (two, digit))]
                    return new_step(
                        (one, two, first, second),
                        (digit, linked),
                        units=(unit,),
                        links=tuple(Link(nodes[i], nodes[i + 1], strong=i % 2 == 0) for i in range(5)),
                        eliminations=candidates_at(gone, digit),
                        words=Sentence("step.w_wing", names),
                    )
    return None


def _bridge(board: Candidates, digit: int, one: int, two: int) -> tuple[int, int, int] | None:
    """Return a unit and its only two places for *digit*. *one* sees the first place, *two* the second."""
    plane, sight = board.planes[digit], board.sight
    for unit, *ends in strong_pairs(plane & ~(1 << one | 1 << two), sight):
        for first, second in (ends, ends[::-1]):
            if (
                sight.peers[one] & first
                and sight.peers[two] & second
                and plane & sight.units[unit] == first | second
            ):
                return unit, first.bit_length() - 1, second.bit_length() - 1
    return None


TECHNIQUES = (
    Technique("XY-wing", 1600, "hard", 160, partial(wing, size=2)),
    Technique("XYZ-wing", 1700, "hard", 180, partial(wing, size=3)),
    Technique("W-wing", 1800, "hard", 150, w_wing),
)
