"""The service as a whole: its answers are as it describes them, and refusals are in words of the page."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from conftest import PUZZLE, packed, png_header
from examples import JIGSAW
from PIL import Image as Pillow
from serving import code_of, serving

from sudoku_vision.output.save import encode
from sudoku_vision.web import schemas
from sudoku_vision.web.settings import Limits, Settings
from workshop.rendering import Drawing

ROOT = Path(__file__).parents[2]
LIMITS = Limits(body=400_000, json=50_000, megapixels=3.0)
TEXT = {"Content-Type": "text/plain"}


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with (
        serving(Settings(workers=1, limits=LIMITS)) as address,
        httpx.Client(base_url=address, timeout=30, trust_env=False) as made,
    ):
        yield made


@pytest.fixture(scope="module")
def photo(drawing: Drawing) -> bytes:
    return encode(drawing.pixels, ".jpg")


def ask(client: httpx.Client, path: str, **sent: Any) -> Any:
    """Post or get; what is answered is as described, for the service answers nothing else."""
    answer = client.post(path, **sent) if sent else client.get(path)
    return answer.raise_for_status().json()


@pytest.mark.parametrize("path", ["/api/solve", "/api/check"])
def test_photos_and_texts_are_read(client: httpx.Client, photo: bytes, no_sudoku: Drawing, path: str) -> None:
    assert ask(client, path, content=encode(no_sudoku.pixels, ".png"))["status"] == "no_grid"
    assert len(ask(client, path, content=f"{PUZZLE}\n{PUZZLE}", headers=TEXT)["pages"]) == 2
    assert len(ask(client, path, content=photo)["view"]["grids"]) == 1


@pytest.mark.parametrize("path", ["/api/settle", "/api/check", "/api/hint", "/api/explain"])
def test_questions_about_a_grid_are_answered(client: httpx.Client, photo: bytes, path: str) -> None:
    state = ask(client, "/api/solve", content=photo)["view"]["grids"][0]["state"]
    for overrides in ("", "r1c1=4", "r1c1=blank,r1c7=blank", "r1c2=w4", "r1c2=w2"):
        answer = ask(client, path, json={"state": state, "overrides": overrides, "marks": True})
        if path in ("/api/hint", "/api/explain") and "blank,r" in overrides:
            assert answer["status"] == "many" and answer["steps"] == [] and answer["message"]
    assert code_of(client.post(path, json={"state": "forged"})) == (422, "bad_state")
    refused = client.post(path, json={"state": state, "rules": "killer"})
    assert code_of(refused) == (422, "bad_rules")
    assert refused.json()["error"]["remedy"].startswith("Choose classic, diagonal")


def test_rules_of_a_board_are_kept_in_its_state_and_can_be_changed(client: httpx.Client) -> None:
    rules = {"rules": "jigsaw", "regions": schemas.REGIONS}
    read = ask(client, "/api/solve", content=JIGSAW, headers=TEXT, params=rules)
    assert read["grids"][0]["rules"] == {"name": "jigsaw", "regions": schemas.REGIONS}
    kept = {"state": read["view"]["grids"][0]["state"]}
    assert ask(client, "/api/settle", json=kept)["grid"] == read["grids"][0]
    for path in ("/api/hint", "/api/explain"):
        assert ask(client, path, json=kept)["status"] == "one"
        assert ask(client, path, json=kept | {"rules": "classic"})["status"] != "one"
    assert "rules" not in ask(client, "/api/settle", json=kept | {"rules": "classic"})["grid"]
    killer = {"name": "killer", "cages": [{"sum": 12, "cells": [0, 1, 9]}, {"sum": 5, "cells": [80]}]}
    as_killer = kept | {"rules": json.dumps(killer)}
    assert ask(client, "/api/settle", json=as_killer)["grid"]["rules"] == killer
    for wrong in ("{", '{"cages": [{"sum": 50, "cells": [0]}]}'):
        assert code_of(client.post("/api/settle", json=kept | {"rules": wrong})) == (422, "bad_rules")
    query = httpx.QueryParams(rules)
    for question in ("solve", "hint", "rate", "explain", "links"):
        answer = ask(client, f"/api/board/{JIGSAW}/{question}?{query}")
        assert answer.get("status") in ("one", "solved", None)
    assert set(answer["links"]) == {"f-puzzles.com", "sudokupad.app"}


def test_questions_about_boards_and_the_service_are_answered(client: httpx.Client) -> None:
    none = "12345678" + "." * 8 + "9" + "." * 64
    for question in ("hint", "rate", "explain"):
        for board, status in ((PUZZLE, "one"), ("1" * 81, "clash"), ("." * 81, "many"), (none, "none")):
            assert ask(client, f"/api/board/{board}/{question}")["status"] == status
    assert ask(client, f"/api/board/{'.' * 81}/solve")["status"] == "many_solutions"
    assert ask(client, "/pen-paths.json") and ask(client, "/api/health")["status"] == "ok"
    limits = ask(client, "/api/limits")
    assert (limits["bytes"], limits["pixels"], limits["pages"]) == (LIMITS.body, 3_000_000, LIMITS.pages)


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


def test_the_service_describes_itself_to_programs_and_people(client: httpx.Client) -> None:
    api, page = ask(client, "/openapi.json"), client.get("/docs").raise_for_status().text
    answers = {path: ways["post"]["responses"] for path, ways in api["paths"].items() if "post" in ways}
    assert set(answers["/api/solve"]) == {"200", "default"} and len(api["paths"]) >= 10
    assert answers["/api/solve"]["200"]["content"]["application/json"]["schema"]["anyOf"]
    assert set(answers["/api/solve.png"]["200"]["content"]) == {"image/png"}
    for name, schema in api["components"]["schemas"].items():
        for field, value in schema.get("properties", {}).items():
            if "Validation" not in name:
                assert value.get("description"), f"{name}.{field} is not described"
                assert f"<code>{field}</code>" in page
    for path in api["paths"]:
        assert f'<a href="#{path}">' in page and f"http://127.0.0.1:8000{path.partition('{')[0]}" in page
    targets = set(re.findall(r'(?:href|src)="([^"]*)"', page))
    assert {one for one in targets if not one.startswith("#")} == {"/", "/openapi.json", "/static/docs.css"}
    assert {one[1:] for one in targets if one.startswith("#")} <= set(re.findall(r'id="([^"]*)"', page))
    assert not re.search(r"<script|\sstyle=|<style", page)


def test_refusals_are_in_words_of_the_page(client: httpx.Client, photo: bytes, no_sudoku: Drawing) -> None:
    for body, path, headers, wanted in (
        (encode(no_sudoku.pixels, ".png"), "/api/solve.jpg", {}, (422, "no_grid")),
        (photo[: len(photo) // 2], "/api/solve", {}, (422, "damaged_picture")),
        (b"no picture at all", "/api/solve.png", {}, (415, "not_a_picture")),
        (PUZZLE.encode(), "/api/solve?corners=0,0,9,0,9,9,0,9", {}, (422, "bad_corners")),
        (png_header(3_000, 3_000), "/api/check", {}, (413, "picture_too_large")),
        (photo, "/api/solve?page=2", {}, (422, "bad_request")),
        (photo, "/api/check?overrides=what", {}, (422, "bad_overrides")),
        (photo, "/api/solve?corners=1,2,3", {}, (422, "bad_corners")),
        (photo, "/api/solve?corners=0,0,9,0,9,9,0,9", {}, (422, "bad_corners")),
        (b"no board", "/api/solve", TEXT, (422, "bad_board")),
        (b"\xff\xfe\x00", "/api/solve", TEXT, (422, "bad_board")),
    ):
        assert code_of(client.post(path, content=body, headers=headers)) == wanted, path
    assert code_of(client.get("/api/board/123/solve")) == (422, "bad_board")
    state = ask(client, "/api/solve", content=photo)["view"]["grids"][0]["state"]
    asked = {"state": state, "overrides": "r0c0=x"}
    assert code_of(client.post("/api/settle", json=asked)) == (422, "bad_overrides")
