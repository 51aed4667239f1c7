"""Writes pictures one by one into a film file. The film can be played even if the program ends early.

Only a finished film gets its final name, and replaces an older file. Some encoders don't report a full disk.
So the free space is checked while the film is written, and the finished film is opened again to count its
frames. Sound is not recorded. Codecs need even widths and heights, so an odd last column or row is left out.

PyAV (extra ``film``) contains an FFmpeg that writes H.264 into ``.mp4`` and similar files, and VP9 into
``.webm``. It is fast enough for a camera. These films play in browsers and on phones. PyAV encodes colours by
the standard BT.601, and names it in the file. Players that ignore this name usually assume BT.601. OpenCV's
FFmpeg has only Motion JPEG, MPEG-4 part 2, and a VP9 that takes 0.1 seconds or more for a frame. So without
PyAV, ``.webm`` can't be written, and ``.mp4`` contains MPEG-4 part 2, which browsers can't play.
"""

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np

from sudoku_vision.errors import SaveError, UsageError, install
from sudoku_vision.output.save import WholeFile, check_place, explained_writing, is_stream
from sudoku_vision.values import Image

MAX_PAUSE = 3.0  # longer pauses without a frame are shortened to this in the film, in seconds

_MIN_FREE = 32 << 20  # with fewer free bytes on the disk, writing stops: finishing the film needs room
_FRAMES_BETWEEN_CHECKS = 30  # after this many frames, the free space on the disk is checked again

_BT601 = 6  # number of BT.601 (525 lines) in the tables of H.273: colour primaries, transfer, matrix
_LIMITED_RANGE = 1  # FFmpeg's ``AVCOL_RANGE_MPEG``: brightness is stored as 16 to 235
_MAX_DENOMINATOR = 1001  # largest denominator of a frame rate as a fraction: 29.97 is 30000/1001


@dataclass(frozen=True)
class _Codec:
    """An encoder of PyAV."""

    name: str  # its name in FFmpeg
    title: str  # its name for people
    options: Mapping[str, str]
    container: Mapping[str, str] = field(default_factory=dict)  # FFmpeg's options for the file format


_H264 = _Codec("libx264", "H.264", {"preset": "veryfast", "crf": "20"}, {"movflags": "faststart"})
"""H.264 takes 15 ms for a frame of 1280x720. With "faststart", browsers play a film while they load it."""
_VP9 = _Codec(
    "libvpx-vp9",
    "VP9",
    {"deadline": "realtime", "cpu-used": "8", "row-mt": "1", "lag-in-frames": "0", "crf": "32", "b": "0"},
)
"""VP9 takes 17 ms for a frame of 1280x720 with these options; VP9 in OpenCV takes 160 ms and more."""
_WITH_PYAV = {".mp4": _H264, ".m4v": _H264, ".mov": _H264, ".mkv": _H264, ".webm": _VP9}

_WITH_OPENCV = {".mp4": "mp4v", ".m4v": "mp4v", ".mov": "mp4v", ".mkv": "mp4v", ".avi": "MJPG"}
"""FOURCC of the codec for each ending. Every OpenCV with FFmpeg has these codecs. A frame takes 3 to 6 ms. An
AVI file with MJPG can be played even if the program was killed while it wrote the file."""

FILM_ENDINGS = tuple({**_WITH_PYAV, **_WITH_OPENCV})


def check_recording(path: str | Path, source: str = "") -> str:
    """Return a warning if many players can't play a film with the ending of *path*, otherwise "".

    Raises :class:`UsageError` or :class:`SaveError` if no film can be written to *path*. *source*: the file
    from which the frames come; *path* must be another file.
    """
    codec, better = _codec_of(path), _WITH_PYAV.get(Path(path).suffix.lower())
    check_place(path, [source] if source else ())
    if is_stream(path):
        raise SaveError(f"{path}: a film can't be written into a pipe or a device.", "Name a file.")
    if better is None or codec is better:
        return ""
    return (
        f"{path}: without PyAV it holds MPEG-4 part 2, which browsers and many phones don't play. "
        f"They play {better.title}; to write it, run: {install('film')}"
    )


