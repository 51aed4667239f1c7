"""A desk whose jobs do what tests of workers need: wait, fail, die, eat memory."""

from __future__ import annotations

import os
import signal
import sys
import time

from sudoku_vision.errors import ImproperError, ModelError


class StandInDesk:
    """Its methods are the jobs."""

    def __init__(self, model: bool = True) -> None:
        if not model:
            raise ModelError("There is no model.", "Name another.")

    def echo(self, body: bytes) -> bytes:
        return body

    def process(self) -> bytes:
        return str(os.getpid()).encode()

    def wait(self, seconds: float) -> bytes:
        time.sleep(seconds)
        return b"waited"

    def refuse(self) -> bytes:
        raise ImproperError("It has two solutions.", "Look again.", status="many")

    def fail(self, body: bytes) -> bytes:
        raise ValueError(body.decode())

    def die(self, body: bytes) -> bytes:
        os.kill(os.getpid(), signal.SIGKILL)
        return body

    def leave(self) -> bytes:
        sys.exit(3)

    def eat(self, size: int) -> bytes:
        return b"%d" % len(bytearray(size))

    def threads(self) -> bytes:
        return os.environ["OPENBLAS_NUM_THREADS"].encode()
