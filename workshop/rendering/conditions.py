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
    """The position of the camera relative to the grid."""

    fill: float = 0.85  # side of the grid, as a share of the picture's shorter side
    pitch: float = 0.0  # rotation about the horizontal axis, in degrees
    yaw: float = 0.0  # rotation about the vertical axis, in degrees
    roll: float = 0.0  # rotation in the plane of the picture, in degrees
    quarter_turns: int = 0  # number of rotations by 90 degrees in addition to ``roll``
    shift: tuple[float, float] = (0.0, 0.0)
    """Offset (right, down) of the grid from the picture's middle, in widths and heights of the picture."""
    focal: float = 1.2  # focal length, as a share of the picture's longer side


@dataclass(frozen=True)
class Bend:
    """The shape of bent paper. Heights and depths are in sides of the grid."""

    gutter: float = 0.0  # depth of the fold of a book
    arch: float = 0.0  # height of one wide bow of the page
    direction: float = 0.0  # direction of the bow, in degrees
    waves: float = 0.0  # height of soft waves
    creases: int = 0  # number of sharp folds
    crease_height: float = 0.012  # usual height of sharp folds

    @property
    def flat(self) -> bool:
        """Whether the page is a plane."""
        return self.gutter == self.arch == self.waves == 0 and self.creases == 0


@dataclass(frozen=True)
class Light:
    """The light on the page."""

    exposure: float = 1.0  # factor for the brightness
    colour: Colour = (1.0, 1.0, 1.0)  # factors for blue, green and red
    gradient: float = 0.0  # share of the light that is lost at one side
    vignette: float = 0.0  # share of the light that is lost in the corners
    shadow: float = 0.0  # share of the light that is lost in a shadow
    shadow_softness: float = 0.05  # width of the shadow's edge, as a share of the picture's longer side
    glare: float = 0.0  # brightness of the reflection of a lamp, 0..1
    relief: float = 1.0  # how much slopes of bent paper change its brightness


@dataclass(frozen=True)
class Optics:
    """Changes of the picture by lens, sensor and file. Blurs are in pixels, noise is in grey levels."""

    blur: float = 0.0
    motion: float = 0.0  # length of the blur by a moving camera
    motion_angle: float = 0.0  # direction of the camera's movement, in degrees
    noise: float = 0.0  # noise that is independent in each channel
    grey_noise: float = 0.0  # noise that all channels share
    noise_grain: float = 0.8  # blur of both noises
    haze: float = 0.0  # share of white that stray light adds
    gamma: float = 1.0  # exponent of the tone curve
    sharpen: float = 0.0  # strength of sharpening
    sharpen_radius: float = 1.2
    moire: float = 0.0  # strength of moiré, the faint bands in photos of screens
    jpeg: int = 0  # JPEG quality 1..100; 0 for no compression


@dataclass(frozen=True)
class Conditions:
    """All settings of a drawing."""

    size: tuple[int, int] = (800, 800)  # (width, height) of the picture in pixels
    layout: Layout = "sheet"  # what is printed around the grid
    puzzles: int = 1  # number of grids on the page; the camera looks at the first
    clues: int = 30  # number of clues in a puzzle
    solution_grid: bool = False  # whether the page also has a small solved grid
    paper: Colour = WHITE
    ink: float = 1.0  # darkness of the print, from 0 (like the paper) to 1
    ghost: float = 0.0  # strength of print on the back that shines through, 0..1
    grain: float = 0.0  # strength of the paper's texture, in grey levels
    specks: float = 0.0  # share of blank cells with a speck of dirt
    crumpled: float = 0.0  # how strongly the creases of a crumpled page are shaded, 0..1
    table: Colour = (60.0, 80.0, 110.0)  # colour of the surface behind the page
    surround: float = 0.25  # width of the paper around the grid, in sides of the grid
    slip: float | None = None  # standard deviation of the offset of a clue, in cells; None for even print
    second_face: Typeface | None = None  # typeface of half of the clues in uneven print
    dark: bool = False  # whether an app is in dark mode
    screenshot: bool = False  # whether the picture is the page itself, without a camera
    grid: GridStyle = field(default_factory=GridStyle)
    writing: Writing = field(default_factory=Writing)
    pose: Pose = field(default_factory=Pose)
    bend: Bend = field(default_factory=Bend)
    light: Light = field(default_factory=Light)
    optics: Optics = field(default_factory=Optics)
