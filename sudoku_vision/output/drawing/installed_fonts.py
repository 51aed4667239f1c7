"""The fonts of this machine: where they lie, and which of them has the characters that ours lacks."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from sudoku_vision.output.drawing.outlines import FontFace, faces_of

_SUFFIXES = frozenset({".ttf", ".otf", ".ttc", ".otc"})
_MOST_FILES = 20_000  # that are looked at: a machine with more has them from somewhere else than its maker
_REGULAR, _BOLD = 400.0, 700.0


def font_folders() -> list[Path]:
    """Return the folders in which fonts lie on this system, a person's own first."""
    home = Path.home()
    if sys.platform == "win32":
        own = (
            Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local"))
            / "Microsoft"
            / "Windows"
            / "Fonts"
        )
        return [own, Path(os.environ.get("WINDIR", "C:\\Windows")) / "Fonts"]
    if sys.platform == "darwin":
        return [home / "Library/Fonts", Path("/Library/Fonts"), Path("/System/Library/Fonts")]
    data = os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    own = Path(os.environ.get("XDG_DATA_HOME") or home / ".local/share") / "fonts"
    return [own, home / ".fonts", *(Path(folder) / "fonts" for folder in data.split(":") if folder)]


def covering_face(characters: str, *, bold: bool = False) -> FontFace | None:
    """Return the installed face that has most of *characters*, the first of them in any case; None for none.

    Among equals, upright faces without serifs in the weight that is wanted come first.
    """
    faces = [face for face in _installed(tuple(font_folders())) if face.has(characters[0])]
    if not faces:
        return None
    wanted = _BOLD if bold else _REGULAR
    return min(faces, key=lambda face: (-_count(face, characters), *_looks(face, wanted), face))


def _count(face: FontFace, characters: str) -> int:
    return sum(face.has(character) for character in characters)


def _looks(face: FontFace, weight: float) -> tuple[bool, bool, bool, float]:
    """Return what of a face is unlike plain upright letters of a *weight*, the gravest first."""
    name = face.name.lower()
    return face.slanted, "mono" in name, "sans" not in name, abs(face.weight - weight)


@lru_cache(maxsize=2)
def _installed(folders: Sequence[Path]) -> tuple[FontFace, ...]:
    return tuple(face for path in _files(folders) for face in faces_of(path))


def _files(folders: Sequence[Path]) -> list[Path]:
    """Return the font files in *folders* and below, in an order that hangs on their names alone."""
    files: list[Path] = []
    for folder in folders:
        for place, below, names in os.walk(folder):
            below.sort()
            files += [Path(place, name) for name in sorted(names) if Path(name).suffix.lower() in _SUFFIXES]
            if len(files) > _MOST_FILES:
                return files[:_MOST_FILES]
    return files
