"""Live: frames by WebSocket, each camera bound to one worker; a stand-in does the jobs."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from unittest.mock import Mock

import httpx
import pytest
from serving import serving, until
from stand_in_handler import StandInHandler
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from sudoku_vision.web.pools import JobPool
from sudoku_vision.web.settings import Limits, Settings

LIMITS = Limits(frame=50_000, live_clients=3, live_idle=1.0)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(Settings(workers=2, limits=LIMITS), StandInHandler) as made:
        yield made


def until_nobody_is_there(address: str) -> None:
    until(lambda: not httpx.get(f"{address}/api/health", trust_env=False).json()["live"]["clients"])


@pytest.fixture
def live(address: str) -> str:
    until_nobody_is_there(address)
    return address.replace("http", "ws") + "/api/live"


def test_each_frame_is_answered_and_the_mode_holds(live: str) -> None:
    with connect(live) as socket:
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
        refused = json.loads(socket.recv())
        assert (refused["error"]["code"], refused["frame"]) == ("bad_request", 2)
        socket.send(b"frame")
        assert json.loads(socket.recv())["seen"] == 3


def test_cameras_are_bounded_and_shared_out_to_workers(live: str, address: str) -> None:
    with ExitStack() as stack:
        sockets = [stack.enter_context(connect(live)) for _ in range(LIMITS.live_clients)]
        for socket in sockets:
            socket.send(b"frame")
        assert len({json.loads(socket.recv())["process"] for socket in sockets}) == 2
        refused = stack.enter_context(connect(live))
        assert json.loads(refused.recv())["error"]["code"] == "busy"
        with pytest.raises(ConnectionClosed):
            refused.recv()
    until_nobody_is_there(address)
    with connect(live) as socket:
        socket.send(bytes(LIMITS.frame + 1))
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009


def test_a_camera_that_goes_or_sends_nothing_is_forgotten(live: str, address: str) -> None:
    for _ in range(2):
        with connect(live) as socket:
            socket.send(b"frame")
            assert json.loads(socket.recv())["known"] == 1
    with connect(live) as silent, pytest.raises(ConnectionClosed):
        silent.recv(timeout=10)
    until_nobody_is_there(address)


def test_a_fault_of_the_program_ends_the_socket_and_is_logged(
    live: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(JobPool, "run", Mock(side_effect=RuntimeError("can't start new thread")))
    with connect(live) as socket:
        socket.send(b"frame")
        with pytest.raises(ConnectionClosed):
            socket.recv(timeout=10)
    assert "RuntimeError: can't start new thread" in caplog.text
