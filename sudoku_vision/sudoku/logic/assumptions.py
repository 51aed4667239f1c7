"""What follows from a digit that is assumed, by singles and whatever else is allowed, and why."""

from collections.abc import Callable, Iterable, Sequence

from sudoku_vision.sudoku.logic.candidates import (
    DIGITS,
    DIGITS_OF,
    Candidates,
    candidates_at,
    cell_set,
    cells_of,
    united,
)
from sudoku_vision.sudoku.logic.engine import take
from sudoku_vision.sudoku.logic.steps import Candidate, Node, Step, Trial


def follow(
    board: Candidates, assumed: Candidate, further: Callable[[Candidates], Step | None] = lambda _: None
) -> tuple[Candidates, list[Node], Trial | None]:
    """Follow the singles from *assumed*, and a step that *further* finds where there are none.

    Gives the board in the end, what led there (the assumption first; of a further step the places of its
    digit), and the dead end, if it is one.
    """
    after = board.copy()
    after.place(*assumed)
    cell, digit = assumed
    follows = [Node((cell,), digit)]
    while after.blank:
        singles, dead = look(after)
        if dead is not None:
            return after, follows, dead
        for cell, digit in singles:
            if after.has(cell, digit):
                after.place(cell, digit)
                follows.append(Node((cell,), digit))
        if not singles:
            step = further(after)
            if step is None:
                break
            follows.append(Node(step.cells, step.digits[0]))
            take(after, step)
    return after, follows, None


def look(board: Candidates) -> tuple[list[Candidate], Trial | None]:
    """Find all singles; and the dead end, if a cell has no digit or a digit no place left."""
    held = united(board.planes)
    if held != board.blank:
        return [], Trial("contradiction", dead_cell=cells_of(board.blank & ~held)[0])
    singles = [(cell, DIGITS_OF[board.masks[cell]][0]) for cell in cells_of(board.with_count(1))]
    for digit in DIGITS:
        plane, standing = board.planes[digit], board.standing[digit]
        for unit, members in board.sight.units.items():
            places = plane & members
            if not places:
                if not standing & members:
                    return [], Trial("contradiction", dead_unit=unit, dead_digit=digit)
            elif not places & places - 1:
                singles.append((places.bit_length() - 1, digit))
    return singles, None


def needed(board: Candidates, follows: Sequence[Node], gone: Iterable[Candidate]) -> list[Node]:
    """Select those of *follows*, without the first, that take the candidates *gone*, directly or not."""
    after = board.copy()
    taken_by: dict[Candidate, int] = {}
    reasons: list[set[int]] = []
    for number, node in enumerate(follows):
        before = _before(board, after, node) if number else []
        reasons.append({taken_by[candidate] for candidate in before})
        for candidate in _cleared(after, node):
            taken_by[candidate] = number
            after.remove(*candidate)
    wanted = {taken_by[candidate] for candidate in gone}
    for number in range(len(follows) - 1, 0, -1):
        if number in wanted:
            wanted |= reasons[number]
    return [follows[number] for number in sorted(wanted - {0})]


def _before(board: Candidates, after: Candidates, node: Node) -> list[Candidate]:
    """Return what had to be false, of the candidates of *board*, for *node* to be seen."""
    cells = cell_set(node.cells)
    if len(node.cells) == 1 and after.masks[node.cells[0]] == 1 << node.digit:
        (cell,) = node.cells
        return [(cell, digit) for digit in DIGITS_OF[board.masks[cell]] if digit != node.digit]
    left = after.planes[node.digit]
    unit = next(
        unit
        for unit in board.sight.units.values()
        if left & unit and not left & unit & ~cells and not cells & ~unit
    )
    return list(candidates_at(board.planes[node.digit] & unit & ~cells, node.digit))


def _cleared(after: Candidates, node: Node) -> list[Candidate]:
    """Return what is false on a board if *node* is true."""
    cleared = list(candidates_at(after.planes[node.digit] & after.sight.seen_by_all(node.cells), node.digit))
    if len(node.cells) == 1:
        (cell,) = node.cells
        cleared += [(cell, digit) for digit in DIGITS_OF[after.masks[cell]] if digit != node.digit]
    return cleared
