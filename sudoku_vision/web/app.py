"""The application: which address is answered by what, and that every answer is one of ours."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Sequence

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from sudoku_vision.web.answers import problem_answer
from sudoku_vision.web.auth import Guard, GuardRules, known_hosts
from sudoku_vision.web.board_endpoints import board_routes
from sudoku_vision.web.grid_endpoints import grid_routes
from sudoku_vision.web.live_endpoints import live_routes
from sudoku_vision.web.middleware import HeardOut, PlainFailures
from sudoku_vision.web.page_endpoints import page_routes
from sudoku_vision.web.photo_endpoints import photo_routes
from sudoku_vision.web.pools import JobPool
from sudoku_vision.web.problems import BAD_REQUEST, METHOD_NOT_ALLOWED, NOT_FOUND, ProblemError
from sudoku_vision.web.service import Service
from sudoku_vision.web.settings import Settings


def create_app(settings: Settings, pool: JobPool) -> Starlette:
    """Return the application; *pool*, which the caller starts and ends, does the jobs of its requests."""
    app = Starlette(
        routes=_routes(settings),
        middleware=[
            Middleware(HeardOut, limits=settings.limits),
            Middleware(Guard, _rules(settings)),
            Middleware(PlainFailures),
        ],
        lifespan=_live_workers_ended,
        exception_handlers={ProblemError: _answer_problem, HTTPException: _answer_refusal},
    )
    app.router.redirect_slashes = False
    app.state.service = Service(settings, pool)
    return app


def _rules(settings: Settings) -> GuardRules:
    hosts = known_hosts(settings.host, settings.allow_hosts, lan=settings.lan)
    return GuardRules(hosts, settings.token)


def _routes(settings: Settings) -> Sequence[BaseRoute]:
    return [*page_routes(settings.limits), *photo_routes(), *grid_routes(), *board_routes(), *live_routes()]


@contextlib.asynccontextmanager
async def _live_workers_ended(app: Starlette) -> AsyncIterator[None]:
    """End the workers of cameras, which start when they are needed, with the application."""
    try:
        yield
    finally:
        app.state.service.live.close()


def _answer_problem(_: Request, error: Exception) -> Response:
    assert isinstance(error, ProblemError)
    return problem_answer(error.problem)


def _answer_refusal(_: Request, error: Exception) -> Response:
    """Answer what the library refuses by itself: unknown addresses, methods that are not taken."""
    assert isinstance(error, HTTPException)
    if error.status_code == METHOD_NOT_ALLOWED.status:
        allowed = (error.headers or {}).get("Allow", "")
        return problem_answer(METHOD_NOT_ALLOWED, {"Allow": ", ".join(sorted(allowed.split(", ")))})
    return problem_answer(NOT_FOUND if error.status_code == NOT_FOUND.status else BAD_REQUEST)
