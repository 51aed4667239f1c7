"""Checks who sends a request, by Host, Origin and token, and adds security headers to each answer.

Four kinds of requests are refused:

* *DNS rebinding*: another site makes its own name point to this machine. The header Host then contains the
  name of that site.
* *Requests of other sites* in the same browser. The headers Origin and ``Sec-Fetch-Site`` reveal such a
  request. Links to the page are allowed.
* *Requests of other people in the network*, if the service has a token. A browser sends the token once, in
  the address (``/?token=``), and gets a cookie. Programs send the token in ``Authorization: Bearer``.
* *Requests with two lengths*: a proxy and this service could disagree about where such a request ends.

If the service uses https, requests by plain HTTP are redirected.

Starlette's ``TrustedHostMiddleware`` is not used. The header Host is also allowed to contain the address to
which a client has connected, and that middleware doesn't know this address.
"""

import asyncio
import hmac
import re
from collections.abc import Collection, Mapping
from html import escape
from typing import NamedTuple
from urllib.parse import urlencode

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sudoku_vision.web import problems
from sudoku_vision.web.addresses import LOOPBACK_NAMES, bare_name, is_loopback
from sudoku_vision.web.problems import Problem, problem_answer

WRONG_TOKEN_PAUSE = 1.0
"""Seconds before a wrong token is refused. The delay makes it hard to guess a token that a person chose."""
COOKIE_SECONDS = 400 * 86_400  # lifetime of the cookie: the longest time that browsers allow
MAX_PAUSES = 32
"""Maximum number of refusals that wait at a time. Each of them keeps a connection open. Further refusals are
sent without a delay."""

_HOST = re.compile(r"(?:\[(?P<six>[0-9a-f:.]{2,45})\]|(?P<name>[a-z0-9._-]{1,253}))(?::(?P<port>\d{1,5}))?")
_OWN_SITE = ("same-origin", "none")
"""Allowed values of ``Sec-Fetch-Site``. A browser sends the first value for requests of the page itself, and
the second value if a person typed the address."""

_OWN_FEATURES = "autoplay camera clipboard-read clipboard-write fullscreen screen-wake-lock"
_NO_FEATURES = (
    "accelerometer display-capture encrypted-media geolocation gyroscope hid idle-detection magnetometer "
    "microphone midi payment picture-in-picture publickey-credentials-get serial sync-xhr usb "
    "xr-spatial-tracking"
)
"""Features of the browser that the page may use (``_OWN_FEATURES``) or must not use (``_NO_FEATURES``).

``web-share`` is in neither list: browsers that know this feature allow it by default, and other browsers
would report an error.
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
    """Return the security headers of an answer, by name.

    *host*: the host of the request with its port, or "" if the host isn't a host of this service. The headers
    allow WebSockets to *host* by its name, because in browsers from before 2022, ``'self'`` doesn't include
    WebSockets.

    *secure*: whether the page came by https or from this machine. If not, the header
    Cross-Origin-Opener-Policy is left out, because browsers would report it as an error.
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
    """The header Host of a request: its ``name``, its ``port`` ("" if missing), and the ``whole`` header."""

    name: str
    port: str
    whole: str


class Auth:
    """Middleware for HTTP and WebSocket. It refuses all requests that are not allowed."""

    def __init__(
        self,
        app: ASGIApp,
        hosts: Collection[str] = LOOPBACK_NAMES,
        token: str | None = None,
        *,
        https: bool = False,
    ) -> None:
        """Guard *app*. Only allowed requests reach it.

        The header Host must contain one of *hosts* (in lower case), or the address to which the client has
        connected. With a *token*, each request needs this token, or the cookie that the service gave for it.
        With *https*, plain HTTP is redirected to https at the same address and port.
        """
        self._app, self._hosts, self._token, self._https = app, hosts, token, https
        self._cookie = hmac.new((token or "").encode(), b"sudoku-vision cookie", "sha256").hexdigest()
        self._pauses = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to the application if it is allowed; otherwise refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        request = HTTPConnection(scope)
        host = _host_of(request)
        if host is not None and host.name not in self._hosts and host.name != _server_of(scope):
            host = None
        secure = host is None or is_loopback(host.name) or _is_encrypted(request)
        send = _with_headers(send, security_headers(host.whole if host else "", secure=secure))
        answer: ASGIApp = self._app
        if "content-length" in request.headers and "transfer-encoding" in request.headers:
            answer = problem_answer(problems.BAD_REQUEST, {"Connection": "close"})
        elif host is None:
            answer = _refusal(problems.FOREIGN_HOST, request)
        elif self._https and scope["scheme"] in ("http", "ws"):
            answer = RedirectResponse(_https_address(scope, host), 307)  # browsers would keep a 308 for ever
        elif _is_foreign(request, host):
            answer = _refusal(problems.FOREIGN_ORIGIN, request)
        elif self._token is not None:
            answer = await self._check_token(request, host)
        await answer(scope, receive, send)

    async def _check_token(self, request: HTTPConnection, host: _Host) -> ASGIApp:
        """Return the application if a request has the right cookie or header; otherwise, return a refusal."""
        query, known = request.query_params, self._is_known(request, host)
        if request.get("method") in ("GET", "HEAD") and request["path"] == "/" and "token" in query:
            known = _equal(query["token"], self._token)
            if known:
                rest = urlencode([(name, value) for name, value in query.multi_items() if name != "token"])
                return self._welcome(request, host, f"/?{rest}" if rest else "/")
        if known is False and self._pauses < MAX_PAUSES:
            self._pauses += 1
            try:
                await asyncio.sleep(WRONG_TOKEN_PAUSE)
            finally:
                self._pauses -= 1
        return self._app if known else _refusal(problems.NO_TOKEN, request)

    def _welcome(self, request: HTTPConnection, host: _Host, address: str) -> Response:
        """Return the answer to a request with the right token: set a cookie, and redirect to *address*.

        If the person followed a link on another site, the answer is a page with a link to *address* instead.
        A redirection would fail: the cookie has ``SameSite=Strict``, so a browser doesn't send it if another
        site began the redirection.
        """
        if request.headers.get("sec-fetch-site", "none") in _OWN_SITE:
            answer: Response = RedirectResponse(address, 303)
        else:
            answer = _plain_page("Welcome", "The way in is open.", address, at_once=True)
        answer.set_cookie(
            _cookie_name(host),
            self._cookie,
            max_age=COOKIE_SECONDS,
            httponly=True,
            samesite="strict",
            secure=_is_encrypted(request),
        )
        return answer

    def _is_known(self, request: HTTPConnection, host: _Host) -> bool | None:
        """Return whether the token or cookie of a request is right; None if it has no token and no cookie."""
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return _equal(token.strip(), self._token)
        cookie = request.cookies.get(_cookie_name(host))
        return None if cookie is None else _equal(cookie, self._cookie)


