"""Middleware: what every answer tells browsers not to do, and bodies: in time, to their end, not too many."""

import asyncio
import contextlib

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sudoku_vision.web.problems import BUSY, SLOW_BODY, ProblemError
from sudoku_vision.web.settings import Limits

_OWN_FEATURES = "autoplay camera clipboard-read clipboard-write fullscreen screen-wake-lock"
_NO_FEATURES = (
    "accelerometer display-capture encrypted-media geolocation gyroscope hid idle-detection magnetometer "
    "microphone midi payment picture-in-picture publickey-credentials-get serial sync-xhr usb "
    "xr-spatial-tracking"
)
"""What a page may use of the browser: the camera, the clipboard, and what showing needs.

``web-share`` is not named: where a browser knows it, a page may share; where not, the name is an error in
its console.
"""

_ALWAYS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ", ".join(
        [f"{name}=(self)" for name in _OWN_FEATURES.split()] + [f"{name}=()" for name in _NO_FEATURES.split()]
    ),
}

FORM_HEADS = 10_000  # bytes that a form may have beside its photo and its fields: boundaries and heads
LEAST_PART = 1 / 30  # part of a body by which it may lag behind while others wait for its room
MOST_DRAINED = 5  # bodies of the largest size that are let go by after a refusal


def security_headers(host: str = "", *, secure: bool = True) -> dict[str, str]:
    """Return the headers of an answer; *host*, with its port, is whom the page may open a WebSocket to.

    Browsers of before 2022 don't count that as ``'self'``. A host that is not known must not be named.
    *secure*: whether a browser takes it for a secure context, by https or on this machine; elsewhere one of
    the headers is an error in its console.
    """
    sockets = f" ws://{host} wss://{host}" if host else ""
    policy = (
        "default-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; "
        f"connect-src 'self'{sockets}; object-src 'none'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    )
    opener = {"Cross-Origin-Opener-Policy": "same-origin"} if secure else {}
    return {"Content-Security-Policy": policy, **_ALWAYS, **opener}


class BodyRoom:
    """Memory that all bodies share, those on their way and those in work; who finds none free waits.

    A body takes as much as it declares before any of it is read. Small ones never wait: a correction gets
    through while large photos stand in line.
    """

    def __init__(self, size: int, small: int) -> None:
        """Share out *size* bytes; bodies of at most *small* are counted alone."""
        self._free, self._small = size, small
        self._freed = asyncio.Event()
        self.waiting = 0
        """Bodies for which there is no room."""

    async def take(self, count: int, seconds: float) -> None:
        """Take room for *count* bytes; raises :class:`ProblemError` where there is none for so long."""
        self.waiting += 1
        try:
            async with asyncio.timeout(seconds):
                while count > max(self._free, self._small):
                    await self._freed.wait()
        except TimeoutError:
            raise ProblemError(BUSY) from None
        finally:
            self.waiting -= 1
        self._free -= count

    def give_back(self, count: int) -> None:
        """Have those look again that wait."""
        self._free += count
        self._freed.set()
        self._freed.clear()


class HeardBodies:
    """Has each body heard when there is room for it, in time, and to its end where it is refused.

    HEAD is answered as GET: the server leaves the body out.
    """

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        """Stand before *app*."""
        self._app, self._limits = app, limits
        self._room = BodyRoom(limits.bodies, limits.json)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if scope["method"] == "HEAD":
            scope = {**scope, "method": "GET"}
        body = _Body(Headers(scope=scope), receive, send, self._room, self._limits)
        try:
            await self._app(scope, body.heard, body.answered)
        finally:
            self._room.give_back(body.taken)


class _Body:
    """One body on its way, and the answer to it; ``taken``: bytes of the room that are kept for it."""

    def __init__(
        self, headers: Headers, receive: Receive, send: Send, room: BodyRoom, limits: Limits
    ) -> None:
        """Hear what *receive* gives, when there is *room*."""
        self._receive, self._send, self._room, self._limits = receive, send, room, limits
        self._length = declared_length(headers)
        self._ended = self._length == 0
        self._waits = headers.get("expect", "").lower() == "100-continue"  # to be told to send its body
        self._begun = 0.0
        self._come = 0
        self.taken = 0

    async def heard(self) -> Message:
        """Return the next piece; raises :class:`ProblemError` where it has no room, or takes too long."""
        if self._ended:
            return await self._receive()
        if not self.taken:
            most = largest_body(self._limits)
            count = min(most if self._length is None else self._length, most)
            await self._room.take(count, self._limits.work)
            self.taken = count
            self._begun = asyncio.get_running_loop().time()
        while (left := self._seconds_left()) > 0:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(left, LEAST_PART * self._limits.slow_body)):
                    return await self._next()
        raise ProblemError(SLOW_BODY)

    def _seconds_left(self) -> float:
        """Return how long the next piece may take; where others wait for room, each part has its own time."""
        share = min(1.0, self._come / self.taken + LEAST_PART) if self._room.waiting else 1.0
        return self._begun + share * self._limits.slow_body - asyncio.get_running_loop().time()

    async def answered(self, message: Message) -> None:
        """Send an answer; before that of a refusal the rest of the body is let go by.

        A browser that sends hears nothing. What goes on too long is hung up on after the answer.
        """
        if message["type"] == "http.response.start" and not self._ended:
            if not self._waits and message["status"] != SLOW_BODY.status:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._hear_out(), self._limits.drain)
            if not self._ended:
                MutableHeaders(scope=message)["Connection"] = "close"
        await self._send(message)

    async def _next(self) -> Message:
        self._waits = False
        message = await self._receive()
        self._come += len(message.get("body", b""))
        self._ended = message["type"] == "http.disconnect" or not message.get("more_body", False)
        return message

    async def _hear_out(self) -> None:
        length = 0
        while not self._ended and length < MOST_DRAINED * self._limits.body:
            length += len((await self._next()).get("body", b""))


def declared_length(headers: Headers) -> int | None:
    """Return how long a body is said to be; None for one in chunks, or a length that is none."""
    if "transfer-encoding" in headers:
        return None
    said = headers.get("content-length", "0")
    return int(said) if said.isdecimal() and len(said) < 20 else None


def largest_body(limits: Limits) -> int:
    """Return how long a body may be: a form with a photo, its fields, boundaries and heads."""
    return limits.body + limits.fields + FORM_HEADS
