"""Fonts to learn from: only real digits are kept, families stay together."""

from __future__ import annotations

import shutil
from pathlib import Path

from sudoku_vision.output.drawing.typefaces import BUNDLED_FOLDER, Typeface, bundled_typefaces
from sudoku_vision.workshop.training.sources import find_typefaces, has_digits, split_families


def test_bundle_holds_print_and_handwriting_that_show_digits() -> None:
    faces = bundled_typefaces()
    assert len(faces) >= 8
    assert {face.handwritten for face in faces} == {True, False}
    assert all(has_digits(face) for face in faces)


def test_find_skips_broken_files_and_what_is_no_font(tmp_path: Path) -> None:
    (tmp_path / "broken.ttf").write_bytes(b"\x00\x01\x00\x00 nothing")
    (tmp_path / "notes.txt").write_text("no font")
    assert find_typefaces([tmp_path]) == []


def test_find_keeps_a_face_once_and_in_the_same_order(tmp_path: Path) -> None:
    for place in ("a", "b"):
        shutil.copytree(BUNDLED_FOLDER, tmp_path / place)
    names = [(face.family, face.style) for face in find_typefaces([tmp_path])]
    assert names == [(face.family, face.style) for face in bundled_typefaces()]


def test_find_leaves_other_alphabets_alone(tmp_path: Path) -> None:
    source = next(BUNDLED_FOLDER.glob("*.woff2"))
    shutil.copy(source, tmp_path / "arimo-cyrillic-400-normal.woff2")
    shutil.copy(source, tmp_path / "arimo-latin-ext-400-normal.woff2")
    assert find_typefaces([tmp_path]) == []


def test_a_family_is_never_on_both_sides_of_a_split() -> None:
    faces = [
        Typeface(f"{name}{width}", style, Path(f"{name}{width}{style}.ttf"))
        for name in ("Alpha", "Beta", "Gamma", "Delta")
        for width in ("", " Condensed")
        for style in ("Regular", "Bold")
    ]
    kept, held = split_families(faces, share=0.5, seed=3)
    assert len(kept) == len(held) == 8
    assert not {face.family.split()[0] for face in kept} & {face.family.split()[0] for face in held}
    assert split_families(faces, share=0.5, seed=3) == (kept, held)
