"""Requests: what is taken, what is refused and how; the jobs are those of a stand-in."""

import asyncio
import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any
from unittest.mock import AsyncMock

import httpx
import pytest
from serving import code_of, raw, serving
from stand_in_handler import StandInHandler
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from sudoku_vision.web.bodies import TimedBodies
from sudoku_vision.web.endpoints import Service, health
from sudoku_vision.web.pools import JobPool, LiveWorkers
from sudoku_vision.web.problems import ProblemError
from sudoku_vision.web.settings import Limits, Settings

SIZES = {"body": 200_000, "fields": 1_000, "json": 5_000}
LIMITS = Limits(**SIZES, job_seconds=1.5, slow_body=0.8, head=0.8, drain=0.5, queue=2, connections=60)
STATE = {"state": "s"}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(Settings(workers=1, limits=LIMITS), StandInHandler) as made:
        yield made


@pytest.fixture(scope="module")
def client(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=20, trust_env=False) as made:
        yield made


def sent_on(answer: httpx.Response) -> dict[str, Any]:
    """What reached the job: the stand-in says it in the message of a page, or of a refusal."""
    values = answer.json()
    arrived: dict[str, Any] = json.loads(values.get("error", values)["message"])
    return arrived


def test_the_ways_in_which_a_photo_is_sent_are_one(client: httpx.Client) -> None:
    photo, options = b"\xff\xd8" * 500, {"overrides": "r1c1=2", "corners": "1,2,3,4,5,6,7,8", "page": "2"}
    types = ("image/jpeg", "image/heic", "application/octet-stream", "application/x-www-form-urlencoded")
    ways: list[dict[str, Any]] = [
        *({"content": photo, "params": options, "headers": {"Content-Type": one}} for one in types),
        {"content": photo, "params": options},
        {"files": {"photo": ("a.jpg", photo)}, "data": options},
        {"files": {"photo": ("a.jpg", photo)}, "params": options},
        {"content": iter([photo[:10], photo[10:]]), "params": options},  # chunked
    ]
    for way in ways:
        values = sent_on(client.post("/api/solve", **way))
        assert values.pop("padding")
        expected = {"length": 1000, "kind": "photo", "page": 2, "rules": "", "regions": ""}
        assert values == options | expected


def test_a_board_is_sent_as_text(client: httpx.Client) -> None:
    for kind in ("text/plain; charset=utf-8", "text/csv", "application/json"):
        values = sent_on(client.post("/api/solve", content=b"1" * 81, headers={"Content-Type": kind}))
        expected = {"kind": "text", "length": 81, "page": None, "overrides": ""}
        assert expected.items() <= values.items()


def test_grids_and_boards_are_asked_about(client: httpx.Client) -> None:
    options = {"state": "s", "overrides": "r1c1=2", "rules": "diagonal", "regions": ""}
    assert sent_on(client.post("/api/settle", json=options)) == options
    more = options | {"filled": "", "marks": True, "answers": False}
    assert sent_on(client.post("/api/check", json=more)) == more
    assert sent_on(client.post("/api/check?marks=true", content=b"photo"))["marks"] is True
    filled = options | {"filled": "0" * 81, "language": "de"}
    assert sent_on(client.post("/api/hint", json=filled)) == filled | {"notes": None, "marks": False}
    assert sent_on(client.post("/api/explain", json=filled)) == filled | {"notes": None}
    board = {"text": "." * 81, "question": "rate", "language": "en"}
    board |= {"rules": "", "regions": "", "filled": ""}
    assert sent_on(client.get(f"/api/board/{'.' * 81}/rate")) == board
    assert code_of(client.get(f"/api/board/{'.' * 81}/eat")) == (404, "not_found")


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (b"", (422, "empty_body")),
        (b"die", (503, "worker_lost")),
        (b"fault", (500, "internal")),
        (b"false", (500, "internal")),  # an answer that is not as described
        (b"slow", (504, "timed_out")),
    ],
)
def test_what_goes_wrong_in_a_job_is_said(client: httpx.Client, body: bytes, wanted: tuple[int, str]) -> None:
    assert code_of(client.post("/api/solve", content=body)) == wanted
    assert client.post("/api/solve", content=b"next").status_code == 200


