"""Sample the conditions of real pictures, by kind; half-solved ones among them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.output.drawing.colours import WHITE, Colour, brightened
from sudoku_vision.workshop.rendering.conditions import Bend, Conditions, Light, Optics, Pose
from sudoku_vision.workshop.rendering.hands import new_hand
from sudoku_vision.workshop.rendering.pencil_marks import MARK_LAYOUTS, MarkLayout, MarkStyle
from sudoku_vision.workshop.rendering.printed_grid import GridStyle
from sudoku_vision.workshop.rendering.writing import Corrections, Writing

Kind = Literal[
    "newspaper_phone", "newspaper", "book", "sheet", "screenshot_light", "screenshot_dark", "screen_photo"
]

KINDS: tuple[Kind, ...] = get_args(Kind)

HalfSolvedKind = Literal["half_solved_page", "half_solved_app"]

HALF_SOLVED_KINDS: tuple[HalfSolvedKind, ...] = get_args(HalfSolvedKind)

T = TypeVar("T")

_PENS: tuple[Colour, ...] = ((150, 60, 30), (50, 40, 40), (40, 40, 190), (95, 95, 95), (70, 110, 40))
_TABLES: tuple[Colour, ...] = (
    *((40, 80, 130), (30, 45, 70), (25, 25, 28)),
    *((150, 165, 175), (60, 110, 180), (110, 90, 80)),
)
_SHADED = ((1, 3, 5, 7), (0, 2, 4, 6, 8), (4,), (0, 2, 6, 8))
"""Boxes that a newspaper tints: a cross, a chequer, the middle, the corners."""
_PAPER_SIZES = ((750, 1000), (900, 1200), (1080, 1440))
_APP_SIZES = ((540, 1170), (720, 1280), (750, 1334), (1000, 750))
_SCREEN_SIZES = ((750, 1000), (900, 1200), (1000, 750))


def random_conditions(rng: np.random.Generator, kind: Kind) -> Conditions:
    """Return conditions as they are met in real pictures of *kind*, one of :data:`KINDS`."""
    return _SAMPLERS[kind](rng)


def _uniform(rng: np.random.Generator, low: float, high: float) -> float:
    return float(rng.uniform(low, high))


def _chance(rng: np.random.Generator, probability: float) -> bool:
    return bool(rng.random() < probability)


def _pick(rng: np.random.Generator, *choices: float) -> float:
    return one_of(rng, choices)


def one_of(rng: np.random.Generator, choices: Sequence[T]) -> T:
    """Return one of the *choices* by chance."""
    return choices[int(rng.integers(len(choices)))]


def _grey(value: float) -> Colour:
    return (value, value, value)


def triple(values: NDArray[np.float64]) -> Colour:
    """Return three *values* as a colour: blue, green, red."""
    blue, green, red = values.tolist()
    return (blue, green, red)


def random_grid_style(rng: np.random.Generator) -> GridStyle:
    """Return the style of a printed grid: dark lines on paper, some of them coloured or shaded."""
    thin = _uniform(rng, 0.012, 0.035)
    thick = thin * _uniform(rng, 1.3, 3.5)
    colour = _grey(_uniform(rng, 0, 70))
    red = _chance(rng, 0.12)
    digits: Colour = (_uniform(rng, 20, 90), _uniform(rng, 20, 80), _uniform(rng, 170, 230))
    border = float(rng.choice([thick, thick * 1.4, thin, 0.0], p=[0.7, 0.2, 0.06, 0.04]))
    lines = rng.random()
    return GridStyle(
        thin=thin,
        thick=thick,
        border=border,
        thin_lines="dotted" if lines < 0.06 else "none" if lines < 0.08 else "plain",
        thin_strength=_uniform(rng, 0.25, 1.0) if _chance(rng, 0.4) else 1.0,
        line_colour=colour,
        digit_colour=digits if red else _grey(_uniform(rng, 0, 60)),
        digit_height=_uniform(rng, 0.4, 0.68),
        digit_offset=(float(rng.normal(0, 0.02)), float(rng.normal(0, 0.03))),
        shaded=random_shaded(rng) if _chance(rng, 0.2) else (),
        shade=_grey(_uniform(rng, 165, 230)) if _chance(rng, 0.7) else triple(rng.uniform(185, 245, 3)),
    )


def random_shaded(rng: np.random.Generator) -> tuple[int, ...]:
    """Return the boxes 0..8 that a newspaper tints."""
    return one_of(rng, _SHADED)


def random_writing(rng: np.random.Generator, probability: float = 0.35) -> Writing:
    """Return a pen or pencil in some of the cells, with the given *probability*."""
    if not _chance(rng, probability):
        return Writing()
    return Writing(
        share=float(rng.choice([_uniform(rng, 0.03, 0.4), _uniform(rng, 0.4, 1.0)])),
        wrong=_pick(rng, 0.0, 0.0, 0.08),
        marks=MarkStyle(_pick(rng, 0.0, 0.0, _uniform(rng, 0.05, 0.5))),
        colour=one_of(rng, _PENS),
        height=_uniform(rng, 0.42, 0.75),
        strength=_uniform(rng, 0.55, 0.95),
        jitter=_uniform(rng, 0.6, 1.7),
    )


def _photo_light(rng: np.random.Generator) -> Light:
    warm = rng.normal(0, 0.06)
    return Light(
        exposure=_uniform(rng, 0.62, 1.02),
        colour=(1 - float(warm), 1 + float(rng.normal(0, 0.02)), 1 + float(warm)),
        gradient=abs(float(rng.normal(0, 0.3))) if _chance(rng, 0.8) else 0.0,
        vignette=_uniform(rng, 0, 0.4),
        shadow=_uniform(rng, 0.15, 0.55) if _chance(rng, 0.3) else 0.0,
        shadow_softness=_uniform(rng, 0.01, 0.15),
        glare=_uniform(rng, 0.1, 0.5) if _chance(rng, 0.12) else 0.0,
        relief=_uniform(rng, 0.5, 1.3),
    )


def _photo_pose(rng: np.random.Generator, tilt: float) -> Pose:
    return Pose(
        fill=_uniform(rng, 0.5, 0.97),
        pitch=float(rng.normal(0, tilt)),
        yaw=float(rng.normal(0, tilt)),
        roll=float(rng.normal(0, 4)),
        quarter_turns=int(rng.choice([0, 1, 2, 3], p=[0.94, 0.025, 0.01, 0.025])),
        shift=(float(rng.normal(0, 0.04)), float(rng.normal(0, 0.04))),
        focal=_uniform(rng, 0.8, 1.4),
    )


def _photo_optics(rng: np.random.Generator, blur: float) -> Optics:
    return Optics(
        blur=abs(float(rng.normal(0, blur))),
        motion=_uniform(rng, 2, 7) if _chance(rng, 0.15) else 0.0,
        motion_angle=_uniform(rng, 0, 180),
        noise=_uniform(rng, 0.5, 6),
        sharpen=_uniform(rng, 0.2, 0.9) if _chance(rng, 0.4) else 0.0,
        jpeg=int(rng.integers(55, 95)),
    )


def _bent(rng: np.random.Generator) -> Bend:
    return Bend(
        arch=float(rng.normal(0, 0.04)),
        direction=_uniform(rng, 0, 180),
        waves=abs(float(rng.normal(0, 0.006))),
        creases=int(rng.choice([0, 1, 2, 5], p=[0.6, 0.2, 0.1, 0.1])),
    )


def _newspaper(rng: np.random.Generator) -> Conditions:
    landscape = _chance(rng, 0.3)
    size = one_of(rng, _PAPER_SIZES)
    tone = _uniform(rng, 195, 235)
    return Conditions(
        size=size[::-1] if landscape else size,
        layout="newspaper",
        puzzles=int(rng.choice([1, 2], p=[0.75, 0.25])),
        clues=int(rng.integers(24, 36)),
        solution_grid=_chance(rng, 0.35),
        paper=(tone * _uniform(rng, 0.86, 0.98), tone * _uniform(rng, 0.96, 1.0), tone),
        ink=_uniform(rng, 0.65, 0.95),
        ghost=_uniform(rng, 0.02, 0.12) if _chance(rng, 0.6) else 0.0,
        grain=_uniform(rng, 1, 5),
        table=one_of(rng, _TABLES),
        surround=_uniform(rng, 0.3, 0.7),
        grid=random_grid_style(rng),
        writing=random_writing(rng),
        pose=_photo_pose(rng, 9),
        bend=_bent(rng),
        light=_photo_light(rng),
        optics=_photo_optics(rng, 0.9),
    )


def _newspaper_phone(rng: np.random.Generator) -> Conditions:
    """Early phones: VGA, out of focus, milky, a cast of blue or yellow, the grid nearly fills the picture."""
    base = _newspaper(rng)
    cast = float(rng.choice([0.08, -0.02, -0.1], p=[0.5, 0.25, 0.25]))
    light = replace(
        base.light,
        exposure=_uniform(rng, 0.66, 0.98),
        colour=(1 + cast, 1.0 + _uniform(rng, -0.01, 0.06), 1 - cast - _uniform(rng, 0, 0.08)),
        vignette=_uniform(rng, 0.1, 0.5),
        glare=0.0,
    )
    optics = Optics(
        blur=_uniform(rng, 0.8, 2.3),
        motion=_uniform(rng, 2, 6) if _chance(rng, 0.15) else 0.0,
        motion_angle=_uniform(rng, 0, 180),
        noise=_uniform(rng, 1, 5),
        sharpen=_uniform(rng, 0, 0.8),
        jpeg=int(rng.integers(70, 95)),
    )
    turns = int(rng.choice([0, 1, 3], p=[0.94, 0.03, 0.03]))
    pose = replace(
        _photo_pose(rng, 4),
        fill=_uniform(rng, 0.78, 0.99),
        quarter_turns=turns,
        shift=(float(rng.normal(0, 0.05)), float(rng.normal(0, 0.02))),
    )
    return replace(base, size=(640, 480), ink=_uniform(rng, 0.6, 0.9), light=light, optics=optics, pose=pose)


def _book(rng: np.random.Generator) -> Conditions:
    base = _newspaper(rng)
    tone = _uniform(rng, 215, 250)
    side = _pick(rng, -1, 1)
    return replace(
        base,
        layout="book",
        puzzles=int(rng.choice([1, 2], p=[0.5, 0.5])),
        solution_grid=False,
        paper=(tone * _uniform(rng, 0.88, 1.0), tone * 0.99, tone),
        ink=_uniform(rng, 0.75, 1.0),
        ghost=_uniform(rng, 0.01, 0.06) if _chance(rng, 0.4) else 0.0,
        surround=_uniform(rng, 0.12, 0.3),
        grid=replace(random_grid_style(rng), digit_colour=_grey(_uniform(rng, 0, 60))),
        pose=replace(_photo_pose(rng, 7), fill=_uniform(rng, 0.45, 0.85)),
        bend=Bend(
            gutter=_uniform(rng, 0.03, 0.22),
            arch=side * _uniform(rng, 0, 0.03),
            waves=_uniform(rng, 0, 0.004),
        ),
    )


def _sheet(rng: np.random.Generator) -> Conditions:
    base = _newspaper(rng)
    tone = _uniform(rng, 235, 255)
    crumpled = _chance(rng, 0.12)
    return replace(
        base,
        layout="sheet",
        puzzles=int(rng.choice([1, 2, 4], p=[0.75, 0.15, 0.1])),
        solution_grid=False,
        paper=(tone, tone, tone),
        ink=_uniform(rng, 0.75, 1.0),
        ghost=0.0,
        surround=_uniform(rng, 0.08, 0.35),
        pose=replace(_photo_pose(rng, 14), fill=_uniform(rng, 0.4, 0.95)),
        bend=Bend(waves=_uniform(rng, 0.008, 0.016), creases=14)
        if crumpled
        else replace(_bent(rng), creases=0),
    )


def random_app_style(rng: np.random.Generator, dark: bool) -> GridStyle:
    """Return the style of the grid of a sudoku app."""
    back = _uniform(rng, 5, 50) if dark else _uniform(rng, 245, 255)
    fore = _uniform(rng, 165, 250) if dark else _uniform(rng, 10, 90)
    line = _uniform(rng, 75, 170) if dark else _uniform(rng, 20, 150)
    thin = _uniform(rng, 0.01, 0.03)
    cells = (back + _uniform(rng, 0, 12), back, back - _uniform(rng, 0, 5))
    glow = _uniform(rng, 18, 45)
    blueish = (back + glow, back + glow * 0.6, back + glow * 0.4)
    greyish = (back - glow * 0.3, back - glow * 0.6, back - glow * 0.9)
    return GridStyle(
        thin=thin,
        thick=thin * _uniform(rng, 1.5, 3),
        border=float(rng.choice([thin * 2.5, thin, 0.0], p=[0.7, 0.2, 0.1])),
        thin_lines="dotted" if _chance(rng, 0.06) else "plain",
        thin_strength=_uniform(rng, 0.3, 1.0),
        cell_colour=cells,
        line_colour=_grey(line),
        digit_colour=(min(255.0, fore + _uniform(rng, 0, 40)), fore, fore),
        digit_height=_uniform(rng, 0.38, 0.6),
        shaded=random_shaded(rng) if _chance(rng, 0.2) else (),
        shade=_grey(back + 18 if dark else back - 22),
        highlight=int(rng.integers(81)) if _chance(rng, 0.7) else None,
        highlight_colour=blueish if dark else greyish,
    )


def _app(rng: np.random.Generator, dark: bool) -> Conditions:
    size = one_of(rng, _APP_SIZES)
    style = random_app_style(rng, dark)
    cells = style.cell_colour or WHITE
    blue: Colour = (250, 150, 100) if dark else (220, 110, 40)
    writing = Writing(
        share=_pick(rng, 0.0, _uniform(rng, 0.02, 0.9)),
        wrong=_pick(rng, 0.0, 0.05),
        marks=MarkStyle(_pick(rng, 0.0, 0.0, _uniform(rng, 0.1, 0.9))),
        typed=True,
        colour=blue,
        height=style.digit_height,
        strength=1.0,
        jitter=0.0,
    )
    return Conditions(
        size=size,
        layout="app",
        screenshot=True,
        clues=int(rng.integers(24, 38)),
        paper=brightened(cells, 4 if dark else -4),
        dark=dark,
        surround=_uniform(rng, 0.02, 0.08),
        grid=style,
        writing=writing,
        pose=Pose(fill=_uniform(rng, 0.88, 1.0)),
        optics=Optics(jpeg=int(rng.choice([0, 60, 80, 92]))),
    )


def _screen_photo(rng: np.random.Generator) -> Conditions:
    base = _app(rng, dark=_chance(rng, 0.3))
    return replace(
        base,
        size=one_of(rng, _SCREEN_SIZES),
        screenshot=False,
        table=one_of(rng, _TABLES),
        pose=replace(_photo_pose(rng, 14), fill=_uniform(rng, 0.35, 0.85), roll=float(rng.normal(0, 12))),
        light=replace(
            _photo_light(rng),
            exposure=_uniform(rng, 0.6, 1.0),
            colour=(_uniform(rng, 1.0, 1.12), 1.0, _uniform(rng, 0.85, 1.0)),
        ),
        optics=replace(_photo_optics(rng, 0.8), moire=_uniform(rng, 0, 0.06)),
    )


_SAMPLERS = {
    "newspaper_phone": _newspaper_phone,
    "newspaper": _newspaper,
    "book": _book,
    "sheet": _sheet,
    "screenshot_light": lambda rng: _app(rng, dark=False),
    "screenshot_dark": lambda rng: _app(rng, dark=True),
    "screen_photo": _screen_photo,
}


_PAGES: tuple[Kind, ...] = ("newspaper", "book", "sheet")
_APPS: tuple[Kind, ...] = ("screenshot_light", "screenshot_dark", "screen_photo")
_APP_LAYOUTS: tuple[MarkLayout, ...] = ("square", "square", "corners", "centre")
_PAGE_LAYOUTS = tuple(layout for layout in MARK_LAYOUTS if layout != "centre")
"""By hand: one small digit in the middle of its cell is an entry to anybody."""
_FILLED = (0.15, 0.7)  # share of the blank cells that bear an entry
_MARKED = (0.2, 0.9)  # share of the cells then left that bear marks
_HEIGHTS = (0.16, 0.42)  # cells: how tall marks by hand are
_APP_HEIGHTS = (0.14, 0.26)


def half_solved_conditions(rng: np.random.Generator, kind: HalfSolvedKind) -> Conditions:
    """Return conditions of *kind*, one of :data:`HALF_SOLVED_KINDS`."""
    return _half_solved_page(rng) if kind == "half_solved_page" else _half_solved_app(rng)


def _half_solved_page(rng: np.random.Generator) -> Conditions:
    """A page with a pen or pencil: marks in a layout that one person keeps to, and mistakes put right."""
    base = random_conditions(rng, one_of(rng, _PAGES))
    writing = replace(
        random_writing(rng, probability=1.0),
        share=float(rng.uniform(*_FILLED)),
        writer=new_hand(rng),
        marks=_sensible_marks(rng, _PAGE_LAYOUTS, _HEIGHTS),
        corrections=Corrections(*(float(rng.choice([0.0, 0.08])) for _ in range(3))),
    )
    return replace(base, puzzles=1, writing=writing)


def _half_solved_app(rng: np.random.Generator) -> Conditions:
    base = random_conditions(rng, one_of(rng, _APPS))
    writing = replace(
        base.writing,
        share=float(rng.uniform(*_FILLED)),
        marks=_sensible_marks(rng, _APP_LAYOUTS, _APP_HEIGHTS),
    )
    return replace(base, writing=writing)


def _sensible_marks(
    rng: np.random.Generator, layouts: tuple[MarkLayout, ...], heights: tuple[float, float]
) -> MarkStyle:
    return MarkStyle(
        share=float(rng.uniform(*_MARKED)),
        most=int(rng.integers(2, 7)),
        height=float(rng.uniform(*heights)),
        layout=one_of(rng, layouts),
        sensible=True,
    )
