"""Inferences: the links that chains are made of, and everything that they lead to.

A *node* means "this digit is in one of these cells". Two nodes have a *strong* link if at least one of them
must be true, and a *weak* link if at most one can be. Both kinds hold in both directions. A true node makes
another one true by a weak link and then a strong one: this is a *pace* of a chain.

An *almost locked set* is some cells of a unit with one digit more than cells: if one digit is missing in it,
it holds all the others. Nodes are numbered: first the candidates, digit by digit; then *groups*, the places
of a digit where a box and a line cross; then the places of each digit in each almost locked set. A set of
nodes is a whole number with a bit for each.
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

Place = tuple[int, int]  # a node: a digit, and a set of cells (81 bits); one of them holds the digit

MAX_CELLS = 5
"""Cells of the largest almost locked sets. In a unit with n blank cells, a set of more than n / 2 says the
same as hidden digits in the other cells; sets of six or more never made a difference."""


class AlmostLockedSet(NamedTuple):
    """Some *cells* (a set of 81 bits) of a unit, and the *mask* of all their candidates."""

    cells: int
    mask: int


def almost_locked_sets(board: Candidates) -> tuple[AlmostLockedSet, ...]:
    """List all almost locked sets of one to :data:`MAX_CELLS` cells, small ones first."""
    return _sets(board, 1)


def doubly_open_sets(board: Candidates) -> tuple[AlmostLockedSet, ...]:
    """List the sets of two to four cells with two digits more than cells; they hold one of any three."""
    return tuple(found for found in _sets(board, 2) if 1 < found.cells.bit_count() < MAX_CELLS)


def _sets(board: Candidates, spare: int) -> tuple[AlmostLockedSet, ...]:
    """List the sets with *spare* digits more than cells; a set in two units is listed once."""
    found: dict[int, int] = {}
    for members in board.sight.units.values():
        blank = [(1 << cell, board.masks[cell]) for cell in cells_of(members & board.blank)]
        found.update(_grown(blank, 0, 0, 0, spare, 0))
    sets = (AlmostLockedSet(cells, mask) for cells, mask in found.items())
    return tuple(sorted(sets, key=lambda one: (one.cells.bit_count(), one.cells)))


def _grown(
    blank: list[tuple[int, int]], first: int, cells: int, mask: int, spare: int, size: int
) -> Iterator[tuple[int, int]]:
    """Yield larger sets: a set of *size* cells, and further cells of *blank* from index *first* on."""
    for place in range(first, len(blank)):
        cell, digits = blank[place]
        grown = mask | digits
        count = grown.bit_count()
        if count <= MAX_CELLS + spare:
            if count == size + 1 + spare:
                yield cells | cell, grown
            if size + 1 < MAX_CELLS:
                yield from _grown(blank, place + 1, cells | cell, grown, spare, size + 1)


class InferenceGraph:
    """Nodes and their links: ``strong[node]`` and ``weak[node]`` are sets of nodes.

    ``places[node]``: its digit and cells. ``forbids[node]``: the candidates that are false if the node is
    true. ``reach[node]``: the nodes that it makes true by one pace. ``candidates``: how many nodes are
    candidates.
    """

    __slots__ = ("candidates", "forbids", "places", "reach", "strong", "weak")

    def __init__(
        self, places: Sequence[Place], strong: list[int], weak: list[int], forbids: list[int]
    ) -> None:
        """Take the links, given in both directions."""
        self.places, self.strong, self.weak, self.forbids = places, strong, weak, forbids
        self.candidates = sum(not cells & cells - 1 for _, cells in places)
        linked = sum(1 << node for node, ends in enumerate(strong) if ends)
        self.reach = [_union(strong, links & linked) for links in weak]

    def node(self, node: int) -> Node:
        """Return a node as a step has it."""
        digit, cells = self.places[node]
        return Node(cells_of(cells), digit)

    def candidate(self, node: int) -> Candidate:
        """Return the candidate that a node is."""
        digit, cells = self.places[node]
        return cells.bit_length() - 1, digit


def _union(sets: Sequence[int], members: int) -> int:
    """Return the union of those of the *sets* whose numbers are in the set *members*."""
    union = 0
    while members:  # bits_of written out, as rating spends most of its time here
        lowest = members & -members
        union |= sets[lowest.bit_length() - 1]
        members ^= lowest
    return union


def plain_graph(board: Candidates) -> InferenceGraph:
    """Link candidates: strongly in cells with two of them, and in units with two places for a digit."""
    return _graph(board)


def grouped_graph(board: Candidates) -> InferenceGraph:
    """Link candidates and groups."""
    return _graph(board, _groups(board))


def locked_graph(board: Candidates) -> InferenceGraph:
    """Link candidates, groups, and the digits of almost locked sets with several cells."""
    return _graph(board, _groups(board), _larger_sets(board))


def open_graph(board: Candidates) -> InferenceGraph:
    """Link as :func:`locked_graph` does; and weakly the digits of sets with two digits more than cells."""
    return _graph(board, _groups(board), _larger_sets(board), board.derived(doubly_open_sets))


def set_graph(board: Candidates) -> InferenceGraph:
    """Link the digits of almost locked sets, also of single cells; weakly only within a digit."""
    return _graph(board, (), board.derived(almost_locked_sets), sets_alone=True)


def pair_graph(board: Candidates) -> InferenceGraph:
    """Link the candidates of cells with two of them: strongly in a cell, weakly within a digit."""
    plain, pairs = board.derived(plain_graph), board.with_count(2)
    alike, seen = _within_digits(plain, plain.weak)
    strong = [
        links & ~alike[digit] if cell & pairs else 0
        for links, (digit, cell) in zip(plain.weak, plain.places, strict=True)
    ]
    return InferenceGraph(plain.places, strong, seen, seen)


def digit_graph(board: Candidates) -> InferenceGraph:
    """Link candidates within each digit only."""
    plain = board.derived(plain_graph)
    strong, seen = (_within_digits(plain, links)[1] for links in (plain.strong, plain.weak))
    return InferenceGraph(plain.places, strong, seen, seen)


def _within_digits(graph: InferenceGraph, ends: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the nodes of each digit, and for each node those of its *ends* that have the same digit."""
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
    """Link candidates, *groups*, and the digits of sets; any two digits of a *locked* set strongly.

    With *sets_alone*, only digits of sets are linked strongly, and weak links stay within a digit.
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
    """Add links from each of *nodes* to all the others."""
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
        always = _shared(holding, spots, every)  # nodes that are true anyway get no link
        for number in bits_of(united([holding[cell] for cell in cells_of(spots)]) & ~always):
            strong[number] |= _shared(holding, spots & ~of_number[number], every) & ~always


def _shared(holding: dict[int, int], cells: int, every: int) -> int:
    for cell in cells_of(cells):
        every &= holding[cell]
    return every


def shortest_chain(graph: InferenceGraph, most: int | None = None) -> list[int] | None:
    """Find a shortest chain that rules a candidate out, with at most *most* strong links.

    Returns its nodes, which are false and true in turn. From every candidate, the search goes on by one pace
    at a time, until the nodes that follow from a candidate forbid it. The path to such a node, without
    the candidate itself, is the chain: one of its ends must be true.
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
    """Return nodes, true and false in turn, from the node of ``paces[0]`` to *end* in the last of *paces*.

    ``paces[n]``: the nodes that the first node makes true by n paces, but not by fewer.
    """
    path = [end]
    for before in reversed(paces[:-1]):
        false_by = graph.strong[path[-1]]
        node = next(node for node in bits_of(before) if graph.weak[node] & false_by)
        path += [next(bits_of(graph.weak[node] & false_by)), node]
    return path[::-1]


