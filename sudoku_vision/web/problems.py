"""Problems: each error that a request may meet, as a status, a code, a sentence and a remedy.

The sentences are for people before a page or a program that calls the service: they name no option of the
command line. Pages that speak another language go by the code.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from starlette.responses import Response

from sudoku_vision.errors import (
    BoardError,
    CornersError,
    ImproperError,
    MissingExtraError,
    NoPictureError,
    OpenError,
    OverridesError,
    RulesError,
    StateError,
    SudokuVisionError,
    TooLargeError,
    UsageError,
)


@dataclass(frozen=True)
class Problem:
    """What went wrong with a request: HTTP ``status``, a ``code`` for programs, two sentences for people."""

    status: int
    code: str
    message: str
    remedy: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, str]:
        """Return what programs are told."""
        return {"code": self.code, "message": self.message, "remedy": self.remedy}

    def to_json(self) -> bytes:
        """Return the body of the answer."""
        return json.dumps({"error": self.to_dict()}, ensure_ascii=False).encode()


class ProblemError(Exception):
    """Raised where a request can't be answered; ``problem`` says why."""

    def __init__(self, problem: Problem) -> None:
        """Keep the *problem*."""
        super().__init__(problem.code)
        self.problem = problem


BAD_REQUEST = Problem(
    400, "bad_request", "The request can't be understood.", "Send it as the description of the service says."
)
NO_TOKEN = Problem(
    401,
    "no_token",
    "This page is only for those who were given its whole address.",
    "Scan the code that was shown when the page was started, or type the address with its token. "
    "If you have just done so, open the page now.",
    {"WWW-Authenticate": "Bearer"},
)
FOREIGN_ORIGIN = Problem(
    403,
    "foreign_origin",
    "Another site has asked for this.",
    "Open the page itself, by the address that was shown when it was started.",
)
FOREIGN_HOST = Problem(
    403,
    "foreign_host",
    "The page is not known by the name in this address.",
    "Open it by the address that was shown when it was started.",
)
NOT_FOUND = Problem(404, "not_found", "There is nothing at this address.", "Begin at the start page.")
METHOD_NOT_ALLOWED = Problem(
    405, "method_not_allowed", "This address takes no request of that kind.", "Use one that it allows."
)
SLOW_BODY = Problem(
    408,
    "slow_body",
    "The request did not come in whole in time.",
    "Try again, with a smaller picture or a better line.",
)
NOT_A_PICTURE = Problem(
    415,
    "not_a_picture",
    "This is no picture that can be read.",
    "Send a photo as JPEG, PNG, WebP or HEIC, or a PDF.",
)
FORMAT_MISSING = Problem(
    415,
    "format_missing",
    "Pictures of this format can't be read here: a package that reads them is not installed.",
    "Send the photo as JPEG or PNG.",
)
EMPTY_BODY = Problem(422, "empty_body", "Nothing was sent.", "Choose a photo, or type a board.")
DAMAGED_PICTURE = Problem(
    422, "damaged_picture", "The picture is damaged or incomplete.", "Take or download it again."
)
TOO_HARD = Problem(
    422,
    "damaged_picture",
    "This picture takes more than one picture may take.",
    "Take the photo anew, or make a smaller copy of it.",
)
NO_GRID = Problem(
    422,
    "no_grid",
    "No sudoku was found in the picture.",
    "Take it with the whole grid in it, or point out the four corners.",
)
BAD_STATE = Problem(
    422,
    "bad_state",
    "What was read of this grid is no longer known: the service was started anew.",
    "Send the picture again.",
)
INTERNAL = Problem(500, "internal", "Something went wrong in the service.", "Try again.")
BUSY = Problem(
    503, "busy", "Too much is waiting at the moment.", "Try again in a moment.", {"Retry-After": "1"}
)
TOO_MANY_CAMERAS = Problem(
    503, "busy", "Too many cameras are in use at the moment.", "Try again in a minute.", {"Retry-After": "30"}
)
WORKER_LOST = Problem(
    503,
    "worker_lost",
    "What was working on this broke down, and is being started anew.",
    "Try again.",
    {"Retry-After": "2"},
)