class Recorder(contextlib.AbstractContextManager["Recorder"]):
    """Writes a film; use it in a ``with`` statement.

    The film is complete even after an error or Ctrl-C. If no frame was written, an older file stays.
    """

    def __init__(
        self, path: str | Path, size: tuple[int, int], rate: float, clock: Callable[[], float] | None = None
    ) -> None:
        """Begin a film of pictures of *size* (width, height) at *rate* frames per second.

        *clock* returns the time in seconds. With a *clock*, the film keeps the real speed: if a frame is
        late, the frame before it is repeated; if a frame is early, it is left out. Without a *clock*, each
        frame is written once. Raises the errors of :func:`check_recording`, and :class:`SaveError` for a size
        that can't be encoded.
        """
        self.frames = 0  # number of frames written so far
        self._last: Image | None = None
        self._clock = clock
        self._start = self._latest = clock() if clock else 0.0
        self._path, self._size, self._rate = path, size, rate
        self._whole = WholeFile(path, ending=Path(path).suffix)
        self._part = self._whole.part or Path(path)
        try:
            self._check_free_space()  # on a full disk, OpenCV can crash when it begins a film
            self._writer = open_writer(path, self._part, size, rate)
        except BaseException:
            self._whole.discard()
            raise

    def write(self, pixels: Image) -> None:
        """Scale a frame (H, W, 3) uint8 BGR to the size of the film, and add it. SaveError if this fails."""
        if self._clock is None:
            self._append(pixels)
            return
        now = self._clock()
        self._start += max(0.0, now - self._latest - MAX_PAUSE)
        self._latest = now
        missing = round((now - self._start) * self._rate) + 1 - self.frames
        before = pixels if self._last is None else self._last
        for number in range(missing):
            self._append(pixels if number == missing - 1 else before)

    def _append(self, pixels: Image) -> None:
        if self.frames % _FRAMES_BETWEEN_CHECKS == 0:
            self._check_free_space()
        height, width = pixels.shape[:2]
        if (width, height) != self._size:
            pixels = np.asarray(cv2.resize(pixels, self._size, interpolation=cv2.INTER_AREA), np.uint8)
        with explained_writing(self._path):
            self._writer.write(pixels)
        self._last = pixels
        self.frames += 1

    def __exit__(self, *_: object) -> None:
        """Finish the film and give its file the final name. Raises SaveError if the film lacks frames."""
        try:
            with explained_writing(self._path):
                self._writer.release()
            if self.frames:
                self._check_whole()
                self._whole.finish()
        finally:
            self._whole.discard()

    def _check_free_space(self) -> None:
        with contextlib.suppress(OSError):
            if shutil.disk_usage(self._part.parent).free < _MIN_FREE:
                what = f"{self._path}: the disk is full{f' after {self.frames} frames' * (self.frames > 0)}."
                raise SaveError(what, "Make room or choose another place.")

    def _check_whole(self) -> None:
        film = cv2.VideoCapture(os.fspath(self._part))
        whole = film.isOpened() and film.get(cv2.CAP_PROP_FRAME_COUNT) >= self.frames
        film.release()
        if not whole:
            what = f"{self._path}: not all of the {self.frames} frames could be written."
            raise SaveError(what, "Make room on the disk or choose another place.")


def open_writer(
    path: str | Path, place: Path, size: tuple[int, int], rate: float
) -> "cv2.VideoWriter | _PyAvWriter":
    """Begin the film *path* as the temporary file *place*, with the codec for the ending of *path*.

    *size* is width and height in pixels. *rate* is in frames per second. The method ``write`` of the result
    takes frames (H, W, 3) uint8 BGR. If the disk is full, ``write`` raises :class:`OSError` with PyAV, and no
    error with OpenCV. This function raises :class:`SaveError` if no such film can be made.
    """
    codec = _codec_of(path)
    try:
        if isinstance(codec, str):
            writer = cv2.VideoWriter(os.fspath(place), cv2.VideoWriter.fourcc(*codec), rate, size)
            if not writer.isOpened():
                raise OSError
            return writer
        with _as_os_errors():
            return _PyAvWriter(place, codec, size, rate)
    except (cv2.error, OSError, ValueError):  # ValueError comes from a build without the codec
        by, kind = ("OpenCV", codec) if isinstance(codec, str) else ("PyAV", codec.title)
        raise SaveError(
            f"{path}: {by} can't write {kind} films of {size[0]} x {size[1]} pixels here.",
            f"Try another ending, one of {', '.join(FILM_ENDINGS)}.",
        ) from None


def _codec_of(path: str | Path) -> _Codec | str:
    """Return PyAV's encoder for the film *path* or, without PyAV or for AVI, the FOURCC of OpenCV's codec.

    Raises :class:`UsageError` for an unknown ending, and :class:`SaveError` if PyAV is needed but missing.
    """
    ending = Path(path).suffix.lower()
    if ending not in FILM_ENDINGS:
        what = f"the ending {ending!r} is unknown" if ending else "the name has no ending"
        raise UsageError(f"{path}: {what}.", f"End the film's name with one of {', '.join(FILM_ENDINGS)}.")
    if ending in _WITH_PYAV:
        with contextlib.suppress(ImportError):
            import av  # noqa: F401

            return _WITH_PYAV[ending]
    if ending in _WITH_OPENCV:
        return _WITH_OPENCV[ending]
    raise SaveError(
        f"{path}: a film with the ending {ending!r} is written with PyAV, which is not installed here.",
        f"Run: {install('film')}; or end the name with .mp4.",
    )


class _PyAvWriter:
    """Writes a film with PyAV; its methods have the same names as those of ``cv2.VideoWriter``."""

    def __init__(self, place: Path, codec: _Codec, size: tuple[int, int], rate: float) -> None:
        import av

        exact = max(Fraction(rate).limit_denominator(_MAX_DENOMINATOR), Fraction(1, _MAX_DENOMINATOR))
        self._frames = 0
        self._film = av.open(os.fspath(place), "w", container_options=dict(codec.container))
        added = self._film.add_stream(codec.name, rate=exact, options=dict(codec.options))
        self._stream = cast("Any", added)  # its type hint would also allow a stream of sound
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

    def release(self) -> None:
        """Finish the file. A file without frames is no valid film."""
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
