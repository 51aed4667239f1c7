"""Bend a grid surface towards the lines that were seen near it.

How far the pieces of line lie off is fitted by a polynomial over the grid, by least squares that trust pieces
less the farther they lie off: they may have caught a digit or a shadow.
"""

from __future__ import annotations

import numpy as np

from sudoku_vision.geometry import Array
from sudoku_vision.locate.line_evidence import LineEvidence
from sudoku_vision.locate.surface import COLUMN_PIECES, ROW_PIECES, TERMS, GridSurface
from sudoku_vision.ranks import median

STIFFNESS = 2e-4
"""How strongly a surface resists bending where few lines are seen; grows with the degree squared."""
SPREADS = (0.15, 0.08, 0.05)
"""Cells, round by round: a piece this far from the surface has a quarter of its say left.

At first half a cell's neighbourhood may be meant, in the end about the width of a line.
"""
MOST_TRUST = 2.0
"""In median strengths: what lies deeper than a line usually does is a digit, and is trusted no more."""
_PIECE_TERMS: Array = np.stack([ROW_PIECES.terms, COLUMN_PIECES.terms])
_SQUARED_DEGREES: Array = np.array([(i + j) ** 2 for i, j in TERMS], np.float64)
_SOLVABLE = 1e-9  # added to the diagonal, so that the system can be solved where nothing at all is seen


def bend(surface: GridSurface, evidence: LineEvidence, degree: int) -> GridSurface:
    """Return the surface moved towards the lines that were seen, by a polynomial of at most *degree*."""
    trust = np.stack([_trust(strength.ravel()) for strength in evidence.strength])
    down, across = _robust_fit(evidence.offset.reshape(2, -1), trust, degree)
    return GridSurface(surface.homography, surface.across + across, surface.down + down)


def _trust(strength: Array) -> Array:
    """Return how much pieces of line are trusted, (N,), by their *strength* (N,)."""
    trust = np.maximum(strength, 0)
    return np.minimum(trust, MOST_TRUST * median(trust[trust > 0]) if trust.any() else 0)


def _robust_fit(offset: Array, trust: Array, degree: int) -> Array:
    """Return the coefficients (2, 21) of the polynomials nearest to the offsets (2, 90) of pieces of line.

    Those of row lines come first. Least squares, reweighted round by round, so that pieces far from the
    surface lose their say.
    """
    used = sum(i + j <= degree for i, j in TERMS)
    terms = _PIECE_TERMS[:, :, :used]
    across = terms.transpose(0, 2, 1)
    resistance = STIFFNESS * trust.sum(axis=1)[:, None] * _SQUARED_DEGREES[:used] + _SOLVABLE
    resistance = resistance[:, :, None] * np.eye(used)
    weight = trust
    for spread in SPREADS:
        weighted = across * weight[:, None]
        solution = np.linalg.solve(weighted @ terms + resistance, weighted @ offset[..., None])
        residual = (offset - (terms @ solution)[..., 0]) / spread
        weight = trust / (1 + residual**2) ** 2
    coefficients = np.zeros((2, len(TERMS)))
    coefficients[:, :used] = solution[..., 0]
    return coefficients
