"""Share work out: one executor, whether tasks are done right here, by processes, or by a cluster.

Whoever has work to share out takes a :class:`concurrent.futures.Executor` and never asks what stands behind
it. :func:`open_executor` opens one; :func:`map_in_order` hands it tasks and yields what came of each, in
order, in bounded memory.

A task is a function at the top of a module, called with one plain item: both travel by pickle, so neither a
lambda nor a function of the main script can be one. What a task needs and keeps, such as a model, it loads
itself and caches.

* :mod:`executors`: ``SerialExecutor`` does each task here, when it is handed over; a crash is a crash.
* :mod:`process_pool`: worker processes of this machine. One that dies or exceeds its time costs its own task
  alone, which is named for certain, and is started anew. The service reads by such a pool, too.
* :mod:`worker_process`: one of these, with one BLAS and OpenCV thread and deaf to Ctrl-C. PDF is rendered by
  one, and :func:`run_in_process` has one call done by one.
* :mod:`cluster`: the workers of a ``dask.distributed`` scheduler; what was lost with a worker is done by
  another one.
"""

from sudoku_vision.errors import ClusterError, TaskError, TaskLostError, TaskTimeoutError
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
    "ClusterError",
    "Outcome",
    "SerialExecutor",
    "TaskError",
    "TaskLostError",
    "TaskTimeoutError",
    "available_cores",
    "map_in_order",
    "open_executor",
]
