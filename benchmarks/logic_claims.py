"""Check that the sentence of a hint is true on the board that a person sees.

A :class:`Sight` is this board: the filled digits, and the candidates that earlier steps left in each blank
cell. :func:`false_claims` checks the sentence of a step, and the candidates that the step eliminates or fills
in. Each function ``_NAME`` checks the sentences of one technique. The function is written from the definition
of the technique. It doesn't use the technique's code.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from itertools import combinations, pairwise
from typing import Any, NamedTuple

from sudoku_vision.sudoku.logic.steps import Candidate, Step
from sudoku_vision.sudoku.rules import CLASSIC, Rules
from sudoku_vision.sudoku.solver import solve
from sudoku_vision.texts import Sentence

Values = Mapping[str, Any]
Claims = Iterator[tuple[str, bool]]
"""The claims of a hint's sentence. For each claim: its words, for developers, and whether it is true."""

DIGITS = frozenset(range(1, 10))


class Sight:
    """A board with its candidates."""

    def __init__(
        self, values: Sequence[int], clues: Sequence[int] | None = None, rules: Rules = CLASSIC
    ) -> None:
        """Make a board with all candidates that *values* allow. Without *clues*, *values* are the clues."""
        self.rules, self.units = rules, {unit: frozenset(cells) for unit, cells in rules.units.items()}
        self.values = list(values)  # the 81 digits, 0 for blank
        printed = values if clues is None else clues
        self.entered = {cell for cell in range(81) if values[cell] and not printed[cell]}
        self.left = {  # for each blank cell, its candidates
            cell: {*DIGITS} - {values[peer] for peer in range(81) if values[peer] and self.sees(cell, peer)}
            for cell in range(81)
            if not values[cell]
        }

    def sees(self, one: int, other: int) -> bool:
        """Return whether two cells share a unit or a cage."""
        groups = (*self.units.values(), *(set(cage.cells) for cage in self.rules.cages))
        return one != other and any({one, other} <= group for group in groups)

    def sees_all(self, cell: int, cells: Iterable[int]) -> bool:
        """Return whether a cell shares a unit or a cage with every one of *cells*."""
        return all(self.sees(cell, other) for other in cells)

    def spare(self, cells: Iterable[int]) -> int:
        """Return the number of different candidates of *cells*, minus the number of cells.

        Return 0 if no unit holds all the cells.
        """
        own = set(cells)
        return len(self.digits(own)) - len(own) if any(own <= unit for unit in self.units.values()) else 0

    def within(self, units: Any) -> set[int]:
        """Return the cells of one unit or of several units."""
        several = units if isinstance(units, list | tuple) else [units]
        return set().union(*(self.units[unit] for unit in several))

    def copy(self) -> "Sight":
        """Return a copy of the board."""
        other = copy(self)
        other.values, other.entered = self.values[:], set(self.entered)
        other.left = {cell: set(digits) for cell, digits in self.left.items()}
        return other

    def do(self, step: Step) -> None:
        """Do a step: fill in the digits that it places, and strike out the candidates that it eliminates."""
        for cell, digit in step.placements:
            self.fill(cell, digit)
        self.strike(step.eliminations)

    def fill(self, cell: int, digit: int) -> None:
        """Fill a digit into a cell. Strike out the digit in all cells that this cell sees."""
        self.values[cell] = digit
        self.entered.add(cell)
        del self.left[cell]
        self.strike((peer, digit) for peer in self.left if self.sees(cell, peer))

    def strike(self, candidates: Iterable[Candidate]) -> None:
        """Strike out candidates."""
        for cell, digit in candidates:
            self.left[cell].discard(digit)

    def places(self, digit: int, units: Any) -> set[int]:
        """Return the cells with the candidate *digit* in one unit or several *units*."""
        return self.here(digit, self.within(units))

    def here(self, digit: int, cells: Iterable[int]) -> set[int]:
        """Return those of *cells* that have the candidate *digit*."""
        return {cell for cell in cells if digit in self.left.get(cell, ())}

    def digits(self, cells: Iterable[int]) -> set[int]:
        """Return all candidates of some blank cells."""
        return set().union(*(self.left[cell] for cell in cells))

    def forced(self, cell: int, digit: int) -> bool:
        """Return whether *digit* is a naked single or a hidden single in *cell*."""
        units = [unit for unit, cells in self.units.items() if cell in cells]
        alone = self.left.get(cell) == {digit} or any(self.places(digit, unit) == {cell} for unit in units)
        return alone and digit in self.left.get(cell, ())


