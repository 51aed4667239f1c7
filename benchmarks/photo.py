"""Measure the time of a photo: of each stage, of reading compared with ``cv2.imread``, of a whole process.

    python benchmarks/photo.py [--runs N] [PHOTO...] [--data FOLDER]

Three photos are drawn (VGA, 2 and 12 megapixels); each PHOTO is measured, too. Every library uses one thread.
Times are medians in milliseconds. The stages read the photo at full size. ``read`` is reading without
drawing; it uses a smaller copy of a large photo. ``read`` and ``imread`` take turns, so that the machine is
equally busy for both; ``ratio`` is their ratio.

With ``--data`` the photos of a folder up to VGA size are measured instead, by processor time. For each stage,
the shortest of some runs counts; the median and the mean of all photos are printed.
"""

from __future__ import annotations

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
from typing import TypeVar

import bench
import cv2
import numpy as np
from drawn.pages import draw_page

from sudoku_vision.output.overlay import overlay
from sudoku_vision.output.save import save
from sudoku_vision.pipeline import read_page
from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.decode import decode_turns
from sudoku_vision.vision.digits import CellClassifier, load_model, weigh_page, with_marks
from sudoku_vision.vision.digits.model_files import MARK_READERS
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.load import load_photo
from sudoku_vision.vision.locate import locate
from sudoku_vision.vision.rectify import coarse_view, even, remove_lines, straighten
from sudoku_vision.vision.results import Lattice, Photo
from workshop.rendering import Conditions, Light, Optics, Pose

SIZES = {"VGA": (640, 480), "2 megapixels": (1600, 1200), "12 megapixels": (4000, 3000)}
"""Width and height of the drawn photos, in pixels."""

STAGES = ("load", "locate", "rectify", "digits", "marks", "ink", "decode", "overlay")
COLD_RUNS = 5

T = TypeVar("T")
Times = dict[str, list[float]]
Clock = Callable[[], float]
MOST_VALUES = 3 * 640 * 480
"""Largest number of values in the array of a VGA photo, upright or not."""


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


def timed(times: Times, name: str, work: Callable[[], T], clock: Clock = time.perf_counter) -> T:
    """Do some work, and add its time in milliseconds to *times*; *clock* returns seconds."""
    start = clock()
    result = work()
    times.setdefault(name, []).append(1000 * (clock() - start))
    return result


def _unpacked(path: Path) -> Photo:
    """Load a photo with all of its pixels, which are otherwise unpacked later."""
    return Photo(load_photo(path).pixels)


def run_once(
    path: Path,
    model: CellClassifier,
    grids: Sequence[Grid],
    times: Times,
    clock: Clock = time.perf_counter,
) -> None:
    """Read a photo, and add the time of each stage to *times*; *grids* are those to draw."""

    def stage(name: str, work: Callable[[], T]) -> T:
        return timed(times, name, work, clock)

    photo = stage("load", lambda: _unpacked(path))
    lattices = stage("locate", lambda: locate(photo))
    cut = stage("rectify", lambda: [_cut(photo, lattice) for lattice in lattices])
    turns = stage("digits", lambda: [model.classify_turns(cells) for _, _, cells in cut])
    looked = [(one, cells, scores) for one, (_, _, cells), scores in zip(lattices, cut, turns, strict=True)]
    reader = MARK_READERS.load()
    turns = stage("marks", lambda: [with_marks(photo, *one, reader) for one in looked])
    pages = [(*one, scores) for one, scores in zip(cut, turns, strict=True)]
    weighed = stage("ink", lambda: [weigh_page(*page) for page in pages])
    stage("decode", lambda: [decode_turns(one.likely_scores) for one in weighed])
    stage("overlay", lambda: overlay(photo, grids))


def _cut(photo: Photo, lattice: Lattice) -> tuple[Image, Image, Floats]:
    """Return the straightened grid, a smaller copy of it, and its ink without lines."""
    straight = straighten(photo, lattice)
    coarse = coarse_view(straight)
    return straight, coarse, remove_lines(even(straight, coarse))


