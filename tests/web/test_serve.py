"""The command: it starts, says where the page is, and ends cleanly."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

from sudoku_vision.web.server import listen, sockets_closed

COMMAND = [sys.executable, "-m", "sudoku_vision", "serve", "--port", "0", "--workers", "1", "--no-open"]


@contextmanager
def served(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command, running; gives its process and the address that it named."""
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stderr is not None
        line = process.stderr.readline()
        address = re.search(r"http://127\.0\.0\.1:\d+/", line)
        assert address, line + process.stderr.read()
        yield process, address[0]
    finally:
        process.kill()
        process.communicate()


def processes_of_group(group: int) -> list[int]:
    """All processes that were started by a command, dead ones that nobody took note of included."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and os.getpgid(int(entry.name)) == group:
                found.append(int(entry.name))
        except ProcessLookupError:
            pass
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="processes are counted as Linux lists them")
@pytest.mark.parametrize(("number", "to_group"), [(signal.SIGTERM, False), (signal.SIGINT, True)])
def test_it_ends_without_a_traceback_and_leaves_no_process(number: signal.Signals, to_group: bool) -> None:
    with served() as (process, address):
        with urllib.request.urlopen(address + "api/health", timeout=10) as answer:
            assert json.load(answer)["status"] == "ok"
        assert len(processes_of_group(process.pid)) >= 2
        began = time.monotonic()
        (os.killpg if to_group else os.kill)(process.pid, number)
        out, err = process.communicate(timeout=15)
        assert time.monotonic() - began < 5
        assert (process.returncode, out, err) == (0, "", "sudoku-vision: ended.\n")
        end = time.monotonic() + 5
        while processes_of_group(process.pid) and time.monotonic() < end:  # multiprocessing's own helper
            time.sleep(0.05)
        assert not processes_of_group(process.pid)


@pytest.mark.skipif(sys.platform != "linux", reason="processes are counted as Linux lists them")
def test_it_ends_as_well_before_it_has_begun() -> None:
    with subprocess.Popen([*COMMAND], stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        end = time.monotonic() + 20
        while len(processes_of_group(process.pid)) < 3 and time.monotonic() < end:  # its worker starts
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=15)
        assert (process.returncode, err.splitlines()[-1:]) == (0, ["sudoku-vision: ended."])
        assert "Traceback" not in err


def test_a_port_that_is_taken_is_a_sentence(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ran = run("serve", "--port", port, "--no-open")
    assert ran.status == 2
    assert ran.err.startswith(f"sudoku-vision: Port {port} is taken by another program. Take another")


def test_an_address_that_is_not_here_is_a_sentence(run: Run) -> None:
    for host in ("192.0.2.1", "no such host"):
        ran = run("serve", "--host", host, "--port", 0, "--no-open")
        assert ran.status == 2
        assert ran.err.startswith(f"sudoku-vision: --host {host}: ")


WITHOUT_EXTRA = """
import sys
for name in ("cryptography", "fastapi", "python_multipart", "segno", "starlette", "uvicorn", "websockets"):
    sys.modules[name] = None  # as if it were not installed
from sudoku_vision.cli import main
sys.exit(main())
"""


@pytest.mark.parametrize("options", [(), ("--https",), ("--lan",), ("--lan", "--https", "--no-token")])
def test_without_the_extra_it_is_said_what_to_install(options: tuple[str, ...]) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT_EXTRA, "serve", *options], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 3
    assert re.fullmatch(r"sudoku-vision: serve needs \S+, .*pip install '.\[web\]'\n", ran.stderr), ran.stderr


def test_a_model_that_is_none_is_told_as_everywhere(run: Run, tmp_path: Any) -> None:
    broken = tmp_path / "broken.npz"
    broken.write_bytes(b"no model")
    ran = run("serve", "--port", 0, "--no-open", "--model", broken)
    assert ran.status == 3
    assert "broken.npz" in ran.err and "Traceback" not in ran.err


def test_the_process_that_answers_loads_no_vision() -> None:
    code = "import sys, sudoku_vision.cli.serve, sudoku_vision.web.app, sudoku_vision.web.pools"
    told = subprocess.run(
        [sys.executable, "-c", code + "; print([m for m in ('numpy', 'cv2', 'PIL') if m in sys.modules])"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.strip() == "[]"


def test_no_answer_waits_for_the_other_side_to_own_up_to_its_beginning() -> None:
    sockets = listen("127.0.0.1", 0)
    with sockets_closed(sockets), socket.create_connection(sockets[0].getsockname()[:2]):
        connection, _ = sockets[0].accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
