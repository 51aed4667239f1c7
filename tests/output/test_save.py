"""Save: the name decides the format, only a whole file replaces an old one, and of EXIF only date and camera
are kept, people and places never; debug pictures."""

import io
import os
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from conftest import Run, packed
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image as Pillow
from PIL.TiffImagePlugin import IFDRational

from sudoku_vision import check, solve_photo
from sudoku_vision.errors import SaveError, UsageError
from sudoku_vision.output.debug import TILE, draw_board
from sudoku_vision.output.save import (
    MAX_EXIF,
    WholeFile,
    check_folder,
    check_place,
    clear_parts,
    encode,
    is_stream,
    kept_exif,
    reduced,
    save,
    write_atomically,
)
from sudoku_vision.vision.load import load_photo

PIXELS = np.full((30, 40, 3), (10, 120, 200), np.uint8)


MAGIC = {
    **dict.fromkeys([".jpg", ".JPEG"], b"\xff\xd8\xff"),
    **dict.fromkeys([".tif", ".tiff"], b"II*\0"),
    **{".png": b"\x89PNG", ".webp": b"RIFF", ".gif": b"GIF8", ".bmp": b"BM", ".pdf": b"%PDF-"},
}


@pytest.mark.parametrize("ending", MAGIC)
def test_the_name_chooses_the_format(tmp_path: Path, ending: str) -> None:
    name = f"a{ending}"
    save(tmp_path / name, PIXELS)
    data = (tmp_path / name).read_bytes()
    assert data.startswith(MAGIC[ending])
    assert data == encode(PIXELS, ending), "equal pictures make equal bytes"
    if name.endswith(".pdf"):
        pytest.importorskip("pypdfium2", reason="pypdfium2 (extra formats) is not installed")
    read = load_photo(tmp_path / name).pixels
    assert np.abs(read.astype(int) - PIXELS[0, 0]).max() <= 3
    assert read.shape == PIXELS.shape or name.endswith(".pdf")
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("ending", [".png", ".tif", ".bmp"])
def test_lossless_formats_keep_every_pixel(ending: str) -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (20, 30, 3), np.uint8)
    assert np.array_equal(load_photo(encode(pixels, ending)).pixels, pixels)


def test_a_pdf_is_a_sheet() -> None:
    box = re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", encode(PIXELS, ".pdf"))
    assert box is not None
    assert [float(side) / 72 * 25.4 for side in box.groups()] == pytest.approx([297, 297 * 30 / 40])


def test_a_gif_looks_like_its_picture(tmp_path: Path) -> None:
    fading = np.linspace((10, 120, 200), (200, 100, 0), 60 * 80).reshape(60, 80, 3).astype(np.uint8)
    assert np.abs(load_photo(encode(fading, ".gif")).pixels.astype(int) - fading).mean() < 3


@pytest.mark.parametrize("name", ["a.xyz", "a", "a.heic"])
def test_an_unknown_ending_names_the_known_ones(tmp_path: Path, name: str) -> None:
    known = r"\.jpg, \.jpeg, \.png, \.webp, \.tif, \.tiff, \.gif, \.bmp, \.pdf"
    with pytest.raises(UsageError, match=known):
        save(tmp_path / name, PIXELS)
    with pytest.raises(UsageError, match=known):
        encode(PIXELS, Path(name).suffix)


@pytest.mark.parametrize(
    ("ending", "shape", "words"),
    [(".png", (0, 5, 3), r"can't be packed as PNG"), (".webp", (2, 17_000, 3), r"Save it as \.png")],
)
def test_pictures_that_a_format_cannot_hold_are_refused(
    ending: str, shape: tuple[int, ...], words: str
) -> None:
    with pytest.raises(SaveError, match=words):
        encode(np.zeros(shape, np.uint8), ending)


@pytest.mark.parametrize("error", [OSError(28, "No space left"), SaveError("full"), KeyboardInterrupt()])
def test_a_failure_half_way_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(b"old")

    def fail(_: int) -> None:
        raise error

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(SaveError if isinstance(error, OSError) else type(error)), WholeFile(path) as file:
        file.write(b"new")
        if not isinstance(error, OSError):
            raise error
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.png"]


def test_a_link_is_followed_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "real.png").write_bytes(b"old")
    (tmp_path / "link.png").symlink_to(tmp_path / "real.png")
    write_atomically(tmp_path / "link.png", b"new")
    assert (tmp_path / "link.png").is_symlink()
    assert (tmp_path / "real.png").read_bytes() == b"new"