def chain_links(board: Candidates, graph: InferenceGraph, path: Sequence[int], *, strong: bool) -> list[Link]:
    """Return the links from each node of *path* to the next; *strong*: whether the first is strong."""
    links = []
    for number, (start, end) in enumerate(pairwise(path)):
        is_strong = (number % 2 == 0) == strong
        locked = _locked_in(board, graph.places[start], graph.places[end]) if is_strong else ()
        links.append(Link(graph.node(start), graph.node(end), is_strong, locked))
    return links


def _locked_in(board: Candidates, one: Place, two: Place) -> tuple[int, ...]:
    """Return the almost locked set that links two nodes strongly; nothing if a cell or a unit links them."""
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
    """Return the units of the strong links between cells, and of their almost locked sets."""
    found: list[int] = []
    for link in links:
        cells = cell_set({*link.start.cells, *link.end.cells, *link.locked})
        if link.strong and cells & cells - 1:
            found += [unit for unit, members in board.sight.units.items() if not cells & ~members]
    return tuple(dict.fromkeys(found))


class Consequence(NamedTuple):
    """Everything that a node leads to: sets of nodes and candidates after no pace, one, two, ..."""

    paces: tuple[int, ...]
    """The nodes that are true after so many paces, and not after fewer."""
    ruled_out: tuple[int, ...]
    """The candidates that are false after so many paces or fewer."""


class Consequences:
    """The consequences of all nodes of a graph, each computed when it is needed first."""

    def __init__(self, graph: InferenceGraph) -> None:
        """Begin with nothing computed."""
        self.graph = graph
        self.numbers = {place: number for number, place in enumerate(graph.places)}
        self._known: dict[int, Consequence] = {}

    def of(self, node: int) -> Consequence:
        """Return the consequence of a node."""
        if node not in self._known:
            paces, ruled_out, reached = [1 << node], [self.graph.forbids[node]], 0
            while fresh := _union(self.graph.reach, paces[-1]) & ~reached:
                reached |= fresh
                paces.append(fresh)
                ruled_out.append(ruled_out[-1] | _union(self.graph.forbids, fresh))
            self._known[node] = Consequence(tuple(paces), tuple(ruled_out))
        return self._known[node]


def consequences(board: Candidates) -> Consequences:
    """Find what follows by chains, also through almost locked sets."""
    return Consequences(board.derived(locked_graph))


def set_consequences(board: Candidates) -> Consequences:
    """Find the same as :func:`consequences`, also by digits of sets with two digits more than cells."""
    return Consequences(board.derived(open_graph))
