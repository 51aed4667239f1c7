"""Sources: what programs hand over as a picture, and the words where it can't be one."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeGuard, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.errors import SourceError, TooLargeError
from sudoku_vision.results import Photo

if TYPE_CHECKING:
    from PIL.Image import Image as PillowImage

MAX_STREAM_BYTES = 1 << 30
"""Bytes that are read of a file: a thousand scanned pages. What it comes from may have no end."""

_PIECE = 1 << 20
"""Bytes asked for at a time."""

SOURCES = (
    "Hand over a path, the bytes of a picture file, a binary file object, a NumPy array of pixels, "
    "a PIL image, or a Photo."
)
"""Remedy that names all that can be a picture."""


@runtime_checkable
class BinaryFile(Protocol):
    """An open file, a stream, an upload: whatever gives bytes when it is asked for them."""

    def read(self, size: int, /) -> bytes:
        """Return at most *size* bytes, none at the end."""


PixelSource: TypeAlias = "NDArray[Any] | PillowImage | Photo"
"""Pixels in memory."""

Source: TypeAlias = "str | os.PathLike[str] | bytes | bytearray | memoryview | BinaryFile | PixelSource"
"""What functions for pictures take: a path (``"-"``: standard input), the bytes of a file, or an open one; or
pixels in memory."""


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
