"""Runs uvicorn with our settings, limits and refusals, accepts its connections, and shortens its log."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import math
import socket
import ssl
import struct
import traceback
from collections import Counter, deque
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from sudoku_vision.errors import UsageError
from sudoku_vision.web.addresses import page_address
from sudoku_vision.web.auth import security_headers
from sudoku_vision.web.problems import BAD_REQUEST, SLOW_BODY, Problem
from sudoku_vision.web.settings import Limits, Settings

if TYPE_CHECKING:
    from websockets.frames import Frame

    from sudoku_vision.web.certificate import Certificate

MAX_HEAD = 16_384  # largest size of the head of a request (its first line and its headers), in bytes
BACKLOG = 128  # at most this many connections wait until they are accepted
SHUTDOWN_SECONDS = 3  # when the service ends, running requests have this many seconds to finish
KEEP_ALIVE_SECONDS = 20  # an idle connection stays open for this many seconds
MAX_LINES_A_MINUTE = 30  # maximum number of log lines per minute; one fault can affect many requests
MAX_PARTS = 1_000  # if a WebSocket message has more parts than this, the parts are joined
_RESET = struct.pack("ii", 1, 0)  # value of SO_LINGER: a closed socket drops its unsent data
FULL_PAUSE = 0.1  # if this process can't open more sockets, it tries again after this many seconds

_HARMLESS = ("ASGI callable returned without completing handshake.", "Invalid UTF-8 sequence received")
"""Messages of uvicorn that are not errors of the service, but come from refused WebSockets or bad clients."""
_HOST_REMEDY = "Leave it out for this machine alone, or take 0.0.0.0 for all of its addresses."


@contextlib.contextmanager
def listening(host: str, port: int) -> Iterator[list[socket.socket]]:
    """Yield sockets that listen on all addresses of *host*. Port 0 means any free port.

    Raises :class:`UsageError` if *host* is not an address of this machine, or if the port is taken.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise UsageError(f"--host {host}: there is no such address.", _HOST_REMEDY) from None
    with contextlib.ExitStack() as stack:
        sockets: list[socket.socket] = []
        for family, *_, address in dict.fromkeys(found):
            here = (address[0], sockets[0].getsockname()[1]) if sockets and not port else address[:2]
            if family in (socket.AF_INET, socket.AF_INET6):
                sockets.append(stack.enter_context(_bound(family, str(here[0]), int(here[1]))))
        yield sockets


def _bound(family: int, host: str, port: int) -> socket.socket:
    try:
        bound = socket.create_server((host, port), family=family, backlog=BACKLOG)
        # The connections of this socket inherit this option. Without the option, the end of an answer is sent
        # only after the client has acknowledged the beginning. This takes 40 ms. asyncio sets the option only
        # for sockets that it has created.
        bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return bound
    except PermissionError:
        remedy = "Take one from 1024 on, for example --port 8000."
        raise UsageError(f"Port {port} is reserved for administrators.", remedy) from None
    except OSError as error:
        if error.errno == errno.EADDRNOTAVAIL:
            raise UsageError(f"--host {host}: that is no address of this machine.", _HOST_REMEDY) from None
        remedy = f"Take another, for example --port {port + 1}, or 0 for any free one."
        raise UsageError(f"Port {port} is taken by another program.", remedy) from None


