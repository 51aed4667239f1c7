"""Fit: from a proposal to a scored candidate, bent along its lines, and on to its final place.

A proposal is scored by fitting it: it is bent towards the lines near it as long as it looks like a grid, and
what is seen of its lines in the end is its score (:mod:`.score`). How far the pieces of line lie off is
fitted by a polynomial over the grid, by least squares that trust pieces less the farther they lie off: they
may have caught a digit or a shadow. In the end, lines that go on beyond a side, as those of a larger table
do, tell that it is no grid, or lies elsewhere.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import Array
from sudoku_vision.vision.locate.candidate import GridCandidate, GridView, Proposal, cut_off, room_beyond
from sudoku_vision.vision.locate.flatten import Pyramid
from sudoku_vision.vision.locate.line_evidence import LineEvidence
from sudoku_vision.vision.locate.profiles import best_comb, lines_beyond
from sudoku_vision.vision.locate.score import (
    LINE_SEEN,
    MIN_STRENGTH,
    are_boxes_alone,
    are_digits_in_cells,
    share_seen,
)
from sudoku_vision.vision.locate.surface import COLUMN_PIECES, ROW_PIECES, TERMS, flat_surface
from sudoku_vision.vision.ranks import median, quantile

LOWEST_SCORE = 0.7  # share of its pieces of line that must be seen for a grid to be claimed
BOXES_ALONE = 0.75  # score of a grid of which the boxes alone are ruled, with digits in them as in cells
GOOD_SCORE = 0.9
"""A grid of this score is not looked for once more from a proposal of the same size at the same place."""
PERFECT_SCORE = 0.97  # between these scores a grid is tried at places one cell off


Judged = list[tuple[Proposal, GridCandidate]]  # proposals that were judged, and what each led to


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

SIDE_WORTH = 0.05
"""Share of its pieces of line that a grid may show less of where it has a side more: not a row of cells."""

SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))
"""Steps (columns, rows) beyond the right, left, bottom and top side."""
RUNS_ON = 0.8  # share of the pieces of line just beyond one side that tells a larger table from a sudoku
RUN_ON_DEPTH = 0.4
"""Depth of such a piece, as a share of that of its neighbour: at least this, and the other way round."""
LEAST_ROOM = 0.4  # cells of paper that must lie beyond a side for lines to be seen to run on there
NEAR_REACH = 0.1
"""How far from its place, in cells, a line is looked for on a surface that has been fitted to the lines."""
BEYOND_REACH = 0.2  # the same beyond a side, where nothing has been fitted

STIFFNESS = 2e-4
"""How strongly a surface resists bending where few lines are seen; grows with the degree squared."""
SPREADS = (0.15, 0.08, 0.05)
"""Cells, round by round: a piece this far from the surface has a quarter of its say left.

At first half a cell's neighbourhood may be meant, in the end about the width of a line.
"""
MOST_TRUST = 2.0
"""In median strengths: what lies deeper than a line usually does is a digit, and is trusted no more."""
_SOLVABLE = 1e-9  # added to the diagonal, so that the system can be solved where nothing at all is seen


def score_proposal(pyramid: Pyramid, proposal: Proposal) -> GridCandidate:
    """Return the candidate that a proposal leads to: fitted as it is, or stretched where that isn't good."""
    seen = GridView(pyramid, flat_surface(proposal.homography), proposal.sign)
    comb = best_comb(seen.profiles)
    if min(comb.contrast) < LEAST_CONTRAST or sum(comb.contrast) < LEAST_SUM:
        return GridCandidate(seen.surface, 0.0, seen.sign)
    candidate = fit_lines(seen)
    if candidate.score < GOOD_SCORE and not np.allclose(comb.stretching, np.eye(3)):
        stretched = flat_surface(proposal.homography @ comb.stretching)
        candidate = best_of(candidate, fit_lines(GridView(pyramid, stretched, proposal.sign)))
    return candidate


def best_of(*candidates: GridCandidate) -> GridCandidate:
    """Return the candidate of the highest score, the first of equals."""
    return max(candidates, key=lambda candidate: candidate.score)


def fit_lines(view: GridView) -> GridCandidate:
    """Bend the surface of a view along its lines, as long as it looks like a grid, and score it."""
    for fit in FIT_ROUNDS:
        evidence = view.lines(fit.reach)
        if share_seen(evidence, fit.reach) < fit.least and not are_boxes_alone(evidence):
            return GridCandidate(view.surface, 0.0, view.sign)
        view = bend(view, evidence, fit.degree)
    return GridCandidate(view.surface, score_view(view), view.sign, seen=view)


