"""Measure what the service costs in addition to reading, and how it serves many clients at once.

    python benchmarks/web.py [--only PART...] [--photos N] [--seconds S] [--workers N]

A real ``sudoku-vision serve`` on this machine answers drawn photos of VGA size. ``web_service.py`` sends the
photos as browsers do.

* *photos*: N photos one after another. Three figures are printed: the processor time of server and workers;
  this time divided by the time of ``read_page`` for the same pictures in this process; and the growth of the
  memory after the first tenth of the photos.
* *crowd*: waiting times of 4 clients at once and of one client, measured in turn. After that, clients come
  faster than the service answers: waiting times of all these clients, and of those that are refused.
* *live*: answered frames a second, and waiting times, for 1, 2 and 4 cameras that send 30 frames a second.
* *page*: Chromium shows the page as on a phone that is four times slower than this machine. The waiting time
  is measured after a photo is chosen, a cell is tapped, a digit is written and the mode is changed. The time
  of the service is subtracted. The result is printed in ms, and as a multiple of the time of the service.

The clients run on the same machine.
"""

import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import cycle, islice
from pathlib import Path
from typing import Any, NamedTuple

import bench
import numpy as np
from drawn.films import newest_frames, story
from drawn.pages import draw_page
from web_service import ANSWER_SECONDS, Answer, Client, RunningService, running_service
from websockets.sync.client import connect

from sudoku_vision.output.save import encode
from sudoku_vision.pipeline import read_page
from sudoku_vision.sudoku.board import board_text
from sudoku_vision.vision.digits import CellClassifier, load_model
from workshop.evaluation.text import aligned
from workshop.progress import tracked
from workshop.rendering import KINDS, DrawnGrid, random_conditions

