"""What follows from what on a board: the links that chains are made of, and all that they lead to.

A *node* says "this digit stands in one of these cells". Two nodes are joined by a *strong* link if one of
them must be true, by a *weak* link if not both can be. Both kinds hold in both directions. A true node makes
another one true by a weak link and a strong one: that is a *pace* of a chain.

Nodes are numbered, and a set of nodes is a whole number with a bit for each: the candidates first, digit by
digit, then *groups* (the places of a digit where a box and a line cross), then the places of each digit in
each almost locked set: cells of a unit with one digit more than there are cells, so that without one of its
digits all the others stand in it.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import count, pairwise
from typing import NamedTuple

from sudoku_vision.sudoku.logic.candidates import (
    DIGITS,
    DIGITS_OF,
    Candidates,
    bits_of,
    cell_set,
    cells_of,
    united,
)
from sudoku_vision.sudoku.logic.steps import Candidate, Link, Node

Place = tuple[int, int]  # a digit and the cells (a set of 81 bits) that a node says it stands in one of

MOST_CELLS = 5
"""Cells of the largest set that is looked for. In a unit with n blank cells, one of more than n / 2 says the
same as some hidden digits in the few cells beside it; none of six or more ever made a difference."""


class AlmostLockedSet(NamedTuple):
    """*cells* (a set of 81 bits) of a unit, and the *mask* of all digits that they may hold."""

    cells: int
    mask: int


def almost_locked_sets(board: Candidates) -> tuple[AlmostLockedSet, ...]:
    """List all almost locked sets of up to five cells, small ones first; a cell of two candidates is one."""
    return _sets(board, 1)


def doubly_open_sets(board: Candidates) -> tuple[AlmostLockedSet, ...]:
    """List the sets of two to four cells with two digits more than cells: of any three, one stands in it."""
    return tuple(found for found in _sets(board, 2) if 1 < found.cells.bit_count() < MOST_CELLS)


def _sets(board: Candidates, spare: int) -> tuple[AlmostLockedSet, ...]:
    """List the sets with *spare* digits more than cells, each once, though it may lie in two units."""
    found: dict[int, int] = {}
    for members in board.sight.units.values():
        blank = [(1 << cell, board.masks[cell]) for cell in cells_of(members & board.blank)]
        found.update(_grown(blank, 0, 0, 0, spare, 0))
    sets = (AlmostLockedSet(cells, mask) for cells, mask in found.items())
    return tuple(sorted(sets, key=lambda one: (one.cells.bit_count(), one.cells)))


def _grown(
    blank: list[tuple[int, int]], first: int, cells: int, mask: int, spare: int, size: int
) -> Iterator[tuple[int, int]]:
    """Yield the sets that a set of *size* cells grows to by blank cells from the *first* on."""
    for place in range(first, len(blank)):
        cell, digits = blank[place]
        grown = mask | digits
        count = grown.bit_count()
        if count <= MOST_CELLS + spare:
            if count == size + 1 + spare:
                yield cells | cell, grown
            if size + 1 < MOST_CELLS:
                yield from _grown(blank, place + 1, cells | cell, grown, spare, size + 1)


class InferenceGraph:
    """Nodes and their links: ``strong[node]`` and ``weak[node]`` are sets of nodes.

    ``places[node]`` is what it says; ``forbids[node]``: the candidates that can't be true with the node;
    ``reach[node]``: what it makes true by one pace; ``candidates``: how many nodes are candidates.
    """

    __slots__ = ("candidates", "forbids", "places", "reach", "strong", "weak")

    def __init__(
        self, places: Sequence[Place], strong: list[int], weak: list[int], forbids: list[int]
    ) -> None:
        """Take the links, each in both directions."""
        self.places, self.strong, self.weak, self.forbids = places, strong, weak, forbids
        self.candidates = sum(not cells & cells - 1 for _, cells in places)
        linked = sum(1 << node for node, ends in enumerate(strong) if ends)
        self.reach = [_union(strong, links & linked) for links in weak]

    def node(self, node: int) -> Node:
        """Return a node as a step has it."""
        digit, cells = self.places[node]
        return Node(cells_of(cells), digit)

    def candidate(self, node: int) -> Candidate:
        """Return the cell and digit of a node that is a candidate."""
        digit, cells = self.places[node]
        return cells.bit_length() - 1, digit


def _union(sets: Sequence[int], members: int) -> int:
    """Unite those of the *sets* whose numbers are in the set *members*."""
    union = 0
    while members:  # bits_of written out: most of the time of rating goes here
        lowest = members & -members
        union |= sets[lowest.bit_length() - 1]
        members ^= lowest
    return union


def plain_graph(board: Candidates) -> InferenceGraph:
    """Link candidates: through cells with two of them, and units with two places for a digit."""
    return _graph(board)


def grouped_graph(board: Candidates) -> InferenceGraph:
    """Link candidates and groups."""
    return _graph(board, _groups(board))


def locked_graph(board: Candidates) -> InferenceGraph:
    """Link candidates, groups, and the digits of almost locked sets."""
    return _graph(board, _groups(board), _larger_sets(board))


def open_graph(board: Candidates) -> InferenceGraph:
    """Link the same; sets with two digits to spare give nodes, too, but no strong links."""
    return _graph(board, _groups(board), _larger_sets(board), board.derived(doubly_open_sets))


def set_graph(board: Candidates) -> InferenceGraph:
    """Link the digits of almost locked sets, cells of two candidates among them; weakly within a digit."""
    return _graph(board, (), board.derived(almost_locked_sets), sets_alone=True)


def pair_graph(board: Candidates) -> InferenceGraph:
    """Link the candidates of cells that have two of them: strongly within a cell, weakly by one digit."""
    plain, pairs = board.derived(plain_graph), board.with_count(2)
    alike, seen = _within_digits(plain, plain.weak)
    strong = [
        links & ~alike[digit] if cell & pairs else 0
        for links, (digit, cell) in zip(plain.weak, plain.places, strict=True)
    ]
    return InferenceGraph(plain.places, strong, seen, seen)


def digit_graph(board: Candidates) -> InferenceGraph:
    """Link the candidates of each digit alone."""
    plain = board.derived(plain_graph)
    strong, seen = (_within_digits(plain, links)[1] for links in (plain.strong, plain.weak))
    return InferenceGraph(plain.places, strong, seen, seen)


def _within_digits(graph: InferenceGraph, ends: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the nodes of each digit, and of the links to *ends* those that stay within a digit."""
    alike = [0] * 10
    for node, (digit, _) in enumerate(graph.places):
        alike[digit] |= 1 << node
    return alike, [links & alike[digit] for links, (digit, _) in zip(ends, graph.places, strict=True)]


