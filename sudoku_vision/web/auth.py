"""Auth: who may ask, decided by Host, Origin and token, and the security headers of every answer.

What it keeps out:

* *DNS rebinding*: another site's name that suddenly leads here. Such a request has that name as its Host.
* *Other sites* in the same browser: their requests have their Origin, or say in ``Sec-Fetch-Site`` that they
  come from elsewhere. Links to the page are let through.
* *Other people in the network*, if there is a token. It comes with the address once (``/?token=``), is
  exchanged for a cookie and taken out of the address; programs send ``Authorization: Bearer``.

Starlette's ``TrustedHostMiddleware`` can't do this: it doesn't know the address of a connection.
"""

import asyncio
import hmac
import re
from collections.abc import Collection, Mapping
from html import escape
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sudoku_vision.web.addresses import LOOPBACK_NAMES, bare_name, is_loopback
from sudoku_vision.web.problems import FOREIGN_HOST, FOREIGN_ORIGIN, NO_TOKEN, Problem, problem_answer

WRONG_TOKEN_PAUSE = 1.0
"""Seconds until a wrong token is refused: nobody can guess 128 bits, but a shorter token might be guessed."""
COOKIE_SECONDS = 400 * 86_400  # how long a browser keeps the cookie: none keeps one for longer
MAX_PAUSES = 32  # refusals that are held back at once, as each holds a connection; more are sent at once

_HOST = re.compile(r"(?:\[(?P<six>[0-9a-f:.]{2,45})\]|(?P<name>[a-z0-9._-]{1,253}))(?::(?P<port>\d{1,5}))?")
_OWN_SITE = ("same-origin", "none")
"""Values of ``Sec-Fetch-Site``: the page itself, and what a person typed, scanned or had saved."""

_OWN_FEATURES = "autoplay camera clipboard-read clipboard-write fullscreen screen-wake-lock"
_NO_FEATURES = (
    "accelerometer display-capture encrypted-media geolocation gyroscope hid idle-detection magnetometer "
    "microphone midi payment picture-in-picture publickey-credentials-get serial sync-xhr usb "
    "xr-spatial-tracking"
)
"""Features of the browser that the page may use (camera, clipboard, screen), and may not use.

``web-share`` is not named: browsers that know it let a page share, others report the name as an error.
"""
_FIXED_HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ", ".join(
        [f"{name}=(self)" for name in _OWN_FEATURES.split()] + [f"{name}=()" for name in _NO_FEATURES.split()]
    ),
}