PARTS = ("photos", "crowd", "live", "page")
VGA = (640, 480)
PICTURES = 40  # number of different photos; each round sends all of them
REFUSED_PAUSE = 0.02  # seconds after which a refused client sends its next request
CROWD = 4  # number of clients at once
TURNS = 4  # number of times that one client, then a crowd, is measured
ARRIVALS = 80  # this many new clients a second fill the queue: two workers can't answer as many
VISITORS = 48  # at most this many new clients wait at once, each in a thread; the queue has fewer places
CAMERAS = (1, 2, 4)  # numbers of cameras at once
RATE = 30.0  # number of frames a second
FRAME = (1280, 720)  # width and height of a frame in pixels, as usual for cameras in browsers
STORIES = ("moving", "swap", "leaving")  # a film shows these stories of drawn.films in turn
VISITS = 5  # number of times that a photo is chosen on the page
FILMS = 2  # number of different films


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the measurements that ``--only`` names, and print their figures."""
    parser = bench.parser(__doc__)
    parser.add_argument("--only", nargs="+", default=PARTS, choices=PARTS, help="what to measure")
    parser.add_argument("--photos", type=int, default=10_000, help="photos one after another")
    parser.add_argument("--seconds", type=float, default=20.0, help="of each measurement of waits")
    parser.add_argument("--workers", type=int, default=0, help="of the service, 0 for as many as cores")
    options = parser.parse_args(arguments)
    workers = ("--workers", str(options.workers or len(os.sched_getaffinity(0))))
    sent = drawn_photos(PICTURES) if set(options.only) - {"live", "page"} else []
    parts: dict[str, Callable[[], None]] = {
        "photos": lambda: photos(workers, sent, options.photos),
        "crowd": lambda: crowd(workers, sent, options.seconds),
        "live": lambda: live(workers, options.seconds),
        "page": lambda: page_waits(workers),
    }
    for name in options.only:
        print(f"\n{name}", flush=True)
        parts[name]()


def drawn_photos(count: int) -> list[bytes]:
    """Return *count* drawn photos of VGA size, as JPEG. They have the :data:`KINDS` in turn."""
    photos: list[bytes] = []
    for number in tracked(range(count), "photos drawn"):
        rng = np.random.default_rng([5, number])
        conditions = replace(random_conditions(rng, KINDS[number % len(KINDS)]), size=VGA)
        photos.append(encode(draw_page(rng, conditions).pixels, ".jpg"))
    return photos


def photos(workers: Sequence[str], sent: Sequence[bytes], count: int) -> None:
    """Send about *count* photos to the service. Print its processor time and memory."""
    model = load_model()
    read_here(model, sent)  # not measured, because the first round is slower
    taken, read, held, failed = [], [], [], 0
    with running_service(*workers) as service:
        send_all(service, sent)  # the first round is slower
        for _ in tracked(range(max(1, round(count / len(sent)))), "rounds"):
            before = service.taken()
            failed += send_all(service, sent)
            taken.append(service.taken() - before)
            read.append(read_here(model, sent))
            held.append(service.held())
    server, worker = 1000 * np.median(taken, axis=0) / len(sent)
    ratio = np.median(np.sum(taken, axis=1) / read)
    memory, growth = held[-1], held[-1] - held[len(held) // 10]
    rows = [
        ("photos, failed", f"{len(sent) * len(read)}", f"{failed}"),
        ("ms of processor a photo: workers, server", f"{worker:.1f}", f"{server:.1f}"),
        (
            "read_page here, ms; the service over it",
            f"{1000 * np.median(read) / len(sent):.1f}",
            f"{ratio:.3f}",
        ),
        ("server's memory, MB; growth after a tenth", f"{memory[0]:.1f}", f"{growth[0]:+.1f}"),
        ("largest worker's, MB; growth", f"{memory[1]:.1f}", f"{growth[1]:+.1f}"),
    ]
    print(aligned(rows), flush=True)


def send_all(service: RunningService, sent: Sequence[bytes]) -> int:
    """Let the service read all photos one after another. Return the number of photos without a result."""
    with Client(service) as client:  # a new client a round: the service closes idle connections
        return sum(client.solve(photo).status != 200 for photo in sent)


def read_here(model: CellClassifier, sent: Sequence[bytes]) -> float:
    """Read all photos in this process, without the service. Return the processor time in seconds."""
    started = time.process_time()
    for photo in sent:
        read_page(photo, model=model)
    return time.process_time() - started


def crowd(workers: Sequence[str], sent: Sequence[bytes], seconds: float) -> None:
    """Measure waiting times of one client, of several at once, and of clients that meet a full queue."""
    alone: list[Answer] = []
    together: list[Answer] = []
    with running_service(*workers) as service:
        for _ in tracked(range(TURNS), "one and several in turn"):
            alone += several(service, sent, 1, seconds / TURNS)
            together += several(service, sent, CROWD, seconds / TURNS)
        refused = beyond_the_queue(service, sent, seconds)
    rows = [
        WAITS_HEAD,
        waits_row("one alone", alone),
        waits_row(f"{CROWD} at once", together),
        waits_row("beyond the queue", refused),
        waits_row("  of these refused", [one for one in refused if one.is_refusal]),
    ]
    print(aligned(rows), flush=True)
    over = [wait(together, 0.95) / wait(alone, part) for part in (0.95, 0.5)]
    print(f"95 % of {CROWD} at once over 95 % of one alone: {over[0]:.2f}; over its median: {over[1]:.2f}")


def several(service: RunningService, sent: Sequence[bytes], count: int, seconds: float) -> list[Answer]:
    """Return the answers to *count* clients. Each client sends its next photo as soon as it has an answer."""
    end = time.monotonic() + seconds

    def answers(number: int) -> list[Answer]:
        photos, found = islice(cycle(sent), number * len(sent) // count, None), list[Answer]()
        with Client(service) as client:
            while time.monotonic() < end:
                found.append(client.solve(next(photos)))
                if found[-1].status != 200:
                    time.sleep(REFUSED_PAUSE)
        return found

    with ThreadPoolExecutor(count) as threads:
        return [one for found in threads.map(answers, range(count)) for one in found]


def beyond_the_queue(service: RunningService, sent: Sequence[bytes], seconds: float) -> list[Answer]:
    """Return the answers to clients that come at a constant rate, which is too high for the service."""
    began = time.monotonic()

    def come(number: int) -> Answer:
        time.sleep(max(0.0, began + number / ARRIVALS - time.monotonic()))
        with Client(service) as client:
            return client.solve(sent[number % len(sent)])

    with ThreadPoolExecutor(VISITORS) as threads:
        return list(threads.map(come, range(round(seconds * ARRIVALS))))


def live(workers: Sequence[str], seconds: float) -> None:
    """Measure the answered frames a second for each camera, and the time that an answer takes."""
    films = [film(seed) for seed in range(FILMS)]
    rows: list[Sequence[str]] = [CAMERAS_HEAD]
    with running_service(*workers) as service:
        filmed(service, max(CAMERAS), films, 2.0)  # not measured: the first frame starts a worker
        for count in CAMERAS:
            before = service.taken()
            seen = filmed(service, count, films, seconds)
            cost = 1000 * (service.taken() - before).sum()
            waits = [1000 * wait for one in seen for wait in one.waits] or [0.0]
            sure, wrong, failed = (sum(counts) for counts in zip(*(one.counts for one in seen), strict=True))
            quantiles = (f"{np.quantile(waits, part):.0f}" for part in (0.5, 0.95, 1.0))
            counts = (f"{100 * sure / len(waits):.0f} %", str(wrong), str(failed))
            rate = f"{len(waits) / seconds / count:.1f}"
            rows.append((str(count), rate, *quantiles, *counts, f"{cost / len(waits):.1f}"))
    print(aligned(rows), flush=True)


@dataclass(frozen=True, eq=False)
class FilmFrame:
    """A frame as JPEG, which is what the web page sends, and the grids that are drawn in the frame."""

    jpeg: bytes
    grids: tuple[DrawnGrid, ...]

    def wrong(self, grids: Sequence[dict[str, Any]]) -> int:
        """Return the number of wrong solutions among the *grids* of an answer."""
        answered = [one for one in grids if one["solution"] is not None]
        drawn = [(bench.nearest(one["crossings"], self.grids), one["solution"]) for one in answered]
        return sum(near is None or board_text(near[1].solution) != solution for near, solution in drawn)


Film = Sequence[FilmFrame]


def film(seed: int) -> list[FilmFrame]:
    """Draw the stories of :data:`STORIES`; the *seed* decides their puzzles."""
    stories = [story(name, size=FRAME, seed=seed) for name in STORIES]
    frames = (frame for one in tracked(stories, "films drawn") for frame in one.frames())
    return [FilmFrame(encode(frame.pixels, ".jpg"), frame.grids + frame.cut) for frame in frames]


class Seen(NamedTuple):
    """The answers to one camera.

    ``waits``: the seconds for each answer. ``counts``: the numbers of sure, wrong and failed answers.
    """

    waits: list[float]
    counts: tuple[int, int, int]


def filmed(service: RunningService, count: int, films: Sequence[Film], seconds: float) -> list[Seen]:
    """Let *count* cameras send *films* at the same time, for *seconds* seconds. Return the answers.

    If several cameras send the same film, each begins at another frame.
    """
    with ThreadPoolExecutor(count) as threads:
        sent = [threads.submit(one_camera, service, films[n % FILMS], 20 * n, seconds) for n in range(count)]
        return [one.result() for one in sent]


def one_camera(service: RunningService, film: Film, first: int, seconds: float) -> Seen:
    """Send a film that begins at the frame *first*. After each answer, send the camera's newest frame."""
    waits, sure, wrong, failed = list[float](), 0, 0, 0
    address = f"{service.origin.replace('http', 'ws')}/api/live"
    with connect(address, compression=None, max_size=None, proxy=None) as socket:
        for number, _ in newest_frames(round(seconds * RATE), RATE):
            frame, sent = film[(first + number) % len(film)], time.perf_counter()
            socket.send(frame.jpeg)
            answer = json.loads(socket.recv(ANSWER_SECONDS))
            waits.append(time.perf_counter() - sent)
            failed += "error" in answer
            sure += answer.get("state") == "sure"
            wrong += bool(frame.wrong(answer.get("grids", [])))
    return Seen(waits, (sure, wrong, failed))


