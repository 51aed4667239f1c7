"""The description of the service: what it says of the answers is true."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from conftest import PUZZLE, png_header
from fastapi.routing import APIRoute
from pydantic import TypeAdapter
from serving import serving

from sudoku_vision.output.save import encode
from sudoku_vision.web import endpoints, live_endpoints
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


class Asker:
    """Asks, compares each answer with its model, and keeps count of what was seen."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client
        self._described = client.get("/openapi.json").raise_for_status().json()["paths"]
        routes = [*endpoints.router.routes, *live_endpoints.router.routes]
        self._routes = {route.path: route for route in routes if isinstance(route, APIRoute)}
        self._seen: set[tuple[str, str]] = set()

    def __call__(self, method: str, path: str, address: str = "", **more: Any) -> Any:
        answer = self._client.request(method, address or path, **more)
        status = str(answer.status_code)
        assert status in self._described[path][method.lower()]["responses"], (status, answer.text[:200])
        self._seen.add((path, status))
        if answer.headers["content-type"] != "application/json":
            return None
        model = self._routes[path].responses[answer.status_code]["model"]
        TypeAdapter(model).validate_json(answer.content, strict=True)
        return answer.json()

    def unseen(self, part: str) -> set[tuple[str, str]]:
        """Return the statuses that are described of addresses with this part, and did not come."""
        described = {
            (path, status)
            for path, by_method in self._described.items()
            for operation in by_method.values()
            for status in operation["responses"]
            if status != "default" and part in path
        }
        return described - self._seen


@pytest.fixture
def ask(client: httpx.Client) -> Asker:
    return Asker(client)


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
        for said in ("", "r1c1=4", "r1c1=blank,r1c7=blank", "r1c2=w4", "r1c2=w2"):
            more = {"overrides": said, "marks": True}
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
    for path in ("/pen-paths.json", "/api/health"):
        ask("GET", path)
    assert not ask.unseen("json") | ask.unseen("/api/health")
