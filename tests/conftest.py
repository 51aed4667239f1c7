"""What several tests share: drawn pictures, and the places of real photos."""

import importlib.util
import io
import json
import os
import signal
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

# Before NumPy is loaded: tests share the cores, so that each multiplies with one thread.
os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
# Text is as wide as a test's own stream says, not as the terminal that pytest runs in.
os.environ.pop("COLUMNS", None)
# Sentences are English, whatever the language of whoever runs the tests.
os.environ["LC_ALL"] = "C.UTF-8"
# A shell that runs the tests in the background lets them ignore Ctrl-C. The programs that tests start and
# interrupt would ignore it, too.
signal.signal(signal.SIGINT, signal.default_int_handler)

import numpy as np
from hypothesis import HealthCheck, settings
from PIL import Image as Pillow

from sudoku_vision.cli import main
from sudoku_vision.output.save import save
from sudoku_vision.sudoku.board import Board
from sudoku_vision.vision.digits import CellClassifier, load_model
from workshop.__main__ import main as run_workshop_command
from workshop.rendering import Conditions, Drawing, draw

# Examples are the same in every run, and no example fails because the machine is busy.
slow_is_fine = [HealthCheck.too_slow]
settings.register_profile("house", deadline=None, derandomize=True, suppress_health_check=slow_is_fine)
settings.load_profile("house")

PUZZLE = "400000805030000000000700000020000060000080400000010000000603070500200000104000000"
SOLUTION = "417369825632158947958724316825437169791586432346912758289643571573291684164875293"


def packed(picture: Pillow.Image, kind: str, **options: Any) -> bytes:
    """A picture as the bytes of a file."""
    file = io.BytesIO()
    picture.save(file, kind, **options)
    return file.getvalue()


def png_chunk(kind: bytes, data: bytes) -> bytes:
    """A part of a PNG."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png_header(width: int, height: int, rows: bytes = b"", before: bytes = b"") -> bytes:
    """A PNG that claims a size, with packed *rows* of its pixels, and further chunks *before* them."""
    header = png_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    end = png_chunk(b"IDAT", rows) + png_chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + header + before + end


def board(text: str) -> Board:
    """81 digits as a (9, 9) board."""
    return np.array([int(digit) for digit in text], np.int8).reshape(9, 9)


@pytest.fixture(scope="session")
def puzzle() -> Board:
    """A puzzle with one solution."""
    return board(PUZZLE)


@pytest.fixture(scope="session")
def solution() -> Board:
    """Its solution."""
    return board(SOLUTION)


@pytest.fixture(scope="session")
def drawing(puzzle: Board) -> Drawing:
    """A plain picture of the puzzle, 480 x 480 pixels."""
    return draw(np.random.default_rng(1), Conditions(size=(480, 480)), puzzles=[puzzle])


@pytest.fixture(scope="session")
def no_sudoku() -> Drawing:
    """A picture of a table top, 320 x 240 pixels."""
    pixels = np.full((240, 320, 3), (90, 120, 140), np.uint8)
    pixels[60:180, 80:240] = (70, 100, 180)
    return Drawing(pixels, ())


@pytest.fixture(scope="session")
def model() -> CellClassifier:
    """The classifier of the package."""
    return load_model()


@pytest.fixture
def photo_file(tmp_path: Path, drawing: Drawing) -> Path:
    """The plain picture as a JPEG file."""
    path = tmp_path / "photo.jpg"
    save(path, drawing.pixels)
    return path


@pytest.fixture
def labelled(tmp_path: Path, drawing: Drawing, no_sudoku: Drawing) -> Path:
    """A labelled folder: one puzzle, two of one picture, and a picture that holds none."""
    images = tmp_path / "set" / "images"
    images.mkdir(parents=True)
    for name, pixels in (("one", drawing.pixels), ("two", drawing.pixels), ("none", no_sudoku.pixels)):
        save(images / f"{name}.png", pixels)
    rows = [
        "id,file,tags,printed,all",
        f"1,one.png,photo;blur,{PUZZLE},",
        f"2,two.png,photo,{PUZZLE},{SOLUTION}",
        f"3,two.png,photo;second,{SOLUTION},",
        "4,none.png,negative,,",
    ]
    (images.parent / "labels.csv").write_text("\n".join(rows) + "\n")
    return images.parent


@pytest.fixture
def easily_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit of confidence is measured elsewhere; here, results must not depend on the present model."""
    monkeypatch.setattr("sudoku_vision.vision.decode.confidence.SURE", 0.5)


