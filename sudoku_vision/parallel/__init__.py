"""Parallel work: tasks are done in this process, in worker processes or by a cluster.

Callers use a :class:`concurrent.futures.Executor`, and need not know in which of these three ways it works.
:func:`open_executor` opens one. :func:`map_in_order` submits tasks and yields their results in order.

A task is a call of a function with one item. Both are pickled and sent, so the function must be defined at
the top of a module, not in the main script. The function itself loads what it needs, for example a model.

* :mod:`executors`: ``SerialExecutor`` does each task in this process when it is submitted.
* :mod:`process_pool`: worker processes on this machine, also for the web service. If a process dies or a task
  takes too long, only this task is lost, and the process is started again.
* :mod:`worker_process`: one worker process. It uses one thread for BLAS and OpenCV, and ignores Ctrl-C.
  :func:`run_in_process` does a single call in a new process; pages of a PDF are rendered this way.
* :mod:`cluster`: the workers of a ``dask.distributed`` scheduler.
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
