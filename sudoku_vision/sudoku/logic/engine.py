"""Find and take the easiest step, and follow the consequences of an assumption."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from sudoku_vision.sudoku.logic.bits import DIGITS, DIGITS_OF, candidates_at, cell_set, cells_of, united
from sudoku_vision.sudoku.logic.candidates import Candidates, sight
from sudoku_vision.sudoku.logic.steps import Candidate, Node, Step, Technique, Trial


def next_step(board: Candidates, allowed: Iterable[Technique]) -> Step | None:
    """Try each technique in *allowed*, in order, on *board*. Return the first step that is found, or None."""
    return next((step for technique in allowed if (step := technique.find(board))), None)


def take(board: Candidates, step: Step) -> None:
    """Apply *step* to *board*: fill in the step's digits, and remove the candidates that it strikes out."""
    for cell, digit in step.placements:
        board.place(cell, digit)
    for cell, digit in step.eliminations:
        board.remove(cell, digit)


def walk(board: Candidates, allowed: Sequence[Technique]) -> Iterator[Step]:
    """Yield each step, and then apply it to *board*.

    Stop when no technique in *allowed* finds a step, or when the board is full.
    """
    while board.blank and (step := next_step(board, allowed)):
        yield step
        take(board, step)


def needed_steps(steps: Sequence[Step]) -> tuple[Step, ...]:
    """Select those *steps* that the last step needs, directly or through other steps.

    A later step is assumed to need an earlier step in three cases. The earlier step struck out a candidate in
    a cell of the later step's pattern. Or it struck out a candidate in a cage that holds the whole pattern.
    Or it struck out a digit of the pattern in a unit of the pattern. Trials and forcing nets are assumed to
    need all earlier steps. So sometimes too many steps are selected, but never too few.
    """
    kept: list[Step] = []
    for step in reversed(steps):
        if not kept or any(_rests_on(later, gone) for later in kept for gone in step.eliminations):
            kept.append(step)
    return tuple(reversed(kept))


def _rests_on(step: Step, gone: Candidate) -> bool:
    if step.branches or step.trial:
        return True
    cell, digit = gone
    seen, pattern = sight(step.rules), cell_set((cell, *step.cells))
    return (
        cell in step.cells
        or any(not pattern & ~cells for cells, _ in seen.cages)
        or (digit in step.digits and any(seen.units[unit] >> cell & 1 for unit in step.units))
    )


def follow(
    board: Candidates, assumed: Candidate, further: Callable[[Candidates], Step | None] = lambda _: None
) -> tuple[Candidates, list[Node], Trial | None]:
    """Assume that a candidate is true, and fill in singles until none is left.

    When no single is left, *further* is called. It returns another step to apply, or None to end the search.
    Returns the board at the end, all nodes that were found true (first the assumption), and the contradiction
    or None.
    """
    after = board.copy()
    after.place(*assumed)
    follows = [Node(assumed[:1], assumed[1])]
    while True:
        singles, dead = find_singles(after)
        if dead is not None or not after.blank:
            return after, follows, dead
        for cell, digit in singles:
            if after.has(cell, digit):
                after.place(cell, digit)
                follows.append(Node((cell,), digit))
        if not singles:
            step = further(after)
            if step is None:
                return after, follows, None
            follows.append(Node(step.cells, step.digits[0]))
            take(after, step)


def find_singles(board: Candidates) -> tuple[list[Candidate], Trial | None]:
    """Return ([], contradiction) if there is a contradiction, or else all singles (cell, digit) and None.

    A contradiction is a cell without a digit, a digit without a place in a unit, or a full cage with a wrong
    sum.
    """
    for cells, cage in board.sight.cages:
        if not cells & board.blank and sum(board.values[cell] for cell in cage.cells) != cage.sum:
            return [], Trial("contradiction", dead_cage=cage.cells)
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


def needed_nodes(board: Candidates, follows: Sequence[Node], gone: Iterable[Candidate]) -> list[Node]:
    """Select the nodes that rule out the candidates in *gone*, directly or through other nodes.

    *board*: the board before the assumption. *follows*: all nodes that were found true, in order. The first
    of them is the assumption, and is never selected.
    """
    after = board.copy()
    ruled_out_by: dict[Candidate, int] = {}
    reasons: list[set[int]] = []
    for number, node in enumerate(follows):
        before = _preconditions(board, after, node) if number else []
        reasons.append({ruled_out_by[candidate] for candidate in before})
        for candidate in _ruled_out(after, node):
            ruled_out_by[candidate] = number
            after.remove(*candidate)
    wanted = {ruled_out_by[candidate] for candidate in gone}
    for number in range(len(follows) - 1, 0, -1):
        if number in wanted:
            wanted |= reasons[number]
    return [follows[number] for number in sorted(wanted - {0})]


def _preconditions(board: Candidates, after: Candidates, node: Node) -> list[Candidate]:
    """Return those candidates of *board* that had to be ruled out before *node* was certain.

    *board*: the board before the assumption. *after*: the board with all nodes before *node* applied.
    """
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


def _ruled_out(after: Candidates, node: Node) -> list[Candidate]:
    """Return the candidates that *node* rules out. *after*: the board with all earlier nodes applied."""
    gone = list(candidates_at(after.planes[node.digit] & after.sight.seen_by_all(node.cells), node.digit))
    if len(node.cells) == 1:
        (cell,) = node.cells
        gone += [(cell, digit) for digit in DIGITS_OF[after.masks[cell]] if digit != node.digit]
    return gone
