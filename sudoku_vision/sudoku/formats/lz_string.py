"""LZ-string: the text compression in which f-puzzles and SudokuPad pack a puzzle into a link.

The method is that of Pieroxy's lz-string 1.x (https://pieroxy.net/blog/pages/lz-string/index.html): phrases
that were seen before are sent as numbers of a growing dictionary, as in LZ78, the bits of each number from
the lowest to the highest, and the stream of bits is cut into sixes, highest first, each written as a
character of Base64. Three numbers mean something else: 0 announces a new character of 8 bits, 1 one of 16
bits, 2 the end.

What is unpacked is bounded while it is unpacked: a few thousand characters can stand for gigabytes.
"""

from __future__ import annotations

from sudoku_vision.errors import BoardError

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
MAX_UNPACKED = 1 << 20
"""Characters that a link may hold unpacked: a plain sudoku takes about two thousand."""

_VALUES = {mark: value for value, mark in enumerate(ALPHABET)}
_NARROW, _WIDE, _END = range(3)
_WIDTH = {_NARROW: 8, _WIDE: 16}
_REMEDY = "Copy the whole link once more."


def compress(text: str) -> str:
    """Pack *text* into Base64 characters, padded with ``=``, as ``LZString.compressToBase64`` does.

    Characters beyond U+FFFF go as two surrogates, as JavaScript has them.
    """
    bits = _BitWriter()
    numbers: dict[str, int] = {}
    new: set[str] = set()
    width, room = 2, 2

    def send(phrase: str) -> None:
        nonlocal width, room
        if phrase in new:
            new.remove(phrase)
            kind = _NARROW if ord(phrase) < 256 else _WIDE
            bits.write(kind, width)
            bits.write(ord(phrase), _WIDTH[kind])
            width, room = _grown(width, room)
        else:
            bits.write(numbers[phrase], width)
        width, room = _grown(width, room)

    phrase = ""
    for unit in _utf16(text):
        if unit not in numbers:
            numbers[unit] = len(numbers) + 3
            new.add(unit)
        if phrase + unit in numbers:
            phrase += unit
            continue
        send(phrase)
        numbers[phrase + unit] = len(numbers) + 3
        phrase = unit
    if phrase:
        send(phrase)
    bits.write(_END, width)
    return bits.base64()


def decompress(packed: str, limit: int = MAX_UNPACKED) -> str:
    """Unpack what :func:`compress` packed; at most *limit* characters.

    Raises :class:`~sudoku_vision.errors.BoardError` for what is cut off, damaged or too large.
    """
    bits = _BitReader(packed)
    phrases: dict[int, str] = {}
    pieces: list[str] = []
    size, width, room = 0, 2, 1
    before = ""
    following = 3
    while True:
        number = bits.read(width)
        if number == _END:
            return _joined(pieces)
        if number in _WIDTH:
            phrases[following] = chr(bits.read(_WIDTH[number]))
            number = following
            following += 1
            width, room = _grown(width, room)
        if number in phrases:
            phrase = phrases[number]
        elif number == following and before:
            phrase = before + before[0]
        else:
            raise BoardError("The packed puzzle in this link is damaged.", _REMEDY)
        size += len(phrase)
        if size > limit:
            raise BoardError(f"The packed puzzle holds more than {limit} characters.", _REMEDY)
        pieces.append(phrase)
        if before:
            phrases[following] = before + phrase[0]
            following += 1
            width, room = _grown(width, room)
        before = phrase


def _grown(width: int, room: int) -> tuple[int, int]:
    """Return the bits of the next number, and how many may follow before it takes one more."""
    room -= 1
    return (width + 1, 1 << width) if room == 0 else (width, room)


def _utf16(text: str) -> list[str]:
    """Return the text as UTF-16 units, one character each."""
    data = text.encode("utf-16-le", "surrogatepass")
    return [chr(low | high << 8) for low, high in zip(data[::2], data[1::2], strict=True)]


def _joined(units: list[str]) -> str:
    """Join UTF-16 units to a text; a lone surrogate stays what it is."""
    return "".join(units).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


class _BitWriter:
    """Numbers, lowest bit first, into Base64."""

    def __init__(self) -> None:
        self._bits: list[int] = []

    def write(self, number: int, width: int) -> None:
        self._bits += [number >> place & 1 for place in range(width)]

    def base64(self) -> str:
        """Return the sixes as characters; behind a full last one comes an empty one, as in lz-string."""
        bits = self._bits + [0] * (6 - len(self._bits) % 6)
        sixes = ("".join(map(str, bits[at : at + 6])) for at in range(0, len(bits), 6))
        packed = "".join(ALPHABET[int(six, 2)] for six in sixes)
        return packed + "=" * (-len(packed) % 4)


class _BitReader:
    """Base64 back into numbers."""

    def __init__(self, packed: str) -> None:
        self._packed = packed.rstrip("=")
        self._at = 0
        self._left = 0
        self._six = 0

    def read(self, width: int) -> int:
        number = 0
        for place in range(width):
            if not self._left:
                self._six, self._left = self._next(), 6
            self._left -= 1
            number |= (self._six >> self._left & 1) << place
        return number

    def _next(self) -> int:
        if self._at == len(self._packed):
            raise BoardError("The packed puzzle in this link is cut off.", _REMEDY)
        mark = self._packed[self._at]
        self._at += 1
        if mark not in _VALUES:
            raise BoardError(f"{mark!r} does not belong into a packed puzzle.", _REMEDY)
        return _VALUES[mark]
