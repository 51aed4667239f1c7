"""Bodies: what requests bring, read with limits on size, time and memory, and checked.

:class:`TimedBodies` stands before the application: each body waits for room in memory, must come in within
its time, and is drained after a refusal. The functions below read one body for an endpoint.
"""

import asyncio
import contextlib
import io
from collections.abc import AsyncGenerator
from typing import Literal

from pydantic import ValidationError
from starlette.datastructures import Headers, MutableHeaders, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sudoku_vision.web import problems
from sudoku_vision.web.problems import ProblemError
from sudoku_vision.web.schemas import PhotoOptions, StateRequest
from sudoku_vision.web.settings import BodyKind, Limits

FORM_HEADS = 10_000  # bytes that a form may have beside its photo and its fields: boundaries and heads
MAX_FIELDS = 32  # fields of a form beside its photo
MIN_SHARE = 1 / 30  # share of a body by which it may lag behind a steady pace while others wait
MAX_DRAINED = 5  # bodies of the largest size that are read and dropped after a refusal
_PICTURE_TYPES = (
    "",
    "application/octet-stream",
    "application/pdf",
    "application/x-www-form-urlencoded",  # what curl declares for any bytes
)


class BodyRoom:
    """Memory that all bodies share, those on their way and those in work. If it is full, a body waits.

    A body takes as much as it declares before any of it is read. Small ones never wait: a correction gets
    through while large photos stand in line.
    """

    def __init__(self, size: int, small: int) -> None:
        """Share out *size* bytes; bodies of at most *small* bytes never wait."""
        self._free, self._small = size, small
        self._freed = asyncio.Event()
        self.waiting = 0
        """Bodies for which there is no room."""

    async def take(self, count: int, seconds: float) -> None:
        """Take room for *count* bytes; raises :class:`ProblemError` if there is none for so long."""
        self.waiting += 1
        try:
            async with asyncio.timeout(seconds):
                while count > max(self._free, self._small):
                    await self._freed.wait()
        except TimeoutError:
            raise ProblemError(problems.BUSY) from None
        finally:
            self.waiting -= 1
        self._free -= count

    def give_back(self, count: int) -> None:
        """Give room back, and let those who wait look again."""
        self._free += count
        self._freed.set()
        self._freed.clear()


class TimedBodies:
    """Middleware: lets each body in when there is room for it, within its time, and drains refused ones.

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
        body = _TimedBody(Headers(scope=scope), receive, send, self._room, self._limits)
        try:
            await self._app(scope, body.receive, body.send)
        finally:
            self._room.give_back(body.taken)


class _TimedBody:
    """One body on its way, and the answer to it; ``taken``: bytes of the room that are kept for it."""

    def __init__(
        self, headers: Headers, receive: Receive, send: Send, room: BodyRoom, limits: Limits
    ) -> None:
        self._receive, self._send, self._room, self._limits = receive, send, room, limits
        self._length = declared_length(headers)
        self._ended = self._length == 0
        self._expects_continue = headers.get("expect", "").lower() == "100-continue"
        self._begun = 0.0
        self._received = 0
        self.taken = 0

    async def receive(self) -> Message:
        """Return the next piece; raises :class:`ProblemError` if it has no room, or takes too long."""
        if self._ended:
            return await self._receive()
        if not self.taken:
            largest = _largest_body(self._limits)
            count = min(largest if self._length is None else self._length, largest)
            await self._room.take(count, self._limits.job_seconds)
            self.taken = count
            self._begun = asyncio.get_running_loop().time()
        while (left := self._seconds_left()) > 0:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(left, MIN_SHARE * self._limits.slow_body)):
                    return await self._next()
        raise ProblemError(problems.SLOW_BODY)

    def _seconds_left(self) -> float:
        """Return how long the next piece may take. While others wait for room, a body needs a steady pace."""
        share = min(1.0, self._received / self.taken + MIN_SHARE) if self._room.waiting else 1.0
        return self._begun + share * self._limits.slow_body - asyncio.get_running_loop().time()

    async def send(self, message: Message) -> None:
        """Send an answer. Before a refusal, drain the body: a browser that is still sending reads no answer.

        If that takes too long, the connection is closed after the answer.
        """
        if message["type"] == "http.response.start" and not self._ended:
            if not self._expects_continue and message["status"] != problems.SLOW_BODY.status:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._drain(), self._limits.drain)
            if not self._ended:
                MutableHeaders(scope=message)["Connection"] = "close"
        await self._send(message)

    async def _next(self) -> Message:
        self._expects_continue = False
        message = await self._receive()
        self._received += len(message.get("body", b""))
        self._ended = message["type"] == "http.disconnect" or not message.get("more_body", False)
        return message

    async def _drain(self) -> None:
        before = self._received
        while not self._ended and self._received - before < MAX_DRAINED * self._limits.body:
            await self._next()


def media_type(request: Request) -> str:
    """Return the media type of a body, in small letters and without its parameters."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def read_upload(
    request: Request, options: PhotoOptions, limits: Limits
) -> tuple[bytes, BodyKind, PhotoOptions]:
    """Read a picture or a board, raw or in a form; return its bytes, their kind, and its options.

    The fields of a form overrule the *options* of the address. Raises :class:`ProblemError` for other bodies.
    """
    kind = _kind(media_type(request))
    if kind == "form":
        body, fields = await _read_form(request, limits)
        try:
            options = PhotoOptions.model_validate({**options.model_dump(exclude_unset=True), **fields})
        except ValidationError as error:
            raise ProblemError(problems.bad_value(error.errors()[0])) from None
        kind = "photo"
    else:
        body = await _read_body(request, limits.body)
    if not body:
        raise ProblemError(problems.EMPTY_BODY)
    return body, kind, options


