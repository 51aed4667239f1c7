"""A handler whose jobs do what tests of workers need: wait, fail, die."""

import json
import os
import signal
import time
from typing import Any

from sudoku_vision.errors import (
    BoardError,
    ModelError,
    OpenError,
    OverridesError,
)

SECONDS = {b"slow": 60, b"wait": 0.4}


class StandInHandler:
    """Its methods are the jobs."""

    def __init__(self, model: bool = True) -> None:
        if not model:
            raise ModelError("There is no model.", "Name another.")
        self.frames: dict[str, int] = {}

    def echo(self, body: bytes) -> bytes:
        return body

    def process(self) -> bytes:
        return str(os.getpid()).encode()

    def wait(self, seconds: float) -> bytes:
        time.sleep(seconds)
        return b"waited"

    def refuse(self) -> bytes:
        raise OverridesError("They name r1c1 twice.", "Look again.")

    def fail(self, body: bytes) -> bytes:
        raise ValueError(body.decode())

    def die(self, body: bytes) -> bytes:
        os.kill(os.getpid(), signal.SIGKILL)
        return body

    def solve(self, body: bytes, **options: Any) -> dict[str, Any]:
        """Do what the body says, or return a page whose message says what came, without any vision."""
        if body == b"fault":
            raise KeyError(body)
        if body == b"die":
            self.die(body)
        time.sleep(SECONDS.get(body, 0))
        arrived = {"length": len(body), "padding": "x" * 2_000, **options}
        page = {"source": "photo", "page": 1, "status": "solved", "grids": [], "output": None, "seconds": 0.1}
        return page | ({"message": json.dumps(arrived)} if body != b"false" else {"massage": ""})

    def picture(self, body: bytes, suffix: str, **_: Any) -> bytes:
        return suffix.encode() + body

    def settle(self, body: bytes = b"", **options: Any) -> None:
        """Say in a refusal what came: a refusal needs no answer as described."""
        raise BoardError(json.dumps(options))

    board = check = check_photo = hint = explain = settle

    def live(self, camera: str, frame: bytes, mode: str, language: str) -> dict[str, Any]:
        if frame == b"cut":
            raise OpenError("frame: is truncated.", "")
        seen = self.frames[camera] = self.frames.get(camera, 0) + 1
        process, known = os.getpid(), len(self.frames)
        values = {"mode": mode, "language": language, "length": len(frame)}
        return values | {"seen": seen, "process": process, "known": known}

    def forget(self, camera: str) -> None:
        self.frames.pop(camera, None)

    def starve(self) -> bytes:
        raise RuntimeError("OpenCV(5.0.0) error: (-4:Insufficient memory) Failed to allocate")
