"""Films of a sudoku in front of a camera, with the true places of the grids in every frame.

A film is made from *moments*: its keyframes. Between two moments, everything changes smoothly: the place of
the camera, its focus and exposure, and how far a hand covers the page.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import cv2
import numpy as np

from sudoku_vision.sudoku.board import Board
from sudoku_vision.values import Image
from workshop.rendering.conditions import Conditions, Pose
from workshop.rendering.exposure import exposed, light_field, lit
from workshop.rendering.page import Page
from workshop.rendering.picture import DrawnGrid, print_page, seen_grids
from workshop.rendering.scene import CameraView, lay_on, photograph, stand, table_top

_SHUTTER = 0.4  # share of a frame's time in which the shutter is open; movement during it blurs the picture

_SKIN = (115.0, 150.0, 205.0)
_FINGERS = ((-0.16, 0.34), (-0.06, 0.42), (0.05, 0.4), (0.15, 0.3))
"""For each finger of the hand: horizontal offset of its tip from the hand's middle, and its length. Both are
in heights of the picture."""


@dataclass(frozen=True)
class Moment:
    """What the camera sees at one time of a film: a keyframe."""

    time: float  # in seconds
    pose: Pose = field(default_factory=Pose)
    blur: float = 0.0  # standard deviation of the blur from wrong focus, in pixels
    exposure: float = 1.0  # factor for the brightness; 1 for a right exposure
    hand: float = 0.0  # how far a hand reaches in from the lower edge; 0: not at all, 1: to the middle
    page: int = 0  # number of the page that the camera sees until the next moment


@dataclass(frozen=True, eq=False)
class Frame:
    """A picture of a film."""

    pixels: Image  # (H, W, 3) uint8 BGR
    time: float  # in seconds
    grids: tuple[DrawnGrid, ...]  # the grids that are completely in the picture
    cut: tuple[DrawnGrid, ...]  # all other grids of the page
    hand: float  # see Moment


@dataclass(frozen=True, eq=False)
class Film:
    """A film of one or several pages.

    If ``written`` is given, all pages are printed with the same random numbers: they show one page that a
    person fills in.
    """

    moments: Sequence[Moment]
    pages: Sequence[Sequence[Board]]  # the puzzles (9, 9) on each page
    conditions: Conditions = field(default_factory=Conditions)  # moments set pose, blur and exposure
    rate: float = 30.0  # frames per second
    seed: int = 0
    written: Sequence[Sequence[Board]] = ()  # the entries (9, 9) in each puzzle of each page

    @property
    def count(self) -> int:
        """Number of frames."""
        return int(self.moments[-1].time * self.rate) + 1

    def frames(self) -> Iterator[Frame]:
        """Draw the frames one by one. They depend only on the fields of the film."""
        rng = np.random.default_rng(self.seed)
        pages = self._printed(rng)
        table = table_top(self.conditions, rng)
        light = light_field(self.conditions.size, self.conditions.light, None, rng)
        bends = rng.integers(2**32)
        before: CameraView | None = None
        for number in range(self.count):
            moment = self.at(number / self.rate)
            page = pages[moment.page]
            bending = np.random.default_rng(bends)
            view = stand(page, moment.pose, self.conditions.size, self.conditions.bend, bending)
            motion = (0.0, 0.0) if before is None else _motion(before, view, page)
            before = view
            seen = lay_on(photograph(page, view, self.conditions.size)[0], table)
            seen = with_hand(seen, moment.hand)
            bright = np.asarray(moment.exposure * lit(seen, light, self.conditions.light, rng), np.float32)
            optics = replace(
                self.conditions.optics,
                blur=float(np.hypot(self.conditions.optics.blur, moment.blur)),
                motion=_SHUTTER * float(np.hypot(*motion)),
                motion_angle=float(np.degrees(np.arctan2(motion[1], motion[0]))),
            )
            pixels = exposed(bright, optics, rng)
            grids, cut = seen_grids(page, view, self.conditions.size)
            yield Frame(pixels, moment.time, grids, cut, moment.hand)

    def at(self, time: float) -> Moment:
        """Return what the camera sees at *time*, in seconds."""
        for start, end in pairwise(self.moments):
            if start.time <= time < end.time:
                return _between(start, end, (time - start.time) / (end.time - start.time))
        return replace(self.moments[-1], time=time)

    def _printed(self, rng: np.random.Generator) -> list[Page]:
        conditions = self._conditions()
        if not self.written:
            return [print_page(rng, conditions, puzzles=puzzles) for puzzles in self.pages]
        seed = rng.integers(2**32)
        return [
            print_page(np.random.default_rng(seed), conditions, puzzles=puzzles, written=written)
            for puzzles, written in zip(self.pages, self.written, strict=True)
        ]

    def _conditions(self) -> Conditions:
        """Return the conditions for printing pages, with enough pixels for the largest grids of the film."""
        nearest = max(moment.pose.fill for moment in self.moments)
        return replace(self.conditions, pose=replace(self.conditions.pose, fill=nearest))


def _between(start: Moment, end: Moment, share: float) -> Moment:
    """Return the moment between *start* and *end*. *share* (0..1): elapsed share of the time between them."""
    smooth = share * share * (3 - 2 * share)

    def mixed(one: Moment | Pose, other: Moment | Pose, *names: str) -> dict[str, Any]:
        pairs = ((name, getattr(one, name), getattr(other, name)) for name in names)
        return {name: first + smooth * (last - first) for name, first, last in pairs}

    x, y = (a + smooth * (b - a) for a, b in zip(start.pose.shift, end.pose.shift, strict=True))
    turned = mixed(start.pose, end.pose, "fill", "pitch", "yaw", "roll")
    pose = replace(start.pose, shift=(x, y), **turned)
    time = start.time + share * (end.time - start.time)
    return replace(start, time=time, pose=pose, **mixed(start, end, "blur", "exposure", "hand"))


def _motion(before: CameraView, now: CameraView, page: Page) -> tuple[float, float]:
    """Return how far (x, y) the first grid moves in the picture between two views, in pixels."""
    grid = page.grids[0]
    middle = np.array([[grid.left + 4.5 * grid.cell, grid.top + 4.5 * grid.cell]])
    x, y = (now.project(middle) - before.project(middle))[0]
    return float(x), float(y)


def with_hand(pixels: Image, reach: float) -> Image:
    """Return the picture with a hand over it. *reach*: see :attr:`Moment.hand`."""
    if reach <= 0:
        return pixels
    height, width = pixels.shape[:2]
    bottom = height * (1.15 - 0.75 * reach)
    mask = np.zeros((height, width), np.uint8)
    thick = round(0.075 * height)
    for across, length in _FINGERS:
        root = (round(width / 2 + 0.7 * across * height), round(bottom + 0.5 * height))
        tip = (round(width / 2 + across * height), round(bottom + (0.5 - length) * height))
        cv2.line(mask, root, tip, 255, thick, cv2.LINE_AA)
    palm = (round(width / 2), round(bottom + 0.55 * height))
    cv2.ellipse(mask, palm, (round(0.24 * height), round(0.3 * height)), 0, 0, 360, 255, -1, cv2.LINE_AA)
    soft = cv2.GaussianBlur(mask, (0, 0), max(1.0, 0.004 * height)).astype(np.float32)[:, :, None] / 255
    shade = cv2.GaussianBlur(mask, (0, 0), 0.03 * height).astype(np.float32)[:, :, None] / 255
    skin = np.asarray(_SKIN, np.float32) * (0.75 + 0.25 * shade)
    mixed = pixels * (1 - 0.35 * shade) * (1 - soft) + soft * skin
    return np.asarray(np.clip(mixed + 0.5, 0, 255), np.uint8)
