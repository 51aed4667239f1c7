"""Bend a grid surface towards the lines that were seen near it.

How far the pieces of line lie off is fitted by a polynomial over the grid, by least squares that trust pieces
less the farther they lie off: they may have caught a digit or a shadow.
"""

from __future__ import annotations

import numpy as np

from sudoku_vision.geometry import Array
from sudoku_vision.locate.line_evidence import LineEvidence
from sudoku_vision.locate.surface import COLUMN_PIECES, ROW_PIECES, TERMS, GridSurface, Net

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
    down = _robust_fit(ROW_PIECES, evidence.offset[0].ravel(), evidence.strength[0].ravel(), degree)
    across = _robust_fit(COLUMN_PIECES, evidence.offset[1].ravel(), evidence.strength[1].ravel(), degree)
    return GridSurface(surface.homography, surface.across + across, surface.down + down)


def _robust_fit(net: Net, offset: Array, strength: Array, degree: int) -> Array:
    """Return the coefficients (21,) of the polynomial nearest to the offsets (N,) seen at a net's places.

    Least squares, reweighted round by round, so that pieces far from the surface lose their say.
    """
    used = sum(i + j <= degree for i, j in TERMS)
    terms = net.terms[:, :used]
    trust = np.clip(strength, 0, None)
    trust = np.minimum(trust, MOST_TRUST * np.median(trust[trust > 0]) if trust.any() else 0)
    weight = trust
    ridge = np.diag([STIFFNESS * trust.sum() * (i + j) ** 2 for i, j in TERMS[:used]])
    solution = np.zeros(used)
    for spread in SPREADS:
        weighted = terms * weight[:, None]
        system = weighted.T @ terms + ridge + _SOLVABLE * np.eye(used)
        solution = np.linalg.solve(system, weighted.T @ offset)
        residual = (offset - terms @ solution) / spread
        weight = trust / (1 + residual**2) ** 2
    coefficients = np.zeros(len(TERMS))
    coefficients[:used] = solution
    return coefficients
