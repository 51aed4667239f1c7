"""A service in a process of its own, with short limits: prints its address and the id of its process.

It ends when its standard input does. What it logs goes to standard error.
"""

import os
import sys

from serving import serving

from sudoku_vision.cli.reporter import complain
from sudoku_vision.web.server import log_to
from sudoku_vision.web.settings import Limits, Settings

LIMITS = Limits(
    body=2_000_000,
    bodies=10_000_000,
    json=100_000,
    megapixels=20.0,
    job_seconds=3.0,
    slow_body=1.0,
    head=1.0,
    drain=0.5,
    frame=500_000,
    live_idle=2.0,
)

if __name__ == "__main__":
    log_to(complain)
    with serving(Settings(workers=2, limits=LIMITS)) as address:
        sys.stdout.write(f"{address} {os.getpid()}\n")
        sys.stdout.flush()
        sys.stdin.read()
