"""Films that OpenCV writes and plays, and a camera for tests."""

import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from sudoku_vision.values import Image


def write_film(path: Path, pictures: Iterable[Image], rate: float, code: str = "MJPG") -> Path:
    """Write pictures of one size as a film; return its path."""
    first, *others = pictures
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*code), rate, first.shape[1::-1])
    assert writer.isOpened()
    for picture in (first, *others):
        writer.write(picture)
    writer.release()
    return path


def played(path: Path) -> tuple[float, list[Image]]:
    """Play a film; return its rate and its frames."""
    film = cv2.VideoCapture(str(path))
    assert film.isOpened()
    frames = []
    while (given := film.read())[0]:
        frames.append(np.asarray(given[1], np.uint8))
    return film.get(cv2.CAP_PROP_FPS), frames


class FakeCamera:
    """A capture whose ``script`` says what each read does: give pixels, fail (None), wait or raise."""

    def __init__(self, *script: Any, opened: bool = True, rate: float = 0.0) -> None:
        self.script: Iterator[Any] = iter(script)
        self.opened = opened
        self.rate = rate
        self.released = threading.Event()

    def isOpened(self) -> bool:  # noqa: N802
        return self.opened

    def read(self) -> tuple[bool, Any]:
        step = next(self.script, None)
        if callable(step):
            step = step()
        return step is not None, step

    def get(self, propId: int, /) -> float:  # noqa: N803
        sizes = {cv2.CAP_PROP_FRAME_WIDTH: 64.0, cv2.CAP_PROP_FRAME_HEIGHT: 48.0}
        return self.rate if propId == cv2.CAP_PROP_FPS else sizes.get(propId, 0.0)

    def release(self) -> None:
        self.released.set()
