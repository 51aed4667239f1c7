"""Connections: taken one after the other, counted, and hung up on where there are too many."""

import asyncio
import socket
import traceback
from collections import Counter
from typing import Any

import uvicorn

from sudoku_vision.web.protocol import Protocol
from sudoku_vision.web.settings import Limits

FULL_PAUSE = 0.1  # seconds until a connection is taken again, where this process may open no more files


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
