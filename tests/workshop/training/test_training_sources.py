"""What digits are drawn from, and boards that are drawn to learn from."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from sudoku_vision.vision.rectify import rectify
from workshop.rendering.typefaces import BUNDLED_FOLDERS, Typeface, bundled_typefaces
from workshop.training.boards import draw_board
from workshop.training.samples import BLANK, is_printed, is_written
from workshop.training.sources import Sources, find_typefaces, gather_sources, has_digits, split_families


@pytest.fixture(scope="module")
def sources() -> Sources:
    return gather_sources([], [], 0.1, 0)[0]


def test_boards_follow_from_the_seed_and_hold_print_handwriting_and_blanks(sources: Sources) -> None:
    boards = [draw_board(sources, np.random.default_rng(seed)) for seed in (*range(8), 0)]
    first, same = boards[0], boards.pop()
    assert np.array_equal(first.photo.pixels, same.photo.pixels)
    assert np.array_equal(first.classes, same.classes)
    assert any((first.classes != board.classes).any() for board in boards)
    classes = np.concatenate([board.classes for board in boards])
    shares = [is_printed(classes).mean(), is_written(classes).mean(), (classes == BLANK).mean()]
    assert min(shares) > 0.1
    assert shares[0] > shares[1], "most digits of a page are print"
    for board in boards[:4]:
        cells = rectify(board.photo, board.lattice)
        ink = np.clip(cells, 0, 1)[:, 8:-8, 8:-8].mean(axis=(1, 2))
        printed, blank = is_printed(board.classes), board.classes == BLANK
        assert not blank.any() or np.median(ink[printed]) > 1.5 * np.median(ink[blank])


def test_bundle_holds_print_and_handwriting_that_show_digits() -> None:
    faces = bundled_typefaces()
    assert len(faces) >= 8
    assert {face.handwritten for face in faces} == {True, False}
    assert all(has_digits(face) for face in faces)


def test_find_skips_broken_files_what_is_no_font_and_other_alphabets(tmp_path: Path) -> None:
    (tmp_path / "broken.ttf").write_bytes(b"\x00\x01\x00\x00 nothing")
    (tmp_path / "notes.txt").write_text("no font")
    source = next(BUNDLED_FOLDERS[1].glob("*.woff2"))
    for name in ("cyrillic", "latin-ext"):
        shutil.copy(source, tmp_path / f"arimo-{name}-400-normal.woff2")
    assert find_typefaces([tmp_path]) == []


def test_find_keeps_a_face_once_and_in_the_same_order(tmp_path: Path) -> None:
    for place in ("a", "b"):
        for folder in BUNDLED_FOLDERS:
            shutil.copytree(folder, tmp_path / place, dirs_exist_ok=True)
    names = [(face.family, face.style) for face in find_typefaces([tmp_path])]
    assert names == [(face.family, face.style) for face in bundled_typefaces()]


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
