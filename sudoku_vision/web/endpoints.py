"""Endpoints: what the service answers about photos, grids that were read before, boards, cameras and itself.

The frames of a camera come to ``/api/live``, by WebSocket or, where that doesn't pass, one by one by POST.
"""

import asyncio
import contextlib
import json
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any

from fastapi import (
    APIRouter,
    Depends,
    FastAPI,
    Path,
    Query,
    Request,
    Response,
    WebSocket,
    WebSocketDisconnect,
)
from pydantic import ValidationError
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, JSONResponse

from sudoku_vision import __version__
from sudoku_vision.texts import ENGLISH
from sudoku_vision.web import schemas
from sudoku_vision.web.api_page import api_page
from sudoku_vision.web.bodies import media_type, read_body, read_state, read_upload
from sudoku_vision.web.pools import JobPool, LiveSession, LiveWorkers
from sudoku_vision.web.problems import BAD_REQUEST, EMPTY_BODY, ProblemError
from sudoku_vision.web.schemas import Language, LiveFrame, ModeRequest
from sudoku_vision.web.settings import BoardQuestion, LiveMode, Settings

PICTURE_TYPES = {"jpg": "image/jpeg", "png": "image/png"}
"""Endings of annotated pictures and their media types."""
_BYTES = {"type": "string", "format": "binary"}


@dataclass(frozen=True)
class Service:
    """What the endpoints share: settings, and workers for photos and for cameras."""

    settings: Settings
    pool: JobPool
    live: LiveWorkers


async def service_of(connection: HTTPConnection) -> Service:
    """Return the service that a request or a WebSocket came to."""
    service: Service = connection.app.state.service
    return service


Services = Annotated[Service, Depends(service_of)]
Words = Annotated[schemas.PhotoWords, Query()]

PROBLEMS: dict[int | str, dict[str, Any]] = {
    "default": {"model": schemas.Error, "description": "Why there is no answer: 4xx, and 5xx of the service."}
}
router = APIRouter(responses=PROBLEMS)


def bodies(*kinds: str, form: bool = False, state: bool = False) -> dict[str, Any]:
    """Describe a body: bytes of some *kinds*, a photo in a *form*, or a *state* in JSON."""
    content: dict[str, Any] = {kind: {"schema": _BYTES} for kind in kinds}
    if form:
        fields = schemas.PhotoWords.model_json_schema()["properties"]
        file = {**_BYTES, "description": "A picture, a document, or boards in text."}
        photo = {"type": "object", "properties": {"photo": file, **fields}, "required": ["photo"]}
        content["multipart/form-data"] = {"schema": photo}
    if state:
        content["application/json"] = {"schema": schemas.StateRequest.model_json_schema()}
    return {"requestBody": {"required": True, "content": content}}


_PHOTO_TYPES = ("image/*", "application/pdf", "application/octet-stream", "text/plain")
_PHOTO = bodies(*_PHOTO_TYPES, form=True)
_STATE = bodies(state=True)


def json_answer(body: bytes) -> Response:
    """Return *body*, JSON already, as an answer."""
    return Response(body, media_type="application/json")


@router.post("/api/solve", response_model=schemas.Page | schemas.Pages, openapi_extra=_PHOTO)
async def solve(request: Request, service: Services, words: Words) -> Response:
    """Find, read and solve the sudokus of a picture or a text."""
    return json_answer(await _run_on_photo(request, service, words, "solve"))


async def picture(request: Request, service: Services, words: Words) -> Response:
    """Draw the answers into a picture."""
    ending = request.url.path.rpartition(".")[2]
    drawn = await _run_on_photo(request, service, words, "picture", suffix=f".{ending}")
    return Response(drawn, media_type=PICTURE_TYPES[ending])


for _ending, _kind in PICTURE_TYPES.items():
    _drawn: dict[int | str, dict[str, Any]] = {200: {"content": {_kind: {"schema": _BYTES}}}}
    router.post(f"/api/solve.{_ending}", response_class=Response, responses=_drawn, openapi_extra=_PHOTO)(
        picture
    )


_Checked = schemas.CheckedPage | schemas.CheckedPages | schemas.CheckedState


