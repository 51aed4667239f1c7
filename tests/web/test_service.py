"""The service as a whole: its answers are as it describes them, and refusals are in words of the page."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from conftest import PUZZLE, packed, png_header
from examples import JIGSAW, REGIONS
from fastapi.routing import APIRoute
from PIL import Image as Pillow
from pydantic import TypeAdapter
from serving import serving

from sudoku_vision.output.save import encode
from sudoku_vision.web import endpoints, schemas
from sudoku_vision.web.schemas import Error
from sudoku_vision.web.settings import Limits, Settings
from sudoku_vision.workshop.rendering import Drawing

ROOT = Path(__file__).parents[2]
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
    """Asks, and compares each answer with its model."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client
        routes = endpoints.router.routes
        self._routes = {route.path: route for route in routes if isinstance(route, APIRoute)}

    def __call__(self, method: str, path: str, address: str = "", status: int = 200, **more: Any) -> Any:
        answer = self._client.request(method, address or path, **more)
        assert answer.status_code == status, answer.text[:200]
        if answer.headers["content-type"] != "application/json":
            return None
        model = self._routes[path].response_model if status == 200 else Error
        TypeAdapter(model).validate_json(answer.content, strict=True)
        return answer.json()


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
    refusals: tuple[tuple[int, dict[str, Any]], ...] = (
        (200, {}),
        (400, {"params": {"page": "none"}}),
        (413, {"content": bytes(LIMITS.body + 1)}),
        (413, {"content": png_header(3_000, 3_000)}),
        (415, {"headers": FILM}),
        (415, {"content": b"no picture"}),
        (422, {"content": b""}),
        (422, {"params": {"overrides": "r0"}}),
    )
    for one in (path, "/api/solve.jpg", "/api/solve.png"):
        for status, refused in refusals:
            ask("POST", one, status=status, **{"content": photo, **refused})


def test_answers_to_grids_are_as_described(ask: Asker, photo: bytes) -> None:
    state = ask("POST", "/api/solve", content=photo)["view"]["grids"][0]["state"]
    for path in ("/api/settle", "/api/check", "/api/hint", "/api/explain"):
        for said in ("", "r1c1=4", "r1c1=blank,r1c7=blank", "r1c2=w4", "r1c2=w2"):
            told = ask("POST", path, json={"state": state, "overrides": said, "marks": True})
            if path in ("/api/hint", "/api/explain") and "blank,r" in said:
                assert told["status"] == "many" and told["steps"] == [] and told["message"]
        ask("POST", path, status=400, content=b"{", headers=JSON)
        ask("POST", path, status=413, content=b" " * (LIMITS.json + 1), headers=JSON)
        ask("POST", path, status=422, json={"state": "forged"})
        refused = ask("POST", path, status=422, json={"state": state, "rules": "killer"})["error"]
        assert refused["code"] == "bad_rules" and refused["remedy"].startswith("Choose classic, diagonal")


def test_rules_are_said_of_a_board_kept_in_its_state_and_taken_back(ask: Asker) -> None:
    said = {"rules": "jigsaw", "regions": REGIONS}
    read = ask("POST", "/api/solve", content=JIGSAW, headers=TEXT, params=said)
    assert read["grids"][0]["rules"] == {"name": "jigsaw", "regions": REGIONS}
    state = read["view"]["grids"][0]["state"]
    assert ask("POST", "/api/settle", json={"state": state})["grid"] == read["grids"][0]
    for path in ("/api/hint", "/api/explain"):
        assert ask("POST", path, json={"state": state})["status"] == "one"
        assert ask("POST", path, json={"state": state, "rules": "classic"})["status"] != "one"
    assert "rules" not in ask("POST", "/api/settle", json={"state": state, "rules": "classic"})["grid"]
    path = "/api/board/{board}/{question}"
    for question in ("solve", "hint", "rate", "explain", "links"):
        told = ask("GET", path, f"/api/board/{JIGSAW}/{question}", params=said)
        assert told.get("status") in ("one", "solved", None)
    assert set(told["links"]) == {"f-puzzles.com", "sudokupad.app"}


def test_answers_to_boards_are_as_described(ask: Asker) -> None:
    path = "/api/board/{board}/{question}"
    for question in ("solve", "hint", "rate", "explain", "links"):
        ask("GET", path, f"/api/board/{PUZZLE}/{question}")
    for question in ("hint", "rate", "explain"):  # no mistake of who asks
        for board, status in (
            ("1" * 81, "clash"),
            ("." * 81, "many"),
            ("12345678" + "." * 8 + "9" + "." * 64, "none"),
        ):
            assert ask("GET", path, f"/api/board/{board}/{question}")["status"] == status
    ask("GET", path, f"/api/board/{PUZZLE}/eat", 404)
    ask("GET", path, f"/api/board/{'.' * 81}/solve")
    ask("GET", path, "/api/board/123/hint", 422)


