"""Tasks that do what tests of executors need: answer, wait, fail, die."""

import os
import signal
import sys
import time
from pathlib import Path

from sudoku_vision.errors import ImproperError


class UnsendableError(Exception):
    def __init__(self, one: str, two: str) -> None:
        super().__init__(one)


def double(number: int) -> int:
    return 2 * number


def length(body: bytes) -> int:
    return len(body)


def process(_: object) -> int:
    return os.getpid()


def settings(_: object) -> tuple[str, int, int]:
    import cv2

    return os.environ["OPENBLAS_NUM_THREADS"], cv2.getNumThreads(), os.nice(0)


def descent(seconds: float) -> tuple[int, int, bool]:
    """After a while, the process that this one was started by, its threads, and whether all was loaded."""
    loaded = "sudoku_vision.pipeline" in sys.modules
    time.sleep(seconds)
    threads = Path(f"/proc/{os.getppid()}/task")
    return os.getppid(), len(list(threads.iterdir())), loaded


def take(memory: int) -> int:
    return len(bytearray(memory))


def note(file: str) -> None:
    """Add a line to a file."""
    with Path(file).open("a") as lines:
        lines.write("done\n")


def rest(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def act(what: str) -> str:
    """Do what is asked for, and say that it is done."""
    if what == "fail":
        raise ValueError(what)
    if what == "refuse":
        raise ImproperError("It has two solutions.", "Look again.", status="many")
    if what == "unsendable":
        raise UnsendableError(what, what)
    if what == "starve":
        raise MemoryError
    if what == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if what == "leave":
        os._exit(3)
    if what == "exit":
        sys.exit(3)
    if what == "hang":
        time.sleep(60)
    return f"done {what}"


def die_once(note: str) -> str:
    """Die at the first time, as by chance, and be done at the second."""
    if not Path(note).exists():
        Path(note).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"