def test_a_file_keeps_the_mode_of_the_one_that_it_replaces(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(b"old")
    for mode in (0o600, 0o664):
        path.chmod(mode)
        with WholeFile(path) as file:
            assert file.part is not None
            assert file.part.stat().st_mode & 0o777 == mode, "nobody else reads it on the way"
            file.write(b"new")
        assert path.stat().st_mode & 0o777 == mode


def test_a_source_is_known_by_any_of_its_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.png").write_bytes(b"photo")
    Path("hard.png").hardlink_to("a.png")
    Path("soft.png").symlink_to("a.png")
    for name in ("a.png", "hard.png", "soft.png", f"../{tmp_path.name}/a.png"):
        with pytest.raises(UsageError, match="overwrite the file that is read"):
            check_place(name, ["none.png", "a.png"])
    check_place("none.png", ["a.png", "a\0.png", "<bytes>", ""])


@pytest.mark.skipif(os.name == "nt", reason="there are no such locks there")
def test_files_of_killed_runs_are_removed_but_not_those_being_written(tmp_path: Path) -> None:
    (tmp_path / ".sudoku-vision-0123456789ab.part.mp4").write_bytes(b"left")
    with WholeFile(tmp_path / "a.png") as file:
        clear_parts(tmp_path)
        assert [tmp_path / entry for entry in tmp_path.iterdir()] == [file.part]


def test_a_place_is_checked_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"in the way")
    check_place(tmp_path / "a.png")
    check_folder(tmp_path / "new" / "deep")
    for checked, path, words in (
        (check_place, tmp_path / "none" / "a.png", "does not exist"),
        (check_place, tmp_path / "file" / "a.png", "is a file"),
        (check_place, tmp_path, "is a folder"),
        (check_place, tmp_path / ("long" * 100), "too long"),
        (check_folder, tmp_path / "file" / "new", "is a file"),
        (check_folder, tmp_path / "file", "is a file"),
    ):
        with pytest.raises(SaveError, match=words):
            checked(path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


def test_a_folder_without_permission_to_write_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)
    for checked in (check_place, check_folder):
        with pytest.raises(SaveError, match="may not be written"):
            checked(tmp_path / "a.png")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such pipes here")
def test_a_pipe_is_written_into_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "out.txt"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE)
    write_atomically(pipe, b"what comes")
    assert reader.communicate()[0] == b"what comes"
    assert is_stream(pipe)
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.txt"]


def test_pieces_before_ctrl_c_can_be_kept(tmp_path: Path) -> None:
    begun = tmp_path / "a.txt.part"
    with pytest.raises(KeyboardInterrupt), WholeFile(tmp_path / "a.txt", begun=begun) as file:
        file.write(b"new")
        raise KeyboardInterrupt
    assert begun.read_bytes() == b"new"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.txt.part"]


