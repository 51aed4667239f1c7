"""Sample conditions of close-ups: one grid that fills the picture, as varied as phones, papers and pens are.

The digit classifier learns from these. A part of them are the kinds of :mod:`.kinds`, seen close; the rest
goes further than what is usual in print: faint and coloured inks, dark paper, hairlines, hasty pens, hardly
enough pixels.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.output.drawing.colours import Colour
from sudoku_vision.workshop.rendering.conditions import Bend, Conditions, Light, Optics, Pose, UnevenPrint
from sudoku_vision.workshop.rendering.kinds import KINDS, one_of, random_conditions, random_shaded, triple
from sudoku_vision.workshop.rendering.pencil_marks import MarkStyle
from sudoku_vision.workshop.rendering.printed_grid import GridStyle
from sudoku_vision.workshop.rendering.writing import Writing

OF_A_KIND = 0.3  # share of close-ups of pictures as ``random_conditions`` samples them

_RIM = 0.7  # in cells: paper round the grid
_FILL = 9 / (9 + 2 * _RIM)
_MOST_PIXELS = 60.0  # of a cell: a rectified cell has fewer, so more only cost time
_HARDNESS, _HARDNESS_SHARES = (0.3, 0.65, 1.0), (0.45, 0.35, 0.2)
"""How hard the camera makes it: most photos are taken so that they can be read, a few hardly can."""
_LEAST_CONTRAST = 0.22  # between paper and print, 0..1: what a person can't see need not be learnt

_PENS = ((0.1, 0.1, 0.1), (0.75, 0.25, 0.15), (0.2, 0.15, 0.8), (0.45, 0.45, 0.45), (0.3, 0.5, 0.2))
_PEN_SHARES = (0.3, 0.3, 0.15, 0.2, 0.05)
"""Colours of pens, blue, green, red in 0..1: black, blue, red, pencil, green; and how common they are."""

_Tint = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Colours:
    """Colours of a page, (3,) blue, green, red in 0..1."""

    paper: _Tint
    ink: _Tint
    line: _Tint
    pen: _Tint


def random_close_up(rng: np.random.Generator) -> Conditions:
    """Return the conditions of one close-up: of a picture of some kind, or further off the usual."""
    if rng.random() < OF_A_KIND:
        return closer(random_conditions(rng, one_of(rng, KINDS)))
    return _varied(rng)


def closer(conditions: Conditions) -> Conditions:
    """Return *conditions* with nothing but the grid and a rim in the picture, upright, as sharp as before."""
    cell = conditions.pose.fill * min(conditions.size) / 9
    scale = min(1.0, _MOST_PIXELS / cell)
    optics = conditions.optics
    return replace(
        conditions,
        size=_size(cell * scale),
        layout="close_up",
        puzzles=1,
        solution_grid=False,
        surround=_RIM / 9,
        uneven=None if conditions.layout == "app" else UnevenPrint(),
        pose=replace(conditions.pose, fill=_FILL, quarter_turns=0, shift=(0.0, 0.0)),
        optics=replace(optics, blur=optics.blur * scale, motion=optics.motion * scale),
    )


def _size(cell: float) -> tuple[int, int]:
    """Size of the picture, in pixels, for cells of *cell* pixels."""
    side = round((9 + 2 * _RIM) * cell)
    return side, side


def _varied(rng: np.random.Generator) -> Conditions:
    screen = rng.random() < 0.15
    hardness = float(rng.choice(_HARDNESS, p=_HARDNESS_SHARES))
    colours = _colours(rng, dark_mode=rng.random() < (0.3 if screen else 0.03))
    grid = _grid_style(colours, rng)
    cell = float(rng.uniform(22, _MOST_PIXELS)) if screen else _pixels(hardness, rng)
    plain = Conditions(
        size=_size(cell),
        layout="close_up",
        paper=_bgr(colours.paper),
        ghost=float(rng.uniform(0.03, 0.25)) if rng.random() < 0.3 else 0.0,
        specks=0.04,
        surround=_RIM / 9,
        uneven=UnevenPrint(slip=float(0.008 + rng.uniform(0, 0.01))),
        grid=grid,
        writing=_writing(colours, grid, screen, rng),
        pose=Pose(fill=_FILL),
    )
    if screen:
        quality = int(rng.uniform(50, 95)) if rng.random() < 0.5 else 0
        return replace(plain, screenshot=True, optics=Optics(jpeg=quality))
    return replace(
        plain,
        grain=float(rng.uniform(0, 4)) if rng.random() < 0.3 else 0.0,
        crumpled=hardness * float(rng.uniform(0.05, 0.3)) if rng.random() < 0.2 else 0.0,
        pose=_pose(rng),
        bend=_bend(rng),
        light=_light(hardness, rng),
        optics=_optics(cell, hardness, rng),
    )


def _pixels(hardness: float, rng: np.random.Generator) -> float:
    """Side of a cell in the picture, in pixels: from hardly enough to more than is needed."""
    if rng.random() < 0.4:
        return float(rng.uniform(30, _MOST_PIXELS))
    return float(np.exp(rng.uniform(np.log(16 - 6 * hardness), np.log(48))))


def _bgr(colour: _Tint) -> Colour:
    return triple(255 * np.clip(colour, 0, 1))


def _colours(rng: np.random.Generator, *, dark_mode: bool) -> _Colours:
    paper = rng.uniform(0.72, 1.0) * (1 - rng.uniform(0, 0.12, 3))
    ink = _ink_colour(rng)
    pen = np.clip(np.array(_PENS[rng.choice(5, p=_PEN_SHARES)]) + rng.normal(0, 0.06, 3), 0, 0.85)
    line = np.clip(ink if rng.random() < 0.3 else np.full(3, rng.uniform(0, 0.45)), 0, 0.8)
    if dark_mode:
        paper = rng.uniform(0.02, 0.25) * (1 + rng.uniform(0, 0.6, 3))
        ink, pen = rng.uniform(0.6, 1.0, 3), rng.uniform(0.35, 1.0, 3)
        line = np.full(3, rng.uniform(0.25, 0.7))
    if np.abs(ink - paper).mean() < _LEAST_CONTRAST:
        ink = np.zeros(3) if paper.mean() > 0.4 else np.ones(3)
    return _Colours(paper, ink, line, pen)


def _ink_colour(rng: np.random.Generator) -> _Tint:
    """The colour of print: black or nearly so, red, blue, or a faint grey."""
    kind = rng.random()
    if kind < 0.15:
        return np.array([rng.uniform(0.2, 0.6), rng.uniform(0.15, 0.55), rng.uniform(0.7, 0.95)])
    if kind < 0.24:
        return np.array([rng.uniform(0.5, 0.95), rng.uniform(0.1, 0.5), rng.uniform(0.0, 0.35)])
    if kind < 0.30:
        return np.full(3, rng.uniform(0.4, 0.62))
    return np.asarray(
        rng.uniform(0.0, 0.35, 3) * rng.uniform(0, 1) + rng.choice([0.0, 0.0, 0.1, 0.25]), np.float64
    )


def _grid_style(colours: _Colours, rng: np.random.Generator) -> GridStyle:
    thin = float(rng.uniform(0.012, 0.06))
    thick = thin * float(rng.uniform(1.0, 3.0))
    height = float(rng.choice([rng.uniform(0.38, 0.75), rng.uniform(0.3, 0.85)]))
    room = max(0.0, (1 - height - thin) / 2)
    shaded = rng.random()
    tint = rng.uniform(0.6, 0.95) if shaded < 0.15 else rng.uniform(0.5, 1.0, 3)
    return GridStyle(
        thin=thin,
        thick=thick,
        border=thick if rng.random() < 0.96 else 0.0,
        thin_lines="dotted" if rng.random() < 0.05 else "plain",
        thin_strength=float(rng.uniform(0.4, 1.0)),
        line_colour=_bgr(colours.line),
        digit_colour=_bgr(colours.ink),
        digit_height=height,
        digit_offset=(float(rng.normal(0, 0.03)), float(np.clip(rng.normal(0, 0.045), -room, room))),
        shaded=random_shaded(rng) if shaded < 0.25 else (),
        shade=_bgr(colours.paper * tint),
        highlight=int(rng.integers(81)) if rng.random() < 0.05 else None,
        highlight_colour=_bgr(colours.paper * rng.uniform(0.6, 0.95, 3)),
    )


def _writing(colours: _Colours, grid: GridStyle, screen: bool, rng: np.random.Generator) -> Writing:
    """How a hand writes here, and the pencil marks; how much is written is for the caller to say."""
    marks = rng.choice([0.0, 0.03, 0.3, 0.9], p=[0.4, 0.05, 0.2, 0.35] if screen else [0.65, 0.13, 0.12, 0.1])
    return Writing(
        colour=_bgr(colours.pen),
        height=float(rng.uniform(0.36, 0.9)),
        height_spread=0.2,
        strength=float(rng.uniform(0.55, 1.0)),
        uneven=0.2,
        marks=MarkStyle(
            share=float(marks),
            most=int(rng.integers(1, 10)),
            height=float(rng.uniform(0.13, min(0.29, 0.55 * grid.digit_height))),
            colour=_bgr(colours.pen + rng.uniform(-0.1, 0.3)),
            typed=bool(rng.random() < 0.75),
        ),
    )


def _pose(rng: np.random.Generator) -> Pose:
    tilt = rng.choice([2.0, 6.0, 14.0])
    return Pose(
        fill=_FILL,
        pitch=float(rng.normal(0, tilt)),
        yaw=float(rng.normal(0, tilt)),
        roll=float(rng.normal(0, 4)),
        focal=float(rng.uniform(0.8, 1.4)),
    )


def _bend(rng: np.random.Generator) -> Bend:
    kind = rng.random()
    if kind < 0.55:
        return Bend()
    if kind < 0.63:
        return Bend(waves=float(rng.uniform(0.006, 0.014)), creases=14)
    return Bend(
        arch=float(rng.normal(0, 0.03)),
        direction=float(rng.uniform(0, 180)),
        waves=abs(float(rng.normal(0, 0.005))),
        creases=int(rng.choice([0, 1, 2, 5], p=[0.6, 0.2, 0.1, 0.1])),
    )


def _light(hardness: float, rng: np.random.Generator) -> Light:
    colour = triple(1 + rng.normal(0, 0.06, 3))
    return Light(
        exposure=float(rng.uniform(1 - 0.5 * hardness, 1.05)),
        colour=colour,
        gradient=min(0.8, abs(float(rng.normal(0, 0.35)))),
        vignette=float(rng.uniform(0, 0.4)),
        shadow=float(rng.uniform(0.1, 0.2 + 0.4 * hardness)) if rng.random() < 0.2 else 0.0,
        shadow_softness=float(np.exp(rng.uniform(np.log(0.003), np.log(0.1)))),
        glare=hardness * float(rng.uniform(0.1, 0.5)) if rng.random() < 0.05 else 0.0,
        relief=float(rng.uniform(0.5, 1.3)),
    )


def _optics(cell: float, hardness: float, rng: np.random.Generator) -> Optics:
    """Lens, sensor and file, the harder the worse; *cell* in pixels."""
    noise = hardness * (abs(float(rng.normal(0, 4))) + float(rng.choice([0.0, 0.0, 0.0, 5.0])))
    return Optics(
        blur=cell * abs(float(rng.normal(0, 0.035 * hardness))) + float(rng.uniform(0, 0.5)),
        motion=2 * cell * hardness * float(rng.uniform(0.03, 0.16)) if rng.random() < 0.2 else 0.0,
        motion_angle=float(rng.uniform(0, 180)),
        noise=noise / 2,
        grey_noise=noise,
        noise_grain=float(rng.uniform(0.6, 1.6)) if rng.random() < 0.4 else 0.5,
        haze=float(rng.choice([0.0, rng.uniform(0, 0.25 * hardness)])),
        gamma=float(rng.uniform(0.6, 1.6)) if rng.random() < 0.3 else 1.0,
        sharpen=float(rng.uniform(0.3, 1.5)) if rng.random() < 0.35 else 0.0,
        sharpen_radius=float(rng.uniform(0.7, 1.8)),
        moire=hardness * float(rng.uniform(0.01, 0.07)) if rng.random() < 0.08 else 0.0,
        jpeg=int(rng.uniform(70 - 45 * hardness, 95)) if rng.random() < 0.85 else 0,
    )
