"""The errors of sudoku_vision. Every error has a message, a remedy and an exit code."""

import contextlib
import importlib
import operator
import os
from collections.abc import Iterable, Iterator
from enum import IntEnum
from math import inf
from pathlib import Path
from typing import Any, TypeVar

_T = TypeVar("_T")


class ExitCode(IntEnum):
    """The exit statuses of the command line."""

    DONE = 0  # everything is solved, right, answered or written, and nothing is uncertain
    SOME_NOT = 1  # something is unsolved, wrong or uncertain, has no grid, or can't be written
    USAGE = 2  # the call is wrong, or an argument is no board
    NOTHING_OPENED = 3  # no file, picture, camera or model could be opened
    INTERRUPTED = 130  # Ctrl-C ended the program: 128 plus the number of the signal


MAX_MESSAGE = 600  # maximum number of characters in a message; the middle of a longer message is cut out


class SudokuVisionError(Exception):
    """The base of all errors that a user may see.

    ``str(error)`` is one line: what happened, and then what to do about it. ``code`` is a word by which
    programs recognise the error; it stays the same in later versions.
    """

    exit_code = ExitCode.SOME_NOT
    code = "internal"

    def __init_subclass__(cls, *, code: str = "", exit_code: ExitCode | None = None) -> None:
        """Set *code* and *exit_code* of a new error class. By default, both stay those of its base class."""
        cls.code, cls.exit_code = code or cls.code, exit_code or cls.exit_code

    def __init__(self, message: str, remedy: str = "") -> None:
        self.message, self.remedy = map(_shortened, (message, remedy))
        super().__init__(f"{self.message} {self.remedy}".strip())


def _shortened(text: str) -> str:
    half = MAX_MESSAGE // 2
    return text if len(text) <= MAX_MESSAGE else f"{text[:half]} ... {text[-half:]}"


class UsageError(SudokuVisionError, code="bad_request", exit_code=ExitCode.USAGE):
    """The call is wrong: a wrong value of an option, a path that matches nothing, options that conflict."""


class OverridesError(UsageError, code="bad_overrides"):
    """A user's corrections of digits (overrides) can't be read, or do not fit the picture."""


class CornersError(UsageError, code="bad_corners"):
    """The corners of a grid that the user gave can't be read, or do not fit the picture."""


class SourceError(UsageError, TypeError):
    """An object has a type that can't be a picture; this error is a :class:`TypeError`, too."""


class PixelsError(UsageError, ValueError):
    """An array has a shape or values that no picture has; this error is a :class:`ValueError`, too."""


class NumberError(UsageError, ValueError):
    """A number has a wrong type, or is outside of its range; this error is a :class:`ValueError`, too."""


class StateError(UsageError, code="bad_state"):
    """The web service received a state of a grid that the service did not write, or that was altered."""


class OpenError(SudokuVisionError, code="damaged_picture", exit_code=ExitCode.NOTHING_OPENED):
    """A picture can't be opened: the file is missing, empty, truncated, or not a picture."""


class NoPictureError(OpenError, code="not_a_picture"):
    """The first bytes of a file show that the file is no picture."""


class NoPageError(OpenError, code="bad_request"):
    """A document has no page with the number that was asked for."""


class TooLargeError(OpenError, code="picture_too_large"):
    """A picture has more pixels than the limit allows; it was refused before its pixels were unpacked."""


class OutOfMemoryError(OpenError, MemoryError):
    """There is not enough memory for a picture or a text; this error is a :class:`MemoryError`, too."""


class MissingExtraError(OpenError, code="format_missing"):
    """A package that the project uses only for some formats or features is not installed."""


def named(value: object) -> str:
    """Return words for *value* in a message: its ``repr`` if it is a text, number or path, else its type."""
    if value is None or isinstance(value, str | bytes | int | float):
        return repr(value)
    if isinstance(value, type):
        return f"the class {value.__name__}"
    return repr(os.fspath(value)) if isinstance(value, os.PathLike) else f"a {type(value).__name__}"


def checked_number(value: Any, what: str, least: float, most: float = inf, *, whole: bool = True) -> Any:
    """Return *value* if it is a number from *least* to *most*, otherwise raise :class:`NumberError`.

    *whole*: whether *value* must be a whole number. *what*: the name of the value in the message.
    """
    with contextlib.suppress(TypeError, ValueError):
        number = operator.index(value) if whole else value + 0.0
        if not isinstance(value, bool) and least <= number <= most:
            return number
    limits = f", {least} or more" if most == inf else f" from {least} to {most}"
    kind = ("whole number" if whole else "number") + ("" if least == -inf else limits)
    raise NumberError(f"{what} can't be {named(value)}.", f"Give a {kind}.")


