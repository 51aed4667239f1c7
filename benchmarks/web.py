"""Measure what the service costs beside reading itself, and how it copes with many clients at once.

    python benchmarks/web.py [--only PART...] [--photos N] [--seconds S] [--workers N]

A real ``sudoku-vision serve`` on this machine answers drawn photos of VGA size, sent as browsers send them
(``web_service.py``).

* *photos*: N photos one after another. Processor time of server and workers, over that of ``read_page`` on
  the same pictures here, measured in turn; growth of memory between a tenth of the way and the end.
* *crowd*: waits of 4 clients over those of one, measured in turn; beyond the queue, how soon others are
  refused; and a rush of many clients at once, each of which must get an answer.
* *live*: frames a second and waits of 1, 2 and 4 cameras that film at 30 frames a second, over WebSocket
  (``web_cameras.py``).
* *page*: in Chromium as a phone that is four times slower: choosing a photo, a tap, a digit and changes of
  mode, in milliseconds beside the service, over those of the service (``web_page.py``).

Waits are those of the client; the clients run on the same machine. Ctrl-C ends a part, which prints its
results so far.
"""

from __future__ import annotations

from sudoku_vision.blas import start_with_one_thread

start_with_one_thread()  # before NumPy is loaded

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
from drawn.pages import draw_page
from web_cameras import film, filmed
from web_service import Answer, Client, Held, Running, Taken, at_once, running, until

from sudoku_vision.cli.reporter import progress
from sudoku_vision.output.save import encode
from sudoku_vision.pipeline import read_page
from sudoku_vision.vision.digits import CellClassifier, load_model
from workshop.evaluation.text import aligned
from workshop.rendering import KINDS, random_conditions

PARTS = ("photos", "crowd", "live", "page")
VGA = (640, 480)
PICTURES = 40  # different photos, which are sent again and again
COMPARED = 5  # one in so many rounds through the photos is also read here
CROWD = 4  # clients at once
RUSH = 60  # clients that come at the same moment
TURNS = 4  # times that one client and a crowd are measured in turn
ARRIVALS = 80  # clients a second that come to a full queue: more than two workers can answer
VISITORS = 48  # threads that play them: as many as can wait, and some that are refused at once
CAMERAS = (1, 2, 4)  # cameras at once
VISITS = 5  # times that a photo is chosen on the page
FILMS = 2  # different films; further cameras begin with another frame

T = TypeVar("T")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--only", nargs="+", default=PARTS, choices=PARTS, help="what to measure")
    parser.add_argument("--photos", type=int, default=10_000, help="photos one after another")
    parser.add_argument("--seconds", type=float, default=20.0, help="of each measurement of waits")
    parser.add_argument("--workers", type=int, default=0, help="of the service, 0 for as many as cores")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
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
    return 0


def drawn_photos(count: int) -> list[bytes]:
    """Draw *count* photos of VGA size, every kind in its turn; JPEG."""
    photos: list[bytes] = []
    with progress(count, "photos drawn") as bar:
        for number in range(count):
            rng = np.random.default_rng([5, number])
            conditions = replace(random_conditions(rng, KINDS[number % len(KINDS)]), size=VGA)
            photos.append(encode(draw_page(rng, conditions).pixels, ".jpg"))
            bar.advance()
    return photos


