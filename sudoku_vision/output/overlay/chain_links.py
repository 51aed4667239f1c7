"""Draw the links of a chain as lines from candidate to candidate. Links bend around other candidates."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, product
from typing import TypeAlias

import numpy as np

from sudoku_vision.output.drawing.figure import Colour, Line, Point
from sudoku_vision.output.overlay.print_style import PrintStyle
from sudoku_vision.sudoku.logic.steps import Candidate, Node, Step

Styles: TypeAlias = Mapping[Candidate, PrintStyle]

LEGEND = "The links of a chain are violet arrows: full for strong links, dashed for weak ones."
"""How links look, in words for the documentation."""

_LINK_WIDTH = 0.042  # width of a link, in cells
_LINK_GAP = 0.62  # distance from the end of a link to the middle of its candidate, in digit heights
_ARROW, _ARROW_ANGLE = 0.13, math.radians(30)
"""Length of the two strokes of an arrowhead, in cells, and angle between a stroke and the link."""
_CLEAR = 0.22  # minimum distance of a link from other candidates, in cells
_BEND = 0.42  # if a link would come closer to a candidate than _CLEAR, its middle moves by this, in cells
_BEND_PIECES = 12
_DASH, _DASH_SHARE = 0.3, 0.4  # length of a dash plus the gap after it, in cells; the dash's share of that


def link_lines(step: Step, styles: Styles, colour: Colour) -> Iterator[Line]:
    """Yield the lines of each link, as in :data:`LEGEND`. If a node has several cells, lines join them.

    *styles*: the size and the place of each candidate that is drawn.
    """
    both_ends = {node for link in step.links for node in (link.start, link.end)}
    nodes = sorted(both_ends, key=lambda node: (node.digit, node.cells))
    places = {node: [_place((cell, node.digit), styles) for cell in node.cells] for node in nodes}
    for node in nodes:
        for one, two in pairwise(places[node]):
            yield Line(_curve(one, two, _gap(node, styles), 0.0), _LINK_WIDTH, colour)
    directed = any(not link.strong for link in step.links)  # a colouring has only strong links, and no arrows
    for link in step.links:
        if link.start.cells == link.end.cells:
            continue  # no line between digits of one cell: they stand side by side
        pairs = product(places[link.start], places[link.end])
        start, end = min(pairs, key=lambda pair: math.dist(*pair))
        others = [place for node in nodes for place in places[node] if place not in (start, end)]
        path = _path(start, end, max(_gap(link.start, styles), _gap(link.end, styles)), others)
        if path is None:
            continue
        for piece in [path] if link.strong else _dashes(path):
            yield Line(piece, _LINK_WIDTH, colour)
        if directed:
            yield Line(_arrowhead(path), _LINK_WIDTH, colour)


def _path(start: Point, end: Point, gap: float, others: Sequence[Point]) -> tuple[Point, ...] | None:
    """Return a link from *start* to *end*, with a *gap* at both ends; None if the gaps leave no room for it.

    *others*: places of other candidates. The link is bent if a straight link would pass too close to them.
    """
    if math.dist(start, end) <= 2 * gap:
        return None
    paths = [_curve(start, end, gap, bend) for bend in (0.0, _BEND, -_BEND)]
    return max(paths, key=lambda path: min(_clearance(path, others), _CLEAR))


def _curve(start: Point, end: Point, gap: float, bend: float) -> tuple[Point, ...]:
    """Return a path from *start* to *end* with a *gap* at both ends, bent in its middle by *bend* cells."""
    begin, way = np.array(start), np.subtract(end, start)
    length = math.dist(start, end)
    share = np.linspace(gap / length, 1 - gap / length, (_BEND_PIECES if bend else 1) + 1)[:, None]
    across = np.array([way[1], -way[0]]) / length
    places = begin + share * way + 4 * bend * share * (1 - share) * across
    return tuple((float(u), float(v)) for u, v in places.clip(0, 9))


def _clearance(path: Sequence[Point], others: Sequence[Point]) -> float:
    if not others:
        return math.inf
    places, starts = np.array(others)[:, None], np.array(path[:-1])
    along = np.array(path[1:]) - starts
    share = ((places - starts) * along).sum(axis=2) / np.maximum((along**2).sum(axis=1), 1e-9)
    nearest = starts + share.clip(0, 1)[:, :, None] * along
    return float(np.linalg.norm(places - nearest, axis=2).min())


def _arrowhead(path: Sequence[Point]) -> tuple[Point, ...]:
    (u, v), (tip_u, tip_v) = path[-2:]
    back = math.atan2(v - tip_v, u - tip_u)
    one, two = (
        (tip_u + _ARROW * math.cos(back + turn), tip_v + _ARROW * math.sin(back + turn))
        for turn in (-_ARROW_ANGLE, _ARROW_ANGLE)
    )
    return one, (tip_u, tip_v), two


def _dashes(path: Sequence[Point]) -> Iterator[tuple[Point, ...]]:
    """Yield the dashes of a path. The last dash ends where the path ends."""
    places = np.array(path)
    lengths = np.cumsum([0.0, *(math.dist(one, two) for one, two in pairwise(path))])
    count = max(1, round(lengths[-1] / _DASH))
    step = lengths[-1] / (count - 1 + _DASH_SHARE)
    for begin in step * np.arange(count):
        at = begin + _DASH_SHARE * step * np.linspace(0, 1, 2 if len(path) == 2 else 4)
        u, v = (np.interp(at, lengths, axis).tolist() for axis in places.T)
        yield tuple(zip(u, v, strict=True))


def _gap(node: Node, styles: Styles) -> float:
    return _LINK_GAP * max(styles[cell, node.digit].height for cell in node.cells)


def _place(candidate: Candidate, styles: Styles) -> Point:
    row, column = divmod(candidate[0], 9)
    x, y = styles[candidate].middle
    return column + x, row + y