def score_view(view: GridView, reach: float = NEAR_REACH) -> float:
    """Return the share of its lines that a view shows, or what boxes of digits count for."""
    evidence = view.lines(reach)
    share = share_seen(evidence)
    if share < BOXES_ALONE and are_boxes_alone(evidence) and are_digits_in_cells(view.grey, evidence):
        return BOXES_ALONE
    return share


def shift_to_best(pyramid: Pyramid, candidate: GridCandidate, judged: Judged | None = None) -> GridCandidate:
    """Shift a candidate by whole cells as long as that shows more lines.

    *judged* is what was found at other places on such ways over the same picture: they often meet, on a large
    table. What is found on this one is added.
    """
    judged = [] if judged is None else judged
    while LOWEST_SCORE < candidate.score < PERFECT_SCORE:
        judged.append((candidate.shifted(0, 0), candidate))
        others = {step: _judged_once(pyramid, candidate.shifted(*step), judged) for step in SIDES}
        best = best_of(*others.values())
        if best.score <= candidate.score:
            framed = [other for step, other in others.items() if _has_side_more(other, candidate, step)]
            return best_of(*framed) if framed else candidate
        candidate = best
    return candidate


def _has_side_more(other: GridCandidate, candidate: GridCandidate, step: tuple[int, int]) -> bool:
    """Tell whether the *other*, a *step* further on, has a whole side, and a candidate nothing of one.

    Then a little less may be seen of its lines: where those between cells are faint, few tell the places.
    """
    if other.score < candidate.score - SIDE_WORTH or candidate.seen is None or other.seen is None:
        return False
    way, last = (1 if step[0] else 0), (9 if sum(step) > 0 else 0)
    new, old = (view.lines(NEAR_REACH).strength[way] > MIN_STRENGTH for view in (other.seen, candidate.seen))
    return bool(new[last].all() and np.count_nonzero(old[9 - last]) < LINE_SEEN * 9)


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
    view = candidate.view(pyramid)
    for fit in POLISH_ROUNDS:
        evidence = view.lines(fit.reach)
        if quantile(np.abs(evidence.offset), LYING_SHARE) < LYING_OFFSET:
            break
        view = bend(view, evidence.levelled(), fit.degree)
    if view.surface is candidate.surface or (score := score_view(view)) < candidate.score:
        return candidate
    return replace(candidate, surface=view.surface, score=score, seen=view)


def finalise(pyramid: Pyramid, candidate: GridCandidate) -> GridCandidate | None:
    """Return a candidate in its final place, or None where it is cut off, or a part of a larger table.

    Lines that run on may also mean that a headline's frame was taken for a row of cells.
    """
    for _ in range(MAX_PLACES):
        candidate = polish(pyramid, candidate)
        side = side_run_over(pyramid, candidate)
        if side is None:
            whole = cut_off(candidate, pyramid.size) <= MAX_CUT_OFF
            return candidate if whole and is_clear(pyramid, candidate) else None
        other = shift_to_best(pyramid, score_proposal(pyramid, candidate.shifted(*side)))
        if other.score <= candidate.score:
            break
        candidate = other
    return None


def side_run_over(pyramid: Pyramid, candidate: GridCandidate) -> tuple[int, int] | None:
    """Return the step (columns, rows) to a side where the lines run on by a whole row or column, or None.

    Lines that run on to the picture's edge count: there a grid is cut off, and a part of it was taken.
    """
    view = candidate.view(pyramid)
    depth = view.lines(NEAR_REACH).strength
    ends = np.stack([depth[0, :, -1], depth[0, :, 0], depth[1, :, -1], depth[1, :, 0]])
    typical = median(depth)
    beyond = is_same_line(lines_beyond(view.grey), ends, typical)
    for side, lines, near in zip(SIDES, beyond, ends, strict=True):
        if lines.mean() < RUNS_ON or room_beyond(candidate, *side, pyramid.size) < LEAST_ROOM:
            continue
        next_to_it = flat_surface(candidate.shifted(*side).homography)
        evidence = GridView(pyramid, next_to_it, candidate.sign).lines(BEYOND_REACH)
        if _is_row_of_cells(evidence, side, near, depth, typical):
            return side
    return None


