"""The service as a whole: pictures are truly read, over HTTP, as the command line reads them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from conftest import PUZZLE, SOLUTION, png_header
from serving import serving

from sudoku_vision.output.save import encode
from sudoku_vision.web.settings import Limits, Settings
from sudoku_vision.workshop.rendering import Drawing

MEGAPIXELS = 2.0


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    limits = Limits(megapixels=MEGAPIXELS)
    with (
        serving(Settings(workers=1, limits=limits)) as address,
        httpx.Client(base_url=address, timeout=30, trust_env=False) as made,
    ):
        yield made


@pytest.fixture(scope="module")
def photo(drawing: Drawing) -> bytes:
    return encode(drawing.pixels, ".jpg")


@pytest.fixture(scope="module")
def read(client: httpx.Client, photo: bytes) -> dict[str, Any]:
    """The answer for the plain picture."""
    told: dict[str, Any] = client.post("/api/solve", content=photo).raise_for_status().json()
    return told


def code_of(answer: httpx.Response) -> tuple[int, str]:
    error = answer.json()["error"]
    assert error["message"] and "--" not in error["message"] + error["remedy"]
    return answer.status_code, error["code"]


def test_a_grid_is_settled_checked_and_explained_without_the_photo(
    client: httpx.Client, read: dict[str, Any]
) -> None:
    said = {"state": read["view"]["grids"][0]["state"], "overrides": ""}
    settled = client.post("/api/settle", json=said).json()
    assert settled["grid"]["solution"] == SOLUTION
    assert client.post("/api/check", json=said).json()["check"]["wrong"] == []
    step = client.post("/api/hint", json=said).json()
    assert step["steps"][-1]["text"]
    explained = client.post("/api/explain", json=said).json()
    assert explained["solution"] == SOLUTION and explained["steps"][0]["board"] == PUZZLE
    forged = said | {"state": "A" + said["state"][1:] if said["state"][0] != "A" else "B" + said["state"][1:]}
    assert code_of(client.post("/api/settle", json=forged)) == (422, "bad_state")
    assert code_of(client.post("/api/settle", json=said | {"overrides": "r0c0=x"})) == (422, "bad_overrides")


def test_what_can_not_be_read_is_told_in_words_of_the_page(
    client: httpx.Client, photo: bytes, no_sudoku: Drawing
) -> None:
    nothing = encode(no_sudoku.pixels, ".png")
    assert client.post("/api/solve", content=nothing).json()["status"] == "no_grid"
    text = {"Content-Type": "text/plain"}
    for body, path, headers, wanted in (
        (nothing, "/api/solve.jpg", {}, (422, "no_grid")),
        (photo[: len(photo) // 2], "/api/solve", {}, (422, "damaged_picture")),
        (b"no picture at all", "/api/solve", {}, (415, "not_a_picture")),
        (png_header(3_000, 3_000), "/api/solve", {}, (413, "picture_too_large")),
        (photo, "/api/solve?page=2", {}, (422, "bad_request")),
        (photo, "/api/solve?overrides=what", {}, (422, "bad_overrides")),
        (photo, "/api/solve?corners=1,2,3", {}, (422, "bad_corners")),
        (photo, "/api/solve?corners=0,0,9,0,9,9,0,9", {}, (422, "bad_corners")),
        (b"no board", "/api/solve", text, (422, "bad_board")),
        (b"\xff\xfe\x00", "/api/solve", text, (422, "bad_board")),
    ):
        assert code_of(client.post(path, content=body, headers=headers)) == wanted, path
    assert code_of(client.get(f"/api/board/{'1' * 81}/hint")) == (422, "no_single_solution")
    assert code_of(client.get("/api/board/123/solve")) == (422, "bad_board")


def test_the_health_tells_of_the_workers(client: httpx.Client) -> None:
    told = client.get("/api/health").json()
    assert told["status"] == "ok"
    assert told["workers"] == {"workers": 1, "ready": 1, "busy": 0, "lost": 0}
    assert json.dumps(told)
