"""Reads and checks the bodies of requests, with limits on size, time and memory.

The middleware :class:`TimedBodies` makes each body wait for free memory, and limits its size and time. After
a refusal, it reads and drops the rest of the body. Functions of this module read the body for an endpoint.
"""

import asyncio
import contextlib
import sys

from pydantic import ValidationError
from starlette.datastructures import Headers, MutableHeaders, UploadFile
from starlette.formparsers import MultiPartParser
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sudoku_vision.web import problems
from sudoku_vision.web.problems import ProblemError
from sudoku_vision.web.schemas import PhotoOptions, StateRequest
from sudoku_vision.web.settings import BodyKind, Limits

FORM_HEADS = 10_000  # maximum number of bytes for the boundaries and part headers of a form
MAX_FIELDS = 32  # largest number of fields of a form, without its photo
MIN_SHARE = 1 / 30
"""While other bodies wait for memory, a body must arrive at a constant rate: the size of the body, divided by
``Limits.slow_body`` seconds. At any time, at most this share of its bytes is allowed to be late."""
MAX_DRAINED = 5
"""After a refusal, the rest of a body is read and dropped, up to this many times the largest allowed size."""
_PICTURE_TYPES = (
    "",
    "application/octet-stream",
    "application/pdf",
    "application/x-www-form-urlencoded",  # curl declares this media type for any data
)

MultiPartParser.spool_max_size = sys.maxsize  # nothing of a photo is written to disk


class TimedBodies:
    """Middleware: bodies wait for free memory, and have limits of size and time.

    All bodies that arrive or are processed share ``limits.bodies`` bytes of memory. The declared size of a
    body is reserved before the body is read. Bodies of at most ``limits.json`` bytes never wait. So a
    person's correction gets an answer even while large photos wait. A refused body is drained: its rest is
    read and dropped. A HEAD request is passed on as a GET request; the server then sends the answer without
    its body.
    """

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self.limits = limits
        self.waiting = 0  # number of bodies that are waiting for free memory
        self._app, self._free = app, limits.bodies
        self._freed = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to the application."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if scope["method"] == "HEAD":
            scope = {**scope, "method": "GET"}
        body = _TimedBody(Headers(scope=scope), receive, send, self)
        try:
            await self._app(scope, body.receive, body.send)
        finally:
            self.give_back(body.taken)

    async def take(self, count: int) -> None:
        """Wait for *count* bytes of free memory, and reserve them. ProblemError if this takes too long."""
        self.waiting += 1
        try:
            async with asyncio.timeout(self.limits.job_seconds):
                while count > max(self._free, self.limits.json):
                    await self._freed.wait()
        except TimeoutError:
            raise ProblemError(problems.BUSY) from None
        finally:
            self.waiting -= 1
        self._free -= count

    def give_back(self, count: int) -> None:
        """Free *count* reserved bytes, and wake the bodies that wait for free memory."""
        self._free += count
        self._freed.set()
        self._freed.clear()


