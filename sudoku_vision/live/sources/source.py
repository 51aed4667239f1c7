"""Opens a camera, a film or a stream, and reads its frames. Also lists the cameras that are connected.

While a source is opened, the messages of OpenCV and its FFmpeg are silenced. People see the clearer errors of
:class:`~sudoku_vision.live.sources.address.Address` instead.
"""

import contextlib
import math
import os
import queue
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from sudoku_vision.errors import CameraError, UsageError
from sudoku_vision.live.sources.address import Address
from sudoku_vision.values import Image

CAMERA_SIZE = (1280, 720)  # requested width and height of a camera's frames in pixels
MAX_FRAME_PIXELS = 50_000_000
"""Maximum number of pixels of a frame. Larger frames can take gigabytes. An 8K frame has 33 million."""
FIRST_FRAME_TIMEOUT = 10.0
"""Longest wait for the first frame, in seconds. Some cameras need three seconds to set their exposure."""
LOST_AFTER = 3  # a camera is lost after this many failed reads in a row; cheap cameras sometimes drop a frame
MAX_DAMAGED = 1000
"""A film is over after this many failed reads in a row. So up to half a minute of damaged data is skipped. At
the end of a film, each failed read takes only 10 microseconds."""
DEFAULT_RATE = 30.0  # assumed frames per second if a source gives no rate; most cameras have 30
MAX_RATE = 500.0
"""Largest plausible number of frames per second. Some files give the number of clock ticks per second
instead, which is 1000 or 90000."""
STREAM_TIMEOUT = 5.0  # longest wait for a stream, in seconds; a slow network needs 1, OpenCV would wait 30
MAX_UNCOMPRESSED = 640 * 480
"""If frames of a camera have more pixels than this, they are requested as JPEG, because USB 2 is too slow for
such uncompressed frames."""


@dataclass(frozen=True, eq=False)
class CapturedFrame:
    """A frame of a source."""

    pixels: Image  # (H, W, 3) uint8 BGR
    number: int  # from 0; frames that could not be read are counted, too
    seconds: float  # time since the first frame; in a film, the film's own time
    captured_at: float = 0.0  # value of time.monotonic() when the frame arrived


def open_capture(address: Address, size: tuple[int, int] | None) -> cv2.VideoCapture:
    """Open *address* with OpenCV. *size*: requested (width, height) of a camera's frames in pixels."""
    with _quiet():
        if address.kind == "camera":
            video4linux = address.device and cv2.CAP_V4L2 in cv2.videoio_registry.getCameraBackends()
            capture = cv2.VideoCapture(int(address.location), cv2.CAP_V4L2 if video4linux else cv2.CAP_ANY)
            if size is not None and capture.isOpened():
                if size[0] * size[1] > MAX_UNCOMPRESSED:
                    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
                capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
                capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
            return capture
        # Only FFmpeg is used, if OpenCV has it. Another backend reads "film2.mp4" as picture 2 of a series.
        if cv2.CAP_FFMPEG not in cv2.videoio_registry.getStreamBackends():
            return cv2.VideoCapture(str(address.location))
        wait = round(STREAM_TIMEOUT * 1000)
        limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, wait, cv2.CAP_PROP_READ_TIMEOUT_MSEC, wait]
        return cv2.VideoCapture(str(address.location), cv2.CAP_FFMPEG, limits)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Silence OpenCV in the ``with`` block, and FFmpeg if no environment variable sets its log level."""
    # OpenCV reads this variable when FFmpeg is first used. Only this variable sets the log level of FFmpeg.
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    level = cv2.utils.logging.setLogLevel(0)  # 0: no messages at all
    try:
        yield
    finally:
        cv2.utils.logging.setLogLevel(level)


class Source(contextlib.AbstractContextManager["Source"]):
    """A source that is open and has given its first frame.

    ``name`` and ``kind`` come from its address. ``size`` is the (width, height) of its frames in pixels.
    ``rate`` is in frames per second, and is 30 if it is unknown. ``count`` is the number of frames that the
    header of a film states, or None. Only one thread at a time may read the source.
    """

    def __init__(
        self, where: int | str | Path, *, size: tuple[int, int] | None = None, mirror: bool = False
    ) -> None:
        """Open a camera by its number (``0``, ``"0"``, ``/dev/video0``), a video file or a stream.

        *size* is the requested (width, height) of a camera's frames, by default :data:`CAMERA_SIZE`. *mirror*
        swaps left and right, for cameras that give a mirror image. Raises :class:`CameraError` if the source
        gives no first frame in time, and :class:`UsageError` if a *size* is given and the source is no
        camera.
        """
        self.address = Address.of(where)
        self.name, self.kind = self.address.name, self.address.kind
        is_camera = self.kind == "camera"
        if size is not None and not is_camera:
            raise UsageError(f"{self.name}: only a camera can be asked for a size.", "Leave the size out.")
        self._requested_size = (size or CAMERA_SIZE) if is_camera else None
        self._mirror = mirror
        self.damaged = 0  # number of frames so far that could not be read; they were left out
        self._number = 0
        self._seconds = 0.0
        self._began = 0.0
        self._start = 0.0
        self._capture = self._open()
        rate = self._capture.get(cv2.CAP_PROP_FPS)
        self.rate = rate if math.isfinite(rate) and 0 < rate <= MAX_RATE else DEFAULT_RATE
        first = self._read_first()
        self._first: CapturedFrame | None = first
        self.size = first.pixels.shape[1], first.pixels.shape[0]
        count = self._capture.get(cv2.CAP_PROP_FRAME_COUNT)
        self.count = int(count) if math.isfinite(count) and count > 0 else None

    @property
    def ends(self) -> bool:
        """Whether the source has a last frame, like a film."""
        return self.kind == "file" or (self.kind == "stream" and self.count is not None)

    def read(self) -> CapturedFrame | None:
        """Return the next frame, or None if the film is over, the camera is lost or the stream is broken."""
        if self._first is not None:
            first, self._first = self._first, None
            return first
        pixels = self._pixels()
        return None if pixels is None else self._captured(pixels)

    def reopen(self) -> bool:
        """Open a lost camera or stream again. Return whether that worked. Frame numbers and times go on."""
        self._capture.release()
        if self.address.is_unplugged:
            return False
        self._capture = open_capture(self.address, self._requested_size)
        return self._capture.isOpened()

    def close(self) -> None:
        """Release the camera or file."""
        self._capture.release()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self) -> cv2.VideoCapture:
        self.address.check()
        capture = open_capture(self.address, self._requested_size)
        if not capture.isOpened():
            capture.release()
            raise self.address.unopened_error()
        size = round(capture.get(cv2.CAP_PROP_FRAME_WIDTH)), round(capture.get(cv2.CAP_PROP_FRAME_HEIGHT))
        if size[0] * size[1] > MAX_FRAME_PIXELS:
            capture.release()
            what = f"{self.name}: its frames of {size[0]} x {size[1]} pixels are too large."
            raise CameraError(what, "Make the film smaller.")
        return capture

    def _read_first(self) -> CapturedFrame:
        """Return the first frame. It is read in a thread, because a driver that hangs can't be stopped."""
        found: queue.SimpleQueue[Image | None] = queue.SimpleQueue()
        given_up = threading.Event()

        def read() -> None:
            found.put(self._pixels())
            if given_up.is_set():
                self._capture.release()

        threading.Thread(target=read, name="first frame", daemon=True).start()
        try:
            pixels = found.get(timeout=FIRST_FRAME_TIMEOUT)
        except queue.Empty:
            given_up.set()
            raise self.address.silent_error(FIRST_FRAME_TIMEOUT) from None
        if pixels is None:
            self._capture.release()
            raise self.address.unopened_error()
        self._began = time.monotonic()
        self._start = self._position()
        return self._captured(pixels)

    def _pixels(self) -> Image | None:
        """Return the next frame (H, W, 3) uint8 BGR, or None if all tries to read it fail."""
        for failed in range({"camera": LOST_AFTER, "file": MAX_DAMAGED, "stream": 1}[self.kind]):
            try:
                good, pixels = self._capture.read()
            except cv2.error:
                good, pixels = False, None
            if good and pixels is not None and pixels.size:
                self.damaged += failed
                self._number += failed
                colours = _colours(pixels)
                return np.ascontiguousarray(colours[:, ::-1]) if self._mirror else colours
        return None

    def _captured(self, pixels: Image) -> CapturedFrame:
        now = time.monotonic()
        number = self._number
        if number and self.ends:  # the time of a film always grows
            stamp = self._position() - self._start
            self._seconds = stamp if stamp > self._seconds else self._seconds + 1 / self.rate
        elif number:
            self._seconds = now - self._began
        self._number += 1
        return CapturedFrame(pixels, number, self._seconds, now)

    def _position(self) -> float:
        return self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000


