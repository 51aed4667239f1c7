"""When imported, this module loads all that reading and drawing need; workers are forked after that."""

import contextlib
import gc

from sudoku_vision.parallel.worker_process import settle_threads

settle_threads()
with contextlib.suppress(Exception):  # the same error occurs again in each worker, which reports it
    from sudoku_vision import pipeline  # noqa: F401
    from sudoku_vision.cli import run
    from sudoku_vision.output import overlay, save  # noqa: F401

    run.named_model(None)
gc.freeze()  # without this, garbage collection in a worker would copy the memory that all workers share
