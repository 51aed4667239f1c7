"""The window for real: opened on a screen of its own, its keys pressed, its picture looked at, saved, closed.

The screen is Xvfb's, the fingers are xdotool's; where they are missing, these tests are skipped.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest
from drawn.film import Film, Moment
from PIL import ImageGrab, features

from sudoku_vision.errors import WindowError
from sudoku_vision.live.window import TITLE, Window, check_window_system, key_name
from sudoku_vision.results import Board, Image
from sudoku_vision.workshop.rendering import Conditions, Optics, Pose

PATIENCE = 60.0
"""Seconds to wait for something on the screen: a loaded machine is slow."""

BETWEEN_KEYS = 0.2
"""Seconds between two keys."""

PROGRAM = """
import sys, time
from pathlib import Path
import numpy as np
import sudoku_vision.vision.decode.status
from sudoku_vision.vision.digits import load_model
from sudoku_vision.live.sources import CapturedFrame
from sudoku_vision.live.window import Window
from sudoku_vision.live.window_session import run_in_window

sudoku_vision.vision.decode.status.SURE = 0.5
pictures = np.load(sys.argv[1])

class Frames:
    state, message, given = "live", "", 0

    def next(self, timeout):
        time.sleep(0.02)
        self.given += 1
        picture = pictures[self.given % len(pictures)]
        return CapturedFrame(picture, self.given, self.given / 50, time.monotonic())

    def close(self):
        print("closed", flush=True)

def tell(made):
    (Path(sys.argv[2]) / "state").write_text(" ".join(grid.state for grid in made.grids))

with Window() as window:
    folder = Path(sys.argv[2]) / "saved"
    run_in_window([Frames], load_model(), window, folder=folder, on_frame=tell)
"""
"""What runs in a process of its own, as it does for people."""

on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="X11 is for Linux")


@dataclass(frozen=True)
class Desk:
    """A screen with the program on it; ``folder`` is where it saves pictures and tells its state."""

    screen: str
    program: subprocess.Popen[str]
    window: str
    folder: Path

    def press(self, *keys: str) -> None:
        """Press keys, by xdotool's names of them, as quickly as a person does."""
        _xdotool(self.screen, "windowfocus", self.window)
        for key in keys:
            _xdotool(self.screen, "key", key)
            time.sleep(BETWEEN_KEYS)

    @property
    def state(self) -> str:
        path = self.folder / "state"
        return path.read_text() if path.exists() else ""

    @property
    def saved(self) -> list[Path]:
        return sorted((self.folder / "saved").glob("*.png"))

    def wait_for_saved(self, count: int) -> None:
        """Wait until there are so many saved pictures."""
        wait_until(lambda: len(self.saved) == count, "the saved picture")

    def look(self) -> Image:
        """What is on the screen, (H, W, 3) BGR."""
        seen = ImageGrab.grab(xdisplay=self.screen).convert("RGB")
        return np.ascontiguousarray(np.asarray(seen, np.uint8)[:, :, ::-1])


