"""Server: the sockets and their connections, uvicorn with its settings, and what is said while it runs."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import math
import socket
import ssl
import traceback
from collections import Counter, deque
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import uvicorn
from starlette.types import ASGIApp

from sudoku_vision.errors import UsageError
from sudoku_vision.web.addresses import page_address
from sudoku_vision.web.protocol import Protocol, SentOnContext, WebSocketProtocol
from sudoku_vision.web.settings import Limits, Settings

if TYPE_CHECKING:
    from sudoku_vision.web.certificate import Certificate

BACKLOG = 128  # connections that the system holds until they are taken
FAREWELL_SECONDS = 3  # what requests in work are given when the service ends
KEEP_ALIVE_SECONDS = 20  # a connection stays open for the next request
LINES_A_MINUTE = 30
"""Lines that are logged at most: what goes wrong for one request goes wrong for a thousand."""

_OF_CLIENTS = ("ASGI callable returned without completing handshake.", "Invalid UTF-8 sequence received")
"""What the library takes for mistakes, and is none: a WebSocket that is refused, one that sends nonsense."""
_HOST_REMEDY = "Leave it out for this machine alone, or take 0.0.0.0 for all of its addresses."
FULL_PAUSE = 0.1  # seconds until a connection is taken again, where this process may open no more files


@contextlib.contextmanager
def listening(host: str, port: int) -> Iterator[list[socket.socket]]:
    """Give sockets that listen on all addresses of *host*, to the end; port 0 takes one that is free.

    Raises :class:`UsageError` where the host is not this machine's, or the port is taken.
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
        # Connections inherit it. Without, the end of an answer waits 40 ms for the other side to own up to
        # its beginning: asyncio sees to that by itself only for sockets that it has made.
        bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return bound
    except PermissionError:
        remedy = "Take one of 1024 or more, such as --port 8000."
        raise UsageError(f"Port {port} is not for everyone.", remedy) from None
    except OSError as error:
        if error.errno == errno.EADDRNOTAVAIL:
            raise UsageError(f"--host {host}: that is no address of this machine.", _HOST_REMEDY) from None
        remedy = f"Take another, such as --port {port + 1}, or 0 for any that is free."
        raise UsageError(f"Port {port} is taken by another program.", remedy) from None


