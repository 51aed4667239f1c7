"""Connections: who opens many, or does nothing with them, is in nobody's way; a stand-in does the jobs."""

import asyncio
import contextlib
import logging
import select
import socket
import ssl
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock
from urllib.parse import urlsplit

import httpx
import pytest
import uvicorn
from serving import WAIT, serving, until
from stand_in_handler import StandInHandler
from uvicorn.server import ServerState

from sudoku_vision.web.certificate import own_certificate
from sudoku_vision.web.server import MAX_LINES_A_MINUTE, LineHandler, Server, WebSocketProtocol
from sudoku_vision.web.settings import Limits, Settings

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="ends are seen as Linux shows them")
LIMITS = Limits(connections=6, address_connections=4, head=5.0, send=0.3)
UPGRADE = (
    b"GET /api/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
DOCS = b"GET /docs HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(Settings(workers=1, limits=LIMITS), StandInHandler) as made:
        yield made


def connection(address: str, sent: bytes = b"") -> socket.socket:
    to = urlsplit(address)
    made = socket.socket()
    made.settimeout(WAIT)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    made.connect((to.hostname, to.port))
    made.sendall(sent)
    return made


def until_ended(count: int, held: list[socket.socket]) -> None:
    """Wait for the end of so many connections, of which nothing is read."""
    watch = select.poll()
    for one in held:
        watch.register(one, select.POLLRDHUP)
    until(lambda: len(watch.poll(100)) >= count)


@pytest.mark.parametrize("sent", [b"", b"GET / HT", DOCS], ids=["silent", "slow", "unread"])
def test_connections_that_wait_for_their_client_give_way_to_new_ones(address: str, sent: bytes) -> None:
    with contextlib.ExitStack() as opened:
        held = [opened.enter_context(connection(address, sent)) for _ in range(20)]
        assert httpx.get(f"{address}/api/health", trust_env=False).status_code == 200
        until_ended(len(held) - LIMITS.address_connections, held)


def test_who_does_not_read_an_answer_is_hung_up_on(address: str) -> None:
    with connection(address, DOCS * 100) as deaf:  # more than the buffers of the system take
        until_ended(1, [deaf])


def test_before_a_handshake_connections_are_bounded_too(tmp_path: Path) -> None:
    certificate = own_certificate(tmp_path, ["localhost"])
    limits = Limits(connections=6, address_connections=4, head=0.2)
    context = ssl.create_default_context(cafile=certificate.certificate)
    with (
        serving(Settings(workers=1, limits=limits), StandInHandler, certificate) as address,
        contextlib.ExitStack() as opened,
    ):
        held = [opened.enter_context(connection(address, b"\x16\x03\x01\x02")) for _ in range(20)]
        there = address.replace("127.0.0.1", "localhost")
        assert httpx.get(f"{there}/api/health", verify=context, trust_env=False).status_code == 200
        until_ended(len(held), held)


def stand_in(address: str, waits: bool = True) -> Any:
    return Mock(address=address, waits_for_client=waits, **{"socket.fileno.return_value": 5})


def test_the_address_with_most_connections_gives_way_where_others_come() -> None:
    connections = Server(Mock(), Settings(limits=LIMITS))
    crowd = [stand_in("crowd", waits) for waits in (False, True, True)]
    others = [stand_in("other"), stand_in("third"), stand_in("fourth")]
    assert all(map(connections.add, [*others, *crowd]))
    assert connections.add(stand_in("new"))
    assert [one.hang_up.called for one in crowd + others] == [False, True, *[False] * 4]


def test_a_thousand_faults_are_a_few_lines_and_a_request_cut_off_at_the_end_is_none() -> None:
    lines: list[str] = []
    handler = LineHandler(lines.append)
    for number in range(1000):
        handler.handle(logging.makeLogRecord({"msg": f"fault\n{number}"}))
    assert lines[0] == "fault 0" and len(lines) == MAX_LINES_A_MINUTE
    lines.clear()
    cut_off = (asyncio.CancelledError, asyncio.CancelledError(), None)
    LineHandler(lines.append).handle(logging.makeLogRecord({"msg": "late", "exc_info": cut_off}))
    assert not lines


def frame(kind: int, data: bytes, *, last: bool = True) -> bytes:
    """One frame of a WebSocket, masked by zeros."""
    return bytes([0x80 * last | kind, 0x80 | len(data), 0, 0, 0, 0]) + data


def test_a_websocket_takes_no_more_memory_than_its_message() -> None:
    received: list[Any] = []

    async def app(_: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        received.append(await receive())

    async def run() -> None:
        transport = Mock(**{"get_extra_info.return_value": None, "is_closing.return_value": False})
        config = uvicorn.Config(app, ws_max_size=10_000, log_config=None)
        protocol = WebSocketProtocol(config, ServerState(), {})
        protocol.connection_made(transport)
        protocol.data_received(UPGRADE)
        await asyncio.sleep(0.01)
        protocol.pause_writing()  # nothing of what was sent is read
        before = transport.write.call_count
        protocol.data_received(frame(9, b"ping") * 5_000)
        assert transport.write.call_count == before
        protocol.resume_writing()
        protocol.data_received(frame(9, b"ping"))
        assert transport.write.call_count == before + 1
        protocol.data_received(frame(2, b"x", last=False) + frame(0, b"x", last=False) * 5_000)
        assert len(protocol.frames) < 2_000
        protocol.data_received(frame(0, b"x"))
        await asyncio.sleep(0.01)
        assert received == [{"type": "websocket.receive", "bytes": b"x" * 5_002}]

    asyncio.run(run())