def false_claims(sight: Sight, step: Step) -> list[str]:
    """Return those claims of a step's sentence that are false on the board *sight*."""
    sentence = step.sentence(step.words.key, **step.words.values)
    checks = [entry for entry in CLAIMS if sentence.key.startswith(entry)]
    done = (*step.placements, *step.eliminations)
    claims = [("the candidates are there", all(digit in sight.left.get(cell, ()) for cell, digit in done))]
    claims.append(("it does something", bool(done)))
    if all(holds for _, holds in claims):
        claims += CLAIMS[max(checks, key=len)](sight, sentence.values, sentence.key)
    return [what for what, holds in claims if not holds]


def _strikes(sight: Sight, values: Values, digit: int, cells: Iterable[int]) -> Claims:
    """Check that only *digit* is struck out, and only in cells that see all *cells*."""
    own = set(cells)
    yield "it follows", all(gone == digit and sight.sees_all(cell, own) for cell, gone in values["gone"])


def _full_house(sight: Sight, values: Values, _: str) -> Claims:
    unit = sight.within(values["units"])
    yield "the last empty cell", unit & sight.left.keys() == {values["cell"]}
    yield "the only digit missing", DIGITS - {sight.values[one] for one in unit} == {values["digit"]}


def _hidden_single(sight: Sight, values: Values, key: str) -> Claims:
    cell, digit = values["cell"], values["digit"]
    others = (sight.within(values["units"]) & sight.left.keys()) - {cell}
    seen, struck = values["seen"], set(values["struck"])
    yield "fits only there", sight.places(digit, values["units"]) == {cell}
    reasons = "both" if seen and struck else "seen" if seen else "struck" if struck else "alone"
    yield "the key fits the reasons", key.endswith(reasons)
    yield "the digit is where it is claimed", all(sight.values[one] == digit for one in seen)
    ruled_out = {other for other in others if any(sight.sees(other, one) for one in seen)}
    yield "every other cell is accounted for", others == ruled_out | struck and not ruled_out & struck
    left = Sight(sight.values, rules=sight.rules).left
    yield "what is crossed out was there", all(digit in left[one] for one in struck)


def _naked_single(sight: Sight, values: Values, _: str) -> Claims:
    cell, digit = values["cell"], values["digit"]
    yield "only that digit is left", sight.left[cell] == {digit}
    reasons = {digit}
    for why in values["why"]:
        named = set(why.values["digits"])
        reasons |= named
        if why.key == "step.cage_holds":
            caged = {
                sight.values[one] for held in sight.rules.cages if cell in held.cells for one in held.cells
            }
            yield "the cage holds the digits", named <= caged
        elif why.key == "step.holds":
            unit = sight.within(why.values["units"])
            yield "the unit holds the digits", cell in unit and named <= {sight.values[one] for one in unit}
        else:
            left = Sight(sight.values, rules=sight.rules).left
            yield "crossed out, and nothing else against it", named <= left[cell]
    yield "every other digit is accounted for", reasons == DIGITS


def _locked(sight: Sight, values: Values, _: str) -> Claims:
    cells, digit = set(values["cells"]), values["digit"]
    yield "fits only there", sight.places(digit, values["units"]) == cells
    yield "they lie in the other unit", cells <= sight.within(values["covers"])
    rest = sight.within(values["covers"]) - cells
    yield "it follows", all(cell in rest and gone == digit for cell, gone in values["gone"])


