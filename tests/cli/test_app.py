"""The application: help, mistakes in plain words, and no library loaded or missed that is not needed."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import PUZZLE, Run, started
from examples import EASY

from sudoku_vision.cli.app import COMPLETION
from sudoku_vision.cli.options import PANELS

NOT_NEEDED = (
    "PIL",  # other kinds of pictures
    "multiprocessing",  # several at a time, and PDF
    "pydantic",  # the service
    "rich",  # colours
    "ssl",
    "sudoku_vision.sudoku.generator",
    "sudoku_vision.sudoku.logic",  # hints
    "sudoku_vision.web",
    "typst",  # printing
    "xml",  # boards as XML
)
"""Modules that take long to load, and what they are for."""

COMMANDS = ("solve", "check", "live", "hint", "explain", "rate", "puzzles", "generate", "convert")


def loaded_after(*calls: tuple[str, ...]) -> set[str]:
    """The modules that are loaded when some commands have run, in a process of their own."""
    code = (
        "import contextlib, sys; from sudoku_vision.cli import main\n"
        f"for call in {calls!r}:\n"
        "    sys.argv = ['sudoku-vision', *call]\n"
        "    with contextlib.suppress(SystemExit):\n        main()\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    return set(ran.stderr.splitlines()[-1].split())


def test_solving_a_photo_loads_nothing_else(photo_file: Path) -> None:
    assert not loaded_after(("solve", str(photo_file))) & set(NOT_NEEDED)


def test_help_imports_neither_numpy_nor_opencv() -> None:
    calls = (("--help",), ("solve", "--help"), ("solve", "--page", "0", "x"))
    assert not loaded_after(*calls) & {"numpy", "cv2", "PIL", "rich"}


LONG = "x" * 3000


@pytest.mark.parametrize(
    "call",
    [
        ("solve", LONG),
        ("solve", "y" * 5000),
        (LONG,),
        ("solve", f"--{LONG}", "x"),
        ("solve", PUZZLE, "--page", LONG),
        ("solve", PUZZLE, "-o", f"{LONG}.png"),
        ("solve", PUZZLE, "-o", "/".join(["y" * 200] * 15) + "/a.png"),
        ("solve", PUZZLE, "--report", f"{LONG}.csv"),
        ("solve", PUZZLE, "--link", LONG),
        ("convert", PUZZLE, "--to", LONG),
        ("live", "--source", LONG, "--headless"),
        ("live", "--source", "9" * 3000),
    ],
)
def test_messages_are_short_whatever_was_typed(run: Run, call: tuple[str, ...]) -> None:
    ran = run(*call)
    assert ran.status != 0
    assert len(ran.err) < 1500 and ran.err.count("\n") == 1


@pytest.mark.parametrize("name", COMMANDS)
def test_help_lists_options_in_the_same_order(run: Run, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    order = ["--output", "--json", "--page", "--overrides", "--corners", "--max-megapixels", "--model"]
    ran = run(name, "--help")
    assert (ran.status, ran.err) == (0, "")
    listed = [option for option in re.findall(r"^  (?:-\w, )?(--[a-z-]+)", ran.out, re.M) if option in order]
    assert listed == sorted(listed, key=order.index)
    sections = re.findall(r"^(\w[\w ]+):$", ran.out, re.M)
    headings = ("Arguments", "Options", *PANELS)
    assert len(sections) > 1 and sections == [heading for heading in headings if heading in sections]


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("sol", "plain,solve"),
        ("solve --deb", "plain,--debug-dir"),
        ("generate -d me", "plain,medium"),
        ("hint --language d", "plain,de"),
        ("convert --to ho", "plain,hodoku"),
        ("solve --link sudokuw", "plain,sudokuwiki.org"),
        ("generate --qr f", "plain,f-puzzles.com"),
        ("solve photos/a", "file,photos/a"),
        ("check photo.jpg -o out", "file,out"),
    ],
)
def test_shells_complete_words(run: Run, monkeypatch: pytest.MonkeyPatch, typed: str, completed: str) -> None:
    script = run("--show-completion", "bash").out
    assert COMPLETION in script and "complete -o" in script
    monkeypatch.setenv("COMP_WORDS", f"sudoku-vision {typed}")
    monkeypatch.setenv("COMP_CWORD", str(len(typed.split())))
    monkeypatch.setenv(COMPLETION, "bash_complete")
    assert run().out == f"{completed}\n"


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("module", ["click", "cv2"])
def test_a_signal_while_loading_is_silent(tmp_path: Path, photo_file: Path, number: int, module: str) -> None:
    code = f"import os, time; os.kill(os.getpid(), {number:d}); time.sleep(9)"
    (tmp_path / f"{module}.py").write_text(code)
    ran = started("solve", photo_file, env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert ran.communicate() == ("", "")
    assert ran.returncode in (128 + number, -number)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_an_output_that_takes_no_more_is_reported_without_a_traceback() -> None:
    with Path("/dev/full").open("w") as full:
        ran = started("rate", "--json", PUZZLE, stdout=full)
    assert ran.communicate()[1] == "sudoku-vision: output: no space left on device.\n"
    assert ran.returncode == 1


# Where no extra is installed.


WITHOUT_EXTRAS = """
import contextlib, io, sys
from pathlib import Path
for name in ("av cryptography dask distributed fastapi ifaddr multipart numba pillow_heif pypdfium2"
             " python_multipart segno starlette typst uvicorn websockets").split():
    sys.modules[name] = None  # as if it were not installed
from sudoku_vision.cli import main
for line in Path("calls").read_text().splitlines():
    sys.argv = ["sudoku-vision", *line.split()]
    out, err, status = io.TextIOWrapper(io.BytesIO()), io.StringIO(), 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
        except SystemExit as left:
            status = left.code
    out.flush()
    print(repr((status, out.buffer.getvalue(), err.getvalue())))
"""
REFUSED = {
    "serve": "web",
    "serve --lan --https": "web",
    "solve a.heic": "formats",
    "check a.pdf": "formats",
    "solve a.heic --cluster tcp://127.0.0.1:9": "cluster",
    f"explain {EASY} -o steps.pdf": "print",
    "generate -o book.pdf": "print",
    f"convert {EASY} --to pdf -o page.pdf": "print",
}
WORKING = [
    f"solve {EASY} -o page.png",
    f"hint {EASY} -o hint.png",
    f"rate {EASY}",
    f"puzzles {EASY}",
    "generate -d easy",
    f"convert {EASY} --to sdk",
]


def test_a_command_that_needs_an_extra_says_how_to_get_it_and_the_others_work(tmp_path: Path) -> None:
    (tmp_path / "a.heic").write_bytes(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic")
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.4\n")
    (tmp_path / "calls").write_text("\n".join([*REFUSED, *WORKING]))
    ran = subprocess.run([sys.executable, "-c", WITHOUT_EXTRAS], capture_output=True, text=True, cwd=tmp_path)
    assert ran.stderr == ""
    outcomes = [eval(line) for line in ran.stdout.splitlines()]
    assert len(outcomes) == len(REFUSED) + len(WORKING)
    for (line, extra), (status, out, err) in zip(REFUSED.items(), outcomes, strict=False):
        remedy = f"In the folder of sudoku-vision, run: pip install '.[{extra}]'\n"
        assert (status, out, err.count("\n")) == (3, b"", 1), line
        assert err.startswith("sudoku-vision: ") and err.endswith(remedy), line
    for line, (status, out, err) in zip(WORKING, outcomes[len(REFUSED) :], strict=True):
        assert (status, bool(out)) == (0, True), f"{line}: {err}"
