"""Problems: each error that a request may meet, as a status, a code, a sentence and a remedy.

The sentences are for people before a page or a program that calls the service: they name no option of the
command line. Pages that speak another language go by the code.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from sudoku_vision.errors import (
    BoardError,
    CornersError,
    ImproperError,
    MissingExtraError,
    NoPictureError,
    OpenError,
    OverridesError,
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

PICTURE_REMEDY = "Send a smaller picture: one of 2000 pixels is large enough."
OVERRIDES_REMEDY = "Say of each cell once what it holds, as in r3c5=8,r4c1=blank,r2c6=w7."
CORNERS_REMEDY = (
    "Point out the four outer corners of the grid in the picture, clockwise from the puzzle's top left."
)
BOARD_REMEDY = "Write 81 characters, 1 to 9 and 0 or a dot for blanks, nine rows, or a link to a puzzle."
PUZZLE_REMEDY = "Compare the clues with the picture, and correct those that are misread."
PAGE_REMEDY = "Choose one of its pages."


def body_too_large(limit: int) -> Problem:
    """Return the problem of more bytes than *limit*."""
    return Problem(
        413,
        "body_too_large",
        f"What was sent is larger than {limit / 1e6:g} MB.",
        PICTURE_REMEDY,
    )


def timed_out(seconds: float) -> Problem:
    """Return the problem of work that took longer than *seconds*."""
    return Problem(
        504,
        "timed_out",
        f"Reading this picture took longer than {seconds:g} seconds and was given up.",
        "Take the photo from nearer, with the grid alone in it.",
    )


def bad_value(name: str, what: str) -> Problem:
    """Return the problem of a value called *name* that is not *what* it should be."""
    return Problem(400, "bad_request", f"The value {name} must be {what}.", BAD_REQUEST.remedy)


def problem_of(error: SudokuVisionError) -> Problem:
    """Return what a person is told of an error that the program raised over a picture or a board."""
    for kind, problem in _KINDS:
        if isinstance(error, kind):
            return problem(error)
    return INTERNAL


def _of_open(error: SudokuVisionError) -> Problem:
    """Tell a page that isn't there from a picture that is damaged, by the words of the library."""
    if "there is no page" in error.message:
        return Problem(422, "bad_request", "The document has no such page.", PAGE_REMEDY)
    return DAMAGED_PICTURE


def _of_size(error: SudokuVisionError) -> Problem:
    """Tell how large a picture is: the sentence ends with it."""
    told = error.message.rpartition(": ")[2]
    return Problem(413, "picture_too_large", f"The picture is too large: {told}", PICTURE_REMEDY)


def _of_overrides(error: SudokuVisionError) -> Problem:
    return _plain(422, "bad_overrides", error, "The cells can't be understood.", OVERRIDES_REMEDY)


def _of_corners(error: SudokuVisionError) -> Problem:
    return _plain(422, "bad_corners", error, "These can't be the corners of a grid.", CORNERS_REMEDY)


def _of_usage(error: SudokuVisionError) -> Problem:
    return _plain(422, "bad_request", error, "The request can't be answered for this.", PAGE_REMEDY)


def _of_board(error: SudokuVisionError) -> Problem:
    return _plain(422, "bad_board", error, "This is no sudoku board.", BOARD_REMEDY)


def _of_puzzle(error: SudokuVisionError) -> Problem:
    """Tell why a puzzle has no answer."""
    if getattr(error, "status", "") == "no_grid":
        return NO_GRID
    return _plain(422, "no_single_solution", error, "The puzzle has not exactly one solution.", PUZZLE_REMEDY)


def _plain(status: int, code: str, error: SudokuVisionError, otherwise: str, remedy: str) -> Problem:
    """Return a problem in the library's words, unless those are for the command line."""
    for_shells = "--" in error.message or "sudoku-vision" in error.message
    return Problem(status, code, otherwise if for_shells else error.message, remedy)


_KINDS: tuple[tuple[type[SudokuVisionError], Callable[[SudokuVisionError], Problem]], ...] = (
    (TooLargeError, _of_size),
    (MissingExtraError, lambda _: FORMAT_MISSING),
    (NoPictureError, lambda _: NOT_A_PICTURE),
    (OpenError, _of_open),
    (OverridesError, _of_overrides),
    (CornersError, _of_corners),
    (StateError, lambda _: BAD_STATE),
    (UsageError, _of_usage),
    (BoardError, _of_board),
    (ImproperError, _of_puzzle),
)
"""Which error becomes which problem; the first that fits."""
