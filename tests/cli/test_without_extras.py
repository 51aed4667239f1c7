"""Where no extra is installed, a command that needs one says so in a line, and all others work."""

import subprocess
import sys
from pathlib import Path

from examples import EASY

CODE = """
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
NEEDED = {
    "serve": "web",
    "serve --lan --https": "web",
    "solve a.heic": "formats",
    "check a.pdf": "formats",
    "solve a.heic --cluster tcp://127.0.0.1:9": "cluster",
    f"explain {EASY} -o steps.pdf": "print",
    "generate -o book.pdf": "print",
    f"convert {EASY} --to pdf -o page.pdf": "print",
}
NOT_NEEDED = [
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
    (tmp_path / "calls").write_text("\n".join([*NEEDED, *NOT_NEEDED]))
    ran = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, cwd=tmp_path)
    assert ran.stderr == ""
    outcomes = [eval(line) for line in ran.stdout.splitlines()]
    assert len(outcomes) == len(NEEDED) + len(NOT_NEEDED)
    for (line, extra), (status, out, err) in zip(NEEDED.items(), outcomes, strict=False):
        remedy = f"In the folder of sudoku-vision, run: pip install '.[{extra}]'\n"
        assert (status, out, err.count("\n")) == (3, b"", 1), line
        assert err.startswith("sudoku-vision: ") and err.endswith(remedy), line
    for line, (status, out, err) in zip(NOT_NEEDED, outcomes[len(NEEDED) :], strict=True):
        assert (status, bool(out)) == (0, True), f"{line}: {err}"
