"""Bodies: what requests bring, read into memory with a limit while it comes in, and checked."""

import io
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Literal

from pydantic import ValidationError
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request

from sudoku_vision.web import problems
from sudoku_vision.web.middleware import declared_length, largest_body
from sudoku_vision.web.schemas import PhotoWords, StateRequest
from sudoku_vision.web.settings import BodyKind, Limits

MAX_FIELDS = 32  # fields of a form beside its photo
_PICTURE_TYPES = (
    "",
    "application/octet-stream",
    "application/pdf",
    "application/x-www-form-urlencoded",  # what curl says of any bytes
)


@dataclass(frozen=True)
class Upload:
    """What was sent to be read: its bytes, what they are, and what is said of them."""

    body: bytes
    kind: BodyKind
    words: PhotoWords


def media_type(request: Request) -> str:
    """Return the media type of a body, in small letters and without its parameters."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def read_upload(request: Request, words: PhotoWords, limits: Limits) -> Upload:
    """Read a picture or a board, raw or in a form; raises :class:`ProblemError` for what can't be one.

    The *words* of the address count where a form says nothing.
    """
    kind = _kind(media_type(request))
    if kind == "form":
        body, fields = await _read_form(request, limits)
        try:
            words = PhotoWords.model_validate({**words.model_dump(exclude_unset=True), **fields})
        except ValidationError as error:
            raise problems.ProblemError(problems.bad_value(error.errors()[0])) from None
        kind = "photo"
    else:
        body = await read_body(request, limits.body)
    if not body:
        raise problems.ProblemError(problems.EMPTY_BODY)
    return Upload(body, kind, words)


async def read_state(request: Request, limits: Limits) -> StateRequest:
    """Read what is said of a grid by its state, in JSON; raises :class:`ProblemError` for anything else."""
    body = await read_body(request, limits.json)
    try:
        return StateRequest.model_validate_json(body)
    except ValidationError as error:
        raise problems.ProblemError(problems.bad_value(error.errors()[0])) from None


async def read_body(request: Request, limit: int) -> bytes:
    """Return a body of at most *limit* bytes; raises :class:`ProblemError`."""
    whole = io.BytesIO()
    async for piece in _pieces(request, limit):
        whole.write(piece)
    return whole.getvalue()


def _kind(media: str) -> Literal["form", "photo", "text"]:
    """Return how a body of a media type is read; what a picture truly is, its content says."""
    if media == "multipart/form-data":
        return "form"
    if media.startswith("text/") or media in ("application/json", "application/xml"):
        return "text"
    if media.startswith("image/") or media in _PICTURE_TYPES:
        return "photo"
    raise problems.ProblemError(problems.NOT_A_PICTURE)


async def _read_form(request: Request, limits: Limits) -> tuple[bytes, dict[str, str]]:
    """Return the photo of a form and its fields; raises :class:`ProblemError`."""
    most = largest_body(limits)
    pieces = _pieces(request, most)
    parser = MultiPartParser(
        request.headers, pieces, max_files=1, max_fields=MAX_FIELDS, max_part_size=limits.fields
    )
    parser.spool_max_size = most  # nothing of a photo is written to disk
    try:
        form = await parser.parse()
    except (MultiPartException, ValueError):  # of the second kind are those of older parsers
        raise problems.ProblemError(problems.BAD_REQUEST) from None
    photo = form.get("photo")
    body = await photo.read() if isinstance(photo, UploadFile) else b""
    await form.close()
    if len(body) > limits.body:
        raise problems.ProblemError(problems.body_too_large(limits.body))
    return body, {name: value for name, value in form.items() if isinstance(value, str)}


async def _pieces(request: Request, limit: int) -> AsyncGenerator[bytes]:
    """Yield a body as it comes in; raises :class:`ProblemError` if it is too large.

    What is declared to be too large isn't waited for; what comes counts, whatever is declared.
    """
    if (declared_length(request.headers) or 0) > limit:
        raise problems.ProblemError(problems.body_too_large(limit))
    length = 0
    async for piece in request.stream():
        length += len(piece)
        if length > limit:
            raise problems.ProblemError(problems.body_too_large(limit))
        yield piece
