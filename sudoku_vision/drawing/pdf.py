"""Bind drawn pages into a PDF document."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from typing import Any

import cv2
import numpy as np
from PIL import Image as Pictures

from sudoku_vision.results import Image

_JPEG_QUALITY = 92  # of 100: no ripples round print that a printer would show


def pdf(
    pages: Iterable[Image],
    dpi: int,
    *,
    title: str = "Sudoku",
    on_page: Callable[[], Any] = lambda: None,
) -> bytes:
    """Return a grey PDF document of *pages*, each (H, W, 3) uint8 BGR with *dpi* pixels to the inch.

    One page is held unpacked at a time; *on_page* is called after each.
    """
    file = io.BytesIO()
    for place, pixels in enumerate(pages):
        grey = Pictures.fromarray(np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8))
        grey.save(file, "PDF", resolution=dpi, quality=_JPEG_QUALITY, title=title, append=place > 0)
        on_page()
    return file.getvalue()
