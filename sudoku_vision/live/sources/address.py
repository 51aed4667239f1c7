"""Address: what people write becomes a camera's number, a file or the address of a stream."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlsplit

from sudoku_vision.errors import UsageError

AddressKind = Literal["camera", "file", "stream"]

_LONGEST_NUMBER = 9
"""Digits of a camera's number at most: with more it is none that OpenCV takes."""

_LONGEST_TOLD = 60
"""Characters of what can't be an address that messages repeat."""

DEVICES = Path("/dev")
"""Where Linux keeps its cameras, as ``video0``, ``video1``, ..."""


@dataclass(frozen=True)
class Address:
    """Where frames come from: ``location`` is what OpenCV opens, ``name`` what people are told."""

    kind: AddressKind
    location: int | str
    name: str

    @classmethod
    def of(cls, where: int | str | Path) -> Address:
        """Tell a camera (``0``, ``"0"``, ``/dev/video0``), a stream (``rtsp://...``) and a file apart.

        A password in an address is kept out of its name. Raises :class:`~sudoku_vision.errors.UsageError`
        for a number that no camera has, and for what can't be the name of a file.
        """
        text = str(where)
        if text.isdecimal():
            if len(text) > _LONGEST_NUMBER:
                raise UsageError(
                    f"{text[:_LONGEST_NUMBER]}...: there is no camera of such a number.",
                    "`sudoku-vision live --list` lists those that are there.",
                )
            return cls._camera(int(text))
        if "://" in text and not text.startswith("file://"):
            return cls("stream", text, _without_password(text))
        try:
            path = Path(unquote(urlsplit(text).path) if text.startswith("file://") else text)
            resolved = path.resolve()
        except (OSError, RuntimeError, ValueError):  # a NUL in it, brackets in an address, links in a circle
            raise UsageError(
                f"{text[:_LONGEST_TOLD]!r} can't be the name of a file.", "Name a video file or a camera."
            ) from None
        device = re.fullmatch(rf"video(\d{{1,{_LONGEST_NUMBER}}})", resolved.name)
        if device and resolved.parent == DEVICES:
            return cls._camera(int(device[1]))
        # An absolute path, so that FFmpeg never takes "clip:1.mp4" for a protocol called "clip".
        return cls("file", str(path.absolute()), str(path))

    @classmethod
    def _camera(cls, number: int) -> Address:
        return cls("camera", number, f"camera {number}")


def device_path(number: int) -> Path:
    """Return the file by which Linux offers a camera; elsewhere there is none of that name."""
    return DEVICES / f"video{number}"


def device_numbers() -> list[int]:
    """Return the numbers of all video devices that Linux knows, in order."""
    names = (path.name.removeprefix("video") for path in DEVICES.glob("video*"))
    return sorted(int(name) for name in names if name.isdecimal())


def _without_password(text: str) -> str:
    """Return an address without the part that says who is asking."""
    return re.sub(r"(?<=://)[^/@]*@", "", text)
