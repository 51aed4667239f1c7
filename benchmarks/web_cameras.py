"""Cameras that send drawn films to the service, as the page does, and count the answers.

Used by ``benchmarks/web.py``.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from drawn.films import newest_frames, story
from web_service import ANSWER_SECONDS, Running
from websockets.sync.client import connect

from sudoku_vision.cli.reporter import progress
from sudoku_vision.output.save import encode
from sudoku_vision.sudoku.board import board_text
from workshop.rendering import DrawnGrid

RATE = 30.0  # frames a second of a camera
FRAME = (1280, 720)  # pixels of a frame: what browsers get from cameras
FILMS = ("moving", "swap", "leaving")  # stories of the films: pages move, are changed and taken away


@dataclass(frozen=True, eq=False)
class FilmFrame:
    """One frame as a browser sends it, and the grids in it."""

    jpeg: bytes
    grids: tuple[DrawnGrid, ...]

    def wrong(self, grids: Sequence[dict[str, Any]]) -> int:
        """Count the wrong solutions among the *grids* of an answer."""
        answered = [one for one in grids if one["solution"] is not None]
        return sum(self._solution_at(one["crossings"]) != one["solution"] for one in answered)

    def _solution_at(self, crossings: Any) -> str:
        """Return the solution of the puzzle that is nearest to *crossings*, if there is any."""
        middle = np.mean(crossings, axis=(0, 1))
        away = [np.linalg.norm(grid.lattice.crossings.mean(axis=(0, 1)) - middle) for grid in self.grids]
        return board_text(self.grids[int(np.argmin(away))].solution) if away else ""


def film(seed: int) -> list[FilmFrame]:
    """Draw one story after the other, with puzzles of their own, at 30 frames a second."""
    stories = [story(name, size=FRAME, seed=seed) for name in FILMS]
    frames: list[FilmFrame] = []
    with progress(sum(one.count for one in stories), "frames drawn") as bar:
        for one in stories:
            for frame in one.frames():
                frames.append(FilmFrame(encode(frame.pixels, ".jpg"), frame.grids + frame.cut))
                bar.advance()
    return frames


@dataclass
class Seen:
    """The answers to one camera: the seconds that each took, and counts of frames."""

    waits: list[float] = field(default_factory=list)
    sure: int = 0
    wrong: int = 0
    failed: int = 0


def filmed(service: Running, films: Sequence[Sequence[FilmFrame]], seconds: float) -> list[Seen]:
    """Let a camera film each of *films*, all at once."""
    with ThreadPoolExecutor(len(films)) as threads:
        return list(threads.map(lambda film: one_camera(service, film, seconds), films))


def one_camera(service: Running, film: Sequence[FilmFrame], seconds: float) -> Seen:
    """Send the newest frame whenever the last one was answered, as the page does."""
    seen = Seen()
    address = f"ws://{service.host}:{service.port}/api/live"
    with connect(address, compression=None, max_size=None, proxy=None) as socket:
        for number, _ in newest_frames(round(seconds * RATE), RATE):
            frame, sent = film[number % len(film)], time.perf_counter()
            socket.send(frame.jpeg)
            answer = json.loads(socket.recv(ANSWER_SECONDS))
            seen.waits.append(time.perf_counter() - sent)
            seen.failed += "error" in answer
            seen.sure += answer.get("state") == "sure"
            seen.wrong += bool(frame.wrong(answer.get("grids", [])))
    return seen
