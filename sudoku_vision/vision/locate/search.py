"""Search: proposals round by round, the best candidate of each place, in reading order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice

import cv2
import numpy as np

from sudoku_vision.geometry import Points
from sudoku_vision.results import Image
from sudoku_vision.vision.locate.candidate import (
    GridCandidate,
    Proposal,
    enlarged,
    enlarged_places,
    overlap,
    shared_part,
)
from sudoku_vision.vision.locate.cells import cell_proposals
from sudoku_vision.vision.locate.fit import (
    GOOD_SCORE,
    LOWEST_SCORE,
    Judged,
    finalise,
    score_proposal,
    shift_to_best,
)
from sudoku_vision.vision.locate.flatten import CELL, Pyramid
from sudoku_vision.vision.locate.outline import outline_proposals
from sudoku_vision.vision.locate.surface import CENTRE, flat_surface
from sudoku_vision.vision.locate.threshold import Threshold, ink_mask

SURE_SCORE = 0.93
"""A grid of this score ends the search for better proposals of the same place."""
MAX_JUDGED = 40
"""Most proposals judged in one round: a page of print may give hundreds."""
MAX_MISSES = 50
"""Proposals without a grid that end a search: of 620 grids none was found after more than 32."""
MIN_GRID_SIDE = 0.06
"""Shortest side of an outline as a share of the picture's longer side: cells of 6 px where that is 900."""

# What is the same place: areas that two candidates share, as parts of the smaller one.
APART = 0.2
"""Less than this, and both are kept."""
TOUCHES = 0.3
"""More than this, and a proposal is not tried where a sure grid is known."""
SAME_PLACE = 0.6
"""More than this, and they are two views of one grid."""
SAME_SIZE = 0.25
"""Natural logarithm of the ratio of two areas below which they are of one size: 1.28, a row more or less."""


Taken = Callable[[], list[Points]]
"""Tells the corners (4, 2) of the sure grids that have been found so far: what lies there is no news."""
Round = Callable[[Taken], Iterator[Proposal]]
"""One way to propose grids, one by one, so that what was found on the way can be heeded."""


@dataclass
class Effort:
    """How much may still be spent on a picture: proposals that lead to no grid (``misses``), not seconds.

    So a picture is told alike on every machine. ``missed`` are the proposals that led to no grid, ``tables``
    the corners (4, 2) of what has all lines of a grid and is none, as a part of a larger table. ``known`` and
    ``known_tables`` are those of a smaller copy, in pixels of this one: what is proposed there misses again,
    without another look.
    """

    misses: int = MAX_MISSES
    known: list[Proposal] = field(default_factory=list)
    known_tables: list[Points] = field(default_factory=list)
    missed: list[Proposal] = field(default_factory=list)
    tables: list[Points] = field(default_factory=list)

    def closer(self, most: int, times: float) -> Effort:
        """Return what is left for a copy so many *times* larger, at most *most* misses.

        Where the cells had as many pixels as on the flat view, a larger copy shows no more of them.
        """
        known = [enlarged(proposal, times) for proposal in self.missed if proposal.cell >= CELL]
        tables = [enlarged_places(corners, times) for corners in self.tables]
        return Effort(min(self.misses, most), known, tables)

    def knows(self, proposal: Proposal) -> bool:
        """Tell whether a proposal is known to lead to no grid."""
        return is_known(proposal, self.known) or any(
            shared_part(proposal.corners, table) > TOUCHES for table in self.known_tables
        )


def search(grey: Image, rounds: Iterable[Round], effort: Effort | None = None) -> list[GridCandidate]:
    """Return all grids of a grey picture (H, W) uint8, best of each place, in reading order.

    *rounds* are rounds of proposals, tried as long as some of the *effort* is left.
    """
    effort = effort or Effort()
    pyramid = Pyramid(grey)
    kept: list[GridCandidate] = []
    judged: list[Proposal] = []
    beside: Judged = []

    def taken() -> list[Points]:
        return [candidate.corners for candidate in kept if candidate.score >= SURE_SCORE]

    for propose in rounds:
        fresh = (one for one in propose(taken) if not (is_covered(one, kept) or is_known(one, judged)))
        for proposal in islice(fresh, min(effort.misses, MAX_JUDGED)):
            judged.append(proposal)
            if effort.knows(proposal):
                effort.misses -= 1
                continue
            candidate = score_proposal(pyramid, proposal)
            if candidate.score < LOWEST_SCORE:
                effort.missed.append(proposal)
            if candidate.score >= LOWEST_SCORE and not is_beaten(candidate, kept):
                kept = best_of_each_place([*kept, shift_to_best(pyramid, candidate, beside)])
            else:
                effort.misses -= 1
        if kept and min(candidate.score for candidate in kept) >= SURE_SCORE:
            break
    final = [(candidate, finalise(pyramid, candidate)) for candidate in kept]
    effort.tables += [one.corners for one, grid in final if grid is None and one.score >= SURE_SCORE]
    return reading_order([grid for _, grid in final if grid is not None])


