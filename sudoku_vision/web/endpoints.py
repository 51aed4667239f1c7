"""Answers requests about photos, grids that were read before, boards, cameras and the service itself.

Most endpoints run a job in a worker process. FastAPI checks the result of the job with the endpoint's model,
and writes the result as JSON. So an answer always agrees with the description of the service.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

from fastapi import (
    APIRouter,
    Depends,
    HTTPException,
    Path,
    Query,
    Request,
    Response,
    WebSocket,
    WebSocketDisconnect,
)
from pydantic import ValidationError
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse

from sudoku_vision import __version__
from sudoku_vision.texts import ENGLISH
from sudoku_vision.web import schemas
from sudoku_vision.web.bodies import media_type, read_state, read_upload
from sudoku_vision.web.docs_pages import api_page, technique_pages
from sudoku_vision.web.pools import JobPool, LiveWorkers
from sudoku_vision.web.problems import BAD_REQUEST, EMPTY_BODY, ProblemError
from sudoku_vision.web.settings import BoardQuestion, Settings

PICTURE_TYPES = {"jpg": "image/jpeg", "png": "image/png"}
"""Media types of the pictures with answers drawn in, by the ending of the address."""
_TRY_AGAIN_LATER, _NORMAL = 1013, 1000  # WebSocket close codes


@dataclass(frozen=True)
class Service:
    """The settings, and the workers for photos and for cameras. All endpoints use them."""

    settings: Settings
    pool: JobPool
    live: LiveWorkers


async def service_of(connection: HTTPConnection) -> Service:
    """Return the service that answers a request or a WebSocket."""
    service: Service = connection.app.state.service
    return service


Services = Annotated[Service, Depends(service_of)]
Options = Annotated[schemas.PhotoOptions, Query()]

PROBLEMS: dict[int | str, dict[str, Any]] = {
    "default": {"model": schemas.Error, "description": "Why there is no answer: 4xx, and 5xx of the service."}
}
router = APIRouter(responses=PROBLEMS)
# With this option, an answer lacks the keys for which the job returned no value. Without the option,
# the values of these keys would be null.
_get, _post = (partial(method, response_model_exclude_unset=True) for method in (router.get, router.post))

_BYTES = {"type": "string", "format": "binary"}
_FORM = {
    "type": "object",
    "properties": {
        "photo": {**_BYTES, "description": "A picture, a document, or boards in text."},
        **schemas.PhotoOptions.model_json_schema()["properties"],
    },
    "required": ["photo"],
}
_PHOTO: dict[str, Any] = {
    kind: {"schema": _BYTES}
    for kind in ("image/*", "application/pdf", "application/octet-stream", "text/plain")
} | {"multipart/form-data": {"schema": _FORM}}
_STATE: dict[str, Any] = {"application/json": {"schema": schemas.StateRequest.model_json_schema()}}


def _body(content: dict[str, Any]) -> dict[str, Any]:
    """Return the OpenAPI description of a body that the endpoint reads itself.

    The keys of *content* are the allowed media types of the body. The values describe the body of each type.
    """
    return {"requestBody": {"required": True, "content": content}}


@_post("/api/solve", response_model=schemas.Page | schemas.Pages, openapi_extra=_body(_PHOTO))
async def solve(request: Request, service: Services, options: Options) -> Any:
    """Find, read and solve the sudokus of a picture or a text."""
    return await _run_on_photo(request, service, options, "solve")


async def picture(request: Request, service: Services, options: Options) -> Response:
    """Draw the answers into a picture."""
    ending = request.url.path.rpartition(".")[2]
    drawn = await _run_on_photo(request, service, options, "picture", suffix=f".{ending}")
    return Response(drawn, media_type=PICTURE_TYPES[ending])


for _ending, _kind in PICTURE_TYPES.items():
    _drawn: dict[int | str, dict[str, Any]] = {200: {"content": {_kind: {"schema": _BYTES}}}}
    _path = f"/api/solve.{_ending}"
    router.post(_path, response_class=Response, responses=_drawn, openapi_extra=_body(_PHOTO))(picture)


_Checked = schemas.CheckedPage | schemas.CheckedPages | schemas.CheckedState


@_post("/api/check", response_model=_Checked, openapi_extra=_body(_PHOTO | _STATE))
async def check(request: Request, service: Services, options: Options) -> Any:
    """Check which entries are right, in a picture or in a grid that was read before."""
    if media_type(request) == "application/json":
        return await _run_on_state(request, service, "check", "filled", "marks", "answers")
    return await _run_on_photo(request, service, options, "check_photo", "marks", "answers")


@_post("/api/settle", response_model=schemas.Settled, openapi_extra=_body(_STATE))
async def settle(request: Request, service: Services) -> Any:
    """Decode a grid again with a person's corrections of some cells."""
    return await _run_on_state(request, service, "settle")


@_post("/api/hint", response_model=schemas.Hint, openapi_extra=_body(_STATE))
async def hint(request: Request, service: Services) -> Any:
    """Return the easiest next step of logic for a grid that was read before."""
    return await _run_on_state(request, service, "hint", "filled", "notes", "marks", "language")


