"""Simple colouring: cells of one digit, joined by strong pairs, in two colours of which one is true."""

from __future__ import annotations

from sudoku_vision.sudoku.logic.candidates import DIGITS, PEER_SETS, Candidates, cells_of
from sudoku_vision.sudoku.logic.steps import Link, Node, Step, Technique
from sudoku_vision.sudoku.logic.techniques.single_digit import StrongPair, strong_pairs
from sudoku_vision.sudoku.logic.words import name_cells, strike


def simple_colouring(board: Candidates) -> Step | None:
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
            step = _colour_step(digit, plane, colours, pairs)
            if step is not None:
                return step
    return None


def _coloured(start: int, pairs: list[StrongPair]) -> tuple[int, int]:
    """Return the two colours (sets of cells) of all that hangs together with *start*."""
    colours = [1 << start, 0]
    grown = True
    while grown:
        grown = False
        for _, first, second in pairs:
            for one, other in ((first, second), (second, first)):
                for colour in (0, 1):
                    if colours[colour] >> one & 1 and not colours[1 - colour] >> other & 1:
                        colours[1 - colour] |= 1 << other
                        grown = True
    return colours[0], colours[1]


def _colour_step(digit: int, plane: int, colours: tuple[int, int], pairs: list[StrongPair]) -> Step | None:
    seen = [0, 0]
    gone = 0
    for colour, cells in enumerate(colours):
        for cell in cells_of(cells):
            seen[colour] |= PEER_SETS[cell]
    for colour, cells in enumerate(colours):
        if seen[colour] & cells:
            gone = cells
            colours = (colours[1 - colour], cells)
            break
    else:
        gone = plane & seen[0] & seen[1] & ~(colours[0] | colours[1])
    if not gone:
        return None
    both = colours[0] | colours[1]
    joining = [pair for pair in pairs if both >> pair[1] & 1]
    return Step(
        SIMPLE_COLOURING,
        cells_of(both),
        (digit,),
        tuple(unit for unit, _, _ in joining),
        colours=(cells_of(colours[0]), cells_of(colours[1])),
        links=tuple(Link(Node((a,), digit), Node((b,), digit), strong=True) for _, a, b in joining),
        eliminations=tuple((cell, digit) for cell in cells_of(gone)),
    )


def _sentence(step: Step) -> str:
    digit = step.digits[0]
    one, other = step.colours
    start = (
        f"Follow the units where {digit} has only two places: either it stands in all of "
        f"{name_cells(one)}, or in all of {name_cells(other)}. "
    )
    if any(cell in other for cell, _ in step.eliminations):
        return f"{start}Two of the latter see each other, so they are wrong: {strike(step.eliminations)}."
    return f"{start}Cells that see one of each can't hold it: {strike(step.eliminations)}."


SIMPLE_COLOURING = Technique(
    "simple colouring",
    order=2000,
    difficulty="hard",
    score=150,
    find=simple_colouring,
    sentence=_sentence,
    example="607001054540607012103045760002316475314572006756894123460120537231750640075463201",
)

TECHNIQUES = (SIMPLE_COLOURING,)
