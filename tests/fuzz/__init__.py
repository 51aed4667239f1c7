"""Fuzzing: tries mutated inputs, drawn from seeds, one by one within limits of time and memory.

::

    mutations    damages bytes: flips, cuts, false numbers; PNG, JPEG, TIFF, ISO boxes and PDF by their parts
    seeds        the valid inputs that are mutated
    kinds        the kinds of inputs, and how each is drawn
    case_worker  runs one case, in a worker process
    trials       runs cases within limits, or sends them to a running service, and reports failures

``python -m tests.fuzz --minutes 60`` runs it. ``python -m tests.fuzz --case FILE`` repeats one case.
"""

import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path += [str(TESTS), str(TESTS / "web")]  # what the tests share is imported from there
