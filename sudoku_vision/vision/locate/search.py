"""Search: proposals by one threshold after the other, the best candidate of each place, in reading order."""

from collections.abc import Iterator, Sequence
from itertools import islice

import cv2
import numpy as np

from sudoku_vision.results import Image
from sudoku_vision.vision.locate import fit
from sudoku_vision.vision.locate.candidate import GridCandidate, Proposal, overlap
from sudoku_vision.vision.locate.cells import cell_proposals
from sudoku_vision.vision.locate.flatten import Pyramid
from sudoku_vision.vision.locate.outline import outline_proposals
from sudoku_vision.vision.locate.surface import CENTRE, flat_surface
from sudoku_vision.vision.locate.threshold import Threshold, ink_mask

SURE_SCORE = 0.93  # A grid of this score ends the search for better proposals of the same place
MAX_MISSES = 50  # proposals without a grid that end a search: of 620 grids none was found after more than 32
MIN_GRID_SIDE = 0.06
"""Shortest side of an outline as a share of the picture's longer side: cells of 6 px where that is 900."""

# What is the same place: areas that two candidates share, as parts of the smaller one.
APART = 0.2  # less than this, and both are kept
SAME_PLACE = 0.6  # more than this, and they are two views of one grid
SAME_SIZE = 0.25
"""Natural logarithm of the ratio of two areas below which they are of one size: 1.28, a row more or less."""


def search(
    grey: Image, thresholds: Sequence[Threshold], misses: int = MAX_MISSES, *, outlines_only: bool = False
) -> tuple[list[GridCandidate], int]:
    """Return all grids of a grey picture (H, W) uint8, best of each place, in reading order.

    The search ends after so many *misses*, proposals that lead to no grid; how many may still follow is
    handed back, too: none where a part of a larger table was seen. They are counted, not seconds, so that
    every machine gives the same answer.
    """
    pyramid = Pyramid(grey)
    kept: list[GridCandidate] = []
    judged: list[Proposal] = []
    beside: fit.Judged = []
    for threshold in thresholds:
        proposals = proposals_at(grey, threshold, kept, outlines_only=outlines_only)
        fresh = (
            one
            for one in proposals
            if not (is_covered(one, kept) or any(one.is_like(other) for other in judged))
        )
        for proposal in islice(fresh, misses):
            judged.append(proposal)
            candidate = fit.score_proposal(pyramid, proposal)
            if candidate.score >= fit.LOWEST_SCORE and not is_beaten(candidate, kept):
                kept[:] = best_of_each_place([*kept, fit.shift_to_best(pyramid, candidate, beside)])
            else:
                misses -= 1
        if kept and min(candidate.score for candidate in kept) >= SURE_SCORE:
            break
    final = [fit.finalise(pyramid, candidate) for candidate in kept]
    tables = [one for one, grid in zip(kept, final, strict=True) if grid is None and one.score >= SURE_SCORE]
    return reading_order([grid for grid in final if grid is not None]), 0 if tables else misses


def proposals_at(
    grey: Image, threshold: Threshold, kept: Sequence[GridCandidate] = (), *, outlines_only: bool = False
) -> Iterator[Proposal]:
    """Yield the proposals that one threshold leads to: outlines first, then cells, unless *outlines_only*.

    Of 710 grids drawn small and faint, 20 were found on a larger copy alone, each by its outline. Cells are
    looked for where no sure grid is *kept*, as it is by then.
    """
    ink = ink_mask(grey, threshold)
    for homography in outline_proposals(ink, min_side=MIN_GRID_SIDE * max(ink.shape)):
        yield Proposal(homography, threshold.sign)
    if outlines_only:
        return
    paper = np.asarray(cv2.bitwise_not(ink), np.uint8)
    for candidate in kept:
        if candidate.score >= SURE_SCORE:
            cv2.fillConvexPoly(paper, np.rint(candidate.corners).astype(np.int32), 0)
    for homography in cell_proposals(paper):
        yield Proposal(homography, threshold.sign)


def is_beaten(candidate: GridCandidate, kept: list[GridCandidate]) -> bool:
    """Tell whether a grid at the same place shows at least as many lines."""
    return any(other.score >= candidate.score and overlap(candidate, other) > SAME_PLACE for other in kept)


def is_covered(proposal: Proposal, kept: list[GridCandidate]) -> bool:
    """Tell whether a proposal lies where a sure grid is known, or is a good one again, cells off or not."""
    guess = GridCandidate(flat_surface(proposal.homography), 0.0)
    for candidate in kept:
        shared = overlap(guess, candidate)
        if candidate.score >= SURE_SCORE and shared > APART:
            return True
        same_size = abs(np.log(guess.area / candidate.area)) < SAME_SIZE
        if candidate.score >= fit.GOOD_SCORE and shared > SAME_PLACE and same_size:
            return True
    return False


def best_of_each_place(candidates: list[GridCandidate]) -> list[GridCandidate]:
    """Return the best of the candidates that cover one another, best first."""
    kept: list[GridCandidate] = []
    for candidate in sorted(candidates, key=lambda c: -c.score):
        if all(overlap(candidate, other) < APART for other in kept):
            kept.append(candidate)
    return kept


def reading_order(candidates: list[GridCandidate]) -> list[GridCandidate]:
    """Return candidates top to bottom in bands of half a grid's height, left to right within a band."""
    rest = sorted(candidates, key=lambda c: c.surface(CENTRE)[0, 1])
    ordered: list[GridCandidate] = []
    while rest:
        low = rest[0].surface(CENTRE)[0, 1] + np.ptp(rest[0].corners[:, 1]) / 2
        band = [c for c in rest if c.surface(CENTRE)[0, 1] < low]
        ordered += sorted(band, key=lambda c: c.surface(CENTRE)[0, 0])
        rest = [c for c in rest if c not in band]
    return ordered
