"""Encodes the pictures of a film into a file, with the codec that most players know for its ending.

PyAV (extra ``film``) brings an FFmpeg that writes H.264 into ``.mp4`` and similar files, and VP9 into
``.webm``, fast enough for a camera. These films play in browsers and on phones. PyAV encodes colours by the
standard BT.601, and the file says so; players that ignore this usually assume BT.601.

OpenCV's own FFmpeg has only Motion JPEG, MPEG-4 part 2, and a VP9 that takes 0.1 seconds or more for a frame.
So without PyAV, ``.webm`` can't be written, and ``.mp4`` contains MPEG-4 part 2, which browsers can't play.
"""

import contextlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np

from sudoku_vision.errors import SaveError, UsageError, install
from sudoku_vision.values import Image

_BT601 = 6  # number of BT.601 (525 lines) in H.273, for colour primaries, transfer and matrix
_LIMITED_RANGE = 1  # FFmpeg's ``AVCOL_RANGE_MPEG``: brightness is stored as 16 to 235
_MAX_DENOMINATOR = 1001  # largest denominator of a frame rate: 29.97 is 30000/1001


@dataclass(frozen=True)
class _Codec:
    """An encoder of PyAV."""

    name: str  # its name in FFmpeg
    title: str  # its name for people
    options: Mapping[str, str]
    container: Mapping[str, str] = field(default_factory=dict)  # FFmpeg's options for the file format


_H264 = _Codec("libx264", "H.264", {"preset": "veryfast", "crf": "20"}, {"movflags": "faststart"})
"""H.264 takes 15 ms for a frame of 1280x720. With "faststart", browsers play the film before it is loaded."""
_VP9 = _Codec(
    "libvpx-vp9",
    "VP9",
    {"deadline": "realtime", "cpu-used": "8", "row-mt": "1", "lag-in-frames": "0", "crf": "32", "b": "0"},
)
"""VP9 takes 17 ms for a frame of 1280x720 with these options; VP9 in OpenCV takes 160 ms and more."""
_WITH_PYAV = {".mp4": _H264, ".m4v": _H264, ".mov": _H264, ".mkv": _H264, ".webm": _VP9}

_WITH_OPENCV = {".mp4": "mp4v", ".m4v": "mp4v", ".mov": "mp4v", ".mkv": "mp4v", ".avi": "MJPG"}
"""FOURCC of the codec for each ending, which every OpenCV with FFmpeg has; they take 3 to 6 ms for a frame.
An AVI file with MJPG can be played even if the program was killed while it wrote the file."""

FILM_ENDINGS = tuple({**_WITH_PYAV, **_WITH_OPENCV})


def encoder_note(path: str | Path) -> str:
    """Return a warning if many players can't play the codec of the film *path*, otherwise "".

    Raises :class:`UsageError` for an ending not in :data:`FILM_ENDINGS`, :class:`SaveError` if it needs PyAV.
    """
    codec = _WITH_PYAV.get(_ending(path))
    if codec is None or _pyav_codec(path) is not None:
        return ""
    return (
        f"{path}: without PyAV it holds MPEG-4 part 2, which browsers and many phones don't play. "
        f"They play {codec.title}; to write it, run: {install('film')}"
    )


def open_writer(
    path: str | Path, place: Path, size: tuple[int, int], rate: float
) -> "_OpenCvWriter | _PyAvWriter":
    """Begin the film *path* at a temporary *place*, with the codec for the ending of *path*.

    *size* is width and height in pixels, *rate* frames per second. An odd last column or row is left out. The
    method ``write`` of the result takes frames (H, W, 3) uint8 BGR; it raises :class:`OSError` if the file
    can't be written. Raises the errors of :func:`encoder_note`, and :class:`SaveError` if no such film can be
    made.
    """
    codec = _pyav_codec(path)
    try:
        if codec is not None:
            with _as_os_errors():
                return _PyAvWriter(place, codec, size, rate)
        return _OpenCvWriter(place, _WITH_OPENCV[_ending(path)], size, rate)
    except (cv2.error, OSError, ValueError):  # ValueError comes from a build without the codec
        by, kind = ("PyAV", codec.title) if codec else ("OpenCV", _WITH_OPENCV[_ending(path)])
        raise SaveError(
            f"{path}: {by} can't write {kind} films of {size[0]} x {size[1]} pixels here.",
            f"Try another ending, one of {', '.join(FILM_ENDINGS)}.",
        ) from None


def _ending(path: str | Path) -> str:
    ending = Path(path).suffix.lower()
    if ending not in FILM_ENDINGS:
        what = f"the ending {ending!r} is unknown" if ending else "the name has no ending"
        raise UsageError(f"{path}: {what}.", f"End the film's name with one of {', '.join(FILM_ENDINGS)}.")
    return ending


def _pyav_codec(path: str | Path) -> _Codec | None:
    """Return PyAV's encoder for *path*; None if OpenCV must write this film, SaveError if it can't."""
    ending = _ending(path)
    codec = _WITH_PYAV.get(ending)
    if codec is None:
        return None
    with contextlib.suppress(ImportError):
        import av  # noqa: F401

        return codec
    if ending in _WITH_OPENCV:
        return None
    raise SaveError(
        f"{path}: a film with the ending {ending!r} is written with PyAV, which is not installed here.",
        f"Run: {install('film')}; or end the name with .mp4.",
    )


class _OpenCvWriter:
    """Writes a film with the FFmpeg in OpenCV, which doesn't report a full disk."""

    def __init__(self, place: Path, codec: str, size: tuple[int, int], rate: float) -> None:
        self._writer = cv2.VideoWriter(os.fspath(place), cv2.VideoWriter.fourcc(*codec), rate, size)
        if not self._writer.isOpened():
            raise OSError

    def write(self, pixels: Image) -> None:
        self._writer.write(pixels)

    def close(self) -> None:
        self._writer.release()


class _PyAvWriter:
    def __init__(self, place: Path, codec: _Codec, size: tuple[int, int], rate: float) -> None:
        import av

        exact = max(Fraction(rate).limit_denominator(_MAX_DENOMINATOR), Fraction(1, _MAX_DENOMINATOR))
        self._frames = 0
        self._film = av.open(os.fspath(place), "w", container_options=dict(codec.container))
        added = self._film.add_stream(codec.name, rate=exact, options=dict(codec.options))
        self._stream = cast("Any", added)  # by its type hint, this could also be a stream of sound
        self._stream.width, self._stream.height = (side - side % 2 for side in size)
        self._stream.pix_fmt = "yuv420p"
        context = self._stream.codec_context
        context.color_range = _LIMITED_RANGE
        context.color_primaries = context.color_trc = context.colorspace = _BT601
        try:
            context.open()
        except av.FFmpegError:
            self._film.close()
            raise

    def write(self, pixels: Image) -> None:
        import av

        even = np.ascontiguousarray(pixels[: self._stream.height, : self._stream.width])
        frame = av.VideoFrame.from_ndarray(even, format="bgr24")
        frame.pts = self._frames
        self._frames += 1
        with _as_os_errors():
            self._film.mux(self._stream.encode(frame))

    def close(self) -> None:
        """Finish the file. Without frames, it is no valid film."""
        with _as_os_errors():
            try:
                if self._frames:
                    self._film.mux(self._stream.encode(None))
            finally:
                self._film.close()


@contextlib.contextmanager
def _as_os_errors() -> Iterator[None]:
    import av

    try:
        yield
    except av.FFmpegError as error:
        raise OSError(error.errno, error.strerror) from None
