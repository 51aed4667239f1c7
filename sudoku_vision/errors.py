"""The errors of sudoku_vision: one small tree, each with a remedy and an exit code."""

import contextlib
import importlib
from collections.abc import Iterator
from enum import IntEnum
from typing import Any


class ExitCode(IntEnum):
    """The exit statuses of the command line."""

    DONE = 0
    """All is solved, right, told or written, and sure."""
    SOME_NOT = 1
    """Something is not: unsolved, wrong, uncertain, or an output that can't be written."""
    USAGE = 2
    """The call is wrong, or what was to be a board is none."""
    NOTHING_OPENED = 3
    """Nothing could be opened: no file, no picture, no camera, no model."""
    INTERRUPTED = 130
    """Ended by Ctrl-C, as shells have it; by another signal, 128 and its number."""


MOST_SAID = 600  # characters of a sentence to a user; what somebody has typed may have thousands


class SudokuVisionError(Exception):
    """Base of all errors that a user may meet.

    ``str(error)`` is one line: what happened, then what to do about it, each without its middle if too long.
    ``code`` is a word for programs: it stays when the sentences change.
    """

    exit_code = ExitCode.SOME_NOT
    code = "internal"

    def __init_subclass__(cls, *, code: str = "", exit_code: ExitCode | None = None) -> None:
        """Keep the *code* and the *exit_code* of a kind of errors; without one it has that of its base."""
        cls.code, cls.exit_code = code or cls.code, exit_code or cls.exit_code

    def __init__(self, message: str, remedy: str = "") -> None:
        """Keep *message* (what happened) and *remedy* (what to do), each a plain sentence."""
        self.message, self.remedy = map(_shortened, (message, remedy))
        super().__init__(f"{self.message} {self.remedy}".strip())


def _shortened(text: str) -> str:
    half = MOST_SAID // 2
    return text if len(text) <= MOST_SAID else f"{text[:half]} ... {text[-half:]}"


class UsageError(SudokuVisionError, code="bad_request", exit_code=ExitCode.USAGE):
    """The call is wrong: an option's value, a path that matches nothing, a combination that can't work."""


class OverridesError(UsageError, code="bad_overrides"):
    """What a person says of cells can't be read, or can't be in this picture."""


class CornersError(UsageError, code="bad_corners"):
    """Where a person says that a grid lies can't be read, or can't be in this picture."""


class SourceError(UsageError, TypeError):
    """What a program hands over as a picture can't be one, by its type; also a :class:`TypeError`."""


class PixelsError(UsageError, ValueError):
    """An array or an image has a shape or values that no picture has; also a :class:`ValueError`."""


class StateError(UsageError, code="bad_state"):
    """What a client brings back of a grid was not written by this service, or was altered on the way."""


class OpenError(SudokuVisionError, code="damaged_picture", exit_code=ExitCode.NOTHING_OPENED):
    """A picture can't be opened: missing, empty, truncated, not a picture."""


class NoPictureError(OpenError, code="not_a_picture"):
    """A file is no picture, by its first bytes."""


class NoPageError(OpenError, code="bad_request"):
    """A document has no page of that number."""


class TooLargeError(OpenError, code="picture_too_large"):
    """A picture has more pixels than the limit allows; its pixels were never unpacked."""


class OutOfMemoryError(OpenError, MemoryError):
    """There is not the memory that a picture or a text takes; also a :class:`MemoryError`."""


class MissingExtraError(OpenError, code="format_missing"):
    """A format is known, but the package that reads it is not installed."""


def install(extra: str) -> str:
    """Return what to type to get the packages of an *extra*, in the folder of the project."""
    return f"pip install '.[{extra}]'"


def missing_extra(what: str, extra: str) -> MissingExtraError:
    """Return the error that says *what* is missing, a sentence, and how to install the *extra* with it."""
    return MissingExtraError(what, f"In the folder of sudoku-vision, run: {install(extra)}")


def import_extra(module: str, extra: str, what: str) -> Any:
    """Import a *module* that an *extra* brings; raises :class:`MissingExtraError` if it is not there.

    *what* says who needs which package, as in ``QR codes need segno``.
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        raise missing_extra(f"{what}, which is not installed.", extra) from None


class WindowError(SudokuVisionError, exit_code=ExitCode.NOTHING_OPENED):
    """No window can be opened: there is no screen, it can't be reached, or OpenCV has no windows."""


class CameraError(SudokuVisionError, exit_code=ExitCode.NOTHING_OPENED):
    """A camera, a film or a stream can't be opened, gives no frames or no longer does."""


class SaveError(SudokuVisionError):
    """An output can't be written; what stood at that place before is untouched."""


class BoardError(SudokuVisionError, code="bad_board", exit_code=ExitCode.USAGE):
    """Text or an array is not a sudoku board of 81 cells with 0 to 9 in each."""


class RulesError(BoardError, code="bad_rules"):
    """These are no rules: an unknown name, or other than nine regions of nine cells."""


class ImproperError(SudokuVisionError):
    """A board clashes, has no solution or several, where exactly one is needed, or can't be settled.

    ``status``, which is its ``code``, too, is the word for it: ``clash``, ``none``, ``many``, ``gave_up``; of
    a picture also ``unreadable`` or ``no_grid``.
    """

    def __init__(self, message: str, remedy: str = "", *, status: str = "none") -> None:
        """Keep what is wrong, in words and as a *status*."""
        super().__init__(message, remedy)
        self.status = self.code = status


class GenerateError(SudokuVisionError):
    """No puzzle that meets all constraints was found within the tries allowed; there may be one."""


class TaskError(SudokuVisionError):
    """A piece of work that was shared out is lost; the message tells of it as *it*, and names nothing."""


class TaskLostError(TaskError):
    """The worker process died over a task, or none could be started for it."""


class TaskTimeoutError(TaskError, TimeoutError):
    """A task took longer than it may, and its worker process was killed; also a :class:`TimeoutError`."""


class ClusterError(SudokuVisionError, exit_code=ExitCode.NOTHING_OPENED):
    """A cluster can't be reached, has no workers, or its workers are other than this program needs."""


class ModelError(SudokuVisionError, exit_code=ExitCode.NOTHING_OPENED):
    """The digit model is missing, truncated, altered or not ours."""


class MissingLibraryError(SudokuVisionError, exit_code=ExitCode.NOTHING_OPENED):
    """OpenCV is not installed, or libraries of the system that it needs are not."""


def is_out_of_memory(error: BaseException) -> bool:
    """Tell whether an error says that no memory was left, in Python's way or in OpenCV's."""
    return isinstance(error, MemoryError) or "Insufficient memory" in str(error)


@contextlib.contextmanager
def explained_memory(name: str = "") -> Iterator[None]:
    """Say in a sentence where memory ends within: raises :class:`OutOfMemoryError`, which calls it *name*."""
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
    """Say what to install where OpenCV can't be imported within: raises :class:`MissingLibraryError`."""
    try:
        yield
    except ImportError as error:
        if error.name != "cv2":
            raise
        if isinstance(error, ModuleNotFoundError):
            raise MissingLibraryError("OpenCV is not installed.", "Run: pip install opencv-python") from error
        # The wheels of opencv-python need libGL, libglib and libxcb; in Debian libgl1 brings libxcb along.
        raise MissingLibraryError(
            f"OpenCV can't be loaded ({error}).",
            "Install what it needs, on Debian and Ubuntu with: apt-get install libgl1 libglib2.0-0, or put "
            "opencv-python-headless in the place of opencv-python.",
        ) from error
