"""Bend a grid surface towards the lines that were seen near it.

How far the pieces of line lie off is fitted by a polynomial over the grid, by least squares that trust pieces
less the farther they lie off: they may have caught a digit or a shadow.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from sudoku_vision.geometry import Array
from sudoku_vision.vision.locate.line_evidence import LineEvidence
from sudoku_vision.vision.locate.surface import COLUMN_PIECES, ROW_PIECES, TERMS, GridSurface
from sudoku_vision.vision.ranks import median

STIFFNESS = 2e-4
"""How strongly a surface resists bending where few lines are seen; grows with the degree squared."""
SPREADS = (0.15, 0.08, 0.05)
"""Cells, round by round: a piece this far from the surface has a quarter of its say left.

At first half a cell's neighbourhood may be meant, in the end about the width of a line.
"""
MOST_TRUST = 2.0
"""In median strengths: what lies deeper than a line usually does is a digit, and is trusted no more."""
_SOLVABLE = 1e-9  # added to the diagonal, so that the system can be solved where nothing at all is seen


def bend(surface: GridSurface, evidence: LineEvidence, degree: int) -> GridSurface:
    """Return the surface moved towards the lines that were seen, by a polynomial of at most *degree*."""
    trust = np.stack([_trust(strength.ravel()) for strength in evidence.strength])
    down, across = _robust_fit(evidence.offset.reshape(2, -1), trust, degree)
    return surface.bent(np.stack([across, down], axis=1))


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