def _host_of(request: HTTPConnection) -> _Host | None:
    """Return the header Host of a request; None if it is missing, invalid or given more than once."""
    hosts = request.headers.getlist("host")
    found = _HOST.fullmatch(hosts[0].lower()) if len(hosts) == 1 else None
    return found and _Host(bare_name(found["six"] or found["name"]), found["port"] or "", found[0])


def _is_foreign(request: HTTPConnection, host: _Host) -> bool:
    """Return whether another site sent a request. A link to a page, but not to the API, is allowed."""
    headers = request.headers
    if any(one.lower().partition("://")[2] != host.whole for one in headers.getlist("origin")):
        return True
    if headers.get("sec-fetch-site", "none") in _OWN_SITE:
        return False
    is_link = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    return not (is_link and request.get("method") == "GET" and not _is_api(request))


def _is_api(request: HTTPConnection) -> bool:
    return bool(request["type"] == "websocket" or request["path"].startswith("/api/"))


def _https_address(scope: Scope, host: _Host) -> str:
    path, query = (scope[name].decode("latin-1") for name in ("raw_path", "query_string"))
    return f"https://{host.whole}/{path.lstrip('/')}{'?' * bool(query)}{query}"


def _server_of(scope: Scope) -> str:
    server = scope.get("server")
    return bare_name(str(server[0]).partition("%")[0]) if server else ""


def _is_encrypted(request: HTTPConnection) -> bool:
    """Return whether a request came by https, to this service or to a proxy in front of it.

    A proxy says so in a header. A client that forges this header harms only itself: its cookie is marked as
    secure, so its browser won't send the cookie by plain HTTP.
    """
    forwarded = request.headers.get("x-forwarded-proto", "")
    return bool(request["scheme"] == "https" or forwarded.lower() == "https")


def _refusal(problem: Problem, request: HTTPConnection) -> Response:
    if _is_api(request) or "text/html" not in request.headers.get("accept", ""):
        return problem_answer(problem)
    link = "/" if problem is problems.NO_TOKEN else ""
    return _plain_page(problem.message, problem.remedy, link, status=problem.status)


def _plain_page(
    title: str, text: str, link: str, *, at_once: bool = False, status: int = 200
) -> HTMLResponse:
    """Return a small page. If *link* isn't "", the page has a link to this address.

    *at_once*: whether the browser opens the link immediately, without a click.

    The page has no style and no script, because the security headers forbid them.
    """
    address, title = escape(link), escape(title)
    refresh = f'<meta http-equiv="refresh" content="0; url={address}">' if at_once else ""
    way = f'<p><a href="{address}">Open the page</a></p>' if link else ""
    page = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">'
        f"{refresh}<title>{title}</title></head>"
        f"<body><main><h1>{title}</h1><p>{escape(text)}</p>{way}</main></body></html>"
    )
    return HTMLResponse(page, status)


def _cookie_name(host: _Host) -> str:
    """Return the name of the cookie. It contains the port, because all ports of a host share cookies."""
    return f"sudoku-vision-{host.port}" if host.port else "sudoku-vision"


def _equal(given: str, right: str | None) -> bool:
    """Return whether a token or cookie is right.

    The time of this comparison doesn't depend on the place of the first wrong character. So nobody can find
    the token character by character.
    """
    return hmac.compare_digest(given.encode("utf-8", "surrogateescape"), (right or "").encode())


def _with_headers(send: Send, added: Mapping[str, str]) -> Send:
    """Return a function like *send*. It also adds each header in *added* that the answer doesn't have yet."""

    async def sending(message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            headers = MutableHeaders(scope=message)
            for name, value in added.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
