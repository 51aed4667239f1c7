"""Date, camera and lens of a photo are copied into pictures made from it, people and places never."""

import io
from pathlib import Path

import numpy as np
import pytest
from conftest import Run, packed
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image as Pillow
from PIL.TiffImagePlugin import IFDRational

from sudoku_vision import check, solve_photo
from sudoku_vision.output.save import MAX_EXIF, encode, kept_exif
from sudoku_vision.vision.load import load_photo

SAMPLES = Path(__file__).parents[2] / "sample_images"
ENDINGS = (".jpg", ".png", ".webp")
PIXELS = np.random.default_rng(0).integers(0, 255, (41, 63, 3), np.uint8)

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
    made = encode(PIXELS, ending, exif=block(order))
    expect_kept(made)
    plain = encode(PIXELS, ending)
    one, other = (np.asarray(Pillow.open(io.BytesIO(data)).convert("RGB")) for data in (made, plain))
    assert np.array_equal(one, other)


def test_letters_beyond_ascii_are_kept() -> None:
    exif = Pillow.Exif()
    exif[MAKE] = "M\u00fcller".encode()
    found, _ = details_of(encode(PIXELS, ".jpg", exif=exif.tobytes()))
    assert found[MAKE].encode("latin-1").decode() == "M\u00fcller"


@pytest.mark.parametrize("ending", [".gif", ".bmp", ".tif", ".pdf"])
def test_formats_without_room_have_none(ending: str) -> None:
    assert encode(PIXELS, ending, exif=block()) == encode(PIXELS, ending)


def test_without_anything_to_keep_a_file_stays_as_it_is() -> None:
    alone = Pillow.Exif()
    alone[ORIENTATION] = 6
    for empty in (alone.tobytes(), b"Exif\0\0", b"II*\0\x08\0\0\0\xff\xff"):
        assert encode(PIXELS, ".jpg", exif=empty) == encode(PIXELS, ".jpg")


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF", "HEIF", "image of Pillow"])
def test_it_is_found_in_each_format_that_is_read(kind: str) -> None:
    if kind == "HEIF":
        heif = pytest.importorskip("pillow_heif", reason="the extra formats is not installed")
        heif.register_heif_opener()
    data = packed(Pillow.fromarray(PIXELS), "JPEG" if " " in kind else kind, exif=block())
    photo = load_photo(Pillow.open(io.BytesIO(data)) if " " in kind else data)
    expect_kept(encode(photo.pixels, ".jpg", exif=photo.exif))


@pytest.mark.parametrize("command", ["solve", "check"])
def test_a_solved_photo_keeps_it(command: str, run: Run, tmp_path: Path) -> None:
    photos, out = tmp_path / "photos", tmp_path / "out"
    photos.mkdir()
    with Pillow.open(SAMPLES / "handwriting.jpg") as picture:
        for ending, kind in ((".jpg", "JPEG"), (".png", "PNG"), (".webp", "WEBP")):
            (photos / f"one{ending[1:]}{ending}").write_bytes(packed(picture, kind, exif=block()))
    pages = run(command, photos, "-o", out, "--json").pages
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


@settings(max_examples=150)
@given(st.data())
def test_damaged_blocks_do_no_harm(data: st.DataObject) -> None:
    """Whatever bytes are changed or cut, the result is a file that opens and contains no place."""
    whole = bytearray(block(data.draw(st.sampled_from("<>"))))
    for _ in range(data.draw(st.integers(1, 6))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    kept = bytes(whole[: data.draw(st.integers(0, len(whole)))])
    for ending in ENDINGS:
        picture = Pillow.open(io.BytesIO(encode(PIXELS, ending, exif=kept)))
        picture.load()
        assert picture.size == (63, 41)
        assert GPS not in picture.getexif()


def test_a_block_that_claims_to_be_huge_costs_nothing() -> None:
    huge = Pillow.Exif()
    huge[MAKE] = "x" * (MAX_EXIF + 1)
    assert kept_exif(huge.tobytes()) == b""
