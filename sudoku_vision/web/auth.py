"""Auth: who may ask, told by Host, Origin and token, and the headers that every answer bears.

What it keeps out:

* *DNS rebinding*: another site's name that suddenly leads here. Such a request bears that name as its Host.
* *Other sites* in the same browser: their requests bear their Origin, or say in ``Sec-Fetch-Site`` that they
  come from elsewhere. Links to the page are let through.
* *Other people in the network*, where a token is asked for. It comes with the address once (``/?token=``), is
  exchanged for a cookie and taken out of the address; programs send ``Authorization: Bearer``.
"""

import asyncio
import hashlib
import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sudoku_vision.web.addresses import LOOPBACK_NAMES, bare_name, is_loopback
from sudoku_vision.web.middleware import security_headers
from sudoku_vision.web.problems import FOREIGN_HOST, FOREIGN_ORIGIN, NO_TOKEN, Problem, problem_answer

WRONG_TOKEN_PAUSE = 1.0
"""Seconds until a wrong token is refused: 128 bits can't be guessed anyway, but a shorter one might."""
COOKIE_SECONDS = 400 * 86_400
"""How long a browser keeps the cookie that it was let in by: none keeps one for longer."""
MOST_PAUSES = 32  # refusals that are held back at once; more are sent at once, for each holds a connection

_HOST = re.compile(r"(?:\[(?P<six>[0-9a-f:.]{2,45})\]|(?P<name>[a-z0-9._-]{1,253}))(?::(?P<port>\d{1,5}))?")
_OWN_SITE = ("same-origin", "none")
"""Values of ``Sec-Fetch-Site``: the page itself, and what a person typed, scanned or had saved."""


@dataclass(frozen=True)
class AuthRules:
    """By which ``hosts`` the service is known (names and addresses, lower case), and the ``token``, if any.

    The address of this machine to which a connection was made counts as known in any case.
    """

    hosts: frozenset[str] = frozenset(LOOPBACK_NAMES)
    token: str | None = None


class _Host(NamedTuple):
    """What the header Host says: a name or address, a port where it isn't the usual one, and the whole."""

    name: str
    port: str
    whole: str


class Auth:
    """Lets those requests through to an application that may ask, and answers the others.

    Pure ASGI, for HTTP and WebSocket.
    """

    def __init__(self, app: ASGIApp, rules: AuthRules) -> None:
        """Guard *app* by *rules*."""
        self._app = app
        self._rules = rules
        self._cookie = hmac.new((rules.token or "").encode(), b"sudoku-vision cookie", hashlib.sha256)
        self._pauses = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or have it answered."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host = _host_of(headers)
        if host is not None and host.name not in self._rules.hosts and host.name != _server_of(scope):
            host = None
        secure = host is None or is_loopback(host.name) or _is_encrypted(scope, headers)
        send = _with_headers(send, security_headers(host.whole if host else "", secure=secure))
        answer: ASGIApp = self._app
        if host is None:
            answer = _refusal(FOREIGN_HOST, scope, headers)
        elif _is_foreign(scope, headers, host):
            answer = _refusal(FOREIGN_ORIGIN, scope, headers)
        elif self._rules.token is not None:
            answer = await self._asked_for_token(scope, headers, host)
        await answer(scope, receive, send)

    async def _asked_for_token(self, scope: Scope, headers: Headers, host: _Host) -> ASGIApp:
        """Return what answers a request where a token is needed; the refusal of a wrong one takes a while."""
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        token = dict(query).get("token") if scope["type"] == "http" and scope["path"] == "/" else None
        known = self._knows(headers, host)
        if token is not None and scope["method"] in ("GET", "HEAD"):
            known = _equal(token, self._rules.token)
            if known:
                rest = urlencode([(name, value) for name, value in query if name != "token"])
                return self._come_in(scope, headers, host, f"/?{rest}" if rest else "/")
        if known is False and self._pauses < MOST_PAUSES:
            self._pauses += 1
            try:
                await asyncio.sleep(WRONG_TOKEN_PAUSE)
            finally:
                self._pauses -= 1
        return self._app if known else _refusal(NO_TOKEN, scope, headers)

    def _come_in(self, scope: Scope, headers: Headers, host: _Host, address: str) -> Response:
        """Return the answer to the right token: a cookie, and the way to the *address* without the token.

        A browser doesn't send a strict cookie where a redirection began on another site; where it is known
        that it did, a page of ours leads on, and where it isn't, the one that misses the cookie does.
        """
        if headers.get("sec-fetch-site", "none") in _OWN_SITE:
            answer: Response = RedirectResponse(address, 303)
        else:
            answer = _plain_page("Welcome", "The way in is open.", address, at_once=True)
        encrypted = _is_encrypted(scope, headers)
        cookie = self._cookie.hexdigest()
        answer.set_cookie(
            _cookie_name(host),
            cookie,
            max_age=COOKIE_SECONDS,
            httponly=True,
            samesite="strict",
            secure=encrypted,
        )
        return answer

    def _knows(self, headers: Headers, host: _Host) -> bool | None:
        """Tell whether a request bears the right token or cookie; None where it bears none."""
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return _equal(token.strip(), self._rules.token)
        said = [cookie_parser(header).get(_cookie_name(host)) for header in headers.getlist("cookie")]
        compared = [_equal(value, self._cookie.hexdigest()) for value in said if value is not None]
        return any(compared) if compared else None


def _host_of(headers: Headers) -> _Host | None:
    """Return the one Host of a request; None where it has none, several or nonsense."""
    said = headers.getlist("host")
    found = _HOST.fullmatch(said[0].lower()) if len(said) == 1 else None
    return found and _Host(bare_name(found["six"] or found["name"]), found["port"] or "", found[0])


def _is_foreign(scope: Scope, headers: Headers, host: _Host) -> bool:
    """Tell whether another site has sent a request, links to the page excepted."""
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
    """Tell whether a browser came by https, to here or to a proxy.

    What a proxy says is believed for this alone: who says so falsely only spoils a cookie of their own.
    """
    return bool(scope["scheme"] == "https" or headers.get("x-forwarded-proto", "").lower() == "https")


def _refusal(problem: Problem, scope: Scope, headers: Headers) -> Response:
    """Return what is said instead of an answer: to people a page, to programs JSON."""
    if _is_api(scope) or "text/html" not in headers.get("accept", ""):
        return problem_answer(problem)
    link = "/" if problem is NO_TOKEN else ""
    return _plain_page(problem.message, problem.remedy, link, status=problem.status)


def _plain_page(
    title: str, text: str, link: str, *, at_once: bool = False, status: int = 200
) -> HTMLResponse:
    """Return a page with a sentence or two and, where there is a *link*, a way on by one tap.

    No style, no script: nothing that had to be let through. *at_once*: a browser goes on by itself.
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
    """Return the cookie's name: browsers don't keep those of several ports of one host apart."""
    return f"sudoku-vision-{host.port}" if host.port else "sudoku-vision"


def _equal(said: str, right: str | None) -> bool:
    """Compare in a time that doesn't tell how much is right."""
    return hmac.compare_digest(said.encode("utf-8", "surrogateescape"), (right or "").encode())


def _with_headers(send: Send, added: Mapping[str, str]) -> Send:
    """Return *send*, adding the headers that every answer bears."""

    async def sending(message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            headers = MutableHeaders(scope=message)
            for name, value in added.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
