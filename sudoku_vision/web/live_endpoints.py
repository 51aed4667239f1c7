"""The camera: ``/api/live``, one frame after the other, by WebSocket or, where that doesn't pass, by POST."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import secrets
from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from sudoku_vision.web.answers import json_answer
from sudoku_vision.web.choices import LIVE_MODES, LiveMode
from sudoku_vision.web.live_workers import LiveSession
from sudoku_vision.web.problems import BAD_REQUEST, EMPTY_BODY, ProblemError, bad_value
from sudoku_vision.web.requests import read_body
from sudoku_vision.web.service import Service, service_of

SESSION_NAME = re.compile(r"[0-9a-f]{32}")
"""What a client that posts its frames calls itself."""

_TRY_AGAIN_LATER, _NORMAL = 1013, 1000  # WebSocket close codes


def live_routes() -> Sequence[BaseRoute]:
    """Return the addresses of this module."""
    return [WebSocketRoute("/api/live", live_socket), Route("/api/live", live_frame, methods=["POST"])]


async def live_frame(request: Request) -> Response:
    """Tell what is seen in one frame of a client that posts them."""
    service = service_of(request)
    limits = service.settings.limits
    name, mode = request.query_params.get("session", ""), request.query_params.get("mode", LIVE_MODES[0])
    if not SESSION_NAME.fullmatch(name):
        raise ProblemError(bad_value("session", "32 hexadecimal digits"))
    if mode not in LIVE_MODES:
        raise ProblemError(bad_value("mode", " or ".join(LIVE_MODES)))
    frame = await read_body(request, limits.frame, limits.slow_body)
    if not frame:
        raise ProblemError(EMPTY_BODY)
    session = await service.live.open(name)
    return json_answer(request, await service.live.read(session, frame, mode))


async def live_socket(socket: WebSocket) -> None:
    """Answer the frames of a camera, each with one message, until it goes or sends nothing any more."""
    service: Service = socket.app.state.service
    await socket.accept()
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # it may go at any moment
        try:
            session = await service.live.open(secrets.token_hex(16))
        except ProblemError as error:
            await socket.send_text(error.problem.to_json().decode())
            await socket.close(_TRY_AGAIN_LATER)
            return
        try:
            await _answer_frames(service, socket, session)
        finally:
            service.live.close_session(session)


async def _answer_frames(service: Service, socket: WebSocket, session: LiveSession) -> None:
    mode = LIVE_MODES[0]
    while True:
        try:
            message = await asyncio.wait_for(socket.receive(), service.settings.limits.live_idle)
        except TimeoutError:
            await socket.close(_NORMAL)
            return
        if message["type"] == "websocket.disconnect":
            return
        frame, text = message.get("bytes"), message.get("text")
        try:
            if text is not None:
                mode = _mode_of(text)
            elif frame:
                await socket.send_text((await service.live.read(session, frame, mode)).decode())
            else:
                raise ProblemError(EMPTY_BODY)
        except ProblemError as error:
            told = {"frame": session.frames, "error": error.problem.to_dict()}
            await socket.send_text(json.dumps(told))


def _mode_of(text: str) -> LiveMode:
    """Return what a client wants drawn; raises :class:`ProblemError` for anything else that it says."""
    try:
        said = json.loads(text) if len(text) < 1_000 else None
    except (ValueError, RecursionError):
        said = None
    wanted = said.get("mode") if isinstance(said, dict) else None
    mode = next((one for one in LIVE_MODES if one == wanted), None)
    if mode is None:
        raise ProblemError(BAD_REQUEST)
    return mode
