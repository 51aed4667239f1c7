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
    return await _answer_of_grid(request, "settle")


async def check(request: Request) -> Response:
    """Tell which entries are right: of a grid by its state, or of a picture."""
    if media_type(request) == "application/json":
        return await _answer_of_grid(request, "check", flags=_VERDICTS)
    service = service_of(request)
    upload = await read_upload(request, service.settings.limits)
    wanted = {name: flag_value(upload.fields, name) for name in _VERDICTS}
    return json_answer(request, await run_on_upload(service, "check_photo", upload, **wanted))


async def hint(request: Request) -> Response:
    """Return the next step of logic."""
    return await _answer_of_grid(request, "hint", filled=True, flags=("marks",))


async def explain(request: Request) -> Response:
    """Return all steps to the solution, and how hard they are."""
    return await _answer_of_grid(request, "explain", filled=True)


_VERDICTS = ("marks", "answers")
"""What may be told beside the entries that are right and wrong."""


async def _answer_of_grid(
    request: Request, job: str, *, filled: bool = False, flags: Sequence[str] = ()
) -> Response:
    """Answer a *job* about a grid by its state and a person's word on its cells.

    *filled*: whether it takes what was filled in since; *flags*: what it takes a yes or no for.
    """
    service = service_of(request)
    values = await read_json(request, service.settings.limits)
    said: dict[str, object] = {
        "state": text_value(values, "state"),
        "overrides": text_value(values, "overrides", default=""),
    }
    if filled:
        said["filled"] = text_value(values, "filled", default="") or None
    said |= {name: flag_value(values, name) for name in flags}
    return json_answer(request, await service.run(job, **said))
