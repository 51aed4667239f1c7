"""Fit: from a proposal to a scored candidate, bent along its lines, and on to its final place.

A proposal is scored by fitting it: it is bent towards the lines near it as long as it looks like a grid, and
what is seen of its lines in the end is its score (:mod:`.score`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sudoku_vision.vision.locate.bend import bend
from sudoku_vision.vision.locate.candidate import GridCandidate, Proposal, cut_off, grids_round_a_box, shifted
from sudoku_vision.vision.locate.flatten import Pyramid
from sudoku_vision.vision.locate.line_continuation import NEAR_REACH, SIDES, side_run_over
from sudoku_vision.vision.locate.line_evidence import BOX
from sudoku_vision.vision.locate.profiles import line_through_cells
from sudoku_vision.vision.locate.score import share_of_boxes_seen, share_seen
from sudoku_vision.vision.locate.stretch import best_comb
from sudoku_vision.vision.locate.surface import flat_surface
from sudoku_vision.vision.locate.view import GridView
from sudoku_vision.vision.ranks import median, quantile

LOWEST_SCORE = 0.7
"""Share of its pieces of line that must be seen for a grid to be claimed."""
BOXES_ONLY = 0.75
"""Score of a grid of which only the boxes are seen."""
GOOD_SCORE = 0.9
"""A grid of this score is not looked for once more from a proposal of the same size at the same place."""
PERFECT_SCORE = 0.97
"""A grid of this score is not tried at places one cell off."""


Judged = list[tuple[Proposal, GridCandidate]]
"""Proposals that were judged, and what each led to."""


@dataclass(frozen=True)
class FitRound:
    """One round of fitting: how far to look for lines, in cells, and the degree of the surface.

    ``least`` is the share of pieces that must be seen within that reach for it to go on.
    """

    reach: float
    degree: int
    least: float = 0.0


FIT_ROUNDS = (FitRound(0.3, 1, 0.55), FitRound(0.25, 2, 0.6), FitRound(0.2, 3, 0.65))
"""The rounds in which a proposal is fitted: nearer and nearer, bent more and more.

Of 480 grids all showed 0.66 of their pieces in the first two rounds and 0.69 in the last; of what was
proposed on pages without a sudoku, a quarter showed 0.47 in the first.
"""
POLISH_ROUNDS = (FitRound(0.35, 4), FitRound(0.3, 5), FitRound(0.15, 5))
"""The same for the grids that are kept: a bend that was not followed yet may be far off at its end."""
LEAST_CONTRAST, LEAST_SUM = 1.25, 2.75
"""Contrasts of the best ten lines either way, and their sum, that tell a lattice from noise and stripes.

Of 570 grids the least were 1.33 and 2.88.
"""
WORTH_BENDING_BOXES = 0.75
"""The share where only lines round the boxes are expected: they are few, and digits look like some."""
ALL_BOXES = 0.96
"""Share of the lines round the boxes that must be seen where the lines between cells are missing."""
IDLE = 0.25
"""Depth below which, as a share of the box lines' depth, there is no line between them."""
LYING_SHARE, LYING_OFFSET = 0.95, 0.0249
"""A surface on which this share of the pieces of line lie this near, in cells, needs no more bending.

A little less than half a pixel of the flat view, which many lie off: rounding isn't to decide about those.
"""
MAX_CUT_OFF = 0.5
"""How much of a cell may lie beyond the picture's edge: of a digit cut off by more, not enough is seen."""
CLEAR_REACH = 0.15
"""How far round its place, in cells, a line must be the strongest one: noise has its strongest anywhere."""
CLEAR_CONTRAST = 3.8
"""Sum of both contrasts from which on lines stand out: of 170 grids at least 4.7, of noise at most 3.1."""
MAX_PLACES = 2
"""Places at which a grid is tried at the end: where it was found, and once where its lines run on to."""


def score_proposal(pyramid: Pyramid, proposal: Proposal) -> GridCandidate:
    """Return the candidate that a proposal leads to: fitted as it is, or stretched, or by its boxes alone.

    The later ways are tried only where those before are not good.
    """
    seen = first_look(pyramid, proposal)
    comb = best_comb(seen.profiles)
    if min(comb.contrast) < LEAST_CONTRAST or sum(comb.contrast) < LEAST_SUM:
        return GridCandidate(flat_surface(proposal.homography), 0.0, proposal.sign)
    candidate = fit_lines(seen)
    if candidate.score >= GOOD_SCORE:
        return candidate
    if comb.moves:
        stretched = replace(proposal, homography=proposal.homography @ comb.stretching)
        candidate = best_of(candidate, fit_lines(first_look(pyramid, stretched)))
    if candidate.score >= BOXES_ONLY:
        return candidate
    return best_of(candidate, fit_box_lines(seen))


def first_look(pyramid: Pyramid, proposal: Proposal) -> GridView:
    """Return the view of a proposal as it is: all that most are ever judged by."""
    return GridView(pyramid, flat_surface(proposal.homography), proposal.sign)


def best_of(*candidates: GridCandidate) -> GridCandidate:
    """Return the candidate of the highest score, the first of equals."""
    return max(candidates, key=lambda candidate: candidate.score)


