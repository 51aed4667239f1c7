"""Random settings for drawings: for each kind of real picture, for killers, and for close-ups.

In a close-up, one grid fills the picture. Models are trained with close-ups. Most close-ups are more extreme
than real pictures: faint and coloured inks, dark paper, very thin lines, hasty handwriting, very few pixels.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from sudoku_vision.output.drawing.figure import BLACK, WHITE, Colour
from workshop import KINDS, HalfSolvedKind, Kind
from workshop.rendering.canvas import brightened
from workshop.rendering.conditions import Bend, Conditions, Light, Optics, Pose
from workshop.rendering.hands import new_hand
from workshop.rendering.pencil_marks import MARK_LAYOUTS, MarkLayout, MarkStyle
from workshop.rendering.printed_grid import CageStyle, GridStyle
from workshop.rendering.typefaces import Typeface
from workshop.rendering.writing import Corrections, Writing

T = TypeVar("T")
_Tint = NDArray[np.float64]  # a colour (3,): blue, green, red

_PENS: tuple[Colour, ...] = ((150, 60, 30), (50, 40, 40), (40, 40, 190), (95, 95, 95), (70, 110, 40))
_TABLES: tuple[Colour, ...] = (
    *((40, 80, 130), (30, 45, 70), (25, 25, 28)),
    *((150, 165, 175), (60, 110, 180), (110, 90, 80)),
)
_SHADED = ((1, 3, 5, 7), (0, 2, 4, 6, 8), (4,), (0, 2, 6, 8))
"""Sets of boxes (0..8). In a grid with shaded boxes, the boxes of one set are shaded."""
_PAPER_SIZES = ((750, 1000), (900, 1200), (1080, 1440))
_APP_SIZES = ((540, 1170), (720, 1280), (750, 1334), (1000, 750))
_SCREEN_SIZES = ((750, 1000), (900, 1200), (1000, 750))

_PAGES: tuple[Kind, ...] = ("newspaper", "book", "sheet")
_APPS: tuple[Kind, ...] = ("screenshot_light", "screenshot_dark", "screen_photo")
_APP_LAYOUTS: tuple[MarkLayout, ...] = ("square", "square", "corners", "centre")
_PAGE_LAYOUTS = tuple(layout for layout in MARK_LAYOUTS if layout != "centre")
"""Layouts of handwritten marks. ``centre`` is left out, because a single mark there looks like an entry."""
_FILLED = (0.15, 0.7)  # range of the share of blank cells that get an entry
_MARKED = (0.2, 0.9)  # range of the share of the remaining blank cells that get pencil marks
_HEIGHTS, _APP_HEIGHTS = (0.16, 0.42), (0.14, 0.26)
"""Ranges of the height of pencil marks, in cells: on paper, and in apps."""

_OF_A_KIND = 0.3  # share of the close-ups that resemble a kind of real picture
_RIM = 0.7  # width of the paper around the grid of a close-up, in cells
_FILL = 9 / (9 + 2 * _RIM)  # side of the grid as a share of the side of a close-up
_MAX_CELL = 60.0  # largest side of a cell in a close-up, in pixels; more is useless: readers scale cells down
_HARDNESS, _HARDNESS_SHARES = (0.3, 0.65, 1.0), (0.45, 0.35, 0.2)
"""Degrees (0..1) to which the camera spoils close-ups, and the share of close-ups with each degree."""
_SLIP = 0.01  # usual ``Conditions.slip`` for uneven print, in cells
_MIN_CONTRAST = 0.22  # smallest contrast of print and paper, 0..1: with less, nobody can read
_INKS = ((0.1, 0.1, 0.1), (0.75, 0.25, 0.15), (0.2, 0.15, 0.8), (0.45, 0.45, 0.45), (0.3, 0.5, 0.2))
_INK_SHARES = (0.3, 0.3, 0.15, 0.2, 0.05)
"""Five colours of pens in close-ups, each as (blue, green, red) in 0..1, and the share of pages with each."""


def one_of(rng: Generator, choices: Sequence[T]) -> T:
    """Return a random one of the *choices*."""
    return choices[int(rng.integers(len(choices)))]


def triple(values: _Tint) -> Colour:
    """Return an array (3,) as the colour (blue, green, red)."""
    blue, green, red = values.tolist()
    return (blue, green, red)


def _grey(value: float) -> Colour:
    return (value, value, value)


def random_conditions(rng: Generator, kind: Kind | HalfSolvedKind) -> Conditions:
    """Return random conditions like those of real pictures of a *kind*."""
    return _SAMPLERS[kind](rng)


def _grid_style(rng: Generator) -> GridStyle:
    thin = rng.uniform(0.012, 0.035)
    thick = thin * rng.uniform(1.3, 3.5)
    colour = _grey(rng.uniform(0, 70))
    red = rng.random() < 0.12
    digits = (rng.uniform(20, 90), rng.uniform(20, 80), rng.uniform(170, 230))
    border = float(rng.choice([thick, thick * 1.4, thin, 0.0], p=[0.7, 0.2, 0.06, 0.04]))
    lines = rng.random()
    return GridStyle(
        thin=thin,
        thick=thick,
        border=border,
        thin_lines="dotted" if lines < 0.06 else "none" if lines < 0.08 else "plain",
        thin_strength=rng.uniform(0.25, 1.0) if rng.random() < 0.4 else 1.0,
        line_colour=colour,
        digit_colour=digits if red else _grey(rng.uniform(0, 60)),
        digit_height=rng.uniform(0.4, 0.68),
        digit_offset=(rng.normal(0, 0.02), rng.normal(0, 0.03)),
        shaded=one_of(rng, _SHADED) if rng.random() < 0.2 else (),
        shade=_grey(rng.uniform(165, 230)) if rng.random() < 0.7 else triple(rng.uniform(185, 245, 3)),
    )


def _writing(rng: Generator, probability: float = 0.35) -> Writing:
    """Return random settings for handwriting. *probability*: probability that a page has handwriting."""
    if rng.random() >= probability:
        return Writing()
    return Writing(
        share=float(rng.choice([rng.uniform(0.03, 0.4), rng.uniform(0.4, 1.0)])),
        wrong=one_of(rng, (0.0, 0.0, 0.08)),
        marks=MarkStyle(one_of(rng, (0.0, 0.0, rng.uniform(0.05, 0.5)))),
        colour=one_of(rng, _PENS),
        height=rng.uniform(0.42, 0.75),
        strength=rng.uniform(0.55, 0.95),
        jitter=rng.uniform(0.6, 1.7),
    )


def _photo_light(rng: Generator) -> Light:
    warm = rng.normal(0, 0.06)
    return Light(
        exposure=rng.uniform(0.62, 1.02),
        colour=(1 - warm, 1 + rng.normal(0, 0.02), 1 + warm),
        gradient=abs(rng.normal(0, 0.3)) if rng.random() < 0.8 else 0.0,
        vignette=rng.uniform(0, 0.4),
        shadow=rng.uniform(0.15, 0.55) if rng.random() < 0.3 else 0.0,
        shadow_softness=rng.uniform(0.01, 0.15),
        glare=rng.uniform(0.1, 0.5) if rng.random() < 0.12 else 0.0,
        relief=rng.uniform(0.5, 1.3),
    )


def _photo_pose(rng: Generator, tilt: float) -> Pose:
    return Pose(
        fill=rng.uniform(0.5, 0.97),
        pitch=rng.normal(0, tilt),
        yaw=rng.normal(0, tilt),
        roll=rng.normal(0, 4),
        quarter_turns=int(rng.choice([0, 1, 2, 3], p=[0.94, 0.025, 0.01, 0.025])),
        shift=(rng.normal(0, 0.04), rng.normal(0, 0.04)),
        focal=rng.uniform(0.8, 1.4),
    )


def _photo_optics(rng: Generator, blur: float) -> Optics:
    return Optics(
        blur=abs(rng.normal(0, blur)),
        motion=rng.uniform(2, 7) if rng.random() < 0.15 else 0.0,
        motion_angle=rng.uniform(0, 180),
        noise=rng.uniform(0.5, 6),
        sharpen=rng.uniform(0.2, 0.9) if rng.random() < 0.4 else 0.0,
        jpeg=int(rng.integers(55, 95)),
    )


def _bent(rng: Generator, arch: float = 0.04, waves: float = 0.006) -> Bend:
    """Return a random bend. *arch*, *waves*: standard deviations of ``Bend.arch`` and ``Bend.waves``."""
    return Bend(
        arch=rng.normal(0, arch),
        direction=rng.uniform(0, 180),
        waves=abs(rng.normal(0, waves)),
        creases=int(rng.choice([0, 1, 2, 5], p=[0.6, 0.2, 0.1, 0.1])),
    )


def _newspaper(rng: Generator) -> Conditions:
    landscape = rng.random() < 0.3
    size = one_of(rng, _PAPER_SIZES)
    tone = rng.uniform(195, 235)
    return Conditions(
        size=size[::-1] if landscape else size,
        layout="newspaper",
        puzzles=int(rng.choice([1, 2], p=[0.75, 0.25])),
        clues=int(rng.integers(24, 36)),
        solution_grid=bool(rng.random() < 0.35),
        paper=(tone * rng.uniform(0.86, 0.98), tone * rng.uniform(0.96, 1.0), tone),
        ink=rng.uniform(0.65, 0.95),
        ghost=rng.uniform(0.02, 0.12) if rng.random() < 0.6 else 0.0,
        grain=rng.uniform(1, 5),
        table=one_of(rng, _TABLES),
        surround=rng.uniform(0.3, 0.7),
        grid=_grid_style(rng),
        writing=_writing(rng),
        pose=_photo_pose(rng, 9),
        bend=_bent(rng),
        light=_photo_light(rng),
        optics=_photo_optics(rng, 0.9),
    )


def _newspaper_phone(rng: Generator) -> Conditions:
    """Return random conditions of a photo from an early phone: few pixels, blurred, bluish or yellowish."""
    base = _newspaper(rng)
    cast = float(rng.choice([0.08, -0.02, -0.1], p=[0.5, 0.25, 0.25]))
    light = replace(
        base.light,
        exposure=rng.uniform(0.66, 0.98),
        colour=(1 + cast, 1.0 + rng.uniform(-0.01, 0.06), 1 - cast - rng.uniform(0, 0.08)),
        vignette=rng.uniform(0.1, 0.5),
        glare=0.0,
    )
    optics = Optics(
        blur=rng.uniform(0.8, 2.3),
        motion=rng.uniform(2, 6) if rng.random() < 0.15 else 0.0,
        motion_angle=rng.uniform(0, 180),
        noise=rng.uniform(1, 5),
        sharpen=rng.uniform(0, 0.8),
        jpeg=int(rng.integers(70, 95)),
    )
    turns = int(rng.choice([0, 1, 3], p=[0.94, 0.03, 0.03]))
    pose = replace(
        _photo_pose(rng, 4),
        fill=rng.uniform(0.78, 0.99),
        quarter_turns=turns,
        shift=(rng.normal(0, 0.05), rng.normal(0, 0.02)),
    )
    return replace(base, size=(640, 480), ink=rng.uniform(0.6, 0.9), light=light, optics=optics, pose=pose)


def _book(rng: Generator) -> Conditions:
    base = _newspaper(rng)
    tone = rng.uniform(215, 250)
    side = one_of(rng, (-1, 1))
    return replace(
        base,
        layout="book",
        puzzles=int(rng.choice([1, 2], p=[0.5, 0.5])),
        solution_grid=False,
        paper=(tone * rng.uniform(0.88, 1.0), tone * 0.99, tone),
        ink=rng.uniform(0.75, 1.0),
        ghost=rng.uniform(0.01, 0.06) if rng.random() < 0.4 else 0.0,
        surround=rng.uniform(0.12, 0.3),
        grid=replace(_grid_style(rng), digit_colour=_grey(rng.uniform(0, 60))),
        pose=replace(_photo_pose(rng, 7), fill=rng.uniform(0.45, 0.85)),
        bend=Bend(
            gutter=rng.uniform(0.03, 0.22), arch=side * rng.uniform(0, 0.03), waves=rng.uniform(0, 0.004)
        ),
    )


def _sheet(rng: Generator) -> Conditions:
    base = _newspaper(rng)
    tone = rng.uniform(235, 255)
    crumpled = rng.random() < 0.12
    return replace(
        base,
        layout="sheet",
        puzzles=int(rng.choice([1, 2, 4], p=[0.75, 0.15, 0.1])),
        solution_grid=False,
        paper=_grey(tone),
        ink=rng.uniform(0.75, 1.0),
        ghost=0.0,
        surround=rng.uniform(0.08, 0.35),
        pose=replace(_photo_pose(rng, 14), fill=rng.uniform(0.4, 0.95)),
        bend=Bend(waves=rng.uniform(0.008, 0.016), creases=14)
        if crumpled
        else replace(_bent(rng), creases=0),
    )


def _app_style(rng: Generator, dark: bool) -> GridStyle:
    back = rng.uniform(5, 50) if dark else rng.uniform(245, 255)
    fore = rng.uniform(165, 250) if dark else rng.uniform(10, 90)
    line = rng.uniform(75, 170) if dark else rng.uniform(20, 150)
    thin = rng.uniform(0.01, 0.03)
    cells = (back + rng.uniform(0, 12), back, back - rng.uniform(0, 5))
    glow = rng.uniform(18, 45)
    blueish = (back + glow, back + glow * 0.6, back + glow * 0.4)
    greyish = (back - glow * 0.3, back - glow * 0.6, back - glow * 0.9)
    return GridStyle(
        thin=thin,
        thick=thin * rng.uniform(1.5, 3),
        border=float(rng.choice([thin * 2.5, thin, 0.0], p=[0.7, 0.2, 0.1])),
        thin_lines="dotted" if rng.random() < 0.06 else "plain",
        thin_strength=rng.uniform(0.3, 1.0),
        cell_colour=cells,
        line_colour=_grey(line),
        digit_colour=(min(255.0, fore + rng.uniform(0, 40)), fore, fore),
        digit_height=rng.uniform(0.38, 0.6),
        shaded=one_of(rng, _SHADED) if rng.random() < 0.2 else (),
        shade=_grey(back + 18 if dark else back - 22),
        highlight=int(rng.integers(81)) if rng.random() < 0.7 else None,
        highlight_colour=blueish if dark else greyish,
    )


def _app(rng: Generator, dark: bool) -> Conditions:
    size = one_of(rng, _APP_SIZES)
    style = _app_style(rng, dark)
    cells = style.cell_colour or WHITE
    writing = Writing(
        share=one_of(rng, (0.0, rng.uniform(0.02, 0.9))),
        wrong=one_of(rng, (0.0, 0.05)),
        marks=MarkStyle(one_of(rng, (0.0, 0.0, rng.uniform(0.1, 0.9)))),
        typed=True,
        colour=(250, 150, 100) if dark else (220, 110, 40),
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
        surround=rng.uniform(0.02, 0.08),
        grid=style,
        writing=writing,
        pose=Pose(fill=rng.uniform(0.88, 1.0)),
        optics=Optics(jpeg=int(rng.choice([0, 60, 80, 92]))),
    )


def _screen_photo(rng: Generator) -> Conditions:
    base = _app(rng, bool(rng.random() < 0.3))
    return replace(
        base,
        size=one_of(rng, _SCREEN_SIZES),
        screenshot=False,
        table=one_of(rng, _TABLES),
        pose=replace(_photo_pose(rng, 14), fill=rng.uniform(0.35, 0.85), roll=rng.normal(0, 12)),
        light=replace(
            _photo_light(rng),
            exposure=rng.uniform(0.6, 1.0),
            colour=(rng.uniform(1.0, 1.12), 1.0, rng.uniform(0.85, 1.0)),
        ),
        optics=replace(_photo_optics(rng, 0.8), moire=rng.uniform(0, 0.06)),
    )


def _half_solved_page(rng: Generator) -> Conditions:
    """Return random conditions of a page with entries and pencil marks, sometimes with corrected mistakes."""
    base = random_conditions(rng, one_of(rng, _PAGES))
    writing = replace(
        _writing(rng, probability=1.0),
        share=rng.uniform(*_FILLED),
        writer=new_hand(rng),
        marks=_sensible_marks(rng, _PAGE_LAYOUTS, _HEIGHTS),
        corrections=Corrections(*(float(rng.choice([0.0, 0.08])) for _ in range(3))),
    )
    return replace(base, puzzles=1, writing=writing)


def _half_solved_app(rng: Generator) -> Conditions:
    base = random_conditions(rng, one_of(rng, _APPS))
    share, marks = rng.uniform(*_FILLED), _sensible_marks(rng, _APP_LAYOUTS, _APP_HEIGHTS)
    return replace(base, writing=replace(base.writing, share=share, marks=marks))


def _sensible_marks(rng: Generator, layouts: Sequence[MarkLayout], heights: tuple[float, float]) -> MarkStyle:
    return MarkStyle(
        share=rng.uniform(*_MARKED),
        most=int(rng.integers(2, 7)),
        height=rng.uniform(*heights),
        layout=one_of(rng, layouts),
        sensible=True,
    )


_SAMPLERS: dict[Kind | HalfSolvedKind, Callable[[Generator], Conditions]] = {
    "newspaper_phone": _newspaper_phone,
    "newspaper": _newspaper,
    "book": _book,
    "sheet": _sheet,
    "screenshot_light": partial(_app, dark=False),
    "screenshot_dark": partial(_app, dark=True),
    "screen_photo": _screen_photo,
    "half_solved_page": _half_solved_page,
    "half_solved_app": _half_solved_app,
}


def random_close_up(rng: Generator) -> Conditions:
    """Return random conditions of a close-up."""
    if rng.random() < _OF_A_KIND:
        return closer(random_conditions(rng, one_of(rng, KINDS)))
    return _unusual(rng)


def closer(conditions: Conditions) -> Conditions:
    """Return *conditions* for a close-up: one upright grid fills the picture.

    Blurs are scaled by the same factor as the grid.
    """
    cell = conditions.pose.fill * min(conditions.size) / 9
    scale = min(1.0, _MAX_CELL / cell)
    optics = conditions.optics
    return replace(
        conditions,
        size=_close_up_size(cell * scale),
        layout="close_up",
        puzzles=1,
        solution_grid=False,
        surround=_RIM / 9,
        slip=None if conditions.layout == "app" else _SLIP,
        pose=replace(conditions.pose, fill=_FILL, quarter_turns=0, shift=(0.0, 0.0)),
        optics=replace(optics, blur=optics.blur * scale, motion=optics.motion * scale),
    )


def _close_up_size(cell: float) -> tuple[int, int]:
    """Return the width and height of a close-up, in pixels. *cell*: side of a cell in pixels."""
    side = round((9 + 2 * _RIM) * cell)
    return side, side


def _unusual(rng: Generator) -> Conditions:
    screen = rng.random() < 0.15
    hardness = float(rng.choice(_HARDNESS, p=_HARDNESS_SHARES))
    paper, ink, line, pen = _unusual_colours(rng, dark_mode=rng.random() < (0.3 if screen else 0.03))
    grid = _unusual_grid_style(paper, ink, line, rng)
    cell = rng.uniform(22, _MAX_CELL) if screen else _unusual_cell(hardness, rng)
    plain = Conditions(
        size=_close_up_size(cell),
        layout="close_up",
        paper=_bgr(paper),
        ghost=rng.uniform(0.03, 0.25) if rng.random() < 0.3 else 0.0,
        specks=0.04,
        surround=_RIM / 9,
        slip=0.008 + rng.uniform(0, 0.01),
        grid=grid,
        writing=_unusual_writing(pen, grid, screen, rng),
        pose=Pose(fill=_FILL),
    )
    if screen:
        return replace(
            plain,
            screenshot=True,
            optics=Optics(jpeg=int(rng.uniform(50, 95)) if rng.random() < 0.5 else 0),
        )
    return replace(
        plain,
        grain=rng.uniform(0, 4) if rng.random() < 0.3 else 0.0,
        crumpled=hardness * rng.uniform(0.05, 0.3) if rng.random() < 0.2 else 0.0,
        pose=_unusual_pose(rng),
        bend=_unusual_bend(rng),
        light=_unusual_light(hardness, rng),
        optics=_unusual_optics(cell, hardness, rng),
    )


def _unusual_cell(hardness: float, rng: Generator) -> float:
    """Return a random side of a cell in pixels. A larger *hardness* allows smaller cells."""
    if rng.random() < 0.4:
        return rng.uniform(30, _MAX_CELL)
    return float(np.exp(rng.uniform(np.log(16 - 6 * hardness), np.log(48))))


def _bgr(colour: _Tint) -> Colour:
    return triple(255 * np.clip(colour, 0, 1))


def _unusual_colours(rng: Generator, *, dark_mode: bool) -> tuple[_Tint, _Tint, _Tint, _Tint]:
    """Return random colours of paper, print, lines and pen, each as (blue, green, red), 0..1."""
    paper = rng.uniform(0.72, 1.0) * (1 - rng.uniform(0, 0.12, 3))
    ink = _ink_colour(rng)
    pen = np.clip(np.array(_INKS[rng.choice(5, p=_INK_SHARES)]) + rng.normal(0, 0.06, 3), 0, 0.85)
    line = np.clip(ink if rng.random() < 0.3 else np.full(3, rng.uniform(0, 0.45)), 0, 0.8)
    if dark_mode:
        paper = rng.uniform(0.02, 0.25) * (1 + rng.uniform(0, 0.6, 3))
        ink, pen = rng.uniform(0.6, 1.0, 3), rng.uniform(0.35, 1.0, 3)
        line = np.full(3, rng.uniform(0.25, 0.7))
    if np.abs(ink - paper).mean() < _MIN_CONTRAST:
        ink = np.zeros(3) if paper.mean() > 0.4 else np.ones(3)
    return paper, ink, line, pen


def _ink_colour(rng: Generator) -> _Tint:
    """Return a random colour of print: nearly black, red, blue, or a faint grey."""
    kind = rng.random()
    if kind < 0.15:
        return np.array([rng.uniform(0.2, 0.6), rng.uniform(0.15, 0.55), rng.uniform(0.7, 0.95)])
    if kind < 0.24:
        return np.array([rng.uniform(0.5, 0.95), rng.uniform(0.1, 0.5), rng.uniform(0.0, 0.35)])
    if kind < 0.30:
        return np.full(3, rng.uniform(0.4, 0.62))
    return np.asarray(rng.uniform(0.0, 0.35, 3) * rng.uniform(0, 1) + rng.choice([0.0, 0.0, 0.1, 0.25]))


def _unusual_grid_style(paper: _Tint, ink: _Tint, line: _Tint, rng: Generator) -> GridStyle:
    thin = rng.uniform(0.012, 0.06)
    thick = thin * rng.uniform(1.0, 3.0)
    height = float(rng.choice([rng.uniform(0.38, 0.75), rng.uniform(0.3, 0.85)]))
    room = max(0.0, (1 - height - thin) / 2)
    shaded = rng.random()
    tint = rng.uniform(0.6, 0.95) if shaded < 0.15 else rng.uniform(0.5, 1.0, 3)
    return GridStyle(
        thin=thin,
        thick=thick,
        border=thick if rng.random() < 0.96 else 0.0,
        thin_lines="dotted" if rng.random() < 0.05 else "plain",
        thin_strength=rng.uniform(0.4, 1.0),
        line_colour=_bgr(line),
        digit_colour=_bgr(ink),
        digit_height=height,
        digit_offset=(rng.normal(0, 0.03), float(np.clip(rng.normal(0, 0.045), -room, room))),
        shaded=one_of(rng, _SHADED) if shaded < 0.25 else (),
        shade=_bgr(paper * tint),
        highlight=int(rng.integers(81)) if rng.random() < 0.05 else None,
        highlight_colour=_bgr(paper * rng.uniform(0.6, 0.95, 3)),
    )


def _unusual_writing(pen: _Tint, grid: GridStyle, screen: bool, rng: Generator) -> Writing:
    """Return a random style of handwriting and pencil marks.

    No cell has handwriting yet (``share`` is 0), because another function chooses the written digits.
    """
    marks = rng.choice([0.0, 0.03, 0.3, 0.9], p=[0.4, 0.05, 0.2, 0.35] if screen else [0.65, 0.13, 0.12, 0.1])
    return Writing(
        colour=_bgr(pen),
        height=rng.uniform(0.36, 0.9),
        height_spread=0.2,
        strength=rng.uniform(0.55, 1.0),
        uneven=0.2,
        marks=MarkStyle(
            share=float(marks),
            most=int(rng.integers(1, 10)),
            height=rng.uniform(0.13, min(0.29, 0.55 * grid.digit_height)),
            colour=_bgr(pen + rng.uniform(-0.1, 0.3)),
            typed=bool(rng.random() < 0.75),
        ),
    )


def _unusual_pose(rng: Generator) -> Pose:
    tilt = rng.choice([2.0, 6.0, 14.0])
    pitch, yaw, roll = rng.normal(0, tilt), rng.normal(0, tilt), rng.normal(0, 4)
    return Pose(fill=_FILL, pitch=pitch, yaw=yaw, roll=roll, focal=rng.uniform(0.8, 1.4))


def _unusual_bend(rng: Generator) -> Bend:
    kind = rng.random()
    if kind < 0.55:
        return Bend()
    if kind < 0.63:
        return Bend(waves=rng.uniform(0.006, 0.014), creases=14)
    return _bent(rng, 0.03, 0.005)


def _unusual_light(hardness: float, rng: Generator) -> Light:
    return Light(
        colour=triple(1 + rng.normal(0, 0.06, 3)),
        exposure=rng.uniform(1 - 0.5 * hardness, 1.05),
        gradient=min(0.8, abs(rng.normal(0, 0.35))),
        vignette=rng.uniform(0, 0.4),
        shadow=rng.uniform(0.1, 0.2 + 0.4 * hardness) if rng.random() < 0.2 else 0.0,
        shadow_softness=float(np.exp(rng.uniform(np.log(0.003), np.log(0.1)))),
        glare=hardness * rng.uniform(0.1, 0.5) if rng.random() < 0.05 else 0.0,
        relief=rng.uniform(0.5, 1.3),
    )


def _unusual_optics(cell: float, hardness: float, rng: Generator) -> Optics:
    """Return random effects of lens, sensor and file. *cell*: side of a cell in pixels."""
    noise = hardness * (abs(rng.normal(0, 4)) + float(rng.choice([0.0, 0.0, 0.0, 5.0])))
    return Optics(
        blur=cell * abs(rng.normal(0, 0.035 * hardness)) + rng.uniform(0, 0.5),
        motion=2 * cell * hardness * rng.uniform(0.03, 0.16) if rng.random() < 0.2 else 0.0,
        motion_angle=rng.uniform(0, 180),
        noise=noise / 2,
        grey_noise=noise,
        noise_grain=rng.uniform(0.6, 1.6) if rng.random() < 0.4 else 0.5,
        haze=float(rng.choice([0.0, rng.uniform(0, 0.25 * hardness)])),
        gamma=rng.uniform(0.6, 1.6) if rng.random() < 0.3 else 1.0,
        sharpen=rng.uniform(0.3, 1.5) if rng.random() < 0.35 else 0.0,
        sharpen_radius=rng.uniform(0.7, 1.8),
        moire=hardness * rng.uniform(0.01, 0.07) if rng.random() < 0.08 else 0.0,
        jpeg=int(rng.uniform(70 - 45 * hardness, 95)) if rng.random() < 0.85 else 0,
    )


def _dashed(rng: Generator) -> CageStyle:
    return CageStyle(
        inset=rng.uniform(0.04, 0.11),
        width=rng.uniform(0.012, 0.03),
        dash=rng.uniform(0.05, 0.16),
        gap=rng.uniform(0.03, 0.08),
        at_corners=bool(rng.random() < 0.4),
    )


def _dotted(rng: Generator) -> CageStyle:
    width = rng.uniform(0.02, 0.035)
    gap = width * rng.uniform(1.0, 2.0)
    return CageStyle("dotted", inset=rng.uniform(0.05, 0.11), width=width, dash=width, gap=gap)


def _dashed_as_in_apps(rng: Generator) -> CageStyle:
    return CageStyle(
        inset=rng.uniform(0.05, 0.09),
        width=rng.uniform(0.01, 0.018),
        dash=rng.uniform(0.04, 0.07),
        gap=rng.uniform(0.03, 0.05),
        strength=rng.uniform(0.5, 0.9),
        at_corners=True,
    )


def _dotted_as_in_newspapers(rng: Generator) -> CageStyle:
    width = rng.uniform(0.015, 0.022)
    return CageStyle("dotted", inset=rng.uniform(0.05, 0.08), width=width, dash=width, gap=width)


def _black_tints(rng: Generator) -> tuple[Colour, ...]:
    """Return a random number of cage colours, all black. They are replaced when the paper is known."""
    return (BLACK,) * int(rng.integers(5, 8))


CAGE_DESIGNS: dict[str, Callable[[Generator], CageStyle]] = {
    "dashed": _dashed,
    "dotted": _dotted,
    "plain": lambda rng: CageStyle("plain", inset=rng.uniform(0.04, 0.1), width=rng.uniform(0.012, 0.03)),
    "thick": lambda rng: CageStyle("plain", inset=0.0, width=rng.uniform(0.06, 0.09)),
    "tinted": lambda rng: CageStyle("none", tints=_black_tints(rng)),
    "tinted and dashed": lambda rng: replace(_dashed(rng), tints=_black_tints(rng)),
    "like apps": _dashed_as_in_apps,
    "like newspapers": _dotted_as_in_newspapers,
}
"""Designs of cages by name. The reader was developed with the first five, and tested with the last three."""


def killer_conditions(
    rng: Generator, base: Conditions, design: str, typeface: Typeface | None = None
) -> Conditions:
    """Return conditions like *base* for a killer. *design*: its cage design, a key of :data:`CAGE_DESIGNS`.

    Digits and sums are in *typeface*. A tenth of the killers have clues, and some have entries.
    """
    grid, style = base.grid, CAGE_DESIGNS[design](rng)
    paper = grid.cell_colour or base.paper
    height = rng.uniform(0.16, 0.25)
    # Distance of a sum from the outline. If it is negative, the sum lies over the outline, which gets a gap.
    room = 0.03 if style.inset == 0 else 0.02 if style.lines == "none" else rng.choice([-0.02, 0.015])
    cleared = rng.uniform(0.01, 0.03) if room < 0 else None
    place = style.inset + style.width / 2 + room
    left, top = max(0.045, place + rng.uniform(-0.005, 0.01)), max(0.045, place + rng.uniform(-0.005, 0.01))
    tints = _tints(paper, base.dark, len(style.tints), rng)
    style = replace(style, sum_height=height, sum_place=(left, top), cleared=cleared, tints=tints)
    # If cage outlines lie on grid lines, thick box lines would look like them. So boxes are shaded instead.
    if not style.inset:
        grid = replace(grid, thick=min(grid.thin, 0.02), thin=min(grid.thin, 0.02), shaded=(1, 3, 5, 7))
    if style.tints:
        grid = replace(grid, highlight=None, shaded=())
    digit_height = min(grid.digit_height, 0.46)
    grid = replace(grid, typeface=typeface, cages=style, digit_height=digit_height, digit_offset=(0.02, 0.06))
    clues = int(rng.integers(3, 25)) if rng.random() < 0.1 else 0
    share = base.writing.share if rng.random() < 0.3 else 0.0
    marks = base.writing.marks if rng.random() < 0.15 else MarkStyle()
    writing = replace(base.writing, share=share, height=min(base.writing.height, 0.44), marks=marks)
    return replace(base, puzzles=1, clues=clues, solution_grid=False, grid=grid, writing=writing)


def _tints(paper: Colour, dark: bool, count: int, rng: Generator) -> tuple[Colour, ...]:
    """Return *count* colours with clearly different hues, about as bright as the *paper*."""
    if not count:
        return ()
    start, depth = rng.uniform(0, 1), rng.uniform(0.12, 0.35)
    tints = []
    for number in range(count):
        angle = 2 * np.pi * (start + number / count)
        hue = 0.5 + 0.5 * np.cos(angle + 2 * np.pi / 3 * np.arange(3))
        level = np.array(paper) + 255 * depth * hue if dark else np.array(paper) * (1 - depth * hue)
        tints.append(triple(np.clip(level * rng.uniform(0.94, 1.0), 0, 255)))
    return tuple(tints)