def page_waits(workers: Sequence[str]) -> None:
    """Measure waiting times at the page, and print their medians over several visits."""
    from web_page import ACTS, SIZES, drawn_page, phone, waits  # only this part needs a browser

    rows: list[Sequence[str]] = [("", *ACTS)]
    with (
        tempfile.TemporaryDirectory() as folder,
        running_service(*workers) as service,
        phone(f"{service.origin}/") as (page, ready),
    ):
        print(f"page ready: {ready:.0f} ms")
        for name, size in SIZES.items():
            photo = Path(folder) / "photo.jpg"
            photo.write_bytes(drawn_page(size))
            seen = [waits(page, photo) for _ in range(1 + VISITS)][1:]  # the first visit is slower
            middle = [[statistics.median(one[act][part] for one in seen) for act in ACTS] for part in (0, 1)]
            rows.append((f"{name}: ms beside the service", *(f"{beside:.0f}" for beside in middle[0])))
            over = (f"{beside / asked:.2f}" if asked else "" for beside, asked in zip(*middle, strict=True))
            rows.append(("  over the service's", *over))
    print(aligned(rows), flush=True)


CAMERAS_HEAD = ("cameras", "frames/s", "ms median", "95 %", "most", "sure", "wrong", "failed", "ms CPU")
WAITS_HEAD = ("", "answers", "refused", "lost", "ms median", "95 %", "99 %", "most")


def waits_row(name: str, answers: Sequence[Answer]) -> Sequence[str]:
    """Return a row with the columns of :data:`WAITS_HEAD`."""
    refused = sum(one.is_refusal for one in answers)
    lost = sum(one.status not in (200, 503, 504) for one in answers)
    quantiles = (f"{1000 * wait(answers, part):.0f}" for part in (0.5, 0.95, 0.99, 1.0))
    return (name, str(len(answers) - refused - lost), str(refused), str(lost), *quantiles)


def wait(answers: Sequence[Answer], part: float) -> float:
    """Return a quantile of the waiting times for *answers*, in seconds. *part* (0..1): which quantile."""
    return float(np.quantile([one.seconds for one in answers] or [0.0], part))


if __name__ == "__main__":
    main()
