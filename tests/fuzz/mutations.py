"""Mutations: damage bytes without knowing their format; or knowing it, past checksums and lengths."""

import random
import re
import struct
import zlib
from collections.abc import Callable, Sequence

EDGE_NUMBERS = (0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)
"""Numbers at which sizes, counts and offsets overflow."""
HEADER_BYTES = 96
"""Bytes at the beginning of a file, where most sizes are."""
MAX_BYTES = 200_000
"""Maximum size of a case in bytes."""


def mutated(chance: random.Random, data: bytes, others: Sequence[bytes] = ()) -> bytes:
    """Return *data* with one to eight mutations; pieces of *others* may be put into it."""
    damaged = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8))):
        if not damaged:
            break
        if others and chance.random() < 0.1:
            other, at = chance.choice(others), chance.randrange(len(damaged) + 1)
            start, end = piece(chance, other)
            damaged[at : at + chance.choice((0, end - start))] = other[start:end]
        else:
            chance.choice(MUTATIONS)(chance, damaged)
    return bytes(damaged[:MAX_BYTES])


def change_bytes(chance: random.Random, data: bytearray) -> None:
    """Flip one bit in each of some bytes, or set them to anything."""
    for _ in range(chance.choice((1, 2, 10, 100))):
        at = chance.randrange(len(data))
        data[at] = chance.choice((data[at] ^ (1 << chance.randrange(8)), 0, 1, 0x7F, 0x80, 0xFF))


def lie(chance: random.Random, data: bytearray) -> None:
    """Write an edge number of 1, 2 or 4 bytes, most often into the header."""
    reach = min(len(data), HEADER_BYTES if chance.random() < 0.7 else len(data))
    size = chance.choice((1, 2, 4))
    number = chance.choice((*EDGE_NUMBERS, chance.randrange(1 << 16))) % (1 << 8 * size)
    at = chance.randrange(reach)
    data[at : at + size] = number.to_bytes(size, chance.choice(("little", "big")))


def cut(chance: random.Random, data: bytearray) -> None:
    """Remove a piece, or everything from its start on."""
    start, end = piece(chance, data)
    del data[start : chance.choice((end, len(data)))]


def repeat(chance: random.Random, data: bytearray) -> None:
    """Insert a copy of a piece, once or many times, after itself or elsewhere."""
    start, end = piece(chance, data)
    at = end if chance.random() < 0.5 else chance.randrange(len(data) + 1)
    data[at:at] = bytes(data[start:end]) * chance.choice((1, 1, 2, 20, 500))
    del data[MAX_BYTES:]


def overwrite(chance: random.Random, data: bytearray) -> None:
    """Overwrite a piece with one value, or with random bytes."""
    start, end = piece(chance, data)
    value = chance.choice((b"\x00", b"\xff", b" ", b"9", None))
    data[start:end] = chance.randbytes(end - start) if value is None else value * (end - start)


def piece(chance: random.Random, data: bytes | bytearray) -> tuple[int, int]:
    """Return start and end of a random piece, which is mostly short."""
    start = chance.randrange(len(data)) if data else 0
    return start, min(len(data), start + chance.choice((1, 4, 16, 100, 2000)))


MUTATIONS = (change_bytes, change_bytes, lie, lie, cut, cut, repeat, overwrite)

# Mutations that know a format.

SIDES = (0, 1, 2, 3, 7, 63, 64, 150, 151, 1000, 4000, 9999, 16384, 65535, 1 << 20, (1 << 31) - 1)
"""Widths and heights that headers claim."""


_PNG_EXTRAS = (b"tRNS", b"PLTE", b"gAMA", b"iCCP", b"zTXt", b"acTL", b"eXIf", b"tEXt")
_PNG_CONTENTS = (b"", bytes(20), bytes(range(40)), b"name\0\0" + zlib.compress(bytes(100_000)), b"a" * 3000)


def mutated_png(chance: random.Random, data: bytes) -> bytes:
    """Mutate a PNG chunk by chunk, and correct most checksums."""
    chunks, start = [], 8
    while start + 8 <= len(data):
        (length,) = struct.unpack_from(">I", data, start)
        chunks.append((data[start + 4 : start + 8], data[start + 8 : start + 8 + length]))
        start += 12 + length
    for _ in range(chance.choice((1, 1, 2, 4))):
        if not chunks:
            break
        at = chance.randrange(len(chunks)) if chance.random() < 0.5 else 0
        kind, content = chunks[at]
        match chance.randrange(5):
            case 0:
                chunks[at] = kind, mutated(chance, content) if content else chance.randbytes(4)
            case 1:
                chunks.insert(chance.randrange(len(chunks) + 1), chunks[at])
            case 2:
                del chunks[at]
            case 3:
                chunks[0] = b"IHDR", _png_header(chance)
            case _:
                extra = chance.choice(_PNG_EXTRAS), chance.choice(_PNG_CONTENTS)
                chunks.insert(chance.randrange(1, len(chunks) + 1), extra)
    return data[:8] + b"".join(_png_chunk(chance, *chunk) for chunk in chunks)


def _png_header(chance: random.Random) -> bytes:
    depth, colour = chance.choice((1, 2, 4, 8, 16, 3)), chance.choice((0, 2, 3, 4, 6, 5))
    sides = chance.choice(SIDES), chance.choice(SIDES)
    return struct.pack(">IIBBBBB", *sides, depth, colour, 0, 0, chance.choice((0, 0, 1, 2)))