def fit_lines(view: GridView) -> GridCandidate:
    """Bend what a :func:`first_look` shows along its lines, as long as it looks like a grid, and score it."""
    for fit in FIT_ROUNDS:
        evidence = view.lines(fit.reach)
        if share_seen(evidence, fit.reach) < fit.least:
            return GridCandidate(view.surface, 0.0, view.sign)
        view = view.bent(bend(view.surface, evidence, fit.degree))
    return GridCandidate(view.surface, _score(view), view.sign, seen=view)


def _score(view: GridView, reach: float = NEAR_REACH) -> float:
    """Return the share of its lines that the view of a fitted surface shows, steps of shade among them."""
    evidence = view.lines(reach)
    share = share_seen(evidence)
    return share if share == 1 else share_seen(replace(evidence, steps=view.steps))


def fit_box_lines(view: GridView) -> GridCandidate:
    """Bend what a :func:`first_look` shows along the lines round its boxes alone, and score it.

    For where only they are drawn: so digits are not taken for the missing lines.
    """
    for fit in FIT_ROUNDS:
        evidence = view.lines(fit.reach, BOX)
        if share_of_boxes_seen(evidence, fit.reach) < WORTH_BENDING_BOXES:
            return GridCandidate(view.surface, 0.0, view.sign)
        view = view.bent(bend(view.surface, evidence.of_boxes(), fit.degree))
    score = BOXES_ONLY if _are_boxes_alone(view) else 0.0
    return GridCandidate(view.surface, score, view.sign, boxes_only=True, seen=view)


def _are_boxes_alone(view: GridView) -> bool:
    """Tell whether all lines round the boxes are seen on a fitted surface, and no lines between them."""
    evidence = view.lines(NEAR_REACH, BOX)
    depth = median(evidence.strength[:, ::BOX])
    return share_of_boxes_seen(evidence) >= ALL_BOXES and line_through_cells(view.grey) < IDLE * depth


def shift_to_best(pyramid: Pyramid, candidate: GridCandidate, judged: Judged | None = None) -> GridCandidate:
    """Shift a candidate by whole cells as long as that shows more lines.

    *judged* is what was found at other places on such ways over the same picture: they often meet, on a large
    table. What is found on this one is added.
    """
    judged = [] if judged is None else judged
    while BOXES_ONLY < candidate.score < PERFECT_SCORE:
        judged.append((shifted(candidate, 0, 0), candidate))
        best = best_of(*(_judged_once(pyramid, shifted(candidate, *step), judged) for step in SIDES))
        if best.score <= candidate.score:
            break
        candidate = best
    return candidate


def _judged_once(pyramid: Pyramid, proposal: Proposal, judged: Judged) -> GridCandidate:
    """Return what a proposal leads to, or what one like it has led to."""
    for other, found in judged:
        if proposal.is_like(other):
            return found
    candidate = score_proposal(pyramid, proposal)
    judged.append((proposal, candidate))
    return candidate


def polish(pyramid: Pyramid, candidate: GridCandidate) -> GridCandidate:
    """Bend a candidate once more, as far as a surface can, until it lies on its lines."""
    view, drawn = candidate.view(pyramid), candidate.drawn
    for fit in POLISH_ROUNDS:
        evidence = view.lines(fit.reach, drawn)
        if quantile(np.abs(evidence.offset[:, ::drawn]), LYING_SHARE) < LYING_OFFSET:
            break
        evidence = evidence.of_boxes() if candidate.boxes_only else evidence.levelled()
        view = view.bent(bend(view.surface, evidence, fit.degree))
    if view.surface is candidate.surface:
        return candidate
    if candidate.boxes_only:
        return replace(candidate, surface=view.surface, seen=view)
    score = _score(view)
    return (
        candidate
        if score < candidate.score
        else replace(candidate, surface=view.surface, score=score, seen=view)
    )


def finalise(pyramid: Pyramid, candidate: GridCandidate) -> GridCandidate | None:
    """Return a candidate in its final place, or None where it is cut off, or a part of a larger table.

    Lines that run on may also mean that a headline's frame was taken for a row of cells, or one box for a
    grid of which only the boxes are drawn.
    """
    for _ in range(MAX_PLACES):
        candidate = polish(pyramid, candidate)
        side = side_run_over(pyramid, candidate)
        if side is None:
            whole = cut_off(candidate, pyramid.size) <= MAX_CUT_OFF
            return candidate if whole and is_clear(pyramid, candidate) else None
        if candidate.boxes_only:
            larger = [score_proposal(pyramid, proposal) for proposal in grids_round_a_box(candidate)]
            other, least = best_of(*larger), LOWEST_SCORE
        else:
            other, least = score_proposal(pyramid, shifted(candidate, *side)), candidate.score
            other = shift_to_best(pyramid, other)
        if other.score <= least:
            break
        candidate = other
    return None


def is_clear(pyramid: Pyramid, candidate: GridCandidate) -> bool:
    """Tell whether a candidate's lines stand out from what lies beside them; those seen in noise don't.

    Noise never shows nearly all of them, nor the boxes alone.
    """
    if candidate.boxes_only or candidate.score >= GOOD_SCORE:
        return True
    view = candidate.view(pyramid)
    if sum(best_comb(view.profiles).contrast) < CLEAR_CONTRAST:
        return False
    return _score(view, CLEAR_REACH) >= LOWEST_SCORE