def _larger_sets(board: Candidates) -> list[AlmostLockedSet]:
    return [found for found in board.derived(almost_locked_sets) if found.cells & found.cells - 1]


def _groups(board: Candidates) -> list[Place]:
    crossings = board.sight.crossings
    groups = ((digit, board.planes[digit] & cells) for digit in DIGITS for _, _, cells in crossings)
    return [(digit, cells) for digit, cells in groups if cells & cells - 1]


def _graph(
    board: Candidates,
    groups: Iterable[Place] = (),
    locked: Iterable[AlmostLockedSet] = (),
    others: Iterable[AlmostLockedSet] = (),
    *,
    sets_alone: bool = False,
) -> InferenceGraph:
    """Link candidates, *groups* and the digits of sets; of each in *locked*, any two have a strong link.

    With *sets_alone* there are no strong links besides, and no weak ones but within a digit.
    """
    nodes = dict.fromkeys((digit, 1 << cell) for digit in DIGITS for cell in cells_of(board.planes[digit]))
    count = len(nodes)
    nodes.update(dict.fromkeys(groups))
    joined = [_digits(board, found) for found in locked]
    for together in (*joined, *(_digits(board, found) for found in others)):
        nodes.update(dict.fromkeys(together))
    places = list(nodes)
    numbers = {place: number for number, place in enumerate(places)}
    strong, weak = [0] * len(places), [0] * len(places)
    for digit in DIGITS:
        alike = [(number, cells) for number, (of, cells) in enumerate(places) if of == digit]
        _link_digit(board, digit, alike, None if sets_alone else strong, weak)
    for cell in () if sets_alone else cells_of(board.blank):
        own = [numbers[digit, 1 << cell] for digit in DIGITS_OF[board.masks[cell]]]
        _join(own, weak)
        if len(own) == 2:
            _join(own, strong)
    for together in joined:
        _join([numbers[place] for place in together], strong)
    every = (1 << count) - 1
    return InferenceGraph(places, strong, weak, [links & every for links in weak])


