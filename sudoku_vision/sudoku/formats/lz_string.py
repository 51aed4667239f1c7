"""LZ-string: the text compression in which f-puzzles and SudokuPad pack a puzzle into a link.

The method comes from Pieroxy's lz-string 1.x (https://pieroxy.net/blog/pages/lz-string/index.html). As in
LZ78, a phrase that occurred before is written as its number in a growing dictionary. The bits of numbers are
written from the lowest to the highest, and every six bits become a character of Base64. Three numbers stand
for no phrase: 0 comes before a new character of 8 bits, 1 before one of 16 bits, and 2 is the end.
"""

from sudoku_vision.errors import BoardError

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
MAX_UNPACKED = 1 << 20  # maximum number of characters in an unpacked puzzle; a sudoku has about two thousand

_NARROW, _WIDE, _END = range(3)
_WIDTH = {_NARROW: 8, _WIDE: 16}
_SIXES = {character: f"{value:06b}" for value, character in enumerate(ALPHABET)}
_REMEDY = "Copy the whole link once more."


def compress(text: str) -> str:
    """Pack *text* as ``LZString.compressToBase64`` does."""
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
    data = text.encode("utf-16-le", "surrogatepass")
    for low, high in zip(data[::2], data[1::2], strict=True):
        unit = chr(low | high << 8)
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
    stream += "0" * (6 - len(stream) % 6)  # lz-string adds six bits even if the last six are full
    packed = "".join(ALPHABET[int(stream[at : at + 6], 2)] for at in range(0, len(stream), 6))
    return packed + "=" * (-len(packed) % 4)


def decompress(packed: str) -> str:
    """Return the text that :func:`compress` packed.

    Raises :class:`~sudoku_vision.errors.BoardError` for a damaged or too long text.
    """
    packed = packed.rstrip("=")
    end = next((at for at, character in enumerate(packed) if character not in _SIXES), len(packed))
    stream, at = "".join([_SIXES[character] for character in packed[:end]]), 0

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
    # Two surrogates become one character; a surrogate without its partner stays as it is.
    return "".join(pieces).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _lowest_first(number: int, width: int) -> str:
    return f"{number:0{width}b}"[::-1]


def _grown(width: int, room: int) -> tuple[int, int]:
    """Return the bits of a number, and how many phrases can be added until it has one bit more."""
    room -= 1
    return (width + 1, 1 << width) if room == 0 else (width, room)
