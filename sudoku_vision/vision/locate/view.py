"""Views: all that a grid's surface shows of it, measured once, when somebody asks."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import Array
from sudoku_vision.results import Image
from sudoku_vision.vision.locate.flatten import Pyramid, flatten
from sudoku_vision.vision.locate.line_evidence import LineEvidence, find_lines, find_steps
from sudoku_vision.vision.locate.profiles import line_profiles, step_profiles
from sudoku_vision.vision.locate.surface import GridSurface, pieces_inside


@dataclass(frozen=True, eq=False)
class GridView:
    """What a ``surface`` shows of the picture in a ``pyramid``; ``sign`` is -1 where lines are lighter."""

    pyramid: Pyramid
    surface: GridSurface
    sign: int
    _found: dict[tuple[float, int], LineEvidence] = field(default_factory=dict)

    def bent(self, surface: GridSurface) -> GridView:
        """Return the view of another *surface* of the same picture."""
        return GridView(self.pyramid, surface, self.sign)

    @cached_property
    def grey(self) -> Image:
        """The flat view, (SIDE, SIDE) uint8; the negative of it where lines are lighter."""
        view = flatten(self.pyramid, self.surface)
        return view if self.sign > 0 else np.asarray(cv2.bitwise_not(view), np.uint8)

    @cached_property
    def profiles(self) -> Array:
        """The line profiles of the flat view, (2, 9, SIDE)."""
        return line_profiles(self.grey)

    @cached_property
    def steps(self) -> NDArray[np.bool_]:
        """At which pieces of line the shade changes from cell to cell, (2, 10, 9)."""
        return find_steps(step_profiles(self.grey))

    @cached_property
    def inside(self) -> NDArray[np.int8]:
        """Where the pieces of line lie in the picture, (2, 10, 9): 1 inside, 0 on its edge, -1 beyond."""
        return pieces_inside(self.surface, self.pyramid.size)

    def lines(self, reach: float, drawn: int = 1) -> LineEvidence:
        """Return what is seen of the lines within *reach* cells; one of *drawn* is expected."""
        asked = reach, drawn
        if asked not in self._found:
            self._found[asked] = find_lines(self.profiles, reach, self.inside, drawn)
        return self._found[asked]
