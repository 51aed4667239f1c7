"""Middleware: what every answer tells browsers not to do, and bodies that are refused are heard out."""

from __future__ import annotations

import asyncio
import contextlib

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sudoku_vision.web.problems import SLOW_BODY
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

MOST_DRAINED = 5
"""Bodies of the largest size that are let go by after a refusal."""


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
