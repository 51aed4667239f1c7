"""Share work out: one executor, whether tasks are done right here, by processes, or by a cluster.

Whoever has work to share out takes a :class:`concurrent.futures.Executor` and never asks what stands behind
it. :func:`open_executor` opens one; :func:`map_in_order` hands it tasks and yields what came of each, in
order, in bounded memory.

A task is a function at the top of a module, called with one plain item: both travel by pickle, so neither a
lambda nor a function of the main script can be one. What a task needs and keeps, such as a model, it loads
itself and caches.

* :mod:`here`: in this process, each task when it is handed over; a crash is a crash.
* :mod:`processes`: worker processes of this machine, started when the first task waits for them, spawned or
  forked (:func:`~sudoku_vision.parallel.worker_process.forked_from`). Each holds
  BLAS and OpenCV to one thread and never hears Ctrl-C. One that dies or exceeds its time costs its own task
  alone, which is named for certain, and is started anew.
* :mod:`cluster`: the workers of a ``dask.distributed`` scheduler; what was lost with a worker is done by
  another one.
"""

from sudoku_vision.errors import ClusterError, TaskError, TaskLostError, TaskTimeoutError
from sudoku_vision.parallel.cores import available_cores
from sudoku_vision.parallel.opening import TASK_SECONDS, open_executor
from sudoku_vision.parallel.order import Outcome, map_in_order
from sudoku_vision.parallel.serial import HereExecutor

__all__ = [
    "TASK_SECONDS",
    "ClusterError",
    "HereExecutor",
    "Outcome",
    "TaskError",
    "TaskLostError",
    "TaskTimeoutError",
    "available_cores",
    "map_in_order",
    "open_executor",
]
