"""Sends drawn films to the service, as the live camera of the page does, and counts the answers.

Used by ``benchmarks/web.py``.
"""

import json
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple

import bench
from drawn.films import newest_frames, story
from web_service import ANSWER_SECONDS, RunningService
from websockets.sync.client import connect

from sudoku_vision.output.save import encode
from sudoku_vision.sudoku.board import board_text
from workshop.progress import tracked
from workshop.rendering import DrawnGrid

RATE = 30.0  # number of frames a second
FRAME = (1280, 720)  # width and height of a frame in pixels, as browsers get frames from cameras
FILMS = ("moving", "swap", "leaving")  # stories of drawn.films; each film shows them one after the other


@dataclass(frozen=True, eq=False)
class FilmFrame:
    """A frame in the form that the page sends (JPEG), and the drawn grids in the frame."""

    jpeg: bytes
    grids: tuple[DrawnGrid, ...]

    def wrong(self, grids: Sequence[dict[str, Any]]) -> int:
        """Return how many of the *grids* in an answer have a wrong solution."""
        answered = [one for one in grids if one["solution"] is not None]
        drawn = [(bench.nearest(one["crossings"], self.grids), one["solution"]) for one in answered]
        return sum(near is None or board_text(near[1].solution) != solution for near, solution in drawn)


def film(seed: int) -> list[FilmFrame]:
    """Draw the stories of :data:`FILMS`; the *seed* decides their puzzles."""
    stories = [story(name, size=FRAME, seed=seed) for name in FILMS]
    frames = (frame for one in tracked(stories, "films drawn") for frame in one.frames())
    return [FilmFrame(encode(frame.pixels, ".jpg"), frame.grids + frame.cut) for frame in frames]


class Seen(NamedTuple):
    """The answers to one camera: the seconds for each answer; and how many were sure, wrong and failed."""

    waits: list[float]
    counts: tuple[int, int, int]


def filmed(service: RunningService, films: Sequence[Sequence[FilmFrame]], seconds: float) -> list[Seen]:
    """Send all *films* for some *seconds* at the same time, each as one camera. Return their answers."""
    with ThreadPoolExecutor(len(films)) as threads:
        return list(threads.map(lambda film: one_camera(service, film, seconds), films))


def one_camera(service: RunningService, film: Sequence[FilmFrame], seconds: float) -> Seen:
    """Send a film for some *seconds*. Whenever the service has answered, send the newest frame."""
    waits, sure, wrong, failed = list[float](), 0, 0, 0
    address = f"{service.origin.replace('http', 'ws')}/api/live"
    with connect(address, compression=None, max_size=None, proxy=None) as socket:
        for number, _ in newest_frames(round(seconds * RATE), RATE):
            frame, sent = film[number % len(film)], time.perf_counter()
            socket.send(frame.jpeg)
            answer = json.loads(socket.recv(ANSWER_SECONDS))
            waits.append(time.perf_counter() - sent)
            failed += "error" in answer
            sure += answer.get("state") == "sure"
            wrong += bool(frame.wrong(answer.get("grids", [])))
    return Seen(waits, (sure, wrong, failed))
