"""Hostile requests: none is a failure of the service or shows a traceback, and the service stays as it was.

SUDOKU_VISION_HOSTILE=2000 says how many are sent in the slow run.
"""

import json
import os
import re
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from conftest import PUZZLE
from hostile_requests import HostileService, answer_to, hostile, is_failure, statuses_in
from serving import until

from sudoku_vision.output.save import encode
from workshop.rendering import Drawing

MANY = int(os.environ.get("SUDOKU_VISION_HOSTILE", "300"))
AT_ONCE = 16
UPLOADS = 40
PATIENCE = 20.0  # seconds until a request without an answer is one too many
GROWTH = 40_000_000  # bytes that the server may have grown by: its connections and buffers, measured 9 MB


def memory(process: int) -> int:
    """The bytes of the server's own process."""
    text = Path(f"/proc/{process}/status").read_text()
    return 1_024 * int(re.search(r"VmRSS:\s+(\d+)", text)[1])  # type: ignore[index]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HostileService]:
    """The service under fire."""
    with HostileService(tmp_path_factory.mktemp("service") / "log") as service:
        yield service
    assert service.process.returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read as Linux shows it")
@pytest.mark.parametrize("count", [40, pytest.param(MANY, marks=pytest.mark.slow)], ids=["few", "many"])
def test_hostile_requests_leave_it_as_it_was(service: HostileService, drawing: Drawing, count: int) -> None:
    photo = encode(drawing.pixels, ".jpg")
    with httpx.Client(base_url=service.address, timeout=30, trust_env=False) as client:
        material = service.material(photo, 30)
        before = memory(service.server)
        kinds: Counter[str] = Counter()
        with ThreadPoolExecutor(AT_ONCE) as threads:
            requests = [hostile(number, material) for number in range(count)]
            answers = threads.map(lambda one: (one, answer_to(service.address, one, PATIENCE)), requests)
            for number, (sent, answer) in enumerate(answers):
                assert not is_failure(answer), (number, sent.kind, answer[:500])
                kinds[f"{sent.kind} {'answered' if statuses_in(answer) else 'hung up on'}"] += 1
        until_all_workers_are_idle(client)
        assert client.get(f"/api/board/{PUZZLE}/solve").json()["status"] == "solved"
        assert client.post("/api/solve", content=photo).json()["status"] == "solved"
        grown = memory(service.server) - before
        assert grown < GROWTH
        assert not service.logged_fault
    answered = sum(count for kind, count in kinds.items() if kind.endswith(" answered"))
    summary = json.dumps({"grown": grown, **kinds})
    assert answered > 0.7 * count, summary
    sys.stdout.write(f"{summary}\n")


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read as Linux shows it")
def test_large_bodies_that_come_slowly_share_one_bound_on_memory(service: HostileService) -> None:
    """60 MB come at once; those that find no room wait, or are sent away, while small ones pass."""
    address, process = service.address, service.server
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