_SMALLER = "Send a smaller picture: one of 2000 pixels is large enough."

BAD_OVERRIDES = Problem(
    422,
    "bad_overrides",
    "The cells can't be understood.",
    "Say of each cell once what it holds, as in r3c5=8,r4c1=blank,r2c6=w7.",
)
BAD_CORNERS = Problem(
    422,
    "bad_corners",
    "These can't be the corners of a grid.",
    "Point out the four outer corners of the grid, clockwise from the puzzle's top left.",
)
BAD_USAGE = Problem(422, "bad_request", "The request can't be answered for this.", "Choose one of its pages.")
BAD_BOARD = Problem(
    422,
    "bad_board",
    "This is no sudoku board.",
    "Write 81 characters, 1 to 9 and 0 or a dot for blanks, nine rows, or a link to a puzzle.",
)
BAD_RULES = Problem(
    422,
    "bad_rules",
    "There are no such rules.",
    "Choose classic, diagonal or jigsaw, and of a jigsaw give the number 1 to 9 of the region of each cell.",
)
_OF_ERRORS: tuple[tuple[type[SudokuVisionError], Problem, bool], ...] = (
    (MissingExtraError, FORMAT_MISSING, False),
    (NoPictureError, NOT_A_PICTURE, False),
    (OpenError, DAMAGED_PICTURE, False),
    (OverridesError, BAD_OVERRIDES, True),
    (CornersError, BAD_CORNERS, True),
    (StateError, BAD_STATE, False),
    (UsageError, BAD_USAGE, True),
    (RulesError, BAD_RULES, True),
    (BoardError, BAD_BOARD, True),
    (ImproperError, NO_GRID, False),
    (SudokuVisionError, INTERNAL, False),
)
"""Which error becomes which problem, the first that fits, and whether its own words are told."""


def problem_of(error: SudokuVisionError) -> Problem:
    """Return what a person is told of an error that the program raised over a picture or a board."""
    if isinstance(error, TooLargeError):  # its sentence ends with the size
        told = error.message.rpartition(": ")[2]
        return Problem(413, "picture_too_large", f"The picture is too large: {told}", _SMALLER)
    if isinstance(error, OpenError) and "there is no page" in error.message:
        return replace(BAD_USAGE, message="The document has no such page.")
    problem, own_words = next(one[1:] for one in _OF_ERRORS if isinstance(error, one[0]))
    of_command = "--" in error.message or "sudoku-vision" in error.message
    return replace(problem, message=error.message) if own_words and not of_command else problem


def body_too_large(limit: int) -> Problem:
    """Return the problem of more bytes than *limit*."""
    return Problem(413, "body_too_large", f"What was sent is larger than {limit / 1e6:g} MB.", _SMALLER)


def timed_out(seconds: float) -> Problem:
    """Return the problem of work that took longer than *seconds*."""
    return Problem(
        504,
        "timed_out",
        f"Reading this picture took longer than {seconds:g} seconds and was given up.",
        "Take the photo from nearer, with the grid alone in it.",
    )


def bad_value(error: Mapping[str, Any]) -> Problem:
    """Return the problem of a value, of which pydantic says what it should be."""
    if error["type"] == "json_invalid" or not error["loc"]:
        return BAD_REQUEST
    return replace(BAD_REQUEST, message=f"The value {error['loc'][-1]} is not as described: {error['msg']}.")


def problem_answer(problem: Problem, headers: Mapping[str, str] | None = None) -> Response:
    """Return the answer that tells of a problem."""
    headers = {**problem.headers, **(headers or {})}
    return Response(problem.to_json(), problem.status, headers, "application/json")
