"""The window for real, on a screen of its own; and what each window system tells of one.

The screen is Xvfb's, the fingers are xdotool's; where they are missing, the first test is skipped.
"""

import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import ImageGrab, features

from sudoku_vision.errors import WindowError
from sudoku_vision.live.window import TITLE, Window, check_window_system, key_name

PATIENCE = 60.0
"""Seconds to wait for something on the screen: a loaded machine is slow."""

PROGRAM = """
import sys, time
import numpy as np
from sudoku_vision.live.window import Window

picture, heard, key = np.load(sys.argv[1]), open(sys.argv[2], "w"), ""
with Window() as window:
    while key != "escape" and not window.closed:
        window.show(picture)
        key = window.key()
        print(key, end="", file=heard, flush=True)
        time.sleep(0.02)
"""
"""What runs in a process of its own, as it does for people."""

on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="X11 is for Linux")


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A screen that nobody sees, as the value of DISPLAY."""
    missing = [name for name in ("Xvfb", "xdotool") if shutil.which(name) is None]
    if missing or not features.check("xcb"):
        pytest.skip(f"{' and '.join(missing) or 'Pillow for X11'} not installed (Debian: xvfb and xdotool)")
    # Without -noreset the server starts again each time that the last one to look at it leaves.
    arguments = ["-displayfd", "1", "-screen", "0", "1000x800x24", "-nolisten", "tcp", "-noreset"]
    with subprocess.Popen(
        ["Xvfb", *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout is not None
        display = f":{server.stdout.readline().strip()}"
        monkeypatch.setenv("DISPLAY", display)
        monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
        yield display
        server.terminate()


def xdotool(*arguments: str) -> str:
    done = subprocess.run(
        ["xdotool", *arguments], capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    return done.stdout.strip()


def started(command: list[str], picture: np.ndarray, screen: str) -> subprocess.Popen[bytes]:
    """The program of *command*, once its *picture* is on the screen.

    It is started again where its window stays black: where no window manager is and the processor is busy, Qt
    paints nothing in about one of three windows (seen with two lines of OpenCV and Qt 5.15), and never will.
    """
    for _ in range(8):
        program = subprocess.Popen(command)
        end, seen = time.monotonic() + PATIENCE / 6, 0.0
        while time.monotonic() < end:
            assert program.poll() is None, "the program has ended"
            shown = np.asarray(ImageGrab.grab(xdisplay=screen).convert("RGB"))[:, :, ::-1]
            seen = float(cv2.matchTemplate(shown, picture, cv2.TM_CCOEFF_NORMED).max())
            if seen >= 0.8:  # a window may come up a little larger than its picture
                return program
            time.sleep(0.05)
        program.kill()
        program.wait()
    raise AssertionError(f"the picture has not come, but for {seen:.2f}")


@on_linux
def test_a_picture_is_on_the_screen_and_keys_are_heard(screen: str, tmp_path: Path) -> None:
    coarse = np.random.default_rng(1).integers(0, 256, (6, 8, 3), np.uint8)
    picture = np.asarray(cv2.resize(coarse, (640, 480)), np.uint8)
    np.save(tmp_path / "picture.npy", picture)
    heard = tmp_path / "heard"
    command = [sys.executable, "-c", PROGRAM, str(tmp_path / "picture.npy"), str(heard)]
    with started(command, picture, screen) as program:
        try:
            window = ""
            while not window:  # a window that comes while it is looked for is an error to xdotool
                with suppress(subprocess.CalledProcessError):
                    window = xdotool("search", "--onlyvisible", "--name", f"^{TITLE}$")
            xdotool("windowfocus", "--sync", window)
            for key, said in (("s", "s"), ("Left", ""), ("space", " "), ("Escape", "escape")):
                end = time.monotonic() + PATIENCE
                xdotool("key", key)
                while said not in heard.read_text() and time.monotonic() < end:
                    time.sleep(1)  # a key is lost now and then while a busy machine hands the focus on
                    if said not in heard.read_text() and program.poll() is None:
                        xdotool("key", key)
            program.wait(timeout=PATIENCE)
            assert re.fullmatch("s+ +escape", heard.read_text())
        finally:
            program.kill()


@on_linux
@pytest.mark.parametrize("screen_name", ["", ":9999"])
def test_without_a_screen_there_is_an_error_with_a_remedy(
    monkeypatch: pytest.MonkeyPatch, screen_name: str
) -> None:
    for name in ("WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DISPLAY", screen_name)
    with pytest.raises(WindowError, match="--headless") as caught:
        Window()
    assert caught.value.exit_code == 3 and screen_name in caught.value.message


SYSTEMS = {
    "Qt": ({cv2.WND_PROP_VISIBLE: 1.0, cv2.WND_PROP_AUTOSIZE: 0.0}, {cv2.WND_PROP_VISIBLE: 0.0}),
    "Windows": ({cv2.WND_PROP_VISIBLE: 1.0, cv2.WND_PROP_AUTOSIZE: 0.0}, {}),
    "GTK": ({cv2.WND_PROP_AUTOSIZE: 0.0}, {}),
    "unknown": ({}, {}),
}
"""The properties of a window that OpenCV knows on each system, and those of a window that was closed."""


@pytest.mark.parametrize("system", SYSTEMS)
def test_on_each_window_system_it_is_noticed_that_the_window_was_closed(
    monkeypatch: pytest.MonkeyPatch, system: str
) -> None:
    known, closed = SYSTEMS[system]
    monkeypatch.setattr("sudoku_vision.live.window.check_window_system", lambda: None)
    monkeypatch.setattr(cv2, "namedWindow", lambda title, kind: None)
    monkeypatch.setattr(cv2, "getWindowProperty", lambda title, number: known.get(number, -1.0))
    window = Window()
    assert not window.closed
    known = closed
    assert window.closed == (system != "unknown")


def test_an_opencv_without_windows_is_an_error_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cv2, "currentUIFramework", lambda: "")
    with pytest.raises(WindowError, match="opencv-python-headless"):
        check_window_system()


def test_keys_have_names_and_arrows_are_not_letters() -> None:
    assert {key_name(code) for code in (ord("q"), ord("Q"), 0x10000 | ord("q"))} == {"q"}
    assert [key_name(code) for code in (32, 27)] == [" ", "escape"]
    assert {key_name(code) for code in (13, 0xFF51, 0x250000, 63234)} == {""}
