"""Notebook: pictures as Jupyter shows them, small enough to be kept within a notebook."""

from __future__ import annotations

import base64
import html
from collections.abc import Iterable

import numpy as np

from sudoku_vision.results import Image

LONGEST_SIDE = 800
"""Pixels to which pictures are reduced: as wide as a notebook shows them, and some hundred kilobytes."""


def png(pixels: Image) -> bytes:
    """Return BGR pixels (H, W, 3) as PNG, reduced to :data:`LONGEST_SIDE`."""
    return _packed(pixels, ".png")


def figure(pixels: Image | None, lines: Iterable[str]) -> str:
    """Return HTML of a picture, if there is one, with *lines* of plain text below it."""
    texts = [html.escape(line) for line in lines if line]
    picture = ""
    if pixels is not None:
        data = base64.b64encode(_packed(pixels, ".jpg")).decode("ascii")
        style = f"max-width: min(100%, {min(pixels.shape[1], LONGEST_SIDE)}px)"
        picture = f'<img style="{style}" alt="{"".join(texts[:1])}" src="data:image/jpeg;base64,{data}">'
    caption = f"<figcaption>{'<br>'.join(texts)}</figcaption>"
    return f'<figure style="margin: 0">{picture}{caption}</figure>'


def _packed(pixels: Image, ending: str) -> bytes:
    """Return reduced pixels as the bytes of a file with this *ending*."""
    import cv2  # hints for a board in text need none of it

    from sudoku_vision.output.save import encode

    height, width = pixels.shape[:2]
    scale = LONGEST_SIDE / max(height, width)
    if scale < 1:
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        pixels = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
    return encode(pixels, ending)
