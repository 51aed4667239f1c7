"""Turn a proposal into a scored candidate that follows the lines of a grid, and move it to its final place.

The surface of a proposal is the map from the grid to the picture. The surface is bent towards the lines, in
several rounds. If too few lines are seen in a round, the fit ends. The score is the share of the lines that
is seen after the last round (:mod:`.score`). To bend the surface, a polynomial over the grid is fitted to the
offsets of the 180 pieces of line between neighbouring crossings. This is a robust least squares fit: a piece
with a larger offset has a lower weight, because it can be a digit or a shadow. At the end, lines are searched
outside each side of the grid. If lines of the grid go on there, they belong to a larger table. Then the
candidate is no grid, or the grid lies elsewhere.

The *depth* of a line is the number of grey levels by which it is darker than its sides (:mod:`.lines`).
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import TINY, Array
from sudoku_vision.ranks import median, quantile
from sudoku_vision.vision.locate.candidate import GridCandidate, GridView, cut_off, room_beyond
from sudoku_vision.vision.locate.lines import (
    CLIP,
    MIN_STRENGTH,
    NEARLY_ALL,
    LineEvidence,
    best_even_lines,
    lines_beyond,
)
from sudoku_vision.vision.locate.score import (
    INNER,
    LINE_SEEN,
    are_boxes_alone,
    are_digits_in_cells,
    pieces_seen,
    share_seen,
    shows_corners,
)
from sudoku_vision.vision.locate.surface import (
    CELL,
    COLUMN_PIECES,
    MARGIN,
    NEAR_REACH,
    RIM,
    ROW_PIECES,
    SIDES,
    TERMS,
    GridSurface,
    Pyramid,
)

LOWEST_SCORE = 0.7
"""A grid needs at least this score. Only the grids of :data:`DOUBTFUL_SCORE` can have less.

A grid gets at least this score if only its lines between boxes are drawn, and its digits stand in the middle
of cells.
"""
DOUBTFUL_SCORE = 0.69
"""A grid gets at least this score if only its lines between boxes are drawn, and its ink doesn't stand in
the middle of cells: for example, there is ink between the cells.

Many tables and headlines look like this. So a grid with this score is used only if it is a proper puzzle. If
such grids are left out, nothing is solved on 46 drawn pages. If they are used, 16 of these pages are solved.
"""
PERFECT_SCORE = 0.97  # if the score is between LOWEST_SCORE and this, places one cell away are tried, too
SURE_SCORE = 0.9  # if a grid has at least this score, no better proposal is looked for at its place

Judged = list[tuple[GridView, GridCandidate]]  # proposals that were scored, each with its candidate


@dataclass(frozen=True)
class FitRound:
    """One round of a fit: lines are searched near the surface, and the surface is bent towards these lines.

    Lines are searched at most ``reach`` cells from the surface. ``degree`` is the degree of the polynomial
    that bends the surface. If less than the share ``min_seen`` of all pieces of line is seen, the
    fit ends.
    """

    reach: float
    degree: int
    min_seen: float = 0.0


FIT_ROUNDS = (FitRound(0.3, 1, 0.55), FitRound(0.25, 2, 0.6), FitRound(0.2, 3, 0.65))
"""The rounds in which a proposal is fitted. From round to round, the reach falls and the degree rises.

In each of 480 grids, at least 0.66 of the pieces of line were seen in the first two rounds, and 0.69 in the
last round. On pages without a sudoku, a share of at least 0.47 was seen in a quarter of the proposals, in the
first round.
"""
POLISH_ROUNDS = (FitRound(0.35, 4), FitRound(0.3, 5), FitRound(0.15, 5))
"""The rounds in which a grid is fitted exactly, if it is kept.

The reach is largest in the first round, because the ends of a bent page can still be far from the surface.
"""
MIN_CONTRASTS = 2.75
"""A proposal has the score 0 if the sum of its two contrasts (row lines, column lines) is below this.

:func:`.best_even_lines` explains contrasts. In noise, the sum is usually lower. In 570 grids, it was at least
2.88.
"""
CLEAR_CONTRASTS = 3.8
"""The lines of a grid are clear if the sum of the two contrasts (see ``MIN_CONTRASTS``) is at least this.

