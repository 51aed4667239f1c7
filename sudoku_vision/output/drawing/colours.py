"""Colours: their type, how they mix, and those that the debug pictures share.

Answers and frames in photos have colours of their own in :mod:`sudoku_vision.output.overlay`.
"""

Colour = tuple[float, float, float]  # blue, green, red, in 0..255 each

BLACK: Colour = (0, 0, 0)
WHITE: Colour = (255, 255, 255)
INK: Colour = (40, 40, 40)  # of words and thick lines
GREEN: Colour = (60, 140, 0)
RED: Colour = (20, 20, 215)
BLUE: Colour = (205, 80, 0)
ORANGE: Colour = (0, 105, 235)
PINK: Colour = (205, 205, 255)
YELLOW: Colour = (190, 245, 255)  # PINK and YELLOW lie below lines and digits


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """Return the colour *share* of the way from *one* to *other*."""
    a, b, c = (first + share * (second - first) for first, second in zip(one, other, strict=True))
    return (a, b, c)


def hex_colour(colour: Colour) -> str:
    """Write a colour as ``#rrggbb``."""
    blue, green, red = (min(max(round(channel), 0), 255) for channel in colour)
    return f"#{red:02x}{green:02x}{blue:02x}"
