"""The description of the service: every address is in it, and what it says of the answers is true."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fnmatch import fnmatch
from typing import Any

import httpx
import pytest
from conftest import PUZZLE, png_header
from schema_check import misfits
from serving import serving
from starlette.routing import Route

from sudoku_vision.output.save import encode
from sudoku_vision.web.app import create_app
from sudoku_vision.web.pools import photo_pool
from sudoku_vision.web.settings import Limits, Settings
from sudoku_vision.workshop.rendering import Drawing

LIMITS = Limits(body=400_000, json=50_000, frame=300_000, megapixels=3.0)
TEXT, JSON = {"Content-Type": "text/plain"}, {"Content-Type": "application/json"}
FILM = {"Content-Type": "video/mp4"}
SESSION = {"session": "0123456789abcdef0123456789abcdef"}


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with (
        serving(Settings(workers=1, limits=LIMITS)) as address,
        httpx.Client(base_url=address, timeout=30, trust_env=False) as made,
    ):
        yield made


@pytest.fixture(scope="module")
def described(client: httpx.Client) -> dict[str, Any]:
    told: dict[str, Any] = client.get("/openapi.json").raise_for_status().json()
    return told


def operations(described: dict[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    return {(method, path): told for path, by in described["paths"].items() for method, told in by.items()}


def test_every_address_is_described_and_no_other(described: dict[str, Any]) -> None:
    app = create_app(Settings(), photo_pool(Settings()))
    routes = {
        (method.lower(), route.path.replace(":path", ""))
        for route in app.routes
        if isinstance(route, Route)
        for method in (route.methods or set()) - {"HEAD"}
    }
    assert set(operations(described)) == routes


def test_what_is_referred_to_is_there_and_used(described: dict[str, Any]) -> None:
    text = json.dumps(described)
    for name in described["components"]["schemas"]:
        assert f'"#/components/schemas/{name}"' in text, name
    assert text.count("#/components/schemas/") > len(described["components"]["schemas"])


class Asker:
    """Asks, compares each answer with the description, and keeps count of what was seen."""

    def __init__(self, client: httpx.Client, described: dict[str, Any]) -> None:
        self._client, self._schemas = client, described["components"]["schemas"]
        self._known = operations(described)
        self._seen: set[tuple[str, str, str]] = set()

    def __call__(self, method: str, path: str, address: str = "", **more: Any) -> Any:
        answer = self._client.request(method, address or path, **more)
        told = self._known[method.lower(), path]["responses"]
        status = str(answer.status_code)
        assert status in told, (path, status, answer.text[:200])
        kind = answer.headers["content-type"]
        fitting = [schema for one, schema in told[status]["content"].items() if fnmatch(kind, one)]
        assert fitting, (path, status, kind)
        value = answer.json() if kind == "application/json" else ""
        assert not misfits(value, fitting[0]["schema"], self._schemas), (path, status)
        self._seen.add((method.lower(), path, status))
        return value

    def unseen(self, part: str) -> set[tuple[str, str, str]]:
        """Return the statuses that are described of addresses with this part, and did not come."""
        described = {
            (method, path, status)
            for (method, path), told in self._known.items()
            for status in told["responses"]
            if status != "default" and part in path
        }
        return described - self._seen


@pytest.fixture
def ask(client: httpx.Client, described: dict[str, Any]) -> Asker:
    return Asker(client, described)


@pytest.fixture(scope="module")
def photo(drawing: Drawing) -> bytes:
    return encode(drawing.pixels, ".jpg")


@pytest.mark.parametrize("path", ["/api/solve", "/api/check"])
def test_answers_to_photos_are_as_described(ask: Asker, photo: bytes, no_sudoku: Drawing, path: str) -> None:
    ask("POST", path, content=encode(no_sudoku.pixels, ".jpg"))
    ask("POST", path, content=f"{PUZZLE}\n{PUZZLE}", headers=TEXT)
    for one in (path, "/api/solve.jpg", "/api/solve.png"):
        refusals: tuple[dict[str, Any], ...] = (
            {},
            {"params": {"page": "none"}},
            {"content": bytes(LIMITS.body + 1)},
            {"content": png_header(3_000, 3_000)},
            {"headers": FILM},
            {"content": b"no picture"},
            {"content": b""},
            {"params": {"overrides": "r0"}},
        )
        for refused in refusals:
            ask("POST", one, **{"content": photo, **refused})
    assert not ask.unseen(path)


def test_answers_to_grids_are_as_described(ask: Asker, photo: bytes) -> None:
    state = ask("POST", "/api/solve", content=photo)["view"]["grids"][0]["state"]
    for path in ("/api/settle", "/api/check", "/api/hint", "/api/explain"):
        for more in ({}, {"overrides": "r1c1=4"}, {"marks": True}, {"overrides": "r1c1=blank,r1c7=blank"}):
            ask("POST", path, json={"state": state, **more})
        ask("POST", path, content=b"{", headers=JSON)
        ask("POST", path, content=b" " * (LIMITS.json + 1), headers=JSON)
        ask("POST", path, json={"state": "forged"})
    assert not ask.unseen("/api/settle") | ask.unseen("/api/hint") | ask.unseen("/api/explain")


def test_answers_to_boards_are_as_described(ask: Asker) -> None:
    path = "/api/board/{board}/{question}"
    for question in ("solve", "hint", "rate", "explain", "links", "eat"):
        ask("GET", path, f"/api/board/{PUZZLE}/{question}")
    ask("GET", path, f"/api/board/{'.' * 81}/solve")
    ask("GET", path, "/api/board/123/hint")
    assert not ask.unseen("/api/board")


def test_answers_to_frames_are_as_described(ask: Asker, photo: bytes) -> None:
    wide = png_header(5_000, 5_000)
    for frame in (photo, photo, b"", b"no picture", wide, bytes(LIMITS.frame + 1)):
        ask("POST", "/api/live", params=SESSION, content=frame)
    ask("POST", "/api/live", content=photo)
    assert not ask.unseen("/api/live")


def test_answers_to_what_the_page_asks_are_as_described(ask: Asker) -> None:
    for path in ("/", "/favicon.ico", "/manifest.webmanifest"):
        ask("GET", path)
    for path in ("/pen-paths.json", "/openapi.json", "/api/health"):
        ask("GET", path)
    for name in ("index.html", "no-such-file"):
        ask("GET", "/static/{name}", f"/static/{name}")
    assert not ask.unseen("json") | ask.unseen("/static") | ask.unseen("/api/health")
