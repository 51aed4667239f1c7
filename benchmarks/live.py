"""Measure how fast the live camera is and how often it is right, on rendered films.

    python benchmarks/live.py [--only PART...] [--seeds N]

* *speed*: number of frames for each second of processor time, for tracking and drawing together. The frames
  show a grid, which is tracked, or an empty table top. Without a grid, each frame is searched for one.
* *latency*: wall time from the arrival of a frame until it is drawn, at 30 frames a second. Slow work runs in
  another thread. The time is measured on one core and on two. Run this part on an idle machine.
* *first*: wall time from a grid's first appearance until its right answer is known, also at 30 frames a
  second.
* *films*: for every story of ``drawn.films``: the distance of the line crossings from their true places, the
  time from the first frame to the right answer, and the number of frames with a wrong answer.
"""

import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import bench
import cv2
import numpy as np
from drawn.film import Frame
from drawn.films import STORIES, newest_frames, story

from sudoku_vision.live.draw import Annotator
from sudoku_vision.live.tracker import TrackedGrid, Tracker
from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.digits import CellClassifier, load_model
from workshop.evaluation.text import aligned
from workshop.progress import tracked
from workshop.rendering import DrawnGrid

SIZES = ((640, 480), (1280, 720))
RATE = 30.0
PARTS = ("speed", "latency", "first", "films")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the measurements that ``--only`` names, and print their figures."""
    parser = bench.parser(__doc__)
    parser.add_argument("--only", nargs="+", default=PARTS, choices=PARTS, help="what to measure")
    parser.add_argument("--seeds", type=int, default=2, help="films of each story")
    options = parser.parse_args(arguments)
    model = load_model()
    parts = {
        "speed": lambda: speed(model),
        "latency": lambda: latency(model),
        "first": lambda: first(model, options.seeds),
        "films": lambda: films(model, options.seeds),
    }
    for name in options.only:
        print(f"\n{name}", flush=True)
        parts[name]()


def speed(model: CellClassifier) -> None:
    """Print how many frames are tracked and annotated in a second of processor time."""
    rows = [("size", "what", "frames", "fps in the mean", "ms median", "95 %", "most")]
    for size in SIZES:
        for what in ("still", "moving", "looking"):
            film = story("moving" if what == "moving" else "still", size=size)
            frames = [frame.pixels for frame in film.frames()]
            if what == "looking":
                frames = [emptied(pixels) for pixels in frames]
            tracker, annotator = Tracker(model), Annotator()
            annotator.annotate(frames[0], tracker.update(frames[0], 0.0))
            costs = []
            for number, pixels in enumerate(frames[1:], 1):
                started = time.process_time()
                annotator.annotate(pixels, tracker.update(pixels, number / RATE))
                costs.append(1000 * (time.process_time() - started))
            times = (f"{np.median(costs):.1f}", f"{np.quantile(costs, 0.95):.1f}", f"{max(costs):.1f}")
            rows.append(
                ("x".join(map(str, size)), what, str(len(costs)), f"{1000 / np.mean(costs):.1f}", *times)
            )
    print(aligned(rows))


def emptied(pixels: Image) -> Image:
    """Return a frame that shows only the table top: the left quarter of *pixels*, stretched in width."""
    quarter = pixels[:, : pixels.shape[1] // 4]
    wide = cv2.resize(quarter, pixels.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(wide, np.uint8)


def latency(model: CellClassifier) -> None:
    """Print the time from the capture of a frame until it is annotated."""
    rows = [("size", "cores", "frames", "shown", "ms median", "95 %")]
    available = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    for size in SIZES:
        film = 4 * [frame.pixels for frame in story("moving", size=size).frames()]
        for cores in (1, 2):
            if len(available) >= cores:
                os.sched_setaffinity(0, available[:cores])
            waits = live_waits(model, film)
            times = (f"{np.median(waits):.1f}", f"{np.quantile(waits, 0.95):.1f}")
            rows.append(("x".join(map(str, size)), str(cores), str(len(film)), str(len(waits)), *times))
    if available:
        os.sched_setaffinity(0, available)
    print(aligned(rows))


def first(model: CellClassifier, seeds: int) -> None:
    """Print the time from a grid's first appearance until its right answer is known."""
    rows = [("size", "films", "s median", "most", "never")]
    films = [(name, seed) for name, one in STORIES.items() if one.sharp for seed in range(seeds)]
    for size in SIZES:
        waits = [
            answered_after(model, list(story(name, size=size, seed=seed).frames())) for name, seed in films
        ]
        right = [wait for wait in waits if wait is not None]
        times = (f"{np.median(right):.3f}", f"{max(right):.3f}")
        rows.append(("x".join(map(str, size)), str(len(waits)), *times, str(len(waits) - len(right))))
    print(aligned(rows))


