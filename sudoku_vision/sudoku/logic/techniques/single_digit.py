"""Patterns of one digit: two strong pairs that a unit joins.

A *strong pair* has two *ends*. An end is a cell or a group of cells. Both ends together are all places of a
digit in a unit, so one end holds the digit. If an end of one pair and an end of another pair share a unit,
only one of these two ends can hold the digit. So at least one of the other two ends, the *free* ends, holds
the digit.
"""

from collections.abc import Iterable
from functools import lru_cache, partial
from itertools import combinations, combinations_with_replacement, product

from sudoku_vision.sudoku.logic.bits import DIGITS, candidates_at, cells_of
from sudoku_vision.sudoku.logic.candidates import Candidates, Sight
from sudoku_vision.sudoku.logic.steps import Link, Node, Step, Technique, new_step
from sudoku_vision.texts import Sentence

StrongPair = tuple[int, int, int]  # the number of a unit, and the two ends of the pair, each a set of cells
Shape = tuple[int, int, int]  # the kinds of the first pair's unit, the second pair's unit, the joining unit

_ROWS, _COLUMNS, _BOXES, _CROSSES = range(4)
"""Kinds of units. _CROSSES stands for boxes or regions whose strong pairs :func:`_crosses` returns."""


def strong_pairs(plane: int, sight: Sight, units: Iterable[int] = ()) -> list[StrongPair]:
    """Return the strong pairs of cells in *units* (by default in all units). *plane*: places of a digit."""
    pairs = []
    for unit in units or sight.units:
        places = plane & sight.units[unit]
        if places.bit_count() == 2:
            first = places & -places
            pairs.append((unit, first, places ^ first))
    return pairs


def _crosses(plane: int, sight: Sight) -> list[StrongPair]:
    """For each box, return strong pairs if all places of a digit lie on the cross of one row and one column.

    The places in the row are one end, and the places in the column are the other end. The cell where row and
    column cross can belong to either end. Both possible pairs are returned.
    """
    pairs = []
    for box in sight.regions:
        places = plane & sight.units[box]
        if places.bit_count() > 2:
            lines = [places & sight.units[line] for line in range(18)]
            for row, column in product(filter(None, lines[:9]), filter(None, lines[9:])):
                if row | column == places != row and places != column:
                    pairs += [(box, row & ~column, column), (box, column & ~row, row)]
    return pairs


_Joined = tuple[tuple[int, ...], tuple[int, int, int], int]
"""Two strong pairs that a unit joins, as a triple. First, their four ends as sets of cells; the first and the
last end are free. Second, three units: the unit of the first pair, the joining unit, the unit of the second
pair. Third, the set of cells where the digit is ruled out."""


@lru_cache(1 << 15)  # cached, because a step changes few digits: most calls repeat an earlier call
def _join(plane: int, shapes: tuple[Shape, ...], sight: Sight) -> _Joined | None:
    """Find two joined pairs of one of the *shapes* that rule out a digit. *plane*: the digit's places."""
    kinds = range(9), range(9, 18), sight.regions
    pairs = [strong_pairs(plane, sight, units) for units in kinds]
    pairs.append(_crosses(plane, sight) if shapes[0][0] == _CROSSES else [])
    for one, two, between in shapes:
        both = combinations(pairs[one], 2) if one == two else product(pairs[one], pairs[two])
        for (first, *own), (second, *others) in both:
            for a, b in product((1,) if one == _CROSSES else (0, 1), (0, 1)):
                ends = (own[1 - a], own[a], others[b], others[1 - b])
                joint = ends[1] | ends[2]
                shared = sight.units_of[joint.bit_length() - 1][between]
                if not joint & ~sight.units[shared] and not (own[0] | own[1]) & (others[0] | others[1]):
                    gone = plane & sight.seen_by_all(cells_of(ends[0] | ends[3]))
                    if gone:
                        return ends, (first, shared, second), gone
    return None


_NAMES = ("roof", "foot", "other_foot", "other_roof", "first", "shared", "second")
"""The placeholders for the four ends and the three units in the sentence of a step."""


def joined_pairs(board: Candidates, *, shapes: tuple[Shape, ...]) -> Step | None:
    """Find two strong pairs that a unit joins, and rule out the digit.

    The unit has one end of each pair. The digit is ruled out in cells that see both other ends.
    """
    for digit in DIGITS:
        found = _join(board.planes[digit], shapes, board.sight)
        if found is not None:
            ends, units, gone = found
            nodes = [Node(cells_of(end), digit) for end in ends]
            names = zip(_NAMES, (*(node.cells for node in nodes), *units), strict=True)
            key = "empty_rectangle" if shapes[0][0] == _CROSSES else "joined"
            return new_step(
                tuple(cell for node in nodes for cell in node.cells),
                (digit,),
                units,
                links=tuple(Link(nodes[i], nodes[i + 1], strong=i != 1) for i in range(3)),
                eliminations=candidates_at(gone, digit),
                words=Sentence(f"step.{key}", dict(names)),
            )
    return None


_EMPTY = ((_CROSSES, _ROWS, _COLUMNS), (_CROSSES, _COLUMNS, _ROWS))
_TURBOT = tuple(
    (one, two, between)
    for one, two in combinations_with_replacement((_ROWS, _COLUMNS, _BOXES), 2)
    for between in {_ROWS, _COLUMNS, _BOXES} - {one, two}
)
"""The shapes of a turbot fish. The joining unit has another kind (row, column or box) than the units in
which the two pairs lie. Some of the shapes are skyscrapers or two-string kites. These are techniques of their
own, and are tried earlier."""


def _record(name: str, order: int, score: int, *shapes: Shape) -> Technique:
    return Technique(name, order, "hard", score, partial(joined_pairs, shapes=shapes))


TECHNIQUES = (
    _record("skyscraper", 1300, 130, (_ROWS, _ROWS, _COLUMNS), (_COLUMNS, _COLUMNS, _ROWS)),
    _record("two-string kite", 1400, 150, (_ROWS, _COLUMNS, _BOXES)),
    _record("turbot fish", 1410, 120, *_TURBOT),
    _record("empty rectangle", 1420, 120, *_EMPTY),
)
