"""Paths: the endings of pictures, and a path becomes bytes."""

from __future__ import annotations

import glob
import os
import stat
import sys
from pathlib import Path

from sudoku_vision.errors import OpenError
from sudoku_vision.vision.load.sniff import SNIFFED_BYTES, kind_of

STDIN = "-"
"""The path that stands for standard input."""

PICTURE_ENDINGS = (
    *(".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".ppm", ".pgm"),
    *(".avif", ".heic", ".heif", ".hif", ".pdf"),
)
"""Endings by which a picture is known when a folder is searched, in small letters."""


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
