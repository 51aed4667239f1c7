"""Importing this module loads all modules and models for reading, before worker processes are forked."""

import contextlib
import gc

from sudoku_vision.parallel.worker_process import settle_threads

settle_threads()
# An error is ignored here. Each worker imports the same modules later, gets the same error and reports it.
with contextlib.suppress(Exception):
    from sudoku_vision import pipeline  # noqa: F401
    from sudoku_vision.cli import run
    from sudoku_vision.output import overlay, save  # noqa: F401

    run.named_model(None)
# Without this call, garbage collection in a worker would write into shared memory and so copy it.
gc.freeze()
