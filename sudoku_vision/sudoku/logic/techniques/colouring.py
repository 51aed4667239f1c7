"""Colouring: two cells get different colours if exactly one of the two holds a digit d.

This is so if the two cells are the only places of d in a unit (a *strong pair*). It is also so if the
cells see each other and have the same two candidates. If such pairs connect a group of cells, d is in
all cells of one colour, and in no cell of the other colour.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, product

from sudoku_vision.sudoku.logic.bits import DIGITS, candidates_at, cells_of, united
from sudoku_vision.sudoku.logic.candidates import Candidates, Sight
from sudoku_vision.sudoku.logic.steps import Link, Node, Step, Technique, new_step
from sudoku_vision.sudoku.logic.techniques.single_digit import StrongPair, strong_pairs
from sudoku_vision.texts import Sentence


def simple_colouring(board: Candidates) -> Step | None:
    """Find cells that are connected by strong pairs of a digit, and give the cells two colours.

    If two cells of a colour see each other, no cell of this colour holds the digit. Otherwise the digit is
    ruled out in every cell that sees cells of both colours.
    """
    for digit in DIGITS:
        one, other, gone = _colours(board.planes[digit], board.sight)
        if gone:
            colours = cells_of(one), cells_of(other)
            clash = "clash" if gone & other else "both"
            pairs = [
                pair for pair in strong_pairs(board.planes[digit], board.sight) if pair[1] & (one | other)
            ]
            nodes = [[Node(cells_of(cell), digit) for cell in ends] for _, *ends in pairs]
            return new_step(
                cells_of(one | other),
                (digit,),
                tuple(unit for unit, _, _ in pairs),
                colours=colours,
                links=tuple(Link(start, end, strong=True) for start, end in nodes),
                eliminations=candidates_at(gone, digit),
                words=Sentence(f"step.colouring.{clash}", {"one": colours[0], "other": colours[1]}),
            )
    return None


def remote_pair(board: Candidates) -> Step | None:
    """Find four or more cells with the same two candidates, and give them two colours.

    Two of these cells have different colours if they see each other. The two digits are ruled out in every
    cell that sees cells of both colours.
    """
    pairs = board.with_count(2)
    for x, y in combinations(DIGITS, 2):
        alike = board.planes[x] & board.planes[y] & pairs
        if alike.bit_count() > 3:  # with two or three cells, naked pairs have already ruled out the digits
            for one, other in _coloured(
                [(0, 1 << cell, board.sight.peers[cell] & alike) for cell in cells_of(alike)]
            ):
                seen = _seen(board.sight, one) & _seen(board.sight, other)
                gone = [one for digit in (x, y) for one in candidates_at(board.planes[digit] & seen, digit)]
                if gone:
                    cells, colours = cells_of(one | other), (cells_of(one), cells_of(other))
                    names = {"one": colours[0], "other": colours[1], "x": x, "y": y}
                    return new_step(
                        cells,
                        (x, y),
                        colours=colours,
                        eliminations=tuple(sorted(gone)),
                        words=Sentence("step.remote_pair", names),
                    )
    return None


@lru_cache(1 << 15)  # cached, because a step changes few digits: most calls repeat an earlier call
def _colours(plane: int, sight: Sight) -> tuple[int, int, int]:
    """Return three sets of cells: two colours of a digit, and the places where the digit is ruled out.

    If two cells of a colour see each other, the digit is ruled out in all cells of this colour. Then this
    colour is returned twice, as the second and as the third set. All three sets are empty if nothing is ruled
    out.
    """
    for one, other in _coloured(strong_pairs(plane, sight)):
        for right, wrong in ((other, one), (one, other)):
            if _seen(sight, wrong) & wrong:
                return right, wrong, wrong
        gone = plane & _seen(sight, one) & _seen(sight, other)
        if gone:
            return one, other, gone
    return 0, 0, 0


def _coloured(pairs: Sequence[StrongPair]) -> Iterator[tuple[int, int]]:
    """Yield the two colours (sets of cells) of each group of cells that are connected by *pairs*."""
    left = united([one | other for _, one, other in pairs])
    while left:
        colours, before = [left & -left, 0], [0, 0]
        while colours != before:
            before = colours[:]
            for (_, *ends), end, colour in product(pairs, (0, 1), (0, 1)):
                if ends[end] & colours[colour]:
                    colours[1 - colour] |= ends[1 - end]
        left &= ~(colours[0] | colours[1])
        yield colours[0], colours[1]


def _seen(sight: Sight, cells: int) -> int:
    return united([sight.peers[cell] for cell in cells_of(cells)])


TECHNIQUES = (
    Technique("remote pair", 1240, "hard", 110, remote_pair),
    Technique("simple colouring", 2000, "hard", 150, simple_colouring),
)
