"""The application: which address is answered by what, also by the files of the page; every answer is ours."""

import contextlib
import mimetypes
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from sudoku_vision import __version__, texts
from sudoku_vision.web import endpoints, problems
from sudoku_vision.web.addresses import known_hosts
from sudoku_vision.web.auth import Auth, AuthRules
from sudoku_vision.web.middleware import HeardBodies
from sudoku_vision.web.pools import JobPool, LiveWorkers
from sudoku_vision.web.settings import Settings

GZIP_FROM, GZIP_EFFORT = 1_000, 3
"""Bytes from which packing saves a packet; effort 1..9: JSON shrinks to a fifth, more saves little."""

STATIC = Path(__file__).parent / "static"  # where the page lies
_AT_THE_TOP = {"/": "index.html", "/favicon.ico": "icon.svg", "/manifest.webmanifest": "manifest.webmanifest"}
"""Files that browsers look for at the top, and what they are called in the folder."""
_MEDIA_TYPES = {
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
"""Media types by ending: those that the system knows differ from one to the next."""


def create_app(settings: Settings, pool: JobPool) -> ASGIApp:
    """Return the application; *pool*, which the caller starts and ends, does the jobs of its requests."""
    limits = settings.limits
    app = FastAPI(
        title="sudoku-vision",
        version=__version__,
        description="Reads sudokus in photos, solves and explains them. Photos are neither kept nor logged. "
        f"A body has at most {limits.body / 1e6:g} MB, a picture {limits.megapixels:g} megapixels; work on "
        f"it ends after {limits.work:g} seconds. With a token: Authorization: Bearer TOKEN.",
        docs_url=None,  # it would be fetched from another host
        redoc_url=None,
        redirect_slashes=False,
        lifespan=_live_workers_ended,
        middleware=[Middleware(GZipMiddleware, minimum_size=GZIP_FROM, compresslevel=GZIP_EFFORT)],
        exception_handlers={
            problems.ProblemError: _answer_problem,
            RequestValidationError: _answer_bad_value,
            HTTPException: _answer_refusal,
            ClientDisconnect: _answer_nobody,
            Exception: _answer_mistake,
        },
    )
    app.include_router(endpoints.router)
    add_page(app)
    cameras = LiveWorkers(pool.opener, settings.workers, limits)
    app.state.service = endpoints.Service(settings, pool, cameras)
    hosts = known_hosts(settings.host, settings.allow_hosts, lan=settings.lan)
    return HeardBodies(Auth(app, AuthRules(hosts, settings.token)), limits)


@contextlib.asynccontextmanager
async def _live_workers_ended(app: FastAPI) -> AsyncIterator[None]:
    """End the workers of cameras, which start when they are needed, with the application."""
    try:
        yield
    finally:
        app.state.service.live.close()


async def _answer_problem(_: Request, error: Exception) -> Response:
    assert isinstance(error, problems.ProblemError)
    return problems.problem_answer(error.problem)


async def _answer_nobody(_: Request, __: Exception) -> Response:
    return Response()


async def _answer_mistake(_: Request, __: Exception) -> Response:
    """Answer a mistake in the program, which the server logs by its kind and place alone."""
    return problems.problem_answer(problems.INTERNAL)


async def _answer_bad_value(_: Request, error: Exception) -> Response:
    """Answer a value in the address that can't be what it is; one in its path leads nowhere."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    return problems.problem_answer(
        problems.NOT_FOUND if first["loc"][0] == "path" else problems.bad_value(first)
    )


async def _answer_refusal(_: Request, error: Exception) -> Response:
    """Answer what the library refuses by itself: unknown addresses, methods that are not taken."""
    assert isinstance(error, HTTPException)
    if error.status_code != problems.METHOD_NOT_ALLOWED.status:
        return problems.problem_answer(
            problems.NOT_FOUND if error.status_code == problems.NOT_FOUND.status else problems.BAD_REQUEST
        )
    allowed = set((error.headers or {}).get("Allow", "").split(", "))
    allowed |= {"HEAD"} if "GET" in allowed else set()
    return problems.problem_answer(problems.METHOD_NOT_ALLOWED, {"Allow": ", ".join(sorted(allowed))})


class PageFiles(StaticFiles):
    """Files that a browser asks about each time: where they are still the same, the answer is a few bytes."""

    def file_response(self, *args: Any, **options: Any) -> Response:
        """Return a file, or that it is still the same."""
        response = super().file_response(*args, **options)
        response.headers["Cache-Control"] = "no-cache"
        return response


def add_page(app: FastAPI) -> None:
    """Let *app* give out the page."""
    for ending, media_type in _MEDIA_TYPES.items():
        mimetypes.add_type(media_type, ending)
    files = PageFiles(directory=STATIC)

    async def top(request: Request) -> Response:
        """Give out a file that stands at the top."""
        return await files.get_response(_AT_THE_TOP[request.url.path], request.scope)

    for path in _AT_THE_TOP:
        app.add_route(path, top)
    app.mount("/static", files)
    app.get("/texts/languages.json", include_in_schema=False)(texts.language_names)
    app.mount("/texts", PageFiles(directory=texts.FOLDER))
