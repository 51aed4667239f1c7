"""Seeds: the small valid inputs that are mutated; the package itself draws or writes them all."""

import io
import json
import random
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from conftest import PUZZLE, SOLUTION, packed
from films import write_film
from PIL import Image as Pillow

from sudoku_vision.sudoku.formats import FORMATS, SITES, NamedBoard, link, write_boards
from sudoku_vision.sudoku.formats.fpuzzles import compress
from sudoku_vision.values import Image
from sudoku_vision.vision.digits.model_files import DIGIT_MODELS, MARK_READERS
from workshop.rendering import Conditions, draw

PUZZLES = (
    PUZZLE,
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "." * 81,
    "11" + "." * 79,
)
SIDE = 160
"""Pixels of the larger pictures. Their cells of 14 pixels can be read, and quickly."""
FILM_FRAMES = 8


@cache
def page() -> Image:
    """Return a drawn page with a puzzle, (H, W, 3) uint8 BGR."""
    board = NamedBoard(PUZZLES[0]).clues
    drawn = draw(np.random.default_rng(5), Conditions(size=(480, 480)), puzzles=[board]).pixels
    return np.asarray(cv2.resize(drawn, (SIDE, SIDE), interpolation=cv2.INTER_AREA), np.uint8)


@cache
def pictures() -> dict[str, bytes]:
    """Return small pictures of the puzzle by name, in every format except PDF."""
    bgr = page()
    large = Pillow.fromarray(np.ascontiguousarray(bgr[:, :, ::-1]))
    small = large.crop((0, 0, 64, 64))  # a corner of the grid, which is quick to read
    grey, few = small.convert("L"), small.quantize(16)
    exif = Pillow.Exif()
    exif[0x0112] = 6
    return {
        "plain.jpg": packed(large, "JPEG"),
        "turned.jpg": packed(large, "JPEG", exif=exif),
        "progressive.jpg": packed(small, "JPEG", progressive=True),
        "cmyk.jpg": packed(small.convert("CMYK"), "JPEG"),
        "plain.png": packed(large, "PNG"),
        "few.png": packed(few, "PNG", transparency=3),
        "deep.png": packed(Pillow.fromarray(np.asarray(grey, np.uint16) * 257), "PNG"),
        "alpha.png": packed(small.convert("RGBA"), "PNG"),
        "bits.png": packed(grey.convert("1"), "PNG"),
        "lossy.webp": packed(large, "WEBP"),
        "lossless.webp": packed(small, "WEBP", lossless=True),
        "moving.webp": packed(small, "WEBP", save_all=True, append_images=[small.rotate(90)]),
        "plain.gif": packed(large, "GIF"),
        "moving.gif": packed(few, "GIF", save_all=True, append_images=[few.rotate(90)] * 3),
        "plain.bmp": packed(small, "BMP"),
        "few.bmp": packed(few, "BMP"),
        "plain.ppm": packed(small, "PPM"),
        "grey.pgm": packed(grey, "PPM"),
        "bits.pbm": packed(grey.convert("1"), "PPM"),
        "words.ppm": b"P3\n# words\n4 4\n255\n" + b"9 120 255 " * 16,
        "plain.avif": packed(large, "AVIF", speed=10),
        "plain.tif": packed(small, "TIFF"),
        "lzw.tif": packed(small, "TIFF", compression="tiff_lzw"),
        "deflate.tif": packed(small, "TIFF", compression="tiff_adobe_deflate"),
        "jpeg.tif": packed(small, "TIFF", compression="jpeg"),
        "fax.tif": packed(grey.convert("1"), "TIFF", compression="group4"),
        "floats.tif": packed(Pillow.fromarray(np.asarray(grey, np.float32) / 255), "TIFF"),
        "pages.tif": packed(
            small, "TIFF", compression="tiff_lzw", save_all=True, append_images=[grey, small]
        ),
        "large.heic": _heic(large),
        "small.heic": _heic(small),
    }


def _heic(picture: Pillow.Image) -> bytes:
    import pillow_heif

    file = io.BytesIO()
    pillow_heif.from_pillow(picture).save(file, quality=60)
    return file.getvalue()


@cache
def documents() -> dict[str, bytes]:
    """Return PDF documents by name: scanned pages, and a drawn page with a form and a pattern."""
    scan = Pillow.fromarray(np.ascontiguousarray(page()[:, :, ::-1]))
    return {"scanned.pdf": packed(scan, "PDF", save_all=True, append_images=[scan]), "drawn.pdf": _DRAWN}


