"""Containers: what picture files are made of; blocks are found in them and put in, and nothing is unpacked.

A JPEG is segments of a mark, a length and data up to its first scan (ITU-T T.81, annex B); a PNG is chunks
of a length, a name, data and a check sum (W3C, PNG, third edition); a WebP is a RIFF of chunks of a name, a
length and data, filled up to even lengths (RFC 9649). What walks through them raises IndexError or
struct.error where a file is damaged, or none of its kind.
"""

from __future__ import annotations

import mmap
import struct
import zlib
from collections.abc import Iterator
from typing import TypeAlias

Packed: TypeAlias = bytes | mmap.mmap
"""A picture file: in memory, or mapped into it."""

JPEG_START, JPEG_APP0, JPEG_APP1, JPEG_COMMENT, _JPEG_SCAN = b"\xff\xd8", 0xE0, 0xE1, 0xFE, 0xDA
_JPEG_FIRST_WITH_LENGTH, _JPEG_WITHOUT_LENGTH = 0xC0, range(0xD0, 0xDA)

PNG_START, _PNG_HEADER_END = b"\x89PNG\r\n\x1a\n", 33

_RIFF_HEAD = 12
_WEBP_LOSSY, _WEBP_EXTENDED = b"VP8 ", b"VP8X"


def jpeg_segments(data: Packed) -> Iterator[tuple[int, int, int]]:
    """Yield the segments before the first scan: mark, and where its content begins and ends."""
    if data[:2] != JPEG_START:
        raise IndexError(0)
    at = 2
    while True:
        if data[at] != 0xFF:
            raise IndexError(at)
        mark = data[at + 1]
        if mark == 0xFF:
            at += 1
            continue
        if mark < _JPEG_FIRST_WITH_LENGTH or mark in _JPEG_WITHOUT_LENGTH:
            raise IndexError(at)
        if mark == _JPEG_SCAN:
            return
        (length,) = struct.unpack_from(">H", data, at + 2)
        yield mark, at + 4, at + 2 + length
        at += 2 + length


def png_chunks(data: Packed) -> Iterator[tuple[bytes, int, int]]:
    """Yield the chunks of a PNG: name, and where its content begins and ends."""
    if data[: len(PNG_START)] != PNG_START:
        raise IndexError(0)
    at = len(PNG_START)
    while at + 8 <= len(data):
        length, name = struct.unpack_from(">I4s", data, at)
        yield name, at + 8, at + 8 + length
        at += 12 + length


def webp_chunks(data: Packed) -> Iterator[tuple[bytes, int, int]]:
    """Yield the chunks of a WebP: name, and where its content begins and ends."""
    if (data[:4], data[8:_RIFF_HEAD]) != (b"RIFF", b"WEBP"):
        raise IndexError(0)
    at = _RIFF_HEAD
    while at + 8 <= len(data):
        name, length = struct.unpack_from("<4sI", data, at)
        yield name, at + 8, at + 8 + length
        at += 8 + length + length % 2


def put_in_jpeg(picture: bytes, mark: int, content: bytes) -> bytes:
    """Return a JPEG with one segment more, after JFIF and EXIF, which have to come first."""
    at = len(JPEG_START)
    for before, _, end in jpeg_segments(picture):
        if before not in (JPEG_APP0, JPEG_APP1):
            break
        at = end
    return picture[:at] + struct.pack(">BBH", 0xFF, mark, 2 + len(content)) + content + picture[at:]


def put_in_png(picture: bytes, name: bytes, content: bytes) -> bytes:
    """Return a PNG with one chunk more, after its header."""
    body = name + content
    chunk = struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))
    return picture[:_PNG_HEADER_END] + chunk + picture[_PNG_HEADER_END:]


def put_in_webp(picture: bytes, name: bytes, content: bytes, *, flag: int = 0) -> bytes:
    """Return a WebP with one chunk more, at its end; *flag* tells of it in the header.

    Chunks of others' may stand only in the extended format; a picture of any but OpenCV's simple, lossy one
    and that stays as it is.
    """
    body = picture[_RIFF_HEAD:]
    if body[:4] == _WEBP_LOSSY:
        body = _extended_header(body) + body
    elif body[:4] != _WEBP_EXTENDED:
        return picture
    body = body[:8] + bytes([body[8] | flag]) + body[9:] + _webp_chunk(name, content)
    return b"RIFF" + struct.pack("<I", 4 + len(body)) + b"WEBP" + body


def _extended_header(body: bytes) -> bytes:
    """Return the header of the extended format, which repeats the size of the pixels."""
    width, height = (side & 0x3FFF for side in struct.unpack_from("<HH", body, 14))
    sides = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return _webp_chunk(_WEBP_EXTENDED, bytes(4) + sides)


def _webp_chunk(name: bytes, data: bytes) -> bytes:
    return name + struct.pack("<I", len(data)) + data + bytes(len(data) % 2)
