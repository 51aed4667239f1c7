"""The camera: ``/api/live``, one frame after the other, by WebSocket or, where that doesn't pass, by POST."""

import asyncio
import contextlib
import json
import secrets
from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response, WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from sudoku_vision.texts import ENGLISH
from sudoku_vision.web.bodies import read_body
from sudoku_vision.web.endpoints import PROBLEMS, Service, Services, bodies, json_answer
from sudoku_vision.web.pools import LiveSession
from sudoku_vision.web.problems import BAD_REQUEST, EMPTY_BODY, ProblemError
from sudoku_vision.web.schemas import Language, LiveFrame, ModeRequest
from sudoku_vision.web.settings import LiveMode

_TRY_AGAIN_LATER, _NORMAL = 1013, 1000  # WebSocket close codes

SessionName = Annotated[
    str,
    Query(
        pattern="^[0-9a-f]{32}$",
        description="32 digits by which a client calls itself, made up at random.",
        examples=["0123456789abcdef0123456789abcdef"],
    ),
]
Mode = Annotated[LiveMode, Query(description="What is drawn: the answers, the next step, or verdicts.")]

router = APIRouter(responses=PROBLEMS)


@router.post("/api/live", response_model=LiveFrame, openapi_extra=bodies("image/jpeg"))
async def live_frame(
    request: Request,
    service: Services,
    session: SessionName,
    mode: Mode = "answers",
    language: Language = ENGLISH,
) -> Response:
    """Tell what is seen in one frame of a camera; by WebSocket at the same address, too."""
    limits = service.settings.limits
    frame = await read_body(request, limits.frame)
    if not frame:
        raise ProblemError(EMPTY_BODY)
    camera = await service.live.open(session)
    return json_answer(await service.live.read(camera, frame, mode, language))


@router.websocket("/api/live")
async def live_socket(socket: WebSocket, service: Services) -> None:
    """Answer the frames of a camera, each with one message, until it goes or sends nothing any more."""
    with contextlib.suppress(WebSocketDisconnect):  # it may go at any moment
        await socket.accept()
        try:
            session = await service.live.open(secrets.token_hex(16))
        except ProblemError as error:
            with _closed_meanwhile():
                await socket.send_text(error.problem.to_json().decode())
                await socket.close(_TRY_AGAIN_LATER)
            return
        try:
            await _answer_frames(service, socket, session)
        finally:
            service.live.close_session(session)


async def _answer_frames(service: Service, socket: WebSocket, session: LiveSession) -> None:
    wish = ModeRequest(mode="answers")
    while True:
        try:
            message = await asyncio.wait_for(socket.receive(), service.settings.limits.live_idle)
        except TimeoutError:
            with _closed_meanwhile():
                await socket.close(_NORMAL)
            return
        if message["type"] == "websocket.disconnect":
            return
        frame, text = message.get("bytes"), message.get("text")
        try:
            if text is not None:
                wish = ModeRequest.model_validate_json(text)
                continue
            if not frame:
                raise ProblemError(EMPTY_BODY)
            told = (await service.live.read(session, frame, wish.mode, wish.language)).decode()
        except (ProblemError, ValidationError) as error:
            problem = error.problem if isinstance(error, ProblemError) else BAD_REQUEST
            told = json.dumps({"frame": session.frames, "error": problem.to_dict()})
        with _closed_meanwhile():
            await socket.send_text(told)


@contextlib.contextmanager
def _closed_meanwhile() -> Iterator[None]:
    """Raise :class:`WebSocketDisconnect` where the library says that a WebSocket is closed."""
    try:
        yield
    except RuntimeError:
        raise WebSocketDisconnect from None