def checked_choice(value: object, what: str, choices: Iterable[_T]) -> _T:
    """Return the one of *choices* whose text is *value*; capital and small letters count as equal.

    Raises :class:`UsageError` if no choice has this text. *what* is the word for a choice in the message.
    """
    from sudoku_vision.texts import listed

    known = {str(choice).lower(): choice for choice in choices}
    if str(value).lower() not in known:
        raise UsageError(f"There is no {what} {named(value)}.", f"Choose {listed(known.values(), 'or')}.")
    return known[str(value).lower()]


def checked_path(value: Any) -> Path:
    """Return *value* as a path; raises :class:`UsageError` if it is neither a path nor a text."""
    with contextlib.suppress(TypeError):
        if value != "":
            return Path(value)
    raise UsageError(f"A file is named by a text or a path, not by {named(value)}.")


def install(extra: str) -> str:
    """Return the command that installs an *extra*, a set of optional packages.

    It must be run in the project's folder.
    """
    return f"pip install '.[{extra}]'"


def missing_extra(what: str, extra: str) -> MissingExtraError:
    """Return an error with the message *what*, and with a remedy: how to install the *extra*."""
    return MissingExtraError(what, f"In the folder of sudoku-vision, run: {install(extra)}")


def import_extra(module: str, extra: str, what: str) -> Any:
    """Import a *module* that belongs to an *extra*, a set of optional packages, and return it.

    If the module is not installed, raise :class:`MissingExtraError`. Its message begins with *what*.
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        raise missing_extra(f"{what}, which is not installed.", extra) from None


class WindowError(SudokuVisionError, exit_code=ExitCode.NOTHING_OPENED):
    """No window can be opened: no screen exists, the screen can't be reached, or OpenCV has no windows."""


class CameraError(SudokuVisionError, exit_code=ExitCode.NOTHING_OPENED):
    """A camera, a video file or a stream can't be opened, or gives no frames."""


class SaveError(SudokuVisionError):
    """An output can't be written. If the file existed before, it is unchanged."""


class BoardError(SudokuVisionError, code="bad_board", exit_code=ExitCode.USAGE):
    """A text or an array is not a sudoku board of 81 cells with 0 to 9 in each."""


class RulesError(BoardError, code="bad_rules"):
    """Rules can't be used: their name is unknown, or they don't have nine regions of nine cells."""


class ImproperError(SudokuVisionError):
    """A board doesn't have exactly one solution, but the call needs such a board.

    ``status`` and ``code`` say why: ``clash`` (a digit stands twice in a unit), ``none`` (no solution),
    ``many`` (several solutions) or ``gave_up`` (the search took too long). For a picture, they can also be
    ``unreadable`` or ``no_grid``.
    """

    def __init__(self, message: str, remedy: str = "", *, status: str = "none") -> None:
        super().__init__(message, remedy)
        self.status = self.code = status


class GenerateError(SudokuVisionError):
    """No puzzle with all wanted properties was found, but there may be one."""


class TaskError(SudokuVisionError):
    """A task for a worker failed."""


class TaskLostError(TaskError):
    """The worker process died during a task, or could not be started."""


class TaskTimeoutError(TaskError, TimeoutError):
    """A task took too long, and its process was killed; this error is a :class:`TimeoutError`, too."""


class ClusterError(SudokuVisionError, exit_code=ExitCode.NOTHING_OPENED):
    """A cluster can't be reached, has no workers, or has workers of another version."""


class ModelError(SudokuVisionError, exit_code=ExitCode.NOTHING_OPENED):
    """A model file is missing, truncated, altered, or not a model of this program."""


class MissingLibraryError(SudokuVisionError, exit_code=ExitCode.NOTHING_OPENED):
    """OpenCV, or a library of the system that it needs, is not installed."""


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether Python or OpenCV raised *error* because no memory was left."""
    return isinstance(error, MemoryError) or "Insufficient memory" in str(error)


@contextlib.contextmanager
def explained_memory(name: str = "") -> Iterator[None]:
    """If memory runs out in the block, raise :class:`OutOfMemoryError`. Its message begins with *name*."""
    try:
        yield
    except OutOfMemoryError:
        raise
    except Exception as error:
        if not is_out_of_memory(error):
            raise
        what = f"{name}: too large for this memory." if name else "The memory of this machine is not enough."
        raise OutOfMemoryError(what, "Make it smaller, or close other programs.") from None


@contextlib.contextmanager
def explained_imports() -> Iterator[None]:
    """If OpenCV can't be imported in the block, raise :class:`MissingLibraryError`."""
    try:
        yield
    except ImportError as error:
        if error.name != "cv2":
            raise
        if isinstance(error, ModuleNotFoundError):
            raise MissingLibraryError("OpenCV is not installed.", "Run: pip install opencv-python") from error
        # The wheels of opencv-python need libGL, libglib and libxcb. Debian's libgl1 also installs libxcb.
        raise MissingLibraryError(
            f"OpenCV can't be loaded ({error}).",
            "Install what it needs, on Debian and Ubuntu with: apt-get install libgl1 libglib2.0-0, "
            "or replace opencv-python by opencv-python-headless.",
        ) from error
