"""Preloaded: loads what reading and drawing take when it is imported, for the workers forked afterwards."""

import contextlib
import gc
import importlib

from sudoku_vision.cli.runs.warm_up import warm_up
from sudoku_vision.parallel.worker_process import settle_threads

MODULES = ("cli.runs.tasks", "cli.runs.drawings", "output.save")
"""What a task takes besides the road."""

settle_threads()
with contextlib.suppress(Exception):  # what is wrong meets each worker again, which tells of it
    warm_up(None)
    for name in MODULES:
        importlib.import_module(f"sudoku_vision.{name}")
gc.freeze()  # no worker looks through what all of them share, which would copy it