@_post("/api/explain", response_model=schemas.Explanation, openapi_extra=_body(_STATE))
async def explain(request: Request, service: Services) -> Any:
    """Return all steps to the solution of a grid that was read before, and how hard the puzzle is."""
    return await _run_on_state(request, service, "explain", "filled", "notes", "language")


BoardText = Annotated[
    str, Path(description="81 characters, digits and 0 or . for blank.", examples=[schemas.PUZZLE])
]
Question = Annotated[BoardQuestion, Path(description="What is asked about it.", examples=["hint"])]
_BoardAnswer = schemas.Page | schemas.Hint | schemas.BoardRating | schemas.Explanation | schemas.BoardLinks


@_get("/api/board/{board}/{question}", response_model=_BoardAnswer)
async def board(
    service: Services,
    board: BoardText,
    question: Question,
    rules: schemas.RulesName = "",
    regions: schemas.RegionsText = "",
    filled: schemas.FilledText = "",
    language: schemas.Language = ENGLISH,
) -> Any:
    """Answer a question about a board that is written in the address."""
    options = {"rules": rules, "regions": regions, "filled": filled, "language": language}
    return await service.pool.run("board", text=board, question=question, **options)


@router.get("/docs", include_in_schema=False)
async def docs(request: Request) -> Response:
    """Return the page that describes the service to people."""
    return HTMLResponse(api_page(request.app))


@router.get("/technique/{name}", include_in_schema=False)
async def technique(name: str) -> Response:
    """Return the page (HTML) about a technique. *name*: the English name of the technique."""
    page = technique_pages().get(name)
    if page is None:
        raise HTTPException(404)
    return HTMLResponse(page)


@_get("/pen-paths.json", response_model=dict[str, str])
async def pen_paths(service: Services) -> Any:
    """Return the path of a pen for each digit, as SVG text."""
    return await service.pool.run("pen_paths")


@_get("/api/limits")
async def limits(service: Services) -> schemas.Limits:
    """Return the limits for the size and the time of one request."""
    most = service.settings.limits
    pixels = round(most.megapixels * 1e6)
    seconds = 2 * most.job_seconds  # one limit for the wait for a worker, and one for its work
    return schemas.Limits(bytes=most.body, pixels=pixels, pages=most.pages, seconds=seconds)


@_get("/api/health")
async def health(service: Services, response: Response) -> schemas.Health:
    """Return the state of the service; while no worker is ready, the status of the answer is 503."""
    workers, live = service.pool.state(), service.live.state()
    queue = {"waiting": workers.pop("waiting"), "room": service.settings.limits.queue}
    response.status_code = 200 if workers["ready"] else 503
    status: Any = "ok" if workers["ready"] else "no_workers"
    return schemas.Health(status=status, version=__version__, workers=workers, queue=queue, live=live)


async def _run_on_photo(
    request: Request, service: Service, options: schemas.PhotoOptions, job: str, *flags: str, **more: object
) -> Any:
    """Run a *job* on the picture or text of a request. *flags*: the names of further options for this job."""
    body, kind, options = await read_upload(request, options, service.settings.limits)
    chosen = options.model_dump(include={"page", "overrides", "corners", "rules", "regions", *flags})
    return await service.pool.run(job, body=body, kind=kind, **chosen, **more)


async def _run_on_state(request: Request, service: Service, job: str, *fields: str) -> Any:
    """Run a *job* on the state of a grid that was read before.

    *fields*: names of fields of the request. The job gets these fields, and the fields that all such jobs
    need.
    """
    asked = await read_state(request, service.settings.limits)
    chosen = asked.model_dump(include={"state", "overrides", "rules", "regions", *fields})
    return await service.pool.run(job, **chosen)


@router.websocket("/api/live")
async def live(socket: WebSocket, service: Services) -> None:
    """Answer each frame of a camera with a message, until the client leaves or sends nothing for a while."""
    with contextlib.suppress(WebSocketDisconnect):  # the client can leave at any moment
        await socket.accept()
        try:
            async with service.live.camera() as read:
                await _answer_frames(socket, read, service.settings.limits.live_idle)
        except ProblemError as error:
            with _closed_meanwhile():
                await socket.send_json(error.problem.to_dict())
                await socket.close(_TRY_AGAIN_LATER)


async def _answer_frames(socket: WebSocket, read: Callable[..., Awaitable[Any]], idle: float) -> None:
    wish, answered = schemas.LiveWish(), 0
    while True:
        try:
            message = await asyncio.wait_for(socket.receive(), idle)
        except TimeoutError:
            with _closed_meanwhile():
                await socket.close(_NORMAL)
            return
        if message["type"] == "websocket.disconnect":
            return
        frame, text = message.get("bytes"), message.get("text")
        try:
            if text is not None:
                wish = schemas.LiveWish.model_validate_json(text)
                continue
            if not frame:
                raise ProblemError(EMPTY_BODY)
            answer = await read(frame=frame, mode=wish.mode, language=wish.language)
            answered += 1
        except (ProblemError, ValidationError) as error:
            problem = error.problem if isinstance(error, ProblemError) else BAD_REQUEST
            answer = {"frame": answered, **problem.to_dict()}
        with _closed_meanwhile():
            await socket.send_json(answer)


@contextlib.contextmanager
def _closed_meanwhile() -> Iterator[None]:
    try:
        yield
    except RuntimeError:
        raise WebSocketDisconnect from None
