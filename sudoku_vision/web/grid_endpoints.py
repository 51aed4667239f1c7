"""Grids that were read before: settled, checked and explained from their ``state``, without a photo."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from sudoku_vision.web.answers import json_answer
from sudoku_vision.web.photo_endpoints import run_on_upload
from sudoku_vision.web.requests import flag_value, media_type, read_json, read_upload, text_value
from sudoku_vision.web.service import service_of


def grid_routes() -> Sequence[BaseRoute]:
    """Return the addresses of this module."""
    return [
        Route("/api/settle", settle, methods=["POST"]),
        Route("/api/check", check, methods=["POST"]),
        Route("/api/hint", hint, methods=["POST"]),
        Route("/api/explain", explain, methods=["POST"]),
    ]


async def settle(request: Request) -> Response:
    """Decode a grid again, with a person's word on its cells."""
    service = service_of(request)
    values = await read_json(request, service.settings.limits)
    said = {"state": text_value(values, "state"), "overrides": text_value(values, "overrides", default="")}
    return json_answer(request, await service.run("settle", **said))


async def check(request: Request) -> Response:
    """Tell which entries are right: of a grid by its state, or of a picture."""
    service = service_of(request)
    limits = service.settings.limits
    if media_type(request) != "application/json":
        upload = await read_upload(request, limits)
        wanted = {name: flag_value(upload.fields, name) for name in ("marks", "answers")}
        return json_answer(request, await run_on_upload(service, "check_photo", upload, **wanted))
    values = await read_json(request, limits)
    answer = await service.run(
        "check",
        state=text_value(values, "state"),
        overrides=text_value(values, "overrides", default=""),
        marks=flag_value(values, "marks"),
        answers=flag_value(values, "answers"),
    )
    return json_answer(request, answer)


async def hint(request: Request) -> Response:
    """Return the next step of logic."""
    service = service_of(request)
    values = await read_json(request, service.settings.limits)
    answer = await service.run(
        "hint",
        state=text_value(values, "state"),
        overrides=text_value(values, "overrides", default=""),
        filled=text_value(values, "filled", default="") or None,
        marks=flag_value(values, "marks"),
    )
    return json_answer(request, answer)


async def explain(request: Request) -> Response:
    """Return all steps to the solution, and how hard they are."""
    service = service_of(request)
    values = await read_json(request, service.settings.limits)
    answer = await service.run(
        "explain",
        state=text_value(values, "state"),
        overrides=text_value(values, "overrides", default=""),
        filled=text_value(values, "filled", default="") or None,
    )
    return json_answer(request, answer)