def test_what_is_no_form_and_no_json_is_refused(client: httpx.Client) -> None:
    form = "multipart/form-data"
    for body, kind in ((b"--x\r\nno form", f"{form}; boundary=x"), (b"anything", form)):
        answer = client.post("/api/solve", content=body, headers={"Content-Type": kind})
        assert code_of(answer) == (400, "bad_request")
    deep = b'{"state":' + b"[" * 2_000 + b"]" * 2_000 + b"}"
    texts = (b"", b"{", b"[]", b"null", b'{"state": NaN}', b'{"state": "\xff"}', b'{"state": 3}', b"{}", deep)
    for body in (*texts, b'{"state": "s", "overrides": null}'):
        assert code_of(client.post("/api/settle", content=body)) == (400, "bad_request"), body
    assert code_of(client.post("/api/hint", json=STATE | {"marks": "perhaps"})) == (400, "bad_request")
    for page in ("0", "one"):
        assert code_of(client.post(f"/api/solve?page={page}", content=b"photo")) == (400, "bad_request")
    video = {"Content-Type": "video/mp4"}
    assert code_of(client.post("/api/solve", content=b"film", headers=video)) == (415, "not_a_picture")


def test_bodies_are_bounded_whatever_is_declared(client: httpx.Client) -> None:
    large = bytes(LIMITS.body + 1)
    assert code_of(client.post("/api/solve", content=large)) == (413, "body_too_large")
    assert code_of(client.post("/api/solve", content=iter([large[:100], large]))) == (413, "body_too_large")
    assert code_of(client.post("/api/solve", files={"photo": large})) == (413, "body_too_large")
    assert code_of(client.post("/api/settle", json={"state": "s" * 6_000})) == (413, "body_too_large")
    fields = {"field": "x" * (LIMITS.fields + 1)}
    assert code_of(client.post("/api/solve", files={"photo": b"a"}, data=fields)) == (400, "bad_request")
    assert sent_on(client.post("/api/solve", content=large[1:]))["length"] == LIMITS.body


def test_who_finds_no_room_for_a_body_waits_and_is_told_so_in_the_end() -> None:
    async def run() -> None:
        room = TimedBodies(AsyncMock(), Limits(bodies=100, json=10, job_seconds=0.02))
        await room.take(90)
        with pytest.raises(ProblemError) as refused:
            await room.take(60)
        assert refused.value.problem.headers["Retry-After"]
        await room.take(10)
        await room.take(10)  # small ones never wait
        room.limits = Limits(json=10)
        waiting = asyncio.create_task(room.take(60))
        await asyncio.sleep(0.02)
        assert not waiting.done()
        room.give_back(90)
        await waiting

    asyncio.run(run())


def test_a_body_that_does_not_come_gives_way_to_one_that_waits_for_its_room() -> None:
    limits = Limits(bodies=1_000, json=10, slow_body=3.0)
    scope = {"type": "http", "method": "POST", "headers": [(b"content-length", b"1000")]}

    async def app(_: Scope, receive: Receive, __: Send) -> None:
        while (await receive())["more_body"]:
            pass

    async def nothing() -> Message:
        await asyncio.sleep(60)
        raise AssertionError

    async def all_of_it() -> Message:
        return {"type": "http.request", "body": bytes(1_000), "more_body": False}

    async def run() -> None:
        bodies, send = TimedBodies(app, limits), AsyncMock()
        dripping = asyncio.create_task(bodies(scope, nothing, send))
        await asyncio.sleep(0.01)
        await bodies(scope, all_of_it, send)
        with pytest.raises(ProblemError, match="slow_body"):
            await dripping

    began = time.monotonic()
    asyncio.run(run())
    assert time.monotonic() - began < limits.slow_body


def test_who_declares_too_much_or_two_lengths_is_refused_and_hung_up_on(address: str) -> None:
    head = b"POST /api/solve HTTP/1.1\r\nHost: localhost\r\n"
    answer = raw(address, head + b"Content-Length: 999999999\r\nExpect: 100-continue\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 413 ") and b"connection: close" in answer.lower()
    second = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    two = b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n"
    answer = raw(address, head + two + second)
    assert answer.startswith(b"HTTP/1.1 400 ") and answer.count(b"HTTP/1.1") == 1


