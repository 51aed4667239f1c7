"""Draw the sample pictures: ``python docs/tools/make_samples.py``.

Every sample has its own settings and seed, and uses the bundled fonts alone, so the folder can be drawn again
at any time. Beside the pictures goes ``labels.csv``: what stands in them.
"""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from PIL import Image as Pictures

from sudoku_vision.output.drawing.figure import Colour
from sudoku_vision.output.save import write_atomically
from sudoku_vision.values import Image
from workshop.evaluation.labels import label_rows, label_table
from workshop.rendering import (
    Bend,
    Conditions,
    Corrections,
    Drawing,
    Light,
    MarkStyle,
    Optics,
    Pose,
    Writing,
)
from workshop.rendering.printed_grid import GridStyle
from workshop.rendering.typefaces import Typeface, bundled_typefaces

sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks"))

from drawn.negatives import draw_negative
from drawn.pages import draw_page

FOLDER = Path(__file__).resolve().parents[2] / "sample_images"
MAX_BYTES = 240_000  # a sample must stay small enough to live in the repository

_TURNED_BY_EXIF = 6  # orientation "turn a quarter clockwise to see it upright"
_ORIENTATION_TAG = 0x0112


@dataclass(frozen=True)
class Sample:
    """One sample picture: its file name, tags as in the labels, and how it is drawn.

    ``negative`` names a kind of picture without a sudoku. ``exif`` stores the pixels lying on their side
    with the tag that sets them upright.
    """

    file: str
    tags: str
    seed: int
    conditions: Conditions
    notes: str = ""
    negative: str | None = None
    exif: bool = False


def _face(family: str) -> Typeface:
    faces = [face for face in bundled_typefaces() if face.family == family]
    return min(faces, key=lambda face: abs(face.weight - 400))


WOOD: Colour = (45, 85, 135)
DARK: Colour = (30, 34, 40)

NEWSPAPER = Conditions(
    size=(900, 1200),
    layout="newspaper",
    paper=(196, 212, 220),
    ink=0.88,
    ghost=0.06,
    grain=4.0,
    table=WOOD,
    surround=0.45,
    grid=GridStyle(thin=0.02, thick=0.055, border=0.07, typeface=_face("Arimo"), digit_height=0.55),
    pose=Pose(fill=0.68, pitch=9, yaw=-5, roll=-2.5),
    bend=Bend(arch=0.03, direction=10, waves=0.004, creases=1),
    light=Light(exposure=0.98, colour=(0.95, 1.0, 1.02), gradient=0.28, vignette=0.15),
    optics=Optics(blur=0.7, noise=3.0, sharpen=0.4),
)
"""A newspaper on a wooden table, held into the light of a window."""

RED = replace(
    NEWSPAPER.grid, digit_colour=(50, 50, 190), shaded=(1, 3, 5, 7), shade=(162, 176, 184), thick=0.05
)

BOOK = Conditions(
    size=(1200, 900),
    layout="book",
    puzzles=2,
    paper=(225, 238, 242),
    ink=0.92,
    grain=1.5,
    table=DARK,
    surround=0.14,
    grid=GridStyle(thin=0.018, thick=0.05, typeface=_face("Crimson Text"), digit_height=0.58),
    pose=Pose(fill=0.72, pitch=12, yaw=4, roll=1.5, shift=(0.1, 0.02)),
    bend=Bend(gutter=0.16, arch=0.015),
    light=Light(exposure=0.95, colour=(0.93, 0.99, 1.03), gradient=0.2, vignette=0.2),
    optics=Optics(blur=0.7, noise=2.5, sharpen=0.3),
)

SHEET = Conditions(
    size=(900, 1200),
    paper=(246, 247, 247),
    ink=0.95,
    table=WOOD,
    surround=0.22,
    grid=GridStyle(thin=0.018, thick=0.05, typeface=_face("Arimo"), digit_height=0.56),
    pose=Pose(fill=0.75, pitch=6, yaw=5, roll=3),
    bend=Bend(arch=0.02, direction=70, waves=0.003),
    light=Light(exposure=0.9, colour=(0.96, 1.0, 1.01), gradient=0.2, vignette=0.2),
    optics=Optics(blur=0.6, noise=2.5, sharpen=0.4),
)

OLD_PHONE = replace(
    NEWSPAPER,
    size=(640, 480),
    ink=0.78,
    pose=Pose(fill=0.9, pitch=2, yaw=-3, roll=-1.5, shift=(-0.06, 0.0)),
    light=Light(exposure=0.84, colour=(0.98, 1.03, 0.9), gradient=0.25, vignette=0.4),
    optics=Optics(blur=1.5, noise=2.5, sharpen=0.2, jpeg=85),
)


