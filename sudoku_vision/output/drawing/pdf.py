"""Write figures as pages of a PDF document: vectors and text, with what is used of each font within it.

The document is made by the rules of PDF/A-2u (ISO 19005-2): nothing in it hangs on the machine that shows it,
and all text can be taken out of it. It holds no date, so that equal figures make equal files.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any
from xml.sax.saxutils import escape

import cv2
import numpy as np
import pydyf

from sudoku_vision.output.drawing.colours import Colour
from sudoku_vision.output.drawing.figure import (
    Area,
    Element,
    Figure,
    Line,
    Picture,
    Point,
    Squares,
    Text,
    runs_of,
)
from sudoku_vision.output.drawing.pdf_fonts import EmbeddedFonts
from sudoku_vision.output.drawing.typesetting import SetGlyph, typeset

POINTS_PER_MM = 72 / 25.4

_PRODUCER = "sudoku_vision"
_JPEG_QUALITY = 92  # of 100: of pictures, beside which no loss is seen
_THOUSANDTHS = 1000  # of the em, in which PDF tells how wide letters are
_SLIPS = 0.5  # thousandths of the em that a letter may stand beside its place


def pdf(
    figures: Iterable[Figure], *, title: str = "Sudoku", on_page: Callable[[], Any] = lambda: None
) -> bytes:
    """Return a PDF document with a page for each of *figures*; *on_page* is called after each."""
    pages = list(figures)
    document = pydyf.PDF()
    fonts = EmbeddedFonts(_glyphs(pages))
    resources = pydyf.Dictionary({"Font": pydyf.Dictionary(fonts.add_to(document))})
    document.add_object(resources)
    for figure in pages:
        _add_page(document, figure, fonts, resources)
        on_page()
    _describe(document, title)
    file = io.BytesIO()
    document.write(file, identifier=True, compress=True)
    return file.getvalue()


def _glyphs(figures: Iterable[Figure]) -> Iterable[SetGlyph]:
    for figure in figures:
        for element in figure.elements:
            if isinstance(element, Text):
                yield from typeset(element.words, bold=element.bold).glyphs


def _add_page(document: Any, figure: Figure, fonts: EmbeddedFonts, shared: Any) -> None:
    page = _Page(document, figure, fonts)
    for element in figure.elements:
        page.draw(element)
    content = pydyf.Stream(page.operators, compress=True)
    document.add_object(content)
    own = {"XObject": pydyf.Dictionary(page.pictures)} if page.pictures else {}
    own |= {"ExtGState": pydyf.Dictionary(page.states)} if page.states else {}
    width, height = (round(side * POINTS_PER_MM, 2) for side in (figure.width, figure.height))
    entry = {
        "Type": "/Page",
        "Parent": document.pages.reference,
        "MediaBox": pydyf.Array([0, 0, width, height]),
        "Contents": content.reference,
        "Resources": pydyf.Dictionary({**shared, **own}) if own else shared.reference,
    }
    if page.states:  # what shines through is mixed in the colours of the output intent
        entry["Group"] = pydyf.Dictionary({"Type": "/Group", "S": "/Transparency", "CS": "/DeviceRGB"})
    document.add_page(pydyf.Dictionary(entry))


class _Page:
    """The operators of a page. Lengths go in as millimetres and stand there as points."""

    def __init__(self, document: Any, figure: Figure, fonts: EmbeddedFonts) -> None:
        self.operators: list[bytes] = []
        self.pictures: dict[str, Any] = {}
        self.states: dict[str, Any] = {}
        self._document, self._height, self._fonts = document, figure.height, fonts
        self._set: dict[str, bytes] = {}

    def draw(self, element: Element) -> None:
        """Draw one element."""
        match element:
            case Line():
                self._colour(element.colour, stroke=True)
                self._change("w", f"{_number(element.width * POINTS_PER_MM)} w")
                self._change("J", "1 J 1 j" if element.round else "0 J 0 j")
                self._add(f"{self._path(element.points)} {'s' if element.closed else 'S'}")
            case Area():
                self._draw_area(element)
            case Text():
                self._draw_text(element)
            case Squares():
                self._draw_squares(element)
            case Picture():
                self._draw_picture(element)

    def _draw_area(self, area: Area) -> None:
        clear = area.opacity < 1
        if clear:
            self._add(f"q /{self._state(area.opacity)} gs")
        self._colour(area.colour)
        self._add(f"{self._path(area.points)} f")
        if clear:
            self._add("Q")
            self._set.clear()

    def _draw_text(self, text: Text) -> None:
        line, size = typeset(text.words, bold=text.bold), text.size * POINTS_PER_MM
        if not line.glyphs:
            return
        self._colour(text.colour)
        x, y = self._point(text.place)
        x -= {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor] * line.width * size
        self._add("BT")
        for run in _runs(line.glyphs):
            first = run[0]
            self._change("Tf", f"/{self._fonts.name(first.face)} {_number(size)} Tf")
            at_x, at_y = x + first.place[0] * size, y + first.place[1] * size
            self._add(f"1 0 0 1 {_number(at_x)} {_number(at_y)} Tm {self._shown(run)}")
        self._add("ET")

    def _shown(self, run: Sequence[SetGlyph]) -> str:
        """Return what shows a run of glyphs, each moved to where it belongs if its own width isn't enough."""
        pieces, codes = [], ""
        pen = run[0].place[0]
        for glyph in run:
            slip = (pen - glyph.place[0]) * _THOUSANDTHS
            if abs(slip) > _SLIPS:
                pieces.append(f"<{codes}>{round(slip)}")
                codes, pen = "", pen - round(slip) / _THOUSANDTHS
            codes += f"{self._fonts.code(glyph):04x}"
            pen += self._fonts.width(glyph) / _THOUSANDTHS
        return f"[{''.join(pieces)}<{codes}>] TJ" if pieces else f"<{codes}> Tj"

    def _draw_squares(self, squares: Squares) -> None:
        self._colour(squares.colour)
        step = squares.side * POINTS_PER_MM / len(squares.dark)
        left, top = self._point(squares.corner)
        self._add(f"q {step:.5f} 0 0 {-step:.5f} {_number(left)} {_number(top)} cm")
        self._add(
            " ".join(f"{column} {row} {length} 1 re" for row, column, length in runs_of(squares.dark))
            + " f Q"
        )

    def _draw_picture(self, picture: Picture) -> None:
        name = f"P{len(self.pictures)}"
        stream = _packed(picture)
        self._document.add_object(stream)
        self.pictures[name] = stream.reference
        x, y = self._point((picture.corner[0], picture.corner[1] + picture.height))
        width, height = picture.width * POINTS_PER_MM, picture.height * POINTS_PER_MM
        matrix = " ".join(map(_number, (width, 0, 0, height, x, y)))
        self._add(f"q {matrix} cm /{name} Do Q")

    def _state(self, opacity: float) -> str:
        name = f"S{round(opacity * 1000)}"
        self.states[name] = pydyf.Dictionary({"Type": "/ExtGState", "ca": round(opacity, 3)})
        return name

    def _colour(self, colour: Colour, *, stroke: bool = False) -> None:
        """Choose a colour; grey by itself, so that it is printed with black alone."""
        blue, green, red = (_number(min(max(channel, 0.0), 255.0) / 255) for channel in colour)
        operator = f"{red} g" if red == green == blue else f"{red} {green} {blue} rg"
        self._change("stroke" if stroke else "fill", operator.upper() if stroke else operator)

    def _path(self, points: Sequence[Point]) -> str:
        """Return the operators of a path; a closed one is closed where it is filled or stroked."""
        (x, y), *rest = (self._point(point) for point in points)
        return " ".join([f"{_number(x)} {_number(y)} m", *(f"{_number(x)} {_number(y)} l" for x, y in rest)])

    def _point(self, point: Point) -> tuple[float, float]:
        return point[0] * POINTS_PER_MM, (self._height - point[1]) * POINTS_PER_MM

    def _change(self, what: str, operator: str) -> None:
        """Say what holds from here on, unless it does already."""
        if self._set.get(what) != operator.encode():
            self._set[what] = operator.encode()
            self._add(operator)

    def _add(self, operators: str) -> None:
        self.operators.append(operators.encode())


