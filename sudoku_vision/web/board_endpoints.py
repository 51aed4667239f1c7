"""Boards that stand in the address: 81 characters, solved, hinted at, rated and explained."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from sudoku_vision.web.answers import json_answer
from sudoku_vision.web.choices import BOARD_QUESTIONS
from sudoku_vision.web.problems import NOT_FOUND, ProblemError
from sudoku_vision.web.service import service_of


def board_routes() -> Sequence[BaseRoute]:
    """Return the addresses of this module."""
    return [Route("/api/board/{board}/{question}", answer, methods=["GET"])]


async def answer(request: Request) -> Response:
    """Answer a question about a board."""
    board, question = request.path_params["board"], request.path_params["question"]
    if question not in BOARD_QUESTIONS:
        raise ProblemError(NOT_FOUND)
    return json_answer(request, await service_of(request).run("board", text=board, what=question))