@pytest.mark.parametrize(
    "sent",
    [
        b"POST /api/solve HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nshort",
        b"POST /api/solve HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
    ],
)
def test_what_never_comes_in_whole_is_not_waited_for(address: str, sent: bytes) -> None:
    answer = raw(address, sent)
    assert answer.startswith(b"HTTP/1.1 408 ") and b'"slow_body"' in answer


def test_what_is_no_http_gets_an_answer_of_ours_and_silence_none(address: str) -> None:
    assert raw(address, b"") == b""
    for sent in (b"\x16\x03\x01 hello\r\n\r\n", b"GET\r\n\r\n", b"GET /" + b"a" * 100_000):
        answer = raw(address, sent)
        assert answer.startswith(b"HTTP/1.1 400 ") and b'"bad_request"' in answer


def test_methods_that_an_address_does_not_take_are_told(client: httpx.Client) -> None:
    answer = client.get("/api/solve")
    assert code_of(answer) == (405, "method_not_allowed")
    assert answer.headers["allow"] == "POST"
    answer = client.post("/", content=b"what for")
    assert code_of(answer) == (405, "method_not_allowed")
    assert answer.headers["allow"] == "GET, HEAD"
    assert code_of(client.get("/api")) == code_of(client.get("/api/health/")) == (404, "not_found")


def test_json_is_packed_for_who_takes_it_and_kept_by_nobody(client: httpx.Client) -> None:
    packed = client.post("/api/solve", content=b"photo")
    plain = client.post("/api/solve", content=b"photo", headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip" and "content-encoding" not in plain.headers
    assert packed.json() == plain.json()
    assert packed.headers["cache-control"] == plain.headers["cache-control"] == "no-store"


def test_files_of_the_page_are_asked_for_once(client: httpx.Client) -> None:
    for path in ("/", "/static/page.js", "/static/early.js", "/manifest.webmanifest"):
        first = client.get(path)
        assert first.status_code == 200 and first.headers["cache-control"] == "no-cache"
        again = client.get(path, headers={"If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        head = client.head(path)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["etag"] == first.headers["etag"]
    assert client.get("/static/page.js").headers["content-encoding"] == "gzip"
    assert client.get("/static/page.js").headers["content-type"] == "text/javascript; charset=utf-8"


def test_no_path_leads_out_of_the_page(client: httpx.Client) -> None:
    for path in ("../app.py", "..%2fapp.py", "%2e%2e/app.py", "/etc/passwd", "a%00b", ""):
        assert code_of(client.get(f"/static/{path}")) == (404, "not_found")


def test_beyond_the_queue_it_is_said_at_once_and_the_rest_goes_on(address: str) -> None:
    with ThreadPoolExecutor(8) as others:
        ask = partial(httpx.post, f"{address}/api/solve", content=b"wait", timeout=20)
        answers = [*others.map(lambda _: ask(), range(8))]
    refused = [answer for answer in answers if answer.status_code != 200]
    assert len(refused) <= 8 - 1 - LIMITS.queue
    assert {(*code_of(one), one.headers["retry-after"]) for one in refused} == {(503, "busy", "1")}


def test_a_service_without_a_worker_says_so() -> None:
    pool = JobPool(StandInHandler, 1, LIMITS)  # not started
    service, response = Service(Settings(), pool, LiveWorkers(StandInHandler, 1, LIMITS)), Response()
    assert asyncio.run(health(service, response)).status == "no_workers"
    assert response.status_code == 503


def test_nothing_of_a_photo_is_logged(
    client: httpx.Client, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    secret = b"SECRET-OF-A-PHOTO" * 5_000
    client.post("/api/solve?overrides=SECRET", content=secret)
    client.post("/api/solve", files={"photo": ("SECRET.jpg", secret)}, data={"overrides": "SECRET"})
    client.post("/api/solve", content=b"fault")
    logged = "".join(capfd.readouterr()) + caplog.text
    assert "SECRET" not in logged and "Traceback" not in logged and "internal error" in logged
