"""Draw things that hide digits into a drawn or real photo: fingers, lights, shadows, strokes, stains."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from sudoku_vision.output.drawing.figure import Colour
from sudoku_vision.output.overlay.background_fill import SHIFT
from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.rectify import straighten
from sudoku_vision.vision.results import Lattice, Photo
from workshop.rendering.hands import smooth_curve

KINDS = ("finger", "hand", "thing", "glare", "shadow", "stroke", "stain")

# Ranges of sizes, in cells.
_FINGER, _PEN, _STROKE = (1.0, 2.4), (0.5, 1.1), (0.05, 0.3)  # widths
_SHEET, _WINDOW, _SHADOW = (0.8, 5.0), (0.6, 3.0), (1.0, 6.0)  # half the length of a side
_STAIN, _GLOW, _STROKE_REACH = (0.12, 0.6), (0.5, 2.2), (0.3, 6.0)  # half axes, radius, half the length
_FAR = 16.0  # length of fingers, pens and shadows, in cells: they end outside of the picture
_OFF_MIDDLE = 0.15
"""Standard deviation, along each axis, of a stroke's or stain's offset from a cell's middle, in cells."""
_SCRIBBLE = 0.45  # largest offset of a scribble's points from its middle along each axis, in cells

_FAIR, _DARK = np.array([170.0, 195.0, 235.0]), np.array([35.0, 50.0, 90.0])  # lightest and darkest skin, BGR
_PENS: tuple[Colour, ...] = ((150, 60, 20), (25, 25, 25), (40, 35, 190), (95, 95, 95), (60, 120, 40))
_THINGS: tuple[Colour, ...] = ((200, 120, 30), (20, 20, 20), (30, 200, 240), (60, 60, 200), (210, 210, 210))
_STAINS: tuple[Colour, ...] = ((20, 20, 20), (40, 70, 110), (120, 60, 30), (235, 240, 240))
_SHEETS: tuple[Colour, ...] = ((245, 245, 245), (245, 245, 245), *_THINGS)
_MIN_LIGHT, _MAX_LIGHT = 0.01, 0.4  # range of the share of the light that remains in a hard shadow
_INKED = 0.4  # assumed brightness of ink, as a share of the brightness of paper
_NOISE = 5.0  # if ink and paper differ by fewer grey levels, noise hides the difference


@dataclass(frozen=True, eq=False)
class Cover:
    """A thing, a light or a shadow that hides a part of a picture."""

    lay: Callable[[Floats], Floats]  # takes a picture (H, W, 3) float32 BGR, and returns it with the cover
    mask: Floats  # (H, W) float32: opacity of a thing, 0..1; zeros for a light or a shadow


