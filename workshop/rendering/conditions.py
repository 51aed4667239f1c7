"""What a drawing looks like: frozen settings for the grid, the page, the camera, the light and the optics.

Every default is the plainest choice: a clean sheet, seen straight on. :mod:`.kinds` samples the settings of
real pictures.
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
    """Where the camera stands.

    ``fill``: side of the grid, as a share of the picture's shorter side. ``pitch``, ``yaw`` and ``roll`` are
    in degrees. ``quarter_turns``: how often the picture is turned by 90 degrees. ``shift``: how far the
    grid's middle is moved, as a share of the picture. ``focal``: focal length, as a share of the longer
    side; a small one means that the camera is near.
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
    """How the paper lies. Heights are in sides of the grid.

    ``gutter``: depth of the fold of a bound book. ``arch``: height of a bow across the page, in ``direction``
    degrees. ``waves``: amplitude of soft waves. ``creases``: number of sharp folds.
    """

    gutter: float = 0.0
    arch: float = 0.0
    direction: float = 0.0
    waves: float = 0.0
    creases: int = 0
    crease_height: float = 0.012

    @property
    def flat(self) -> bool:
        """Whether the page is a plane."""
        return self.gutter == self.arch == self.waves == 0 and self.creases == 0


@dataclass(frozen=True)
class Light:
    """The light on the page. Strengths are in 0..1.

    ``colour`` multiplies blue, green and red, ``exposure`` all of them. ``gradient`` is the loss from one
    side to the other. ``relief`` is how much slopes of the paper show.
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
    """Lens, sensor and file. Blurs are in pixels of the picture, noise in grey levels.

    ``noise`` differs between the colours, ``grey_noise`` does not; ``noise_grain``, a blur in pixels, is how
    coarse both are. ``haze`` is the share of white that stray light adds, ``gamma`` the exponent of the tone
    curve. ``sharpen_radius`` is in pixels. ``jpeg`` 0: not compressed.
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
    """How printed digits vary, as on cheap presses. Without it, models take varied print for handwriting.

    ``tilt``: spread of the angle in degrees. ``slip``: spread of the place, in cells. ``palest``: smallest
    share of the ink that reaches the paper. A ``share`` of the digits has another ``typeface``.
    """

    tilt: float = 0.7
    slip: float = 0.01
    palest: float = 0.9
    typeface: Typeface | None = None
    share: float = 0.5


@dataclass(frozen=True)
class Conditions:
    """All settings of a drawing. ``size`` is (width, height) of the picture in pixels.

    ``puzzles``: number of grids on the page; the camera looks at the first. ``solution_grid``: with a small
    solved grid, as newspapers print it. ``paper``: colour of the paper. ``ink``: how black print comes out.
    ``ghost``: how much print of the other side shines through. ``specks``: share of cells with a speck of
    dirt. ``crumpled``: how strongly creases shade the sheet, 0..1. ``table``: colour of the surface behind
    the page. ``surround``: how much of the page lies round the grid, in sides of the grid. ``uneven``: how
    printed digits vary, None for even print. ``dark``: an app in dark mode. ``screenshot``: the
    page as it is, without a camera.
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
