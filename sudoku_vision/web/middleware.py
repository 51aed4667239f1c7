"""Middleware: bodies that are refused are heard out, so that whoever sends them hears the answer."""

from __future__ import annotations

import asyncio
import contextlib

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sudoku_vision.web.problems import SLOW_BODY
from sudoku_vision.web.settings import Limits

MOST_DRAINED = 5
"""Bodies of the largest size that are let go by after a refusal."""


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
