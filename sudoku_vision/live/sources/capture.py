"""Capture: OpenCV's capture of a camera, a file or a stream, opened quietly and with limits on waiting.

OpenCV and its FFmpeg write to standard error what the caller learns anyway from what is returned, and people
in plain words from :mod:`~sudoku_vision.live.sources.errors`. So both are silent while a source is opened.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from sudoku_vision.live.sources.address import Address

STREAM_TIMEOUT = 5.0
"""Seconds in which a stream must answer: a slow network takes one, OpenCV by itself would wait thirty."""
_SILENT = 0
"""The level at which OpenCV writes no word."""
LARGEST_UNCOMPRESSED = 640 * 480
"""Pixels of a frame above which a camera is asked for compressed ones: plain ones are too many for USB 2."""


class Capture(Protocol):
    """The part of ``cv2.VideoCapture`` that is used."""

    def isOpened(self) -> bool: ...  # noqa: D102, N802
    def read(self) -> tuple[bool, Any]: ...  # noqa: D102
    def get(self, propId: int, /) -> float: ...  # noqa: D102, N803
    def release(self) -> None: ...  # noqa: D102


Opener = Callable[[Address, "tuple[int, int] | None"], Capture]
"""Opens an address; the size (width, height), in pixels, is asked of a camera, which gives the nearest."""


def open_capture(address: Address, size: tuple[int, int] | None) -> Capture:
    """Open *address* with OpenCV; whether that went well, ``isOpened`` says."""
    import cv2

    with quiet():
        if address.kind == "camera":
            capture = cv2.VideoCapture(int(address.location), _camera_backend())
            if size is not None and capture.isOpened():
                _request_size(capture, size)
            return capture
        # FFmpeg alone: what else OpenCV would try takes a broken film2.mp4 for the second of many pictures.
        ffmpeg = cv2.CAP_FFMPEG in cv2.videoio_registry.getStreamBackends()
        if not ffmpeg:
            return cv2.VideoCapture(str(address.location))
        return cv2.VideoCapture(str(address.location), cv2.CAP_FFMPEG, _timeouts())


def _camera_backend() -> int:
    """Return OpenCV's backend for cameras: on Linux the one that there is, elsewhere what it prefers."""
    import cv2

    video4linux = sys.platform == "linux" and cv2.CAP_V4L2 in cv2.videoio_registry.getCameraBackends()
    return cv2.CAP_V4L2 if video4linux else cv2.CAP_ANY


def _request_size(capture: Any, size: tuple[int, int]) -> None:
    import cv2

    if size[0] * size[1] > LARGEST_UNCOMPRESSED:
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])


def _timeouts() -> list[int]:
    """Return the time limits of FFmpeg as OpenCV takes them: property, milliseconds, and so on."""
    import cv2

    wait = round(STREAM_TIMEOUT * 1000)
    return [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, wait, cv2.CAP_PROP_READ_TIMEOUT_MSEC, wait]


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keep OpenCV from writing to standard error, and FFmpeg unless the environment asks for its words."""
    # OpenCV hands this to FFmpeg the first time that it is used; there is no other way to set it.
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    import cv2

    if not hasattr(cv2.utils, "logging"):  # as in OpenCV 4.10
        level = getattr(cv2, "getLogLevel")()  # noqa: B009 (later releases have no such names)
        set_level = getattr(cv2, "setLogLevel")  # noqa: B009
        set_level(_SILENT)
    else:
        set_level = cv2.utils.logging.setLogLevel
        level = set_level(_SILENT)
    try:
        yield
    finally:
        set_level(level)