def _app(*, dark: bool) -> Conditions:
    """A sudoku app with entries of its player."""
    style = GridStyle(
        thin=0.015,
        thick=0.04,
        border=0.04,
        cell_colour=(42, 34, 30) if dark else (255, 255, 255),
        line_colour=(125, 115, 110) if dark else (90, 70, 60),
        thin_strength=0.5,
        digit_colour=(235, 230, 228) if dark else (70, 50, 40),
        typeface=_face("Arimo"),
        digit_height=0.5,
        highlight=40,
        highlight_colour=(75, 58, 48) if dark else (250, 236, 224),
    )
    entries: Colour = (255, 170, 110) if dark else (215, 110, 40)
    writing = Writing(
        0.3, typed=True, colour=entries, height=0.5, strength=1, jitter=0, marks=MarkStyle(0.25)
    )
    return Conditions(
        size=(720, 1280),
        layout="app",
        screenshot=True,
        clues=32,
        dark=dark,
        paper=(30, 24, 22) if dark else (250, 248, 246),
        surround=0.04,
        grid=style,
        writing=writing,
    )


HELD_PHONE = replace(
    _app(dark=False),
    size=(900, 1200),
    screenshot=False,
    table=WOOD,
    pose=Pose(fill=0.5, pitch=-18, yaw=12, roll=-11, shift=(0, -0.08)),
    light=Light(exposure=0.88, colour=(1.08, 1.0, 0.94), gradient=0.15, vignette=0.25, glare=0.12),
    optics=Optics(blur=0.7, noise=3, moire=0.03, sharpen=0.4),
)

PEN = Writing(0.45, wrong=0.05, typeface=_face("Patrick Hand"), colour=(150, 60, 30), height=0.62)
PENCIL = Writing(
    0.35, typeface=_face("Gochi Hand"), colour=(105, 100, 100), strength=0.7, jitter=1.5, marks=MarkStyle(0.4)
)
HALF_SOLVED = Writing(
    share=0.3,
    typeface=_face("Patrick Hand"),
    colour=(95, 85, 85),
    height=0.58,
    strength=0.85,
    marks=MarkStyle(0.7, most=3, height=0.34, layout="corner", sensible=True),
    corrections=Corrections(rubbed_out=0.15, overwritten=0.06, crossed_out=0.06),
)
DOTTED = GridStyle(
    thin=0.015,
    thick=0.03,
    border=0.0,
    thin_lines="dotted",
    thin_strength=0.7,
    typeface=_face("IBM Plex Mono"),
    digit_height=0.5,
)
SHAKEN = Optics(blur=0.8, motion=9, motion_angle=25, noise=3, jpeg=80)
DIM = Light(exposure=0.3, colour=(0.8, 0.95, 1.1), gradient=0.35, vignette=0.5)
SHADE = Light(exposure=1.0, gradient=0.1, shadow=0.55, shadow_softness=0.02, vignette=0.1)
LAMP = Light(exposure=0.8, colour=(0.85, 0.97, 1.05), gradient=0.2, glare=0.5, vignette=0.2)
CRUMPLED = Bend(waves=0.012, creases=14, crease_height=0.012)


def _page(base: Conditions, pose: Pose, **changes: object) -> Conditions:
    return replace(base, pose=pose, **changes)  # type: ignore[arg-type]


APP = "screenshot;partial;pencilmarks;coloured"
FILLED = "photo;handwritten;partial;pencilmarks"
AIMED = Pose(fill=0.85, pitch=6, yaw=-3, roll=2)