def _digits(board: Candidates, found: AlmostLockedSet) -> list[Place]:
    """Return the places of each digit in a set of cells."""
    return [(digit, board.planes[digit] & found.cells) for digit in DIGITS_OF[found.mask]]


def _join(nodes: Sequence[int], links: list[int]) -> None:
    """Add to *links* those from each of *nodes* to all others of them."""
    together = sum(1 << node for node in nodes)
    for node in nodes:
        links[node] |= together ^ 1 << node


def _link_digit(
    board: Candidates, digit: int, nodes: Sequence[tuple[int, int]], strong: list[int] | None, weak: list[int]
) -> None:
    """Add the links among the *nodes* (number and cells) of one digit."""
    plane, seen_by_all = board.planes[digit], board.sight.seen_by_all
    every, holding = 0, {}
    for cell in cells_of(plane):
        holding[cell] = sum(1 << number for number, cells in nodes if cells >> cell & 1)
        every |= holding[cell]
    for number, cells in nodes:
        weak[number] |= every & ~united(
            [holding[cell] for cell in cells_of(plane & ~seen_by_all(cells_of(cells)))]
        )
    if strong is None:
        return
    of_number = dict(nodes)
    grouped = any(cells & cells - 1 for _, cells in nodes)
    for unit in board.sight.units.values():
        spots = plane & unit
        count = spots.bit_count()
        if count < 2 or (count > 2 and not grouped):
            continue
        always = _shared(holding, spots, every)  # true in any case, which makes no link
        for number in bits_of(united([holding[cell] for cell in cells_of(spots)]) & ~always):
            strong[number] |= _shared(holding, spots & ~of_number[number], every) & ~always


def _shared(holding: dict[int, int], cells: int, every: int) -> int:
    for cell in cells_of(cells):
        every &= holding[cell]
    return every


def shortest_chain(graph: InferenceGraph, most: int | None = None) -> list[int] | None:
    """Find a shortest chain that rules a candidate out: its nodes, of which one is false, the next one true.

    *most*: its strong links at most.

    From all candidates, what would follow is grown by one pace at a time, until one of them is forbidden by
    what follows from it. Then not both ends of the chain that leads there can be false.
    """
    growing = {target: [1 << target, graph.reach[target]] for target in range(graph.candidates)}
    reached = {target: paces[1] for target, paces in growing.items()}
    for _ in count() if most is None else range(most):
        if not growing:
            return None
        for target, paces in growing.items():
            ends = paces[-1] & graph.weak[target]
            if ends:
                return path_to(graph, next(bits_of(ends)), paces)[1:]
        for target in list(growing):
            fresh = _union(graph.reach, growing[target][-1]) & ~reached[target]
            reached[target] |= fresh
            growing[target].append(fresh)
            if not fresh:
                del growing[target]
    return None