def _leftovers(sight: Sight, values: Values, _: str) -> Claims:
    one, other = set(values["one"]), set(values["other"])
    lines, regions = sight.within(values["units"]), sight.within(values["covers"])
    yield "as many lines as regions", len(values["units"]) == len(values["covers"])
    yield "they are what is left over", one == lines - regions and other == regions - lines
    for cell, digit in values["gone"]:
        side, across = (one, other) if cell in one else (other, one)
        held = {sight.values[place] for place in across} | sight.digits(across & sight.left.keys())
        yield "it follows", cell in side and digit not in held


def _choices(sight: Sight, cells: Sequence[int], total: int) -> list[dict[int, int]]:
    """Return all ways to fill *cells* with candidates whose sum is *total*. A way is a dict {cell: digit}.

    A filled cell keeps its digit. Cells that share a unit or a cage have different digits.
    """
    ways: list[dict[int, int]] = [{}]
    for cell in cells:
        digits = sight.left.get(cell, {sight.values[cell]})
        ways = [
            {**way, cell: digit}
            for way in ways
            for digit in digits
            if not any(held == digit and sight.sees(cell, other) for other, held in way.items())
        ]
    return [way for way in ways if sum(way.values()) == total]


def _sum(sight: Sight, values: Values, key: str) -> Claims:
    cells, total = values["cells"], values["total"]
    if key == "step.cage_sum":
        yield "they are a cage", (total, cells) in sight.rules.cages
    else:
        area = sight.within(values["units"])
        inner = [cage for cage in sight.rules.cages if area.issuperset(cage.cells)]
        touching = [cage for cage in sight.rules.cages if area & set(cage.cells)]
        inside = key == "step.innies"
        cages = inner if inside else touching
        caged = {cell for cage in cages for cell in cage.cells}
        yield "the units have no cell in common", len(area) == 9 * len(values["units"])
        yield "their sum", values["whole"] == 45 * len(values["units"])
        yield "the sum of the cages", values["part"] == sum(cage.sum for cage in cages)
        yield "all the rest", set(cells) == (area - caged if inside else caged - area)
        yield "all is covered", inside or area <= caged
        yield "the sum of the rest", total == abs(values["whole"] - values["part"])
    if values["gone"]:
        choices = _choices(sight, cells, total)
        for cell, digit in values["gone"]:
            yield "no choice uses it", cell in cells and all(way[cell] != digit for way in choices)
    else:
        yield "it follows", cells == (values["cell"],) and values["digit"] == total


def _cage_overlap(sight: Sight, values: Values, key: str) -> Claims:
    cage, cells, digit = values["cage"], set(values["cells"]), values["digit"]
    yield "it is a cage", any(cage == one.cells for one in sight.rules.cages)
    if key == "step.cage_claims":
        yield "fits only there", sight.places(digit, values["units"]) == cells <= set(cage)
        rest = set(cage) - cells
        yield "it follows", all(cell in rest and gone == digit for cell, gone in values["gone"])
    else:
        yield "its sum", (values["total"], cage) in sight.rules.cages
        yield "fits only there", sight.here(digit, cage) == cells
        choices = _choices(sight, cage, values["total"])
        yield "every choice has it", all(any(way[cell] == digit for cell in cells) for way in choices)
        yield from _strikes(sight, values, digit, cells)


def _naked_subset(sight: Sight, values: Values, _: str) -> Claims:
    cells, digits = set(values["cells"]), set(values["digits"])
    yield "only these digits fit", sight.digits(cells) == digits
    yield "as many cells as digits", len(cells) == len(digits) == values["count"]
    yield "they lie in each of the units", all(cells <= sight.units[unit] for unit in values["units"])
    rest = sight.within(values["units"]) - cells
    yield "it follows", all(cell in rest and digit in digits for cell, digit in values["gone"])


def _hidden_subset(sight: Sight, values: Values, _: str) -> Claims:
    cells, digits = set(values["cells"]), set(values["digits"])
    yield "the digits fit only there", all(len(sight.places(one, values["units"])) > 0 for one in digits)
    yield "the digits fit only there", all(sight.places(one, values["units"]) <= cells for one in digits)
    yield "as many cells as digits", len(cells) == len(digits) == values["count"]
    yield "it follows", all(cell in cells and digit not in digits for cell, digit in values["gone"])


