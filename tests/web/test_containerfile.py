"""The container, as far as it can be seen without building it: what it runs, and how its health is told."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
import tomllib
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from conftest import Run

TOP = Path(__file__).resolve().parents[2]
TEXT = (TOP / "Containerfile").read_text(encoding="utf-8").replace("\\\n", "")


def words_after(instruction: str) -> list[str]:
    """The list of words that an instruction has in its form for programs."""
    found = re.search(rf"^{instruction}.*?(\[.*\])$", TEXT, re.MULTILINE)
    assert found
    words: list[str] = json.loads(found[1])
    return words


def test_it_runs_a_call_that_the_program_understands(run: Run) -> None:
    name, *arguments = words_after("ENTRYPOINT")
    assert name == "sudoku-vision"
    assert run(*arguments, "--help").status == 0


def test_it_installs_what_the_package_offers_and_copies_what_it_needs() -> None:
    project = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = re.search(r'"\.\[([\w,]+)\]"', TEXT)
    assert extras and set(extras[1].split(",")) <= set(project["optional-dependencies"])
    opencv = next(one for one in project["dependencies"] if one.startswith("opencv-python"))
    assert opencv.replace("opencv-python", "opencv-python-headless") in TEXT
    let_in = (TOP / ".dockerignore").read_text(encoding="utf-8")
    copied = [
        word for line in re.findall(r"^COPY (?!--)(.*)$", TEXT, re.MULTILINE) for word in line.split()[:-1]
    ]
    for name in copied:
        assert (TOP / name).exists() and f"!{name}\n" in let_in


@pytest.mark.parametrize(("status", "well"), [(200, True), (401, True), (503, False)])
def test_it_is_well_while_the_service_answers(status: int, well: bool) -> None:
    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        code = words_after("HEALTHCHECK")[-1].replace("8000", str(server.server_port))
        assert (subprocess.run([sys.executable, "-c", code], check=False).returncode == 0) == well
