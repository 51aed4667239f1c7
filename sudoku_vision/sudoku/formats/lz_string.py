"""LZ-string: the text compression in which f-puzzles and SudokuPad pack a puzzle into a link.

The method is that of Pieroxy's lz-string 1.x (https://pieroxy.net/blog/pages/lz-string/index.html): phrases
that were seen before are sent as numbers of a growing dictionary, as in LZ78, the bits of each number from
the lowest to the highest, and the stream of bits is cut into sixes, highest first, each written as a
character of Base64. Three numbers mean something else: 0 announces a new character of 8 bits, 1 one of 16
bits, 2 the end.

What is unpacked is bounded while it is unpacked: a few thousand characters can stand for gigabytes.
"""

from sudoku_vision.errors import BoardError

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
MAX_UNPACKED = 1 << 20  # characters that a link may hold unpacked: a plain sudoku takes about two thousand

_NARROW, _WIDE, _END = range(3)
_WIDTH = {_NARROW: 8, _WIDE: 16}
_SIXES = {mark: f"{value:06b}" for value, mark in enumerate(ALPHABET)}
_REMEDY = "Copy the whole link once more."


def compress(text: str) -> str:
    """Pack *text* into Base64 characters, padded with ``=``, as ``LZString.compressToBase64`` does.

    Characters beyond U+FFFF go as two surrogates, as JavaScript has them.
    """
    numbers: dict[str, int] = {}
    new: set[str] = set()
    width, room = 2, 2
    bits: list[str] = []

    def send(phrase: str) -> None:
        nonlocal width, room
        if phrase in new:
            new.remove(phrase)
            kind = _NARROW if ord(phrase) < 256 else _WIDE
            bits.extend((_lowest_first(kind, width), _lowest_first(ord(phrase), _WIDTH[kind])))
            width, room = _grown(width, room)
        else:
            bits.append(_lowest_first(numbers[phrase], width))
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
    stream = "".join([*bits, _lowest_first(_END, width)])
    stream += "0" * (6 - len(stream) % 6)  # behind a full last six comes an empty one, as in lz-string
    packed = "".join(ALPHABET[int(stream[at : at + 6], 2)] for at in range(0, len(stream), 6))
    return packed + "=" * (-len(packed) % 4)


def decompress(packed: str) -> str:
    """Unpack what :func:`compress` packed; at most :data:`MAX_UNPACKED` characters.

    Raises :class:`~sudoku_vision.errors.BoardError` for what is cut off, damaged or too large.
    """
    packed = packed.rstrip("=")
    end = next((place for place, mark in enumerate(packed) if mark not in _SIXES), len(packed))
    stream, at = "".join([_SIXES[mark] for mark in packed[:end]]), 0

    def read(width: int) -> int:
        nonlocal at
        at += width
        if at > len(stream):
            if end < len(packed):
                raise BoardError(f"{packed[end]!r} does not belong into a packed puzzle.", _REMEDY)
            raise BoardError("The packed puzzle in this link is cut off.", _REMEDY)
        return int(stream[at - width : at][::-1], 2)

    phrases: dict[int, str] = {}
    pieces: list[str] = []
    size, width, room = 0, 2, 1
    before, following = "", 3
    while (number := read(width)) != _END:
        if number in _WIDTH:
            phrases[following] = chr(read(_WIDTH[number]))
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
        if size > MAX_UNPACKED:
            raise BoardError(f"The packed puzzle holds more than {MAX_UNPACKED} characters.", _REMEDY)
        pieces.append(phrase)
        if before:
            phrases[following] = before + phrase[0]
            following += 1
            width, room = _grown(width, room)
        before = phrase
    # Surrogates make one character; a lone one stays what it is.
    return "".join(pieces).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _lowest_first(number: int, width: int) -> str:
    return f"{number:0{width}b}"[::-1]


def _grown(width: int, room: int) -> tuple[int, int]:
    """Return the bits of the next number, and how many may follow before it takes one more."""
    room -= 1
    return (width + 1, 1 << width) if room == 0 else (width, room)


def _utf16(text: str) -> list[str]:
    """Return the text as UTF-16 units, one character each."""
    data = text.encode("utf-16-le", "surrogatepass")
    return [chr(low | high << 8) for low, high in zip(data[::2], data[1::2], strict=True)]
