"""Watch a film frame by frame: find grids, follow them, add up what is read, hold the answer.

Following is quick and done for every frame. Finding and reading take longer and are handed out as *jobs*, one
at a time, whose results are worked in when they are there: the board has been followed meanwhile.

* A grid that is found is read again and again, each look adding to its evidence, until the reading is sure.
* A sure reading is solved once and held; now and then a single look makes sure that it still stands there.
* A grid whose cells look different from one frame to the next is another puzzle: its answer goes at once.
* A lost grid is carried along with its surroundings for about a second, and remembered for some more: what is
  found then and looks the same has its answer back without being read again.
* A grid that is found anew where one is followed puts it right: seen more sharply, its lattice is the better
  one, and what was read stays; where it contradicts one that makes no sense, it takes its place.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

import numpy as np

from sudoku_vision.decode import decode_turns, grid_status
from sudoku_vision.digits import CellClassifier, likely_turns, read_cells
from sudoku_vision.geometry import project
from sudoku_vision.live.evidence import Evidence
from sudoku_vision.live.smoothing import steadied
from sudoku_vision.live.tracking import Pattern, Sight, Track, begin, carry, follow, sharpness, turn_of
from sudoku_vision.locate import quick_locate
from sudoku_vision.pipeline import is_claimed
from sudoku_vision.results import Floats, GridResult, Image, Lattice, Photo

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
COVERED = 0.25
"""Share of the inked cells that, looking just the same, tell a hand from another puzzle: that has a tenth."""
SAME = 0.6
"""Likeness of the inked cells from which a grid is one that was lost."""
SHARPER = 1.15
"""How much more detail a grid found anew must show for its lattice to be taken instead."""
ELSEWHERE = 0.3
"""Cells by which the crossings of two lattices differ, on average, that can't both be right."""
GLANCE_AGAIN = 0.1
"""Seconds between glances while one of the grids is only carried along."""
MOST_GRIDS = 8
"""Grids that are followed at most."""

_LONG_AGO = -1e9
"""A time, in seconds, before all others."""

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
    """A grid that is followed: where it is, what is known of it, and where it was last shown.

    ``score``: how much of its lines was seen when it was found. ``shown`` (10, 10, 2): its crossings,
    steadied. ``seen_at`` and ``looked_at`` are times in seconds. ``sharpest``: of all frames, for comparing.
    """

    number: int
    track: Track
    known: _Known
    score: float
    seen_at: float
    shown: Floats
    looked_at: float = _LONG_AGO
    sharpest: float = 0.0
    job: Future[_Known] | None = None

    @property
    def carried(self) -> bool:
        """Whether it was not recognised in this frame."""
        return self.track.share == 0

    @property
    def claimed(self) -> bool:
        """Whether it is reported: many looks at a table that is no sudoku make no sense."""
        result = self.known.result
        if result is None or self.known.looks < MANY_LOOKS:
            return True
        return is_claimed(replace(result.lattice, score=self.score), result)

    def to_seen(self) -> Seen:
        lattice = replace(self.track.lattice, crossings=self.shown).turned(self.known.turn)
        result = self.known.result
        return Seen(
            self.number,
            self.known.state,
            lattice,
            None if result is None else replace(result, lattice=lattice),
        )


@dataclass(frozen=True, eq=False)
class _Lost:
    """A grid that is no longer seen, to be known again: what it looked like and when it was seen last."""

    number: int
    pattern: Pattern
    known: _Known
    seen_at: float


