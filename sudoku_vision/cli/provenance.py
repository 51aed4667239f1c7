"""Provenance: a picture that a run writes says what it was made from, so that it need not be made again.

The note stands in the picture itself, where its format has room for it: a comment of JPEG, a text of PNG,
a chunk of WebP. So it goes wherever the picture goes, and where there is one, the picture is whole. It holds
no name and no date: the same photo, read in the same way, makes the same file.
"""

import contextlib
import hashlib
import json
import os
import struct
import zlib
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

_DIGEST_BYTES = 16  # enough that no two pictures of anybody's share one by chance
_MARK = b"sudoku-vision "  # what our notes begin with
_MOST_NOTE = 4096  # bytes at the beginning and at the end of a file in which the note stands

_JFIF_END, _PNG_HEADER_END = 20, 33
"""Where the first segment of a JPEG and the first chunk of a PNG end, in files that OpenCV writes."""


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
    hashed = partial(hashlib.blake2b, digest_size=_DIGEST_BYTES)
    if isinstance(source, bytes):
        return hashed(source).hexdigest()
    with source.open("rb") as file:
        return hashlib.file_digest(file, hashed).hexdigest()


def picture_key(source: str, page: int, recipe: str) -> str:
    """Return the key of a page's picture: *source* is the digest of its file, *recipe* how it is made."""
    return digest(json.dumps([source, page, recipe]).encode())


def with_provenance(picture: bytes, ending: str, provenance: Provenance) -> bytes:
    """Return a picture file of OpenCV's with its note; as it is, where its format has no room for one."""
    note = _MARK + json.dumps(asdict(provenance)).encode()
    match ending.lower():
        case ".jpg" | ".jpeg":
            comment = b"\xff\xfe" + struct.pack(">H", 2 + len(note)) + note
            return picture[:_JFIF_END] + comment + picture[_JFIF_END:]
        case ".png":
            text = b"tEXtComment\0" + note
            chunk = struct.pack(">I", len(text) - 4) + text + struct.pack(">I", zlib.crc32(text))
            return picture[:_PNG_HEADER_END] + chunk + picture[_PNG_HEADER_END:]
        case ".webp":
            chunks = picture[8:] + b"NOTE" + struct.pack("<I", len(note)) + note + bytes(len(note) % 2)
            return b"RIFF" + struct.pack("<I", len(chunks)) + chunks
    return picture


def provenance_of(path: str | Path) -> Provenance | None:
    """Return what the note in a picture file says, None without one of ours or without a file."""
    if Path(path).suffix.lower() not in (".jpg", ".jpeg", ".png", ".webp"):
        return None
    with contextlib.suppress(OSError, ValueError, TypeError, RecursionError), Path(path).open("rb") as file:
        ends = file.read(_MOST_NOTE)
        file.seek(max(0, os.fstat(file.fileno()).st_size - _MOST_NOTE))
        ends += file.read(_MOST_NOTE)
        start = ends.index(_MARK) + len(_MARK)
        fields, _ = json.JSONDecoder().raw_decode(ends[start:].decode("latin-1"))
        note = Provenance(**fields)
        kinds = {"key": str, "status": str, "grids": int, "confidence": int | float | None}
        return note if all(isinstance(getattr(note, name), kind) for name, kind in kinds.items()) else None
    return None
