"""Read by which numbers the glyphs of a PostScript font (CFF) are known.

The format is that of Adobe's Technical Note 5176. Only fonts that HarfBuzz has just written are read.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

_CHARSET, _CHAR_STRINGS, _ROS = 15, 17, (12, 30)
Operator = int | tuple[int, int]


def glyph_identifiers(data: bytes) -> list[int]:
    """Return the number by which PDF knows each glyph of a font, in the order of its glyphs.

    It is the CID where glyphs have one, else simply the place.
    """
    after_names = _index(data, data[2])[1]
    tops, _ = _index(data, after_names)
    top = dict(_entries(tops[0]))
    count = len(_index(data, top[_CHAR_STRINGS])[0])
    if _ROS not in top:
        return list(range(count))
    return _charset(data, top.get(_CHARSET, 0), count)


def _index(data: bytes, at: int) -> tuple[list[bytes], int]:
    """Return the objects of an INDEX, and where it ends."""
    count = int.from_bytes(data[at : at + 2], "big")
    if count == 0:
        return [], at + 2
    size, start = data[at + 2], at + 3
    offsets = [
        int.from_bytes(data[start + n * size : start + (n + 1) * size], "big") for n in range(count + 1)
    ]
    base = start + (count + 1) * size - 1
    return [data[base + a : base + b] for a, b in pairwise(offsets)], base + offsets[-1]


def _entries(data: bytes) -> Iterator[tuple[Operator, int]]:
    """Yield the operators of a DICT, each with the last of its operands if that is a whole number."""
    at, operand = 0, 0
    while at < len(data):
        first = data[at]
        if first <= 21:
            at += 1
            if first == 12:
                yield (12, data[at]), operand
                at += 1
            else:
                yield first, operand
        else:
            operand, at = _operand(data, at)


def _operand(data: bytes, at: int) -> tuple[int, int]:
    """Return the number that begins at a place, 0 for a fraction, and where it ends."""
    first = data[at]
    if first == 28:
        return int.from_bytes(data[at + 1 : at + 3], "big", signed=True), at + 3
    if first == 29:
        return int.from_bytes(data[at + 1 : at + 5], "big", signed=True), at + 5
    if first == 30:
        end = next(
            place for place in range(at + 1, len(data)) if 0xF in (data[place] & 0xF, data[place] >> 4)
        )
        return 0, end + 1
    if first <= 246:
        return first - 139, at + 1
    more = (first - 247) * 256 + data[at + 1] + 108
    return (more, at + 2) if first <= 250 else (-((first - 251) * 256) - data[at + 1] - 108, at + 2)


def _charset(data: bytes, at: int, count: int) -> list[int]:
    """Return the CIDs of *count* glyphs."""
    identifiers = [0]
    kind, at = data[at], at + 1
    left_size = {0: 0, 1: 1, 2: 2}[kind]
    while len(identifiers) < count:
        first = int.from_bytes(data[at : at + 2], "big")
        left = int.from_bytes(data[at + 2 : at + 2 + left_size], "big")
        identifiers += range(first, first + left + 1)
        at += 2 + left_size
    return identifiers[:count]
