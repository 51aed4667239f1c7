"""The typeface of the package (Arimo), the width of words, and words in several lines."""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import TypeAlias

from PIL import ImageFont

from sudoku_vision.output.drawing.figure import INK, Colour, Text

FONT_FOLDER = Path(__file__).parent / "fonts"
CAP_HEIGHT = 1409 / 2048  # height of capitals and digits, in em
LEADING = 1.32  # distance between the base lines of two lines of words, in em
_UNITS = 2048  # number of font units in an em; if the em has this many pixels, measured widths are exact

Paragraph: TypeAlias = tuple[str, bool]  # the words of a paragraph, and whether they are bold


@lru_cache(maxsize=64)
def plain_font(size: int, *, bold: bool = False) -> ImageFont.FreeTypeFont:
    """Return the font with which Pillow draws words; *size* is the em in pixels."""
    path = FONT_FOLDER / f"arimo-latin-{700 if bold else 400}-normal.ttf"
    return ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)


def text_width(words: str, size: float, *, bold: bool = False) -> float:
    """Return the width of *words*. *size*: the em, in the same unit. Letters of East Asia are one em wide."""
    return letter_places(words, size, bold=bold)[-1]


def letter_places(words: str, size: float, *, bold: bool = False) -> list[float]:
    """Return where each letter of *words* begins, and where the last one ends. The first begins at 0."""
    pairs = zip(words, [*words[1:], ""], strict=False)
    return [size * at for at in accumulate((_advance(*pair, bold) for pair in pairs), initial=0.0)]


@lru_cache(maxsize=4096)
def _advance(letter: str, following: str, bold: bool) -> float:
    """Return the distance from the start of a *letter* to the start of the *following* letter, in em."""
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.0
    font = plain_font(_UNITS, bold=bold)
    return (font.getlength(letter + following) - font.getlength(following)) / _UNITS


def wrapped_words(words: str, width: float, size: float, *, bold: bool = False) -> list[str]:
    """Break *words* into lines that are at most *width* wide. *size*: the em, in the same unit."""
    lines: list[str] = []
    line = ""
    for word in words.split(" "):
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


def text_lines(
    paragraphs: Iterable[Paragraph], left: float, top: float, width: float, em: float, colour: Colour = INK
) -> list[Text]:
    """Break *paragraphs* into lines of at most *width*. The first line begins at (*left*, *top*)."""
    lines = [
        (line, bold) for words, bold in paragraphs for line in wrapped_words(words, width, em, bold=bold)
    ]
    return [
        Text(line, (left, top + (LEADING * place + 1.0) * em), em, colour, bold)
        for place, (line, bold) in enumerate(lines)
    ]