def _png_chunk(chance: random.Random, kind: bytes, content: bytes) -> bytes:
    length, check = len(content), zlib.crc32(kind + content)
    if chance.random() < 0.03:
        length = chance.choice(EDGE_NUMBERS)
    if chance.random() < 0.03:
        check ^= 1
    return struct.pack(">I", length) + kind + content + struct.pack(">I", check)


def mutated_jpeg(chance: random.Random, data: bytes) -> bytes:
    """Mutate a JPEG segment by segment: sizes, tables, scans."""
    segments, start = [], 2
    while start + 4 <= len(data) and data[start] == 0xFF and data[start + 1] != 0xDA:
        (length,) = struct.unpack_from(">H", data, start + 2)
        segments.append((data[start + 1], data[start + 4 : start + 2 + length]))
        start += 2 + length
    rest = data[start:]
    for _ in range(chance.choice((1, 1, 2, 4))):
        at = chance.randrange(len(segments))
        marker, content = segments[at]
        match chance.randrange(6):
            case 0:
                segments[at] = marker, mutated(chance, content) if content else b"\0"
            case 1:
                segments[at:at] = [segments[at]] * chance.choice((1, 3, 50))
            case 2 if len(segments) > 1:
                del segments[at]
            case 3:
                segments = [_resized(chance, *segment) for segment in segments]
            case 4:
                rest = mutated(chance, rest) if rest else rest
            case _:
                rest = rest[:-2] * chance.choice((1, 2, 20)) + rest[-2:]
    parts = (b"\xff" + bytes([marker]) + _length(chance, content) + content for marker, content in segments)
    return data[:2] + b"".join(parts) + rest


def _resized(chance: random.Random, marker: int, content: bytes) -> tuple[int, bytes]:
    """Return a segment; if it begins a frame, it claims another size."""
    if marker not in (0xC0, 0xC1, 0xC2) or len(content) < 6:
        return marker, content
    sides = (chance.choice(SIDES) % 65_536 for _ in range(2))
    return marker, content[:1] + struct.pack(">HH", *sides) + content[5:]


def _length(chance: random.Random, content: bytes) -> bytes:
    length = chance.choice((0, 1, 2, 0xFFFF)) if chance.random() < 0.03 else len(content) + 2
    return struct.pack(">H", min(length, 0xFFFF))


def mutated_tiff(chance: random.Random, data: bytes) -> bytes:
    """Mutate entries of the first directory of a little-endian TIFF: tag, type, count or value."""
    damaged = bytearray(data)
    (at,) = struct.unpack_from("<I", data, 4)
    (entries,) = struct.unpack_from("<H", data, at)
    for _ in range(chance.choice((1, 1, 2, 4))):
        entry = at + 2 + 12 * chance.randrange(entries)
        part, form = chance.choice(((0, "<H"), (2, "<H"), (4, "<I"), (8, "<I"), (8, "<I")))
        number = chance.choice((*EDGE_NUMBERS, *SIDES, at, chance.randrange(300)))
        struct.pack_into(form, damaged, entry + part, number % (1 << 8 * struct.calcsize(form)))
    if chance.random() < 0.2:  # the next directory: this one, another place, or one past the end
        struct.pack_into("<I", damaged, at + 2 + 12 * entries, chance.choice((at, 8, 0xFFFFFFF0)))
    return bytes(damaged)


_BOXES = b"ispe|iloc|ipma|iinf|pixi|irot|av1C|hvcC|stsd|tkhd|stsz"


def mutated_boxes(chance: random.Random, data: bytes) -> bytes:
    """Mutate an ISO container (AVIF, HEIC, MP4): sizes that are claimed, places, lengths of boxes."""
    damaged = bytearray(data)
    places = [found.start() for found in re.finditer(_BOXES, data)]
    if not places:
        return mutated(chance, data)
    for _ in range(chance.choice((1, 1, 2, 4))):
        at = chance.choice(places) + 4 * chance.randrange(-1, 8)
        number = chance.choice((*EDGE_NUMBERS, *SIDES))
        damaged[max(0, at) : at + 4] = struct.pack(">I", number)
    return bytes(damaged)


_PDF_NUMBERS = (b"0", b"-1", b"1e38", b"99999999999", b"0.00001", b"nan", b"1", b"5")


def mutated_pdf(chance: random.Random, data: bytes) -> bytes:
    """Mutate numbers, names and references of a PDF; readers do not depend on their offsets."""
    tokens = re.split(rb"([ \n/<>\[\]]+)", data)
    for _ in range(chance.choice((1, 2, 4, 10))):
        at = chance.randrange(len(tokens))
        if re.fullmatch(rb"-?\d+\.?\d*", tokens[at]):
            tokens[at] = chance.choice(_PDF_NUMBERS)
        elif tokens[at].isalpha():
            tokens[at] = chance.choice([token for token in tokens if token.isalpha()])
        elif chance.random() < 0.2:
            tokens[at:at] = tokens[at : at + chance.choice((1, 5, 30))] * chance.choice((1, 10, 200))
    return b"".join(tokens)


def mutated_header(chance: random.Random, data: bytes) -> bytes:
    damaged = bytearray(data)
    for _ in range(chance.choice((1, 2, 4))):
        lie(chance, damaged)
    return bytes(damaged)


STRUCTURES: dict[str, Callable[[random.Random, bytes], bytes]] = {
    "png": mutated_png,
    "jpg": mutated_jpeg,
    "tif": mutated_tiff,
    "avif": mutated_boxes,
    "heic": mutated_boxes,
    "mp4": mutated_boxes,
    "pdf": mutated_pdf,
}
"""Mutations by the ending of the input's name; for other endings the header is mutated."""