def _fish(sight: Sight, values: Values, _: str) -> Claims:
    digit, fins = values["digit"], set(values.get("fins", ()))
    base, cover = (sight.within(values[of]) for of in ("units", "covers"))
    places = sight.places(digit, values["units"])
    yield "fits only there", places - fins <= cover and fins <= places - cover
    yield "as many lines across", len(values["units"]) == len(values["covers"])
    yield "each line has a place", all(sight.places(digit, unit) for unit in values["units"])
    boxes = [unit for unit, own in sight.units.items() if 18 <= unit < 27 and fins <= own]
    yield "the fins lie in one box", bool(boxes) or not fins
    rest = cover - base if not fins else (cover - base) & sight.within(boxes)
    yield "it follows", all(cell in rest and gone == digit for cell, gone in values["gone"])


def _joined(sight: Sight, values: Values, key: str) -> Claims:
    digit, shared = values["digit"], sight.within(values["shared"])
    one, foot, other, two = (set(values[name]) for name in ("roof", "foot", "other_foot", "other_roof"))
    first = sight.places(digit, values["first"])
    yield "fits only in two cells", sight.places(digit, values["second"]) == two | other != two != other
    if key.endswith("joined"):
        yield "fits only in two cells", first == one | foot and len(one) == len(foot) == 1
        yield "the feet share a unit", foot != other and foot | other <= shared
    else:
        yield "no other cell of the line", other <= shared and not other & first
        yield "what is left of the box", first - shared == one
    yield from _strikes(sight, values, digit, one | two)


def _reached(start: int, pairs: Sequence[set[int]]) -> set[int]:
    """Return the cells that are connected with the cell *start*. Each of the *pairs* connects two cells."""
    reached, before = {start}, set[int]()
    while reached != before:
        before = reached
        reached = reached.union(*(pair for pair in pairs if pair & reached))
    return reached


def _remote_pair(sight: Sight, values: Values, _: str) -> Claims:
    one, other, pair = set(values["one"]), set(values["other"]), {values["x"], values["y"]}
    cells = one | other
    yield "only these two", all(sight.left[cell] == pair for cell in cells) and not one & other
    alike = [pair for group in (one, other) for pair in combinations(group, 2)]
    yield "neighbours differ", not any(sight.sees(*pair) for pair in alike)
    joined = [{*pair} for pair in combinations(cells, 2) if sight.sees(*pair)]
    yield "they hang together", _reached(min(one), joined) == cells == set(values["cells"])
    for cell, digit in values["gone"]:
        seen = all(any(sight.sees(cell, near) for near in group) for group in (one, other))
        yield "it follows", seen and digit in pair and cell not in cells


def _colouring(sight: Sight, values: Values, key: str) -> Claims:
    digit, one, other = values["digit"], set(values["one"]), set(values["other"])
    pairs = [pair for unit in sight.units if len(pair := sight.places(digit, unit)) == 2]
    joining = [pair for pair in pairs if pair <= one | other]
    yield "the two ways part each pair", all(pair & one and pair & other for pair in joining)
    yield "the pairs hang together", _reached(min(one), joining) == one | other and not one & other
    if key.endswith("clash"):
        yield "two of the second group clash", any(sight.sees(a, b) for a, b in combinations(other, 2))
        yield "it follows", all(cell in other and gone == digit for cell, gone in values["gone"])
    else:
        for cell, gone in values["gone"]:
            seen = [any(sight.sees(cell, place) for place in group) for group in (one, other)]
            yield "it follows", gone == digit and all(seen) and cell not in one | other


