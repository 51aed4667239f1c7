"""Notebook: pictures as Jupyter shows them, small enough to be kept within a notebook."""

from __future__ import annotations

import base64
import html
from collections.abc import Iterable

import numpy as np

from sudoku_vision.results import Image

LONGEST_SIDE = 800
"""Pixels to which pictures are reduced: as wide as a notebook shows them, and some hundred kilobytes."""


def figure(pixels: Image | None, lines: Iterable[str]) -> str:
    """Return HTML of a picture, BGR (H, W, 3), if there is one, with *lines* of plain text below it."""
    texts = [html.escape(line) for line in lines if line]
    picture = "" if pixels is None else _image(pixels, "".join(texts[:1]))
    caption = f"<figcaption>{'<br>'.join(texts)}</figcaption>"
    return f'<figure style="margin: 0">{picture}{caption}</figure>'


def _image(pixels: Image, alternative: str) -> str:
    """Return the element of a picture, reduced, that holds its own bytes; *alternative* is escaped text."""
    import cv2  # hints for a board in text need none of it

    from sudoku_vision.output.save import encode

    height, width = pixels.shape[:2]
    scale = LONGEST_SIDE / max(height, width)
    if scale < 1:
        height, width = (max(1, round(side * scale)) for side in (height, width))
        pixels = np.asarray(cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    data = base64.b64encode(encode(pixels, ".jpg")).decode("ascii")
    style = f"max-width: min(100%, {width}px)"
    return f'<img style="{style}" alt="{alternative}" src="data:image/jpeg;base64,{data}">'