def path_to(graph: InferenceGraph, end: int, paces: Sequence[int]) -> list[int]:
    """Return nodes, true and false in turn, that lead from the one of ``paces[0]`` to *end*, one of the last.

    ``paces[n]``: what the first makes true by n paces and not by fewer.
    """
    path = [end]
    for before in reversed(paces[:-1]):
        false_by = graph.strong[path[-1]]
        node = next(node for node in bits_of(before) if graph.weak[node] & false_by)
        path += [next(bits_of(graph.weak[node] & false_by)), node]
    return path[::-1]


def chain_links(board: Candidates, graph: InferenceGraph, path: Sequence[int], *, strong: bool) -> list[Link]:
    """Return the links from each node of *path* to the next, of which the first is *strong* or not."""
    links = []
    for number, (start, end) in enumerate(pairwise(path)):
        is_strong = (number % 2 == 0) == strong
        locked = _locked_in(board, graph.places[start], graph.places[end]) if is_strong else ()
        links.append(Link(graph.node(start), graph.node(end), is_strong, locked))
    return links


def _locked_in(board: Candidates, one: Place, two: Place) -> tuple[int, ...]:
    """Return the almost locked set that joins two nodes strongly; none if a cell or a unit joins them."""
    digits, cells = 1 << one[0] | 1 << two[0], one[1] | two[1]
    if one[0] == two[0]:
        spots = (board.planes[one[0]] & unit for unit in board.sight.units.values())
        if any(here and not here & ~cells for here in spots):
            return ()
    elif one[1] == two[1] and board.masks[one[1].bit_length() - 1] == digits:
        return ()
    return next(
        cells_of(locked.cells)
        for locked in board.derived(almost_locked_sets)
        if locked.mask & digits == digits
        and all(board.planes[digit] & locked.cells == place for digit, place in (one, two))
    )


def units_of(board: Candidates, links: Iterable[Link]) -> tuple[int, ...]:
    """Return the units that the strong links between cells are seen in, those of almost locked sets too."""
    found: list[int] = []
    for link in links:
        cells = cell_set({*link.start.cells, *link.end.cells, *link.locked})
        if link.strong and cells & cells - 1:
            found += [unit for unit, members in board.sight.units.items() if not cells & ~members]
    return tuple(dict.fromkeys(found))


class Consequences:
    """All that each node of a graph leads to, found when it is first asked for."""

    def __init__(self, graph: InferenceGraph) -> None:
        """Begin on *graph*, with nothing known."""
        self.graph = graph
        self.numbers = {place: number for number, place in enumerate(graph.places)}
        self._paces: dict[int, tuple[int, ...]] = {}
        self._ruled_out: dict[int, tuple[int, ...]] = {}
        self._every = (1 << self.graph.candidates) - 1

    def paces(self, node: int) -> tuple[int, ...]:
        """Return what is true if *node* is: itself, what follows by one pace at least, by two ..."""
        if node not in self._paces:
            paces = [1 << node]
            reached = 0
            while paces[-1]:
                fresh = _union(self.graph.reach, paces[-1]) & ~reached
                reached |= fresh
                paces.append(fresh)
            self._paces[node] = tuple(paces[:-1])
        return self._paces[node]

    def ruled_out(self, node: int) -> tuple[int, ...]:
        """Return the candidates that are false by each of the paces, with all those before."""
        if node not in self._ruled_out:
            every, sets = 0, []
            for pace in self.paces(node):
                every |= _union(self.graph.forbids, pace)
                sets.append(every)
            self._ruled_out[node] = tuple(sets)
        return self._ruled_out[node]

    def made_true(self, node: int) -> int:
        """Return the candidates that *node* makes true, itself among them."""
        return united(self.paces(node)) & self._every


def consequences(board: Candidates) -> Consequences:
    """Find what follows by chains that may lead through almost locked sets."""
    return Consequences(board.derived(locked_graph))


def set_consequences(board: Candidates) -> Consequences:
    """Find the same, also for the digits of sets with two digits to spare."""
    return Consequences(board.derived(open_graph))
