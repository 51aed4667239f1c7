"""When this module is imported, it loads all modules and models that forked workers need for reading."""

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
# Forked workers share the memory of this process until they write to it. Without this call, the garbage
# collection in a worker would write to all objects, and so copy their memory.
gc.freeze()