def _wing(sight: Sight, values: Values, key: str) -> Claims:
    pivot, one, two = values["pivot"], values["one"], values["two"]
    digit, x, y = values["digit"], values["x"], values["y"]
    own = {digit, x, y} if key.endswith("xyz_wing") else {x, y}
    yield "the pivot", sight.left[pivot] == own and sight.sees_all(pivot, (one, two))
    yield "its wings", sight.left[one] == {x, digit} and sight.left[two] == {y, digit}
    holders = (pivot, one, two) if digit in own else (one, two)
    yield from _strikes(sight, values, digit, holders)


def _w_wing(sight: Sight, values: Values, _: str) -> Claims:
    one, two, first, second = (values[name] for name in ("one", "two", "first", "second"))
    digit, linked = values["digit"], values["linked"]
    yield "both have the same two digits", sight.left[one] == sight.left[two] == {digit, linked}
    yield "the bridge", sight.places(linked, values["units"]) == {first, second}
    yield "each end sees one of them", sight.sees(one, first) and sight.sees(two, second)
    yield from _strikes(sight, values, digit, (one, two))


class Stand(NamedTuple):
    """The claim that a digit is in one of ``cells`` or, if ``true`` is False, in none of ``cells``.

    ``locked``: None, or the almost locked set from which the claim follows: the cells of this set, and the
    digit that is in none of these cells.
    """

    true: bool
    digit: int
    cells: frozenset[int]
    locked: tuple[frozenset[int], int] | None = None

    def rules_out(self, sight: Sight, cell: int, digit: int) -> bool:
        """Return whether a candidate is false if this claim is true."""
        if digit == self.digit:
            return sight.sees_all(cell, self.cells)
        return self.cells == {cell}


def stand_of(sentence: Sentence) -> Stand:
    """Return the claim of a sentence like ``r1c2 is 5``."""
    values = sentence.values
    if sentence.key == "node.locked":
        inner = stand_of(values["node"])
        return inner._replace(locked=(frozenset(values["cells"]), values["digit"]))
    return Stand(sentence.key == "node.true", values["digit"], frozenset(values["cells"]))


def _leads(sight: Sight, one: Stand, two: Stand) -> bool:
    """Return whether the claim *two* follows from the claim *one*."""
    if one.true and not two.true:
        return all(one.rules_out(sight, cell, two.digit) for cell in two.cells)
    if one.true or not two.true:
        return False
    if two.locked:
        cells, lacking = two.locked
        return (
            sight.spare(cells) == 1
            and lacking == one.digit != two.digit
            and sight.here(one.digit, cells) == one.cells
            and sight.here(two.digit, cells) == two.cells
        )
    if one.digit != two.digit:
        (cell,) = one.cells
        return one.cells == two.cells and sight.left[cell] == {one.digit, two.digit}
    units = (
        sight.places(one.digit, unit) - one.cells for unit, own in sight.units.items() if one.cells & own
    )
    return any(places <= two.cells for places in units)


def _chain(sight: Sight, values: Values, key: str) -> Claims:
    nodes = [stand_of(values["start"]), *map(stand_of, values["follows"])]
    start, end = nodes[0]._replace(true=True), nodes[-1]
    yield "each follows from the one before", all(_leads(sight, *pair) for pair in pairwise(nodes))
    yield "one end or the other is true", not nodes[0].true and end.true
    ends = [(start, end)]
    if key.endswith("loop"):
        closed = (end, start._replace(true=False))
        yield "it leads back to the beginning", _leads(sight, *closed)
        ends = [*pairwise(nodes), closed]
    elif key.endswith("same"):
        yield "one digit at both ends", start.digit == end.digit == values["digit"]
        yield "the ends are named", set(values["ends"]) == start.cells | end.cells
    for gone in values["gone"]:
        both = (one.rules_out(sight, *gone) and two.rules_out(sight, *gone) for one, two in ends)
        yield "it follows", any(both)


