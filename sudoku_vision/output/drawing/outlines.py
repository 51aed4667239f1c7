"""Faces of font files as HarfBuzz sees them: which characters they have, and the outlines of their glyphs.

All lengths are in em, y upwards from the base line, as in the fonts themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_CURVE_STEPS = 8  # straight pieces of a curve: of an em of 1,000 pixels, none is off by more than one
_PLAIN_WEIGHT = 400.0


@dataclass(frozen=True, order=True)
class FontFace:
    """A face with outlines in a font file; ``index`` counts the faces of a collection."""

    path: Path
    index: int = 0

    @cached_property
    def harfbuzz(self) -> Any:
        """Return the ``uharfbuzz.Font``."""
        import uharfbuzz

        return uharfbuzz.Font(self._face)

    @cached_property
    def _face(self) -> Any:
        return _open(self.path, self.index)

    @cached_property
    def upem(self) -> int:
        """Return the units to the em of the font."""
        return int(self._face.upem)

    @cached_property
    def is_cff(self) -> bool:
        """Tell whether the outlines are those of PostScript."""
        return "CFF " in self._face.table_tags

    @cached_property
    def name(self) -> str:
        """Return the name that the face goes by in PDF: its own, without what may not stand there."""
        from uharfbuzz import OTNameIdPredefined

        name = str(self._face.get_name(OTNameIdPredefined.POSTSCRIPT_NAME) or self.path.stem)
        return "".join(mark for mark in name if mark.isascii() and (mark.isalnum() or mark in "-_")) or "Font"

    @cached_property
    def weight(self) -> float:
        """Return the weight, 400 for regular and 700 for bold."""
        table = self._table("OS/2")
        return float(int.from_bytes(table[4:6], "big")) if len(table) >= 6 else _PLAIN_WEIGHT

    @cached_property
    def slanted(self) -> bool:
        """Tell whether the face is an italic or an oblique."""
        table = self._table("head")
        return len(table) >= 46 and bool(table[45] & 2)

    def has(self, character: str) -> bool:
        """Tell whether there is a glyph for a *character*."""
        return self.harfbuzz.get_nominal_glyph(ord(character)) is not None

    def advance(self, glyph: int) -> float:
        """Return how wide a glyph is, in em."""
        return float(self.harfbuzz.get_glyph_h_advance(glyph)) / self.upem

    @property
    def vertical_extent(self) -> tuple[float, float]:
        """Return how far the face reaches above and (negative) below the base line, in em."""
        extents = self.harfbuzz.get_font_extents("ltr")
        return extents.ascender / self.upem, extents.descender / self.upem

    def contours(self, glyph: int) -> Sequence[NDArray[np.float64]]:
        """Return the outline of a glyph as closed polygons (N, 2), in em, curves in short straight pieces."""
        return _contours(self, glyph)

    def _table(self, tag: str) -> bytes:
        return bytes(self._face.reference_table(tag).data)


def faces_of(path: Path) -> list[FontFace]:
    """Return the faces of a file that have outlines; none where the file is broken or no font."""
    import uharfbuzz

    try:
        count = int(uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(path))).count)
        faces = [FontFace(path, index) for index in range(count)]
        return [face for face in faces if {"glyf", "CFF "} & set(_open(path, face.index).table_tags)]
    except (OSError, uharfbuzz.HarfBuzzError):
        return []


@lru_cache(maxsize=64)
def _open(path: Path, index: int) -> Any:
    import uharfbuzz

    return uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(path)), index)


class _Pen:
    """Takes an outline down as polygons; its methods have the names that HarfBuzz calls."""

    def __init__(self) -> None:
        self.contours: list[list[tuple[float, float]]] = []

    def moveTo(self, to: tuple[float, float]) -> None:  # noqa: N802
        self.contours.append([to])

    def lineTo(self, to: tuple[float, float]) -> None:  # noqa: N802
        self.contours[-1].append(to)

    def qCurveTo(self, control: tuple[float, float], to: tuple[float, float]) -> None:  # noqa: N802
        (x0, y0), (x1, y1), (x2, y2) = self.contours[-1][-1], control, to
        for step in range(1, _CURVE_STEPS + 1):
            t = step / _CURVE_STEPS
            a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t**2
            self.contours[-1].append((a * x0 + b * x1 + c * x2, a * y0 + b * y1 + c * y2))

    def curveTo(  # noqa: N802
        self, first: tuple[float, float], second: tuple[float, float], to: tuple[float, float]
    ) -> None:
        (x0, y0), (x1, y1), (x2, y2), (x3, y3) = self.contours[-1][-1], first, second, to
        for step in range(1, _CURVE_STEPS + 1):
            t = step / _CURVE_STEPS
            a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3
            self.contours[-1].append((a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3))

    def closePath(self) -> None:  # noqa: N802
        pass

    endPath = closePath  # noqa: N815


@lru_cache(maxsize=1024)
def _contours(face: FontFace, glyph: int) -> tuple[NDArray[np.float64], ...]:
    pen = _Pen()
    face.harfbuzz.draw_glyph_with_pen(glyph, pen)
    return tuple(np.array(points, np.float64) / face.upem for points in pen.contours if len(points) > 2)
