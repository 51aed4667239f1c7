"""Singles: a cell with one digit left, or a digit with one cell left in a unit."""

from collections.abc import Sequence
from dataclasses import replace

from sudoku_vision.sudoku.logic.bits import DIGITS, DIGITS_OF, cells_of
from sudoku_vision.sudoku.logic.candidates import Candidates, Sight
from sudoku_vision.sudoku.logic.steps import Candidate, Step, Technique, new_step
from sudoku_vision.texts import Sentence


def full_house(board: Candidates) -> Step | None:
    """Find a unit with only one blank cell. Boxes are searched first, because a box is easiest to survey."""
    blank = board.blank
    for unit, cells in board.sight.regions_first:
        left = blank & cells
        if left and not left & left - 1:
            cell = left.bit_length() - 1
            return _fill(_HOUSE, cell, DIGITS_OF[board.masks[cell]][0], unit)
    return None


def hidden_single(board: Candidates) -> Step | None:
    """Find a digit with only one place left in a unit; boxes are searched first."""
    for unit, cells in board.sight.regions_first:
        for digit in DIGITS:
            places = board.planes[digit] & cells
            if places and not places & places - 1:
                return _fill(_HIDDEN, places.bit_length() - 1, digit, unit)
    return None


def naked_single(board: Candidates) -> Step | None:
    """Find a cell with only one candidate left."""
    singles = board.with_count(1)
    if not singles:
        return None
    cell = (singles & -singles).bit_length() - 1
    return _fill(_NAKED, cell, DIGITS_OF[board.masks[cell]][0])


def single_at(board: Candidates, cell: int) -> Step | None:
    """Return the single that is easiest to see in a blank *cell*, or None."""
    units, digits = board.sight.units_of[cell][::-1], DIGITS_OF[board.masks[cell]]  # the box first
    for unit in units:
        if board.blank & board.sight.units[unit] == 1 << cell:
            return replace(_fill(_HOUSE, cell, digits[0], unit), technique=FULL_HOUSE)
    for unit in units:
        for digit in digits:
            if board.planes[digit] & board.sight.units[unit] == 1 << cell:
                found = _fill(_HIDDEN, cell, digit, unit)
                return replace(found, technique=HIDDEN_SINGLE)
    alone = len(digits) == 1
    return replace(_fill(_NAKED, cell, digits[0]), technique=NAKED_SINGLE) if alone else None


_HOUSE, _HIDDEN, _NAKED = (
    Sentence(f"step.{key}") for key in ("full_house", "hidden_single.alone", "naked_single.alone")
)


def _fill(words: Sentence, cell: int, digit: int, *units: int) -> Step:
    return new_step((cell,), (digit,), units, placements=((cell, digit),), words=words)


def with_blockers(board: Candidates, step: Step) -> Step:
    """Return a single with its blockers (explained in :class:`Step`); return any other step unchanged."""
    if step.technique == HIDDEN_SINGLE:
        return _hidden_with_blockers(board, step)
    return _naked_with_blockers(board, step) if step.technique == NAKED_SINGLE else step


def _hidden_with_blockers(board: Candidates, step: Step) -> Step:
    """Return a hidden single with its blockers, which exclude its digit from other cells of its unit.

    A blocker that sees many blank cells of the unit is taken first, so that few blockers are needed.
    """
    (cell,), (digit,), (unit,) = step.cells, step.digits, step.units
    left = board.blank & board.sight.units[unit] & ~(1 << cell)
    standing = cells_of(board.standing[digit])
    blockers: list[int] = []
    while most := max((board.sight.peers[one] & left for one in standing), key=int.bit_count, default=0):
        blockers.append(next(one for one in standing if board.sight.peers[one] & left == most))
        left &= ~most
    seen, struck = sorted(blockers), cells_of(left)
    why = "both" if seen and struck else "seen" if seen else "struck" if struck else "alone"
    return replace(
        step,
        blockers=tuple((one, digit) for one in seen),
        struck=tuple((one, digit) for one in struck),
        words=Sentence(f"step.hidden_single.{why}", {"seen": seen, "struck": struck}),
    )


def _naked_with_blockers(board: Candidates, step: Step) -> Step:
    """Return a naked single with its blockers: for each other digit, a peer that holds this digit, if any."""
    (cell,), (digit,) = step.cells, step.digits
    peers = [(peer, board.values[peer]) for peer in cells_of(board.sight.peers[cell] & ~board.blank)]
    groups = _by_unit(board.sight, cell, peers)
    blockers = tuple(one for _, held in groups for one in held)
    missing = sorted({*DIGITS} - {digit} - {other for _, other in blockers})
    why = [
        Sentence(
            "step.cage_holds" if unit is None else "step.holds",
            {"units": unit, "digits": [other for _, other in held]},
        )
        for unit, held in groups
    ]
    why += [Sentence("step.crossed_out", {"digits": missing, "count": len(missing)})] if missing else []
    words = Sentence(f"step.naked_single.{'why' if why else 'alone'}", {"why": why})
    return replace(step, blockers=blockers, struck=tuple((cell, other) for other in missing), words=words)


def _by_unit(sight: Sight, cell: int, peers: Sequence[Candidate]) -> list[tuple[int | None, list[Candidate]]]:
    """Group *peers* (cell, digit) by the units of *cell*, so that there are few groups.

    Each digit is in one group only. The last group, with None as its unit, has the digits that *cell* sees
    only in its cage.
    """
    held: list[dict[int, int]] = [
        {digit: peer for peer, digit in peers if sight.units[unit] >> peer & 1}
        for unit in sight.units_of[cell]
    ]
    grouped: set[int] = set()
    groups: list[tuple[int | None, list[Candidate]]] = []
    while fresh := max((digits.keys() - grouped for digits in held), key=len):
        place = next(place for place, digits in enumerate(held) if digits.keys() - grouped == fresh)
        groups.append((sight.units_of[cell][place], [(held[place][digit], digit) for digit in sorted(fresh)]))
        grouped |= fresh
    caged = [(peer, digit) for peer, digit in peers if digit not in grouped]
    return [*groups, (None, caged)] if caged else groups


TECHNIQUES = (
    Technique("full house", 100, "easy", 4, full_house),
    Technique("hidden single", 200, "easy", 14, hidden_single),
    Technique("naked single", 300, "medium", 4, naked_single),
)
FULL_HOUSE, HIDDEN_SINGLE, NAKED_SINGLE = TECHNIQUES
