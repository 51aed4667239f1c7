"""Answers: JSON and pictures as responses, never kept by a browser, packed where it pays."""

from __future__ import annotations

import gzip
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from sudoku_vision.web.problems import Problem

GZIP_FROM = 1_000
"""Bytes from which packing saves a packet."""
GZIP_EFFORT = 3
"""Effort 1..9 of packing: JSON shrinks to a fifth, more effort saves little and takes the server's time."""


def json_answer(request: Request, body: bytes) -> Response:
    """Return *body*, JSON already, as the answer to *request*."""
    headers = {"Cache-Control": "no-store", "Vary": "Accept-Encoding"}
    if len(body) >= GZIP_FROM and accepts_gzip(request):
        body = gzip.compress(body, GZIP_EFFORT, mtime=0)
        headers["Content-Encoding"] = "gzip"
    return Response(body, media_type="application/json", headers=headers)


def picture_answer(body: bytes, media_type: str) -> Response:
    """Return a packed picture."""
    return Response(body, media_type=media_type, headers={"Cache-Control": "no-store"})


def problem_answer(problem: Problem, headers: dict[str, Any] | None = None) -> Response:
    """Return what went wrong."""
    return Response(
        problem.to_json(),
        status_code=problem.status,
        media_type="application/json",
        headers={"Cache-Control": "no-store", **problem.headers, **(headers or {})},
    )


def accepts_gzip(request: Request) -> bool:
    """Tell whether who asks takes packed answers."""
    wanted = (one.strip().partition(";") for one in request.headers.get("accept-encoding", "").split(","))
    return any(name.strip() in ("gzip", "*") and rest.replace(" ", "") != "q=0" for name, _, rest in wanted)
