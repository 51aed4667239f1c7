"""Files: the endings of pictures, what kind of file this is by its first bytes, and a path becomes bytes."""

from __future__ import annotations

import glob
import os
import stat
import sys
from pathlib import Path

from sudoku_vision.errors import NoPictureError, OpenError

STDIN = "-"
"""The path that stands for standard input."""

PICTURE_ENDINGS = (
    *(".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".ppm", ".pgm"),
    *(".avif", ".heic", ".heif", ".hif", ".pdf"),
)
"""Endings by which a picture is known when a folder is searched, in small letters."""

SNIFFED_BYTES = 1024
"""Bytes looked at: a PDF may begin with as much of something else."""

_BEGINNINGS = {
    "Jpeg": (b"\xff\xd8\xff",),
    "Png": (b"\x89PNG\r\n\x1a\n",),
    "Gif": (b"GIF8",),
    "Tiff": (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"),
    "Bmp": (b"BM",),
    "Ppm": (b"P1", b"P2", b"P3", b"P4", b"P5", b"P6"),
}
"""What files of each kind begin with, of those that are known by that."""

_AVIF = {b"avif", b"avis"}
_HEIF = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs"}
_EITHER = {b"mif1", b"msf1"}
"""Brands of the ISO container (ISO/IEC 23008-12); the last two say no more than that it holds pictures."""


def kind_of(head: bytes, name: str) -> str:
    """Tell the kind of a file that begins with *head*: the name of a Pillow plug-in, ``Heif`` or ``Pdf``.

    Raises :class:`OpenError` with what is to be said if it is none of them.
    """
    if not head:
        raise OpenError(f"{name}: the file is empty.", "Copy or download it again.")
    for kind, beginnings in _BEGINNINGS.items():
        if head.startswith(beginnings):
            return kind
    if head[8:12] == b"WEBP":
        return "WebP"
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


def opened(source: str | Path | bytes) -> Path | bytes:
    """Return what holds a picture: the path of a PDF, which need not be read whole, all bytes of others.

    The first few are looked at before a file is read that can't be a picture.
    """
    if isinstance(source, bytes):
        return source
    name = str(source)
    if not name:
        raise OpenError("The name of a picture is empty.", "Name a file, a folder or a pattern.")
    try:
        if name == STDIN:
            # None in a program that was started without.
            if data := sys.stdin.buffer.read() if sys.stdin else b"":
                return data
            what = f"{STDIN}: nothing came on standard input."
            raise OpenError(what, "Send one picture to it, and name it once.")
        with Path(source).open("rb") as file:
            head = file.read(SNIFFED_BYTES)
            if kind_of(head, name) == "Pdf" and stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return Path(source)
            return head + file.read()
    except FileNotFoundError:
        what = "no file matches this pattern" if glob.has_magic(name) else "there is no such file"
        raise OpenError(f"{name}: {what}.", "Check the spelling and the folder.") from None
    except IsADirectoryError:
        raise OpenError(f"{name}: this is a folder.", "Name the pictures in it one by one.") from None
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        what = f"{name}: the file can't be read ({reason})."
        raise OpenError(what, "Check its name and permissions.") from None
