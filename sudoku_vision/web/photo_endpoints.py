"""Photos: ``/api/solve`` and the annotated picture. A body is a picture, a document, or a board in text."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from sudoku_vision.web.answers import json_answer, picture_answer
from sudoku_vision.web.requests import Upload, page_value, read_upload, text_value
from sudoku_vision.web.service import Service, service_of

PICTURE_TYPES = {"jpg": "image/jpeg", "png": "image/png"}
"""Endings of annotated pictures and their media types."""


def photo_routes() -> Sequence[BaseRoute]:
    """Return the addresses of this module."""
    return [
        Route("/api/solve", solve, methods=["POST"]),
        *(Route(f"/api/solve.{ending}", picture, methods=["POST"]) for ending in PICTURE_TYPES),
    ]


async def solve(request: Request) -> Response:
    """Find, read and solve the sudokus of a picture."""
    service = service_of(request)
    upload = await read_upload(request, service.settings.limits)
    return json_answer(request, await run_on_upload(service, "solve", upload))


async def picture(request: Request) -> Response:
    """Draw the answers into a picture."""
    service, ending = service_of(request), request.url.path.rpartition(".")[2]
    upload = await read_upload(request, service.settings.limits)
    drawn = await run_on_upload(service, "picture", upload, suffix=f".{ending}")
    return picture_answer(drawn, PICTURE_TYPES[ending])


async def run_on_upload(service: Service, job: str, upload: Upload, **more: object) -> bytes:
    """Return the answer of a *job* on what was sent, with what was said of its page, cells and corners."""
    return await service.run(
        job,
        body=upload.body,
        kind=upload.kind,
        page=page_value(upload.fields),
        overrides=text_value(upload.fields, "overrides", default=""),
        corners=text_value(upload.fields, "corners", default=""),
        **more,
    )
