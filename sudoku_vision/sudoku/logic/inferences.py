"""Inferences: the links of chains, and everything that follows from a candidate by such links.

A *node* means "this digit is in one of these cells". Two nodes have a *strong* link if at least one of them
must be true, and a *weak* link if at most one of them can be true. If a node is true, a weak link makes a
second node false. A strong link from the second node makes a third node true. These two links together are a
*pace* of a chain.

An *almost locked set* is n cells of a unit that together have n + 1 digits as candidates. If the cells lack
one of these digits, they hold all the others. Nodes have numbers: first the candidates, then *groups* (two or
more places of a digit where a box and a line cross), then the places of each digit in each almost locked set.
A set of nodes is an integer in which bit n stands for node n.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import count, pairwise
from typing import NamedTuple

from sudoku_vision.sudoku.logic.bits import DIGITS, DIGITS_OF, bits_of, cell_set, cells_of, united
from sudoku_vision.sudoku.logic.candidates import Candidates
from sudoku_vision.sudoku.logic.steps import Candidate, Link, Node

Place = tuple[int, int]  # a digit and cells (81 bits): the node "one of these cells holds this digit"

MAX_CELLS = 5  # maximum number of cells of an almost locked set; larger sets never changed a result


class AlmostLockedSet(NamedTuple):
    """Some *cells* of a unit (a set of 81 bits), and the *mask* of all candidates of these cells."""

    cells: int
    mask: int


def _sets(board: Candidates, *, spare: int, sizes: range) -> tuple[AlmostLockedSet, ...]:
    """Return sets of cells of a unit that have *spare* more candidate digits than cells, small sets first.

    *sizes*: the possible numbers of cells of a set.
    """
    found: dict[int, int] = {}
    for members in board.sight.units.values():
        blank = [(1 << cell, board.masks[cell]) for cell in cells_of(members & board.blank)]
        found.update(_grown(blank, 0, 0, 0, spare, 0))
    sets = (AlmostLockedSet(*one) for one in found.items() if one[0].bit_count() in sizes)
    return tuple(sorted(sets, key=lambda one: (one.cells.bit_count(), one.cells)))


almost_locked_sets = partial(_sets, spare=1, sizes=range(1, MAX_CELLS + 1))
"""Returns all almost locked sets of a board, small sets first."""
doubly_open_sets = partial(_sets, spare=2, sizes=range(2, MAX_CELLS))
"""Returns all sets of 2, 3 or 4 cells of a unit that together have two more candidate digits than cells,
small sets first. Such a set holds at least one of any three of these digits."""


def _grown(
    blank: list[tuple[int, int]], first: int, cells: int, mask: int, spare: int, size: int
) -> Iterator[tuple[int, int]]:
    """Yield sets of cells that have *spare* more candidate digits than cells, as pairs (cells, mask).

    Each set contains the *size* cells in *cells*, which have the digits in *mask*. Its other cells come from
    *blank*, from index *first* on.
    """
    for place in range(first, len(blank)):
        cell, digits = blank[place]
        grown = mask | digits
        count = grown.bit_count()
        if count <= MAX_CELLS + spare:
            if count == size + 1 + spare:
                yield cells | cell, grown
            if size + 1 < MAX_CELLS:
                yield from _grown(blank, place + 1, cells | cell, grown, spare, size + 1)


class Consequence(NamedTuple):
    """Everything that follows if a node is true.

    ``paces[n]``: the set of nodes that are true after n paces, but not after fewer. A pace is a weak link and
    then a strong link. ``ruled_out[n]``: the set of candidates that are false after at most n paces.
    """

    paces: tuple[int, ...]
    ruled_out: tuple[int, ...]


class InferenceGraph:
    """Nodes and the links between them, as explained at the top of this module.

    ``places[node]``: the digit and the cells of a node. ``strong[node]``, ``weak[node]``: the set of nodes
    that have a strong or a weak link to the node. ``forbids[node]``: the set of candidates that are false if
    the node is true. ``reach[node]``: the set of nodes that are true one pace later if the node is true.
    ``candidates``: the number of candidates.
    """

    def __init__(
        self, places: Sequence[Place], strong: list[int], weak: list[int], forbids: list[int]
    ) -> None:
        self.places, self.strong, self.weak, self.forbids = places, strong, weak, forbids
        self.candidates = sum(not cells & cells - 1 for _, cells in places)
        linked = sum(1 << node for node, ends in enumerate(strong) if ends)
        self.reach = [_union(strong, links & linked) for links in weak]
        self._known: dict[int, Consequence] = {}

    def node(self, node: int) -> Node:
        """Return the node with this number."""
        digit, cells = self.places[node]
        return Node(cells_of(cells), digit)

    def candidate(self, node: int) -> Candidate:
        """Return the candidate (cell, digit) with the number *node*."""
        digit, cells = self.places[node]
        return cells.bit_length() - 1, digit

    def consequence(self, node: int) -> Consequence:
        """Return everything that follows if *node* is true. The result is computed only once."""
        if node not in self._known:
            paces, ruled_out, reached = [1 << node], [self.forbids[node]], 0
            while fresh := _union(self.reach, paces[-1]) & ~reached:
                reached |= fresh
                paces.append(fresh)
                ruled_out.append(ruled_out[-1] | _union(self.forbids, fresh))
            self._known[node] = Consequence(tuple(paces), tuple(ruled_out))
        return self._known[node]


def _union(sets: Sequence[int], members: int) -> int:
    """Return the union of those *sets* whose indices are bits of *members*."""
    union = 0
    while members:  # bits_of would be slower, and rating spends most of its time in this loop
        lowest = members & -members
        union |= sets[lowest.bit_length() - 1]
        members ^= lowest
    return union


def _graph(
    board: Candidates,
    *,
    grouped: bool = False,
    locked: bool = False,
    doubly_open: bool = False,
    sets_alone: bool = False,
) -> InferenceGraph:
    """Return a graph of the candidates, with further nodes and links.

    Strong links join the only two candidates of a cell, and the only two places of a digit in a unit. Weak
    links join candidates of a cell, and equal digits that see each other.

    * *grouped*: groups are nodes, too.
    * *locked*: strong links also join the digits of an almost locked set.
    * *doubly_open*: for each digit of a set in :data:`doubly_open_sets`, its places in the set are a node,
      too.
    * *sets_alone*: strong links only join digits of almost locked sets, and weak links only join equal
      digits.
    """
    nodes = dict.fromkeys((digit, 1 << cell) for digit in DIGITS for cell in cells_of(board.planes[digit]))
    count = len(nodes)
    for digit in DIGITS if grouped else ():
        groups = (board.planes[digit] & cells for _, _, cells in board.sight.crossings)
        nodes.update(dict.fromkeys((digit, cells) for cells in groups if cells & cells - 1))
    sets = board.derived(almost_locked_sets) if locked or sets_alone else ()
    joined = [_digits(board, one) for one in sets if sets_alone or one.cells & one.cells - 1]
    others = [_digits(board, one) for one in board.derived(doubly_open_sets)] if doubly_open else []
    for together in (*joined, *others):
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


plain_graph, grouped_graph = partial(_graph), partial(_graph, grouped=True)
locked_graph = partial(_graph, grouped=True, locked=True)
open_graph = partial(_graph, grouped=True, locked=True, doubly_open=True)
set_graph = partial(_graph, sets_alone=True)


def pair_graph(board: Candidates) -> InferenceGraph:
    """Return a graph with strong links in cells with two candidates, and weak links between equal digits."""
    plain, pairs = board.derived(plain_graph), board.with_count(2)
    seen = _within_digits(plain, plain.weak)
    strong = [
        links & ~alike if cell & pairs else 0
        for links, alike, (_, cell) in zip(plain.weak, seen, plain.places, strict=True)
    ]
    return InferenceGraph(plain.places, strong, seen, seen)


def digit_graph(board: Candidates) -> InferenceGraph:
    """Return the graph of :data:`plain_graph` with only those links that join equal digits."""
    plain = board.derived(plain_graph)
    strong, seen = (_within_digits(plain, links) for links in (plain.strong, plain.weak))
    return InferenceGraph(plain.places, strong, seen, seen)


def _within_digits(graph: InferenceGraph, ends: Sequence[int]) -> list[int]:
    """Return for each node its neighbours with the same digit. *ends*: for each node, all its neighbours."""
    alike = [0] * 10
    for node, (digit, _) in enumerate(graph.places):
        alike[digit] |= 1 << node
    return [links & alike[digit] for links, (digit, _) in zip(ends, graph.places, strict=True)]


def _digits(board: Candidates, found: AlmostLockedSet) -> list[Place]:
    """Return the nodes of an almost locked set: for each digit, the digit's places in the set."""
    return [(digit, board.planes[digit] & found.cells) for digit in DIGITS_OF[found.mask]]