def _colours(pixels: Any) -> Image:
    """Return a frame as (H, W, 3) uint8 BGR; some cameras give grey frames or a fourth channel."""
    if pixels.ndim == 2 or pixels.shape[2] == 1:
        return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_GRAY2BGR), np.uint8)
    return np.ascontiguousarray(pixels[:, :, :3], np.uint8)


MAX_TRIED = 8  # if the system doesn't list its cameras, the numbers below this one are tried


@dataclass(frozen=True)
class Camera:
    """A camera."""

    number: int
    name: str
    size: tuple[int, int] | None = None  # width and height of its frames in pixels; None if unknown
    problem: str = ""  # why the camera can't be used; "" if it can


def list_cameras(*, sizes: bool = False) -> list[Camera]:
    """Return all cameras, sorted by number.

    If the system lists its cameras, the result also has those that can't be used, and cameras are opened only
    if *sizes* is true. If the system has no list, the first few numbers are tried, and the result has the
    cameras that can be opened.
    """
    names = camera_names()
    if names is None:
        tried = (_opened(Camera(number, f"camera {number}")) for number in range(MAX_TRIED))
        return [camera for camera in tried if not camera.problem]
    cameras = [Camera(number, name) for number, name in sorted(names.items())]
    return list(map(_opened, cameras)) if sizes else cameras


def camera_names() -> dict[int, str] | None:
    """Return the name of each camera by its number; None if this system's cameras can't be listed."""
    try:
        from cv2_enumerate_cameras import enumerate_cameras, supported_backends
    except ImportError:
        return None
    backends = cv2.videoio_registry.getCameraBackends()  # OpenCV uses the first one that opens the camera
    backend = next((one for one in backends if one in supported_backends), None)
    return None if backend is None else {one.index: one.name for one in enumerate_cameras(backend)}


def _opened(camera: Camera) -> Camera:
    """Open a *camera* for a moment, and return a copy with its ``size``, or with its ``problem``."""
    address = Address.of(camera.number)
    if address.device is not None and not os.access(address.device, os.R_OK | os.W_OK):
        return replace(camera, problem="no permission to use it")
    capture = open_capture(address, CAMERA_SIZE)
    try:
        if not capture.isOpened():
            return replace(camera, problem="can't be opened: another program may use it")
        size = int(capture.get(cv2.CAP_PROP_FRAME_WIDTH)), int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT))
        return replace(camera, size=size if min(size) > 0 else None)
    finally:
        capture.release()
