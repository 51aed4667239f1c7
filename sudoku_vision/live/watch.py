"""Watch a film frame by frame: find grids, follow them, add up what is read, hold the answer.

Following is quick and done for every frame. Finding and reading take longer and are handed out as *jobs*, one
at a time, whose results are worked in when they are there: the board has been followed meanwhile.

* A grid that is found is read again and again, each look adding to its evidence, until the reading is sure.
* A sure reading is solved once and held; now and then a single look makes sure that it still stands there.
* A grid whose cells look different from one frame to the next is another puzzle: its answer goes at once.
* A lost grid is carried along with its surroundings for about a second, and remembered for some more: what is
  found then and looks the same has its answer back without being read again.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

import numpy as np

from sudoku_vision.decode import grid_status
from sudoku_vision.digits import DigitModel
from sudoku_vision.live.evidence import Evidence
from sudoku_vision.live.follow import Sight, Track, begin, carry, follow, sharpness, turn_of
from sudoku_vision.locate import glance
from sudoku_vision.pipeline import close_turns, look_at, upright_reading
from sudoku_vision.results import GridResult, Image, Lattice, Photo

State = Literal["reading", "sure", "unsolvable"]
"""What is known of a grid: not enough yet; its one solution; that it has none, or several."""

HOLD = 1.0
"""Seconds for which a lost grid is carried along."""
REMEMBER = 5.0
"""Seconds after which a lost puzzle is forgotten."""
FIND_MORE = 0.6
"""Seconds between glances for more grids while all that are known are followed."""
MAKE_SURE = 1.0
"""Seconds between looks at a grid whose reading is sure."""
TRY_AGAIN = 0.25
"""Seconds between looks at a grid that many looks have not made sure."""

MANY_LOOKS = 12
"""Looks after which a grid that is not sure is looked at less often, and may be called unsolvable."""
SHARP_ENOUGH = 0.7
"""A frame is read if it is at least so sharp, against the sharpest of the same board."""
CHANGED = 0.25
"""Likeness of the inked cells below which another puzzle lies there; fast motion leaves 0.4."""
SAME = 0.6
"""Likeness of the inked cells from which a grid is one that was lost."""
MOST_GRIDS = 8
"""Grids that are followed at most."""

_T = TypeVar("_T")


class AtOnce(Executor):
    """Runs every job when it is handed in: each frame is then worked out to the end before the next."""

    def submit(self, fn: Callable[..., _T], /, *args: Any, **kwargs: Any) -> Future[_T]:
        """Run *fn* and give its result as a future that is done."""
        future: Future[_T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


@dataclass(frozen=True, eq=False)
class Seen:
    """A grid in one frame.

    ``number`` is the same in all frames in which it is followed. ``grid``: what is read so far, its lattice
    that of this frame, clockwise from the puzzle's own top left; None before the first look. Only where
    ``state`` is ``sure`` is its solution to be shown.
    """

    number: int
    state: State
    lattice: Lattice
    grid: GridResult | None


@dataclass(frozen=True, eq=False)
class _Known:
    """What is known of a puzzle: its evidence, what that reads as, and by how many quarter turns it lies."""

    evidence: Evidence | None = None
    result: GridResult | None = None
    turn: int = 0

    @property
    def sure(self) -> bool:
        return self.result is not None and self.result.status == "solved"

    @property
    def looks(self) -> int:
        return 0 if self.evidence is None else self.evidence.looks

    @property
    def state(self) -> State:
        if self.sure:
            return "sure"
        hopeless = self.result is not None and self.result.status in ("no_solution", "many_solutions")
        return "unsolvable" if hopeless and self.looks >= MANY_LOOKS else "reading"


@dataclass(eq=False)
class _Target:
    """A grid that is followed, or was until a moment ago."""

    number: int
    track: Track
    known: _Known
    seen_at: float
    looked_at: float = -1e9
    sharpest: float = 0.0
    job: Future[_Known] | None = None

    def to_seen(self) -> Seen:
        lattice = self.track.lattice.turned(self.known.turn)
        result = self.known.result
        return Seen(
            self.number,
            self.known.state,
            lattice,
            None if result is None else replace(result, lattice=lattice),
        )


class Watcher:
    """Knows the grids of a film; :meth:`see` takes its frames in order."""

    def __init__(self, model: DigitModel, jobs: Executor | None = None) -> None:
        """*jobs* runs finding and reading beside the frames; without, they are done within them."""
        self._model = model
        self._jobs = jobs or AtOnce()
        self._targets: list[_Target] = []
        self._lost: list[_Target] = []
        self._finding: Future[tuple[Sight, list[Lattice]]] | None = None
        self._glances = 0
        self._found_at = -1e9
        self._count = 0

    def see(self, pixels: Image, time: float) -> tuple[Seen, ...]:
        """Take the next frame, (H, W, 3) uint8 BGR, seen at *time* in seconds, and say what is in it."""
        sight = Sight.of(pixels)
        for target in list(self._targets):
            self._follow(target, sight, time)
        self._take_found(sight, time)
        for target in self._targets:
            self._take_read(target)
        self._find(pixels, sight, time)
        self._take_found(sight, time)
        for target in self._targets:
            self._look(target, pixels, time)
            self._take_read(target)
        return tuple(target.to_seen() for target in self._targets)

    def forget(self) -> None:
        """Begin afresh: what is in view is found and read anew."""
        self._targets, self._lost = [], []

    def _follow(self, target: _Target, sight: Sight, time: float) -> None:
        """Follow one grid into the next frame; let it go where another puzzle came, or it is long lost."""
        track = follow(target.track, sight)
        if track is not None and track.alike >= CHANGED:
            target.track, target.seen_at = track, time
            return
        carried = None if track is not None or time - target.seen_at > HOLD else carry(target.track, sight)
        if carried is None:
            self._targets.remove(target)
            self._lost.append(target)
        else:
            target.track = carried

    def _find(self, pixels: Image, sight: Sight, time: float) -> None:
        """Glance for grids, at once where none is followed, else now and then."""
        if self._finding is not None or len(self._targets) >= MOST_GRIDS:
            return
        if self._targets and time - self._found_at < FIND_MORE:
            return
        self._found_at = time
        number = self._glances
        self._glances += 1
        self._finding = self._jobs.submit(lambda: (sight, glance(Photo(pixels), number)))

    def _take_found(self, sight: Sight, time: float) -> None:
        """Work in what a glance found in the frame that it was given."""
        if self._finding is None or not self._finding.done():
            return
        then, lattices = self._finding.result()
        self._finding = None
        self._lost = [target for target in self._lost if time - target.seen_at < REMEMBER]
        for lattice in lattices:
            track = begin(then, lattice)
            if track is None:
                continue
            if then is not sight:
                track = follow(track, sight)
            if track is not None and not any(_overlap(track, other.track) for other in self._targets):
                self._add(track, time)

    def _add(self, track: Track, time: float) -> None:
        """Begin to follow a grid: one that was lost, or a new one."""
        for target in reversed(self._lost):
            turn, likeness = turn_of(track, target.track.pattern)
            again = begin(track.sight, track.lattice.turned(turn)) if likeness >= SAME else None
            if again is not None:
                self._lost.remove(target)
                self._targets.append(_Target(target.number, again, target.known, time))
                return
        self._count += 1
        self._targets.append(_Target(self._count, track, _Known(), time))

    def _look(self, target: _Target, pixels: Image, time: float) -> None:
        """Have a grid read in this frame, if there is something to gain."""
        pause = MAKE_SURE if target.known.sure else TRY_AGAIN if target.known.looks >= MANY_LOOKS else 0.0
        if target.job is not None or target.track.share == 0 or time - target.looked_at < pause:
            return
        sharp = sharpness(target.track)
        target.sharpest = max(sharp, 0.98 * target.sharpest)
        if sharp < SHARP_ENOUGH * target.sharpest:
            return
        target.looked_at = time
        lattice, known = target.track.lattice, target.known
        target.job = self._jobs.submit(read_once, pixels, lattice, known, self._model)

    def _take_read(self, target: _Target) -> None:
        """Work in what a look at a grid has shown."""
        if target.job is None or not target.job.done():
            return
        target.known, target.job = target.job.result(), None


def read_once(pixels: Image, lattice: Lattice, known: _Known, model: DigitModel) -> _Known:
    """What is known of a puzzle after one more look at it.

    A look at one that is sure stands alone: if it is sure of another puzzle, it is that one from now on.
    """
    fresh = Evidence.of(look_at(Photo(pixels), lattice, model).turns)
    if known.sure:
        other = _read(fresh, lattice)
        return other if other.sure and not _same_puzzle(known, other) else known
    return _read(fresh if known.evidence is None else known.evidence + fresh, lattice)


def _read(evidence: Evidence, lattice: Lattice) -> _Known:
    turns = evidence.turns
    turn, reading = upright_reading(turns, close_turns(turns))
    return _Known(evidence, GridResult(grid_status(reading), lattice.turned(turn), reading), turn)


def _same_puzzle(one: _Known, other: _Known) -> bool:
    assert one.result is not None and other.result is not None
    return one.turn == other.turn and np.array_equal(one.result.puzzle, other.result.puzzle)


def _overlap(one: Track, other: Track) -> bool:
    """Whether the middle of one board lies on the other."""
    middle = one.lattice.crossings.reshape(-1, 2).mean(axis=0)
    place = np.linalg.solve(other.to_frame, np.append(middle, 1.0))
    low, high = other.pattern.crossings.min(axis=0), other.pattern.crossings.max(axis=0)
    return bool(((place[:2] / place[2] > low) & (place[:2] / place[2] < high)).all())
