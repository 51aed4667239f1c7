"""Almost locked sets, two or three in a row, joined by digits that not both of two can hold.

Two sets have a digit as a *restricted common* if all of its cells in one see all of those in the other: then
not both hold it, and the one without it holds all its other digits.
"""

from __future__ import annotations

from sudoku_vision.sudoku.logic.candidates import Candidates, bits_of
from sudoku_vision.sudoku.logic.inferences import chain_links, set_graph, shortest_chain, units_of
from sudoku_vision.sudoku.logic.steps import Step, Technique
from sudoku_vision.sudoku.logic.words import listed, name_cells, strike


def als_xz(board: Candidates) -> Step | None:
    """Find two sets with a restricted common x, and a common z: one of them holds z."""
    return _joined(board, ALS_XZ, 2)


def als_xy_wing(board: Candidates) -> Step | None:
    """Find two sets that share z, and each has a restricted common with a third: one of the two holds z."""
    return _joined(board, ALS_XY_WING, 3)


def _joined(board: Candidates, technique: Technique, count: int) -> Step | None:
    """Find *count* sets in a row."""
    graph = board.derived(set_graph)
    path = shortest_chain(graph, most=count)
    if path is None or len(path) != 2 * count:
        return None
    links = chain_links(board, graph, path, strong=True)
    sets = tuple(link.locked or link.start.cells for link in links if link.strong)
    start, end = path[0], path[-1]
    return Step(
        technique,
        tuple(dict.fromkeys(cell for cells in sets for cell in cells)),
        tuple(dict.fromkeys(node.digit for link in links for node in (link.start, link.end))),
        units=units_of(links),
        colours=sets,
        links=tuple(links),
        eliminations=tuple(map(graph.candidate, bits_of(graph.forbids[start] & graph.forbids[end]))),
    )


def _intro(step: Step) -> str:
    """Say what the sets are, and call them A, B and C."""
    sets = listed(
        f"{letter} ({name_cells(cells)})" for letter, cells in zip("ABC", step.colours, strict=False)
    )
    return (
        f"Each of the sets {sets} holds one digit more than it has cells: without one of its digits, it "
        "holds all the others."
    )


def _xz_sentence(step: Step) -> str:
    digit, common = step.digits
    return (
        f"{_intro(step)} All places for {common} in A see those in B, so A or B is without {common}, and "
        f"holds {digit}. What sees all places for {digit} in both can't hold it: {strike(step.eliminations)}."
    )


def _xy_sentence(step: Step) -> str:
    digit, first, second = step.links[0].start.digit, step.links[0].end.digit, step.links[2].end.digit
    return (
        f"{_intro(step)} All places for {first} in A see those in B, and all places for {second} in B those "
        f"in C. B is without one of these at most, so it takes {first} from A, or {second} from C, which "
        f"then holds {digit}. What sees all places for {digit} in A and C can't hold it: "
        f"{strike(step.eliminations)}."
    )


ALS_XZ = Technique(
    "ALS-XZ",
    order=2500,
    difficulty="extreme",
    score=300,
    find=als_xz,
    sentence=_xz_sentence,
    example="070600300960003000103580006009050000000002100000000054000100008091060020430070600",
)

ALS_XY_WING = Technique(
    "ALS-XY-wing",
    order=2600,
    difficulty="extreme",
    score=320,
    find=als_xy_wing,
    sentence=_xy_sentence,
    example="860000070900080006003009180008095000020408060000210800085000600300040008040800020",
)

TECHNIQUES = (ALS_XZ, ALS_XY_WING)
