"""Colours, for figures and debug pictures."""

Colour = tuple[float, float, float]  # blue, green and red, each from 0 to 255

BLACK: Colour = (0, 0, 0)
WHITE: Colour = (255, 255, 255)
INK: Colour = (40, 40, 40)
GREEN: Colour = (60, 140, 0)
RED: Colour = (20, 20, 215)
BLUE: Colour = (205, 80, 0)
ORANGE: Colour = (0, 105, 235)
PINK: Colour = (205, 205, 255)
YELLOW: Colour = (190, 245, 255)


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """Return a mixture of two colours with this *share* (0..1) of the *other*."""
    a, b, c = (first + share * (second - first) for first, second in zip(one, other, strict=True))
    return (a, b, c)


def hex_colour(colour: Colour) -> str:
    """Return a colour as text of the form ``#rrggbb``."""
    blue, green, red = (min(max(round(channel), 0), 255) for channel in colour)
    return f"#{red:02x}{green:02x}{blue:02x}"
