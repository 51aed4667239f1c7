"""A flat sheet on which rectangles, masks of ink and text are drawn.

Lengths and positions are in pixels, and can be fractions. The position (0, 0) is the outer corner of the top
left pixel; (0.5, 0.5) is the centre of this pixel.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pictures
from PIL import ImageDraw

from sudoku_vision.output.drawing.figure import Colour
from sudoku_vision.values import Floats, Image
from workshop.rendering.typefaces import Mask, Typeface, glyph_mask

MIN_EM = 4  # text with a smaller font size, in pixels, is not drawn
_MEASURED_EM = 100  # font size in pixels at which the height of a typeface's digit 8 is measured


@dataclass(frozen=True, eq=False)
class Canvas:
    """A sheet of paper with ``pixels`` (H, W, 3) uint8 BGR."""

    pixels: Image

    @classmethod
    def blank(cls, width: int, height: int, colour: Colour) -> "Canvas":
        """Return a sheet of *width* x *height* pixels, all of one *colour*."""
        pixels = np.empty((height, width, 3), np.uint8)
        pixels[:] = np.clip(np.round(colour), 0, 255).astype(np.uint8)
        return cls(pixels)

    @property
    def width(self) -> int:
        """Width in pixels."""
        return int(self.pixels.shape[1])

    @property
    def height(self) -> int:
        """Height in pixels."""
        return int(self.pixels.shape[0])

    def rectangle(self, left: float, top: float, right: float, bottom: float, colour: Colour) -> None:
        """Fill a rectangle, with smooth edges."""
        x, across = _coverage(left, right, self.width)
        y, down = _coverage(top, bottom, self.height)
        if not across.size or not down.size:
            return
        part = self.pixels[y : y + down.size, x : x + across.size]
        if across.min() >= 1 and down.min() >= 1:
            part[:] = np.clip(np.round(colour), 0, 255).astype(np.uint8)
        else:
            _mix(part, down[:, None] * across[None, :], colour)

    def frame(
        self, left: float, top: float, right: float, bottom: float, thickness: float, colour: Colour
    ) -> None:
        """Draw the outline of a rectangle with lines *thickness* wide."""
        half = thickness / 2
        for y in (top, bottom):
            self.rectangle(left - half, y - half, right + half, y + half, colour)
        for x in (left, right):
            self.rectangle(x - half, top + half, x + half, bottom - half, colour)

    def ink(self, mask: Mask, left: float, top: float, colour: Colour, strength: float = 1.0) -> None:
        """Print a *mask* of ink (h, w) uint8. Its top left corner is at the pixel nearest to (*left*, *top*).

        *strength*: opacity of the ink, 0..1.
        """
        x, y = round(left), round(top)
        x0, y0 = max(x, 0), max(y, 0)
        x1, y1 = min(x + mask.shape[1], self.width), min(y + mask.shape[0], self.height)
        if x0 < x1 and y0 < y1:
            cut = mask[y0 - y : y1 - y, x0 - x : x1 - x]
            _mix(self.pixels[y0:y1, x0:x1], cut * np.float32(strength / 255), colour)

    def text(
        self,
        words: str,
        left: float,
        top: float,
        size: float,
        face: Typeface,
        colour: Colour,
        *,
        centred: bool = False,
    ) -> None:
        """Write a line of text. *size*: font size in pixels.

        *top*: y of the top of capital letters. *left*: x of the left end of the text or, if *centred*, of its
        middle.
        """
        if words.strip() and size >= MIN_EM:
            mask, rise = text_mask(words, round(size), face)
            self.ink(mask, left - mask.shape[1] / 2 if centred else left, top + rise, colour)

    def glyph(
        self,
        words: str,
        x: float,
        y: float,
        height: float,
        face: Typeface,
        colour: Colour,
        strength: float = 1,
    ) -> None:
        """Write *words*, centred at (*x*, *y*). *height*: height of the digits in pixels."""
        mask, lift = digit_mask(words, round(height, 1), face)
        self.ink(mask, x - mask.shape[1] / 2, y + lift, colour, strength)


@lru_cache(maxsize=4096)
def digit_mask(words: str, height: float, face: Typeface) -> tuple[Mask, float]:
    """Return the mask of *words*, and the y of its top. y is 0 at the middle of an 8, and grows downwards.

    *height*: height of an 8 in pixels.
    """
    eight = glyph_mask(face, "8", _MEASURED_EM).shape[0]
    size = max(MIN_EM, round(_MEASURED_EM * height / max(eight, 1)))
    font = face.font(size)
    top, bottom = (font.getbbox("8", anchor="ls")[side] for side in (1, 3))
    mask = glyph_mask(face, words, size)
    return mask, float(font.getbbox(words, anchor="ls")[1] - (top + bottom) / 2)


@lru_cache(maxsize=512)
def text_mask(words: str, size: int, face: Typeface) -> tuple[Mask, int]:
    """Return the mask of a text, and the y of its top. y is 0 at the top of capitals, and grows downwards."""
    font = face.font(size)
    box = font.getbbox(words, anchor="ls")
    left, top, right, bottom = (int(np.floor(side)) for side in box)
    picture = Pictures.new("L", (max(right - left, 1), max(bottom - top, 1)))
    ImageDraw.Draw(picture).text((-left, -top), words, fill=255, font=font, anchor="ls")
    return np.asarray(picture), int(top - font.getbbox("H", anchor="ls")[1])


def _coverage(start: float, end: float, length: int) -> tuple[int, Floats]:
    """Return the first pixel in the interval *start* to *end*, and the covered share of each pixel in it."""
    start, end = max(start, 0.0), min(end, float(length))
    if end <= start:
        return 0, np.zeros(0, np.float32)
    first, last = int(np.floor(start)), int(np.ceil(end))
    edges = np.arange(first, last, dtype=np.float32)
    return first, np.minimum(edges + 1, end) - np.maximum(edges, start)


def _mix(part: Image, share: NDArray[np.floating], colour: Colour) -> None:
    """Mix *colour* into *part* (h, w, 3), in place. *share* (h, w): share of *colour* in each pixel, 0..1."""
    target = np.clip(np.asarray(colour, np.float32), 0, 255)
    painted = part + share[:, :, None].astype(np.float32) * (target - part)
    part[:] = (painted + 0.5).astype(np.uint8)


def brightened(colour: Colour, change: float) -> Colour:
    """Return *colour* with *change* added to each channel, clipped to 0..255."""
    blue, green, red = (min(max(channel + change, 0.0), 255.0) for channel in colour)
    return (blue, green, red)
