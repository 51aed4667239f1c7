"""Paths: the pictures of a folder, the order that people count in, and a path becomes bytes."""

from __future__ import annotations

import glob
import os
import re
import stat
import sys
from pathlib import Path

from sudoku_vision.errors import OpenError
from sudoku_vision.vision.load.sniff import SNIFFED_BYTES, kind_of

STDIN = "-"
"""The path that stands for standard input."""

_JPEG_ENDINGS = (".jpg", ".jpeg", ".jpe", ".jfif")
_OTHER_ENDINGS = (".png", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".ppm", ".pgm", ".avif")
_EXTRA_ENDINGS = (".heic", ".heif", ".hif", ".pdf")
PICTURE_ENDINGS = _JPEG_ENDINGS + _OTHER_ENDINGS + _EXTRA_ENDINGS
"""Endings by which a picture is known when a folder is searched, in small letters."""


def pictures_in(folder: str | Path) -> list[str]:
    """Return the pictures in a folder, told by their endings, hidden ones left out; in no order."""
    try:
        entries = [path for path in Path(folder).iterdir() if path.suffix.lower() in PICTURE_ENDINGS]
        return [str(path) for path in entries if not path.name.startswith(".") and path.is_file()]
    except OSError:
        return []


def natural_key(path: str) -> list[tuple[int, int | str]]:
    """Return what to sort paths by, so that photo2 comes before photo10."""
    parts = _NUMBERS_AND_OTHERS.findall(path)
    return [(0, int(part)) if part.isascii() and part.isdigit() else (1, part) for part in parts]


_NUMBERS_AND_OTHERS = re.compile("[0-9]+|[^0-9 ]")


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def opened(source: str | Path | bytes) -> Path | bytes:
    """Return what holds a picture: the path of a PDF, which need not be read whole, all bytes of others.

    The first few are looked at before a file is read that can't be a picture.
    """
    if isinstance(source, bytes):
        return source
    name = str(source)
    try:
        if name == STDIN:
            return _standard_input()
        if not name:
            raise OpenError("The name of a picture is empty.", "Name a file, a folder or a pattern.")
        with Path(source).open("rb") as file:
            head = file.read(SNIFFED_BYTES)
            if kind_of(head, name) == "Pdf" and stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return Path(source)
            return head + file.read()
    except FileNotFoundError:
        if glob.has_magic(name):
            raise OpenError(
                f"{name}: no file matches this pattern.", "Check the spelling and the folder."
            ) from None
        raise OpenError(f"{name}: there is no such file.", "Check the spelling and the folder.") from None
    except IsADirectoryError:
        raise _folder_error(name) from None
    except (OSError, ValueError) as error:
        reason = _reason(error) if isinstance(error, OSError) else str(error)
        raise OpenError(
            f"{name}: the file can't be read ({reason}).", "Check its name and permissions."
        ) from None


def _standard_input() -> bytes:
    """Read everything on standard input, which is None in a program that was started without."""
    data = sys.stdin.buffer.read() if sys.stdin else b""
    if not data:
        raise OpenError(
            f"{STDIN}: nothing came on standard input.", "Send one picture to it, and name it once."
        )
    return data


def _folder_error(name: str) -> OpenError:
    if pictures_in(name):
        return OpenError(f"{name}: this is a folder.", "Name the pictures in it one by one.")
    return OpenError(
        f"{name}: the folder holds no pictures.", "Name one with .jpg, .png or .webp files in it."
    )
