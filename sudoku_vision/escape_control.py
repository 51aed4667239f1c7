"""Escape control characters in text from outside, such as file names, before a terminal shows it."""

import re

_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Matches a character that can begin a command to a terminal, end a line, or change the writing direction."""


def visible(text: str) -> str:
    r"""Return *text* with its control characters written as escape sequences.

    >>> visible("a\x1b[31m.jpg")
    'a\\x1b[31m.jpg'
    """
    if text.isprintable():
        return text
    return _CONTROLS.sub(lambda found: found.group().encode("unicode_escape").decode(), text)
