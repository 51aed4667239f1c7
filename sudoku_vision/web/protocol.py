"""Protocol: HTTP/1.1 as uvicorn speaks it, with bounds and answers of our own."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from sudoku_vision.web.problems import BAD_REQUEST, BUSY, SLOW_BODY, Problem
from sudoku_vision.web.security_headers import security_headers
from sudoku_vision.web.settings import Limits


class Protocol(H11Protocol):
    """One connection; what can't be understood, and a head that never ends, get an answer of ours."""

    limits = Limits()
    _head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to listen, unless there are too many connections."""
        super().connection_made(transport)
        if len(self.connections) > self.limits.connections:
            self._refuse(BUSY)
        else:
            self._watch_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._unwatch_head()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Handle what has come in, and see to it that the head of a request ends some time."""
        super().handle_events()
        begun = self.conn.their_state is h11.IDLE and bool(self.conn.trailing_data[0])
        if begun and not self.transport.is_closing():
            self._watch_head()
        else:
            self._unwatch_head()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 (the library's words)
        """Answer what is no HTTP."""
        self._refuse(BAD_REQUEST)

    def _watch_head(self) -> None:
        if self._head_timer is None:
            self._head_timer = self.loop.call_later(self.limits.head, self._end_slow_head)

    def _unwatch_head(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _end_slow_head(self) -> None:
        """Answer who has begun a head, and hang up; browsers open connections that they never use."""
        if self.conn.trailing_data[0]:
            self._refuse(SLOW_BODY)
        else:
            self._unwatch_head()
            self.transport.close()

    def _refuse(self, problem: Problem) -> None:
        """Answer with a problem, if an answer can still be begun, and hang up."""
        self._unwatch_head()
        if self.transport.is_closing():
            return
        body = problem.to_json()
        headers = {
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
            "Connection": "close",
            **security_headers(),
            **problem.headers,
        }
        try:
            response = h11.Response(status_code=problem.status, headers=list(headers.items()))
            parts = map(self.conn.send, (response, h11.Data(data=body), h11.EndOfMessage()))
            self.transport.write(b"".join(part for part in parts if part))
        except h11.LocalProtocolError:  # an answer is already under way
            pass
        self.transport.close()


def protocol_for(limits: Limits) -> type[Protocol]:
    """Return the protocol that keeps *limits*."""
    return type("LimitedProtocol", (Protocol,), {"limits": limits})
