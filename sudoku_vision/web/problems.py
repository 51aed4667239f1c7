"""All reasons why a request gets no answer, each with a status, a code, a sentence and a remedy.

Users of the page and of other programs read the sentences. So no sentence names an option of the command
line. In other languages, the page chooses its own sentence by the code.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

from sudoku_vision.errors import SudokuVisionError


@dataclass(frozen=True)
class Problem:
    """The reason why a request gets no answer."""

    status: int  # HTTP status
    code: str  # a name for programs
    message: str  # a sentence that says what is wrong
    remedy: str = ""  # a sentence that says what helps
    headers: Mapping[str, str] = field(default_factory=dict)  # additional headers of the answer

    def to_dict(self) -> dict[str, Any]:
        """Return the body of the answer as a JSON object."""
        return {"error": {"code": self.code, "message": self.message, "remedy": self.remedy}}

    def to_json(self) -> bytes:
        """Return the body of the answer as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False).encode()


class ProblemError(HTTPException):
    """Raised if a request can't be answered. ``problem`` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.status, problem.code)
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
    "The request did not arrive completely in time.",
    "Try again, with a smaller picture or a better line.",
)
NOT_A_PICTURE = Problem(
    415,
    "not_a_picture",
    "This is no picture that can be read.",
    "Send a photo as JPEG, PNG, WebP or HEIC, or a PDF.",
)
EMPTY_BODY = Problem(422, "empty_body", "Nothing was sent.", "Choose a photo, or type a board.")
TOO_HARD = Problem(
    422,
    "damaged_picture",
    "This picture takes more time or memory than is allowed.",
    "Take the photo again, or make a smaller copy of it.",
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
    "The process that worked on this broke down, and is being started again.",
    "Try again.",
    {"Retry-After": "2"},
)

FORMAT_MISSING = Problem(
    415,
    "format_missing",
    "Pictures of this format can't be read here: a package that reads them is not installed.",
    "Send the photo as JPEG or PNG.",
)
DAMAGED_PICTURE = Problem(
    422, "damaged_picture", "The picture is damaged or incomplete.", "Take or download it again."
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
    "What was read of this grid is no longer known: the service was started again.",
    "Send the picture again.",
)
_OF_ERRORS = {one.code: one for one in (NOT_A_PICTURE, FORMAT_MISSING, DAMAGED_PICTURE, NO_GRID, BAD_STATE)}
"""Problems that are reported in place of an error of the program. The key is the code of the error."""
_SMALLER = "Send a smaller picture: one of 2000 pixels is large enough."
OWN_MESSAGE = {
    "picture_too_large": _SMALLER,
    "bad_request": "Choose one of its pages.",
    "bad_overrides": "Say of each cell once what it holds, as in r3c5=8,r4c1=blank,r2c6=w7.",
    "bad_corners": "Point out the grid's four corners, clockwise from the puzzle's top left.",
    "bad_board": "Write 81 characters, 1 to 9 and 0 or a dot for blanks, or a link to a puzzle.",
    "bad_rules": "Choose classic, diagonal or jigsaw; of a jigsaw give the region, 1 to 9, of each cell. "
    "Give the rules of a killer in JSON, as answers have them.",
}
"""Errors of the program that are reported with their own message. The key is the code of the error, and the
value is the remedy that is reported."""


def problem_of(error: SudokuVisionError) -> Problem:
    """Return the problem that describes an *error* with a picture or a board."""
    if error.code in OWN_MESSAGE:
        status = 413 if error.code == "picture_too_large" else 422
        return Problem(status, error.code, error.message, OWN_MESSAGE[error.code])
    return _OF_ERRORS.get(error.code, INTERNAL)


def body_too_large(limit: int) -> Problem:
    """Return the problem for a body with more than *limit* bytes."""
    return Problem(413, "body_too_large", f"What was sent is larger than {limit / 1e6:g} MB.", _SMALLER)


def timed_out(seconds: float) -> Problem:
    """Return the problem for work that took longer than this many *seconds*."""
    return Problem(
        504,
        "timed_out",
        f"This took longer than {seconds:g} seconds and was given up.",
        "Take the photo from nearer, with the grid alone in it; give a board more clues.",
    )


def bad_value(error: Mapping[str, Any]) -> Problem:
    """Return the problem for a request with a wrong value. *error* is an error of pydantic."""
    if error["type"] == "json_invalid" or not error["loc"]:
        return BAD_REQUEST
    return replace(BAD_REQUEST, message=f"The value {error['loc'][-1]} is not as described: {error['msg']}.")


def problem_answer(problem: Problem, headers: Mapping[str, str] | None = None) -> Response:
    """Return the answer that reports a problem, with further *headers*."""
    headers = {**problem.headers, **(headers or {})}
    return Response(problem.to_json(), problem.status, headers, "application/json")
