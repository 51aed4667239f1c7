"""Solve many boards at once: compiled and in threads where numba is installed, else in processes.

* A handful of boards is solved right here by the pure core: nothing else would have started by then, unless
  the kernel is loaded already.
* With numba (the extra ``bulk``), ``kernel`` solves 32 boards side by side in each of
  ``jobs`` threads, without the GIL. It is compiled once and kept on disk.
* Without, the pure core works in ``jobs`` processes.

All three give the same answers, in the order of the boards, and hold only a few batches at a time. Which two
of a board's many solutions are shown may differ.

The road: :mod:`lists` (lines of files) -> :mod:`batches` -> :mod:`engines`, one of which runs the compiled
:mod:`kernel`.

Whoever waits is told in two ways, here and in the generator: ``announce`` is given a sentence, ``advance``
how much was done since it was last called.
"""

from sudoku_vision.sudoku.bulk.batches import BATCH, BulkSolver, Way, solve_many

__all__ = ["BATCH", "BulkSolver", "Way", "solve_many"]
