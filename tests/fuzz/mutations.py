"""Mutations: damage bytes at random, without knowing their format."""

import random
from collections.abc import Sequence

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