def test_a_drawn_board_shows_ink_where_its_cells_have_it() -> None:
    cells = np.zeros((81, 16, 16), np.float32)
    cells[12] = 1
    pixels = draw_board(cells)
    assert pixels.shape == (9 * TILE, 9 * TILE, 3)
    middles = pixels[TILE // 2 :: TILE, TILE // 2 :: TILE, 0]
    assert np.argwhere(middles < 128).tolist() == [[1, 3]]


def test_only_large_pictures_are_reduced() -> None:
    picture = np.zeros((100, 400, 3), np.uint8)
    small, scale = reduced(picture, 200)
    assert (small.shape, scale) == ((50, 200, 3), 0.5)
    assert reduced(picture, 400)[0] is picture


# Date, camera and lens of a photo are copied into pictures made from it.

SAMPLES = Path(__file__).parents[2] / "sample_images"
ENDINGS = (".jpg", ".png", ".webp")
NOISE = np.random.default_rng(0).integers(0, 255, (41, 63, 3), np.uint8)

ORIENTATION, MAKE, MODEL, DATE, ARTIST, COPYRIGHT = 0x0112, 0x010F, 0x0110, 0x0132, 0x013B, 0x8298
EXIF, GPS, EXPOSURE, TAKEN, MAKERS_NOTE = 0x8769, 0x8825, 0x829A, 0x9003, 0x927C
COMMENT, LENS, XMP, DESCRIPTION = 0x9286, 0xA434, 0x02BC, 0x010E
OWNER, BODY_NUMBER, LENS_NUMBER, PICTURE_NUMBER = 0xA430, 0xA431, 0xA435, 0xA420

KEPT = {MAKE: "Nokia", MODEL: "3310", DATE: "2026:11:22 07:30:00"}
KEPT_DETAILS = {TAKEN: "2026:11:22 07:29:58", LENS: "5.4mm f/1.8"}
SECRET = b"52.5200N13.4050E"


def block(order: str = "<") -> bytes:
    """EXIF as phones write it, with private data at all places where some of them store it."""
    exif = Pillow.Exif()
    exif.endian = order
    for tag, value in KEPT.items():
        exif[tag] = value
    exif[ORIENTATION] = 1
    for tag in (XMP, DESCRIPTION, ARTIST, COPYRIGHT):
        exif[tag] = SECRET
    exif[GPS] = {1: "N", 2: (52.0, 31.0, 12.0), 29: SECRET.decode()}
    exif[EXIF] = {
        **KEPT_DETAILS,
        EXPOSURE: IFDRational(1, 60),
        MAKERS_NOTE: SECRET * 3,
        GPS: {1: "N", 29: SECRET.decode()},
        1: "N",
        2: (52.0, 31.0, 12.0),
        29: SECRET.decode(),
        COMMENT: b"ASCII\0\0\0" + SECRET,
        **dict.fromkeys([OWNER, BODY_NUMBER, LENS_NUMBER, PICTURE_NUMBER], SECRET.decode()),
    }
    return exif.tobytes()


def details_of(data: bytes) -> tuple[Pillow.Exif, dict[int, object]]:
    picture = Pillow.open(io.BytesIO(data))
    picture.load()
    exif = picture.getexif()
    return exif, exif.get_ifd(EXIF)


def expect_kept(data: bytes) -> None:
    exif, details = details_of(data)
    assert {tag: exif[tag] for tag in exif if tag != EXIF} == KEPT
    assert details == KEPT_DETAILS
    assert SECRET not in data


@pytest.mark.parametrize("order", ["<", ">"], ids=["least byte first", "most significant byte first"])
@pytest.mark.parametrize("ending", ENDINGS)
def test_date_camera_and_lens_of_a_photo_are_kept_and_nothing_else(ending: str, order: str) -> None:
    made = encode(NOISE, ending, exif=block(order))
    expect_kept(made)
    plain = encode(NOISE, ending)
    one, other = (np.asarray(Pillow.open(io.BytesIO(data)).convert("RGB")) for data in (made, plain))
    assert np.array_equal(one, other)


def test_letters_beyond_ascii_are_kept() -> None:
    exif = Pillow.Exif()
    exif[MAKE] = "M\u00fcller".encode()
    found, _ = details_of(encode(NOISE, ".jpg", exif=exif.tobytes()))
    assert found[MAKE].encode("latin-1").decode() == "M\u00fcller"


@pytest.mark.parametrize("ending", [".gif", ".bmp", ".tif", ".pdf"])
def test_formats_without_room_have_none(ending: str) -> None:
    assert encode(NOISE, ending, exif=block()) == encode(NOISE, ending)


def test_without_anything_to_keep_a_file_stays_as_it_is() -> None:
    alone = Pillow.Exif()
    alone[ORIENTATION] = 6
    for empty in (alone.tobytes(), b"Exif\0\0", b"II*\0\x08\0\0\0\xff\xff"):
        assert encode(NOISE, ".jpg", exif=empty) == encode(NOISE, ".jpg")


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF", "HEIF", "image of Pillow"])
def test_it_is_found_in_each_format_that_is_read(kind: str) -> None:
    if kind == "HEIF":
        heif = pytest.importorskip("pillow_heif", reason="the extra formats is not installed")
        heif.register_heif_opener()
    data = packed(Pillow.fromarray(NOISE), "JPEG" if " " in kind else kind, exif=block())
    photo = load_photo(Pillow.open(io.BytesIO(data)) if " " in kind else data)
    expect_kept(encode(photo.pixels, ".jpg", exif=photo.exif))


def test_a_solved_photo_keeps_it(run: Run, tmp_path: Path) -> None:
    photos, out = tmp_path / "photos", tmp_path / "out"
    photos.mkdir()
    with Pillow.open(SAMPLES / "handwriting.jpg") as picture:
        for ending, kind in ((".jpg", "JPEG"), (".png", "PNG"), (".webp", "WEBP")):
            (photos / f"one{ending[1:]}{ending}").write_bytes(packed(picture, kind, exif=block()))
    pages = run("solve", photos, "-o", out, "--json").pages
    made = sorted(out.iterdir())
    assert sorted(page["output"] for page in pages) == [str(path) for path in made]
    assert len(made) == 3
    for path in made:
        expect_kept(path.read_bytes())


def test_a_page_saves_it(tmp_path: Path) -> None:
    with Pillow.open(SAMPLES / "clean_sheet.png") as picture:
        data = packed(picture.convert("RGB"), "JPEG", exif=block(), quality=95)
    page = solve_photo(io.BytesIO(data))
    page.save(tmp_path / "one.jpg")
    check(io.BytesIO(data)).save(tmp_path / "two.png")
    page.without_photo().save(tmp_path / "three.jpg", photo=io.BytesIO(data))
    for name in ("one.jpg", "two.png", "three.jpg"):
        expect_kept((tmp_path / name).read_bytes())


@settings(max_examples=60)
@given(st.data())
def test_damaged_blocks_do_no_harm(data: st.DataObject) -> None:
    """Whatever bytes are changed or cut, the result is a file that opens and contains no place."""
    whole = bytearray(block(data.draw(st.sampled_from("<>"))))
    for _ in range(data.draw(st.integers(1, 6))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    kept = bytes(whole[: data.draw(st.integers(0, len(whole)))])
    for ending in ENDINGS:
        picture = Pillow.open(io.BytesIO(encode(NOISE, ending, exif=kept)))
        picture.load()
        assert picture.size == (63, 41)
        assert GPS not in picture.getexif()


def test_a_block_that_claims_to_be_huge_costs_nothing() -> None:
    huge = Pillow.Exif()
    huge[MAKE] = "x" * (MAX_EXIF + 1)
    assert kept_exif(huge.tobytes()) == b""
