"""What a drawing looks like: settings for the grid, the page, the camera, the light and the optics.

Every default is the plainest choice: a clean sheet, seen straight on. :mod:`.kinds` samples settings like
those of real pictures.
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
    grid's middle is moved right and down, as shares of the picture's width and height. ``focal``: focal
    length, as a share of the picture's longer side; a short focal length means that the camera is near.
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
    """How the paper is bent. Heights are in sides of the grid.

    ``gutter``: depth of the fold of a bound book. ``arch``: height of a bow of the page, which bends in the
    ``direction`` (degrees). ``waves``: height of soft waves. ``creases``: number of sharp folds;
    ``crease_height``: their usual height.
    """

    gutter: float = 0.0
    arch: float = 0.0
    direction: float = 0.0
    waves: float = 0.0
    creases: int = 0
    crease_height: float = 0.012

    @property
    def flat(self) -> bool:
        """Whether the page is a plane, because none of these bends is set."""
        return self.gutter == self.arch == self.waves == 0 and self.creases == 0


@dataclass(frozen=True)
class Light:
    """The light on the page. Strengths are in 0..1.

    ``colour`` has factors for blue, green and red, ``exposure`` is one factor for all three. ``gradient``:
    share of the light that is lost from one side of the picture to the other; ``vignette``: share that is
    lost towards the corners. ``shadow``: share of the light that a shadow takes away. ``glare``: brightness
    of a lamp that is mirrored. ``relief``: how strongly the light shows slopes of the paper.
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
    """What lens, sensor and file do to the picture. Blurs are in pixels, noise in grey levels.

    ``motion``: length of the blur by a moving camera, in the direction ``motion_angle`` (degrees). ``noise``
    is different in each colour channel, ``grey_noise`` is the same in all three; ``noise_grain`` is a blur
    that makes both coarser. ``haze`` is the share of white that stray light adds, ``gamma`` the exponent of
    the tone curve. ``sharpen_radius`` is in pixels. ``moire``: strength of faint bands, as when the rasters
    of a screen and a sensor meet. ``jpeg``: quality 1..100; 0 means no compression.
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
    """How printed digits vary, as on cheap presses.

    Models that learn only from even print take uneven print for handwriting. ``tilt``: spread of the angle in
    degrees. ``slip``: spread of the place, in cells. ``palest``: smallest share of the ink that reaches the
    paper. If a second ``typeface`` is given, a ``share`` of the digits is printed in it.
    """

    tilt: float = 0.7
    slip: float = 0.01
    palest: float = 0.9
    typeface: Typeface | None = None
    share: float = 0.5


@dataclass(frozen=True)
class Conditions:
    """All settings of a drawing.

    ``size`` is (width, height) of the picture in pixels. ``puzzles``: number of grids on the page; the camera
    looks at the first. ``solution_grid``: whether there is also a small solved grid, as in newspapers.
    ``paper``: colour of the paper. ``ink``: how dark print comes out, 0..1. ``ghost``: how strongly print of
    the other side shines through, 0..1. ``grain``: strength of the paper's mottle in grey levels. ``specks``:
    share of blank cells with a speck of dirt. ``crumpled``: how strongly creases shade the sheet, 0..1.
    ``table``: colour of the surface behind the page. ``surround``: width of the paper round the grid, in
    sides of the grid. ``uneven``: how printed digits vary; None for even print. ``dark``: whether an app is
    in dark mode. ``screenshot``: whether the picture is the page itself, without a camera.
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
