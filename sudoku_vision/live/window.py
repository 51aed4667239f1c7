"""A window on the screen. It shows pictures, and reports keys and whether a person closed it."""

import contextlib
import os
import subprocess
import sys

import cv2

from sudoku_vision.errors import WindowError
from sudoku_vision.values import Image

TITLE = "sudoku-vision"

MAX_SIZE = (1280, 800)  # largest width and height of a new window, in pixels; a person can enlarge the window

_KIND = cv2.WINDOW_NORMAL | cv2.WINDOW_KEEPRATIO | cv2.WINDOW_GUI_NORMAL
_OPEN_VALUES = ((cv2.WND_PROP_VISIBLE, 1.0), (cv2.WND_PROP_AUTOSIZE, 0.0))
"""Two window properties of OpenCV, each with its lowest value while the window is open.

With Qt and on Windows, OpenCV knows both. With GTK, it knows only the second (OpenCV's issue 25346). On
macOS, it perhaps knows neither, but there its windows have no close button.
"""
_ESCAPE = 27
_MAX_CODE = 0xFF  # largest code of a character; larger codes are other keys, such as arrow keys
_CODE_BITS = 0xFFFF  # mask for the code of a key; the other bits are Shift and similar keys

_TRIAL = "import sys; del sys.path[0]; import cv2; cv2.namedWindow('trial', cv2.WINDOW_NORMAL)"
_TRIAL_SECONDS = 20
_REMEDY = "Start it on a desktop, or use --headless with --record or --json."


def check_window_system() -> None:
    """Raise :class:`~sudoku_vision.errors.WindowError` if no window can be opened.

    On X11 without a screen, OpenCV aborts the process. So another process first tries to open a window.
    """
    if not cv2.currentUIFramework():
        raise WindowError(
            "This OpenCV was built without windows.",
            "Install opencv-python in place of opencv-python-headless, or use --headless.",
        )
    if sys.platform.startswith("linux") and not _opens():
        screen = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
        what = f"No window can be opened on the screen {screen}." if screen else "There is no screen here."
        raise WindowError(what, _REMEDY)


class Window(contextlib.AbstractContextManager["Window"]):
    """A window for a ``with`` statement in the main thread. Raises WindowError if no window can open."""

    def __init__(self) -> None:
        check_window_system()
        self._sized = False
        try:
            cv2.namedWindow(TITLE, _KIND)
        except cv2.error:
            raise WindowError("No window can be opened.", _REMEDY) from None
        self._open_values = {number: least for number, least in _OPEN_VALUES if self._value(number) >= least}

    @property
    def closed(self) -> bool:
        """Whether a person has closed the window."""
        return any(self._value(number) < least for number, least in self._open_values.items())

    def show(self, pixels: Image) -> None:
        """Show a picture (H, W, 3) uint8 BGR; do nothing if the window was closed."""
        if self.closed:
            return
        if not self._sized:
            height, width = pixels.shape[:2]
            scale = min(1.0, MAX_SIZE[0] / width, MAX_SIZE[1] / height)
            cv2.resizeWindow(TITLE, max(1, round(scale * width)), max(1, round(scale * height)))
            self._sized = True
        cv2.imshow(TITLE, pixels)

    def key(self) -> str:
        """Return the key that was pressed since the last call: a character in lower case, ``escape``, or "".

        The window reacts to people only during these calls.
        """
        code = cv2.pollKey()
        return "" if code < 0 else key_name(code)

    def _value(self, number: int) -> float:
        """Return the value of the window property *number*; -1 if it is unknown or the window is closed."""
        try:
            return cv2.getWindowProperty(TITLE, number)
        except cv2.error:
            return -1.0

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(cv2.error):  # raised if a person has closed the window
            cv2.destroyWindow(TITLE)


def key_name(code: int) -> str:
    """Return the name of the key with OpenCV's *code*: a character in lower case, ``escape``, or ""."""
    code &= _CODE_BITS
    if code == _ESCAPE:
        return "escape"
    letter = chr(code) if code <= _MAX_CODE else ""
    return letter.lower() if letter.isprintable() else ""


def _opens() -> bool:
    """Return whether a window can be opened. Another process tries this, because a try can cause a crash."""
    try:
        trial = subprocess.run(
            [sys.executable, "-c", _TRIAL], capture_output=True, timeout=_TRIAL_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return trial.returncode == 0
