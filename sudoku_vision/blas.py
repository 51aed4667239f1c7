"""BLAS threads: pictures are read with one, and the program around gets its own back.

The matrices of one photo are too small to be shared out: with more threads it takes no less time, but twice
the processor, as the threads that wait for work do so by asking again and again.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

SETTINGS = (
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "OMP_NUM_THREADS",
)
"""Variables of the environment by which a person says how many threads BLAS has; that word counts."""

_limiting = threading.Lock()  # held by the call that limits BLAS now


@contextlib.contextmanager
def one_blas_thread() -> Iterator[None]:
    """Hold BLAS to one thread within; afterwards it has as many as before.

    Also a decorator. Where the environment says how many threads BLAS has (:data:`SETTINGS`), nothing is
    changed. Costs some 15 microseconds.

    The limit is that of the process, and whoever lifts it puts back what it found. So one call limits at a
    time: if two that overlap both did, the later one would find one thread, and leave the process with it.
    """
    if _is_set() or not _limiting.acquire(blocking=False):
        yield
        return
    try:
        with _blas().limit(limits=1):
            yield
    finally:
        _limiting.release()


def start_with_one_thread() -> None:
    """Have BLAS start with one thread in this process and its children, unless a person said otherwise.

    Only for a program of our own, before NumPy is loaded: threads that are never started save a command a
    quarter of its processor time. Afterwards nothing is changed.
    """
    if "numpy" not in sys.modules and not _is_set():
        os.environ.update(dict.fromkeys(SETTINGS, "1"))


def _is_set() -> bool:
    return any(os.environ.get(name) for name in SETTINGS)


@lru_cache(maxsize=1)
def _blas() -> ThreadpoolController:
    """Return the BLAS libraries of this process: those of NumPy and OpenCV, which are loaded by now."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(user_api="blas")
