"""The application: which address is answered by what, and that every answer is one of ours."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Sequence

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sudoku_vision.web.answers import problem_answer
from sudoku_vision.web.guard import Guard, GuardRules, known_hosts
from sudoku_vision.web.page_endpoints import page_routes
from sudoku_vision.web.problems import BAD_REQUEST, INTERNAL, METHOD_NOT_ALLOWED, NOT_FOUND, ProblemError
from sudoku_vision.web.service import Service
from sudoku_vision.web.settings import Settings
from sudoku_vision.web.workers import Pool

log = logging.getLogger("sudoku_vision.web")


def create_app(settings: Settings, pool: Pool) -> Starlette:
    """Return the application; *pool*, which the caller starts and ends, does the jobs of its requests."""
    app = Starlette(
        routes=_routes(),
        middleware=[Middleware(Guard, _rules(settings)), Middleware(_PlainFailures)],
        exception_handlers={ProblemError: _answer_problem, HTTPException: _answer_refusal},
    )
    app.router.redirect_slashes = False
    app.state.service = Service(settings, pool)
    return app


def _rules(settings: Settings) -> GuardRules:
    hosts = known_hosts(settings.host, settings.allow_hosts, lan=settings.lan)
    return GuardRules(hosts, settings.token)


def _routes() -> Sequence[BaseRoute]:
    return [*page_routes()]


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


class _PlainFailures:
    """Answers a mistake in the program with a sentence; the log names its place alone."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def watched(message: Message) -> None:
            nonlocal started
            started = started or message["type"] in ("http.response.start", "websocket.accept")
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except ClientDisconnect:
            pass
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            log.error("internal error: %s at %s:%s", type(error).__name__, place.filename, place.lineno)
            if scope["type"] == "http" and not started:
                await problem_answer(INTERNAL)(scope, receive, send)
