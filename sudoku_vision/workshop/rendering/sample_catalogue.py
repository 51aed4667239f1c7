"""The catalogue of sample pictures: what each is for, and under which conditions it is drawn."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sudoku_vision.output.drawing.colours import Colour
from sudoku_vision.output.drawing.grid import GridStyle
from sudoku_vision.output.drawing.typefaces import Typeface, bundled_typefaces
from sudoku_vision.workshop.rendering.conditions import Bend, Conditions, Light, Optics, Pose
from sudoku_vision.workshop.rendering.corrections import Corrections
from sudoku_vision.workshop.rendering.negatives import NegativeKind
from sudoku_vision.workshop.rendering.pencil_marks import MarkStyle
from sudoku_vision.workshop.rendering.writing import Writing

WOOD: Colour = (45, 85, 135)
DARK: Colour = (30, 34, 40)
CLOTH: Colour = (125, 110, 95)
NEWSPRINT: Colour = (196, 212, 220)
BLUE_PEN: Colour = (150, 60, 30)


@dataclass(frozen=True)
class Sample:
    """One sample picture: its file name, what it is for, tags as in the labels, and how it is drawn.

    ``negative`` names a kind of picture without a sudoku. ``exif`` stores the pixels lying on their side
    with the tag that sets them upright.
    """

    file: str
    purpose: str
    tags: str
    conditions: Conditions
    seed: int = 1
    notes: str = ""
    negative: NegativeKind | None = None
    exif: bool = False


def _face(family: str, weight: int = 400) -> Typeface:
    faces = [face for face in bundled_typefaces() if face.family == family]
    return min(faces, key=lambda face: abs(face.weight - weight))


def _newspaper() -> Conditions:
    """A newspaper on a wooden table, held into the light of a window."""
    return Conditions(
        size=(900, 1200),
        layout="newspaper",
        paper=NEWSPRINT,
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


def _book() -> Conditions:
    return Conditions(
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


def _sheet() -> Conditions:
    return Conditions(
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


def _app(dark: bool) -> Conditions:
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
    return Conditions(
        size=(720, 1280),
        layout="app",
        screenshot=True,
        clues=32,
        dark=dark,
        paper=(30, 24, 22) if dark else (250, 248, 246),
        surround=0.04,
        grid=style,
        writing=Writing(
            share=0.3,
            marks=MarkStyle(0.25),
            typed=True,
            colour=(255, 170, 110) if dark else (215, 110, 40),
            height=0.5,
            strength=1.0,
            jitter=0.0,
        ),
    )


def _old_phone() -> Conditions:
    """VGA, out of focus, a blue green cast."""
    base = _newspaper()
    return replace(
        base,
        size=(640, 480),
        ink=0.78,
        pose=Pose(fill=0.9, pitch=2, yaw=-3, roll=-1.5, shift=(-0.06, 0.0)),
        light=Light(exposure=0.84, colour=(0.98, 1.03, 0.9), gradient=0.25, vignette=0.4),
        optics=Optics(blur=1.5, noise=2.5, sharpen=0.2, jpeg=85),
    )


def _in_newspaper(**changes: object) -> Conditions:
    return replace(_newspaper(), **changes)  # type: ignore[arg-type]


def _on_sheet(**changes: object) -> Conditions:
    return replace(_sheet(), **changes)  # type: ignore[arg-type]


def samples() -> list[Sample]:
    """Return all sample pictures in the order of the table."""
    return [
        *_page_samples(),
        *_written_samples(),
        *_camera_samples(),
        *_placement_samples(),
        *_screen_samples(),
        *_negative_samples(),
    ]


def _page_samples() -> list[Sample]:
    red = replace(
        _newspaper().grid, digit_colour=(50, 50, 190), shaded=(1, 3, 5, 7), shade=(162, 176, 184), thick=0.05
    )
    return [
        Sample(
            "clean_sheet.png", "The plainest case: flat, sharp, straight on.", "drawn;clean", Conditions()
        ),
        Sample(
            "newspaper.jpg", "A newspaper page, text and pictures round the grid.", "photo", _newspaper(), 5
        ),
        Sample(
            "newspaper_solution.jpg",
            "Red clues, shaded boxes, and yesterday's small solution below, which is no puzzle.",
            "photo;coloured;shaded",
            _in_newspaper(
                grid=red, solution_grid=True, pose=Pose(fill=0.62, pitch=6, roll=2, shift=(0, -0.08))
            ),
            2,
            "the small full grid below is the solution of another puzzle",
        ),
        Sample("book.jpg", "A bound book: the page falls into the fold.", "photo;curved;multi", _book(), 3),
        Sample(
            "two_puzzles.jpg",
            "Two puzzles on one page, both to be solved.",
            "photo;multi",
            _in_newspaper(puzzles=2, pose=Pose(fill=0.49, pitch=-4, yaw=3, roll=-2, shift=(0, -0.2))),
            7,
        ),
    ]


def _written_samples() -> list[Sample]:
    pen = Writing(share=0.45, wrong=0.05, typeface=_face("Patrick Hand"), colour=BLUE_PEN, height=0.62)
    return [
        Sample(
            "handwriting.jpg",
            "A puzzle half filled in with a pen, right and wrong.",
            "photo;handwritten;partial",
            _in_newspaper(writing=pen, ghost=0.0, pose=Pose(fill=0.84, pitch=5, yaw=4, roll=1)),
            4,
        ),
        Sample(
            "pencil.jpg",
            "Faint pencil in a hasty hand, with pencil marks.",
            "photo;handwritten;partial;pencilmarks",
            _on_sheet(
                writing=Writing(
                    share=0.35,
                    marks=MarkStyle(0.4),
                    typeface=_face("Gochi Hand"),
                    colour=(105, 100, 100),
                    strength=0.7,
                    jitter=1.5,
                ),
                pose=Pose(fill=0.86, pitch=-6, yaw=3, roll=-3),
            ),
            8,
        ),
        Sample(
            "half_solved.jpg",
            "A page that somebody is stuck on: entries, candidates in the corners, mistakes put right.",
            "photo;handwritten;partial;pencilmarks",
            _on_sheet(
                writing=Writing(
                    share=0.3,
                    typeface=_face("Patrick Hand"),
                    colour=(95, 85, 85),
                    height=0.58,
                    strength=0.85,
                    marks=MarkStyle(0.7, most=3, height=0.34, layout="corner", sensible=True),
                    corrections=Corrections(rubbed_out=0.15, overwritten=0.06, crossed_out=0.06),
                ),
                pose=Pose(fill=0.88, pitch=4, yaw=-4, roll=2),
            ),
            36,
        ),
    ]


def _camera_samples() -> list[Sample]:
    shaken = Optics(blur=0.8, motion=9, motion_angle=25, noise=3, jpeg=80)
    dim = Light(exposure=0.3, colour=(0.8, 0.95, 1.1), gradient=0.35, vignette=0.5)
    shade = Light(exposure=1.0, gradient=0.1, shadow=0.55, shadow_softness=0.02, vignette=0.1)
    lamp = Light(exposure=0.8, colour=(0.85, 0.97, 1.05), gradient=0.2, glare=0.5, vignette=0.2)
    return [
        Sample(
            "blurred_vga.jpg",
            "An early phone: 640x480 and out of focus.",
            "photo;blur;lowres",
            _old_phone(),
            6,
        ),
        Sample("shaken.jpg", "Motion blur.", "photo;blur", _on_sheet(optics=shaken), 9),
        Sample(
            "low_light.jpg",
            "A dim room: dark, noisy, warm.",
            "photo;dark",
            _in_newspaper(light=dim, optics=Optics(blur=0.9, noise=9, jpeg=80)),
            10,
        ),
        Sample(
            "shadow.jpg",
            "The sharp shadow of a hand across the grid.",
            "photo;shadow",
            _on_sheet(light=shade),
            35,
        ),
        Sample("glare.jpg", "A lamp mirrored in glossy paper.", "photo;glare", _on_sheet(light=lamp), 12),
    ]


def _placement_samples() -> list[Sample]:
    faint = GridStyle(
        thin=0.015,
        thick=0.03,
        border=0.0,
        thin_lines="dotted",
        thin_strength=0.7,
        typeface=_face("IBM Plex Mono"),
        digit_height=0.5,
    )
    crumpled = Bend(waves=0.012, creases=14, crease_height=0.012)
    return [
        Sample(
            "steep.jpg",
            "Seen from the reader's seat, at a steep angle.",
            "photo;perspective",
            _on_sheet(pose=Pose(fill=0.85, pitch=-46, yaw=9, roll=-8, focal=0.9), bend=Bend()),
            13,
        ),
        Sample(
            "on_its_side.jpg",
            "Lying on its side, with nothing in the file that says so.",
            "photo;rotated",
            _in_newspaper(size=(1200, 900), pose=Pose(fill=0.85, pitch=4, yaw=5, roll=2, quarter_turns=1)),
            14,
        ),
        Sample(
            "exif_turned.jpg",
            "Stored lying on its side, set upright by its EXIF tag.",
            "photo;exif",
            _on_sheet(pose=Pose(fill=0.8, pitch=5, yaw=-8, roll=-2)),
            25,
            exif=True,
        ),
        Sample(
            "far_away.jpg",
            "A small grid in a large picture.",
            "photo;small",
            _on_sheet(table=CLOTH, pose=Pose(fill=0.3, pitch=-20, yaw=6, roll=14), surround=0.4),
            16,
        ),
        Sample("crumpled.jpg", "Crumpled paper.", "photo;curved", _on_sheet(bend=crumpled, table=DARK), 17),
        Sample(
            "faint_lines.jpg",
            "Dotted lines and no border.",
            "photo;dotted;noborder",
            _on_sheet(grid=faint, pose=Pose(fill=0.8, pitch=6, yaw=-7, roll=-4)),
            18,
        ),
    ]


def _screen_samples() -> list[Sample]:
    held = replace(
        _app(dark=False),
        size=(900, 1200),
        screenshot=False,
        table=WOOD,
        pose=Pose(fill=0.5, pitch=-18, yaw=12, roll=-11, shift=(0, -0.08)),
        light=Light(exposure=0.88, colour=(1.08, 1.0, 0.94), gradient=0.15, vignette=0.25, glare=0.12),
        optics=Optics(blur=0.7, noise=3, moire=0.03, sharpen=0.4),
    )
    tags = "screenshot;partial;pencilmarks;coloured"
    return [
        Sample("app_light.png", "Screenshot of an app, entries in blue.", tags, _app(dark=False), 19),
        Sample("app_dark.png", "Screenshot of an app in dark dress.", f"{tags};dark", _app(dark=True), 20),
        Sample(
            "phone_on_table.jpg",
            "A phone photographed with another one.",
            "screenphoto;partial;pencilmarks;perspective",
            held,
            21,
        ),
    ]


def _negative_samples() -> list[Sample]:
    page = _in_newspaper(pose=Pose(fill=0.85, pitch=6, yaw=-3, roll=2))
    return [
        Sample("no_sudoku_text.jpg", "A page of text.", "photo;negative", page, 31, negative="text"),
        Sample(
            "no_sudoku_crossword.jpg", "A crossword.", "photo;negative", _sheet(), 23, negative="crossword"
        ),
        Sample(
            "no_sudoku_table.jpg", "A table of figures.", "photo;negative", _sheet(), 24, negative="table"
        ),
    ]
