"""Make BLAS use one thread while a picture is read, and restore the number of threads afterwards.

The matrices of one photo are too small to be worth several threads. With several threads, reading is not
faster, but it takes twice the processor time, because idle threads keep looking for work.
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
"""Environment variables that set the number of BLAS threads. If one is set, this module changes nothing."""

_limiting = threading.Lock()


@contextlib.contextmanager
def one_blas_thread() -> Iterator[None]:
    """Limit BLAS to one thread in a ``with`` block or a decorated function.

    If an environment variable sets the number of threads, nothing changes.
    """
    # While one call limits BLAS, a second call must change nothing. The second call would find 1 thread, and
    # set 1 thread again at its end. If it ended after the first call, the original number would be lost.
    if _is_set() or not _limiting.acquire(blocking=False):
        yield
        return
    try:
        with _blas().limit(limits=1):
            yield
    finally:
        _limiting.release()


def start_with_one_thread() -> None:
    """Make BLAS start with one thread in this process and its child processes.

    If an environment variable sets the number of threads, nothing changes. Call this before NumPy is loaded;
    later calls have no effect. With one thread, a command takes a quarter less processor time.
    """
    if "numpy" not in sys.modules and not _is_set():
        os.environ.update(dict.fromkeys(SETTINGS, "1"))


def _is_set() -> bool:
    return any(os.environ.get(name) for name in SETTINGS)


@lru_cache(maxsize=1)
def _blas() -> ThreadpoolController:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(user_api="blas")
