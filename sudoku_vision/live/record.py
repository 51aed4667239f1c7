"""Writes pictures one by one into a film file, which can be played even if the program ends early.

Only a finished film gets its final name, and replaces an older file. Not every encoder reports a full disk.
So the free space is checked while the film is written, and the finished film is opened again to count its
frames. Sound is not recorded. Codecs need even widths and heights, so an odd last column or row is left out.
"""

import contextlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from sudoku_vision.errors import SaveError
from sudoku_vision.live.encoders import encoder_note, open_writer
from sudoku_vision.live.sources.source import plausible_rate
from sudoku_vision.output.save import WholeFile, check_place, explained_writing, is_stream
from sudoku_vision.values import Image

MAX_PAUSE = 3.0  # longest pause in a film, in seconds, when a camera is lost or the window is frozen

_MIN_FREE = 32 << 20  # the disk must have this many free bytes, so that the film can still be finished
_FRAMES_BETWEEN_CHECKS = 30  # after this many frames, the free space on the disk is checked again


def check_recording(path: str | Path, source: str = "") -> None:
    """Raise :class:`UsageError` or :class:`SaveError` if no film of *source* can be written to *path*."""
    encoder_note(path)
    check_place(path, [source] if source else ())
    if is_stream(path):
        raise SaveError(f"{path}: a film can't be written into a pipe or a device.", "Name a file.")


class Recorder(contextlib.AbstractContextManager["Recorder"]):
    """Writes a film; use it in a ``with`` statement.

    The film is complete even after an error or Ctrl-C. If no frame was written, an older file stays.
    """

    def __init__(
        self, path: str | Path, size: tuple[int, int], rate: float, clock: Callable[[], float] | None = None
    ) -> None:
        """Begin a film of pictures of *size* (width, height) at *rate* frames per second.

        With a *clock*, which returns the time in seconds, the film plays at the speed at which its frames
        came: if a frame is late, the frame before is repeated; one that comes too early is left out. Without
        a clock, each frame is written once. Raises the errors of :func:`check_recording`, and
        :class:`SaveError` for a size that can't be encoded.
        """
        self.frames = 0
        """Number of frames written so far."""
        self._last: Image | None = None
        self._clock = clock
        self._start = self._latest = clock() if clock else 0.0
        self._path, self._size, self._rate = path, size, plausible_rate(rate)
        self._whole = WholeFile(path, ending=Path(path).suffix)
        self._part = self._whole.part or Path(path)
        try:
            self._check_free_space()  # on a full disk, OpenCV may crash when it begins a film
            self._writer = open_writer(path, self._part, size, self._rate)
        except BaseException:
            self._whole.discard()
            raise

    def write(self, pixels: Image) -> None:
        """Add a frame (H, W, 3) uint8 BGR, scaled to the size of the film; raises :class:`SaveError`."""
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

    def close(self) -> None:
        """Finish the film and give its file the final name; raises SaveError if frames are missing in it."""
        try:
            with explained_writing(self._path):
                self._writer.close()
            if self.frames:
                self._check_whole()
                self._whole.finish()
        finally:
            self._whole.discard()

    def __exit__(self, *_: object) -> None:
        self.close()

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