def _runs(glyphs: Sequence[SetGlyph]) -> Iterable[Sequence[SetGlyph]]:
    """Cut a line of glyphs where the font or the height above the base line changes."""
    start = 0
    for end in range(1, len(glyphs) + 1):
        at_end = end == len(glyphs)
        if at_end or (glyphs[end].face, glyphs[end].place[1]) != (glyphs[start].face, glyphs[start].place[1]):
            yield glyphs[start:end]
            start = end


def _packed(picture: Picture) -> Any:
    """Return a picture as an object of the document: a grey one as grey."""
    pixels = picture.pixels
    is_grey = bool((pixels == pixels[:, :, :1]).all())
    done, packed = cv2.imencode(
        ".jpg", pixels[:, :, 0] if is_grey else pixels, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY]
    )
    if not done:
        raise ValueError("OpenCV packs no JPEG")
    height, width = pixels.shape[:2]
    extra = {
        "Type": "/XObject",
        "Subtype": "/Image",
        "Width": width,
        "Height": height,
        "BitsPerComponent": 8,
        "ColorSpace": "/DeviceGray" if is_grey else "/DeviceRGB",
        "Filter": "/DCTDecode",
    }
    return pydyf.Stream([np.asarray(packed).tobytes()], extra)


def _describe(document: Any, title: str) -> None:
    """Say what the document is, and what its colours mean, as PDF/A wants it."""
    document.info["Title"] = pydyf.String(title)
    document.info["Producer"] = pydyf.String(_PRODUCER)
    metadata = pydyf.Stream([_XMP.format(title=escape(title), producer=_PRODUCER).encode()])
    metadata.extra = {"Type": "/Metadata", "Subtype": "/XML"}
    profile = pydyf.Stream([zlib.compress(_srgb())], {"N": 3, "Filter": "/FlateDecode"})
    document.add_object(metadata)
    document.add_object(profile)
    intent = {
        "Type": "/OutputIntent",
        "S": "/GTS_PDFA1",
        "OutputConditionIdentifier": pydyf.String("sRGB"),
        "DestOutputProfile": profile.reference,
    }
    document.catalog["Metadata"] = metadata.reference
    document.catalog["OutputIntents"] = pydyf.Array([pydyf.Dictionary(intent)])


def _srgb() -> bytes:
    """Return the colour profile of sRGB, without the date on which it was made."""
    from PIL import ImageCms

    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    profile[24:36] = b"\x07\xd0\x00\x01\x00\x01" + bytes(
        6
    )  # the date of the profile's header: 1 January 2000
    profile[84:100] = bytes(16)  # its checksum, none
    return bytes(profile)


def _number(value: float) -> str:
    """Return a number as PDF has it, to a thousandth."""
    return f"{round(value, 3) + 0.0:.3f}".rstrip("0").rstrip(".")


_XMP = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" \
xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/">
<pdfaid:part>2</pdfaid:part><pdfaid:conformance>U</pdfaid:conformance>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
<pdf:Producer>{producer}</pdf:Producer></rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>"""
