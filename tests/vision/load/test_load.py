"""Load: every kind of picture comes out upright, BGR and 8 bits; what is none is told plainly."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from conftest import packed, png_header
from PIL import Image as Pillow

from sudoku_vision.errors import OpenError, TooLargeError
from sudoku_vision.results import Image, Photo
from sudoku_vision.vision.load import iter_pages, load_photo

RED, GREEN, WHITE = (250, 20, 30), (10, 240, 60), (255, 255, 255)


def corners() -> Pillow.Image:
    """60 x 40 pixels, red at the top left, green at the bottom right, else black."""
    pixels = np.zeros((40, 60, 3), np.uint8)
    pixels[:20, :30], pixels[20:, 30:] = RED, GREEN
    return Pillow.fromarray(pixels)


def noise() -> Pillow.Image:
    return Pillow.fromarray(np.random.default_rng(0).integers(0, 255, (300, 400, 3), np.uint8))


def rgb_at(pixels: Image, x: int, y: int) -> list[int]:
    return [int(value) for value in pixels[y, x, ::-1]]


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF"])
def test_a_picture_is_turned_upright_exactly_once(kind: str, orientation: int) -> None:
    """The corner that EXIF calls top left ends there, whatever the format."""
    upright = np.asarray(corners())
    # How the sensor lay: undo the turn that the orientation asks for.
    undo = {
        1: upright,
        2: upright[:, ::-1],
        3: upright[::-1, ::-1],
        4: upright[::-1],
        5: upright.transpose(1, 0, 2),
        6: np.rot90(upright),
        7: upright[::-1, ::-1].transpose(1, 0, 2),
        8: np.rot90(upright, -1),
    }[orientation]
    exif = Pillow.Exif()
    exif[0x0112] = orientation
    options = {"lossless": True} if kind == "WEBP" else {"quality": 95} if kind == "JPEG" else {}
    data = packed(Pillow.fromarray(np.ascontiguousarray(undo)), kind, exif=exif, **options)
    pixels = load_photo(data).pixels
    assert pixels.shape == (40, 60, 3)
    assert np.abs(np.array(rgb_at(pixels, 5, 5)) - RED).max() < 12
    assert np.abs(np.array(rgb_at(pixels, 55, 35)) - GREEN).max() < 12


@pytest.mark.parametrize(
    ("kind", "mode"),
    [("PNG", "RGB"), ("PNG", "P"), ("BMP", "RGB"), ("GIF", "P"), ("TIFF", "RGB"), ("TIFF", "CMYK")],
)
def test_colours_come_out_in_bgr_order(kind: str, mode: str) -> None:
    picture = corners().quantize(8) if mode == "P" else corners().convert(mode)
    pixels = load_photo(packed(picture, kind)).pixels
    assert np.abs(np.array(rgb_at(pixels, 5, 5)) - RED).max() < 12
    assert pixels.dtype == np.uint8


def test_a_cmyk_jpeg_is_not_inverted() -> None:
    pixels = load_photo(packed(corners().convert("CMYK"), "JPEG", quality=95)).pixels
    assert np.abs(np.array(rgb_at(pixels, 5, 5)) - RED).max() < 30


def test_a_grey_picture_has_three_equal_channels() -> None:
    for kind in ("PNG", "JPEG"):
        pixels = load_photo(packed(corners().convert("L"), kind)).pixels
        assert pixels.shape == (40, 60, 3)
        assert (pixels[..., 0] == pixels[..., 2]).all()


def test_sixteen_bits_are_scaled_not_cut_off() -> None:
    ramp = np.linspace(0, 65535, 2400).reshape(40, 60).astype(np.uint16)
    for kind in ("PNG", "TIFF"):
        pixels = load_photo(packed(Pillow.fromarray(ramp), kind)).pixels
        assert np.abs(pixels[..., 0].astype(float) - ramp / 257).max() <= 0.51


def test_transparent_pixels_show_white_paper() -> None:
    ink = Pillow.new("RGBA", (20, 20), (0, 0, 0, 0))
    ink.paste((0, 0, 0, 255), (5, 5, 10, 10))
    pixels = load_photo(packed(ink, "PNG")).pixels
    assert rgb_at(pixels, 1, 1) == [255, 255, 255]
    assert rgb_at(pixels, 7, 7) == [0, 0, 0]
    half = Pillow.new("LA", (20, 20), (0, 128))
    assert rgb_at(load_photo(packed(half, "PNG")).pixels, 3, 3) == [127, 127, 127]


@pytest.mark.parametrize("kind", ["GIF", "WEBP"])
def test_of_an_animation_the_first_frame_is_taken(kind: str) -> None:
    frames = [corners(), Pillow.new("RGB", (60, 40), "white")]
    (photo,) = iter_pages(packed(frames[0], kind, save_all=True, append_images=frames[1:]))
    assert isinstance(photo, Photo)
    assert np.abs(np.array(rgb_at(photo.pixels, 5, 5)) - RED).max() < 20


def test_the_pages_of_a_tiff_are_counted() -> None:
    data = packed(corners(), "TIFF", save_all=True, append_images=[Pillow.new("RGB", (10, 12), "white")])
    photos = [page for page in iter_pages(data, name="scan.tif") if isinstance(page, Photo)]
    assert [(photo.page, photo.pixels.shape[:2]) for photo in photos] == [(1, (40, 60)), (2, (12, 10))]
    assert photos[1].source == "scan.tif"


def test_a_picture_of_one_pixel_is_a_picture() -> None:
    assert load_photo(packed(Pillow.new("RGB", (1, 1)), "PNG")).pixels.shape == (1, 1, 3)


def test_a_huge_picture_is_refused_by_its_header(monkeypatch: pytest.MonkeyPatch) -> None:
    def unpack(*_: object) -> None:
        raise AssertionError("pixels were unpacked")

    monkeypatch.setattr(cv2, "imdecode", unpack)
    monkeypatch.setattr("sudoku_vision.vision.load.picture._unpack", unpack)
    with pytest.raises(TooLargeError, match=r"200 megapixels, the limit is 100.*--max-megapixels"):
        load_photo(png_header(20_000, 10_000))
    with pytest.raises(TooLargeError, match="4295 megapixels"):
        load_photo(png_header(65_535, 65_535), max_megapixels=1000)


def test_the_limit_on_pixels_can_be_raised_and_lowered(monkeypatch: pytest.MonkeyPatch) -> None:
    pixels = np.zeros((1, 1, 3), np.uint8)
    monkeypatch.setattr("sudoku_vision.vision.load.picture._unpack", lambda *_: pixels)
    assert load_photo(png_header(20_000, 10_000), max_megapixels=200).pixels is pixels
    with pytest.raises(TooLargeError):
        load_photo(packed(corners(), "PNG"), max_megapixels=0.001)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "GIF", "WEBP", "BMP", "TIFF", "PPM"])
@pytest.mark.parametrize("share", [0.5, 0.9])
def test_a_truncated_picture_is_an_error_not_a_grey_patch(kind: str, share: float) -> None:
    data = packed(noise(), kind)
    with pytest.raises(OpenError, match=r"(truncated|damaged).* Copy or download it again"):
        load_photo(data[: int(len(data) * share)])


def test_a_jpeg_cut_after_its_thumbnail_is_truncated_all_the_same() -> None:
    thumbnail = packed(noise().resize((160, 120)), "JPEG")
    data = packed(noise(), "JPEG", exif=b"Exif\0\0" + thumbnail)
    with pytest.raises(OpenError, match="truncated"):
        load_photo(data[: len(data) // 2])
    assert load_photo(data + b"trailing video of a motion photo").pixels.shape == (300, 400, 3)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"Dear reader, this is text.", "not a picture"),
        (b"\0\0\0\x18ftypisom" + bytes(90), "videos are not supported"),
        (b"\xff\xd8\xff\xe0" + bytes(50), "damaged|truncated"),
    ],
)
def test_what_is_no_picture_is_told_what_it_is(tmp_path: Path, data: bytes, words: str) -> None:
    path = tmp_path / "photo.jpg"
    path.write_bytes(data)
    with pytest.raises(OpenError, match=words) as caught:
        load_photo(path)
    assert caught.value.remedy
    assert str(path) in caught.value.message


def test_an_empty_name_is_no_folder_and_one_too_long_no_fault_of_ours() -> None:
    with pytest.raises(OpenError, match="name of a picture is empty"):
        load_photo("")
    with pytest.raises(OpenError, match="too long"):
        load_photo("x" * 300)


def test_missing_files_and_folders_are_told_apart(tmp_path: Path) -> None:
    for path, words in (
        (tmp_path / "none.jpg", "no such file"),
        (tmp_path / "*.jpg", "no file matches"),
        (tmp_path, "this is a folder"),
    ):
        with pytest.raises(OpenError, match=words):
            load_photo(path)


def test_damage_at_random_never_raises_anything_else() -> None:
    rng = np.random.default_rng(5)
    for kind in ("JPEG", "PNG", "GIF", "WEBP", "TIFF", "BMP", "PPM"):
        whole = packed(noise().resize((64, 48)), kind)
        for _ in range(30):
            data = bytearray(whole)
            for at in rng.integers(0, min(len(data), 300), 6):
                data[at] = int(rng.integers(0, 256))
            try:
                load_photo(bytes(data))
            except OpenError as error:
                assert error.remedy


def test_a_real_photo_loads_as_opencv_reads_it(shared_data: Path) -> None:
    for name in ("w016.jpg", "w001.jpg"):
        path = shared_data / "wild" / "images" / name
        read = cv2.imread(str(path), cv2.IMREAD_COLOR)
        assert read is not None
        assert np.array_equal(load_photo(path).pixels, read)