_DRAWN = b"""%PDF-1.5
1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Rotate 0 /UserUnit 1 /Contents 4 0 R
/Resources <</XObject <</F 5 0 R /I 6 0 R>> /Pattern <</P 7 0 R>> /Shading <</S 8 0 R>>>>>> endobj
4 0 obj <</Length 150>> stream
q 1 0 0 1 10 10 cm /F Do Q q 20 0 0 20 100 100 cm /I Do Q
/Pattern cs /P scn 0 0 50 50 re f /S sh 2 w 0 0 m 100 100 l S [3 1] 0 d 5 5 90 90 re S
endstream endobj
5 0 obj <</Type /XObject /Subtype /Form /BBox [0 0 90 90] /Matrix [1 0 0 1 0 0] /Length 24>> stream
0 0 1 rg 0 0 9 9 re f
endstream endobj
6 0 obj <</Type /XObject /Subtype /Image /Width 2 /Height 2 /BitsPerComponent 8 /ColorSpace /DeviceGray
/Filter /ASCIIHexDecode /Length 9>> stream
00FF7F00>
endstream endobj
7 0 obj <</Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 5 5] /XStep 5 /YStep 5
/Resources <<>> /Length 15>> stream
0 0 2 2 re f
endstream endobj
8 0 obj <</ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 50 50] /Extend [true true]
/Function <</FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1>>>> endobj
trailer <</Root 1 0 R>>
"""


@cache
def texts() -> tuple[str, ...]:
    """Return texts with boards, one or more in each format that is written."""
    boards = [NamedBoard(PUZZLES[0], name="First"), NamedBoard(PUZZLES[1], name="=Second")]
    written = [
        write_boards(boards[: 2 if form.several else 1], form.name)
        for form in [*FORMATS.values(), *SITES.values()]
    ]
    table = "id,puzzle,solution,rating\n1," + PUZZLES[0] + "," + SOLUTION + ",3.2\n"
    marked = "\n".join(" ".join(["123", "4", "5678"] * 3) for _ in range(9))
    spaced = "\n".join(f"{row:9}" for row in ("5 3 7", "6  195", " 98    6", "8   6   3") * 3)[:98]
    return (*written, table, marked, spaced, f"# title\n{PUZZLES[1]} # remark\n\n", f"{PUZZLES[0]}\n" * 300)


_MARKS = tuple(frozenset({1, 2}) if mark == "0" else frozenset() for mark in PUZZLES[0])


@cache
def links() -> tuple[str, ...]:
    board = NamedBoard(PUZZLES[0], name="First", marks=_MARKS)
    return (*(link(board, site) for site in SITES), f"https://example.org/?p={PUZZLES[1]}")


def fpuzzle(chance: random.Random) -> Any:
    """Return the data that f-puzzles packs into a link, with most of its fields."""
    row: list[dict[str, Any]] = [{"value": 5, "given": True}, *({} for _ in range(7)), {}]
    row[1] = {"value": 3, "centerPencilMarks": [1, 2], "cornerPencilMarks": [9]}
    constraints = {"diagonal+": chance.random() < 0.2, "title": "t", "author": "a", "size": 9}
    return {"grid": [row] * 9, "solution": [int(digit) for digit in SOLUTION], **constraints}


def packed_link(chance: random.Random, value: Any) -> str:
    text = json.dumps(value) if chance.random() < 0.9 else json.dumps(value)[:-1]
    site = chance.choice(("f-puzzles.com/?load=", "sudokupad.app/fpuzzles", "sudokupad.app/scl"))
    return f"https://{site}{compress(text)}"


@cache
def films() -> dict[str, bytes]:
    """Return short films by name, written by OpenCV: a page that moves sideways."""
    films = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, code in (("film.avi", "MJPG"), ("film.mp4", "mp4v")):
            frames = [np.roll(page(), 2 * number, axis=1) for number in range(FILM_FRAMES)]
            films[name] = write_film(Path(folder) / name, frames, 10, code).read_bytes()
    return films


@cache
def models() -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
    """Return the arrays and headers of small models by name, ``digits`` and ``marks``.

    They are the models of the package, cut to six units a hidden layer, so that a case is small.
    """
    small = {}
    for model in (DIGIT_MODELS, MARK_READERS):
        with np.load(model.path) as file:
            arrays = {key: file[key] for key in file.files}
        header = json.loads(str(arrays.pop("header")))
        for key in list(arrays):
            stage, number = key.rsplit("_", 1) if key[-1].isdigit() else (key, "")
            if number and f"{stage}_{int(number) + 1}" in arrays:
                arrays[key] = arrays[key][..., :6]
            if "weights" in stage and int(number or 0) > 0:
                arrays[key] = arrays[key][:6]
        small[model.name] = arrays, header
    return small