def _sets(sight: Sight, values: Values, key: str) -> Claims:
    sets = [set(one.values["cells"]) for one in values["sets"]]
    yield "as many sets as the key says", key.endswith(str(len(sets)))
    for cells in sets:
        yield "one digit more than cells", sight.spare(cells) == 1
    commons = [values["first"], values["second"]] if len(sets) == 3 else [values["first"]]
    yield "B can lack just one of them", len(set(commons)) == len(commons)
    for common, (one, two) in zip(commons, pairwise(sets), strict=True):
        first, second = (sight.here(common, cells) for cells in (one, two))
        apart = bool(first and second) and all(sight.sees_all(cell, second) for cell in first)
        yield "the common digit can't be in both", apart
    digit = values["digit"]
    ends = [sight.here(digit, cells) for cells in (sets[0], sets[-1])]
    yield "both ends may hold the digit", all(ends) and digit not in commons
    yield from _strikes(sight, values, digit, ends[0] | ends[1])


def _sue_de_coq(sight: Sight, values: Values, _: str) -> Claims:
    middle, in_line, in_box = (set(values[name]) for name in ("middle", "in_line", "in_box"))
    cells, digits = middle | in_line | in_box, set(values["digits"])
    line, box = sight.within(values["line"]), sight.within(values["box"])
    yield "they lie in these units", middle <= line & box and in_line <= line and in_box <= box
    yield "all cells are named", cells == set(values["cells"])
    yield "as many cells as digits", len(cells) == len(digits) == values["count"]
    yield "they have only these digits", sight.digits(cells) == digits
    for digit in digits:
        places = sight.here(digit, cells)
        yield "no digit is there twice", all(sight.sees(*pair) for pair in combinations(places, 2))
    for cell, digit in values["gone"]:
        yield "it follows", digit in digits and sight.sees_all(cell, sight.here(digit, cells))


def _grave(sight: Sight, values: Values, _: str) -> Claims:
    cell, digit = values["cell"], values["digit"]
    counts = {one: len(digits) for one, digits in sight.left.items()}
    yield "all have two digits, one has three", counts == dict.fromkeys(sight.left, 2) | {cell: 3}
    without = sight.copy()
    without.strike([(cell, digit)])
    places = (without.places(digit, unit) for digit in DIGITS for unit in sight.units)
    yield "two places for each missing digit", all(len(cells) in (0, 2) for cells in places)


def _swappable(sight: Sight, cells: Sequence[int]) -> bool:
    """Return whether *cells* are four blank cells in two rows, two columns and two boxes."""
    return len({*cells} & sight.left.keys()) == 4 and _rectangular(sight, cells)


def _rectangular(sight: Sight, cells: Sequence[int]) -> bool:
    lines_and_regions = [*sight.units][:27]
    kinds = [
        {unit for unit in lines_and_regions[kind : kind + 9] if sight.units[unit] & {*cells}}
        for kind in (0, 9, 18)
    ]
    return len({*cells}) == 4 and all(len(kind) == 2 for kind in kinds)


def _avoidable(sight: Sight, values: Values, key: str) -> Claims:
    floor, roof, digit, pair = values["floor"], values["roof"], values["digit"], [values["x"], values["y"]]
    yield "the cells make a rectangle", _rectangular(sight, [*roof, *floor])
    yield "no printed clues", set(floor) <= sight.entered
    filled = {cell: sight.values[cell] for cell in floor}
    taken = [[digit]] if key.endswith("1") else [pair, pair[::-1]]
    wrong = [filled | dict(zip(roof, digits, strict=True)) for digits in taken]
    held = [[[one[cell] for cell in one if cell in unit] for unit in sight.units.values()] for one in wrong]
    swap = [all(not digits or sorted(digits) == pair for digits in units) for units in held]
    yield "they could be swapped", swap.count(True) == 1
    if key.endswith("1"):
        yield "it follows", values["gone"] == ((roof[0], digit),)
    else:
        could = wrong[swap.index(True)]
        yield "one digit more", all(sight.left[cell] == {digit, could[cell]} for cell in roof)
        yield from _strikes(sight, values, digit, roof)


