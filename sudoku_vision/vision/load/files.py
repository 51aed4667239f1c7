"""Read the sources of pictures that programs may pass, and recognise a file's kind by its first bytes."""

from __future__ import annotations

import glob
import os
import re
import stat
import sys
from io import TextIOBase
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeGuard, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.errors import NoPictureError, OpenError, SourceError, TooLargeError
from sudoku_vision.vision.results import Photo

if TYPE_CHECKING:
    from PIL.Image import Image as PillowImage

MAX_STREAM_BYTES = 1 << 30
"""A file or stream with more bytes than this is refused. About a thousand scanned pages have this size.

There is a limit because a stream may have no end.
"""

_PIECE = 1 << 20  # number of bytes that are read at a time

SOURCES = (
    "Hand over a path, the bytes of a picture file, a binary file object, a NumPy array of pixels, "
    "a PIL image, or a Photo. (OpenCV returns None for a file that it can't read.)"
)
"""The advice in the message about a wrong source; it names all kinds of sources."""

PixelSource: TypeAlias = "NDArray[Any] | PillowImage | Photo"
"""The sources that hold their pixels in memory: an array, an image of Pillow, or a photo."""
Source: TypeAlias = "str | os.PathLike[str] | bytes | bytearray | memoryview | BinaryFile | PixelSource"
"""Sources of pictures: a path (``"-"``: standard input), the bytes of a file, an open file, or pixels."""
STDIN = "-"  # the path that stands for standard input
PICTURE_ENDINGS = (
    *(".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".ppm", ".pgm"),
    *(".jp2", ".j2k", ".avif", ".heic", ".heif", ".hif", ".pdf"),
)
"""Endings of file names, in lower case. In a folder, only files with these endings are read."""
SNIFFED_BYTES = 1024
"""The kind of a file is recognised by this number of bytes at its beginning. Most kinds need fewer, but the
mark of a PDF can stand anywhere in these bytes."""
_GAP = rb"\s+(?:#[^\n]*\n\s*)*"
_KINDS = {
    "Jpeg": rb"\xff\xd8\xff",
    "Png": rb"\x89PNG\r\n\x1a\n",
    "Gif": rb"GIF8",
    "Tiff": rb"II[*+]\0|MM\0[*+]",
    "Bmp": rb"BM.{12}[\x0c\x10\x28\x34\x38\x40\x6c\x7c]\0\0\0",
    "Ppm": rb"P[1-6]" + 2 * (_GAP + rb"[1-9]\d{1,5}") + rb"\s",
    "WebP": rb"RIFF.{4}WEBP",
    "Jpeg2K": rb"\0\0\0\x0cjP  \r\n\x87\n|\xff\x4f\xff\x51",
}
"""For each kind of file, a regular expression for its first bytes.

A text can begin with BM or P1, too. So the expression for "Bmp" demands the size of a header after BM. The
one for "Ppm" demands the width and height of a picture after P1 to P6, each at least ten pixels.
"""
_FILM = rb"\x1aE\xdf\xa3|RIFF.{4}AVI |OggS|FLV\x01|\0\0\x01\xba"
"""The first bytes of films: WebM and MKV, AVI, Ogg, FLV, MPEG. Films in MP4 and MOV are recognised by the
brand, a name of four letters in the header of the file."""
_PACKED = rb"\x1f\x8b|PK\x03\x04|BZh|7z\xbc\xaf|Rar!"  # the first bytes of packed files and archives
_AVIF = {b"avif", b"avis"}
_HEIF = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs"}
_EITHER = {b"mif1", b"msf1"}
"""Brands (names of four letters) in the header of ISO container files (ISO/IEC 23008-12).

``_AVIF`` and ``_HEIF`` are the brands of these formats. The brands in ``_EITHER`` occur in both formats: they
only mean that a file holds pictures.
"""


@runtime_checkable
class BinaryFile(Protocol):
    """An open file, a stream or an upload: any object from which bytes can be read."""

    def read(self, size: int, /) -> bytes:
        """Return the next bytes, at most *size* bytes. At the end of the file, return ``b""``."""


def is_pillow(source: object) -> TypeGuard[PillowImage]:
    """Return whether *source* is an image of Pillow, without importing Pillow."""
    pillow = sys.modules.get("PIL.Image")
    return pillow is not None and isinstance(source, pillow.Image)


def is_pixels(source: object) -> TypeGuard[PixelSource]:
    """Return whether *source* holds pixels in memory: an array, an image of Pillow, or a photo."""
    return isinstance(source, Photo | np.ndarray) or is_pillow(source)


def name_of(source: object) -> str:
    """Return the name that messages use for *source* if the program gives it no name."""
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
    """Read an open file to its end, and return its bytes. *size*: the number of bytes, or 0 if unknown.

    Raises :class:`TooLargeError` if the file has more than :data:`MAX_STREAM_BYTES` bytes.
    """
    if isinstance(file, TextIOBase):
        raise SourceError(f"{name}: this file gives text, not bytes.", 'Open it with mode "rb".')
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
    """Return the kind of a file: the name of a Pillow plug-in, "Heif" or "Pdf". *head*: its first bytes.

    Raises :class:`OpenError` if the file is empty, a film or of an unknown kind.
    """
    if not head:
        raise OpenError(f"{name}: the file is empty.", "Copy or download it again.")
    for kind, beginning in _KINDS.items():
        if re.match(beginning, head, re.DOTALL):
            return kind
    if re.match(_FILM, head, re.DOTALL):
        raise _film(name)
    if re.match(_PACKED, head):
        remedy = "Unpack it first. Lists that are packed by gzip are read by: sudoku-vision puzzles"
        raise NoPictureError(f"{name}: this is a packed file, not a picture.", remedy)
    if head[4:8] == b"ftyp":
        return _container_kind(head, name)
    if b"%PDF-" in head:
        return "Pdf"
    raise NoPictureError(
        f"{name}: this is not a picture.", "Name a JPEG, PNG, WebP, GIF, TIFF, BMP or PDF file."
    )


def _container_kind(head: bytes, name: str) -> str:
    """Return the kind of an ISO container file, "Avif" or "Heif"; raise an error if the file is a film.

    *head*: the first bytes of the file. The brands (names of four letters) in its header show the kind.
    """
    major = head[8:12]
    end = min(int.from_bytes(head[:4], "big"), len(head))
    brands = {head[at : at + 4] for at in range(16, end - 3, 4)}
    if major in _AVIF or (major in _EITHER and brands & _AVIF):
        return "Avif"
    if major in _HEIF | _EITHER:
        return "Heif"
    raise _film(name)


def _film(name: str) -> NoPictureError:
    remedy = "Use `sudoku-vision live --source FILE`, or save one frame as JPEG or PNG."
    return NoPictureError(f"{name}: this is a film, not a picture.", remedy)


def opened(source: object, name: str = "", *, text_bytes: int = 0) -> Path | bytes:
    """Return the bytes of a file. But if *source* is the path of a PDF, return this path.

    *source* is a path, the bytes of a file, or an open file. An open file is read from its current position.
    If a path leads to a file that is no picture, an error is raised. The path of a PDF is returned because
    its pages are read later.

    If *text_bytes* isn't 0, the bytes of a PDF are always returned. Then a path can also lead to a text file,
    and at most the first :data:`SNIFFED_BYTES` + *text_bytes* bytes of the text are returned. Raises
    :class:`SourceError` for wrong sources, and :class:`OpenError` for files that can't be read.
    """
    if isinstance(source, bytes | bytearray | memoryview):
        return bytes(source)
    if isinstance(source, type) or not isinstance(source, str | os.PathLike | BinaryFile):
        what = "None" if source is None else f"An object of type {type(source).__name__}"
        raise SourceError(f"{what} is no picture.", SOURCES)
    name = name or name_of(source)
    try:
        if isinstance(source, BinaryFile):
            return read_stream(source, name)
        path = os.fsdecode(source)
        if not path:
            raise OpenError("The name of a picture is empty.", "Name a file, a folder or a pattern.")
        if path == STDIN:
            # sys.stdin is None in a program that was started without standard input.
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
        if "://" in name:
            what = f"{name}: nothing is downloaded."
            raise OpenError(what, "Download the picture first, then name the file.") from None
        what = "no file matches this pattern" if glob.has_magic(name) else "there is no such file"
        raise OpenError(f"{name}: {what}.", "Check the spelling and the folder.") from None
    except IsADirectoryError:
        raise OpenError(f"{name}: this is a folder.", "Name the pictures in it one by one.") from None
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        what = f"{name}: the file can't be read ({reason})."
        raise OpenError(what, "Check its name and permissions.") from None


def _read_on(file: BinaryFile, head: bytes, name: str, text_bytes: int, size: int = 0) -> bytes:
    """Return the bytes of an open file. *head*: its first bytes, which have already been read.

    All bytes of a picture are returned. If the file is no picture, *head* and at most *text_bytes* more bytes
    are returned; if *text_bytes* is 0, an error is raised. *size*: the size of the file in bytes, or 0 if
    unknown.
    """
    try:
        kind_of(head, name)
    except OpenError:
        if not text_bytes:
            raise
        return head + file.read(text_bytes)
    return head + read_stream(file, name, size)
