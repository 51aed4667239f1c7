"""Fit: turn a proposal into a scored candidate that follows its lines, and move it to its final place.

A proposal is bent towards the lines near it as long as it looks like a grid; the share of its lines that is
seen in the end is its score (:mod:`.score`). The offsets of the pieces of line are fitted by a polynomial
over the grid. This is a robust least squares fit: a piece that lies farther off counts less, because it
may be a digit or a shadow. In the end, lines that go on beyond a side belong to a larger table: then the
candidate is no grid, or the grid lies elsewhere.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import Array
from sudoku_vision.ranks import median, quantile
from sudoku_vision.vision.locate.candidate import GridCandidate, GridView, Proposal, cut_off, room_beyond
from sudoku_vision.vision.locate.lines import LineEvidence, best_even_lines, lines_beyond
from sudoku_vision.vision.locate.score import (
    LINE_SEEN,
    MIN_STRENGTH,
    are_boxes_alone,
    are_digits_in_cells,
    share_seen,
    shows_corners,
)
from sudoku_vision.vision.locate.surface import COLUMN_PIECES, ROW_PIECES, TERMS, Pyramid, flat_surface

LOWEST_SCORE = 0.7  # a grid needs at least this score
BOXES_ALONE = 0.75  # score of a grid that only has the lines between boxes, if its digits stand as in cells
GOOD_SCORE = 0.9  # other proposals of the same size at the place of a grid with this score are skipped
PERFECT_SCORE = 0.97  # a grid between the lowest and this score is tried at places one cell away

Judged = list[tuple[Proposal, GridCandidate]]  # proposals that were scored, with their candidates


@dataclass(frozen=True)
class FitRound:
    """One round of fitting: how far to look for lines, in cells, and the degree of the surface.

    The fit only goes on if at least the share ``min_seen`` of all pieces is seen within that reach.
    """

    reach: float
    degree: int
    min_seen: float = 0.0


FIT_ROUNDS = (FitRound(0.3, 1, 0.55), FitRound(0.25, 2, 0.6), FitRound(0.2, 3, 0.65))
"""The rounds in which a proposal is fitted, each with a smaller reach and a higher degree.

All of 480 grids showed 0.66 of their pieces in the first two rounds, and 0.69 in the last. On pages without a
sudoku, a quarter of the proposals showed 0.47 in the first.
"""
POLISH_ROUNDS = (FitRound(0.35, 4), FitRound(0.3, 5), FitRound(0.15, 5))
"""The same for the grids that are kept; the reach is larger, because a bend may be far off at its end."""
MIN_CONTRAST, MIN_CONTRASTS = 1.25, 2.75
"""The even lines of a lattice have at least this contrast in each direction, and this sum of both.

Noise and stripes have less; the smallest values of 570 grids were 1.33 and 2.88.
"""
FITTED_SHARE, FITTED_OFFSET = 0.95, 0.0249
"""The fit ends if this share of the pieces of line lies this near to the surface, in cells.

