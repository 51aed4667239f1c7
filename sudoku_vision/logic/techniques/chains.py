"""Chains of inferences: if one end of it is false, the other end is true, so what both ends forbid is false.

A *node* says "this digit stands here". Two nodes are joined by a *strong* link if one of them must be true
(the two candidates of a cell, the two places of a digit in a unit), by a *weak* link if not both can be.
Strong and weak links in turn, strong ones at both ends, make an alternating inference chain: one of its ends
is true. If the ends can't both be true either, the chain is a loop, and each of its weak links becomes
strong.

Nodes are bits of one whole number: digit d in cell c is bit ``81 * (d - 1) + c``, and beyond these 729 a bit
for each *group*: the places of a digit where a box and a line cross, if there are several. All chains are
grown together, by one strong link at a time, so that the first found is one of the shortest. (A chain that
comes back to its own start would prove it; but then a shorter one strikes out its last node but one.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sudoku_vision.board import cell_name
from sudoku_vision.logic.candidates import (
    DIGITS,
    DIGITS_OF,
    EVERY_CELL,
    PEER_SETS,
    UNIT_SETS,
    Candidates,
    cells_of,
)
from sudoku_vision.logic.steps import Link, Node, Step, Technique
from sudoku_vision.logic.words import listed, strike

_CANDIDATES = (1 << 729) - 1
_CROSSINGS = tuple(UNIT_SETS[box] & UNIT_SETS[line] for box in range(18, 27) for line in range(18))
_CROSSINGS = tuple(cells for cells in _CROSSINGS if cells)


def _bits(nodes: int) -> Iterator[int]:
    while nodes:
        lowest = nodes & -nodes
        yield lowest.bit_length() - 1
        nodes ^= lowest


@dataclass(frozen=True)
class _Graph:
    """The links: ``strong[node]`` and ``weak[node]`` are sets of nodes.

    ``forbids[node]``: the candidates that can't be true with the node, which is what a chain may strike out.
    ``groups``: digit and cells (a set) of the nodes from bit 729 on.
    """

    strong: dict[int, int]
    weak: dict[int, int]
    forbids: dict[int, int]
    groups: Sequence[tuple[int, int]] = ()

    def place(self, node: int) -> tuple[int, int]:
        """Return the digit and the cells (a set) of a node."""
        if node >= 729:
            return self.groups[node - 729]
        return node // 81 + 1, 1 << node % 81

    def node(self, node: int) -> Node:
        """Return the node as a step has it."""
        digit, cells = self.place(node)
        return Node(cells_of(cells), digit)


def xy_chain(board: Candidates) -> Step | None:
    """Find a chain through cells of two candidates, from each to the next by a digit that they share."""
    pairs = board.with_count(2)
    strong: dict[int, int] = {}
    for cell in cells_of(pairs):
        one, two = (81 * digit - 81 + cell for digit in DIGITS_OF[board.masks[cell]])
        strong[one], strong[two] = 1 << two, 1 << one
    weak, forbids = {}, {}
    for node in strong:
        digit, cell = node // 81 + 1, node % 81
        seen = board.planes[digit] & PEER_SETS[cell]
        weak[node], forbids[node] = (seen & pairs) << 81 * digit - 81, seen << 81 * digit - 81
    return _shortest(_Graph(strong, weak, forbids), XY_CHAIN)


def alternating_chain(board: Candidates) -> Step | None:
    """Find a chain of candidates, through cells with two candidates and units with two places for a digit."""
    return _shortest(_graph(board, ()), ALTERNATING_CHAIN)


def grouped_chain(board: Candidates) -> Step | None:
    """Find a chain of which "in one of these two or three cells" may also be a link."""
    groups = tuple(
        (digit, board.planes[digit] & crossing)
        for digit in DIGITS
        for crossing in _CROSSINGS
        if (board.planes[digit] & crossing).bit_count() > 1
    )
    return _shortest(_graph(board, groups), GROUPED_CHAIN)


def _graph(board: Candidates, groups: Sequence[tuple[int, int]]) -> _Graph:
    strong: dict[int, int] = {}
    weak: dict[int, int] = {}
    for digit in DIGITS:
        shift, plane = 81 * digit - 81, board.planes[digit]
        nodes = {1 << cell: shift + cell for cell in cells_of(plane)}
        for index, (of_digit, cells) in enumerate(groups, start=729):
            if of_digit == digit:
                nodes[cells] = index
        _link_digit(plane, shift, nodes, strong, weak)
    for cell in cells_of(board.blank):
        bits = [81 * digit - 81 + cell for digit in DIGITS_OF[board.masks[cell]]]
        together = sum(1 << bit for bit in bits)
        for bit in bits:
            weak[bit] |= together ^ 1 << bit
            if len(bits) == 2:
                strong[bit] = strong.get(bit, 0) | together ^ 1 << bit
    forbids = {node: links & _CANDIDATES for node, links in weak.items()} if groups else weak
    return _Graph(strong, weak, forbids, groups)


def _link_digit(
    plane: int, shift: int, nodes: dict[int, int], strong: dict[int, int], weak: dict[int, int]
) -> None:
    """Add the links among the *nodes* of one digit (bit by cells); its candidates begin at bit *shift*."""
    group_nodes = [(cells, node) for cells, node in nodes.items() if node >= 729]
    for cells, node in nodes.items():
        seen = EVERY_CELL
        for cell in cells_of(cells):
            seen &= PEER_SETS[cell]
        weak[node] = (plane & seen) << shift
        for others, other in group_nodes:
            if not others & ~seen:
                weak[node] |= 1 << other
    for unit in UNIT_SETS:
        places = plane & unit
        count = places.bit_count()
        if count < 2 or (count > 2 and not group_nodes) or count > 6:
            continue
        for cells, node in nodes.items():
            if not cells & ~places:
                other = nodes.get(places ^ cells, -1)
                if other >= 0:
                    strong[node] = strong.get(node, 0) | 1 << other


def _shortest(graph: _Graph, technique: Technique) -> Step | None:
    """Grow the chains from all nodes by one strong link at a time until one of them strikes something out."""
    reach = _reach(graph)
    # For each start: the ends reached by each number of strong links, all of them, and the last ones.
    layers = {start: [ends] for start, ends in graph.strong.items()}
    reached = {start: ends | 1 << start for start, ends in graph.strong.items()}
    while layers:
        for start, grown in list(layers.items()):
            fresh = 0
            for node in _bits(grown[-1]):
                fresh |= reach[node]
            fresh &= ~reached[start]
            if not fresh:
                del layers[start]
                continue
            reached[start] |= fresh
            grown.append(fresh)
            step = _fruit(graph, technique, start, grown)
            if step is not None:
                return step
    return None


def _reach(graph: _Graph) -> dict[int, int]:
    """Return the nodes that are true by one weak and one strong link if a node is."""
    linked = sum(1 << node for node in graph.strong)
    reach = {}
    for node in graph.strong:
        ends = 0
        for middle in _bits(graph.weak[node] & linked):
            ends |= graph.strong[middle]
        reach[node] = ends
    return reach


def _fruit(graph: _Graph, technique: Technique, start: int, grown: list[int]) -> Step | None:
    """Return the step that follows from the ends last reached from *start*, if there is one."""
    forbidden = graph.forbids[start]
    for end in _bits(grown[-1]):
        gone = forbidden & graph.forbids[end]
        if gone or graph.weak[start] >> end & 1:
            step = _step(graph, technique, _path(graph, start, end, grown))
            if step is not None:
                return step
    return None


def _path(graph: _Graph, start: int, end: int, grown: list[int]) -> list[int]:
    """Return the nodes of a chain from *start* to *end*, found from the end backwards."""
    path = [end]
    for ends in reversed(grown[:-1]):
        before, middle = next(
            (node, middle)
            for node in _bits(ends)
            for middle in _bits(graph.weak[node])
            if graph.strong.get(middle, 0) >> path[-1] & 1
        )
        path += [middle, before]
    return [start, *reversed(path)]


def _step(graph: _Graph, technique: Technique, path: list[int]) -> Step | None:
    start, end = path[0], path[-1]
    closed = bool(graph.weak[start] >> end & 1)
    gone = graph.forbids[start] & graph.forbids[end]
    if closed:
        for one, two in zip(path[1:-1:2], path[2:-1:2], strict=True):
            gone |= graph.forbids[one] & graph.forbids[two]
    if not gone:
        return None
    nodes = [graph.node(node) for node in path]
    links = [Link(a, b, strong=i % 2 == 0) for i, (a, b) in enumerate(pairwise(nodes))]
    if closed:
        links.append(Link(nodes[-1], nodes[0], strong=False))
    return Step(
        technique,
        tuple(dict.fromkeys(cell for node in nodes for cell in node.cells)),
        tuple(dict.fromkeys(node.digit for node in nodes)),
        units=_units(links),
        links=tuple(links),
        eliminations=tuple(sorted((node % 81, node // 81 + 1) for node in _bits(gone))),
    )


def _units(links: Sequence[Link]) -> tuple[int, ...]:
    """Return the units that the strong links between cells are seen in."""
    found = []
    for link in links:
        cells = {*link.start.cells, *link.end.cells}
        if link.strong and len(cells) > 1:
            found += [unit for unit in range(27) if all(UNIT_SETS[unit] >> cell & 1 for cell in cells)]
    return tuple(dict.fromkeys(found))


def _stands(node: Node, true: bool = True) -> str:
    """Say that a node is true, ``5 is in r1c2 or r1c3``, or that it is not."""
    cells = listed(map(cell_name, node.cells), "or")
    return f"{node.digit} is {'' if true else 'not '}in {cells}"


def _sentence(step: Step) -> str:
    closed = not step.links[-1].strong
    links = step.links[:-1] if closed else step.links
    start, end = links[0].start, links[-1].end
    follows = ", so ".join(_stands(link.end, link.strong) for link in links)
    follow = f"Suppose that {_stands(start, False)}. Then {follows}."
    if closed:
        return (
            f"{follow} These ends can't both be true, so the chain closes to a loop: of any two neighbours "
            f"in it one is true, and you can {strike(step.eliminations)}."
        )
    if start.digit == end.digit:
        return (
            f"{follow} So {_stands(start)}, or in {listed(map(cell_name, end.cells), 'or')}, and what sees "
            f"both can't hold it: {strike(step.eliminations)}."
        )
    return (
        f"{follow} So {_stands(start)}, or {_stands(end)}, and what would rule out both is wrong: "
        f"{strike(step.eliminations)}."
    )


XY_CHAIN = Technique(
    "XY-chain",
    order=2200,
    difficulty="expert",
    score=260,
    find=xy_chain,
    sentence=_sentence,
    example="528901043409038512013245908340082109952316487180409230005123894894007321231894000",
)

ALTERNATING_CHAIN = Technique(
    "alternating inference chain",
    order=2300,
    difficulty="expert",
    score=280,
    find=alternating_chain,
    sentence=_sentence,
    example="021504003560301402034026051402005030105003204603247105340652018016438520258009346",
)

GROUPED_CHAIN = Technique(
    "grouped inference chain",
    order=2400,
    difficulty="expert",
    score=300,
    find=grouped_chain,
    sentence=_sentence,
    example="900700300650029017007000009300600700460057030572008006100400600740060080006003004",
)

TECHNIQUES = (XY_CHAIN, ALTERNATING_CHAIN, GROUPED_CHAIN)
