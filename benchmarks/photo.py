"""Measure the time for reading a photo, compared with ``cv2.imread``, and the time of a whole process.

    python benchmarks/photo.py [--runs N] [PHOTO...] [--data FOLDER]

Three photos are drawn (VGA, 2 and 12 megapixels); each PHOTO is measured, too. Every library uses one thread.
Times are medians in milliseconds. ``read`` is the time from the file to the result, without drawing. ``read``
and ``imread`` (the time of ``cv2.imread``) are measured in turn, so that the machine is equally busy for
both; ``ratio`` is ``read`` divided by ``imread``. ``cold`` is the time of a whole process of
``sudoku-vision solve``.

With ``--data``, all photos of at most VGA size in a folder are read instead. For each photo, the shortest
processor time of some runs is used. The median and the mean of these times are printed.
"""

import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import bench
import cv2
import numpy as np
from drawn.pages import draw_page

from sudoku_vision.output.save import save
from sudoku_vision.pipeline import read_page
from sudoku_vision.vision.digits import load_model
from sudoku_vision.vision.load import load_photo
from workshop.rendering import Conditions, Light, Optics, Pose

SIZES = {"VGA": (640, 480), "2 megapixels": (1600, 1200), "12 megapixels": (4000, 3000)}  # width, height
COLD_RUNS = 5
MOST_VALUES = 3 * 640 * 480  # number of values in the array of a VGA photo; --data leaves out larger photos


def draw_photo(size: tuple[int, int], path: Path) -> None:
    """Draw a photo of a newspaper, and write it as JPEG."""
    conditions = Conditions(
        size=size,
        layout="newspaper",
        grain=4,
        pose=Pose(pitch=12, yaw=8, roll=4, fill=0.8),
        light=Light(gradient=0.25),
        optics=Optics(noise=3, blur=0.6),
    )
    save(path, draw_page(np.random.default_rng(12), conditions).pixels)


def milliseconds(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """Return the milliseconds that a call of *work* takes. *clock* returns the time in seconds."""
    start = clock()
    work()
    return 1000 * (clock() - start)


def cold(path: Path) -> float:
    """Return the median time of a new process that solves a photo, in milliseconds.

    An installed program has compiled modules. So a first process, which compiles them, isn't counted.
    """
    call = [sys.executable, "-m", "sudoku_vision", "solve", str(path)]
    with tempfile.TemporaryDirectory() as compiled:
        environment = os.environ | {"PYTHONPYCACHEPREFIX": compiled, "PYTHONDONTWRITEBYTECODE": ""}
        solve = partial(subprocess.run, call, capture_output=True, check=False, env=environment)
        return statistics.median([milliseconds(solve) for _ in range(1 + COLD_RUNS)][1:])


def measure_folder(folder: Path, runs: int) -> None:
    """Print the median and the mean time for reading a photo. Photos larger than VGA are left out."""
    model = load_model()
    least = []
    for path in sorted(folder.glob("*.jpg")):
        if load_photo(path).pixels.size <= MOST_VALUES:
            read = partial(read_page, path, model=model)
            least.append(min([milliseconds(read, time.process_time) for _ in range(1 + runs)][1:]))
    middle = f"median {statistics.median(least):.1f}, mean {statistics.mean(least):.1f}" if least else ""
    print(f"{len(least)} photos of {folder}, milliseconds of one core: {middle}")


def report(name: str, path: Path, runs: int) -> None:
    """Print the times and the status of one photo."""
    model = load_model()
    status = read_page(path, model=model).status
    works = (partial(read_page, path, model=model), partial(cv2.imread, str(path), cv2.IMREAD_COLOR))
    times = [[milliseconds(work) for work in works] for _ in range(runs)]
    read, imread = map(statistics.median, zip(*times, strict=True))
    print(f"{name:<22}{read:9.1f}{imread:9.1f}{read / imread:8.2f}{cold(path):9.0f}  {status}", flush=True)


def in_a_fresh_process(name: str, path: Path, runs: int) -> None:
    """Print the times of a photo, measured in a process of its own.

    If one process measured all photos, a photo could reuse memory that was freed after earlier photos. In a
    new process, there is no freed memory, and a large picture takes 1.5 times as long as with freed memory.
    """
    process = multiprocessing.get_context("spawn").Process(target=report, args=(name, path, runs))
    process.start()
    process.join()


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure the drawn and the given photos."""
    parser = bench.parser(__doc__)
    parser.add_argument("photos", nargs="*", type=Path, help="photos to measure beside the drawn ones")
    parser.add_argument("--runs", type=int, default=15, help="runs of each photo")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="the median of a folder's photos instead")
    options = parser.parse_args(arguments)
    if options.data is not None:
        measure_folder(options.data, options.runs)
        return
    print(f"{'ms, one core':<22}{'read':>9}{'imread':>9}{'ratio':>8}{'cold':>9}  status", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        drawn = {name: Path(folder) / f"{name}.jpg" for name in SIZES}
        for name, path in drawn.items():
            draw_photo(SIZES[name], path)
        for name, path in (*drawn.items(), *((path.name[-20:], path) for path in options.photos)):
            in_a_fresh_process(name, path, options.runs)


if __name__ == "__main__":
    main()
