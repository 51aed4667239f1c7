"""Live: frames by WebSocket and by POST, each camera bound to one worker; a stand-in does the jobs."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from contextlib import ExitStack
from unittest.mock import Mock

import httpx
import pytest
from serving import serving
from stand_in_handler import StandInHandler
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect as connect_now

from sudoku_vision.web.pools import LiveWorkers
from sudoku_vision.web.settings import Limits, Settings

LIMITS = Limits(frame=50_000, live_clients=3, live_idle=2.0, work=5.0)
NAME = "0123456789abcdef0123456789abcdef"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(Settings(workers=2, limits=LIMITS), StandInHandler) as made:
        yield made


@pytest.fixture
def socket_address(address: str) -> str:
    until_nobody_is_there(address)
    return address.replace("http", "ws") + "/api/live"


def until_nobody_is_there(address: str) -> None:
    end = time.monotonic() + 10
    while httpx.get(f"{address}/api/health", trust_env=False).json()["live"]["clients"]:
        assert time.monotonic() < end
        time.sleep(0.02)


def post(address: str, frame: bytes, name: str = NAME, **said: str) -> httpx.Response:
    return httpx.post(f"{address}/api/live", params={"session": name, **said}, content=frame, trust_env=False)


def test_each_frame_is_answered_and_the_mode_holds(socket_address: str) -> None:
    with connect_now(socket_address) as socket:
        socket.send(b"frame")
        first = json.loads(socket.recv())
        assert (first["seen"], first["mode"], first["length"]) == (1, "answers", 5)
        socket.send(json.dumps({"mode": "hint", "language": "de"}))
        socket.send(b"the next")
        second = json.loads(socket.recv())
        assert (second["seen"], second["mode"], second["language"]) == (2, "hint", "de")
        assert second["process"] == first["process"]
        for sent, code in ((b"cut", "damaged_picture"), (b"", "empty_body"), ("[" * 3_000, "bad_request")):
            socket.send(sent)
            assert json.loads(socket.recv())["error"]["code"] == code
        socket.send('{"mode": "eat"}')
        assert json.loads(socket.recv())["error"]["code"] == "bad_request"
        socket.send(b"frame")
        assert json.loads(socket.recv())["seen"] == 3


def test_cameras_are_bounded_and_shared_out_to_workers(socket_address: str, address: str) -> None:
    with ExitStack() as stack:
        sockets = [stack.enter_context(connect_now(socket_address)) for _ in range(LIMITS.live_clients)]
        for socket in sockets:
            socket.send(b"frame")
        assert len({json.loads(socket.recv())["process"] for socket in sockets}) == 2
        refused = stack.enter_context(connect_now(socket_address))
        assert json.loads(refused.recv())["error"]["code"] == "busy"
        with pytest.raises(ConnectionClosed):
            refused.recv()
    until_nobody_is_there(address)
    with connect_now(socket_address) as socket:
        socket.send(bytes(LIMITS.frame + 1))
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009


def test_who_goes_or_sends_nothing_is_forgotten(socket_address: str, address: str) -> None:
    with connect_now(socket_address) as socket:
        socket.send(b"frame")
        socket.recv()
        began = time.monotonic()
        with pytest.raises(ConnectionClosed):
            socket.recv()
        assert time.monotonic() - began > 1.5
    until_nobody_is_there(address)
    with connect_now(socket_address) as socket:
        socket.send(b"frame")
        assert json.loads(socket.recv())["known"] == 1


def test_frames_are_posted_where_sockets_do_not_pass(socket_address: str, address: str) -> None:
    told = [post(address, b"frame", mode=mode).json() for mode in ("answers", "check")]
    assert [(one["seen"], one["mode"]) for one in told] == [(1, "answers"), (2, "check")]
    assert told[0]["process"] == told[1]["process"]
    assert post(address, b"frame", name="short").json()["error"]["code"] == "bad_request"
    assert post(address, b"frame", mode="eat").json()["error"]["code"] == "bad_request"
    assert post(address, b"").json()["error"]["code"] == "empty_body"
    assert post(address, bytes(LIMITS.frame + 1)).json()["error"]["code"] == "body_too_large"
    time.sleep(LIMITS.live_idle + 0.2)
    assert post(address, b"frame").json()["seen"] == 1  # it was forgotten meanwhile
    time.sleep(LIMITS.live_idle + 0.2)
    assert post(address, b"frame", name=NAME[::-1]).json()["known"] == 1


def test_one_frame_of_a_camera_is_in_work_at_a_time(socket_address: str, address: str) -> None:
    async def run() -> list[int]:
        async with httpx.AsyncClient(base_url=address, trust_env=False) as client:
            asked = (client.post("/api/live", params={"session": NAME}, content=b"slow") for _ in range(3))
            return sorted(answer.status_code for answer in await asyncio.gather(*asked))

    assert asyncio.run(run()) == [200, 503, 503]


def test_a_fault_of_the_program_ends_the_socket_and_is_logged(
    socket_address: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(LiveWorkers, "read", Mock(side_effect=RuntimeError("can't start new thread")))
    with connect_now(socket_address) as socket:
        socket.send(b"frame")
        with pytest.raises(ConnectionClosed):
            socket.recv(timeout=10)
    assert "RuntimeError: can't start new thread" in caplog.text
