"""A catalogue of films by name.

>>> film = story("turning", size=(640, 480), seed=3)
>>> film.count
43

A story consists of moments (:class:`~drawn.film.Moment`) and the number of puzzles on each of its pages. The
seed decides the puzzles and their typeface.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from drawn.film import Film, Moment
from workshop.rendering.boards import random_puzzle
from workshop.rendering.conditions import Bend, Conditions, Light, Optics, Pose

CLUES = 28  # number of clues of each puzzle, as usual in newspapers
NOISE = 3.0  # standard deviation of the noise, in grey levels, as from a webcam in daylight
_HELD = Pose(fill=0.75)
_AWAY = (1.3, 0.0)


@dataclass(frozen=True)
class Story:
    """What happens in a film."""

    moments: Sequence[Moment]
    puzzles: Sequence[int] = (1,)  # number of puzzles on each page
    sharp: bool = True  # whether the first frame is already sharp and has little noise
    optics: Optics = field(default_factory=lambda: Optics(noise=NOISE))
    bend: Bend = field(default_factory=Bend)
    light: Light = field(default_factory=Light)


def _at(time: float, *, page: int = 0, hand: float = 0.0, **others: Any) -> Moment:
    """Return a moment. *others*: blur, exposure, and fields of the pose that differ from ``_HELD``."""
    seen = {name: others.pop(name) for name in ("blur", "exposure") if name in others}
    return Moment(time, replace(_HELD, **others), page=page, hand=hand, **seen)


_SWAPPED = (1, 1)  # number of puzzles on each of two pages

STORIES: Mapping[str, Story] = {
    "still": Story([_at(0), _at(1)]),
    "moving": Story(
        [_at(0), _at(0.5, shift=(0.1, 0.05)), _at(1, shift=(-0.1, 0)), _at(1.4, shift=(0.1, -0.05))]
    ),
    "fast": Story(
        [_at(0), _at(0.25, shift=(0.2, 0)), _at(0.5, shift=(-0.2, 0)), _at(0.75, shift=(0.2, 0.05)), _at(1)]
    ),
    "turning": Story([_at(0), _at(0.7, roll=25, pitch=10), _at(1.4, roll=-20, yaw=20)]),
    "upside down": Story([_at(0, roll=180), _at(0.5, roll=190), _at(1, roll=170)]),
    "spinning": Story([_at(0, fill=0.6), _at(0.75, fill=0.6, roll=90), _at(1.5, fill=0.6, roll=200)]),
    "nearer": Story([_at(0, fill=0.5), _at(1, fill=0.95), _at(1.2, fill=0.95)]),
    "tilting": Story([_at(0, pitch=25), _at(0.6, pitch=-20, yaw=25), _at(1.2, pitch=10, yaw=-30)]),
    "bent": Story([_at(0), _at(0.6, roll=12, fill=0.8), _at(1, roll=-8)], bend=Bend(arch=0.05)),
    "hand": Story([_at(0), _at(0.5, hand=1), _at(1, hand=0.8, shift=(0.03, 0)), _at(1.4)]),
    "covered": Story([_at(0), _at(0.5, hand=1.6), _at(1, hand=1.6), _at(1.5)]),
    "focus": Story([_at(0), _at(0.4, blur=4), _at(0.8), _at(1.2, blur=2)]),
    "focus found": Story([_at(0, blur=5), _at(0.4, blur=2.5), _at(0.8), _at(1.4)], sharp=False),
    "exposure": Story([_at(0), _at(0.4, exposure=0.45), _at(0.8, exposure=1.4), _at(1.2)]),
    "swap": Story([_at(0), _at(0.5, page=1), _at(1, page=1)], _SWAPPED),
    "swap while moving": Story(
        [_at(0), _at(0.4, shift=(0.05, 0)), _at(0.41, shift=(0.05, 0), page=1), _at(1, page=1)], _SWAPPED
    ),
    "swap under a blur": Story(
        [_at(0), _at(0.3, blur=9), _at(0.5, blur=9, page=1), _at(0.8, page=1), _at(1.4, page=1)], _SWAPPED
    ),
    "swap behind a hand": Story(
        [_at(0), _at(0.3, hand=1.9), _at(0.5, hand=1.9, page=1), _at(0.8, page=1), _at(1.3, page=1)], _SWAPPED
    ),
    "leaving": Story(
        [_at(0), _at(0.3, shift=(0.2, 0)), *(_at(time, shift=_AWAY) for time in (0.7, 1)), _at(1.5), _at(1.8)]
    ),
    "back turned": Story(
        [
            *(_at(0), _at(0.3, shift=_AWAY), _at(0.5, shift=_AWAY), _at(0.51, shift=_AWAY, roll=90)),
            *(_at(0.9, roll=90), _at(1.3, roll=90)),
        ]
    ),
    "flip": Story(
        [
            *(_at(0), _at(0.5), _at(0.7, shift=_AWAY), _at(0.75, shift=_AWAY, page=1)),
            *(_at(0.95, page=1), _at(1.5, page=1)),
        ],
        _SWAPPED,
    ),
    "several": Story(
        [
            *(_at(0, fill=0.5, roll=90, shift=(0.18, 0)), _at(0.6, fill=0.52, roll=95, shift=(0.18, 0))),
            _at(1.2, fill=0.5, roll=85, shift=(0.16, 0)),
        ],
        (2,),
    ),
    "in a shadow": Story([_at(0), _at(0.8, shift=(0.08, 0))], light=Light(shadow=0.5, gradient=0.3)),
    "noisy": Story([_at(0), _at(1, shift=(0.03, 0.02))], sharp=False, optics=Optics(noise=14)),
    "far": Story([_at(0, fill=0.32), _at(1, fill=0.36)], sharp=False),
    "blurred": Story([_at(0), _at(1, shift=(0.03, 0))], sharp=False, optics=Optics(blur=2.5, noise=5)),
    "shaking": Story(
        [_at(0.1 * step, shift=(0.05 * (-1) ** step, 0.02 * (-1) ** (step // 2))) for step in range(12)],
        sharp=False,
    ),
}
"""The stories by name."""


def story(name: str, *, size: tuple[int, int] = (1280, 720), seed: int = 0, rate: float = 30.0) -> Film:
    """Return the film of the story *name* in :data:`STORIES`. *rate*: frames a second.

    *size*: width and height of a frame in pixels. Raises :class:`KeyError` for an unknown name.
    """
    chosen = STORIES[name]
    rng = np.random.default_rng(seed)
    pages = [[random_puzzle(rng, CLUES)[0] for _ in range(count)] for count in chosen.puzzles]
    seen: dict[str, Any] = {"optics": chosen.optics, "bend": chosen.bend, "light": chosen.light}
    conditions = Conditions(size, puzzles=max(chosen.puzzles), **seen)
    return Film(chosen.moments, pages, conditions, rate=rate, seed=seed)


def newest_frames(count: int, rate: float) -> Iterator[tuple[int, float]]:
    """Yield the number of a camera's newest frame, and the time of its capture, each time the caller asks.

    The camera takes *count* frames in all, *rate* frames a second. The caller misses the frames that are
    captured while it is busy. The iteration ends after the last frame.
    """
    start, last = time.perf_counter(), -1
    while (number := int((time.perf_counter() - start) * rate)) < count:
        if number == last:
            time.sleep(max(0.0, start + (last + 1) / rate - time.perf_counter()))
            continue
        last = number
        yield number, start + number / rate