@dataclass(frozen=True, eq=False)
class _Place:
    """Where a cover is drawn."""

    lattice: Lattice  # of the grid
    cell: float  # side of a cell in pixels
    cells: Sequence[int]  # the cells (0..80) over which a stroke or a stain can lie
    shape: tuple[int, int]  # (H, W) of the picture
    light: float  # brightness of the paper, 0..1
    rng: Generator

    def uniform(self, low: float, high: float) -> float:
        return self.rng.uniform(low, high)

    def point(self) -> Floats:
        """Return a random point (x, y) in the grid, in pixels."""
        corners = self.lattice.cell(*self.rng.integers(0, 9, 2).tolist())
        across, down = corners[1] - corners[0], corners[3] - corners[0]
        return np.asarray(corners[0] + self.uniform(0, 1) * across + self.uniform(0, 1) * down, np.float32)

    def point_in_cell(self) -> Floats:
        """Return a random point (x, y) near the middle of one of the ``cells``, in pixels."""
        middle = self.lattice.cell(*divmod(int(self.rng.choice(self.cells)), 9)).mean(axis=0)
        return np.asarray(middle + self.rng.normal(0, _OFF_MIDDLE, 2) * self.cell, np.float32)

    def direction(self) -> tuple[Floats, Floats]:
        """Return a random unit vector (2,), and the unit vector perpendicular to it."""
        angle = self.rng.uniform(0, 2 * np.pi)
        toward = np.array([np.cos(angle), np.sin(angle)], np.float32)
        return toward, np.array([-toward[1], toward[0]], np.float32)

    def colour(self, choices: Sequence[Colour]) -> Floats:
        """Return a colour (3,) BGR: one of the *choices*, changed at random, and darker in weak light."""
        chosen = np.array(choices[int(self.rng.integers(len(choices)))])
        varied = chosen * self.uniform(0.7, 1.2) + self.rng.normal(0, 8, 3)
        return np.asarray(self.light * np.clip(varied, 0, 255), np.float32)

    def area(self, outline: NDArray[Any], soft: float) -> Floats:
        """Return a mask (H, W), 0..1, of the inside of an *outline* (N, 2), blurred by *soft* cells."""
        mask = np.zeros(self.shape, np.uint8)
        cv2.fillPoly(mask, [_fine(outline)], 255, cv2.LINE_AA, SHIFT)
        return self.softened(mask, soft)

    def line(self, points: NDArray[Any], width: float, soft: float) -> Floats:
        """Return a mask (H, W), 0..1, of a line, *width* cells wide and blurred by *soft* cells."""
        mask = np.zeros(self.shape, np.uint8)
        pixels = max(1, round(width * self.cell))
        cv2.polylines(mask, [_fine(points)], False, 255, pixels, cv2.LINE_AA, SHIFT)
        return self.softened(mask, soft)

    def softened(self, mask: NDArray[Any], soft: float) -> Floats:
        """Return a mask of values 0..255 as values 0..1, blurred by *soft* cells."""
        values = mask.astype(np.float32) / 255
        return np.asarray(cv2.GaussianBlur(values, (0, 0), max(0.3, soft * self.cell)), np.float32)


def _fine(points: NDArray[Any]) -> NDArray[np.int32]:
    return np.round(points * (1 << SHIFT)).astype(np.int32)


def random_cover(kind: str, lattice: Lattice, cells: Sequence[int], pixels: Image, rng: Generator) -> Cover:
    """Return a random cover of a *kind* of :data:`KINDS` over the grid at *lattice* in a picture (H, W, 3).

    A stroke or a stain lies over one of the *cells* (0..80). Other covers lie somewhere in the grid.
    """
    crossings = lattice.crossings.reshape(100, 2)
    left, top = np.maximum(crossings.min(axis=0), 0).astype(int)
    right, low = crossings.max(axis=0).astype(int) + 1
    light = float(np.percentile(pixels[top:low:4, left:right:4].max(axis=2), 80)) / 255
    return _MAKERS[kind](_Place(lattice, lattice.cell_size, cells, pixels.shape[:2], light, rng))


def covered(pixels: Image, cover: Cover) -> Image:
    """Return a picture (H, W, 3) uint8 with the *cover* drawn over it."""
    return np.clip(np.round(cover.lay(pixels.astype(np.float32))), 0, 255).astype(np.uint8)


def hidden_share(pixels: Image, cover: Cover, lattice: Lattice) -> Floats:
    """Return how much a cover hides at each pixel of each straightened cell, (81, S, S), 0..1.

    The result is the opacity of the cover, or the lost share of the contrast between ink and paper, whichever
    is larger. All contrast counts as lost if the remaining contrast is too small to be seen in the noise.
    """
    inked = np.asarray(pixels * np.float32(_INKED), np.uint8)
    paper, ink = (covered(one, cover).astype(np.float32).mean(axis=2) for one in (pixels, inked))
    contrast = np.where(paper - ink < _NOISE, 0, (paper - ink) / np.maximum(paper, 1)) / (1 - _INKED)
    hidden = np.round(255 * np.maximum(cover.mask, np.clip(1 - contrast, 0, 1))).astype(np.uint8)
    straight = straighten(Photo(np.repeat(hidden[..., None], 3, axis=2)), lattice)
    return np.asarray(straight[..., 0] / np.float32(255))


