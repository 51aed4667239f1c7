"""Preloaded: loads what reading and drawing take when it is imported, for the workers forked afterwards."""

import contextlib
import gc

from sudoku_vision.runs.warm_up import warm_up
from sudoku_vision.worker_process import settle_threads

settle_threads()
with contextlib.suppress(Exception):  # what is wrong meets each worker again, which tells of it
    warm_up(None)
gc.freeze()  # no worker looks through what all of them share, which would copy it
