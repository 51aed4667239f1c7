"""How wide words are in the plain typeface of the package, and where they break into lines."""

import unicodedata

from sudoku_vision.output.drawing.typefaces import plain_typeface

CAP_HEIGHT = 1409 / 2048  # of the plain typeface, regular and bold, in em; its digits are as tall
_UNITS = 2048  # to the em of the plain typeface: at this size nothing is rounded


def text_width(words: str, size: float, *, bold: bool = False) -> float:
    """Return how wide *words* are, *size* to the em, in the unit of *size*.

    Letters that the typeface lacks come from another one: those of East Asia are an em wide.
    """
    wide = [letter for letter in words if unicodedata.east_asian_width(letter) in "WF"]
    own = "".join(letter for letter in words if letter not in wide)
    return (plain_typeface(bold=bold).font(_UNITS).getlength(own) / _UNITS + len(wide)) * size


def wrapped_words(words: str, width: float, size: float, *, bold: bool = False) -> list[str]:
    """Break *words* into lines no wider than *width*, in the unit of *size* (the em).

    Lines end at white space; a word that is too wide by itself is broken within.
    """
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
