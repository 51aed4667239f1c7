"""The command: it starts, says where the page is, and ends cleanly."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from browser.services import running_service
from conftest import Run
from handler_samples import SAMPLES
from serving import until


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
    with running_service() as service:
        process = service.process
        assert httpx.get(f"{service.address}api/health", trust_env=False).json()["status"] == "ok"
        assert len(processes_of_group(process.pid)) >= 2
        (os.killpg if to_group else os.kill)(process.pid, number)
        assert process.wait(15) == 0
        assert service.log.read_text().endswith("sudoku-vision: ended.\n")
        until(lambda: not processes_of_group(process.pid))  # multiprocessing's own helper ends last


@pytest.mark.slow
def test_it_writes_no_file_and_no_name_of_one(tmp_path: Path) -> None:
    places = {name: str(tmp_path) for name in ("TMPDIR", "HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME")}
    with running_service(environment=places, folder=tmp_path) as service:
        photo = ("very-private.jpg", (SAMPLES / "newspaper.jpg").read_bytes() + bytes(2_000_000))
        for path in ("solve", "check", "solve.jpg"):
            answer = httpx.post(f"{service.address}api/{path}", files={"photo": photo}, timeout=30)
            assert answer.status_code == 200
        assert [one for one in tmp_path.rglob("*") if one.is_file()] == []
        logged = service.log.read_text()
        assert logged.count("\n") <= 1 and "private" not in logged and "solve" not in logged


def test_a_port_that_is_taken_is_a_sentence(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ran = run("serve", "--port", port, "--no-open")
    assert ran.status == 2
    assert ran.err.startswith(f"sudoku-vision: Port {port} is taken by another program. Take another")


def test_a_model_that_is_none_is_told_as_everywhere(run: Run, tmp_path: Any) -> None:
    broken = tmp_path / "broken.npz"
    broken.write_bytes(b"no model")
    ran = run("serve", "--port", 0, "--no-open", "--model", broken)
    assert ran.status == 3
    assert "broken.npz" in ran.err and "Traceback" not in ran.err


def test_the_process_that_answers_loads_no_vision() -> None:
    code = "import sys, sudoku_vision.cli.serve, sudoku_vision.web.app, sudoku_vision.web.pools"
    ran = subprocess.run(
        [sys.executable, "-c", code + "; print([m for m in ('numpy', 'cv2', 'PIL') if m in sys.modules])"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.strip() == "[]"