def rounds_at(grey: Image, thresholds: Sequence[Threshold]) -> list[Round]:
    """Return a round of proposals for each threshold."""
    return [partial(proposals_at, grey, threshold) for threshold in thresholds]


def outline_rounds_at(grey: Image, thresholds: Sequence[Threshold]) -> list[Round]:
    """Return a round of proposals from outlines alone for each threshold.

    For a larger copy: of 710 grids drawn small and faint, 20 were found on one alone, each by its outline.
    """
    return [partial(_proposals_of_outlines, grey, threshold) for threshold in thresholds]


def proposals_at(grey: Image, threshold: Threshold, taken: Taken = list) -> Iterator[Proposal]:
    """Yield the proposals that one threshold leads to, those from outlines first.

    Once these are through, cells are looked for where nothing is *taken*.
    """
    ink = ink_mask(grey, threshold)
    yield from _outlined(ink, threshold)
    paper = np.asarray(cv2.bitwise_not(ink), np.uint8)
    for corners in taken():
        cv2.fillConvexPoly(paper, np.rint(corners).astype(np.int32), 0)
    for homography in cell_proposals(paper):
        yield Proposal(homography, threshold.sign)


def _proposals_of_outlines(grey: Image, threshold: Threshold, _: Taken = list) -> Iterator[Proposal]:
    yield from _outlined(ink_mask(grey, threshold), threshold)


def _outlined(ink: Image, threshold: Threshold) -> Iterator[Proposal]:
    """Yield the proposals that the outlines of the pieces of a mask lead to."""
    for homography in outline_proposals(ink, min_side=MIN_GRID_SIDE * max(ink.shape)):
        yield Proposal(homography, threshold.sign)


def is_beaten(candidate: GridCandidate, kept: list[GridCandidate]) -> bool:
    """Tell whether a grid at the same place shows at least as many lines."""
    return any(other.score >= candidate.score and overlap(candidate, other) > SAME_PLACE for other in kept)


def is_covered(proposal: Proposal, kept: list[GridCandidate]) -> bool:
    """Tell whether a proposal lies where a sure grid is known, or is a good one again, cells off or not."""
    guess = GridCandidate(flat_surface(proposal.homography), 0.0)
    for candidate in kept:
        shared = overlap(guess, candidate)
        if candidate.score >= SURE_SCORE and shared > TOUCHES:
            return True
        same_size = abs(np.log(guess.area / candidate.area)) < SAME_SIZE
        if candidate.score >= GOOD_SCORE and shared > SAME_PLACE and same_size:
            return True
    return False


def is_known(proposal: Proposal, judged: list[Proposal]) -> bool:
    """Tell whether nearly the same place has been judged: several thresholds lead to one outline."""
    return any(proposal.is_like(other) for other in judged)


def best_of_each_place(candidates: list[GridCandidate]) -> list[GridCandidate]:
    """Return the best of the candidates that cover one another, best first."""
    kept: list[GridCandidate] = []
    for candidate in sorted(candidates, key=lambda c: -c.score):
        if all(overlap(candidate, other) < APART for other in kept):
            kept.append(candidate)
    return kept


def reading_order(candidates: list[GridCandidate]) -> list[GridCandidate]:
    """Return candidates top to bottom in bands of half a grid's height, left to right within a band."""
    if len(candidates) < 2:
        return candidates

    def centre(candidate: GridCandidate) -> tuple[float, float]:
        x, y = candidate.surface(CENTRE)[0]
        return float(x), float(y)

    rest = sorted(candidates, key=lambda c: centre(c)[1])
    ordered: list[GridCandidate] = []
    while rest:
        first = rest[0]
        height = float(np.ptp(first.corners[:, 1]))
        band = [c for c in rest if centre(c)[1] < centre(first)[1] + height / 2]
        ordered += sorted(band, key=lambda c: centre(c)[0])
        rest = [c for c in rest if c not in band]
    return ordered
