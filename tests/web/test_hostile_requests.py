"""Hostile requests: none is a failure of the service or shows a traceback, and the service stays as it was.

SUDOKU_VISION_HOSTILE=2000 says how many are sent in the slow run.
"""

import json
import os
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from conftest import PUZZLE
from hostile_requests import Material, answer_to, hostile
from serving import until

from sudoku_vision.output.save import encode
from workshop.rendering import Drawing

MANY = int(os.environ.get("SUDOKU_VISION_HOSTILE", "300"))
AT_ONCE = 16
UPLOADS = 40
PATIENCE = 20.0  # seconds until a request without an answer is one too many
GROWTH = 40_000_000  # bytes that the server may have grown by: its connections and buffers, measured 9 MB

STATUS = re.compile(rb"HTTP/1\.1 (\d{3}) ")


def memory(process: int) -> int:
    """The bytes of the server's own process."""
    text = Path(f"/proc/{process}/status").read_text()
    return 1_024 * int(re.search(r"VmRSS:\s+(\d+)", text)[1])  # type: ignore[index]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int, Path]]:
    """The service under fire: its address, process and log."""
    log = tmp_path_factory.mktemp("service") / "log"
    command, pipe = [sys.executable, str(Path(__file__).parent / "serve_alone.py")], subprocess.PIPE
    with (
        log.open("wb") as file,
        subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=file, text=True) as process,
    ):
        assert process.stdin is not None and process.stdout is not None
        address, number = process.stdout.readline().split()
        yield address, int(number), log
        process.stdin.close()
        assert process.wait(20) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read as Linux shows it")
@pytest.mark.parametrize("count", [40, pytest.param(MANY, marks=pytest.mark.slow)], ids=["few", "many"])
def test_hostile_requests_are_answered_and_leave_the_service_as_it_was(
    service: tuple[str, int, Path], drawing: Drawing, count: int
) -> None:
    address, process, log = service
    photo = encode(drawing.pixels, ".jpg")
    with httpx.Client(base_url=address, timeout=30, trust_env=False) as client:
        state = client.post("/api/solve", content=photo).json()["view"]["grids"][0]["state"]
        material = Material(urlsplit(address).netloc, photo, state)
        before = memory(process)
        kinds: Counter[str] = Counter()
        with ThreadPoolExecutor(AT_ONCE) as threads:
            requests = [hostile(number, material) for number in range(count)]
            answers = threads.map(lambda one: (one, answer_to(address, one, PATIENCE)), requests)
            for number, (sent, answer) in enumerate(answers):
                statuses = [int(one) for one in STATUS.findall(answer)]
                assert 500 not in statuses, (number, sent.kind, answer[:500])
                assert not {one for one in statuses if one > 500} - {503, 504}, (number, sent.kind)
                assert b"Traceback" not in answer and b".py" not in answer, (number, sent.kind)
                kinds[f"{sent.kind} {'answered' if statuses else 'hung up on'}"] += 1
        until_all_workers_are_idle(client)
        assert client.get(f"/api/board/{PUZZLE}/solve").json()["status"] == "solved"
        assert client.post("/api/solve", content=photo).json()["status"] == "solved"
        grown = memory(process) - before
        assert grown < GROWTH
        logged = log.read_text()
        assert "Traceback" not in logged and "internal" not in logged, logged[-2_000:]
    answered = sum(count for kind, count in kinds.items() if kind.endswith(" answered"))
    summary = json.dumps({"grown": grown, **kinds})
    assert answered > 0.7 * count, summary
    sys.stdout.write(f"{summary}\n")


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read as Linux shows it")
def test_large_bodies_that_come_slowly_share_one_bound_on_memory(service: tuple[str, int, Path]) -> None:
    """60 MB come at once; those that find no room wait, or are sent away, while small ones pass."""
    address, process, _ = service
    piece, begun = bytes(500_000), threading.Semaphore(0)

    def pieces() -> Iterator[bytes]:
        for number in range(3):
            yield piece
            if number == 0:
                begun.release()
            time.sleep(0.2)

    def upload(_: int) -> tuple[int, str]:
        headers = {"Content-Length": str(3 * len(piece))}
        answer = httpx.post(
            f"{address}/api/solve", content=pieces(), headers=headers, timeout=30, trust_env=False
        )
        return answer.status_code, answer.json()["error"]["code"]

    before, most = memory(process), 0
    with ThreadPoolExecutor(UPLOADS) as threads:
        answers = [threads.submit(upload, number) for number in range(UPLOADS)]
        for _ in range(UPLOADS // 2):
            assert begun.acquire(timeout=20)
        refused = httpx.post(f"{address}/api/settle", json={"state": "none"}, trust_env=False)
        assert refused.json()["error"]["code"] == "bad_state"
        while not all(answer.done() for answer in answers):
            most = max(most, memory(process) - before)
            time.sleep(0.02)
    kinds = Counter(answer.result() for answer in answers)
    assert kinds[415, "not_a_picture"] >= 6, kinds
    assert set(kinds) <= {(415, "not_a_picture"), (503, "busy"), (408, "slow_body")}, kinds
    assert most < 40_000_000, f"{most / 1e6:.0f} MB"


def until_all_workers_are_idle(client: httpx.Client) -> None:
    def are_idle() -> bool:
        health = client.get("/api/health").json()
        workers = health["workers"]
        return workers["ready"] - workers["busy"] == workers["workers"] and not health["queue"]["waiting"]

    until(are_idle)