The offset is a little less than half a pixel of the flat view. Many pieces lie half a pixel off, and rounding
must not decide about them.
"""
MAX_CUT_OFF = 0.5  # cells that may lie beyond the picture's edge: more would hide too much of a digit
CLEAR_REACH = 0.15  # cells around its place in which a clear line is the strongest one, unlike noise
CLEAR_CONTRASTS = 3.8
"""Lines are clear if their contrasts have this sum; 170 grids have at least 4.7, noise at most 3.1."""
MAX_PLACES = 2  # places at which a grid is tried at the end: its own, and one to which its lines go on

MAX_SIDE_LOSS = 0.05
"""A grid that has one more side may have a score this much lower; a row of cells would cost more."""

SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))
"""Steps (columns, rows) beyond the right, left, bottom and top side."""
GOES_ON = 0.8  # share of the pieces of line beyond one side that shows a larger table
GOES_ON_DEPTH = 0.4
"""Depth of such a piece as a share of that of its neighbour: at least this, and at most its inverse."""
MIN_ROOM = 0.4  # cells of paper that must lie beyond a side to see whether lines go on there
NEAR_REACH = 0.1  # reach, in cells, on a surface that has been fitted to the lines
BEYOND_REACH = 0.2  # the same beyond a side, where nothing has been fitted

STIFFNESS = 2e-4
"""Resistance of a surface against bending, for places with few lines; it grows with the degree squared."""
SPREADS = (0.15, 0.08, 0.05)
"""Cells, for each round of reweighting: a piece so far from the surface keeps a quarter of its weight."""
MAX_TRUST = 2.0
"""Limit for the weight of a piece, in median strengths: a deeper piece is a digit."""
_SOLVABLE = 1e-9  # added to the diagonal, so that the system has a solution even if no line is seen


def score_proposal(pyramid: Pyramid, proposal: Proposal) -> GridCandidate:
    """Return the candidate of a proposal: fitted as it is, or stretched first if that isn't good.

    A bent proposal already follows its cells, and isn't stretched. It must also show its corners, which lie
    beyond the middles of the cells that it was fitted to.
    """
    seen = GridView(pyramid, proposal.surface, proposal.sign)
    even = best_even_lines(seen.profiles)
    if min(even.contrast) < MIN_CONTRAST or sum(even.contrast) < MIN_CONTRASTS:
        return GridCandidate(seen.surface, 0.0, seen.sign)
    candidate = fit_lines(seen)
    if not proposal.surface.is_flat:
        bent = polish(pyramid, candidate)
        return bent if shows_corners(bent.view(pyramid).lines(NEAR_REACH)) else replace(bent, score=0.0)
    if candidate.score < GOOD_SCORE and not np.allclose(even.stretching, np.eye(3)):
        stretched = flat_surface(proposal.surface.homography @ even.stretching)
        candidate = best_of(candidate, fit_lines(GridView(pyramid, stretched, proposal.sign)))
    return candidate


def best_of(*candidates: GridCandidate) -> GridCandidate:
    """Return the candidate with the highest score; the first one of several."""
    return max(candidates, key=lambda candidate: candidate.score)


def fit_lines(view: GridView) -> GridCandidate:
    """Bend the surface of a view along its lines as long as it looks like a grid, and score it."""
    for fit in FIT_ROUNDS:
        evidence = view.lines(fit.reach)
        if share_seen(evidence, fit.reach) < fit.min_seen and not are_boxes_alone(evidence):
            return GridCandidate(view.surface, 0.0, view.sign)
        view = bend(view, evidence, fit.degree)
    return GridCandidate(view.surface, score_view(view), view.sign, seen=view)


def score_view(view: GridView, reach: float = NEAR_REACH) -> float:
    """Return the share of its lines that a view shows, or the score of boxes with digits."""
    evidence = view.lines(reach)
    share = share_seen(evidence)
    if share < BOXES_ALONE and are_boxes_alone(evidence) and are_digits_in_cells(view.grey, evidence):
        return BOXES_ALONE
    return share


def shift_to_best(pyramid: Pyramid, candidate: GridCandidate, judged: Judged) -> GridCandidate:
    """Shift a candidate by whole cells as long as that shows more lines.

    *judged* holds the candidates that were already scored at other places of the picture, and new ones are
    added: on a large table, shifts of different candidates often lead to the same places.
    """
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
    """Return whether the *other* candidate, shifted by a *step*, has one more side of the border.

    Its new side is seen completely, and the opposite side of the candidate isn't seen at all. Then its score
    may be slightly lower: if the lines between cells are faint, only the border shows the place.
    """
    if other.score < candidate.score - MAX_SIDE_LOSS or candidate.seen is None or other.seen is None:
        return False
    axis, last = (1 if step[0] else 0), (9 if sum(step) > 0 else 0)
    new, old = (view.lines(NEAR_REACH).strength[axis] > MIN_STRENGTH for view in (other.seen, candidate.seen))
    return bool(new[last].all() and np.count_nonzero(old[9 - last]) < LINE_SEEN * 9)


def _judged_once(pyramid: Pyramid, proposal: Proposal, judged: Judged) -> GridCandidate:
    """Return the candidate of a proposal, or of one like it that was scored before."""
    for other, found in judged:
        if proposal.is_like(other):
            return found
    candidate = score_proposal(pyramid, proposal)
    judged.append((proposal, candidate))
    return candidate


def polish(pyramid: Pyramid, candidate: GridCandidate) -> GridCandidate:
    """Bend a candidate again, with the highest degrees, until it lies on its lines."""
    view = candidate.view(pyramid)
    for fit in POLISH_ROUNDS:
        evidence = view.lines(fit.reach)
        if quantile(np.abs(evidence.offset), FITTED_SHARE) < FITTED_OFFSET:
            break
        view = bend(view, evidence.levelled(), fit.degree)
    if view.surface is candidate.surface or (score := score_view(view)) < candidate.score:
        return candidate
    return replace(candidate, surface=view.surface, score=score, seen=view)


def finalise(pyramid: Pyramid, candidate: GridCandidate, judged: Judged) -> GridCandidate | None:
    """Return a candidate at its final place, or None if it is cut off, or a part of a larger table.

    If lines go on beyond a side, the frame of a headline may also have been taken for a row of cells: then
    the candidate is shifted. *judged* as for :func:`shift_to_best`.
    """
    for _ in range(MAX_PLACES):
        candidate = polish(pyramid, candidate)
        side = side_where_lines_go_on(pyramid, candidate)
        if side is None:
            whole = cut_off(candidate, pyramid.size) <= MAX_CUT_OFF
            return candidate if whole and is_clear(pyramid, candidate) else None
        other = shift_to_best(pyramid, _judged_once(pyramid, candidate.shifted(*side), judged), judged)
        if other.score <= candidate.score:
            break
        candidate = other
    return None


def side_where_lines_go_on(pyramid: Pyramid, candidate: GridCandidate) -> tuple[int, int] | None:
    """Return the step (columns, rows) to a side beyond which another row or column is drawn, or None.

    Lines that go on up to the picture's edge count, too: the grid is cut off there, and this is a part of it.
    """
    view = candidate.view(pyramid)
    depth = view.lines(NEAR_REACH).strength
    ends = np.stack([depth[0, :, -1], depth[0, :, 0], depth[1, :, -1], depth[1, :, 0]])
    typical = median(depth)
    beyond = is_same_line(lines_beyond(view.grey), ends, typical)
    for side, lines, near in zip(SIDES, beyond, ends, strict=True):
        if lines.mean() < GOES_ON or room_beyond(candidate, *side, pyramid.size) < MIN_ROOM:
            continue
        next_to_it = candidate.shifted(*side).surface
        evidence = GridView(pyramid, next_to_it, candidate.sign).lines(BEYOND_REACH)
        if _is_row_of_cells(evidence, side, near, depth, typical):
            return side
    return None


def _is_row_of_cells(
    evidence: LineEvidence, side: tuple[int, int], near: Array, depth: Array, typical: float
) -> bool:
    """Return whether one more row or column of cells is drawn beyond a *side*.

    Its outer line must be seen, and the ten lines that lead to it. *evidence* is that of the grid shifted
    there, *depth* (2, 10, 9) that of the grid itself, *near* (10,) the depth of the ten lines at that side.
    """
    last = -1 if sum(side) > 0 else 0
    along = 1 if side[0] else 0  # the lines along that side are column lines or row lines
    outside = evidence.inside <= 0
    border = evidence.strength[along, last] > min_depth_beyond(depth[along, last], typical)
    across = is_same_line(evidence.strength[1 - along, :, last], near, typical)
    border |= outside[along, last]
    across |= outside[1 - along, :, last]
    return bool(border.mean() > GOES_ON and across.mean() > GOES_ON)


def is_same_line(beyond: Array, near: Array, typical: float) -> NDArray[np.bool_]:
    """Return whether lines of the depth *near* go on with the depth *beyond*; other print is much deeper."""
    return (beyond > min_depth_beyond(near, typical)) & (beyond < near / GOES_ON_DEPTH)


def min_depth_beyond(near: Array, typical: float) -> Array:
    """Return the smallest depth of a line that goes on beyond pieces of the depth *near*.

    Glare and shadow fade both alike, so it is a share of that depth, but always above noise.
    """
    return np.asarray(np.maximum(GOES_ON_DEPTH * np.minimum(near, typical), MIN_STRENGTH))


def is_clear(pyramid: Pyramid, candidate: GridCandidate) -> bool:
    """Return whether the lines of a candidate are clear: deeper than everything beside them, unlike noise.

    A candidate with nearly all lines, or with digits in its boxes, is clear anyway: noise never looks so.
    """
    view = candidate.view(pyramid)
    if candidate.score >= GOOD_SCORE or are_boxes_alone(view.lines(NEAR_REACH)):
        return True
    if sum(best_even_lines(view.profiles).contrast) < CLEAR_CONTRASTS:
        return False
    return score_view(view, CLEAR_REACH) >= LOWEST_SCORE


def bend(view: GridView, evidence: LineEvidence, degree: int) -> GridView:
    """Return the view of a surface moved towards its lines, by a polynomial of at most *degree*.

    A line with few visible pieces doesn't count at all. If few lines are seen in one direction, the degree
    is lower, because beyond the last line nothing would hold the surface.
    """
    seen = np.count_nonzero(evidence.strength > MIN_STRENGTH, axis=2) > LINE_SEEN * 9
    trust = np.stack([_trust(strength.ravel()) for strength in evidence.strength * seen[..., None]])
    degree = max(0, min(degree, int(seen.sum(axis=1).min()) - 1))
    down, across = _robust_fit(evidence.offset.reshape(2, -1), trust, degree)
    return GridView(view.pyramid, view.surface.bent(np.stack([across, down], axis=1)), view.sign)


def _trust(strength: Array) -> Array:
    """Return the weights (N,) of pieces of line by their *strength* (N,)."""
    seen = strength[strength > 0]
    return np.clip(strength, 0, MAX_TRUST * median(seen) if len(seen) else 0)


def _robust_fit(offset: Array, trust: Array, degree: int) -> Array:
    """Return the coefficients (2, K) of the polynomials nearest to the offsets (2, 90) of pieces of line.

    Row lines come first. These are least squares that are reweighted round by round, so that pieces far from
    the surface lose their weight.
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
    """Return the K monomials of at most *degree* at each piece of line, their products, and their stiffness.

    The monomials are (2, 90, K), row lines first. The products of two are (2, 90, K * K); their weighted sums
    make the normal equations. The stiffness is a matrix (K, K).
    """
    degrees = np.array([i + j for i, j in TERMS if i + j <= degree], np.float64)
    terms = np.stack([ROW_PIECES.terms, COLUMN_PIECES.terms])[:, :, : len(degrees)]
    pairs = (terms[..., None] * terms[:, :, None]).reshape(*terms.shape[:2], -1)
    return np.ascontiguousarray(terms), pairs, STIFFNESS * np.diag(degrees**2)