class Watcher:
    """Knows the grids of a film; :meth:`see` takes its frames in order."""

    def __init__(self, model: CellClassifier, jobs: Executor | None = None) -> None:
        """*jobs* runs finding and reading beside the frames; without, they are done within them."""
        self._model = model
        self._jobs = jobs or AtOnce()
        self._targets: list[_Target] = []
        self._lost: list[_Lost] = []
        self._finding: Future[tuple[Sight, list[Lattice]]] | None = None
        self._glances = 0
        self._found_at = _LONG_AGO
        self._count = 0
        self._shape: tuple[int, ...] = ()

    def see(self, pixels: Image, time: float) -> tuple[Seen, ...]:
        """Take the next frame, (H, W, 3) uint8 BGR, seen at *time* in seconds, and say what is in it.

        *pixels* must not be changed afterwards, since jobs may still look at them. A frame of another size
        comes from another camera: all is begun afresh. What goes wrong in a job is raised here, once.
        """
        if pixels.shape != self._shape:
            self.forget()
            self._shape = pixels.shape
        sight = Sight.of(pixels)
        self._lost = [lost for lost in self._lost if time - lost.seen_at < REMEMBER]
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
        return tuple(target.to_seen() for target in self._targets if target.claimed)

    def forget(self) -> None:
        """Begin afresh: what is in view is found and read anew."""
        for job in (self._finding, *(target.job for target in self._targets)):
            if job is not None:
                job.cancel()
        self._targets, self._lost, self._finding = [], [], None
        self._found_at = _LONG_AGO

    def _follow(self, target: _Target, sight: Sight, time: float) -> None:
        """Follow one grid into the next frame; let it go where another puzzle came, or it is long lost."""
        track = follow(target.track, sight)
        if track is not None and (track.alike >= CHANGED or track.kept >= COVERED):
            target.track, target.seen_at = track, time
            target.shown = steadied(target.shown, track.lattice.crossings)
            return
        carried = None if track is not None or time - target.seen_at > HOLD else carry(target.track, sight)
        if carried is None:
            self._lose(target)
        else:
            target.track = carried
            target.shown = steadied(target.shown, carried.lattice.crossings)

    def _lose(self, target: _Target) -> None:
        """Let a grid go, but keep in mind what was read; look for it, or another, at once."""
        self._targets.remove(target)
        self._found_at = _LONG_AGO
        if target.job is not None:
            target.job.cancel()
        if target.known.looks:
            self._lost.append(_Lost(target.number, target.track.pattern, target.known, target.seen_at))

    def _find(self, pixels: Image, sight: Sight, time: float) -> None:
        """Glance for grids, at once where none is followed, else now and then."""
        if self._finding is not None:
            return
        pause = GLANCE_AGAIN if any(target.carried for target in self._targets) else FIND_MORE
        if self._targets and time - self._found_at < pause:
            return
        self._found_at = time
        number = self._glances
        self._glances += 1
        self._finding = self._jobs.submit(lambda: (sight, quick_locate(Photo(pixels), number)))

    def _take_found(self, sight: Sight, time: float) -> None:
        """Work in what a glance found in the frame that it was given."""
        if self._finding is None or not self._finding.done():
            return
        job, self._finding = self._finding, None
        then, lattices = job.result()
        for lattice in lattices:
            track = begin(then, lattice)
            if track is not None and then is not sight:
                track = follow(track, sight)
            if track is None:
                continue
            there = [target for target in self._targets if _overlap(track, target.track)]
            for target in there:
                self._weigh(target, track, lattice.score, time)
            if not any(target in self._targets for target in there):
                self._add(track, lattice.score, time)

    def _weigh(self, target: _Target, track: Track, score: float, time: float) -> None:
        """Put right a grid that is followed by what was found in its place, or give it up for that."""
        turn, likeness = turn_of(track, target.track.pattern)
        if target.carried and likeness < CHANGED:
            self._lose(target)
            return
        off = _off(track, target.track)
        if not target.carried and off > ELSEWHERE:
            if not target.known.sure and score >= target.score:
                self._lose(target)
            return
        if likeness < SAME:
            return
        if target.carried or track.pattern.detail > SHARPER * target.track.pattern.detail:
            again = begin(track.sight, track.lattice.turned(turn))
            if again is not None:
                target.track, target.seen_at, target.score = again, time, score

    def _add(self, track: Track, score: float, time: float) -> None:
        """Begin to follow a grid."""
        if len(self._targets) < MOST_GRIDS:
            self._count += 1
            shown = track.lattice.crossings
            target = _Target(self._count, track, _Known(), score, time, shown)
            self._recall(target)
            self._targets.append(target)

    def _recall(self, target: _Target) -> None:
        """If a grid looks like one that was lost, it is that one."""
        for lost in reversed(self._lost):
            turn, likeness = turn_of(target.track, lost.pattern)
            lattice = target.track.lattice.turned(turn)
            again = begin(target.track.sight, lattice) if likeness >= SAME else None
            if again is not None:
                self._lost.remove(lost)
                target.number, target.known, target.track = lost.number, lost.known, again
                target.shown = lattice.crossings
                return

    def _look(self, target: _Target, pixels: Image, time: float) -> None:
        """Have a grid read in this frame, if there is something to gain."""
        pause = MAKE_SURE if target.known.sure else TRY_AGAIN if target.known.looks >= MANY_LOOKS else 0.0
        if target.job is not None or target.carried or time - target.looked_at < pause:
            return
        sharp = sharpness(target.track)
        target.sharpest = max(sharp, 0.98 * target.sharpest)
        if sharp < SHARP_ENOUGH * target.sharpest:
            return
        target.looked_at = time
        lattice, known = target.track.lattice, target.known
        target.job = self._jobs.submit(read_once, pixels, lattice, known, self._model)

    def _take_read(self, target: _Target) -> None:
        """Work in what a look at a grid has shown; a puzzle that was lost has its number again."""
        if target.job is None or not target.job.done():
            return
        job, target.job = target.job, None
        before, target.known = target.known, job.result()
        if before.sure and not target.known.sure:
            self._count += 1
            target.number = self._count
        for lost in self._lost:
            if lost.known.sure and target.known.sure and _same_puzzle(lost.known, target.known):
                target.number = lost.number
                self._lost.remove(lost)
                return


