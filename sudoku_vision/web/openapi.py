"""The description of the service for programs, in OpenAPI 3.1: every address, what it takes and answers."""

from __future__ import annotations

from typing import Any

from sudoku_vision import __version__
from sudoku_vision.web.choices import BOARD_QUESTIONS, LIVE_MODES
from sudoku_vision.web.photo_endpoints import PICTURE_TYPES
from sudoku_vision.web.schemas import SCHEMAS, Schema, named
from sudoku_vision.web.settings import Limits

JSON = "application/json"
BYTES: Schema = {"type": "string", "format": "binary"}
PHOTO_TYPES = ("image/*", "application/pdf", "application/octet-stream", "text/plain")

_MEANINGS = {
    400: "The request can't be understood.",
    404: "There is nothing here.",
    413: "The body has too many bytes, or the picture too many pixels.",
    415: "It is no picture, or one of a format that can't be read here.",
    422: "The picture, the board, the state or a person's word can't be what it should be.",
}


def description(limits: Limits) -> dict[str, Any]:
    """Return the description of a service that keeps these *limits*, as plain values for JSON."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "sudoku-vision",
            "version": __version__,
            "description": "Reads sudokus in photos, solves and explains them. Photos are neither kept nor "
            f"logged. A body has at most {limits.body} bytes, a picture {limits.megapixels:g} megapixels; "
            f"work on one ends after {limits.work:g} seconds. With a token: Authorization: Bearer TOKEN.",
        },
        "paths": {**_page_paths(), **_photo_paths(), **_grid_paths(), **_other_paths()},
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(
    summary: str, answers: dict[int, dict[str, Schema]], problems: tuple[int, ...] = (), **more: Any
) -> dict[str, Any]:
    """Return one operation: *answers* by status and media type, and statuses of its own *problems*."""
    told = {
        str(status): {
            "description": "The answer.",
            "content": {kind: {"schema": one} for kind, one in by.items()},
        }
        for status, by in answers.items()
    }
    error = {"content": {JSON: {"schema": named("Error")}}}
    told |= {str(status): {"description": _MEANINGS[status], **error} for status in problems}
    anywhere = "As everywhere: 401 and 403 for who may not ask, 405, 408 for a slow body, 500, 503, 504."
    return {"summary": summary, "responses": {**told, "default": {"description": anywhere, **error}}, **more}


def _parameter(name: str, what: str, place: str = "query", schema: Schema | None = None) -> dict[str, Any]:
    schema = schema or {"type": "string"}
    return {"name": name, "in": place, "description": what, "schema": schema, "required": place == "path"}


_SAID = [
    _parameter(
        "page", "This page of a document, or board of a text, alone; from 1.", schema={"type": "integer"}
    ),
    _parameter("overrides", "What cells hold, as in r3c5=8,r4c1=blank,r2c6=w7."),
    _parameter("corners", "Where the grid lies: x,y of four corners, clockwise from the puzzle's top left."),
]
_CHECKING = [
    _parameter("marks", "Tell which pencil marks have lost the right digit.", schema={"type": "boolean"}),
    _parameter("answers", "Draw the right digit beside a wrong one.", schema={"type": "boolean"}),
]


def _photo_body(*, by_state: bool = False) -> dict[str, Any]:
    """Return what is sent to be read: bytes, a form, or a state instead."""
    raw = {kind: {"schema": BYTES} for kind in PHOTO_TYPES}
    fields = {name: {"type": "string"} for name in ("page", "overrides", "corners")}
    form = {"type": "object", "properties": {"photo": BYTES, **fields}}
    content: dict[str, Any] = {**raw, "multipart/form-data": {"schema": {**form, "required": ["photo"]}}}
    if by_state:
        content[JSON] = {"schema": named("StateRequest")}
    return {"required": True, "content": content}


def _photo_paths() -> dict[str, Any]:
    refused = (400, 413, 415, 422)
    paths: dict[str, Any] = {
        "/api/solve": {
            "post": _operation(
                "Find, read and solve the sudokus of a picture or a text",
                {200: {JSON: named("Solved")}},
                refused,
                parameters=_SAID,
                requestBody=_photo_body(),
            )
        }
    }
    for ending, kind in PICTURE_TYPES.items():
        paths[f"/api/solve.{ending}"] = {
            "post": _operation(
                f"Draw the answers into a picture, as {ending.upper()}",
                {200: {kind: BYTES}},
                refused,
                parameters=_SAID,
                requestBody=_photo_body(),
            )
        }
    return paths


def _grid_paths() -> dict[str, Any]:
    body = {"required": True, "content": {JSON: {"schema": named("StateRequest")}}}
    refused = (400, 413, 422)
    check = _operation(
        "Tell which entries of a picture, or of a grid read before, are right",
        {200: {JSON: named("Checked")}},
        (400, 413, 415, 422),
        parameters=[*_SAID, *_CHECKING],
        requestBody=_photo_body(by_state=True),
    )
    told = {
        "settle": ("Decode a grid again with a person's word for some cells", "Settled"),
        "hint": ("Return the next step of logic", "Hint"),
        "explain": ("Return every step to the solution, and how hard it is", "Explanation"),
    }
    paths = {
        f"/api/{name}": {"post": _operation(summary, {200: {JSON: named(answer)}}, refused, requestBody=body)}
        for name, (summary, answer) in told.items()
    }
    return {**paths, "/api/check": {"post": check}}


def _other_paths() -> dict[str, Any]:
    board = [
        _parameter("board", "81 characters: digits, 0 or . for blank", "path"),
        _parameter("question", "What is asked", "path", {"type": "string", "enum": list(BOARD_QUESTIONS)}),
    ]
    live = [
        _parameter("session", "32 hexadecimal digits that a client has made up for itself"),
        _parameter("mode", "What is drawn", schema={"type": "string", "enum": list(LIVE_MODES)}),
    ]
    return {
        "/api/board/{board}/{question}": {
            "get": _operation(
                "Answer a question about a board",
                {200: {JSON: named("BoardAnswer")}},
                (404, 422),
                parameters=board,
            )
        },
        "/api/live": {
            "post": _operation(
                "Tell what is seen in one frame of a camera; by WebSocket at the same address, too",
                {200: {JSON: named("LiveFrame")}},
                (400, 413, 415, 422),
                parameters=live,
                requestBody={"required": True, "content": {"image/jpeg": {"schema": BYTES}}},
            )
        },
        "/api/health": {"get": _operation("Tell how the service is", {200: {JSON: named("Health")}})},
    }


def _page_paths() -> dict[str, Any]:
    any_file = {"*/*": BYTES}
    name = [_parameter("name", "The file", "path")]
    files = {
        "/": "The page",
        "/favicon.ico": "Its picture in the tab",
        "/manifest.webmanifest": "What a phone needs to keep it",
    }
    paths = {path: {"get": _operation(what, {200: any_file}, (404,))} for path, what in files.items()}
    return {
        **paths,
        "/static/{name}": {"get": _operation("A file of the page", {200: any_file}, (404,), parameters=name)},
        "/pen-paths.json": {
            "get": _operation("How a pen writes each digit", {200: {JSON: named("PenPaths")}})
        },
        "/openapi.json": {"get": _operation("This description", {200: {JSON: {"type": "object"}}})},
    }
