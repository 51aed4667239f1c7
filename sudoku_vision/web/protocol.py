"""Uvicorn's HTTP/1.1 and WebSockets, with our own limits and refusals."""

import asyncio
import contextlib
import socket
import struct
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from sudoku_vision.web.auth import security_headers
from sudoku_vision.web.problems import BAD_REQUEST, SLOW_BODY, Problem
from sudoku_vision.web.settings import Limits

MAX_PARTS = 1_000  # if a WebSocket message has more parts than this, they are joined
_RESET = struct.pack("ii", 1, 0)  # value of SO_LINGER with which a closed socket drops its unsent data


class Protocol(H11Protocol):
    """A connection. Requests that are not HTTP, and heads that never end, get our own refusals."""

    begun: asyncio.Task[None]
    """The task that begins the connection; without a reference, Python may discard it."""

    def __init__(self, server: uvicorn.Server, limits: Limits, accepted: socket.socket, address: str) -> None:
        super().__init__(server.config, server.server_state, server.lifespan.state)
        self.limits, self.socket, self.address = limits, accepted, address
        self._head_since: float | None = None
        self._unsent, self._sent_at = 0, self.loop.time()  # number of unsent bytes; time of the last progress

    @property
    def waits_for_client(self) -> bool:
        """Whether the service waits for the client, which must send data or read our answer."""
        cycle = self.cycle
        return cycle is None or cycle.response_complete or cycle.more_body or self.flow.write_paused

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for the head of the first request."""
        super().connection_made(transport)
        self._head_since = self.loop.time()

    def handle_events(self) -> None:
        """Handle the data that has arrived; if a head is incomplete, record when it began."""
        super().handle_events()
        begun = self.conn.their_state is h11.IDLE and bool(self.conn.trailing_data[0])
        self._head_since = (self._head_since or self.loop.time()) if begun else None

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 (we don't use the library's words)
        """Refuse a request that is no valid HTTP."""
        self._refuse(BAD_REQUEST)

    def check_times(self, now: float) -> None:
        """End the connection of a client that reads nothing, or doesn't complete the head of its request."""
        before, self._unsent = self._unsent, self._buffered()
        if self._unsent == 0 or self._unsent < before:
            self._sent_at = now
        elif now - self._sent_at > self.limits.send:
            self.hang_up()
        if self._head_since is not None and now - self._head_since > self.limits.head:
            self._end_slow_head()

    def hang_up(self) -> None:
        """End the connection at once, even during its TLS handshake."""
        with contextlib.suppress(OSError):  # the socket is closed already
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
            if self.transport:
                self.transport.abort()
            else:
                self.socket.shutdown(socket.SHUT_RDWR)

    def _buffered(self) -> int:
        """Return the number of unsent bytes; 0 while TLS is being closed, which has its own time limit."""
        if self.transport is None or (self.scheme == "https" and self.transport.is_closing()):
            return 0
        return self.transport.get_write_buffer_size()

    def _end_slow_head(self) -> None:
        """Refuse a head that is not complete in time; close a connection that was never used."""
        if self.conn.trailing_data[0]:
            self._refuse(SLOW_BODY)
        else:
            self.transport.close()

    def _refuse(self, problem: Problem) -> None:
        """Send the *problem* as an answer, unless another answer has begun, and close the connection."""
        self._head_since = None
        if self.transport.is_closing():
            return
        own = {"Content-Type": "application/json", "Connection": "close"}
        headers = list((security_headers() | own | dict(problem.headers)).items())
        answer: list[h11.Event] = [h11.Response(status_code=problem.status, headers=headers)]
        answer += [h11.Data(data=problem.to_json()), h11.EndOfMessage()]
        with contextlib.suppress(h11.LocalProtocolError):  # another answer has already begun
            self.transport.write(b"".join(self.conn.send(part) or b"" for part in answer))
        self.transport.close()


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket that limits its memory, whatever its client sends."""

    def handle_ping(self) -> None:
        """Answer a ping, unless the client doesn't read our answers."""
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()  # returns the answer, which is dropped here

    def handle_cont(self, event: Frame) -> None:
        """Add a part of a message; if there are many parts, join them first, since they take much memory."""
        if len(self.frames) > MAX_PARTS:
            self.frames = [b"".join(self.frames)]
        super().handle_cont(event)
