"""Problems: each error that a request may meet, as a status, a code, a sentence and a remedy.

The sentences are for people before a page or a program that calls the service: they name no option of the
command line. Pages that speak another language go by the code.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from sudoku_vision.errors import SudokuVisionError


@dataclass(frozen=True)
class Problem:
    """What went wrong with a request: HTTP ``status``, a ``code`` for programs, two sentences for people."""

    status: int
    code: str
    message: str
    remedy: str = ""
    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def to_json(self) -> bytes:
        """Return the body of the answer."""
        return json.dumps({"error": self.to_dict()}, ensure_ascii=False).encode()

    def to_dict(self) -> dict[str, str]:
        """Return what programs are told."""
        return {"code": self.code, "message": self.message, "remedy": self.remedy}


class ProblemError(Exception):
    """Raised where a request can't be answered; ``problem`` says why."""

    def __init__(self, problem: Problem) -> None:
        """Keep the *problem*."""
        super().__init__(problem.code)
        self.problem = problem


BAD_REQUEST = Problem(
    400, "bad_request", "The request can't be understood.", "Send it as the description says."
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
    405, "method_not_allowed", "This address does not take that kind of request.", "Use one that it allows."
)
SLOW_BODY = Problem(
    408,
    "slow_body",
    "The picture did not come in whole in time.",
    "Try again, with a smaller picture or a better line.",
)
SLOW_HEAD = Problem(408, "slow_body", "The request did not come in whole in time.", "Try again.")
INTERNAL = Problem(500, "internal", "Something went wrong in the service.", "Try again.")
BUSY = Problem(
    503,
    "busy",
    "Too many pictures are waiting at the moment.",
    "Try again in a moment.",
    {"Retry-After": "1"},
)
WORKER_LOST = Problem(
    503,
    "worker_lost",
    "What was working on this broke down and was started anew.",
    "Try again.",
    {"Retry-After": "2"},
)

TOO_HARD = Problem(
    422,
    "damaged_picture",
    "This picture can't be read: it takes more than one picture may take.",
    "Take the photo anew, or make a smaller copy of it.",
)


def body_too_large(limit: int) -> Problem:
    """Return the problem of more bytes than *limit*."""
    return Problem(
        413,
        "body_too_large",
        f"What was sent is larger than {limit / 1e6:g} MB.",
        "Send a smaller picture: a photo of 2000 pixels is large enough.",
    )


def timed_out(seconds: float) -> Problem:
    """Return the problem of work that took longer than *seconds*."""
    return Problem(
        504,
        "timed_out",
        f"Reading this picture took longer than {seconds:g} seconds and was given up.",
        "Take the photo from nearer, with the grid alone in it.",
    )


def problem_of(error: SudokuVisionError) -> Problem:
    """Return what a person is told of an error of the program."""
    return Problem(422, "bad_request", error.message, error.remedy)