def measure(path: Path, runs: int) -> tuple[Times, str]:
    """Return the times of a photo after a first run, and the status of its page."""
    model = load_model()
    page = read_page(path, model=model)
    run_once(path, model, page.grids, {})
    times: Times = {}
    for _ in range(runs):
        run_once(path, model, page.grids, times)
    for _ in range(runs):
        timed(times, "read", lambda: read_page(path, model=model))
        timed(times, "imread", lambda: cv2.imread(str(path), cv2.IMREAD_COLOR))
    return times, page.status


def cold(path: Path) -> float:
    """Return the median time of a process that solves a photo, in milliseconds.

    Its modules are already compiled, as in an installed program.
    """
    times: Times = {}
    call = [sys.executable, "-m", "sudoku_vision", "solve", str(path)]
    with tempfile.TemporaryDirectory() as compiled:
        environment = os.environ | {"PYTHONPYCACHEPREFIX": compiled, "PYTHONDONTWRITEBYTECODE": ""}
        solve = partial(subprocess.run, call, capture_output=True, check=False, env=environment)
        solve()
        for _ in range(COLD_RUNS):
            timed(times, "cold", solve)
    return statistics.median(times["cold"])


def measure_folder(folder: Path, runs: int) -> None:
    """Print the median and the mean time of each stage over the photos of a folder up to VGA size."""
    model = load_model()
    least: Times = {}
    for path in sorted(folder.glob("*.jpg")):
        if load_photo(path).pixels.size > MOST_VALUES:
            continue
        page = read_page(path, model=model)
        times: Times = {}
        for _ in range(runs):
            run_once(path, model, page.grids, times, time.process_time)
            timed(times, "read", partial(read_page, path, model=model), time.process_time)
        for stage, values in times.items():
            least.setdefault(stage, []).append(min(values))
    print(f"{len(least.get('read', ()))} photos of {folder}, milliseconds of one core: median, mean")
    for stage, values in least.items():
        print(f"{stage:<10}{statistics.median(values):8.1f}{statistics.mean(values):8.1f}")


def report(name: str, path: Path, runs: int) -> None:
    """Print the figures of a photo."""
    times, status = measure(path, runs)
    medians = {stage: statistics.median(values) for stage, values in times.items()}
    whole = statistics.median(map(sum, zip(*(times[stage] for stage in STAGES), strict=True)))
    stages = "".join(f"{medians[stage]:9.1f}" for stage in STAGES)
    ratio = medians["read"] / medians["imread"]
    ends = "".join(f"{one:9.1f}" for one in (whole, medians["read"], medians["imread"]))
    print(
        f"{name:<22}{stages}{ends}{ratio:8.2f}{cold(path):9.0f}  {status}",
        flush=True,
    )


def in_a_fresh_process(name: str, path: Path, runs: int) -> None:
    """Print the figures of a photo, measured in a process of its own.

    In one process, a photo would find memory that the photos before have left. Without such memory, large
    pictures take 1.5 times as long.
    """
    process = multiprocessing.get_context("spawn").Process(target=report, args=(name, path, runs))
    process.start()
    process.join()


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure the drawn and the given photos."""
    parser = bench.parser(__doc__)
    parser.add_argument("photos", nargs="*", type=Path, help="photos to measure beside the drawn ones")
    parser.add_argument("--runs", type=int, default=15, help="warm runs of each photo")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="the median of a folder's photos instead")
    options = parser.parse_args(arguments)
    if options.data is not None:
        measure_folder(options.data, options.runs)
        return
    heads = "".join(f"{stage:>9}" for stage in (*STAGES, "whole", "read", "imread"))
    print(f"{'ms, one core':<22}{heads}{'ratio':>8}{'cold':>9}  status", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name, size in SIZES.items():
            path = Path(folder) / f"{size[0]}x{size[1]}.jpg"
            draw_photo(size, path)
            in_a_fresh_process(name, path, options.runs)
    for path in options.photos:
        in_a_fresh_process(path.name[-20:], path, options.runs)


if __name__ == "__main__":
    main()