@dataclass
class Costs:
    """Processor time in seconds of the rounds of the service and of those here; memory of the service."""

    taken: list[Taken] = field(default_factory=list)
    read: list[float] = field(default_factory=list)
    compared: list[Taken] = field(default_factory=list)
    held: list[Held] = field(default_factory=list)
    failed: int = 0

    @property
    def ratios(self) -> list[float]:
        """Return the service's time over that of reading, for each round of both."""
        return [taken.whole / read for taken, read in zip(self.compared, self.read, strict=True)]

    def growth(self) -> Held:
        """Return the growth in megabytes between a tenth of the way and the end."""
        before, after = self.held[len(self.held) // 10], self.held[-1]
        return Held(after.server - before.server, after.worker - before.worker)


def photos(workers: Sequence[str], sent: Sequence[bytes], count: int) -> None:
    """Processor time and memory."""
    model, costs = load_model(), Costs()
    read_here(model, sent)  # warm
    with running(*workers) as service:
        try:
            run_rounds(service, model, sent, max(1, round(count / len(sent))), costs)
        except KeyboardInterrupt:
            print("  ended early")
    if costs.read:
        print_costs(costs, len(sent))


def run_rounds(
    service: Running, model: CellClassifier, sent: Sequence[bytes], rounds: int, costs: Costs
) -> None:
    """Have all photos read again and again, by the service and sometimes here; add up the *costs*."""
    with progress(rounds, "rounds") as bar:
        for number in range(1 + rounds):
            before = service.taken()
            with Client(service) as client:  # one a round: the service hangs up on silent clients
                failed = sum(client.solve(photo).status != 200 for photo in sent)
            if number == 0:  # to be warm
                continue
            costs.failed += failed
            costs.taken.append(service.taken().since(before))
            costs.held.append(service.held())
            if (number - 1) % COMPARED == 0:
                costs.read.append(read_here(model, sent))
                costs.compared.append(costs.taken[-1])
            bar.advance()


def read_here(model: CellClassifier, sent: Sequence[bytes]) -> float:
    """Read all photos in this process, and return the seconds of processor time."""
    started = time.process_time()
    for photo in sent:
        read_page(photo, model=model)
    return time.process_time() - started


def print_costs(costs: Costs, size: int) -> None:
    """Print the *costs* of rounds of *size* photos."""
    workers, server = (
        1000 * statistics.median(one) / size
        for one in ([one.workers for one in costs.taken], [one.server for one in costs.taken])
    )
    read, growth, last = 1000 * statistics.median(costs.read) / size, costs.growth(), costs.held[-1]
    rows = [
        ("photos, failed", f"{size * len(costs.taken)}", f"{costs.failed}"),
        ("ms of processor a photo: workers, server", f"{workers:.1f}", f"{server:.1f}"),
        ("read_page here, ms; the service over it", f"{read:.1f}", f"{statistics.median(costs.ratios):.3f}"),
        ("server's memory, MB; growth after a tenth", f"{last.server:.1f}", f"{growth.server:+.1f}"),
        ("largest worker's, MB; growth", f"{last.worker:.1f}", f"{growth.worker:+.1f}"),
    ]
    print_table(rows)


def crowd(workers: Sequence[str], sent: Sequence[bytes], seconds: float) -> None:
    """Waits of several clients at once, and refusals beyond the queue."""
    alone: list[Answer] = []
    together: list[Answer] = []
    with running(*workers) as service, progress(2 * TURNS + 2, "one and several in turn") as bar:
        for _ in range(TURNS):
            alone += several(service, sent, 1, seconds / TURNS)
            bar.advance()
            together += several(service, sent, CROWD, seconds / TURNS)
            bar.advance()
        refused = beyond_the_queue(service, sent, seconds)
        bar.advance()
        rushing = at_once(RUSH, lambda number: [asked_once(service, sent[number % len(sent)])])
        bar.advance()
    rows = [
        WAITS_HEAD,
        waits_row("one alone", alone),
        waits_row(f"{CROWD} at once", together),
        waits_row("beyond the queue", refused),
        waits_row("  of these refused", [one for one in refused if one.is_refusal]),
        waits_row(f"{RUSH} in one moment", rushing),
    ]
    print_table(rows)
    print(f"  95 % of {CROWD} at once over 95 % of one alone: {high(together) / high(alone):.2f};")
    print(f"  over the median of one alone: {high(together) / middle(alone):.2f}")


def several(service: Running, sent: Sequence[bytes], count: int, seconds: float) -> list[Answer]:
    """Return the answers to *count* clients, each of which sends its next photo after an answer."""
    end = time.monotonic() + seconds
    return at_once(count, lambda number: until(end, service, rotated(sent, number * len(sent) // count)))


def rotated(sent: Sequence[T], start: int) -> list[T]:
    """Return *sent* from another place on."""
    return [*sent[start:], *sent[:start]]


def asked_once(service: Running, photo: bytes) -> Answer:
    """Return the answer to a client that comes once."""
    with Client(service) as client:
        return client.solve(photo)


def beyond_the_queue(service: Running, sent: Sequence[bytes], seconds: float) -> list[Answer]:
    """Return the answers to clients that each come once, at a steady pace, faster than can be answered."""
    began = time.monotonic()

    def come(number: int) -> Answer:
        time.sleep(max(0.0, began + number / ARRIVALS - time.monotonic()))
        return asked_once(service, sent[number % len(sent)])

    with ThreadPoolExecutor(VISITORS) as threads:
        return list(threads.map(come, range(round(seconds * ARRIVALS))))


def live(workers: Sequence[str], seconds: float) -> None:
    """Measure how many frames a second each camera gets answered, and how long the answers take."""
    drawn = [film(seed) for seed in range(FILMS)]
    films = [rotated(drawn[number % FILMS], 20 * number) for number in range(max(CAMERAS))]
    rows: list[Sequence[str]] = [CAMERAS_HEAD]
    with running(*workers) as service:
        filmed(service, films, 2.0)  # their workers start with the first frame
        for count in CAMERAS:
            before = service.taken()
            seen = filmed(service, films[:count], seconds)
            taken = service.taken().since(before).whole
            waits = [1000 * wait for one in seen for wait in one.waits]
            frames = max(1, len(waits))
            rows.append(
                (
                    str(count),
                    f"{len(waits) / seconds / count:.1f}",
                    *(f"{np.quantile(waits or [0.0], part):.0f}" for part in (0.5, 0.95, 1.0)),
                    f"{100 * sum(one.sure for one in seen) / frames:.0f} %",
                    *(str(sum(counts)) for counts in ([s.wrong for s in seen], [s.failed for s in seen])),
                    f"{1000 * taken / frames:.1f}",
                )
            )
    print_table(rows)


def page_waits(workers: Sequence[str]) -> None:
    """Waits of a person at the page, medians of several visits."""
    from web_page import ACTS, SIZES, drawn_page, phone, waits  # needs a browser, as nothing else does

    rows: list[Sequence[str]] = [("", *ACTS)]
    with (
        tempfile.TemporaryDirectory() as folder,
        running(*workers) as service,
        phone(f"http://{service.host}:{service.port}/") as (page, ready),
    ):
        print(f"  page ready: {ready:.0f} ms")
        for name, size in SIZES.items():
            photo = Path(folder) / "photo.jpg"
            photo.write_bytes(drawn_page(size))
            seen = [waits(page, photo) for _ in range(1 + VISITS)][1:]  # the first is to be warm
            told = [[statistics.median(one[act][part] for one in seen) for act in ACTS] for part in (0, 1)]
            rows.append((f"{name}: ms beside the service", *(f"{beside:.0f}" for beside in told[0])))
            over = (f"{beside / asked:.2f}" if asked else "" for beside, asked in zip(*told, strict=True))
            rows.append(("  over the service's", *over))
    print_table(rows)


CAMERAS_HEAD = ("cameras", "frames/s", "ms median", "95 %", "most", "sure", "wrong", "failed", "ms CPU")
WAITS_HEAD = ("", "answers", "refused", "lost", "ms median", "95 %", "99 %", "most")


def waits_row(name: str, answers: Sequence[Answer]) -> Sequence[str]:
    """Return a row of :data:`WAITS_HEAD`."""
    waits = [1000 * one.seconds for one in answers] or [0.0]
    refused = sum(one.is_refusal for one in answers)
    lost = sum(one.status not in (200, 503, 504) for one in answers)
    quantiles = (f"{np.quantile(waits, part):.0f}" for part in (0.5, 0.95, 0.99, 1.0))
    return (name, str(len(answers) - refused - lost), str(refused), str(lost), *quantiles)


def middle(answers: Sequence[Answer]) -> float:
    """Return the median of the waits in seconds."""
    return statistics.median(one.seconds for one in answers)


def high(answers: Sequence[Answer]) -> float:
    """Return what 95 % of the waits stay under, in seconds."""
    return float(np.quantile([one.seconds for one in answers], 0.95))


def print_table(rows: Sequence[Sequence[str]]) -> None:
    """Print rows as columns."""
    print("\n".join(f"  {line}" for line in aligned(rows).splitlines()), flush=True)


if __name__ == "__main__":
    sys.exit(main())