def test_answers_to_frames_and_about_the_service_are_as_described(ask: Asker, photo: bytes) -> None:
    frames = ((200, photo), (422, b""), (415, b"no picture"), (413, bytes(LIMITS.frame + 1)))
    for status, frame in frames:
        ask("POST", "/api/live", status=status, params=SESSION, content=frame)
    ask("POST", "/api/live", status=400, content=photo)
    for path in ("/pen-paths.json", "/api/health"):
        ask("GET", path)
    told = ask("GET", "/api/limits")
    assert (told["bytes"], told["pixels"], told["pages"]) == (LIMITS.body, 3_000_000, LIMITS.pages)


def test_the_service_describes_itself(client: httpx.Client) -> None:
    paths = client.get("/openapi.json").raise_for_status().json()["paths"]
    answers = paths["/api/solve"]["post"]["responses"]
    assert set(answers) == {"200", "default"} and len(paths) >= 11
    assert answers["200"]["content"]["application/json"]["schema"]["anyOf"]
    assert set(paths["/api/solve.png"]["post"]["responses"]["200"]["content"]) == {"image/png"}


@pytest.mark.skipif(shutil.which("curl") is None, reason="the examples are commands of curl")
def test_the_examples_of_the_docs_copy_and_work(client: httpx.Client, photo: bytes, tmp_path: Path) -> None:
    blocks = re.findall(r"```sh\n(.*?)```", (ROOT / "docs" / "web.md").read_text("utf-8"), re.DOTALL)
    commands = blocks[0].replace("http://127.0.0.1:8000", str(client.base_url).rstrip("/"))
    if shutil.which("jq"):
        commands += blocks[1]
    (tmp_path / "photo.jpg").write_bytes(photo)
    pages = [Pillow.new("L", (200, 200), 255)] * 3
    (tmp_path / "book.pdf").write_bytes(packed(pages[0], "PDF", save_all=True, append_images=pages[1:]))
    script = f'curl() {{ command curl -sS --fail-with-body "$@"; echo; }}\nset -eo pipefail\n{commands}'
    ran = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stdout[-500:] + ran.stderr
    assert schemas.SOLUTION in ran.stdout and (tmp_path / "solved.jpg").stat().st_size > 1_000


def test_the_page_of_the_service_tells_every_field_without_another_host(client: httpx.Client) -> None:
    page = client.get("/docs").raise_for_status().text
    api = client.get("/openapi.json").json()
    for name, schema in api["components"]["schemas"].items():
        for field, told in schema.get("properties", {}).items():
            assert "Validation" in name or told.get("description"), f"{name}.{field} is not described"
            assert "Validation" in name or f"<code>{field}</code>" in page
    for path in api["paths"]:
        assert f'<a href="#{path}">' in page and f"http://127.0.0.1:8000{path.partition('{')[0]}" in page
    targets = set(re.findall(r'(?:href|src)="([^"]*)"', page))
    assert {one for one in targets if not one.startswith("#")} == {"/", "/openapi.json", "/static/docs.css"}
    assert {one[1:] for one in targets if one.startswith("#")} <= set(re.findall(r'id="([^"]*)"', page))
    assert not re.search(r"<script|\sstyle=|<style", page)


def code_of(answer: httpx.Response) -> tuple[int, str]:
    error = answer.json()["error"]
    assert error["message"] and "--" not in error["message"] + error["remedy"]
    return answer.status_code, error["code"]


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
        (PUZZLE.encode(), "/api/solve?corners=0,0,9,0,9,9,0,9", {}, (422, "bad_corners")),
        (png_header(3_000, 3_000), "/api/solve", {}, (413, "picture_too_large")),
        (photo, "/api/solve?page=2", {}, (422, "bad_request")),
        (photo, "/api/solve?overrides=what", {}, (422, "bad_overrides")),
        (photo, "/api/solve?corners=1,2,3", {}, (422, "bad_corners")),
        (photo, "/api/solve?corners=0,0,9,0,9,9,0,9", {}, (422, "bad_corners")),
        (b"no board", "/api/solve", text, (422, "bad_board")),
        (b"\xff\xfe\x00", "/api/solve", text, (422, "bad_board")),
    ):
        assert code_of(client.post(path, content=body, headers=headers)) == wanted, path
    assert code_of(client.get("/api/board/123/solve")) == (422, "bad_board")
    state = client.post("/api/solve", content=photo).json()["view"]["grids"][0]["state"]
    for said, code in ((chr(ord(state[0]) ^ 1) + state[1:], "bad_state"), (state, "bad_overrides")):
        asked = {"state": said, "overrides": "r0c0=x"}
        assert code_of(client.post("/api/settle", json=asked)) == (422, code)
