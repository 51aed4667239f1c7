"""Files: what programs may hand over, a path becomes bytes, and its first bytes tell the kind of a file."""

from __future__ import annotations

import glob
import os
import re
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeGuard, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.errors import NoPictureError, OpenError, SourceError, TooLargeError
from sudoku_vision.results import Photo

if TYPE_CHECKING:
    from PIL.Image import Image as PillowImage

MAX_STREAM_BYTES = 1 << 30
"""Bytes that are read of a file: a thousand scanned pages. What it comes from may have no end."""

_PIECE = 1 << 20  # bytes asked for at a time

SOURCES = (
    "Hand over a path, the bytes of a picture file, a binary file object, a NumPy array of pixels, "
    "a PIL image, or a Photo."
)
"""Remedy that names all that can be a picture."""

PixelSource: TypeAlias = "NDArray[Any] | PillowImage | Photo"
"""Pixels in memory."""
Source: TypeAlias = "str | os.PathLike[str] | bytes | bytearray | memoryview | BinaryFile | PixelSource"
"""What functions for pictures take: a path (``"-"``: standard input), the bytes of a file, or an open one; or
pixels in memory."""
STDIN = "-"  # the path that stands for standard input
PICTURE_ENDINGS = (
    *(".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".ppm", ".pgm"),
    *(".avif", ".heic", ".heif", ".hif", ".pdf"),
)
"""Endings by which a picture is known when a folder is searched, in small letters."""
SNIFFED_BYTES = 1024  # bytes looked at: a PDF may begin with as much of something else
_GAP = rb"\s+(?:#[^\n]*\n\s*)*"
_KINDS = {
    "Jpeg": rb"\xff\xd8\xff",
    "Png": rb"\x89PNG\r\n\x1a\n",
    "Gif": rb"GIF8",
    "Tiff": rb"II[*+]\0|MM\0[*+]",
    "Bmp": rb"BM.{12}[\x0c\x10\x28\x34\x38\x40\x6c\x7c]\0\0\0",
    "Ppm": rb"P[1-6]" + 2 * (_GAP + rb"[1-9]\d{1,5}") + rb"\s",
    "WebP": rb"RIFF.{4}WEBP",
}
"""What files of each kind begin with. A text may begin with BM or P1, too: the size of a header must follow,
or that of a picture of ten pixels a side at least."""
_AVIF = {b"avif", b"avis"}
_HEIF = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs"}
_EITHER = {b"mif1", b"msf1"}
"""Brands of the ISO container (ISO/IEC 23008-12); the last two say no more than that it holds pictures."""


@runtime_checkable
class BinaryFile(Protocol):
    """An open file, a stream, an upload: whatever gives bytes when it is asked for them."""

    def read(self, size: int, /) -> bytes:
        """Return at most *size* bytes, none at the end."""


def is_pillow(source: object) -> TypeGuard[PillowImage]:
    """Tell whether *source* is an image of Pillow, which is not imported to find out."""
    pillow = sys.modules.get("PIL.Image")
    return pillow is not None and isinstance(source, pillow.Image)


def is_pixels(source: object) -> TypeGuard[PixelSource]:
    """Tell whether *source* is pixels in memory, and no file."""
    return isinstance(source, Photo | np.ndarray) or is_pillow(source)


def name_of(source: object) -> str:
    """Return what messages call *source* where a program gives it no name."""
    if isinstance(source, Photo):
        return source.source
    if isinstance(source, str | os.PathLike):
        return os.fsdecode(source)
    if isinstance(source, np.ndarray):
        return "<array>"
    if isinstance(source, bytes | bytearray | memoryview):
        return "<bytes>"
    attribute, otherwise = ("filename", "<image>") if is_pillow(source) else ("name", "<file>")
    own = getattr(source, attribute, None)
    return os.fsdecode(own) if own and isinstance(own, str | bytes) else otherwise


def read_stream(file: BinaryFile, name: str, size: int = 0) -> bytes:
    """Read an open file to its end, which what it comes from may not have; *size* in bytes, where known.

    Raises :class:`TooLargeError`.
    """
    data = bytearray()
    while size <= MAX_STREAM_BYTES and (piece := file.read(_PIECE)):
        if not isinstance(piece, bytes | bytearray | memoryview):
            given = type(piece).__name__
            raise SourceError(f"{name}: this file gives {given}, not bytes.", 'Open it with mode "rb".')
        data += piece
        size = max(size, len(data))
    if size > MAX_STREAM_BYTES:
        most = f"{MAX_STREAM_BYTES / (1 << 30):g} GB"
        raise TooLargeError(f"{name}: it goes on past {most}.", "Make it smaller, or split it.")
    return bytes(data)


def kind_of(head: bytes, name: str) -> str:
    """Tell the kind of a file that begins with *head*: the name of a Pillow plug-in, ``Heif`` or ``Pdf``.

    Raises :class:`OpenError` with what is to be said if it is none of them.
    """
    if not head:
        raise OpenError(f"{name}: the file is empty.", "Copy or download it again.")
    for kind, beginning in _KINDS.items():
        if re.match(beginning, head, re.DOTALL):
            return kind
    if head[4:8] == b"ftyp":
        return _container_kind(head, name)
    if b"%PDF-" in head:
        return "Pdf"
    raise NoPictureError(
        f"{name}: this is not a picture.", "Name a JPEG, PNG, WebP, GIF, TIFF, BMP or PDF file."
    )


def _container_kind(head: bytes, name: str) -> str:
    """Tell HEIC, AVIF and videos apart by the brands in the first box."""
    major = head[8:12]
    end = min(int.from_bytes(head[:4], "big"), len(head))
    brands = {head[at : at + 4] for at in range(16, end - 3, 4)}
    if major in _AVIF or (major in _EITHER and brands & _AVIF):
        return "Avif"
    if major in _HEIF | _EITHER:
        return "Heif"
    raise NoPictureError(f"{name}: videos are not supported.", "Save one frame as JPEG or PNG first.")


def opened(source: object, name: str = "", *, text_bytes: int = 0) -> Path | bytes:
    """Return what holds a picture: the path of a PDF, which need not be read whole, all bytes of others.

    *source* is a path, the bytes of a file, or an open one, which is read from where it is. What can't be a
    picture by its first few bytes is not read; with *text_bytes*, so many of it are, and a PDF is read whole.
    Raises :class:`SourceError` and :class:`OpenError`.
    """
    if isinstance(source, bytes | bytearray | memoryview):
        return bytes(source)
    if isinstance(source, type) or not isinstance(source, str | os.PathLike | BinaryFile):
        raise SourceError(f"An object of type {type(source).__name__} is no picture.", SOURCES)
    name = name or name_of(source)
    try:
        if isinstance(source, BinaryFile):
            return read_stream(source, name)
        path = os.fsdecode(source)
        if not path:
            raise OpenError("The name of a picture is empty.", "Name a file, a folder or a pattern.")
        if path == STDIN:
            # None in a program that was started without.
            if sys.stdin and (head := sys.stdin.buffer.read(SNIFFED_BYTES)):
                return _read_on(sys.stdin.buffer, head, name, text_bytes)
            what = f"{STDIN}: nothing came on standard input."
            raise OpenError(what, "Send one picture or board to it, and name it once.")
        with Path(path).open("rb") as file:
            status, head = os.fstat(file.fileno()), file.read(SNIFFED_BYTES)
            if not text_bytes and kind_of(head, name) == "Pdf" and stat.S_ISREG(status.st_mode):
                return Path(path)
            return _read_on(file, head, name, text_bytes, status.st_size)
    except FileNotFoundError:
        what = "no file matches this pattern" if glob.has_magic(name) else "there is no such file"
        raise OpenError(f"{name}: {what}.", "Check the spelling and the folder.") from None
    except IsADirectoryError:
        raise OpenError(f"{name}: this is a folder.", "Name the pictures in it one by one.") from None
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        what = f"{name}: the file can't be read ({reason})."
        raise OpenError(what, "Check its name and permissions.") from None


def _read_on(file: BinaryFile, head: bytes, name: str, text_bytes: int, size: int = 0) -> bytes:
    """Return all of an open file, of which the *head* was read; its *size* in bytes is known, or 0."""
    try:
        kind_of(head, name)
    except OpenError:
        if not text_bytes:
            raise
        return head + file.read(text_bytes)
    return head + read_stream(file, name, size)