def _laid(colour: Floats, mask: Floats, shade: Floats | float = 1.0) -> Cover:
    """Return a cover that multiplies a picture by *shade*, then paints *colour* with the opacity *mask*."""
    alpha = mask[..., None]

    def lay(pixels: Floats) -> Floats:
        lit = pixels * (shade[..., None] if isinstance(shade, np.ndarray) else shade)
        return np.asarray(lit + (colour - lit) * alpha, np.float32)

    return Cover(lay, mask)


def _rod(start: Floats, tip: Floats, width: float, end: float, blunt: float) -> Floats:
    """Return the outline (N, 2) of a rod, *width* pixels wide.

    The rod has a rounded tip. *end* is the width of the tip divided by the width of the rod. *blunt* is the
    length of the tip divided by half the width of the tip.
    """
    along = (tip - start) / max(1e-6, float(np.linalg.norm(tip - start)))
    aside = np.array([-along[1], along[0]], np.float32)
    angles = np.linspace(-np.pi / 2, np.pi / 2, 24)[:, None]
    cap = tip + width / 2 * end * (blunt * np.cos(angles) * along + np.sin(angles) * aside)
    sides = [start - width / 2 * aside], cap, [start + width / 2 * aside]
    return np.concatenate(sides).astype(np.float32)


def _fingers(place: _Place, count: int = 1) -> Cover:
    """Return *count* fingers side by side, each brighter along its middle, with a soft shadow."""
    rng, width = place.rng, place.uniform(*_FINGER) * place.cell
    fair = place.uniform(0, 1)
    skin = _FAIR * fair + _DARK * (1 - fair) + rng.normal(0, 8, 3)
    (toward, aside), first = place.direction(), place.point()
    mask, middle = np.zeros(place.shape, np.float32), np.zeros(place.shape, np.float32)
    for number in range(count):
        tip = first + 1.15 * number * width * aside + rng.normal(0, 0.7) * place.cell * toward
        start = tip - _FAR * place.cell * (toward + rng.normal(0, 0.12) * aside)
        outline = _rod(start, tip, width, place.uniform(0.75, 1), place.uniform(0.7, 1.3))
        mask = np.maximum(mask, place.area(outline, place.uniform(0.01, 0.08)))
        core = _rod(start, tip - 0.3 * width * toward, 0.5 * width, 1, 1)
        middle = np.maximum(middle, place.area(core, 0.2 * width / place.cell))
    grain = rng.normal(0, place.uniform(0.5, 4), (*place.shape, 1))
    colour = skin * place.light * (0.7 + 0.4 * middle[..., None]) + grain
    return _laid(colour.astype(np.float32), mask, _shade(place, mask, 0.5))


def _shade(place: _Place, mask: Floats, strongest: float) -> Floats:
    """Return the share of light (H, W) that the soft shadow of a thing leaves. *mask* (H, W): the thing.

    *strongest*: largest share of light that the shadow takes away.
    """
    around = place.softened(255 * mask, place.uniform(0.1, 0.5))
    return np.asarray(1 - place.uniform(0, strongest) * around, np.float32)


def _thing(place: _Place) -> Cover:
    """Return a pen or a sheet of paper on the grid."""
    middle, (toward, aside) = place.point(), place.direction()
    if place.rng.random() < 0.5:
        start, width = middle - _FAR * place.cell * toward, place.uniform(*_PEN) * place.cell
        outline, colour = _rod(start, middle, width, place.uniform(0.2, 1), 1), place.colour(_THINGS)
    else:
        long, wide = place.rng.uniform(*_SHEET, 2) * place.cell
        corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        outline = np.stack([middle + s * long * toward + t * wide * aside for s, t in corners])
        colour = place.colour(_SHEETS)
    mask = place.area(outline, place.uniform(0, 0.05))
    return _laid(colour, mask, _shade(place, mask, 0.4))


