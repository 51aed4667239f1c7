"""BLAS has one thread while a picture is read in any way, and as many as before afterwards."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest
import threadpoolctl
from examples import EASY

from sudoku_vision import blas, solve_photo
from sudoku_vision.blas import one_blas_thread
from sudoku_vision.live.tracker import Tracker
from sudoku_vision.values import Floats
from sudoku_vision.vision.digits import CellClassifier, load_model
from sudoku_vision.vision.results import DigitScores, Photo
from workshop.rendering import Drawing

AFTER_A_COMMAND = """
import os, sys
from sudoku_vision.cli import main
try:
    main()
except SystemExit:
    print(os.environ.get("OPENBLAS_NUM_THREADS"))
"""


@pytest.fixture(autouse=True)
def two_threads(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A program that has two BLAS threads, of which its environment says nothing."""
    for name in blas.SETTINGS:
        monkeypatch.delenv(name, raising=False)
    with threadpoolctl.threadpool_limits(2, "blas"):
        yield


def threads() -> set[int]:
    """The numbers of threads that the BLAS libraries of this process have."""
    found = threadpoolctl.threadpool_info()
    return {library["num_threads"] for library in found if library["user_api"] == "blas"}


class Watch(CellClassifier):
    """The classifier of the package, which notes how many threads there are when it is asked."""

    def __init__(self) -> None:
        self.model = load_model()
        self.seen: set[int] = set()

    def classify(self, cells: Floats) -> DigitScores:
        self.seen |= threads()
        return self.model.classify(cells)


@pytest.mark.parametrize("live", [False, True], ids=["photo", "frame"])
def test_a_picture_is_read_with_one_thread(drawing: Drawing, live: bool) -> None:
    watch = Watch()
    Tracker(watch).update(drawing.pixels, 0) if live else solve_photo(Photo(drawing.pixels), model=watch)
    assert watch.seen == {1}
    assert threads() == {2}


def test_threads_come_back_after_calls_that_overlap() -> None:
    inside, go_on = threading.Event(), threading.Event()

    @one_blas_thread()
    def later() -> None:
        inside.set()
        go_on.wait(10)

    other = threading.Thread(target=later)
    with one_blas_thread():
        other.start()
        inside.wait(10)
        assert threads() == {1}
    go_on.set()
    other.join()
    assert threads() == {2}


def test_settings_of_a_person_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    with one_blas_thread():
        assert threads() == {2}


@pytest.mark.parametrize(
    ("command", "said", "threads_set"),
    [
        (["rate", EASY], {}, "1"),
        (["rate", EASY], {"OPENBLAS_NUM_THREADS": "3"}, "3"),
    ],
)
def test_a_command_starts_with_one_thread(command: list[str], said: dict[str, str], threads_set: str) -> None:
    call = [sys.executable, "-c", AFTER_A_COMMAND, *command]
    ran = subprocess.run(call, env=os.environ | said, capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == threads_set