def _is_row_of_cells(
    evidence: LineEvidence, side: tuple[int, int], near: Array, depth: Array, typical: float
) -> bool:
    """Tell whether one more row or column of cells is drawn beyond a *side*.

    *evidence* is that of the grid shifted there, *depth* (2, 10, 9) that of the grid itself, *near* (10,) the
    depth of the ten lines where they end at that side. Its outer line must be seen, and the lines across.
    """
    last = -1 if sum(side) > 0 else 0
    along = 1 if side[0] else 0  # which lines run along that side: column lines or row lines
    outside = evidence.inside <= 0
    border = evidence.strength[along, last] > run_on_depth(depth[along, last], typical)
    across = is_same_line(evidence.strength[1 - along, :, last], near, typical)
    border |= outside[along, last]
    across |= outside[1 - along, :, last]
    return bool(border.mean() > RUNS_ON and across.mean() > RUNS_ON)


def is_same_line(beyond: Array, near: Array, typical: float) -> NDArray[np.bool_]:
    """Tell whether lines of the depth *near* run on as those *beyond*: print beside a grid is much deeper."""
    return (beyond > run_on_depth(near, typical)) & (beyond < near / RUN_ON_DEPTH)


def run_on_depth(near: Array, typical: float) -> Array:
    """Return the depth from which a line runs on beyond pieces of the depth *near*.

    Glare and shadow fade both alike, so it is a share of that depth, but never less than noise.
    """
    return np.asarray(np.maximum(RUN_ON_DEPTH * np.minimum(near, typical), MIN_STRENGTH))


def is_clear(pyramid: Pyramid, candidate: GridCandidate) -> bool:
    """Tell whether a candidate's lines stand out from what lies beside them; those seen in noise don't.

    Noise never shows nearly all of them, nor digits that stand as in cells.
    """
    view = candidate.view(pyramid)
    if candidate.score >= GOOD_SCORE or are_boxes_alone(view.lines(NEAR_REACH)):
        return True
    if sum(best_comb(view.profiles).contrast) < CLEAR_CONTRAST:
        return False
    return score_view(view, CLEAR_REACH) >= LOWEST_SCORE


def bend(view: GridView, evidence: LineEvidence, degree: int) -> GridView:
    """Return the view of a surface moved towards its lines, by a polynomial of at most *degree*.

    A line of which little is seen has no say, whatever stands near its place, and with few lines either way
    a surface bends less: beyond the last one nothing would hold it.
    """
    seen = np.count_nonzero(evidence.strength > MIN_STRENGTH, axis=2) > LINE_SEEN * 9
    trust = np.stack([_trust(strength.ravel()) for strength in evidence.strength * seen[..., None]])
    degree = max(0, min(degree, int(seen.sum(axis=1).min()) - 1))
    down, across = _robust_fit(evidence.offset.reshape(2, -1), trust, degree)
    return GridView(view.pyramid, view.surface.bent(np.stack([across, down], axis=1)), view.sign)


def _trust(strength: Array) -> Array:
    """Return how much pieces of line are trusted, (N,), by their *strength* (N,)."""
    seen = strength[strength > 0]
    return np.clip(strength, 0, MOST_TRUST * median(seen) if len(seen) else 0)


def _robust_fit(offset: Array, trust: Array, degree: int) -> Array:
    """Return the coefficients (2, K) of the polynomials nearest to the offsets (2, 90) of pieces of line.

    Those of row lines come first. Least squares, reweighted round by round, so that pieces far from the
    surface lose their say.
    """
    terms, pairs, stiffness = _piece_terms(degree)
    used = terms.shape[2]
    resistance = trust.sum(axis=1)[:, None, None] * stiffness + _SOLVABLE * np.eye(used)
    weight = trust
    for spread in SPREADS:
        matrix = (weight[:, None] @ pairs).reshape(2, used, used) + resistance
        wanted = (weight * offset)[:, None] @ terms
        solution = np.linalg.solve(matrix, wanted.transpose(0, 2, 1))
        residual = (offset - (terms @ solution)[..., 0]) / spread
        weight = trust / (1 + residual * residual) ** 2
    return np.asarray(solution[..., 0])


@lru_cache
def _piece_terms(degree: int) -> tuple[Array, Array, Array]:
    """Return the K monomials of at most *degree* at each piece of line, (2, 90, K), and their stiffness.

    Between them all products of two, (2, 90, K * K), of which sums by weight make the normal equations. The
    stiffness is a matrix (K, K). Row lines come first.
    """
    degrees = np.array([i + j for i, j in TERMS if i + j <= degree], np.float64)
    terms = np.stack([ROW_PIECES.terms, COLUMN_PIECES.terms])[:, :, : len(degrees)]
    pairs = (terms[..., None] * terms[:, :, None]).reshape(*terms.shape[:2], -1)
    return np.ascontiguousarray(terms), pairs, STIFFNESS * np.diag(degrees**2)
