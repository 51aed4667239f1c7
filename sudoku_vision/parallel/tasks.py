"""Tasks as bytes, and the desk at which a worker process does them. Nothing here loads NumPy."""

from __future__ import annotations

import pickle
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sudoku_vision.errors import SudokuVisionError, is_out_of_memory
from sudoku_vision.parallel.worker_process import Factory

# Pickles go from one process of ours to its own child and back, through a pipe that nobody else has.


def packed(function: Callable[..., Any], arguments: Sequence[Any], named: Mapping[str, Any]) -> bytes:
    """Return a call as bytes; raises what ``pickle`` has against it."""
    return pickle.dumps((function, tuple(arguments), dict(named)), pickle.HIGHEST_PROTOCOL)


def unpacked(answer: bytes) -> Any:
    """Return the result in what a desk answered; raises the error in it."""
    is_error, value = pickle.loads(answer)
    if is_error:
        raise value
    return value


class TaskDesk:
    """Does tasks in a worker process, one at a time."""

    def run(self, task: bytes) -> bytes:
        """Return what a packed call returns or raises, as bytes; our own errors and memory's end go through.

        Other errors bring the place along where they were raised, as a note.
        """
        try:
            function, arguments, named = pickle.loads(task)
            return pickle.dumps((False, function(*arguments, **named)), pickle.HIGHEST_PROTOCOL)
        except SudokuVisionError:
            raise
        except Exception as error:
            if is_out_of_memory(error):
                raise
            return _packed_error(error)


DESK = Factory(TaskDesk.__module__, TaskDesk.__name__)
"""What makes the desk of a worker process."""


def _packed_error(error: Exception) -> bytes:
    """Return an error as bytes; one that can't travel is told by its name and words."""
    note = "".join(traceback.format_exception(error))
    error.add_note(note)
    try:
        answer = pickle.dumps((True, error), pickle.HIGHEST_PROTOCOL)
        pickle.loads(answer)
    except Exception:
        stand_in = RuntimeError(f"{type(error).__name__}: {error}")
        stand_in.add_note(note)
        answer = pickle.dumps((True, stand_in), pickle.HIGHEST_PROTOCOL)
    return answer
