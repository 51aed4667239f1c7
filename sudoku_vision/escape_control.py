"""Visible: text that comes from outside, such as names of files, as a terminal may be shown it."""

import re

_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Commands to a terminal, ends of lines, and marks that turn the direction of what follows."""


def visible(text: str) -> str:
    r"""Return *text* with control characters written out, as names of files may hold them.

    >>> visible("a\x1b[31m.jpg")
    'a\\x1b[31m.jpg'
    """
    if text.isprintable():
        return text  # as nearly all is, and none of these are
    return _CONTROLS.sub(lambda found: found.group().encode("unicode_escape").decode(), text)