def answered_after(model: CellClassifier, film: Sequence[Frame]) -> float | None:
    """Return the seconds from a grid's appearance to its right answer; None without a right answer.

    If a grid leaves the picture before its answer is found, the time starts again when the grid comes back.
    """
    with ThreadPoolExecutor(1) as jobs:
        tracker, appeared = Tracker(model, jobs), time.perf_counter()
        for number, _ in newest_frames(len(film), RATE):
            frame = film[number]
            appeared = appeared if frame.grids else time.perf_counter()
            grids = tracker.update(frame.pixels, frame.time)
            if any(one.state == "sure" and bench.is_answered(one.result, drawn(one, frame)) for one in grids):
                return time.perf_counter() - appeared
    return None


def live_waits(model: CellClassifier, film: Sequence[Image]) -> list[float]:
    """Return, for each annotated frame, the milliseconds from its capture until it was annotated.

    Only the newest frame is taken each time. Older frames, captured during work on a frame, are left out.
    """
    waits: list[float] = []
    with ThreadPoolExecutor(1) as jobs:
        tracker, annotator = Tracker(model, jobs), Annotator(jobs)
        for number, captured in newest_frames(len(film), RATE):
            annotator.annotate(film[number], tracker.update(film[number], number / RATE))
            waits.append(1000 * (time.perf_counter() - captured))
    return waits


def films(model: CellClassifier, seeds: int) -> None:
    """Print the errors of line crossings, the times until the answers, and the wrong answers, at 1280x720."""
    rows: list[Sequence[str]] = [
        ("story", "frames", "sure", "wrong", "lattice median", "95 %", "first right after")
    ]
    all_off: list[float] = []
    slowest, wrong_ones, total = 0.0, 0, 0
    for name, seed in tracked([(name, seed) for name in STORIES for seed in range(seeds)], "films"):
        tracker = Tracker(model)
        off: list[float] = []
        count = sure = wrong = 0
        first = np.inf
        for frame in story(name, seed=seed).frames():
            count += 1
            answers = [one for one in tracker.update(frame.pixels, frame.time) if one.state == "sure"]
            sure += bool(answers)
            right = [bench.is_answered(one.result, drawn(one, frame)) for one in answers]
            wrong += not all(right)
            off += [distance(one, drawn(one, frame)) for one in answers]
            first = min(first, frame.time) if any(right) else first
        all_off += off
        wrong_ones, total = wrong_ones + wrong, total + count
        slowest = max(slowest, first) if STORIES[name].sharp else slowest
        places = (f"{np.quantile(off or [np.nan], part):.2f}" for part in (0.5, 0.95))
        rows.append((name, str(count), str(sure), str(wrong), *places, f"{first:.2f} s"))
    print(aligned(rows))
    print(f"all: {total} frames, {wrong_ones} with a wrong answer, lattice {np.median(all_off):.2f} px;")
    print(f"sharp films: right after {slowest:.2f} s at most (time in the film, without processor time)")


def drawn(grid: TrackedGrid, frame: Frame) -> DrawnGrid:
    """Return the true grid in a *frame* that is nearest to a tracked grid."""
    found = bench.nearest(grid.lattice.crossings, frame.grids + frame.cut)
    assert found is not None
    return found[1]


def distance(grid: TrackedGrid, truth: DrawnGrid) -> float:
    """Return the mean distance of a grid's line crossings from their true places, in pixels."""
    apart: Floats = np.linalg.norm(grid.lattice.crossings - truth.lattice.crossings, axis=2)
    return float(apart.mean())


if __name__ == "__main__":
    main()