def _roof(sight: Sight, values: Values, key: str) -> Claims:
    corners, roof, pair = set(values["corners"]), set(values["roof"]), {values["x"], values["y"]}
    floor, digit, gone = corners - roof, values["digit"], values["gone"]
    yield "the cells make a rectangle", _swappable(sight, values["corners"])
    yield "the floor has nothing else", all(sight.left[cell] == pair for cell in floor)
    if key == "step.rectangle":
        yield "it follows", len(roof) == 1 and all(cell in roof and one in pair for cell, one in gone)
    elif key.endswith("2"):
        yield "one digit more", sight.digits(roof) - pair == {digit}
        yield from _strikes(sight, values, digit, roof)
    elif key.endswith("3"):
        unit, subset, digits = sight.within(values["units"]), set(values["subset"]), set(values["digits"])
        yield "the roof has these besides", sight.digits(roof) - pair <= digits and not digits & pair
        yield "the subset has only these", sight.digits(subset) <= digits and subset | roof <= unit
        yield "they are used up", len(digits) == len(subset) + 1 and not subset & corners
        rest = unit - roof - subset
        yield "it follows", all(cell in rest and one in digits for cell, one in gone)
    elif key.endswith("4"):
        yield "fits only in the roof", sight.places(values["other"], values["units"]) == roof
        yield "it follows", all(cell in roof and one == digit for cell, one in gone)
    else:
        units = values["units"]
        yield "fits only in the corners", all(sight.places(digit, unit) <= corners for unit in units)
        yield "two lines hold all corners", corners <= sight.within(units) and len(units) == 2
        yield "the roof lies across", len(roof) == 2 and not sight.sees(*roof)
        yield "it follows", all(cell in roof and one == digit for cell, one in gone)


def _hidden_rectangle(sight: Sight, values: Values, _: str) -> Claims:
    corner, beside, below, floor = (values[name] for name in ("corner", "beside", "below", "floor"))
    yield "the cells make a rectangle", _swappable(sight, [corner, beside, below, floor])
    yield "the floor has two digits", sight.left[floor] == {values["digit"], values["other"]}
    yield "it lies across", not sight.sees(corner, floor)
    for unit in values["units"]:
        yield "fits only there", {corner} < sight.places(values["digit"], unit) <= {corner, beside, below}
    yield "it follows", values["gone"] == ((corner, values["other"]),)


def _fork(sight: Sight, values: Values, key: str) -> Claims:
    fork, ways = values["fork"], values["ways"]
    starts = [stand_of(way.values["start"]) for way in ways]
    yield from _forks(sight, fork, starts)
    fill = key.endswith("fill")
    candidate = (values["cell"], values["digit"]) if fill else values["gone"][0]
    end = Stand(fill, candidate[1], frozenset(candidate[:1]))
    for start, way in zip(starts, ways, strict=True):
        follows = [stand_of(node) for node in way.values["follows"]]
        yield "all ways lead to the same", follows[-1]._replace(locked=None) == end
        if way.key == "fork.way":
            yield "each follows", all(_leads(sight, *pair) for pair in pairwise((start, *follows)))
        else:
            yield "each follows", _net_leads(sight, start, follows)


def _forks(sight: Sight, fork: Sentence, starts: Sequence[Stand]) -> Claims:
    values, kind = fork.values, fork.key.removeprefix("fork.")
    begun = {(cell, start.digit) for start in starts for cell in start.cells}
    if kind == "cell":
        every = {(values["cell"], digit) for digit in sight.left[values["cell"]]}
        yield "all digits of the cell", begun == every and set(values["digits"]) == sight.left[values["cell"]]
    elif kind == "unit":
        places = sight.places(values["digit"], values["units"])
        yield "all places of the digit", set(values["cells"]) == places
        yield "all places of the digit", begun == {(cell, values["digit"]) for cell in places}
    elif kind == "set":
        cells, digits = values["cells"], set(values["digits"])
        yield "two digits more than cells", sight.spare(cells) == 2
        yield "three of its digits", len(digits) == 3 and digits <= sight.digits(cells)
        every = {(cell, digit) for digit in digits for cell in sight.here(digit, cells)}
        yield "all their places", begun == every
    else:
        cells = values["cells"]
        yield "the cells make a rectangle", _swappable(sight, cells)
        shared = set.intersection(*(sight.left[cell] for cell in cells))
        others = [
            {(cell, digit) for cell in cells for digit in sight.left[cell] - {*pair}}
            for pair in combinations(shared, 2)
        ]
        yield "all other digits", begun in others


