"""Films that OpenCV writes and plays."""

from collections.abc import Iterable
from pathlib import Path

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
