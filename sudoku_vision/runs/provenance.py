"""Provenance: a picture that a run writes says what it was made from, so that it need not be made again.

The note stands in the picture itself, where its format has room for it: a comment of JPEG, a text of PNG,
a chunk of WebP. So it goes wherever the picture goes, and where there is one, the picture is whole. It holds
no name and no date: the same photo, read in the same way, makes the same file.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import struct
import zlib
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO

_DIGEST_BYTES = 16
"""Enough that no two pictures of anybody's share one by chance."""

_MARK = b"sudoku-vision "
"""What our notes begin with."""

_MOST_NOTE = 4096
"""Bytes of a note at most; what claims more is none of ours."""

_MOST_CHUNKS = 64
"""Pieces of a file that are looked at in search of the note."""


@dataclass(frozen=True)
class Provenance:
    """What a picture was made from, and what came of it.

    ``key`` stands for the source's bytes, the page, and all that decides what is drawn; ``status``, ``grids``
    and ``confidence`` are what a report says of the page.
    """

    key: str
    status: str
    grids: int
    confidence: float | None


def digest(source: bytes | Path) -> str:
    """Return what stands for the bytes of a file, which is read bit by bit; raises :class:`OSError`."""
    if isinstance(source, bytes):
        return _hash(source).hexdigest()
    with source.open("rb") as file:
        return hashlib.file_digest(file, _hash).hexdigest()


def _hash(data: bytes = b"") -> hashlib.blake2b:
    return hashlib.blake2b(data, digest_size=_DIGEST_BYTES)


def picture_key(source: str, page: int, recipe: str) -> str:
    """Return the key of a page's picture: *source* is the digest of its file, *recipe* how it is made."""
    return digest(json.dumps([source, page, recipe]).encode())


def with_provenance(picture: bytes, ending: str, provenance: Provenance) -> bytes:
    """Return a picture file with its note; as it is, where its format has no room for one."""
    note = _MARK + json.dumps(asdict(provenance)).encode()
    put = _PUT.get(ending.lower())
    return picture if put is None else put(picture, note)


def provenance_of(path: str | Path) -> Provenance | None:
    """Return what the note in a picture file says, None without one of ours or without a file."""
    faults = (OSError, ValueError, TypeError, RecursionError, struct.error)
    with contextlib.suppress(*faults), Path(path).open("rb") as file:
        find = _FIND.get(Path(path).suffix.lower())
        found = None if find is None else find(file)
        if found is not None and found.startswith(_MARK):
            return _checked(Provenance(**json.loads(found[len(_MARK) :])))
    return None


def _checked(note: Provenance) -> Provenance:
    """Return what a note says; raises :class:`TypeError` where its values are of other kinds."""
    sure = note.confidence is None or isinstance(note.confidence, int | float)
    if not (
        isinstance(note.key, str) and isinstance(note.status, str) and isinstance(note.grids, int) and sure
    ):
        raise TypeError(note)
    return note


# JPEG: segments of a mark, a length that counts itself, and data

_JPEG_START, _JPEG_APP0, _JPEG_APP1 = b"\xff\xd8", b"\xff\xe0", b"\xff\xe1"
_JPEG_COMMENT, _JPEG_SCAN = b"\xff\xfe", b"\xff\xda"


def _put_jpeg(picture: bytes, note: bytes) -> bytes:
    at = len(_JPEG_START)
    while picture[at : at + 2] in (_JPEG_APP0, _JPEG_APP1):  # JFIF and EXIF have to come first
        at += 2 + int.from_bytes(picture[at + 2 : at + 4], "big")
    segment = _JPEG_COMMENT + struct.pack(">H", 2 + len(note)) + note
    return picture[:at] + segment + picture[at:]


def _find_jpeg(file: BinaryIO) -> bytes | None:
    if file.read(2) != _JPEG_START:
        return None
    for _ in range(_MOST_CHUNKS):
        mark, length = struct.unpack(">2sH", file.read(4))
        if mark == _JPEG_COMMENT and length <= _MOST_NOTE:
            return file.read(length - 2)
        if mark[0] != 0xFF or mark == _JPEG_SCAN:
            return None
        file.seek(length - 2, 1)
    return None


# PNG: chunks of a length, a name, data and a check sum

_PNG_START, _PNG_HEADER_END = b"\x89PNG\r\n\x1a\n", 33
_PNG_KEYWORD = b"Comment\0"


def _put_png(picture: bytes, note: bytes) -> bytes:
    body = b"tEXt" + _PNG_KEYWORD + note
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    return picture[:_PNG_HEADER_END] + chunk + picture[_PNG_HEADER_END:]


def _find_png(file: BinaryIO) -> bytes | None:
    if file.read(8) != _PNG_START:
        return None
    for _ in range(_MOST_CHUNKS):
        length, name = struct.unpack(">I4s", file.read(8))
        if name == b"tEXt" and length <= _MOST_NOTE:
            return file.read(length).removeprefix(_PNG_KEYWORD)
        if name == b"IDAT":
            return None
        file.seek(length + 4, 1)
    return None


# WebP: a RIFF of chunks of a name, a length and data, filled up to even lengths

_WEBP_CHUNK = b"NOTE"
_WEBP_LOSSY, _WEBP_EXTENDED = b"VP8 ", b"VP8X"
_WEBP_HEAD = 12


def _put_webp(picture: bytes, note: bytes) -> bytes:
    """Put the note at the end; chunks of others' may stand only in the extended format."""
    body = picture[_WEBP_HEAD:]
    if body[:4] not in (_WEBP_LOSSY, _WEBP_EXTENDED):
        return picture
    if body[:4] == _WEBP_LOSSY:
        body = _extended_header(body) + body
    body += _webp_chunk(_WEBP_CHUNK, note)
    return b"RIFF" + struct.pack("<I", 4 + len(body)) + b"WEBP" + body


def _extended_header(body: bytes) -> bytes:
    """Return the header of the extended format, which repeats the size of the pixels."""
    width, height = (side & 0x3FFF for side in struct.unpack_from("<HH", body, 14))
    sides = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return _webp_chunk(_WEBP_EXTENDED, bytes(4) + sides)


def _webp_chunk(name: bytes, data: bytes) -> bytes:
    return name + struct.pack("<I", len(data)) + data + bytes(len(data) % 2)


def _find_webp(file: BinaryIO) -> bytes | None:
    head = file.read(_WEBP_HEAD)
    if (head[:4], head[8:]) != (b"RIFF", b"WEBP"):
        return None
    for _ in range(_MOST_CHUNKS):
        name, length = struct.unpack("<4sI", file.read(8))
        if name == _WEBP_CHUNK and length <= _MOST_NOTE:
            return file.read(length)
        file.seek(length + length % 2, 1)
    return None


_PUT: dict[str, Callable[[bytes, bytes], bytes]] = {
    ".jpg": _put_jpeg,
    ".jpeg": _put_jpeg,
    ".png": _put_png,
    ".webp": _put_webp,
}
_FIND: dict[str, Callable[[BinaryIO], bytes | None]] = {
    ".jpg": _find_jpeg,
    ".jpeg": _find_jpeg,
    ".png": _find_png,
    ".webp": _find_webp,
}
