"""A handler whose jobs do what tests of workers need: wait, fail, die, eat memory."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from typing import Any

from sudoku_vision.errors import (
    BoardError,
    ModelError,
    NoPictureError,
    OpenError,
    OverridesError,
    TooLargeError,
)


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

    def leave(self) -> bytes:
        sys.exit(3)

    def eat(self, size: int) -> bytes:
        return b"%d" % len(bytearray(size))

    def solve(self, body: bytes, **said: Any) -> bytes:
        """Tells what came, or does what the body says: so that tests of requests need no vision."""
        if body == b"GIF":
            raise NoPictureError("photo: this is not a picture.", "Run: sudoku-vision --help")
        if body == b"cut":
            raise OpenError("photo: it is truncated.", "Run: sudoku-vision --help")
        if body == b"huge":
            raise TooLargeError(
                "photo: 9000 x 9000 pixels are 81 megapixels, the limit is 50.", "--max-megapixels"
            )
        if body == b"die":
            os.kill(os.getpid(), signal.SIGKILL)
        if body == b"slow":
            time.sleep(60)
        if body == b"wait":
            time.sleep(0.8)
        if body == b"fault":
            raise KeyError(body)
        return json.dumps({"length": len(body), "padding": "x" * 2_000, **said}).encode()

    check_photo = solve

    def picture(self, body: bytes, suffix: str, **_: Any) -> bytes:
        return suffix.encode() + body

    def settle(self, **said: Any) -> bytes:
        return json.dumps(said).encode()

    check = hint = explain = settle

    def board(self, text: str, **said: str) -> bytes:
        if len(text) != 81:
            raise BoardError(f"A board has 81 cells, this one has {len(text)}.", "")
        return json.dumps({"text": text, **said}).encode()

    def pen_paths(self) -> bytes:
        return b'{"width": 0.56, "paths": {}}'

    def live(self, session: str, frame: bytes, mode: str, language: str) -> bytes:
        if frame == b"cut":
            raise OpenError("frame: is truncated.", "")
        if frame == b"slow":
            time.sleep(1.0)
        seen = self.frames[session] = self.frames.get(session, 0) + 1
        told = {
            "seen": seen,
            "mode": mode,
            "language": language,
            "length": len(frame),
            "process": os.getpid(),
            "known": len(self.frames),
        }
        return json.dumps(told).encode()

    def forget(self, session: str) -> bytes:
        self.frames.pop(session, None)
        return b"{}"

    def starve(self) -> bytes:
        raise RuntimeError("OpenCV(5.0.0) error: (-4:Insufficient memory) Failed to allocate")

    def threads(self) -> bytes:
        return os.environ["OPENBLAS_NUM_THREADS"].encode()