def wait_until(condition: Callable[[], object], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"{what} has not come"
        time.sleep(0.05)


def _xdotool(screen: str, *arguments: str) -> str:
    environment = os.environ | {"DISPLAY": screen}
    done = subprocess.run(
        ["xdotool", *arguments], env=environment, capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    return done.stdout.strip()


def find_window(screen: str) -> str:
    """Wait for the window and return xdotool's number of it.

    ``xdotool search --sync`` gives up where a window comes and goes while it looks.
    """
    found: list[str] = []

    def seen() -> bool:
        with suppress(subprocess.CalledProcessError):
            found.extend(_xdotool(screen, "search", "--onlyvisible", "--name", f"^{TITLE}$").splitlines())
        return bool(found)

    wait_until(seen, "the window")
    return found[0]


@pytest.fixture(scope="module")
def screen() -> Iterator[str]:
    """A screen that nobody sees, as the value of DISPLAY."""
    missing = [name for name in ("Xvfb", "xdotool") if shutil.which(name) is None]
    if missing:
        pytest.skip(f"{' and '.join(missing)} not installed (Debian packages xvfb and xdotool)")
    if not features.check("xcb"):
        pytest.skip("this Pillow can't look at an X11 screen")
    arguments = ["-displayfd", "1", "-screen", "0", "1000x800x24", "-nolisten", "tcp"]
    server = subprocess.Popen(
        ["Xvfb", *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert server.stdout is not None
        yield f":{server.stdout.readline().strip()}"
    finally:
        server.terminate()
        server.communicate(timeout=PATIENCE)


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory, puzzle: Board) -> Path:
    """A few frames of a sheet that lies still, as a file."""
    conditions = Conditions(size=(640, 480), optics=Optics(noise=3))
    drawn = Film([Moment(0, Pose(fill=0.8)), Moment(0.1, Pose(fill=0.8))], [[puzzle]], conditions, seed=3)
    path = tmp_path_factory.mktemp("film") / "frames.npy"
    np.save(path, np.stack([frame.pixels for frame in drawn.frames()]))
    return path


@contextmanager
def program(screen: str, film: Path, folder: Path) -> Iterator[Desk]:
    """Start the program and wait for its window; in the end it is stopped, however that went."""
    (folder / "saved").mkdir()
    environment = os.environ | {"DISPLAY": screen, "OMP_NUM_THREADS": "1"}
    environment.pop("WAYLAND_DISPLAY", None)
    started = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, film, folder],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield Desk(screen, started, find_window(screen), folder)
    finally:
        started.kill()
        started.communicate(timeout=PATIENCE)


def ended(desk: Desk) -> tuple[int, str, str]:
    """The exit status of the program once it has ended by itself, and what it wrote."""
    out, err = desk.program.communicate(timeout=PATIENCE)
    return desk.program.returncode, out, err


@pytest.fixture
def desk(screen: str, film: Path, tmp_path: Path) -> Iterator[Desk]:
    """The program, once it shows answers."""
    with program(screen, film, tmp_path) as opened:
        wait_until(lambda: opened.state == "sure", "the answer")
        yield opened


@on_linux
def test_the_picture_is_on_the_screen_and_is_saved(desk: Desk) -> None:
    def is_shown_as_it_is_saved() -> bool:
        before = len(desk.saved)
        desk.press("s")
        desk.wait_for_saved(before + 1)
        saved = cv2.imread(str(max(desk.saved, key=lambda path: path.stat().st_mtime_ns)))
        assert saved is not None and saved.shape == (480, 640, 3)
        # The lines for the person cover its lower edge on the screen.
        part = np.asarray(saved[:400], np.uint8)
        return bool(cv2.matchTemplate(desk.look(), part, cv2.TM_CCOEFF_NORMED).max() > 0.97)

    # A busy machine saves a picture before it is drawn.
    wait_until(is_shown_as_it_is_saved, "the saved picture on the screen")


@on_linux
@pytest.mark.slow
def test_keys_are_heard(desk: Desk) -> None:
    desk.press("space")
    for number, keys in enumerate((["s"], ["h", "s"], ["a", "a", "s"]), start=1):
        desk.press(*keys)
        desk.wait_for_saved(number)
    answers, hint, none = (cv2.imread(str(path)) for path in desk.saved)
    assert answers is not None and hint is not None and none is not None
    assert (answers != hint).any() and (hint != none).any() and (answers != none).any()


@on_linux
@pytest.mark.slow
def test_a_key_ends_the_program(desk: Desk) -> None:
    desk.press("Left", "Up", "F5")
    assert desk.program.poll() is None
    desk.press("Escape")
    assert ended(desk) == (0, "closed\n", "")


@on_linux
@pytest.mark.parametrize("screen_name", ["", ":9999"])
def test_without_a_screen_there_is_an_error_with_a_remedy(
    monkeypatch: pytest.MonkeyPatch, screen_name: str
) -> None:
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    monkeypatch.setenv("DISPLAY", screen_name)
    with pytest.raises(WindowError, match="--headless") as caught:
        Window()
    assert caught.value.exit_code == 3
    assert screen_name in caught.value.message


SYSTEMS = {
    "Qt": ({cv2.WND_PROP_VISIBLE: 1.0, cv2.WND_PROP_AUTOSIZE: 0.0}, {cv2.WND_PROP_VISIBLE: 0.0}),
    "Windows": ({cv2.WND_PROP_VISIBLE: 1.0, cv2.WND_PROP_AUTOSIZE: 0.0}, {}),
    "GTK": ({cv2.WND_PROP_AUTOSIZE: 0.0}, {}),
}
"""The properties of a window that OpenCV knows on each system, and those of a window that was closed."""


@pytest.fixture
def properties(monkeypatch: pytest.MonkeyPatch) -> dict[int, float]:
    """The properties of a window, as OpenCV tells them; what is not in here it doesn't know."""
    known: dict[int, float] = {}
    monkeypatch.setattr("sudoku_vision.live.window.check_window_system", lambda: None)
    monkeypatch.setattr(cv2, "namedWindow", lambda title, kind: None)
    monkeypatch.setattr(cv2, "getWindowProperty", lambda title, number: known.get(number, -1.0))
    return known


@pytest.mark.parametrize("system", SYSTEMS)
def test_on_each_window_system_it_is_noticed_that_the_window_was_closed(
    properties: dict[int, float], system: str
) -> None:
    opened, closed = SYSTEMS[system]
    properties.update(opened)
    window = Window()
    assert not window.closed
    properties.clear()
    properties.update(closed)
    assert window.closed


def test_where_opencv_cannot_tell_the_window_counts_as_open(properties: dict[int, float]) -> None:
    assert not Window().closed


def test_an_opencv_without_windows_is_an_error_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cv2, "currentUIFramework", lambda: "")
    with pytest.raises(WindowError, match="opencv-python-headless"):
        check_window_system()


@pytest.mark.parametrize(
    ("code", "name"),
    [
        (ord("q"), "q"),
        (ord("Q"), "q"),
        (0x10000 | ord("q"), "q"),
        (32, " "),
        (27, "escape"),
        (13, ""),
        (0xFF51, ""),
        (0x250000, ""),
        (63234, ""),
    ],
)
def test_keys_have_names_and_arrows_are_not_letters(code: int, name: str) -> None:
    assert key_name(code) == name
