"""Print that stands round a grid: running text, headlines, columns, pictures, and what shines through."""

from dataclasses import replace
from textwrap import wrap

import cv2
import numpy as np
from PIL import Image as Pictures
from PIL import ImageDraw

from sudoku_vision.output.drawing.canvas import SMALLEST_EM, Canvas
from sudoku_vision.output.drawing.colours import Colour, mixed
from sudoku_vision.output.drawing.typefaces import Mask, Typeface
from sudoku_vision.workshop.rendering.page import Area, Printer

_WORDS = (
    "the of and a to in is was for on that by with it as at from his her they were had not but have "
    "this be or which one all their has been more when would out up time some first council minister "
    "market people police city after years government said two new over week report season team house "
    "price road water company court school weather north south summer winter railway bridge museum "
    "garden river festival election budget match victory number digits every row column box contains "
    "puzzle answer tomorrow yesterday page solution difficulty moderate expert without guessing only "
    "logic is needed fill grid so that each line "
)
_HEADLINES = (
    "PUZZLES",
    "Council votes tonight",
    "Weather turns colder",
    "Market report",
    "Late goal wins it",
)


def _words(rng: np.random.Generator, count: int) -> str:
    vocabulary = _WORDS.split()
    text = " ".join(vocabulary[place] for place in rng.integers(0, len(vocabulary), count).tolist())
    return text[:1].upper() + text[1:] + "."


def _wrap(text: str, letters: int) -> list[str]:
    """Break text into lines of at most about *letters* letters."""
    return wrap(text, letters, break_long_words=False, break_on_hyphens=False)


def set_paragraph(canvas: Canvas, area: Area, text: str, size: float, face: Typeface, ink: Colour) -> float:
    """Set running text into an area, *size* pixels to the em; return the y below its last line."""
    size = max(5, round(size))
    leading = 1.22
    room = int(area.height / (size * leading))
    letters = int(area.width / (face.font(size).getlength("number of words") / 15 * 1.03))
    lines = _wrap(text, max(letters, 4))[: max(room, 0)]
    if lines:
        canvas.ink(_paragraph_mask(lines, round(area.width), size, leading, face), area.left, area.top, ink)
    return area.top + len(lines) * size * leading


def fill_columns(printer: Printer, area: Area, count: int, size: float) -> None:
    """Fill an area with *count* newspaper columns, text *size* pixels to the em."""
    width = (area.width + size) / count
    for number in range(count):
        left = area.left + number * width
        fill_column(printer, Area(left, area.top, left + width - size, area.bottom), size)


def fill_column(printer: Printer, area: Area, size: float) -> None:
    """Fill a newspaper column with paragraphs, headlines, pictures and rules."""
    canvas, rng, ink, y = printer.canvas, printer.rng, printer.ink, area.top
    while y < area.bottom - size:
        choice, left = rng.random(), replace(area, top=y)
        if choice < 0.16:
            headline = replace(left, bottom=min(y + size * 6, area.bottom))
            title = printer.pick(_HEADLINES)
            y = set_paragraph(canvas, headline, title, size * 2, printer.fonts.head, ink) + size * 0.5
        elif choice < 0.24:
            y = _picture(printer, left) + size
        elif choice < 0.3:
            canvas.rectangle(area.left, y, area.right, y + max(1.0, size * 0.1), ink)
            y += size
        else:
            text = _words(rng, int(rng.integers(25, 90)))
            y = set_paragraph(canvas, left, text, size, printer.fonts.text, ink) + size * 0.4


def _picture(printer: Printer, area: Area) -> float:
    """Print a photo, some hills under a sky with dark figures before them; return the y of its lower edge."""
    rng, conditions = printer.rng, printer.conditions
    bottom = min(area.top + area.width * printer.uniform(0.4, 0.75), area.bottom)
    width, height = round(area.width), round(bottom - area.top)
    if width < 8 or height < 8:
        return bottom
    colour: Colour = (45, 42, 40) if rng.random() < 0.6 else (120, 70, 50)
    mask = _hills(width, height, rng)
    for _ in range(int(rng.integers(1, 5))):
        middle = (int(rng.integers(width)), int(height * rng.uniform(0.4, 0.9)))
        axes = (max(1, width // int(rng.integers(20, 60))), max(1, height // int(rng.integers(4, 9))))
        cv2.ellipse(mask, middle, axes, 0, 0, 360, printer.uniform(120, 255), -1, cv2.LINE_AA)
    printer.canvas.ink(mask, area.left, area.top, mixed(conditions.paper, colour, conditions.ink))
    return bottom


def _hills(width: int, height: int, rng: np.random.Generator) -> Mask:
    """Ink (height, width) of a sky that darkens upwards and three ridges, each darker than the one behind."""
    y = np.linspace(0, 1, height, dtype=np.float32)[:, None]
    x = np.linspace(0, 1, width, dtype=np.float32)[None, :]
    tone = np.broadcast_to(0.35 - 0.3 * y, (height, width)).astype(np.float32)
    for ridge in range(3):
        phase, pace = rng.uniform(0, 6, 2), rng.uniform(3, 14, 2)
        line = (
            0.4 + 0.17 * ridge + 0.07 * np.sin(pace[0] * x + phase[0]) + 0.03 * np.sin(pace[1] * x + phase[1])
        )
        tone = np.where(y > line, np.float32(0.3 + 0.22 * ridge), tone)
    grain = rng.normal(0, 0.06, (height // 2 + 1, width // 2 + 1)).astype(np.float32)
    tone = tone + cv2.resize(grain, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.clip(255 * tone, 0, 255), np.uint8)


def ghost(printer: Printer, size: float) -> None:
    """Print the text of the other side that shines through: mirrored, soft, faint."""
    canvas, strength = printer.canvas, printer.conditions.ghost
    if strength <= 0:
        return
    letter = size * printer.uniform(1, 3)
    half = max(5, round(letter / 2))  # drawn at half the size: it's out of focus anyway
    width, height = canvas.width // 2, canvas.height // 2
    lines = _wrap(_words(printer.rng, 300), max(8, round(2.1 * width / half)))[:12]
    block = _paragraph_mask(lines, width, half, 1.3, printer.fonts.text)[:, ::-1]
    sheet = np.tile(block, (-(-height // len(block)), 1))[:height]
    soft = cv2.GaussianBlur(sheet, (0, 0), max(0.6, size * 0.05))
    soft = cv2.resize(soft, (canvas.width, canvas.height), interpolation=cv2.INTER_LINEAR)
    canvas.ink(np.asarray(soft, np.uint8), 0, 0, (40, 40, 40), strength)


def _paragraph_mask(lines: list[str], width: int, size: int, leading: float, face: Typeface) -> Mask:
    """Return lines of running text below one another as a mask (height, width), cut off at the right.

    *size* is that of the em in pixels, *leading* the distance of the lines in em.
    """
    step = max(1, round(size * leading))
    picture = Pictures.new("L", (max(width, 1), max(step * len(lines), 1)))
    pen = ImageDraw.Draw(picture)
    font = face.font(max(size, SMALLEST_EM))
    for place, line in enumerate(lines):
        pen.text((0, place * step + size), line, fill=255, font=font, anchor="ls")
    return np.asarray(picture)
