"""Preloaded: loads what reading and drawing take when it is imported, for the workers forked afterwards."""

import contextlib
import gc

from sudoku_vision.parallel.worker_process import settle_threads

settle_threads()
with contextlib.suppress(Exception):  # what is wrong meets each worker again, which tells of it
    from sudoku_vision import pipeline  # noqa: F401
    from sudoku_vision.cli import tasks
    from sudoku_vision.output import overlay, save  # noqa: F401

    tasks.named_model(None)
gc.freeze()  # no worker looks through what all of them share, which would copy it
