"""Pictures for Jupyter notebooks, small enough to be stored in the notebook."""

import base64
import html
from collections.abc import Iterable

import numpy as np

from sudoku_vision.values import Image

MAX_SIDE = 800  # longest side of a picture, in pixels: as wide as a notebook, and small to store
JPEG_QUALITY = 85  # quality of JPEG, 0 to 100; on a screen, no loss is visible


def figure(pixels: Image | None, lines: Iterable[str]) -> str:
    """Return HTML with *lines* of plain text. A picture, BGR (H, W, 3) uint8, is above them."""
    texts = [html.escape(line) for line in lines if line]
    picture = "" if pixels is None else _image(pixels, "".join(texts[:1]))
    caption = f"<figcaption>{'<br>'.join(texts)}</figcaption>"
    return f'<figure style="margin: 0">{picture}{caption}</figure>'


def _image(pixels: Image, alternative: str) -> str:
    """Return an HTML element with a reduced picture as JPEG. *alternative*: escaped text in its place."""
    import cv2  # only here, because hints for a board in text don't need OpenCV

    from sudoku_vision.output.save import reduced

    pixels, _ = reduced(pixels, MAX_SIDE)
    _, packed = cv2.imencode(".jpg", pixels, (cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY))
    data = base64.b64encode(np.asarray(packed, np.uint8).tobytes()).decode("ascii")
    style = f"max-width: min(100%, {pixels.shape[1]}px)"
    return f'<img style="{style}" alt="{alternative}" src="data:image/jpeg;base64,{data}">'
