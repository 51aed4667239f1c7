"""A service that listens, and what tests of its answers share."""

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import httpx

from sudoku_vision.web.app import create_app
from sudoku_vision.web.certificate import Certificate
from sudoku_vision.web.pools import JobPool, photo_pool
from sudoku_vision.web.server import Server, address_of, listening
from sudoku_vision.web.settings import Settings

WAIT = 20.0  # seconds that a test waits for what takes a part of one


@contextlib.contextmanager
def serving(
    settings: Settings, opener: Callable[[], Any] | None = None, certificate: Certificate | None = None
) -> Iterator[str]:
    """Serve on a free port within; gives the address, without a slash at its end. Without a
    *opener* pictures are truly read."""
    pool = photo_pool(settings) if opener is None else JobPool(opener, settings.workers, settings.limits)
    with listening(settings.host, 0) as sockets, pool:
        settings = replace(settings, port=sockets[0].getsockname()[1])
        begun = threading.Event()
        server = Server(create_app(settings, pool), settings, begun.set, certificate)
        thread = threading.Thread(target=server.run, args=[sockets], daemon=True)
        thread.start()
        assert begun.wait(20)
        try:
            yield address_of(sockets[0], https=certificate is not None).rstrip("/")
        finally:
            server.should_exit = True
            thread.join(20)
            assert not thread.is_alive()


def until(true: Callable[[], object]) -> None:
    """Wait until something is true."""
    end = time.monotonic() + WAIT
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def code_of(answer: httpx.Response) -> tuple[int, str]:
    """Return the status and the code of a refusal, whose words are for people on the page."""
    error = answer.json()["error"]
    assert set(error) == {"code", "message", "remedy"}
    assert error["message"].endswith(".") and "--" not in error["message"] + error["remedy"]
    assert answer.headers["cache-control"] == "no-store"
    return answer.status_code, error["code"]


def raw(address: str, data: bytes, *, seconds: float = 5) -> bytes:
    """Return what comes back for bytes that need not be HTTP."""
    to = urlsplit(address)
    answer = b""
    with (
        socket.create_connection((to.hostname, to.port), timeout=seconds) as connection,
        contextlib.suppress(ConnectionResetError),
    ):
        connection.sendall(data)
        while piece := connection.recv(65_536):
            answer += piece
    return answer
