"""Memory that is freed is kept: reading one photo after another asks the system for next to none."""

import platform
import subprocess
import sys

import pytest

READ_AGAIN = """
import resource
from sudoku_vision import solve_photo

def faults(photo):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    assert solve_photo(photo).grids
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

first = faults({path!r})
print(first, min(faults({path!r}) for _ in range(3)))
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries keep memory as they like")
def test_a_second_photo_takes_no_new_memory_of_the_system() -> None:
    code = READ_AGAIN.format(path="sample_images/newspaper.jpg")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    first, again = map(int, done.stdout.split())
    assert again < 100 < first