def _join(nodes: Sequence[int], links: list[int]) -> None:
    together = sum(1 << node for node in nodes)
    for node in nodes:
        links[node] |= together ^ 1 << node


def _link_digit(
    board: Candidates, digit: int, nodes: Sequence[tuple[int, int]], strong: list[int] | None, weak: list[int]
) -> None:
    """Add the weak links between *nodes* (number, cells) of a digit to the list *weak*.

    Also add the strong links to the list *strong*, unless *strong* is None.
    """
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
        always = _shared(holding, spots, every)  # a node with all places of the unit is always true
        for number in bits_of(united([holding[cell] for cell in cells_of(spots)]) & ~always):
            strong[number] |= _shared(holding, spots & ~of_number[number], every) & ~always


def _shared(holding: dict[int, int], cells: int, every: int) -> int:
    for cell in cells_of(cells):
        every &= holding[cell]
    return every


def shortest_chain(graph: InferenceGraph, most: int | None = None) -> list[int] | None:
    """Find a shortest chain that rules out a candidate; return its nodes, or None if there is no chain.

    The chain has at most *most* strong links. At least one end of the chain is true, and both ends forbid the
    candidate. The search assumes for each candidate that this candidate is true. In each round, it goes one
    pace further from every candidate. The search ends when a candidate leads to a true node that forbids this
    candidate.
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
    """Return the nodes of a path from the first node to *end*. True and false nodes alternate.

    ``paces[n]``: the set of nodes that are true n paces after the first node. ``paces[0]`` has only the first
    node.
    """
    path = [end]
    for before in reversed(paces[:-1]):
        false_by = graph.strong[path[-1]]
        node = next(node for node in bits_of(before) if graph.weak[node] & false_by)
        path += [next(bits_of(graph.weak[node] & false_by)), node]
    return path[::-1]


def chain_links(board: Candidates, graph: InferenceGraph, path: Sequence[int], *, strong: bool) -> list[Link]:
    """Return the links along *path*, strong and weak in turn. *strong*: whether the first link is strong."""
    links = []
    for number, (start, end) in enumerate(pairwise(path)):
        is_strong = (number % 2 == 0) == strong
        locked = _locked_in(board, graph.places[start], graph.places[end]) if is_strong else ()
        links.append(Link(graph.node(start), graph.node(end), is_strong, locked))
    return links


def _locked_in(board: Candidates, one: Place, two: Place) -> tuple[int, ...]:
    """Return the cells of the almost locked set that is the reason for a strong link of two nodes.

    Return () if a cell or a unit is the reason for the link.
    """
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
    """Return the units that are the reasons for the strong links in *links*."""
    found: list[int] = []
    for link in links:
        cells = cell_set({*link.start.cells, *link.end.cells, *link.locked})
        if link.strong and cells & cells - 1:
            found += board.sight.units_around(cells)
    return tuple(dict.fromkeys(found))
