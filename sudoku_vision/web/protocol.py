"""Uvicorn's HTTP/1.1 with our own limits and refusals. Plain HTTP is redirected to https."""

import asyncio
import contextlib
import socket
import ssl
import struct
from collections.abc import Mapping
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from sudoku_vision.web.auth import security_headers
from sudoku_vision.web.problems import BAD_REQUEST, SLOW_BODY, Problem
from sudoku_vision.web.settings import Limits

MAX_HEAD = 16_384  # largest size of the head of a request, in bytes
MAX_PARTS = 1_000  # if a WebSocket message has more parts than this, they are joined
_RESET = struct.pack("ii", 1, 0)  # value of SO_LINGER with which a closed socket drops its unsent data


class _Connection(h11.Connection):
    """An HTTP connection that refuses requests which give their length in two ways.

    With two lengths, a proxy and this service could disagree about where a request ends.
    """

    def next_event(self) -> Any:
        event = super().next_event()
        if isinstance(event, h11.Request):
            names = {name for name, _ in event.headers}
            if names >= {b"content-length", b"transfer-encoding"}:
                raise h11.RemoteProtocolError("both Content-Length and Transfer-Encoding")
        return event


class Protocol(H11Protocol):
    """A connection. Requests that are not HTTP, and heads that never end, get our own refusals."""

    begun: asyncio.Task[None]
    """The task that begins the connection; without a reference, Python may discard it."""

    def __init__(self, server: uvicorn.Server, limits: Limits, accepted: socket.socket, address: str) -> None:
        super().__init__(server.config, server.server_state, server.lifespan.state)
        self.limits, self.socket, self.address = limits, accepted, address
        self._head_since: float | None = None
        self._unsent, self._sent_at = 0, self.loop.time()  # number of unsent bytes; time of the last progress
        self.conn = _Connection(h11.SERVER, MAX_HEAD)

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
        headers = {"Content-Type": "application/json", **problem.headers}
        with contextlib.suppress(h11.LocalProtocolError):  # another answer has already begun
            self.transport.write(_last_answer(self.conn, problem.status, headers, problem.to_json()))
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


class RedirectingContext(ssl.SSLContext):
    """TLS for a server, which redirects plain HTTP to https at the same address and port."""

    def wrap_bio(self, incoming: ssl.MemoryBIO, outgoing: ssl.MemoryBIO, *args: Any, **more: Any) -> Any:
        """Return the TLS object of a new connection, which can also read and write plain bytes."""
        begun: Any = super().wrap_bio(incoming, outgoing, *args, **more)
        begun.incoming, begun.outgoing = incoming, outgoing
        return begun


class _Handshake(ssl.SSLObject):
    """The TLS object of a connection; if the client speaks plain HTTP, it answers with a redirection."""

    incoming: ssl.MemoryBIO
    outgoing: ssl.MemoryBIO
    _plain: h11.Connection | None = None
    _is_tls = False

    def do_handshake(self) -> None:
        """Do the TLS handshake; if the client speaks plain HTTP, wait for its head and redirect it."""
        data = self.incoming.read()
        if data and self._plain is None and not self._is_tls:
            self._is_tls = not data[:1].isalpha()  # TLS begins with the byte 22, HTTP with a letter
            self._plain = None if self._is_tls else h11.Connection(h11.SERVER, MAX_HEAD)
        if self._plain is None:
            self.incoming.write(data)
            super().do_handshake()
            return
        if data:
            self._plain.receive_data(data)
        try:
            self.outgoing.write(_redirection(self._plain))
        except h11.ProtocolError as error:
            raise ssl.SSLError(ssl.SSL_ERROR_SSL, str(error)) from None
        raise ssl.SSLWantReadError(ssl.SSL_ERROR_WANT_READ, "plain HTTP: the client has to hang up")


RedirectingContext.sslobject_class = _Handshake


def _redirection(connection: h11.Connection) -> bytes:
    """Return the answer to a request by plain HTTP if its head is complete, otherwise no bytes."""
    event = connection.next_event()
    if not isinstance(event, h11.Request):
        return b""
    host = dict(event.headers).get(b"host", b"")
    if not host or not event.target.startswith(b"/"):
        raise h11.RemoteProtocolError("no address to redirect it to")
    address = f"https://{host.decode('ascii')}{event.target.decode('ascii')}"
    return _last_answer(connection, 307, {"Location": address})  # browsers would store a 308


def _last_answer(conn: h11.Connection, status: int, headers: Mapping[str, str], body: bytes = b"") -> bytes:
    """Return the last bytes on a connection; raises LocalProtocolError if another answer has begun."""
    own = {"Content-Length": str(len(body)), "Connection": "close", **security_headers()}
    response = h11.Response(status_code=status, headers=list((own | dict(headers)).items()))
    parts: list[h11.Event] = [response, h11.Data(data=body), h11.EndOfMessage()]
    return b"".join(conn.send(part) or b"" for part in parts)
