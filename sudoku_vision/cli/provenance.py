"""Provenance: a picture that a run writes says what it was made from, so that it need not be made again.

The note stands in the picture itself, where its format has room for it: a comment of JPEG, a text of PNG,
a chunk of WebP. So it goes wherever the picture goes, and where there is one, the picture is whole. It holds
no name and no date: the same photo, read in the same way, makes the same file.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import mmap
import struct
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import islice, takewhile
from pathlib import Path

from sudoku_vision.vision.containers import (
    JPEG_COMMENT,
    Packed,
    jpeg_segments,
    png_chunks,
    put_in_jpeg,
    put_in_png,
    put_in_webp,
    webp_chunks,
)

_DIGEST_BYTES = 16
"""Enough that no two pictures of anybody's share one by chance."""

_MARK = b"sudoku-vision "
"""What our notes begin with."""

_MOST_NOTE = 4096
"""Bytes of a note at most; what claims more is none of ours."""

_MOST_PIECES = 64
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
    faults = (OSError, ValueError, TypeError, IndexError, RecursionError, struct.error)
    notes = _NOTES.get(Path(path).suffix.lower())
    if notes is None:
        return None
    with (
        contextlib.suppress(*faults),
        Path(path).open("rb") as file,
        mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data,
    ):
        for start, end in notes(data):
            note = data[start : min(end, start + _MOST_NOTE)]
            if note.startswith(_MARK):
                return _checked(Provenance(**json.loads(note[len(_MARK) :])))
    return None


def _checked(note: Provenance) -> Provenance:
    """Return what a note says; raises :class:`TypeError` where its values are of other kinds."""
    sure = note.confidence is None or isinstance(note.confidence, int | float)
    if not (
        isinstance(note.key, str) and isinstance(note.status, str) and isinstance(note.grids, int) and sure
    ):
        raise TypeError(note)
    return note


_PNG_TEXT, _PNG_KEYWORD, _PNG_PIXELS = b"tEXt", b"Comment\0", b"IDAT"
_WEBP_NOTE = b"NOTE"


def _put_png(picture: bytes, note: bytes) -> bytes:
    return put_in_png(picture, _PNG_TEXT, _PNG_KEYWORD + note)


def _jpeg_notes(file: Packed) -> Iterator[tuple[int, int]]:
    yield from (
        (at, end) for mark, at, end in islice(jpeg_segments(file), _MOST_PIECES) if mark == JPEG_COMMENT
    )


def _png_notes(file: Packed) -> Iterator[tuple[int, int]]:
    before_pixels = takewhile(lambda chunk: chunk[0] != _PNG_PIXELS, islice(png_chunks(file), _MOST_PIECES))
    yield from ((at + len(_PNG_KEYWORD), end) for name, at, end in before_pixels if name == _PNG_TEXT)


def _webp_notes(file: Packed) -> Iterator[tuple[int, int]]:
    yield from ((at, end) for name, at, end in islice(webp_chunks(file), _MOST_PIECES) if name == _WEBP_NOTE)


_PUT: dict[str, Callable[[bytes, bytes], bytes]] = {
    ".jpg": lambda picture, note: put_in_jpeg(picture, JPEG_COMMENT, note),
    ".jpeg": lambda picture, note: put_in_jpeg(picture, JPEG_COMMENT, note),
    ".png": _put_png,
    ".webp": lambda picture, note: put_in_webp(picture, _WEBP_NOTE, note),
}
_NOTES: dict[str, Callable[[Packed], Iterator[tuple[int, int]]]] = {
    ".jpg": _jpeg_notes,
    ".jpeg": _jpeg_notes,
    ".png": _png_notes,
    ".webp": _webp_notes,
}
"""Where in a file comments, texts or notes begin and end, of which one may be ours."""