def address_of(bound: socket.socket, *, https: bool = False) -> str:
    """Return the address of the page at the socket *bound*, for a browser on this machine."""
    host, port = bound.getsockname()[:2]
    return page_address({"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host), port, https=https)


class Server(uvicorn.Server):
    """Serves an application until the process is asked to end. Closes idle connections to make room.

    A connection is counted from its start, before the TLS handshake, until its socket is closed. A connection
    is idle if the service waits for the client. If one address has too many connections, its own oldest idle
    connection is closed. If there are too many connections in all, the oldest idle connection of the address
    with the most idle connections is closed. So a client with many connections harms only itself.
    """

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        on_start: Callable[[], None] = lambda: None,
        certificate: Certificate | None = None,
    ) -> None:
        """Serve *app*, by https if *certificate* is given. Call *on_start* when connections are accepted."""
        config = uvicorn.Config(
            app,
            http=Protocol,
            ws=WebSocketProtocol,
            ws_max_size=settings.limits.frame,
            # No compression. It hardly shrinks a JPEG, and a small message could fill the memory when
            # unpacked.
            ws_per_message_deflate=False,
            h11_max_incomplete_event_size=MAX_HEAD,
            lifespan="on",
            access_log=False,  # addresses contain boards, which are private
            log_config=None,
            proxy_headers=False,
            server_header=False,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        )
        if certificate:
            config.load()
            config.ssl = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            config.ssl.load_cert_chain(certificate.certificate, certificate.key)
        super().__init__(config)
        self._on_start = on_start
        self._limits = settings.limits
        self._open: list[Protocol] = []
        self._listening: list[asyncio.Task[None]] = []

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until the process is asked to end.

        This needs a selector event loop, because only such a loop can wait for data at a given socket.
        """
        with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
            runner.run(self.serve(sockets))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to accept connections on *sockets*."""
        # uvicorn gets no sockets, because it would count a connection only after its TLS handshake.
        await super().startup([])
        self._listening = [asyncio.create_task(self._accept(one)) for one in sockets or ()]
        self._on_start()

    async def on_tick(self, counter: int) -> bool:
        """Check the time limits of the connections. uvicorn calls this ten times a second."""
        for one in self._open:
            one.check_times(asyncio.get_running_loop().time())
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept no more connections, and end the open connections."""
        for task in self._listening:
            task.cancel()
        await asyncio.gather(*self._listening, return_exceptions=True)
        await super().shutdown(sockets)

    async def _accept(self, listener: socket.socket) -> None:
        """Accept connections at the socket *listener*, one after the other, until this task is cancelled."""
        listener.setblocking(False)
        while True:
            await asyncio.sleep(0)  # lets other tasks run, for example to close connections
            try:
                accepted, address = await asyncio.get_running_loop().sock_accept(listener)
            except ConnectionError:  # the client has already left
                continue
            except OSError:  # this process can open no more files
                await asyncio.sleep(0 if self.make_room() else FULL_PAUSE)
                continue
            protocol = Protocol(self, self._limits, accepted, address[0])
            if self.add(protocol):
                protocol.begun = asyncio.create_task(self._begin(protocol))
            else:
                accepted.close()

    async def _begin(self, protocol: Protocol) -> None:
        """Begin a connection. If its TLS handshake takes too long, close the connection without an answer.

        Even with https, a connection by plain HTTP is accepted. Its requests are redirected to https by
        :class:`~sudoku_vision.web.auth.Auth`.
        """
        tls: dict[str, Any] = {}
        try:
            if self.config.ssl and await _begins_with_tls(protocol.socket, self._limits.head):
                tls = {"ssl": self.config.ssl, "ssl_handshake_timeout": self._limits.head}
                tls["ssl_shutdown_timeout"] = self._limits.send
            await asyncio.get_running_loop().connect_accepted_socket(lambda: protocol, protocol.socket, **tls)
        except OSError as error:
            protocol.socket.close()
            # Frees the buffer of 256 kB that the stack frames of the error hold.
            traceback.clear_frames(error.__traceback__)

    def add(self, protocol: Protocol) -> bool:
        """Add a connection if there is room, or if an idle one can be closed. Return whether it was added."""
        self._open = [one for one in self._open if one.socket.fileno() >= 0]
        room = True
        if sum(one.address == protocol.address for one in self._open) >= self._limits.address_connections:
            room = self.make_room(protocol.address)
        elif len(self._open) >= self._limits.connections:
            room = self.make_room()
        if room:
            self._open.append(protocol)
        return room

    def make_room(self, address: str = "") -> bool:
        """Close the oldest idle connection of *address*. Return False if there is none.

        If *address* is "", the address with the most idle connections is used.
        """
        idle = [one for one in self._open if one.waits_for_client]
        counts = Counter(one.address for one in idle)
        crowd = address or max(counts, key=counts.__getitem__, default="")
        oldest = next((one for one in idle if one.address == crowd), None)
        if oldest is not None:
            self._open.remove(oldest)
            oldest.hang_up()
        return oldest is not None


def log_to(say: Callable[[str], None]) -> None:
    """Call *say* with each line of the service's log, without tracebacks and web addresses."""
    handler = LineHandler(say)
    for name in ("sudoku_vision.web", "uvicorn.error", "asyncio"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.ERROR)


class LineHandler(logging.Handler):
    """A log handler. It passes each record as one line to a function, up to a limit of lines per minute."""

    def __init__(self, say: Callable[[str], None]) -> None:
        super().__init__()
        self._say = say
        self._times: deque[float] = deque([-math.inf] * MAX_LINES_A_MINUTE, MAX_LINES_A_MINUTE)

    def emit(self, record: logging.LogRecord) -> None:
        """Pass a record as one line to the function *say*, unless the limit of lines per minute is reached.

        For an internal error, the line holds only the class of the error, and the file and line of the code.
        """
        if record.getMessage().startswith(_HARMLESS) or record.created < self._times[0] + 60:
            return
        self._times.append(record.created)
        kind, _, trace = record.exc_info or (None, None, None)
        if kind is None:
            self._say(" ".join(record.getMessage().split()))
        elif kind is not asyncio.CancelledError:  # CancelledError is no fault: the service ended meanwhile
            place = traceback.extract_tb(trace)[-1]
            self._say(f"internal error: {kind.__name__} at {place.filename}:{place.lineno}")


async def _begins_with_tls(connection: socket.socket, seconds: float) -> bool:
    """Return whether a *connection* begins with TLS. Plain HTTP would begin with a letter.

    Waits for the first byte, and leaves this byte in the connection. Raises :class:`TimeoutError` if no byte
    comes in *seconds* seconds.
    """
    loop, came = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(connection, came.set)
    try:
        async with asyncio.timeout(seconds):
            await came.wait()
    finally:
        loop.remove_reader(connection)
    return not connection.recv(1, socket.MSG_PEEK).isalpha()


class Protocol(H11Protocol):
    """A connection. It refuses a request that is not HTTP, and a request whose header section takes too long.

    Such a refusal is an answer of this service, not the text of uvicorn.
    """

    begun: asyncio.Task[None]
    """The task that begins the connection. Without this reference, Python could discard the task."""

    def __init__(self, server: uvicorn.Server, limits: Limits, accepted: socket.socket, address: str) -> None:
        super().__init__(server.config, server.server_state, server.lifespan.state)
        self.limits, self.socket, self.address = limits, accepted, address
        self._head_since: float | None = None
        # Number of bytes that the client hasn't taken, and the last time when this number fell or was 0.
        self._unsent, self._sent_at = 0, self.loop.time()

    @property
    def waits_for_client(self) -> bool:
        """Whether the service waits for the client. The client must then send data, or read our answer."""
        cycle = self.cycle
        return cycle is None or cycle.response_complete or cycle.more_body or self.flow.write_paused

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for the head of the first request."""
        super().connection_made(transport)
        self._head_since = self.loop.time()

    def handle_events(self) -> None:
        """Handle the arrived data. While the head of a request is incomplete, store when the head began."""
        super().handle_events()
        begun = self.conn.their_state is h11.IDLE and bool(self.conn.trailing_data[0])
        self._head_since = (self._head_since or self.loop.time()) if begun else None

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 (we don't use the library's words)
        """Refuse a request that is no valid HTTP."""
        self._refuse(BAD_REQUEST)

    def check_times(self, now: float) -> None:
        """End the connection of a client that reads nothing, or doesn't complete the head of its request."""
        # The end of TLS has its own time limit.
        is_sending = self.transport and not (self.scheme == "https" and self.transport.is_closing())
        before, self._unsent = self._unsent, self.transport.get_write_buffer_size() if is_sending else 0
        if self._unsent == 0 or self._unsent < before:
            self._sent_at = now
        elif now - self._sent_at > self.limits.send:
            self.hang_up()
        if self._head_since is None or now - self._head_since <= self.limits.head:
            return
        if self.conn.trailing_data[0]:
            self._refuse(SLOW_BODY)
        else:  # no request has begun, so no client waits for an answer
            self.transport.close()

    def hang_up(self) -> None:
        """End the connection at once, even during its TLS handshake."""
        with contextlib.suppress(OSError):  # the socket is closed already
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
            if self.transport:
                self.transport.abort()
            else:
                self.socket.shutdown(socket.SHUT_RDWR)

    def _refuse(self, problem: Problem) -> None:
        """Close the connection. If no answer has begun, send the *problem* as the answer first."""
        self._head_since = None
        if self.transport.is_closing():
            return
        own = {"Content-Type": "application/json", "Connection": "close"}
        headers = list((security_headers() | own | dict(problem.headers)).items())
        head = h11.Response(status_code=problem.status, headers=headers)
        answer: list[h11.Event] = [head, h11.Data(data=problem.to_json()), h11.EndOfMessage()]
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
            self.conn.data_to_send()  # this call returns the answer to the ping; the answer is dropped

    def handle_cont(self, event: Frame) -> None:
        """Add a part of a message. If there are many parts already, join them first, to save memory."""
        if len(self.frames) > MAX_PARTS:
            self.frames = [b"".join(self.frames)]
        super().handle_cont(event)