def _glare(place: _Place) -> Cover:
    """Return the reflection of a lamp or a window."""
    rng, middle, (toward, aside) = place.rng, place.point(), place.direction()
    if rng.random() < 0.6:
        y, x = np.mgrid[: place.shape[0], : place.shape[1]].astype(np.float32)
        off = (np.stack([x, y], axis=-1) - middle) / place.cell
        away = np.hypot(off @ toward / np.float32(rng.uniform(1, 3)), off @ aside)
        glow = np.exp(-((away / place.uniform(*_GLOW)) ** place.uniform(1.5, 4)))
    else:
        size = rng.uniform(*_WINDOW, 2)
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * size + rng.normal(0, 0.3, (4, 2))
        outline = middle + place.cell * corners @ np.stack([toward, aside])
        glow = place.area(outline, place.uniform(0.05, 0.5))
    tint = 1 + rng.normal(0, 0.03, 3)
    added = (255 * place.uniform(0.4, 2.5) * glow[..., None] * tint).astype(np.float32)
    return Cover(lambda pixels: pixels + added, np.zeros(place.shape, np.float32))


def _shadow(place: _Place) -> Cover:
    """Return a shadow with a sharp edge, sometimes so dark that no ink is visible in it."""
    middle, (toward, aside) = place.point(), place.direction()
    wide, far = place.uniform(*_SHADOW) * place.cell * aside, _FAR * place.cell * toward
    outline = np.stack([middle - wide, middle + wide, middle + wide + far, middle - wide + far])
    mask = place.area(outline, place.uniform(0.01, 0.2))[..., None]
    left = float(np.exp(place.uniform(np.log(_MIN_LIGHT), np.log(_MAX_LIGHT))))
    noise = place.rng.normal(0, place.uniform(0.5, 3), (*place.shape, 3)).astype(np.float32)
    return Cover(
        lambda pixels: np.asarray(pixels * (1 - (1 - left) * mask) + noise * mask, np.float32),
        np.zeros(place.shape, np.float32),
    )


def _stroke(place: _Place) -> Cover:
    """Return a stroke of a pen through a cell: straight, bent or a scribble."""
    rng, through, (toward, _) = place.rng, place.point_in_cell(), place.direction()
    if rng.random() < 0.25:
        turns = int(rng.integers(4, 12))
        knots: NDArray[Any] = through + rng.uniform(-_SCRIBBLE, _SCRIBBLE, (turns, 2)) * place.cell
    else:
        reach = float(np.exp(place.uniform(*np.log(_STROKE_REACH)))) * place.cell
        bend = rng.normal(0, 0.25, 2) * reach * (rng.random() < 0.5)
        knots = through + np.stack([-reach * toward, bend, reach * place.uniform(0.1, 1) * toward])
    width = float(np.exp(place.uniform(*np.log(_STROKE))))
    mirrored = np.concatenate([2 * knots[:1] - knots[1:2], knots, 2 * knots[-1:] - knots[-2:-1]])
    mask = place.line(smooth_curve(mirrored, 16), width, place.uniform(0, 0.03))
    mask = mask * np.float32(place.uniform(0.7, 1))
    return _laid(place.colour(_PENS), mask)


def _stain(place: _Place) -> Cover:
    """Return a stain over a cell."""
    rng, middle = place.rng, place.point_in_cell()
    angles = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    waves = [rng.normal(0, 0.12) * np.cos(k * angles + rng.uniform(0, 6)) for k in (1, 2, 3)]
    radius = (1 + sum(waves)) * place.cell
    half = rng.uniform(*_STAIN, 2)
    outline = middle + half * np.stack([radius * np.cos(angles), radius * np.sin(angles)], axis=1)
    mask = place.area(outline, place.uniform(0.01, 0.12)) * np.float32(place.uniform(0.6, 1))
    return _laid(place.colour(_STAINS), mask)


_MAKERS: dict[str, Callable[[_Place], Cover]] = {
    "finger": _fingers,
    "hand": lambda place: _fingers(place, int(place.rng.integers(2, 5))),
    "thing": _thing,
    "glare": _glare,
    "shadow": _shadow,
    "stroke": _stroke,
    "stain": _stain,
}
