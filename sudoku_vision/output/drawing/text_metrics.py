"""The typeface of the package (Arimo), the width of words, and the breaking of words into lines."""

import unicodedata
from functools import lru_cache
from pathlib import Path

from PIL import ImageFont

FONT_FOLDER = Path(__file__).parent / "fonts"
CAP_HEIGHT = 1409 / 2048  # height of capitals and digits, in em
_UNITS = 2048  # number of units of the font in an em; with this size, the widths of letters are exact


@lru_cache(maxsize=64)
def plain_font(size: int, *, bold: bool = False) -> ImageFont.FreeTypeFont:
    """Return the font with which Pillow draws words; *size* is the em in pixels."""
    path = FONT_FOLDER / f"arimo-latin-{700 if bold else 400}-normal.ttf"
    return ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)


def text_width(words: str, size: float, *, bold: bool = False) -> float:
    """Return the width of *words* in the unit of *size* (the em). Letters of East Asia are one em wide."""
    wide = [letter for letter in words if unicodedata.east_asian_width(letter) in "WF"]
    own = "".join(letter for letter in words if letter not in wide)
    return (plain_font(_UNITS, bold=bold).getlength(own) / _UNITS + len(wide)) * size


def wrapped_words(words: str, width: float, size: float, *, bold: bool = False) -> list[str]:
    """Break *words* into lines no wider than *width*, in the unit of *size* (the em)."""
    lines: list[str] = []
    line = ""
    for word in words.split():
        longer = f"{line} {word}".lstrip()
        if text_width(longer, size, bold=bold) <= width:
            line = longer
            continue
        lines += [line] if line else []
        line = ""
        for letter in word:
            if line and text_width(line + letter, size, bold=bold) > width:
                lines.append(line)
                line = ""
            line += letter
    return [*lines, line] if line else lines
