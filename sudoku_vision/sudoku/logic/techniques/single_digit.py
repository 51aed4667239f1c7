"""Patterns of one digit, made of *strong pairs*: two cells that are the only places of a unit for it.

Two such pairs make a skyscraper or a kite. All that hang together can be coloured in turn: of the two colours
one is all true, the other all false.
"""

from __future__ import annotations

from functools import partial
from itertools import combinations, product

from sudoku_vision.sudoku.logic.candidates import (
    DIGITS,
    PEER_SETS,
    UNIT_SETS,
    UNITS_OF,
    Candidates,
    candidates_at,
    cells_of,
    united,
)
from sudoku_vision.sudoku.logic.steps import Link, Node, Step, Technique, shown_on
from sudoku_vision.texts import Sentence

StrongPair = tuple[int, int, int]
"""A unit and the two cells of a digit in it."""

_ROWS, _COLUMNS, _BOXES = range(3)
"""Kinds of units, in the order of the 27 and of those of a cell."""


def strong_pairs(plane: int, units: range) -> list[StrongPair]:
    """List the strong pairs on the *plane* of a digit (a set of cells) in some *units* (0..26)."""
    pairs = []
    for unit in units:
        places = plane & UNIT_SETS[unit]
        if places.bit_count() == 2:
            first, second = cells_of(places)
            pairs.append((unit, first, second))
    return pairs


def joined_pairs(
    board: Candidates, technique: Technique, *, shapes: tuple[tuple[int, int, int], ...]
) -> Step | None:
    """Find two strong pairs that share a unit with one end each: one of their other ends is true.

    *shapes*: the kinds of the units of the two, and of that which they share.
    """
    for digit in DIGITS:
        plane = board.planes[digit]
        pairs = [strong_pairs(plane, range(9 * kind, 9 * kind + 9)) for kind in (_ROWS, _COLUMNS)]
        for one, two, between in shapes:
            both = combinations(pairs[one], 2) if one == two else product(pairs[one], pairs[two])
            for (first, *ends), (second, *others) in both:
                for a, b in product((0, 1), repeat=2):
                    path = (ends[1 - a], ends[a], others[b], others[1 - b])
                    shared = UNITS_OF[ends[a]][between]
                    gone = plane & PEER_SETS[path[0]] & PEER_SETS[path[-1]]
                    if gone and shared == UNITS_OF[others[b]][between] and len(set(path)) == 4:
                        nodes = [Node((cell,), digit) for cell in path]
                        return Step(
                            technique,
                            path,
                            (digit,),
                            (first, shared, second),
                            links=tuple(Link(nodes[i], nodes[i + 1], strong=i != 1) for i in range(3)),
                            eliminations=candidates_at(gone, digit),
                        )
    return None


skyscraper = partial(joined_pairs, shapes=((_ROWS, _ROWS, _COLUMNS), (_COLUMNS, _COLUMNS, _ROWS)))
two_string_kite = partial(joined_pairs, shapes=((_ROWS, _COLUMNS, _BOXES),))


def simple_colouring(board: Candidates, technique: Technique) -> Step | None:
    """Find cells joined by strong pairs and coloured in turn: one colour is all true, the other all false.

    If two cells of a colour see each other, that colour is false; else what sees both colours is false.
    """
    for digit in DIGITS:
        plane = board.planes[digit]
        pairs = strong_pairs(plane, range(27))
        left = set().union(*((first, second) for _, first, second in pairs))
        while left:
            colours = _coloured(min(left), pairs)
            left -= set(cells_of(colours[0] | colours[1]))
            step = _colour_step(technique, digit, plane, colours, pairs)
            if step is not None:
                return step
    return None


def _coloured(start: int, pairs: list[StrongPair]) -> tuple[int, int]:
    """Return the two colours (sets of cells) of all that hangs together with *start*."""
    colours, open_cells = [1 << start, 0], [(start, 0)]
    while open_cells:
        cell, colour = open_cells.pop()
        for _, first, second in pairs:
            if cell in (first, second):
                other = first ^ second ^ cell
                if not colours[1 - colour] >> other & 1:
                    colours[1 - colour] |= 1 << other
                    open_cells.append((other, 1 - colour))
    return colours[0], colours[1]


def _colour_step(
    technique: Technique, digit: int, plane: int, colours: tuple[int, int], pairs: list[StrongPair]
) -> Step | None:
    both = colours[0] | colours[1]
    seen = [united([PEER_SETS[cell] for cell in cells_of(cells)]) for cells in colours]
    gone = plane & seen[0] & seen[1] & ~both
    for colour, cells in enumerate(colours):
        if seen[colour] & cells:
            gone, colours = cells, (colours[1 - colour], cells)
            break
    if not gone:
        return None
    joining = [pair for pair in pairs if both >> pair[1] & 1]
    return Step(
        technique,
        cells_of(both),
        (digit,),
        tuple(unit for unit, _, _ in joining),
        colours=(cells_of(colours[0]), cells_of(colours[1])),
        links=tuple(Link(Node((a,), digit), Node((b,), digit), strong=True) for _, a, b in joining),
        eliminations=candidates_at(gone, digit),
    )


def _joined_sentence(step: Step) -> Sentence:
    return step.saying(
        "step.joined",
        **dict(zip(("roof", "foot", "other_foot", "other_roof"), step.cells, strict=True)),
        **dict(zip(("first", "shared", "second"), step.units, strict=True)),
    )


def _colouring_sentence(step: Step) -> Sentence:
    one, other = step.colours
    clash = any(cell in other for cell, _ in step.eliminations)
    return step.saying(f"step.colouring.{'clash' if clash else 'both'}", one=one, other=other)


_EXAMPLES = (
    "195372648370084501084500003840095307951723864703840059519237486408050002007408905",
    "103026045650491023024350016542030160001642530360015274400283651235169487816574392",
    "607001054540607012103045760002316475314572006756894123460120537231750640075463201",
)
TECHNIQUES = shown_on(
    _EXAMPLES,
    Technique("skyscraper", 1300, "hard", 130, skyscraper, _joined_sentence),
    Technique("two-string kite", 1400, "hard", 150, two_string_kite, _joined_sentence),
    Technique("simple colouring", 2000, "hard", 150, simple_colouring, _colouring_sentence),
)
