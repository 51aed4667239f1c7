"""Notebook: pictures as Jupyter shows them, small enough to be kept within a notebook."""

from __future__ import annotations

import base64
import html
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

LONGEST_SIDE = 800
"""Pixels to which pictures are reduced: as wide as a notebook shows them, and some hundred kilobytes."""

JPEG_QUALITY = 85
"""Of the pictures within HTML, 0..100: a photo shows no loss on a screen."""


def png(pixels: NDArray[np.uint8]) -> bytes:
    """Return BGR pixels (H, W, 3) as PNG, reduced to :data:`LONGEST_SIDE`."""
    import cv2

    return _packed(".png", reduced(pixels), (cv2.IMWRITE_PNG_COMPRESSION, 9))


def reduced(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return pixels (H, W, 3) whose longer side is at most :data:`LONGEST_SIDE`; the same where it is."""
    import cv2

    height, width = pixels.shape[:2]
    scale = LONGEST_SIDE / max(height, width)
    if scale >= 1:
        return pixels
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)


def figure(pixels: NDArray[np.uint8] | None, lines: Iterable[str]) -> str:
    """Return HTML of a picture, if there is one, with *lines* of plain text below it."""
    texts = [html.escape(line) for line in lines if line]
    picture = "" if pixels is None else _image(reduced(pixels), texts[0] if texts else "")
    caption = f"<figcaption>{'<br>'.join(texts)}</figcaption>"
    return f'<figure style="margin: 0">{picture}{caption}</figure>'


def _image(pixels: NDArray[np.uint8], alternative: str) -> str:
    """Return the element of a picture that holds its own bytes; *alternative* is escaped text."""
    import cv2

    data = base64.b64encode(_packed(".jpg", pixels, (cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY))).decode("ascii")
    style = f"max-width: min(100%, {pixels.shape[1]}px)"
    return f'<img style="{style}" alt="{alternative}" src="data:image/jpeg;base64,{data}">'


def _packed(ending: str, pixels: NDArray[np.uint8], settings: tuple[int, int]) -> bytes:
    import cv2

    packed: NDArray[Any] = np.asarray(cv2.imencode(ending, pixels, settings)[1])
    return packed.tobytes()