class _TimedBody:
    """The body of a request. ``taken``: number of bytes that are reserved for this body."""

    def __init__(self, headers: Headers, receive: Receive, send: Send, bodies: TimedBodies) -> None:
        self._receive, self._send, self._bodies = receive, send, bodies
        self._limits = limits = bodies.limits
        self._largest = limits.body + limits.fields + FORM_HEADS  # a form has fields and boundaries, too
        self._length = declared_length(headers)
        self._ended = self._length == 0
        self._expects_continue = headers.get("expect", "").lower() == "100-continue"
        self._begun = 0.0
        self._received = 0
        self.taken = 0

    async def receive(self) -> Message:
        """Return the next piece of the body. Before the first piece, wait for free memory.

        Raises :class:`ProblemError` if memory isn't free in time, or if the body is too large or too slow.
        """
        if self._ended:
            return await self._receive()
        if not self.taken:
            count = self._largest if self._length is None else self._length
            self._check_size(count)
            await self._bodies.take(count)
            self.taken = count
            self._begun = asyncio.get_running_loop().time()
        while (left := self._seconds_left()) > 0:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(left, MIN_SHARE * self._limits.slow_body)):
                    message = await self._next()
                    self._check_size(self._received)
                    return message
        raise ProblemError(problems.SLOW_BODY)

    def _check_size(self, count: int) -> None:
        if count > self._largest:
            raise ProblemError(problems.body_too_large(self._limits.body))

    def _seconds_left(self) -> float:
        """Return the number of seconds that are left until the next piece of this body must arrive.

        While other bodies wait for memory, this body must arrive steadily over its whole time. It can be late
        by the share :data:`MIN_SHARE` of its size. Otherwise, only the time for the whole body is limited.
        """
        share = min(1.0, self._received / self.taken + MIN_SHARE) if self._bodies.waiting else 1.0
        return self._begun + share * self._limits.slow_body - asyncio.get_running_loop().time()

    async def send(self, message: Message) -> None:
        """Send a part of the answer. If the body hasn't arrived completely, drain it first.

        A browser reads no answer while it sends a body. If draining takes too long, the connection is closed.
        """
        if message["type"] == "http.response.start" and not self._ended:
            if not self._expects_continue and message["status"] != problems.SLOW_BODY.status:
                most = self._received + MAX_DRAINED * self._limits.body
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(self._limits.drain):
                        while not self._ended and self._received < most:
                            await self._next()
            if not self._ended:
                MutableHeaders(scope=message)["Connection"] = "close"
        await self._send(message)

    async def _next(self) -> Message:
        self._expects_continue = False
        message = await self._receive()
        self._received += len(message.get("body", b""))
        self._ended = message["type"] == "http.disconnect" or not message.get("more_body", False)
        return message


def media_type(request: Request) -> str:
    """Return the media type of a body in lower case, without its parameters."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def read_upload(
    request: Request, options: PhotoOptions, limits: Limits
) -> tuple[bytes, BodyKind, PhotoOptions]:
    """Return the bytes of the picture or board in a request, the kind of these bytes, and the options.

    The fields of a form replace the *options* in the address. Raises :class:`ProblemError` if the body is of
    a kind that the service doesn't read, if it is empty or too large, or if a field has a wrong value.
    """
    media = media_type(request)
    kind: BodyKind = "photo"  # the first guess; the bytes are checked only when they are read
    if media == "multipart/form-data":
        try:
            async with request.form(max_files=1, max_fields=MAX_FIELDS, max_part_size=limits.fields) as form:
                photo = form.get("photo")
                body = await photo.read() if isinstance(photo, UploadFile) else b""
                fields = {name: value for name, value in form.items() if isinstance(value, str)}
            options = PhotoOptions.model_validate({**options.model_dump(exclude_unset=True), **fields})
        except ValidationError as error:
            raise ProblemError(problems.bad_value(error.errors()[0])) from None
        except ValueError:  # older parsers raise it
            raise ProblemError(problems.BAD_REQUEST) from None
    else:
        if media.startswith("text/") or media in ("application/json", "application/xml"):
            kind = "text"
        elif not media.startswith("image/") and media not in _PICTURE_TYPES:
            raise ProblemError(problems.NOT_A_PICTURE)
        body = await request.body()
    if len(body) > limits.body:
        raise ProblemError(problems.body_too_large(limits.body))
    if not body:
        raise ProblemError(problems.EMPTY_BODY)
    return body, kind, options


async def read_state(request: Request, limits: Limits) -> StateRequest:
    """Return the request about a grid from a JSON body. Raises :class:`ProblemError` for any other body."""
    body = await request.body()
    if len(body) > limits.json:
        raise ProblemError(problems.body_too_large(limits.json))
    try:
        return StateRequest.model_validate_json(body)
    except ValidationError as error:
        raise ProblemError(problems.bad_value(error.errors()[0])) from None


def declared_length(headers: Headers) -> int | None:
    """Return the declared length of a body in bytes; None if it is invalid or the body comes in chunks."""
    if "transfer-encoding" in headers:
        return None
    length = headers.get("content-length", "0")
    return int(length) if length.isdecimal() and len(length) < 20 else None
