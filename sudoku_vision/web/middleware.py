"""Middleware: what holds for every answer, whatever it is."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import traceback

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sudoku_vision.web.problems import INTERNAL, SLOW_BODY, problem_answer
from sudoku_vision.web.settings import Limits

log = logging.getLogger("sudoku_vision.web")

MOST_DRAINED = 5
"""Bodies of the largest size that are let go by after a refusal."""


class PlainFailures:
    """Answers a mistake in the program with a sentence; the log names its place alone."""

    def __init__(self, app: ASGIApp) -> None:
        """Stand before *app*."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        started = False

        async def watched(message: Message) -> None:
            nonlocal started
            started = started or message["type"] in ("http.response.start", "websocket.accept")
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except ClientDisconnect:
            pass
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            log.error("internal error: %s at %s:%s", type(error).__name__, place.filename, place.lineno)
            if scope["type"] == "http" and not started:
                await problem_answer(INTERNAL)(scope, receive, send)


class HeardOut:
    """Listens to the rest of a body that was refused, and answers then: a browser that sends hears nothing.

    What goes on longer than the limits allow is hung up on after the answer. HEAD is answered as GET: the
    server leaves the body out.
    """

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        """Stand before *app*."""
        self._app, self._limits = app, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if scope["method"] == "HEAD":
            scope = {**scope, "method": "GET"}
        headers = Headers(scope=scope)
        ended = not (headers.get("content-length", "0").strip("0") or "transfer-encoding" in headers)
        waits = headers.get("expect", "").lower() == "100-continue"  # to be told to send its body

        async def heard() -> Message:
            nonlocal ended, waits
            waits = False
            message = await receive()
            ended = ended or message["type"] == "http.disconnect" or not message.get("more_body", False)
            return message

        async def hear_out() -> None:
            length = 0
            while not ended and length < MOST_DRAINED * self._limits.body:
                length += len((await heard()).get("body", b""))

        async def answered(message: Message) -> None:
            if message["type"] == "http.response.start" and not ended:
                if not waits and message["status"] != SLOW_BODY.status:
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(hear_out(), self._limits.drain)
                if not ended:
                    MutableHeaders(scope=message)["Connection"] = "close"
            await send(message)

        await self._app(scope, heard, answered)
