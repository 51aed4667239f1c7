"""The settings of a drawing: the grid, the page, the camera, the light and the optics.

The defaults give the simplest picture: a clean sheet, photographed from straight above.
"""

from dataclasses import dataclass, field
from typing import Literal

from sudoku_vision.output.drawing.figure import WHITE, Colour
from workshop.rendering.printed_grid import GridStyle
from workshop.rendering.typefaces import Typeface
from workshop.rendering.writing import Writing

Layout = Literal["sheet", "newspaper", "book", "app", "close_up"]


@dataclass(frozen=True)
class Pose:
    """The position of the camera relative to the grid.

    ``fill``: side of the grid, as a share of the picture's shorter side. ``pitch``, ``yaw`` and ``roll``:
    rotation about the three axes, in degrees. ``quarter_turns``: number of further rotations by 90 degrees.
    ``shift``: distance (right, down) of the grid's middle from the picture's middle, as shares of the
    picture's sides. ``focal``: focal length, as a share of the picture's longer side.
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
    """The shape of bent paper. Heights and depths are in sides of the grid.

    ``gutter``: depth of the fold of a book. ``arch``: height of one wide bow of the page, in a ``direction``
    in degrees. ``waves``: height of soft waves. ``creases``: number of sharp folds. ``crease_height``: usual
    height of these folds.
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
    """The light on the page.

    ``exposure``: factor for the brightness. ``colour``: factors for blue, green and red. ``gradient``,
    ``vignette`` and ``shadow``: share of the light that is lost at one side, in the corners and in a shadow.
    ``shadow_softness``: width of the shadow's edge, as a share of the picture's longer side. ``glare``:
    brightness of a mirrored lamp, 0..1. ``relief``: how strongly slopes of bent paper are shaded.
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

    ``motion``: length of the blur by a moving camera, in the direction ``motion_angle`` (degrees). ``noise``:
    noise that differs in the colour channels; ``grey_noise``: noise that is the same in all channels;
    ``noise_grain``: blur of both noises. ``haze``: share of white that stray light adds. ``gamma``: exponent
    of the tone curve. ``sharpen``: strength of sharpening. ``moire``: strength of the bands in photos of
    screens. ``jpeg``: JPEG quality 1..100; 0 for no compression.
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
class Conditions:
    """All settings of a drawing.

    ``size``: (width, height) of the picture in pixels. ``layout``: what is printed around the grid.
    ``puzzles``: number of grids on the page; the camera looks at the first. ``clues``: number of clues in a
    puzzle. ``solution_grid``: whether there is also a small solved grid. ``ink``: darkness of the print,
    0..1. ``ghost``: strength of print on the back that shines through, 0..1. ``grain``: strength of the
    paper's texture, in grey levels. ``specks``: share of blank cells with a speck of dirt. ``crumpled``:
    strength of the shade of creases, 0..1. ``table``: colour of the surface behind the page. ``surround``:
    width of the paper around the grid, in sides of the grid. ``slip``: standard deviation of the place of a
    clue in uneven print, in cells; None for even print. ``second_face``: in uneven print, the typeface of
    half of the clues; None for the same one. ``dark``: whether an app is in dark mode.
    ``screenshot``: whether the picture is the page itself, without a camera.
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
    slip: float | None = None
    second_face: Typeface | None = None
    dark: bool = False
    screenshot: bool = False
    grid: GridStyle = field(default_factory=GridStyle)
    writing: Writing = field(default_factory=Writing)
    pose: Pose = field(default_factory=Pose)
    bend: Bend = field(default_factory=Bend)
    light: Light = field(default_factory=Light)
    optics: Optics = field(default_factory=Optics)
