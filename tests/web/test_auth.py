"""Who may ask: Host, Origin, token and cookie, and the headers of every answer."""

import asyncio
import re
import time
from typing import Any

import httpx
import pytest
from serving import code_of
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from sudoku_vision.web import auth
from sudoku_vision.web.addresses import known_hosts
from sudoku_vision.web.auth import Auth

TOKEN = "q3Zk0r9mW1yT7uXb5LsV2A"
HERE = {"host": "localhost:8000"}
LINK = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
BROWSER = {"accept": "text/html,*/*;q=0.8"}


async def open_to_all(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
    else:
        await PlainTextResponse("let in")(scope, receive, send)


def ask(
    rules: dict[str, Any],
    headers: dict[str, str] | None = None,
    *,
    method: str = "GET",
    path: str = "/",
    kind: str = "http",
    scheme: str = "http",
    server: str = "127.0.0.1",
) -> httpx.Response:
    """Send a request to a service with these rules; the answer is 101 for a WebSocket that was accepted."""
    path, _, query = path.partition("?")
    scope: dict[str, Any] = {
        "type": kind,
        "method": method,
        "path": path,
        "query_string": query.encode(),
        "scheme": scheme,
        "server": (server, 8000),
        "client": ("192.168.1.77", 5000),
        "headers": [(a.encode(), b.encode("latin-1")) for a, b in (HERE | (headers or {})).items() if b],
        "extensions": {"websocket.http.response": {}},
    }
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(dict(message))

    async def receive() -> Message:
        return {"type": f"{kind}.disconnect"}

    asyncio.run(Auth(open_to_all, **rules)(scope, receive, send))
    if sent[0]["type"] == "websocket.accept":
        return httpx.Response(101)
    body = b"".join(one.get("body", b"") for one in sent[1:])
    return httpx.Response(sent[0]["status"], headers=sent[0]["headers"], content=body)


OPEN: dict[str, Any] = {}
CLOSED = {"token": TOKEN}


FOREIGN_HOSTS = """
evil.example|evil.example:8000|localhost.evil.example|127.0.0.1.evil.example:8000|192.168.1.5:8000|[::2]||
localhost:8000@evil.example|localhost, evil.example|localhost:99999999|local host|[|localhost;x
""".replace("\n", "").split("|")


@pytest.mark.parametrize("host", [*FOREIGN_HOSTS, "\xe4\xf6", "a" * 5000], ids=range(15))
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_a_name_that_was_turned_on_this_machine_gets_nothing(host: str, kind: str) -> None:
    answer = ask(OPEN, {"host": host}, kind=kind, path="/api/live")
    assert code_of(answer) == (403, "foreign_host")
    assert "evil" not in answer.headers["content-security-policy"]


def test_this_machine_is_known_by_its_usual_names_its_addresses_and_those_given_for_a_proxy() -> None:
    for host in ("localhost", "LOCALHOST:8000", "127.0.0.1:80", "[::1]:8000", "localhost."):
        assert ask(OPEN, {"host": host}).status_code == 200
    rules = {"hosts": known_hosts("0.0.0.0", ["Sudoku.Example.org", "[2001:db8::7]"], lan=True)}
    for host in ("sudoku.example.org", "[2001:db8::7]:8000"):
        assert ask(rules, {"host": host}).status_code == 200
    assert ask(rules, {"host": "0.0.0.0:8000"}).status_code == 403
    here = ask(rules, {"host": "192.168.1.5:8000"}, server="192.168.1.5")
    assert here.status_code == 200  # the connection was made to it, so it is this machine's
    assert known_hosts("192.168.1.5") >= {"192.168.1.5", "localhost"}


FOREIGN_ORIGINS = ("http://evil.example", "null", "http://localhost", "http://localhost:3000", "nonsense")


@pytest.mark.parametrize("origin", [*FOREIGN_ORIGINS, "http://localhost:8000.evil.example", "file://"])
def test_other_sites_may_not_ask(origin: str) -> None:
    for method, kind in (("POST", "http"), ("GET", "http"), ("PUT", "http"), ("GET", "websocket")):
        answer = ask(OPEN, {"origin": origin}, method=method, kind=kind, path="/api/solve")
        assert code_of(answer) == (403, "foreign_origin")


def test_the_page_itself_and_programs_may_ask() -> None:
    own = {"origin": "http://localhost:8000", "sec-fetch-site": "same-origin"}
    for headers in ({}, own, own | {"origin": "https://localhost:8000"}):  # the last: by way of a proxy
        assert ask(OPEN, headers, method="POST", path="/api/solve").status_code == 200
        assert ask(OPEN, headers, kind="websocket", path="/api/live").status_code == 101


def test_requests_from_elsewhere_are_refused_but_links_to_the_page_lead_there() -> None:
    image = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"}
    for headers in (image, image | {"sec-fetch-site": "same-site"}, LINK | {"sec-fetch-dest": "iframe"}):
        assert code_of(ask(OPEN, headers))[1] == "foreign_origin"
    assert ask(OPEN, LINK).status_code == 200
    assert ask(OPEN, LINK, path="/api/board/1/solve").status_code == 403
    assert ask(OPEN, LINK, method="POST").status_code == 403
    assert ask(OPEN, LINK | {"sec-fetch-site": "none"}, path="/api/health").status_code == 200


def test_without_a_token_people_see_a_page_and_programs_json() -> None:
    for path in ("/api/health", "/api/solve", "/openapi.json", "/static/app.js"):
        answer = ask(CLOSED, path=path)
        assert code_of(answer) == (401, "no_token")
    page = ask(CLOSED, BROWSER)
    assert page.status_code == 401
    assert page.headers["content-type"].startswith("text/html")
    assert 'href="/"' in page.text and "Scan the code" in page.text
    assert not re.search(r"style|script|http-equiv", page.text)
    assert code_of(ask(CLOSED, kind="websocket", path="/api/live"))[1] == "no_token"
    assert code_of(ask(CLOSED, BROWSER, path="/api/health"))[1] == "no_token"


def test_the_token_is_exchanged_for_a_cookie_and_taken_out_of_the_address() -> None:
    answer = ask(CLOSED, BROWSER, path=f"/?lang=de&token={TOKEN}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/?lang=de")
    header = answer.headers["set-cookie"]
    assert TOKEN not in header
    assert header.startswith("sudoku-vision-8000=")
    for word in ("HttpOnly", "SameSite=strict", "Path=/", "Max-Age=34560000"):
        assert word.lower() in header.lower()
    assert "secure" not in header.lower() and "domain" not in header.lower()
    cookie = {"cookie": "other=1; " + answer.headers["set-cookie"].partition(";")[0]}
    assert ask(CLOSED, cookie).status_code == 200
    assert ask(CLOSED, cookie, path="/api/solve", method="POST").status_code == 200
    assert ask(CLOSED, cookie, path="/api/live", kind="websocket").status_code == 101
    assert ask(CLOSED, cookie | {"origin": "http://evil.example"}, method="POST").status_code == 403
    for scheme, headers in (("https", {}), ("http", {"x-forwarded-proto": "https"})):
        answer = ask(CLOSED, headers, path=f"/?token={TOKEN}", scheme=scheme)
        assert "; secure" in answer.headers["set-cookie"].lower()


def test_who_came_from_another_site_is_led_on_by_the_page() -> None:
    answer = ask(CLOSED, LINK | BROWSER, path=f"/?token={TOKEN}")  # a redirection would lose the cookie
    assert answer.status_code == 200 and "set-cookie" in answer.headers
    assert 'content="0; url=/"' in answer.text and '<a href="/">' in answer.text
    assert TOKEN not in answer.text
    evil = "%22%3E%3Cscript%3Ealert(1)%3C/script%3E"
    answer = ask(CLOSED, LINK, path=f"/?token={TOKEN}&x={evil}")
    assert "<script" not in answer.text
    answer = ask(CLOSED, path=f"/?token={TOKEN}&x=a%0d%0aSet-Cookie:%20b")
    assert "\n" not in answer.headers["location"]


def test_the_token_counts_in_a_header_and_at_the_start_page_alone() -> None:
    assert ask(CLOSED, {"authorization": f"Bearer {TOKEN}"}, path="/api/health").status_code == 200
    assert code_of(ask(CLOSED, path=f"/api/health?token={TOKEN}"))[1] == "no_token"
    assert code_of(ask(CLOSED, path=f"/?token={TOKEN}", method="POST"))[1] == "no_token"


WRONG: list[tuple[str, dict[str, str]]] = [
    *((f"/?token={token}", {}) for token in ("wrong", "", "%ff%00")),
    ("/api/health", {"authorization": "Bearer wrong"}),
    ("/api/health", {"authorization": "Bearer \xe4"}),
    ("/api/health", {"cookie": f"sudoku-vision-8000={TOKEN}"}),  # the token is not the cookie
    ("/api/health", {"cookie": "sudoku-vision-8000="}),
]


@pytest.mark.parametrize(("path", "headers"), WRONG)
def test_wrong_tokens_must_wait(monkeypatch: pytest.MonkeyPatch, path: str, headers: dict[str, str]) -> None:
    monkeypatch.setattr(auth, "WRONG_TOKEN_PAUSE", 0.05)
    began = time.monotonic()
    assert code_of(ask(CLOSED, headers, path=path))[1] == "no_token"
    assert time.monotonic() - began >= 0.05


def test_every_answer_has_the_headers() -> None:
    answers = [ask(OPEN), ask(CLOSED), ask(CLOSED, path=f"/?token={TOKEN}"), ask(OPEN, {"host": "evil"})]
    answers += [ask(OPEN, {"origin": "null"}), ask(OPEN, {"origin": "null"}, kind="websocket")]
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert "unsafe" not in policy and "*" not in policy
        assert "default-src 'self'" in policy and "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert "camera=(self)" in answer.headers["permissions-policy"]
        assert "server" not in answer.headers
    assert "ws://localhost:8000 wss://localhost:8000" in answers[0].headers["content-security-policy"]
