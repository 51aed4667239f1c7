"""Parallel work: this process, worker processes or a cluster do the tasks.

Callers use a :class:`concurrent.futures.Executor` and need not know which of the three does the work.
:func:`open_executor` opens one; :func:`map_in_order` submits tasks and yields their results in order, in
bounded memory.

A task is a function at the top of a module, called with one plain item. Both travel by pickle, so a lambda or
a function of the main script can't be a task. A task loads what it needs, a model for example, and caches it.

* :mod:`executors`: ``SerialExecutor`` does each task in this process when it is submitted.
* :mod:`process_pool`: worker processes of this machine. If one dies or exceeds its time, only its own task is
  lost, and the process is started again. The service uses such a pool, too.
* :mod:`worker_process`: one such process, with one BLAS and OpenCV thread, which ignores Ctrl-C.
  :func:`run_in_process` runs a single call in one; PDF is rendered this way.
* :mod:`cluster`: the workers of a ``dask.distributed`` scheduler; tasks of a lost worker go to another one.
"""

from sudoku_vision.parallel.executors import (
    TASK_SECONDS,
    Outcome,
    SerialExecutor,
    available_cores,
    map_in_order,
    open_executor,
)

__all__ = [
    "TASK_SECONDS",
    "Outcome",
    "SerialExecutor",
    "available_cores",
    "map_in_order",
    "open_executor",
]
