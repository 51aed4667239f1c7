"""The floor: maps of the plane, the ranks that NumPy gives, missing libraries, threads."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import threadpoolctl
from examples import EASY

from sudoku_vision import blas, solve_photo
from sudoku_vision.blas import one_blas_thread
from sudoku_vision.errors import MissingLibraryError, explained_imports
from sudoku_vision.geometry import (
    CROSSINGS,
    Points,
    fit_homography,
    fit_homography_robustly,
    homography_of_grid,
    project,
)
from sudoku_vision.live.tracker import Tracker
from sudoku_vision.ranks import distinct, largest, median, medians, quantile
from sudoku_vision.values import Floats
from sudoku_vision.vision.digits import CellClassifier, load_model
from sudoku_vision.vision.results import DigitScores, Photo
from workshop.rendering import Drawing

STEEP: Points = np.array([[120.0, 80.0], [610.0, 40.0], [700.0, 520.0], [60.0, 470.0]])


def test_a_homography_is_fitted_to_points_and_outliers_are_left_out() -> None:
    homography = homography_of_grid(STEEP)
    target = project(CROSSINGS, homography)
    fitted = fit_homography(CROSSINGS, target)
    assert fitted is not None
    assert np.abs(project(CROSSINGS, fitted) - target).max() < 0.01
    target[:20] += 200
    robust = fit_homography_robustly(CROSSINGS, target, stray=1.0)
    assert robust is not None
    assert robust[1].tolist() == [False] * 20 + [True] * 80
    assert np.abs(project(CROSSINGS[20:], robust[0]) - target[20:]).max() < 0.01


@pytest.mark.parametrize("count", [1, 2, 7, 180, 5000])
def test_ranks_are_those_of_numpy(count: int) -> None:
    values = np.random.default_rng(count).normal(size=(3, count))
    for share in (0, 0.3, 0.5, 0.95, 1):
        assert quantile(values, share) == pytest.approx(np.quantile(values, share))
    assert median(values) == pytest.approx(np.median(values))
    assert medians(values) == pytest.approx(np.median(values, axis=-1))
    bytes_ = (values * 20 + 230).clip(0, 255).astype(np.uint8)
    assert medians(bytes_) == pytest.approx(np.median(bytes_, axis=-1))


@pytest.mark.parametrize("count", [3, 512, 513, 1600])
def test_the_largest_are_those_of_sorted_rows(count: int) -> None:
    values = np.random.default_rng(count).normal(size=(4, count)).astype(np.float32)
    for place in (1, 3, count // 50 + 1):
        assert np.array_equal(largest(values, place), np.sort(values, axis=1)[:, -place])


def test_distinct_numbers_are_those_of_numpy() -> None:
    digits = np.random.default_rng(3).integers(0, 10, 30)
    assert np.array_equal(distinct(digits), np.unique(digits))
    assert len(distinct(digits[:0])) == 0


# One sentence says what a machine lacks, and what to install.

BARE = """
import sys

class Bare:
    def find_spec(self, name, path=None, target=None):
        if name == "cv2":
            raise ImportError("libGL.so.1: cannot open shared object file", name="cv2")

sys.meta_path.insert(0, Bare())
"""
"""Makes a machine without the libraries that OpenCV needs of one that has them."""


def run_bare(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", BARE + code], capture_output=True, text=True)


@pytest.mark.parametrize(
    "arguments",
    [
        *((command, "{photo}") for command in ("solve", "check", "hint", "convert")),
        ("live", "--list"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_every_command_says_what_opencv_lacks(arguments: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "photo.jpg").write_bytes(b"\xff\xd8\xff")
    words = [word.format(photo=tmp_path / "photo.jpg") for word in arguments]
    ran = run_bare(f"from sudoku_vision.cli import main\nsys.argv[1:] = {words!r}\nmain()")
    assert ran.returncode == 3
    assert len(ran.stderr.splitlines()) == 1
    assert "libGL.so.1" in ran.stderr
    assert "apt-get install libgl1 libglib2.0-0" in ran.stderr
    assert "opencv-python-headless" in ran.stderr


def test_the_functions_for_pictures_say_it_too() -> None:
    ran = run_bare(
        "import sudoku_vision\n"
        "try:\n    sudoku_vision.solve_photo\n"
        "except sudoku_vision.MissingLibraryError as error:\n    print(error.exit_code, error)"
    )
    assert ran.stdout.startswith("3 OpenCV can't be loaded (libGL.so.1: ")


def test_without_opencv_its_package_is_named() -> None:
    with pytest.raises(MissingLibraryError, match="pip install opencv-python"), explained_imports():
        raise ModuleNotFoundError("No module named 'cv2'", name="cv2")


def test_other_faults_of_imports_stay_what_they_are() -> None:
    with pytest.raises(ModuleNotFoundError), explained_imports():
        raise ModuleNotFoundError("No module named 'other'", name="other")


# BLAS has one thread while a picture is read in any way, and as many as before afterwards.

AFTER_A_COMMAND = """
import os, sys
from sudoku_vision.cli import main
try:
    main()
except SystemExit:
    print(os.environ.get("OPENBLAS_NUM_THREADS"))
"""


@pytest.fixture
def two_threads(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A program that has two BLAS threads, of which its environment says nothing."""
    for name in blas.SETTINGS:
        monkeypatch.delenv(name, raising=False)
    with threadpoolctl.threadpool_limits(2, "blas"):
        yield


def threads() -> set[int]:
    found = threadpoolctl.threadpool_info()
    return {library["num_threads"] for library in found if library["user_api"] == "blas"}


class Watch(CellClassifier):
    """The classifier of the package, which notes how many threads there are when it is asked."""

    def __init__(self) -> None:
        self.seen: set[int] = set()

    def classify(self, cells: Floats) -> DigitScores:
        self.seen |= threads()
        return load_model().classify(cells)


@pytest.mark.usefixtures("two_threads")
@pytest.mark.parametrize("live", [False, True], ids=["photo", "frame"])
def test_a_picture_is_read_with_one_thread(drawing: Drawing, live: bool) -> None:
    watch = Watch()
    Tracker(watch).update(drawing.pixels, 0) if live else solve_photo(Photo(drawing.pixels), model=watch)
    assert watch.seen == {1}
    assert threads() == {2}


@pytest.mark.usefixtures("two_threads")
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


@pytest.mark.usefixtures("two_threads")
def test_settings_of_a_person_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    with one_blas_thread():
        assert threads() == {2}


@pytest.mark.usefixtures("two_threads")
@pytest.mark.parametrize(("said", "threads_set"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "3"}, "3")])
def test_a_command_starts_with_one_thread(said: dict[str, str], threads_set: str) -> None:
    call = [sys.executable, "-c", AFTER_A_COMMAND, "rate", EASY]
    ran = subprocess.run(call, env=os.environ | said, capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == threads_set