def read_once(pixels: Image, lattice: Lattice, known: _Known, model: CellClassifier) -> _Known:
    """What is known of a puzzle after one more look at it.

    A look at one that is sure stands alone. If it is sure of another puzzle, one of them is wrong: none is
    shown until further looks agree.
    """
    fresh = Evidence.of(read_cells(Photo(pixels), lattice, model).turns.by_turn)
    if known.sure:
        other = _read(fresh, lattice)
        return _Known(fresh) if other.sure and not _same_puzzle(known, other) else known
    return _read(fresh if known.evidence is None else known.evidence + fresh, lattice)


def _read(evidence: Evidence, lattice: Lattice) -> _Known:
    turns = evidence.turns
    turn, reading = decode_turns({turn: turns[turn] for turn in likely_turns(turns)})
    return _Known(evidence, GridResult(grid_status(reading), lattice.turned(turn), reading), turn)


def _same_puzzle(one: _Known, other: _Known) -> bool:
    assert one.result is not None and other.result is not None
    return np.array_equal(one.result.puzzle, other.result.puzzle)


def _overlap(one: Track, other: Track) -> bool:
    """Whether the middle of one board lies on the other."""
    middle = one.lattice.crossings.reshape(-1, 2).mean(axis=0)
    place = project(middle, np.linalg.inv(other.to_frame).astype(np.float64))
    low, high = other.pattern.crossings.min(axis=0), other.pattern.crossings.max(axis=0)
    return bool(((place > low) & (place < high)).all())


def _off(one: Track, other: Track) -> float:
    """By how many cells the crossings of two boards differ, on average, in the turn where they do least."""
    there = other.lattice
    return min(
        float(np.linalg.norm(one.lattice.turned(turn).crossings - there.crossings, axis=2).mean())
        for turn in range(4)
    ) / max(1e-6, there.cell_size)
