"""On import, load everything that reading and drawing need, for the workers that are forked afterwards."""

import contextlib
import gc

from sudoku_vision.parallel.worker_process import settle_threads

settle_threads()
with contextlib.suppress(Exception):  # each worker meets the same error again, and reports it
    from sudoku_vision import pipeline  # noqa: F401
    from sudoku_vision.cli import run
    from sudoku_vision.output import overlay, save  # noqa: F401

    run.named_model(None)
gc.freeze()  # garbage collection in a worker would copy the memory that all workers share