def security_headers(host: str = "", *, secure: bool = True) -> dict[str, str]:
    """Return the headers of an answer; the page may open a WebSocket to *host*, given with its port.

    Browsers from before 2022 don't count that as ``'self'``. A host that is not known must not be named.
    *secure*: whether a browser takes this for a secure context, by https or on this machine. Elsewhere one of
    the headers is an error in its console.
    """
    sockets = f" ws://{host} wss://{host}" if host else ""
    policy = (
        "default-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; "
        f"connect-src 'self'{sockets}; object-src 'none'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    )
    opener = {"Cross-Origin-Opener-Policy": "same-origin"} if secure else {}
    return {"Content-Security-Policy": policy, **_FIXED_HEADERS, **opener}


class _Host(NamedTuple):
    """The header Host: a name or address, a port if it isn't the usual one, and the whole."""

    name: str
    port: str
    whole: str


class Auth:
    """Middleware for HTTP and WebSocket: passes on requests that are allowed, and refuses the others."""

    def __init__(
        self, app: ASGIApp, hosts: Collection[str] = LOOPBACK_NAMES, token: str | None = None
    ) -> None:
        """Guard *app*, which has these *hosts* (names and addresses, lower case) and perhaps a *token*.

        A connection comes to an address of this machine; that address always counts as known.
        """
        self._app, self._hosts, self._token = app, hosts, token
        self._cookie = hmac.new((token or "").encode(), b"sudoku-vision cookie", "sha256").hexdigest()
        self._pauses = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or pass it on."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host = _host_of(headers)
        if host is not None and host.name not in self._hosts and host.name != _server_of(scope):
            host = None
        secure = host is None or is_loopback(host.name) or _is_encrypted(scope, headers)
        send = _with_headers(send, security_headers(host.whole if host else "", secure=secure))
        answer: ASGIApp = self._app
        if host is None:
            answer = _refusal(FOREIGN_HOST, scope, headers)
        elif _is_foreign(scope, headers, host):
            answer = _refusal(FOREIGN_ORIGIN, scope, headers)
        elif self._token is not None:
            answer = await self._check_token(scope, headers, host)
        await answer(scope, receive, send)

    async def _check_token(self, scope: Scope, headers: Headers, host: _Host) -> ASGIApp:
        """Return what answers a request if a token is needed; the refusal of a wrong one takes a while."""
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        token = dict(query).get("token") if scope["type"] == "http" and scope["path"] == "/" else None
        known = self._is_known(headers, host)
        if token is not None and scope["method"] in ("GET", "HEAD"):
            known = _equal(token, self._token)
            if known:
                rest = urlencode([(name, value) for name, value in query if name != "token"])
                return self._welcome(scope, headers, host, f"/?{rest}" if rest else "/")
        if known is False and self._pauses < MAX_PAUSES:
            self._pauses += 1
            try:
                await asyncio.sleep(WRONG_TOKEN_PAUSE)
            finally:
                self._pauses -= 1
        return self._app if known else _refusal(NO_TOKEN, scope, headers)

    def _welcome(self, scope: Scope, headers: Headers, host: _Host, address: str) -> Response:
        """Return the answer to the right token: a cookie, and the way to the *address* without the token.

        A browser doesn't send a strict cookie after a redirection that began on another site. So a request
        from another site gets a page that leads on. If it isn't known where a request came from, the refusal
        without the cookie leads on, too.
        """
        if headers.get("sec-fetch-site", "none") in _OWN_SITE:
            answer: Response = RedirectResponse(address, 303)
        else:
            answer = _plain_page("Welcome", "The way in is open.", address, at_once=True)
        answer.set_cookie(
            _cookie_name(host),
            self._cookie,
            max_age=COOKIE_SECONDS,
            httponly=True,
            samesite="strict",
            secure=_is_encrypted(scope, headers),
        )
        return answer

    def _is_known(self, headers: Headers, host: _Host) -> bool | None:
        """Return whether a request has the right token or cookie; None if it has neither."""
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return _equal(token.strip(), self._token)
        cookies = [cookie_parser(header).get(_cookie_name(host)) for header in headers.getlist("cookie")]
        compared = [_equal(value, self._cookie) for value in cookies if value is not None]
        return any(compared) if compared else None


def _host_of(headers: Headers) -> _Host | None:
    """Return the Host of a request; None if there is none, if there are several, or if it is nonsense."""
    hosts = headers.getlist("host")
    found = _HOST.fullmatch(hosts[0].lower()) if len(hosts) == 1 else None
    return found and _Host(bare_name(found["six"] or found["name"]), found["port"] or "", found[0])


def _is_foreign(scope: Scope, headers: Headers, host: _Host) -> bool:
    """Return whether another site has sent a request; links to the page don't count."""
    for origin in headers.getlist("origin"):
        if origin.lower().partition("://")[2] != host.whole:
            return True
    if headers.get("sec-fetch-site", "none") in _OWN_SITE:
        return False
    is_link = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    return not (is_link and scope["type"] == "http" and scope["method"] == "GET" and not _is_api(scope))


def _is_api(scope: Scope) -> bool:
    return bool(scope["type"] == "websocket" or scope["path"].startswith("/api/"))


def _server_of(scope: Scope) -> str:
    """Return the address of this machine that a connection was made to."""
    server = scope.get("server")
    return bare_name(str(server[0]).partition("%")[0]) if server else ""


def _is_encrypted(scope: Scope, headers: Headers) -> bool:
    """Return whether a browser came by https, to here or to a proxy.

    The header of a proxy is believed here alone: a client that forges it only spoils its own cookie.
    """
    return bool(scope["scheme"] == "https" or headers.get("x-forwarded-proto", "").lower() == "https")


def _refusal(problem: Problem, scope: Scope, headers: Headers) -> Response:
    """Return the refusal of a request: a page for people, JSON for programs."""
    if _is_api(scope) or "text/html" not in headers.get("accept", ""):
        return problem_answer(problem)
    link = "/" if problem is NO_TOKEN else ""
    return _plain_page(problem.message, problem.remedy, link, status=problem.status)


def _plain_page(
    title: str, text: str, link: str, *, at_once: bool = False, status: int = 200
) -> HTMLResponse:
    """Return a page with a sentence or two, and with a *link* to go on, if one is given.

    It has no style and no script, so the security headers need not allow any. *at_once*: a browser goes on by
    itself.
    """
    address, title = escape(link), escape(title)
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    head += '<meta name="color-scheme" content="light dark">'
    head += f'<meta http-equiv="refresh" content="0; url={address}">' if at_once else ""
    body = f"<main><h1>{title}</h1><p>{escape(text)}</p>"
    body += f'<p><a href="{address}">Open the page</a></p></main>' if link else "</main>"
    page = (
        f'<!doctype html><html lang="en"><head>{head}<title>{title}</title></head><body>{body}</body></html>'
    )
    return HTMLResponse(page, status)


def _cookie_name(host: _Host) -> str:
    """Return the cookie's name; it has the port, as browsers share cookies between all ports of a host."""
    return f"sudoku-vision-{host.port}" if host.port else "sudoku-vision"


def _equal(given: str, right: str | None) -> bool:
    """Compare in a time that doesn't show how much is right."""
    return hmac.compare_digest(given.encode("utf-8", "surrogateescape"), (right or "").encode())


def _with_headers(send: Send, added: Mapping[str, str]) -> Send:
    """Return *send*, adding headers to every answer."""

    async def sending(message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            headers = MutableHeaders(scope=message)
            for name, value in added.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