async def read_state(request: Request, limits: Limits) -> StateRequest:
    """Read a question about a grid, in JSON; raises :class:`ProblemError` for anything else."""
    body = await _read_body(request, limits.json)
    try:
        return StateRequest.model_validate_json(body)
    except ValidationError as error:
        raise ProblemError(problems.bad_value(error.errors()[0])) from None


def declared_length(headers: Headers) -> int | None:
    """Return the declared length of a body in bytes; None for chunks, and if the length is no number."""
    if "transfer-encoding" in headers:
        return None
    length = headers.get("content-length", "0")
    return int(length) if length.isdecimal() and len(length) < 20 else None


def _largest_body(limits: Limits) -> int:
    """Return how long a body may be: a form with a photo, its fields, boundaries and heads."""
    return limits.body + limits.fields + FORM_HEADS


def _kind(media: str) -> Literal["form", "photo", "text"]:
    """Return how a body of a media type is read; whether it is a picture, its content shows later."""
    if media == "multipart/form-data":
        return "form"
    if media.startswith("text/") or media in ("application/json", "application/xml"):
        return "text"
    if media.startswith("image/") or media in _PICTURE_TYPES:
        return "photo"
    raise ProblemError(problems.NOT_A_PICTURE)


async def _read_body(request: Request, limit: int) -> bytes:
    """Return a body of at most *limit* bytes; raises :class:`ProblemError`."""
    whole = io.BytesIO()
    async for piece in _pieces(request, limit):
        whole.write(piece)
    return whole.getvalue()


async def _read_form(request: Request, limits: Limits) -> tuple[bytes, dict[str, str]]:
    """Return the photo of a form and its fields; raises :class:`ProblemError`."""
    largest = _largest_body(limits)
    parser = MultiPartParser(
        request.headers,
        _pieces(request, largest),
        max_files=1,
        max_fields=MAX_FIELDS,
        max_part_size=limits.fields,
    )
    parser.spool_max_size = largest  # nothing of a photo is written to disk
    try:
        form = await parser.parse()
    except (MultiPartException, ValueError):  # older parsers raise the second
        raise ProblemError(problems.BAD_REQUEST) from None
    photo = form.get("photo")
    body = await photo.read() if isinstance(photo, UploadFile) else b""
    await form.close()
    if len(body) > limits.body:
        raise ProblemError(problems.body_too_large(limits.body))
    return body, {name: value for name, value in form.items() if isinstance(value, str)}


async def _pieces(request: Request, limit: int) -> AsyncGenerator[bytes]:
    """Yield a body as it comes in; raises :class:`ProblemError` if it is too large, or declared to be."""
    length = declared_length(request.headers) or 0
    if length <= limit:
        length = 0
        async for piece in request.stream():
            length += len(piece)
            if length > limit:
                break
            yield piece
    if length > limit:
        raise ProblemError(problems.body_too_large(limit))