The sum was at least 4.7 in 170 grids, and at most 3.1 in noise.
"""
MAX_CUT_OFF = 0.5
"""A grid is used only if it goes beyond the edge of the picture by at most this many cells.

If more is cut off, too much of a digit is lost.
"""
MAX_PLACES = 2
"""At most this many places of a grid are tried at the end: its own place and, if its lines go on outside a
side, the place one cell towards this side."""

GOES_ON = 0.8
"""A grid is part of a larger table only if more than this share of the lines that end at a side goes on
outside."""
GOES_ON_DEPTH = 0.4
"""A line goes on outside the grid if its depth there is at least this share of its depth inside.

The depth outside must also be at most 1 / GOES_ON_DEPTH times the depth inside, because print that is no line
has a much larger depth.
"""

STIFFNESS = 2e-4
"""The resistance of a surface against bending. It keeps the surface smooth where few lines are seen.

The resistance against a term of the polynomial is this value, times the square of the term's degree.
"""
SPREADS = (0.15, 0.08, 0.05)
"""Distances of a piece of line from the surface, in cells. Each round of the robust fit uses one of them.

After the round, a piece at this distance has a quarter of its first weight.
"""


def score_proposal(proposal: GridView) -> GridCandidate:
    """Fit a proposal to the lines, and return it as a candidate. Its score is 0 if no grid is seen.

    A flat proposal is first fitted as it is. If the score is below ``SURE_SCORE``, the proposal is also
    moved and stretched as a whole (:func:`.best_even_lines`), and then fitted. The better candidate is
    returned. A bent proposal already follows the cells, so it isn't stretched. But it was fitted to the
    centres of cells, and the corners of the grid lie outside all centres. So the corners can be wrong: if
    they aren't seen, the score is 0.
    """
    stretching, contrasts = best_even_lines(proposal.profiles)
    if contrasts < MIN_CONTRASTS:
        return GridCandidate(proposal, 0.0)
    candidate = fit_lines(proposal)
    if not proposal.surface.is_flat:
        bent = polish(candidate)
        return bent if shows_corners(bent.view.lines(NEAR_REACH)) else bent._replace(score=0.0)
    if candidate.score < SURE_SCORE and not np.allclose(stretching, np.eye(3)):
        stretched = GridSurface(proposal.surface.homography @ stretching)
        candidate = best_of(candidate, fit_lines(GridView(proposal.pyramid, stretched, proposal.sign)))
    return candidate


def best_of(*candidates: GridCandidate) -> GridCandidate:
    """Return the candidate with the highest score. If several have this score, the first one is returned."""
    return max(candidates, key=lambda candidate: candidate.score)


def fit_lines(view: GridView) -> GridCandidate:
    """Bend the surface of a *view* towards the lines in three rounds, and return the scored candidate.

    If too few lines are seen in a round, the fit ends, and the score is 0.
    """
    for fit in FIT_ROUNDS:
        evidence = view.lines(fit.reach)
        if share_seen(evidence, fit.reach) < fit.min_seen and not are_boxes_alone(evidence):
            return GridCandidate(view, 0.0)
        view = bend(view, evidence, fit.degree)
    return GridCandidate(view, score_view(view))


def score_view(view: GridView, reach: float = NEAR_REACH) -> float:
    """Return the score of the grid on a *view*: the share of its pieces of line that is seen.

    Lines are searched at most *reach* cells from their expected places. A grid in which only the lines
    between boxes are drawn gets at least ``LOWEST_SCORE`` if its digits stand in the middle of cells. If
    they don't, it gets at least ``DOUBTFUL_SCORE``.
    """
    evidence = view.lines(reach)
    share = share_seen(evidence)
    if share < LOWEST_SCORE and are_boxes_alone(evidence):
        return LOWEST_SCORE if are_digits_in_cells(view.grey, evidence) else max(share, DOUBTFUL_SCORE)
    return share


def shift_to_best(candidate: GridCandidate, judged: Judged) -> GridCandidate:
    """Return a candidate after shifts by one row or column of cells.

    First, only shifts that raise the score are made. Later shifts can lower the score a little, but they must
    show more of the grid's border or of its inner lines. *judged* holds all places that were scored in this
    picture, each with its candidate. New places are added to *judged*, so each place is scored only once. On
    a large table, shifts of different candidates often lead to the same places.
    """
    is_highest = False
    while LOWEST_SCORE < candidate.score < PERFECT_SCORE:
        judged.append((candidate.view.shifted(0, 0), candidate))
        others = {step: _judged_once(candidate.view.shifted(*step), judged) for step in SIDES}
        better = [] if is_highest else [one for one in others.values() if one.score > candidate.score]
        if not better:
            is_highest = True
            better = [other for step, other in others.items() if _is_clearer(other, candidate, step)]
        if not better:
            break
        candidate = best_of(*better)
    return candidate


def _is_clearer(other: GridCandidate, candidate: GridCandidate, step: tuple[int, int]) -> bool:
    """Return whether *other* shows the grid better than *candidate*, even if *other* has a lower score.

    *other* is the *candidate*, shifted by a *step* of one cell (columns, rows). The result is true in two
    cases:

    * *other* shows one more side of the border, and about as many pieces of the inner lines as *candidate*.
      The outer line towards the step is seen completely in *other*. The opposite outer line is hardly seen in
      *candidate*.
    * *other* shows more pieces of the inner lines than *candidate*: at least eight more (one on each inner
      line parallel to the step), or all pieces. Only this case can show the place of a grid without
      a border.

    The score of *other* is allowed to be lower by 1/20, the share of one of the 20 lines. The reason is that
    lines between cells can be faint, and print beside the grid can look like a border. If *other* left out a
    row of the grid's cells, its score would be lower by more than 1/20.
    """
    if other.score < candidate.score - 1 / 20:
        return False
    axis, last = (1 if step[0] else 0), (9 if sum(step) > 0 else 0)
    new, old = (pieces_seen(view.lines(NEAR_REACH)) for view in (other.view, candidate.view))
    more = np.count_nonzero(new[:, INNER]) - np.count_nonzero(old[:, INNER])
    framed = new[axis, last].all() and np.count_nonzero(old[axis, 9 - last]) < LINE_SEEN * 9
    return bool(more >= 8 or (new[:, INNER].all() and more > 0) or (framed and more > -8))


def _judged_once(proposal: GridView, judged: Judged) -> GridCandidate:
    """Score a proposal. But if *judged* holds a proposal with nearly the same place, return its candidate."""
    for other, found in judged:
        if proposal.is_like(other):
            return found
    candidate = score_proposal(proposal)
    judged.append((proposal, candidate))
    return candidate


def polish(candidate: GridCandidate) -> GridCandidate:
    """Return a candidate whose surface is bent by polynomials of degree 4 and 5 until it follows the lines.

    The surface follows the lines if nearly all pieces of line are at their expected places: less than half a
    pixel of the flat view away. If the new score is lower, *candidate* itself is returned.
    """
    fitted = 0.5 / CELL - TINY  # many offsets are exactly half a pixel: rounding must not decide about them
    view = candidate.view
    for fit in POLISH_ROUNDS:
        evidence = view.lines(fit.reach)
        if quantile(np.abs(evidence.offset), NEARLY_ALL) < fitted:
            break
        view = bend(view, evidence.levelled(), fit.degree)
    if view is candidate.view or (score := score_view(view)) < candidate.score:
        return candidate
    return GridCandidate(view, score)


def settle_half_cells(pyramid: Pyramid, candidate: GridCandidate, sign: int) -> GridCandidate:
    """Return *candidate*, or a grid half a cell beside it if this grid has a higher score.

    *candidate* was found in a picture of the narrow lines alone. Its lines can be columns of digits: if all
    blank cells hold small candidate digits, columns of these digits look like lines in that picture. These
    columns lie half a cell beside the lines of the grid. So grids half a cell beside *candidate* are scored
    in the original picture, which *pyramid* holds. *sign* is 1 if the original picture has dark lines, and -1
    if it has light lines. With this function, 293 of 300 drawn screens are solved; without it, 290.
    """
    if candidate.score >= PERFECT_SCORE:
        return candidate
    here = score_view(GridView(pyramid, candidate.view.surface, sign))
    places = (candidate.view.shifted(x / 2, y / 2).surface for x, y in SIDES)
    best = best_of(*(fit_lines(GridView(pyramid, place, sign)) for place in places))
    clearer = best.score > max(here, candidate.score)
    return (finalise(best, []) if clearer else None) or candidate


def finalise(candidate: GridCandidate, judged: Judged) -> GridCandidate | None:
    """Return a candidate at its final place, or None if it is no grid.

    If lines go on outside a side, the candidate is shifted once towards this side. Such a shift is needed if
    the frame of a headline was taken for the first row of cells, and the last row of cells was left out. The
    result is None if the shift doesn't raise the score, or if lines still go on after the shift. It is also
    None if too much of the grid is cut off, or if its lines aren't clear. For *judged*, see
    :func:`shift_to_best`.
    """
    for _ in range(MAX_PLACES):
        candidate = polish(candidate)
        side = side_where_lines_go_on(candidate.view)
        if side is None:
            return candidate if cut_off(candidate.view) <= MAX_CUT_OFF and is_clear(candidate) else None
        other = shift_to_best(_judged_once(candidate.view.shifted(*side), judged), judged)
        if other.score <= candidate.score:
            break
        candidate = other
    return None


def side_where_lines_go_on(view: GridView) -> tuple[int, int] | None:
    """Find one more row or column of cells outside a grid. Return the side where it lies, or None.

    The side is given as a step of one cell (columns, rows) towards it. A side is examined only if the whole
    margin of the flat *view* at this side lies in the picture. Lines outside the picture count as seen. The
    reason: if lines go on as far as the edge of the picture, the candidate is a part of a grid that is cut
    off at this edge.
    """
    depth = view.lines(NEAR_REACH).strength
    ends = np.stack([depth[0, :, -1], depth[1, :, -1], depth[0, :, 0], depth[1, :, 0]])
    typical = median(depth)
    beyond = is_same_line(lines_beyond(view.grey), ends, typical)
    for side, lines, near in zip(SIDES, beyond, ends, strict=True):
        if lines.mean() < GOES_ON or room_beyond(view, *side) < MARGIN / CELL:
            continue
        evidence = view.shifted(*side).lines(FIT_ROUNDS[-1].reach)
        if _is_row_of_cells(evidence, side, near, depth, typical):
            return side
    return None


def _is_row_of_cells(
    evidence: LineEvidence, side: tuple[int, int], near: Array, depth: Array, typical: float
) -> bool:
    """Return whether one more row or column of cells is drawn outside one *side* of a grid.

    The outer line of this row or column must be seen, and so must the ten lines that lead to the outer line.
    *evidence* is what is seen of the lines if the grid is shifted by one cell towards *side*. *depth*
    (2, 10, 9) is the depth (darkness) of all pieces of line before the shift, and *typical* is the median of
    *depth*. *near* (10,) is the depth of the ten lines where they end at *side*.
    """
    last = -1 if sum(side) > 0 else 0
    along = 1 if side[0] else 0  # 1 if the line along the side is a column line, 0 if it is a row line
    outside = evidence.inside <= 0
    border = evidence.strength[along, last] > min_depth_beyond(depth[along, last], typical)
    across = is_same_line(evidence.strength[1 - along, :, last], near, typical)
    border |= outside[along, last]
    across |= outside[1 - along, :, last]
    return bool(border.mean() > GOES_ON and across.mean() > GOES_ON)


def is_same_line(beyond: Array, near: Array, typical: float) -> NDArray[np.bool_]:
    """Return for each line whether it goes on outside the grid.

    *near* is the depth (darkness) of each line inside the grid, near a side. *beyond* is the depth outside
    this side. *typical* is the median depth of the grid's lines (see :func:`min_depth_beyond`). If *beyond*
    is much larger than *near*, it is the depth of other print, and the line doesn't go on.
    """
    return (beyond > min_depth_beyond(near, typical)) & (beyond < near / GOES_ON_DEPTH)


def min_depth_beyond(near: Array, typical: float) -> Array:
    """Return a limit for each line: a line with a larger depth outside the grid goes on there.

    Depth is the darkness of a line. *near* is the depth of each line inside the grid. *typical* is the median
    depth of all lines of the grid. The limit is the smaller of these two, times ``GOES_ON_DEPTH``. It is
    relative, because glare and shadow change the depths inside and outside by the same factor. It is at least
    ``MIN_STRENGTH``, because noise is weaker than this.
    """
    return np.asarray(np.maximum(GOES_ON_DEPTH * np.minimum(near, typical), MIN_STRENGTH))


def is_clear(candidate: GridCandidate) -> bool:
    """Return whether the lines of a candidate are clear, so that they can't be noise.

    The lines are always clear if the score is at least ``SURE_SCORE``, if only the lines between boxes are
    seen, or if nearly all pieces of the inner lines are seen. In noise, none of this is true. In other cases,
    the contrasts of the lines must be at least ``CLEAR_CONTRASTS``, and the lines must be darker than
    everything close beside them.
    """
    view = candidate.view
    evidence = view.lines(NEAR_REACH)
    inner = pieces_seen(evidence)[:, INNER]
    if candidate.score >= SURE_SCORE or are_boxes_alone(evidence) or inner.mean() > NEARLY_ALL:
        return True
    if best_even_lines(view.profiles)[1] < CLEAR_CONTRASTS:
        return False
    return score_view(view, RIM / CELL) >= LOWEST_SCORE


def bend(view: GridView, evidence: LineEvidence, degree: int) -> GridView:
    """Return a new view with a surface that a polynomial of at most *degree* bends towards the lines.

    *evidence* is what is seen of the lines. A line with few visible pieces isn't used. If few lines are seen
    in one direction, the degree is lowered, because nothing holds the surface beyond the last seen line.
    """
    seen = np.count_nonzero(evidence.strength > MIN_STRENGTH, axis=2) > LINE_SEEN * 9
    trust = np.stack([_trust(strength.ravel()) for strength in evidence.strength * seen[..., None]])
    degree = max(0, min(degree, int(seen.sum(axis=1).min()) - 1))
    down, across = robust_fit(evidence.offset.reshape(2, -1), trust, degree)
    return GridView(view.pyramid, view.surface.bent(np.stack([across, down], axis=1)), view.sign)


def _trust(strength: Array) -> Array:
    """Return the weights of pieces: their *strength* (N,), at least 0, and at most ``CLIP`` times its median.

    Only strengths above 0 are used for the median.
    """
    seen = strength[strength > 0]
    return np.clip(strength, 0, CLIP * median(seen) if len(seen) else 0)


def robust_fit(offset: Array, trust: Array, degree: int) -> Array:
    """Return the coefficients (2, K) of the two polynomials that best fit *offset* (2, 90).

    *offset* holds the offsets of the pieces of line: first of row lines, then of column lines. Each direction
    has its own polynomial. *trust* (2, 90) are the first weights of the pieces. The least squares problem is
    solved once for each of ``SPREADS``. After each solution, pieces far from it get lower weights.
    """
    terms, pairs, stiffness = _piece_terms(degree)
    used = terms.shape[2]
    # TINY is added so that the equations have a solution even if no line is seen.
    resistance = trust.sum(axis=1)[:, None, None] * stiffness + TINY * np.eye(used)
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
    """Return three arrays for a least squares fit with the K monomials up to *degree*.

    The first array (2, 90, K) holds the values of the monomials at each piece of line, row lines first. The
    second (2, 90, K * K) holds the products of every two monomials. Weighted sums of these products make the
    matrix of the normal equations. The third (K, K) is added to this matrix, so that the surface resists
    bending.
    """
    degrees = np.array([i + j for i, j in TERMS if i + j <= degree], np.float64)
    terms = np.stack([ROW_PIECES.terms, COLUMN_PIECES.terms])[:, :, : len(degrees)]
    pairs = (terms[..., None] * terms[:, :, None]).reshape(*terms.shape[:2], -1)
    return np.ascontiguousarray(terms), pairs, STIFFNESS * np.diag(degrees**2)