def data_folder() -> Path:
    """The folder of real photos, if it exists; they are no part of the project."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    return Path(os.environ.get("SUDOKU_VISION_DATA", beside))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real photos; skips where it is not at hand."""
    folder = data_folder()
    if not folder.is_dir():
        pytest.skip("the real photos are not here (neither ../shared/data nor SUDOKU_VISION_DATA)")
    return folder


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail a test of real photos that is skipped although they exist: it could hide a loss of accuracy."""
    report = yield
    of_photos = "shared_data" in getattr(item, "fixturenames", ())
    if report.skipped and of_photos and data_folder().is_dir():
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped, though the real photos are in {data_folder()}"
    return report


# In quotes: the lowest release of pytest that is allowed doesn't name this class yet.
def pytest_terminal_summary(terminalreporter: "pytest.TerminalReporter") -> None:
    """Say why the page was not tested in a browser, by the reports, which workers of xdist send as well."""
    skipped = terminalreporter.stats.get("skipped", [])
    of_page = [report for report in skipped if "web/browser/" in report.nodeid]
    reasons = {report.longrepr[2].removeprefix("Skipped: ") for report in of_page}
    if importlib.util.find_spec("playwright") is None:
        reasons.add("playwright is not installed (pip install '.[test]')")
    for reason in sorted(reasons):
        terminalreporter.write_line(f"The page was not tested: {reason}.", yellow=True)


@dataclass(frozen=True)
class Ran:
    """The result of a call of the command line."""

    status: int
    out: str
    err: str

    @property
    def pages(self) -> list[dict[str, Any]]:
        """The JSON lines of standard output."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def states(self) -> dict[str, str]:
        """The status of each page by the name of its file."""
        return {Path(page["source"]).name: page["status"] for page in self.pages}


Run = Callable[..., Ran]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Call the command line in this process."""

    def call(*arguments: object, stdin: bytes = b"") -> Ran:
        monkeypatch.setattr(sys, "argv", ["sudoku-vision", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as left:
            main()
        code = left.value.code
        out, err = capsys.readouterr()
        return Ran(code if isinstance(code, int) else 0, out, err)

    return call


@pytest.fixture
def run_workshop(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Call the command line of the workshop in this process."""

    def call(*arguments: object) -> Ran:
        monkeypatch.setattr(sys, "argv", ["workshop", *map(str, arguments)])
        status = run_workshop_command()
        return Ran(status, *capsys.readouterr())

    return call


def started(*arguments: object, **options: Any) -> "subprocess.Popen[str]":
    """Start the program in a process and a group of its own; its streams are pipes for text."""
    command = [sys.executable, "-m", "sudoku_vision", *map(str, arguments)]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen(command, **{**pipes, "text": True, "start_new_session": True, **options})


def run_on_a_terminal(columns: int, term: str, *arguments: str) -> tuple[str, int]:
    """Run a command on a terminal with *columns*, of the kind *term*; return its output and status."""
    fcntl = pytest.importorskip("fcntl", reason="terminals of this kind are not on this system")
    import pty
    import termios

    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        variables = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "NO_COLOR")}
        command = [sys.executable, "-m", "sudoku_vision", *arguments]
        os.execve(sys.executable, command, variables | {"TERM": term})
    printed = b""
    try:
        while chunk := os.read(terminal, 65_536):
            printed += chunk
    except OSError:  # how Linux says that nothing more will come
        pass
    os.close(terminal)
    return printed.decode(), os.waitpid(child, 0)[1]


@pytest.fixture
def few_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Print with the fonts of the package and a few Chinese and Arabic letters, not those of the system."""
    from sudoku_vision.output.drawing import pdf_files, text_metrics

    typst = pytest.importorskip("typst")
    folders = [text_metrics.FONT_FOLDER, Path(__file__).parent / "output" / "drawing" / "fonts"]
    fonts = typst.Fonts(include_system_fonts=False, font_paths=folders)
    monkeypatch.setattr(pdf_files, "_fonts", lambda: fonts)
