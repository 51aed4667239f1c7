"""Conditions: the settings of a drawing, for the grid, the page, the camera, the light and the optics.

The defaults give the simplest picture: a clean sheet, photographed from straight above. :mod:`.kinds` returns
random settings like those of real pictures.
"""

from dataclasses import dataclass, field
from typing import Literal

from sudoku_vision.output.drawing.colours import WHITE, Colour
from workshop.rendering.printed_grid import GridStyle
from workshop.rendering.typefaces import Typeface
from workshop.rendering.writing import Writing

Layout = Literal["sheet", "newspaper", "book", "app", "close_up"]


@dataclass(frozen=True)
class Pose:
    """The position of the camera relative to the grid.

    ``fill``: side of the grid, as a share of the picture's shorter side. ``pitch``, ``yaw`` and ``roll``:
    rotation about the three axes, in degrees. ``quarter_turns``: number of times that the picture is turned
    by 90 degrees. ``shift``: distances that the grid's middle is moved right and down, as shares of the
    picture's width and height. ``focal``: focal length, as a share of the picture's longer side. With a short
    focal length, the camera is near, so the perspective is strong.
    """

    fill: float = 0.85
    pitch: float = 0.0
    yaw: float = 0.0
    roll: float = 0.0
    quarter_turns: int = 0
    shift: tuple[float, float] = (0.0, 0.0)
    focal: float = 1.2


@dataclass(frozen=True)
class Bend:
    """The shape of bent paper. All heights and depths are in units of the grid's side.

    ``gutter``: depth of the valley in the middle of an open book. ``arch``: height of one wide bow of the
    page; ``direction``: the direction in which the page bends, in degrees. ``waves``: height of soft waves.
    ``creases``: number of sharp folds. ``crease_height``: usual height of a sharp fold.
    """

    gutter: float = 0.0
    arch: float = 0.0
    direction: float = 0.0
    waves: float = 0.0
    creases: int = 0
    crease_height: float = 0.012

    @property
    def flat(self) -> bool:
        """Whether the page is a plane, which means that none of these bends is set."""
        return self.gutter == self.arch == self.waves == 0 and self.creases == 0


@dataclass(frozen=True)
class Light:
    """The light on the page. All strengths are in 0..1.

    ``exposure``: factor for the brightness. ``colour``: further factors for blue, green and red.
    ``gradient``: share of the light that is lost from one side of the picture to the other. ``vignette``:
    share of the light that is lost in the corners. ``shadow``: share of the light that a shadow takes away;
    ``shadow_softness``: width of the shadow's blurred edge, as a share of the picture's longer side.
    ``glare``: brightness of a lamp that is mirrored on the page. ``relief``: strength with which slopes of
    bent paper look lighter or darker.
    """

    exposure: float = 1.0
    colour: Colour = (1.0, 1.0, 1.0)
    gradient: float = 0.0
    vignette: float = 0.0
    shadow: float = 0.0
    shadow_softness: float = 0.05
    glare: float = 0.0
    relief: float = 1.0


@dataclass(frozen=True)
class Optics:
    """Changes of the picture by lens, sensor and file. Blurs are in pixels, noise is in grey levels.

    ``blur``: blur of the lens. ``motion``: length of the blur by a moving camera, in the direction
    ``motion_angle`` (degrees). ``noise``: noise that differs in the colour channels. ``grey_noise``: noise
    that is the same in all three channels. ``noise_grain``: a blur that makes both kinds of noise coarser.
    ``haze``: share of white that stray light adds. ``gamma``: exponent of the tone curve. ``sharpen``:
    strength of sharpening; ``sharpen_radius``: its radius in pixels. ``moire``: strength of the faint bands
    that appear in photos of screens. ``jpeg``: JPEG quality 1..100; 0 means no compression.
    """

    blur: float = 0.0
    motion: float = 0.0
    motion_angle: float = 0.0
    noise: float = 0.0
    grey_noise: float = 0.0
    noise_grain: float = 0.8
    haze: float = 0.0
    gamma: float = 1.0
    sharpen: float = 0.0
    sharpen_radius: float = 1.2
    moire: float = 0.0
    jpeg: int = 0


@dataclass(frozen=True)
class UnevenPrint:
    """Differences between the printed digits of one page, as cheap presses make them.

    Models that learn only from even print mistake uneven print for handwriting. ``tilt``: standard deviation
    of a digit's angle, in degrees. ``slip``: standard deviation of a digit's position, in cells. ``palest``:
    smallest share of the ink that reaches the paper. ``typeface``: a second typeface; if it is given, this
    ``share`` of the digits is printed in it.
    """

    tilt: float = 0.7
    slip: float = 0.01
    palest: float = 0.9
    typeface: Typeface | None = None
    share: float = 0.5


@dataclass(frozen=True)
class Conditions:
    """All settings of a drawing.

    ``size``: (width, height) of the picture in pixels. ``layout``: what is printed around the grid.
    ``puzzles``: number of grids on the page; the camera looks at the first. ``clues``: number of clues in a
    puzzle. ``solution_grid``: whether there is also a small solved grid, as in newspapers. ``paper``: colour
    of the paper. ``ink``: darkness of the print, 0..1. ``ghost``: strength with which print on the back
    shines through, 0..1. ``grain``: strength of the paper's irregular texture, in grey levels. ``specks``:
    share of blank cells that have a speck of dirt. ``crumpled``: strength with which creases shade the sheet,
    0..1. ``table``: colour of the surface behind the page. ``surround``: width of the paper around the grid,
    in units of the grid's side. ``uneven``: differences between printed digits; None for even print.
    ``dark``: whether an app is in dark mode. ``screenshot``: whether the picture is the page itself, without
    a camera.
    """

    size: tuple[int, int] = (800, 800)
    layout: Layout = "sheet"
    puzzles: int = 1
    clues: int = 30
    solution_grid: bool = False
    paper: Colour = WHITE
    ink: float = 1.0
    ghost: float = 0.0
    grain: float = 0.0
    specks: float = 0.0
    crumpled: float = 0.0
    table: Colour = (60.0, 80.0, 110.0)
    surround: float = 0.25
    uneven: UnevenPrint | None = None
    dark: bool = False
    screenshot: bool = False
    grid: GridStyle = field(default_factory=GridStyle)
    writing: Writing = field(default_factory=Writing)
    pose: Pose = field(default_factory=Pose)
    bend: Bend = field(default_factory=Bend)
    light: Light = field(default_factory=Light)
    optics: Optics = field(default_factory=Optics)
