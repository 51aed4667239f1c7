"""Scans: the resolution of the picture that a scanned page of a PDF is.

Such a page is rendered so that each pixel of the picture comes out as one pixel: nothing is lost of a fine
scan, and nothing is made up for a coarse one. Whatever lies over it, and however it is turned, is drawn as on
any other page.
"""

from __future__ import annotations

import ctypes
import importlib
import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

SCAN_SHARE = 0.9
"""Share of a page that pictures must cover for it to count as scanned: a scan may leave out white margins."""
LEAST_SHARE = 0.05
"""Share of a page that a picture must cover for its resolution to count: scans come whole or in strips, and a
stamp or a signature is no scan."""
MOST_OBJECTS = 10_000
"""Objects of a page that are looked at: a dense page with its text recognised has 5,000."""


@dataclass(frozen=True)
class Scan:
    """The picture of a scanned page: its ``resolution`` in pixels a point; whether the page is it ``alone``.

    Text that was recognised and lies invisibly over it doesn't count, drawn lines and letters do.
    """

    resolution: float
    alone: bool


def scan_of(page: Any) -> Scan | None:
    """Return what a page of pypdfium2 is a scan of, or None where it is none."""
    raw = _raw()
    left, bottom, right, top = _box_of(page.raw)
    room = (right - left) * (top - bottom)
    shares: list[tuple[float, float]] = []
    alone = True
    for item in islice(_objects(page.raw), MOST_OBJECTS):
        kind = raw.FPDFPageObj_GetType(item)
        if kind == raw.FPDF_PAGEOBJ_IMAGE:
            resolution, bounds = _resolution(item), _bounds(item)
            width = min(right, bounds[2]) - max(left, bounds[0])
            height = min(top, bounds[3]) - max(bottom, bounds[1])
            if resolution and min(width, height) > 0 and room > 0:
                shares.append((width * height / room, resolution))
        elif not _is_invisible(item, kind):
            alone = False
    covered = sum(share for share, _ in shares)
    finest = max((resolution for share, resolution in shares if share >= LEAST_SHARE), default=0.0)
    return Scan(finest, alone) if covered >= SCAN_SHARE and finest > 0 else None


def _raw() -> Any:
    return importlib.import_module("pypdfium2.raw")


def _objects(page: Any) -> Iterator[Any]:
    """Yield what is drawn on a page; what a form holds counts as drawn lines."""
    raw = _raw()
    for number in range(raw.FPDFPage_CountObjects(page)):
        yield raw.FPDFPage_GetObject(page, number)


def _is_invisible(item: Any, kind: int) -> bool:
    raw = _raw()
    if kind != raw.FPDF_PAGEOBJ_TEXT:
        return False
    return bool(raw.FPDFTextObj_GetTextRenderMode(item) == raw.FPDF_TEXTRENDERMODE_INVISIBLE)


def _box_of(page: Any) -> tuple[float, float, float, float]:
    """Return left, bottom, right and top of what is seen of a page, in points, before it is turned."""
    raw = _raw()
    box = raw.FS_RECTF()
    raw.FPDF_GetPageBoundingBox(page, ctypes.byref(box))
    return box.left, box.bottom, box.right, box.top


def _bounds(item: Any) -> tuple[float, float, float, float]:
    """Return left, bottom, right and top of an object on its page, in points."""
    sides = [ctypes.c_float() for _ in range(4)]
    _raw().FPDFPageObj_GetBounds(item, *map(ctypes.byref, sides))
    return sides[0].value, sides[1].value, sides[2].value, sides[3].value


def _resolution(item: Any) -> float:
    """Return the pixels a point of a picture as it lies on its page; 0 where there is none.

    Of its two directions the finer one counts. Where they differ by rounding alone it is the coarser, for the
    sides of a rendered page are rounded up.
    """
    raw = _raw()
    width, height, matrix = ctypes.c_uint(), ctypes.c_uint(), raw.FS_MATRIX()
    if not raw.FPDFImageObj_GetImagePixelSize(item, ctypes.byref(width), ctypes.byref(height)):
        return 0.0
    if not raw.FPDFPageObj_GetMatrix(item, ctypes.byref(matrix)):
        return 0.0
    across, down = math.hypot(matrix.a, matrix.b), math.hypot(matrix.c, matrix.d)
    if not (across > 0 and down > 0 and math.isfinite(across + down)):
        return 0.0
    coarser, finer = sorted((width.value / across, height.value / down))
    return coarser if finer <= (1 + _ROUNDING) * coarser else finer


_ROUNDING = 0.002
"""Share by which the two resolutions of a scan differ where its page is a whole number of points."""
