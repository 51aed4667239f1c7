"""The page itself, its files, and how the service is."""

from __future__ import annotations

import json
from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from sudoku_vision import __version__
from sudoku_vision.web.answers import json_answer
from sudoku_vision.web.openapi import description
from sudoku_vision.web.service import service_of
from sudoku_vision.web.settings import Limits
from sudoku_vision.web.static_files import StaticFile, StaticFiles, file_answer, packed_file

_AT_THE_TOP = {
    "/": "index.html",
    "/favicon.ico": "icon.svg",
    "/manifest.webmanifest": "manifest.webmanifest",
}
"""Files that browsers look for at the top, and what they are called in the folder."""


def page_routes(limits: Limits) -> Sequence[BaseRoute]:
    """Return the addresses of this module, in a service that keeps these *limits*."""
    files = StaticFiles()
    told = packed_file(json.dumps(description(limits)).encode(), ".json")
    digits: list[StaticFile] = []

    async def static(request: Request) -> Response:
        """Give out a file of the page."""
        return files.answer(request, request.path_params["name"])

    async def top(request: Request) -> Response:
        """Give out a file that stands at the top."""
        return files.answer(request, _AT_THE_TOP[request.url.path])

    async def pen_paths(request: Request) -> Response:
        """Give out how a pen writes the digits; a worker knows, and is asked once."""
        if not digits:
            digits.append(packed_file(await service_of(request).run("pen_paths"), ".json"))
        return file_answer(request, digits[0])

    async def openapi(request: Request) -> Response:
        """Give out the description of the service."""
        return file_answer(request, told)

    return [
        *(Route(path, top, methods=["GET"]) for path in _AT_THE_TOP),
        Route("/static/{name:path}", static, methods=["GET"]),
        Route("/pen-paths.json", pen_paths, methods=["GET"]),
        Route("/openapi.json", openapi, methods=["GET"]),
        Route("/api/health", health, methods=["GET"]),
    ]


async def health(request: Request) -> Response:
    """Tell how the service is: its version, workers and queue."""
    service = service_of(request)
    state = service.pool.state()
    queue = {name: state.pop(name) for name in ("waiting", "room")}
    told = {
        "status": "ok",
        "version": __version__,
        "workers": state,
        "queue": queue,
        "live": service.live.state(),
    }
    return json_answer(request, json.dumps(told).encode())