SAMPLES = (
    Sample("clean_sheet.png", "drawn;clean", 1, Conditions()),
    Sample("newspaper.jpg", "photo", 5, NEWSPAPER),
    Sample(
        "newspaper_solution.jpg",
        "photo;coloured;shaded",
        2,
        _page(NEWSPAPER, Pose(fill=0.62, pitch=6, roll=2, shift=(0, -0.08)), grid=RED, solution_grid=True),
        "the small full grid below is the solution of another puzzle",
    ),
    Sample("book.jpg", "photo;curved;multi", 3, BOOK),
    Sample(
        "two_puzzles.jpg",
        "photo;multi",
        7,
        _page(NEWSPAPER, Pose(fill=0.49, pitch=-4, yaw=3, roll=-2, shift=(0, -0.2)), puzzles=2),
    ),
    Sample(
        "handwriting.jpg",
        "photo;handwritten;partial",
        4,
        _page(NEWSPAPER, Pose(fill=0.84, pitch=5, yaw=4, roll=1), writing=PEN, ghost=0.0),
    ),
    Sample("pencil.jpg", FILLED, 8, _page(SHEET, Pose(fill=0.86, pitch=-6, yaw=3, roll=-3), writing=PENCIL)),
    Sample(
        "half_solved.jpg",
        FILLED,
        36,
        _page(SHEET, Pose(fill=0.88, pitch=4, yaw=-4, roll=2), writing=HALF_SOLVED),
    ),
    Sample("blurred_vga.jpg", "photo;blur;lowres", 6, OLD_PHONE),
    Sample("shaken.jpg", "photo;blur", 9, replace(SHEET, optics=SHAKEN)),
    Sample(
        "low_light.jpg",
        "photo;dark",
        10,
        replace(NEWSPAPER, light=DIM, optics=Optics(blur=0.9, noise=9, jpeg=80)),
    ),
    Sample("shadow.jpg", "photo;shadow", 35, replace(SHEET, light=SHADE)),
    Sample("glare.jpg", "photo;glare", 12, replace(SHEET, light=LAMP)),
    Sample(
        "steep.jpg",
        "photo;perspective",
        13,
        _page(SHEET, Pose(fill=0.85, pitch=-46, yaw=9, roll=-8, focal=0.9), bend=Bend()),
    ),
    Sample(
        "on_its_side.jpg",
        "photo;rotated",
        14,
        _page(NEWSPAPER, Pose(fill=0.85, pitch=4, yaw=5, roll=2, quarter_turns=1), size=(1200, 900)),
    ),
    Sample(
        "exif_turned.jpg", "photo;exif", 25, _page(SHEET, Pose(fill=0.8, pitch=5, yaw=-8, roll=-2)), exif=True
    ),
    Sample(
        "far_away.jpg",
        "photo;small",
        16,
        _page(SHEET, Pose(fill=0.3, pitch=-20, yaw=6, roll=14), table=(125, 110, 95), surround=0.4),
    ),
    Sample("crumpled.jpg", "photo;curved", 17, replace(SHEET, bend=CRUMPLED, table=DARK)),
    Sample(
        "faint_lines.jpg",
        "photo;dotted;noborder",
        18,
        _page(SHEET, Pose(fill=0.8, pitch=6, yaw=-7, roll=-4), grid=DOTTED),
    ),
    Sample("app_light.png", APP, 19, _app(dark=False)),
    Sample("app_dark.png", f"{APP};dark", 20, _app(dark=True)),
    Sample("phone_on_table.jpg", "screenphoto;partial;pencilmarks;perspective", 21, HELD_PHONE),
    Sample("no_sudoku_text.jpg", "photo;negative", 31, _page(NEWSPAPER, AIMED), negative="text"),
    Sample("no_sudoku_crossword.jpg", "photo;negative", 23, SHEET, negative="crossword"),
    Sample("no_sudoku_table.jpg", "photo;negative", 24, SHEET, negative="table"),
)


def draw_sample(sample: Sample) -> Drawing:
    """Return the picture of *sample* with its truth, as it is seen upright."""
    rng = np.random.default_rng(sample.seed)
    if sample.negative is not None:
        return draw_negative(rng, sample.negative, sample.conditions)
    return draw_page(rng, sample.conditions)


def encode_sample(sample: Sample, pixels: Image) -> bytes:
    """Return the bytes of the file, a JPEG at the best quality that stays below :data:`MAX_BYTES`."""
    picture = Pictures.fromarray(np.ascontiguousarray(pixels[:, :, ::-1]))
    exif = Pictures.Exif()
    if sample.exif:
        picture = picture.transpose(Pictures.Transpose.ROTATE_90)
        exif[_ORIENTATION_TAG] = _TURNED_BY_EXIF
    file = io.BytesIO()
    if sample.file.endswith(".png"):
        picture.save(file, format="PNG", optimize=True)
        return file.getvalue()
    for quality in range(90, 40, -5):
        file = io.BytesIO()
        picture.save(file, format="JPEG", quality=quality, exif=exif)
        if len(file.getvalue()) <= MAX_BYTES:
            break
    return file.getvalue()


def main() -> int:
    """Draw all samples and write their labels; return the exit status."""
    cv2.setNumThreads(1)
    rows: list[dict[str, str]] = []
    for number, sample in enumerate(SAMPLES, start=1):
        drawing = draw_sample(sample)
        write_atomically(FOLDER / sample.file, encode_sample(sample, drawing.pixels))
        rows += label_rows(f"s{number:02d}", sample.file, sample.tags, drawing.grids, sample.notes)
    write_atomically(FOLDER / "labels.csv", label_table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