def address_of(bound: socket.socket, *, https: bool = False) -> str:
    """Return what to type into a browser on this machine."""
    host, port = bound.getsockname()[:2]
    return page_address({"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host), port, https=https)


class Server(uvicorn.Server):
    """Serves an application until it is told to end; ``on_start`` is called when it listens."""

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        on_start: Callable[[], None] = lambda: None,
        certificate: Certificate | None = None,
    ) -> None:
        """Serve *app* as *settings* say, by https where there is a *certificate*."""
        config = uvicorn.Config(
            app,
            http=Protocol,
            ws=WebSocketProtocol,
            ws_max_size=settings.limits.frame,
            ws_per_message_deflate=False,  # frames are JPEG, and what unpacks can be a bomb
            loop="asyncio",
            lifespan="on",
            access_log=False,  # addresses hold boards, and whoever asks is nobody's business
            log_config=None,
            proxy_headers=False,
            server_header=False,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=FAREWELL_SECONDS,
        )
        if certificate:
            config.load()
            config.ssl = SentOnContext(ssl.PROTOCOL_TLS_SERVER)
            config.ssl.load_cert_chain(certificate.certificate, certificate.key)
        super().__init__(config)
        self._on_start = on_start
        self._connections = Connections(self, settings.limits)
        self._listening: list[asyncio.Task[None]] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup([])  # the library would count no connection before the end of its handshake
        self._listening = [asyncio.create_task(self._connections.take_from(one)) for one in sockets or ()]
        self._on_start()

    async def on_tick(self, counter: int) -> bool:
        """Look after the connections, ten times a second."""
        self._connections.check_times(asyncio.get_running_loop().time())
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no more connections, and end those that are open."""
        for task in self._listening:
            task.cancel()
        await asyncio.gather(*self._listening, return_exceptions=True)
        await super().shutdown(sockets)


def log_to(say: Callable[[str], None]) -> None:
    """Have *say* say what the service logs, in a few single lines: never a traceback or an address."""
    handler = LineHandler(say)
    for name in ("sudoku_vision.web", "uvicorn.error", "asyncio"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.ERROR)


class LineHandler(logging.Handler):
    """Has *say* say a line for what is logged, but no more than so many a minute."""

    def __init__(self, say: Callable[[str], None]) -> None:
        super().__init__()
        self._say = say
        self._said: deque[float] = deque([-math.inf] * LINES_A_MINUTE, LINES_A_MINUTE)  # when, the last lines

    def emit(self, record: logging.LogRecord) -> None:
        """Say one line: of a mistake in the program its kind and place alone."""
        if record.getMessage().startswith(_OF_CLIENTS) or record.created < self._said[0] + 60:
            return
        self._said.append(record.created)
        kind, _, trace = record.exc_info or (None, None, None)
        if kind is asyncio.CancelledError:  # a request under way when the service was ended: no mistake
            return
        if kind is not None:
            place = traceback.extract_tb(trace)[-1]
            self._say(f"internal error: {kind.__name__} at {place.filename}:{place.lineno}")
        else:
            self._say(" ".join(record.getMessage().split()))


class Connections:
    """All connections that are open, oldest first, from before the TLS handshake until the socket is closed.

    Where there are too many, the oldest of those that keep us waiting gives way: one of the same address if
    that has its share, else one of the address that has most. So who opens many connections and does nothing
    with them is in nobody's way but their own.
    """

    def __init__(self, server: uvicorn.Server, limits: Limits) -> None:
        """Take connections for *server*, as many as *limits* allow."""
        self._server, self._limits = server, limits
        self._open: list[Protocol] = []

    async def take_from(self, listener: socket.socket) -> None:
        """Take one connection after the other."""
        listener.setblocking(False)
        while True:
            pause = 0.0  # whoever was hung up on is closed meanwhile
            try:
                taken, address = await asyncio.get_running_loop().sock_accept(listener)
            except ConnectionError:  # it is gone again
                pass
            except OSError:  # this process may open no more files
                pause = 0.0 if self.make_room() else FULL_PAUSE
            else:
                protocol = Protocol(self._server, self._limits, taken, address[0])
                if self.add(protocol):
                    protocol.begun = asyncio.create_task(self._begin(protocol))
                else:
                    taken.close()
            await asyncio.sleep(pause)

    async def _begin(self, protocol: Protocol) -> None:
        """Begin a connection; who shakes no hands, or not in time, goes without a word."""
        tls: dict[str, Any] = {}
        if self._server.config.ssl:
            tls = {"ssl_handshake_timeout": self._limits.head, "ssl_shutdown_timeout": self._limits.send}
        try:
            await asyncio.get_running_loop().connect_accepted_socket(
                lambda: protocol, protocol.socket, ssl=self._server.config.ssl, **tls
            )
        except OSError as error:
            traceback.clear_frames(error.__traceback__)  # they hold its 256 kB buffer in a circle

    def add(self, protocol: Protocol) -> bool:
        """Count one more connection, and tell whether there is room for it."""
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
        """Hang up on one of an *address*, by default of that with most, and tell whether one could go."""
        waited_for = [one for one in self._open if one.waits_for_client]
        counts = Counter(one.address for one in waited_for)
        crowd = address or max(counts, key=counts.__getitem__, default="")
        oldest = next((one for one in waited_for if one.address == crowd), None)
        if oldest is not None:
            self._open.remove(oldest)
            oldest.hang_up()
        return oldest is not None

    def check_times(self, now: float) -> None:
        """Hang up on those whose time is over."""
        for one in self._open:
            one.check_times(now)
