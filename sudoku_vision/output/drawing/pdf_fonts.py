"""The fonts of a PDF document: of each face what is used of it, with what its glyphs mean as text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pydyf

from sudoku_vision.output.drawing.cff import glyph_identifiers
from sudoku_vision.output.drawing.outlines import FontFace
from sudoku_vision.output.drawing.typesetting import SetGlyph

_THOUSANDTHS = 1000  # of the em, in which PDF tells how wide letters are
_SYMBOLIC = 4  # flag of a font whose characters are its own matter: they are found by number
_TAG_LETTERS = 6  # before the name of a font of which not all is there
_LAYOUT_TABLES = ("GSUB", "GPOS", "GDEF", "BASE", "STAT", "VORG", "vhea", "vmtx", "name", "gasp")
"""What is of use only to those who set lines, as was done already."""

_TO_UNICODE = """/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def /CMapType 2 def
1 begincodespacerange <0000> <ffff> endcodespacerange
{blocks}
endcmap CMapName currentdict /CMap defineresource pop end end"""
_MOST_IN_A_BLOCK = 100  # of entries, as the format has it


class EmbeddedFonts:
    """The fonts of a document, by the faces of its glyphs."""

    def __init__(self, glyphs: Iterable[SetGlyph]) -> None:
        """Take what is used of each face from all *glyphs* of the document."""
        characters: dict[FontFace, dict[int, str]] = {}
        for glyph in glyphs:
            known = characters.setdefault(glyph.face, {})
            known[glyph.glyph] = known.get(glyph.glyph) or glyph.characters
        self._fonts = {
            face: _EmbeddedFont(f"F{number}", face, used)
            for number, (face, used) in enumerate(characters.items())
        }

    def add_to(self, document: Any) -> dict[str, Any]:
        """Add the fonts to a document, and return the reference of each by its name."""
        return {font.name: font.add_to(document) for font in self._fonts.values()}

    def name(self, face: FontFace) -> str:
        """Return the name of a face in the document's resources."""
        return self._fonts[face].name

    def code(self, glyph: SetGlyph) -> int:
        """Return the number that stands for a glyph in shown text, two bytes wide."""
        return self._fonts[glyph.face].codes[glyph.glyph]

    def width(self, glyph: SetGlyph) -> int:
        """Return how wide the document says that a glyph is, in thousandths of the em."""
        return _width(glyph.face, glyph.glyph)


class _EmbeddedFont:
    """One face: ``codes`` are the numbers of its glyphs in shown text."""

    def __init__(self, name: str, face: FontFace, characters: dict[int, str]) -> None:
        self.name = name
        self._face, self._characters = face, characters
        subset, places = _subset(face, characters)
        if face.is_cff:
            self._file = bytes(subset.reference_table("CFF ").data)
            identifiers = glyph_identifiers(self._file)
            places = {glyph: identifiers[place] for glyph, place in places.items()}
        else:
            self._file = bytes(subset.blob.data)
        self.codes = {glyph: places[glyph] for glyph in characters}

    def add_to(self, document: Any) -> Any:
        """Add the font to a document, and return its reference."""
        base = f"/{_tag(self._file)}+{self._face.name}"
        descendant = self._descendant(document, base)
        meaning = pydyf.Stream([self._to_unicode().encode()], compress=True)
        document.add_object(meaning)
        font = pydyf.Dictionary(
            {
                "Type": "/Font",
                "Subtype": "/Type0",
                "BaseFont": base,
                "Encoding": "/Identity-H",
                "DescendantFonts": pydyf.Array([descendant.reference]),
                "ToUnicode": meaning.reference,
            }
        )
        document.add_object(font)
        return font.reference

    def _descendant(self, document: Any, base: str) -> Any:
        system = {"Registry": pydyf.String("Adobe"), "Ordering": pydyf.String("Identity"), "Supplement": 0}
        widths = pydyf.Array()
        for glyph, code in sorted(self.codes.items(), key=lambda item: item[1]):
            widths += [code, pydyf.Array([_width(self._face, glyph)])]
        entry = {
            "Type": "/Font",
            "Subtype": "/CIDFontType0" if self._face.is_cff else "/CIDFontType2",
            "BaseFont": base,
            "CIDSystemInfo": pydyf.Dictionary(system),
            "FontDescriptor": self._descriptor(document, base).reference,
            "W": widths,
        }
        if not self._face.is_cff:
            entry["CIDToGIDMap"] = "/Identity"
        descendant = pydyf.Dictionary(entry)
        document.add_object(descendant)
        return descendant

    def _descriptor(self, document: Any, base: str) -> Any:
        extra = {"Subtype": "/CIDFontType0C"} if self._face.is_cff else {"Length1": len(self._file)}
        file = pydyf.Stream([self._file], extra, compress=True)
        document.add_object(file)
        ascent, descent = (round(reach * _THOUSANDTHS) for reach in self._face.vertical_extent)
        descriptor = pydyf.Dictionary(
            {
                "Type": "/FontDescriptor",
                "FontName": base,
                "Flags": _SYMBOLIC,
                "FontBBox": pydyf.Array([0, descent, _THOUSANDTHS, ascent]),
                "ItalicAngle": 0,
                "Ascent": ascent,
                "Descent": descent,
                "CapHeight": ascent,
                "StemV": 80,
                "FontFile3" if self._face.is_cff else "FontFile2": file.reference,
            }
        )
        document.add_object(descriptor)
        return descriptor

    def _to_unicode(self) -> str:
        """Return the map from the codes of shown text to the characters that they stand for."""
        entries = [
            f"<{self.codes[glyph]:04x}> <{text.encode('utf-16-be').hex()}>"
            for glyph, text in sorted(self._characters.items(), key=lambda item: self.codes[item[0]])
            if text
        ]
        blocks = [entries[at : at + _MOST_IN_A_BLOCK] for at in range(0, len(entries), _MOST_IN_A_BLOCK)]
        lines = [f"{len(block)} beginbfchar\n{chr(10).join(block)}\nendbfchar" for block in blocks]
        return _TO_UNICODE.format(blocks="\n".join(lines))


def _subset(face: FontFace, glyphs: Iterable[int]) -> tuple[Any, dict[int, int]]:
    """Return a face with no more than *glyphs*, and where each of them is in it."""
    import uharfbuzz

    chosen = uharfbuzz.SubsetInput()
    chosen.sets(uharfbuzz.SubsetInputSets.GLYPH_INDEX).update(glyphs)
    chosen.drop_table_tag_set.update(
        sum(ord(letter) << shift for letter, shift in zip(tag, (24, 16, 8, 0), strict=True))
        for tag in _LAYOUT_TABLES
    )
    chosen.flags = uharfbuzz.SubsetFlags.NO_HINTING
    for (
        axis
    ) in face.harfbuzz.face.axis_infos:  # of a font with several weights in one, the plain one is drawn
        chosen.pin_axis_to_default(face.harfbuzz.face, axis.tag)
    plan = uharfbuzz.SubsetPlan(face.harfbuzz.face, chosen)
    places = plan.old_to_new_glyph_mapping
    return plan.execute(), {glyph: int(places[glyph]) for glyph in glyphs}


def _width(face: FontFace, glyph: int) -> int:
    return round(face.advance(glyph) * _THOUSANDTHS)


def _tag(data: bytes) -> str:
    """Return six capitals that stand for what of a font is there, as PDF wants them before its name."""
    from zlib import crc32

    number, letters = crc32(data), ""
    for _ in range(_TAG_LETTERS):
        number, letter = divmod(number, 26)
        letters += chr(ord("A") + letter)
    return letters