@router.post(
    "/api/check", response_model=_Checked, openapi_extra=bodies(*_PHOTO_TYPES, form=True, state=True)
)
async def check(request: Request, service: Services, words: Words) -> Response:
    """Tell which entries of a picture, or of a grid read before, are right."""
    if media_type(request) == "application/json":
        return await _answer_of_grid(request, service, "check", "filled", "marks", "answers")
    return json_answer(await _run_on_photo(request, service, words, "check_photo", "marks", "answers"))


@router.post("/api/settle", response_model=schemas.Settled, openapi_extra=_STATE)
async def settle(request: Request, service: Services) -> Response:
    """Decode a grid again with a person's word for some cells."""
    return await _answer_of_grid(request, service, "settle")


@router.post("/api/hint", response_model=schemas.Hint, openapi_extra=_STATE)
async def hint(request: Request, service: Services) -> Response:
    """Return the next step of logic."""
    return await _answer_of_grid(request, service, "hint", "filled", "notes", "marks", "language")


@router.post("/api/explain", response_model=schemas.Explanation, openapi_extra=_STATE)
async def explain(request: Request, service: Services) -> Response:
    """Return every step to the solution, and how hard it is."""
    return await _answer_of_grid(request, service, "explain", "filled", "notes", "language")


BoardText = Annotated[
    str, Path(description="81 characters, digits and 0 or . for blank.", examples=[schemas.PUZZLE])
]
Question = Annotated[BoardQuestion, Path(description="What is asked about it.", examples=["hint"])]
_BoardAnswer = schemas.Page | schemas.Hint | schemas.BoardRating | schemas.Explanation | schemas.BoardLinks


@router.get("/api/board/{board}/{question}", response_model=_BoardAnswer)
async def board(
    service: Services,
    board: BoardText,
    question: Question,
    rules: schemas.RulesName = "",
    regions: schemas.RegionsText = "",
    language: schemas.Language = ENGLISH,
) -> Response:
    """Answer a question about a board."""
    said = {"what": question, "rules": rules, "regions": regions, "language": language}
    return json_answer(await service.pool.run("board", text=board, **said))


@router.get("/docs", include_in_schema=False)
async def docs(request: Request) -> Response:
    """Describe the service to people."""
    return HTMLResponse(_api_page(request.app))


@lru_cache(maxsize=1)
def _api_page(app: FastAPI) -> str:
    return api_page(app.openapi())


@router.get("/pen-paths.json", response_model=schemas.PenPaths)
async def pen_paths(service: Services) -> Response:
    """Tell how a pen writes each digit."""
    return json_answer(await service.pool.run("pen_paths"))


@router.get("/api/limits", response_model=schemas.Limits)
async def limits(service: Services) -> schemas.Limits:
    """Tell what one request may bring, and how long it may take."""
    most = service.settings.limits
    seconds = 2 * most.work  # as long it may wait for a worker, too
    return schemas.Limits(
        bytes=most.body, pixels=round(most.megapixels * 1e6), pages=most.pages, seconds=seconds
    )


@router.get("/api/health", response_model=schemas.Health)
async def health(service: Services) -> Response:
    """Tell how the service is: its version, workers and queue; 503 while no worker is ready."""
    state = service.pool.state()
    queue = {name: state.pop(name) for name in ("waiting", "room")}
    status, code = ("ok", 200) if state["ready"] else ("no_workers", 503)
    told = {"status": status, "version": __version__, "workers": state, "queue": queue}
    return JSONResponse({**told, "live": service.live.state()}, code)


async def _run_on_photo(
    request: Request, service: Service, words: schemas.PhotoWords, job: str, *flags: str, **more: object
) -> bytes:
    """Return the answer of a *job* on what was sent and said, as far as the job asks for *flags*."""
    upload = await read_upload(request, words, service.settings.limits)
    said = upload.words.model_dump(include={"page", "overrides", "corners", "rules", "regions", *flags})
    return await service.pool.run(job, body=upload.body, kind=upload.kind, **said, **more)


async def _answer_of_grid(request: Request, service: Service, job: str, *more: str) -> Response:
    """Answer a *job* about a grid by its state, what is said of its cells and rules, and *more*."""
    said = await read_state(request, service.settings.limits)
    include = {"state", "overrides", "rules", "regions", *more}
    return json_answer(await service.pool.run(job, **said.model_dump(include=include)))


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