def _net_leads(sight: Sight, start: Stand, follows: Sequence[Stand]) -> bool:
    """Return whether *start* proves the claims in *follows*, one after the other.

    The proof of a claim can use the claims before it. It uses only singles and locked candidates.
    """
    after = sight.copy()
    (cell,) = start.cells
    after.fill(cell, start.digit)
    for node in follows[:-1]:
        if len(node.cells) > 1:
            if not any(after.places(node.digit, unit) == node.cells for unit in sight.units):
                return False
            seen = (cell for cell in after.left if sight.sees_all(cell, node.cells))
            after.strike([(cell, node.digit) for cell in seen])
        else:
            (cell,) = node.cells
            if not after.forced(cell, node.digit):
                return False
            after.fill(cell, node.digit)
    (cell,), digit = follows[-1].cells, follows[-1].digit
    return after.values[cell] != digit and digit not in after.left.get(cell, ())


def _trial(sight: Sight, values: Values, key: str) -> Claims:
    cell, digit, ending = values["cell"], values["digit"], key.rsplit(".")[-1]
    after = sight.copy()
    after.fill(cell, digit)
    if ending == "searched":
        yield "it has no solution", solve("".join(map(str, after.values)), rules=sight.rules).status == "none"
    follows = [(one.values["cell"], one.values["digit"]) for one in values["follows"]]
    for one in follows:
        yield "each follows", after.forced(*one)
        after.fill(*one)
    if ending == "solution":
        yield "it is the solution", not after.left
        return
    yield "it follows", values["gone"] == ((cell, digit),)
    dead = values["dead"]
    if ending != "searched" and dead.key == "dead.cell":
        yield "the cell has no digit left", after.left[dead.values["cell"]] == set()
    elif ending != "searched" and dead.key == "dead.cage":
        cage, total = dead.values["cage"], dead.values["total"]
        yield "it is a cage", (total, cage) in sight.rules.cages
        yield "no choice has its sum", not _choices(after, cage, total)
    elif ending != "searched":
        unit, digit = dead.values["units"], dead.values["digit"]
        held = {after.values[one] for one in sight.within(unit)}
        yield "the digit has no place left", not after.places(digit, unit) and digit not in held


CLAIMS: dict[str, Callable[[Sight, Values, str], Claims]] = {
    "step.full_house": _full_house,
    "step.hidden_single": _hidden_single,
    "step.naked_single": _naked_single,
    "step.locked": _locked,
    "step.leftovers": _leftovers,
    "step.cage_sum": _sum,
    "step.innies": _sum,
    "step.outies": _sum,
    "step.cage_needs": _cage_overlap,
    "step.cage_claims": _cage_overlap,
    "step.naked_subset": _naked_subset,
    "step.hidden_subset": _hidden_subset,
    "step.fish": _fish,
    "step.finned_fish": _fish,
    "step.joined": _joined,
    "step.empty_rectangle": _joined,
    "step.remote_pair": _remote_pair,
    "step.colouring": _colouring,
    "step.xy_wing": _wing,
    "step.xyz_wing": _wing,
    "step.w_wing": _w_wing,
    "step.chain": _chain,
    "step.sets": _sets,
    "step.sue_de_coq": _sue_de_coq,
    "step.bug": _grave,
    "step.rectangle": _roof,
    "step.unique_rectangle": _roof,
    "step.avoidable_rectangle": _avoidable,
    "step.hidden_rectangle": _hidden_rectangle,
    "step.fork": _fork,
    "step.trial": _trial,
}
"""Maps the beginning of a sentence's key to the function that checks the sentence. If several beginnings fit,
the longest is used."""
