"""Formats: HEIC, AVIF and TIFF: upright exactly once, page by page, and a broken page stops no other."""

import io
import re
import struct
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from conftest import packed
from pdf_pages import PAINT, pdf
from PIL import Image as Pillow
from PIL import features

from sudoku_vision.errors import MissingExtraError, OpenError, TooLargeError
from sudoku_vision.values import Image
from sudoku_vision.vision.load import iter_pages, load_photo, page_count
from sudoku_vision.vision.results import Photo

RED, GREEN, BLACK = (250, 20, 30), (10, 240, 60), (0, 0, 0)
needs_avif = pytest.mark.skipif(
    "avif" not in features.modules or not features.check("avif"), reason="this Pillow has no AVIF"
)


def heif() -> Any:
    module = pytest.importorskip("pillow_heif", reason="pillow-heif (extra formats) is not installed")
    if not module.libheif_info()["HEIF"]:
        pytest.skip("this pillow-heif can't write HEIC")
    return module


def corners(size: tuple[int, int] = (64, 48)) -> Pillow.Image:
    """Red at the top left, green at the bottom right, else black."""
    width, height = size
    picture = Pillow.new("RGB", size)
    picture.paste(RED, (0, 0, width // 2, height // 2))
    picture.paste(GREEN, (width // 2, height // 2, width, height))
    return picture


def noise(seed: int = 0) -> Pillow.Image:
    return Pillow.fromarray(np.random.default_rng(seed).integers(0, 255, (120, 160, 3), np.uint8))


def lying(picture: Pillow.Image, orientation: int) -> Pillow.Image:
    """The picture as a sensor held like that would have stored it."""
    undo = {
        2: Pillow.Transpose.FLIP_LEFT_RIGHT,
        3: Pillow.Transpose.ROTATE_180,
        4: Pillow.Transpose.FLIP_TOP_BOTTOM,
        5: Pillow.Transpose.TRANSPOSE,
        6: Pillow.Transpose.ROTATE_90,
        7: Pillow.Transpose.TRANSVERSE,
        8: Pillow.Transpose.ROTATE_270,
    }
    return picture.transpose(undo[orientation]) if orientation in undo else picture


def exif(orientation: int) -> bytes:
    tags = Pillow.Exif()
    tags[0x0112] = orientation
    return tags.tobytes()


def heic(picture: Pillow.Image, **options: Any) -> bytes:
    """A HEIC file whose pixels are stored as they are."""
    file = io.BytesIO()
    stored = heif().from_bytes(picture.mode, picture.size, picture.tobytes())
    stored.save(file, quality=95, chroma=444, **options)
    return file.getvalue()


KINDS = ["HEIC", pytest.param("AVIF", marks=needs_avif)]
LOSSLESS = {"PNG": {}, "TIFF": {}, "WEBP": {"lossless": True}}


def container(kind: str, picture: Pillow.Image, **options: Any) -> bytes:
    """A file of the *kind*, its pixels stored as they are."""
    if kind == "HEIC":
        return heic(picture, **options)
    return packed(picture, kind, **LOSSLESS.get(kind, {"quality": 95}), **options)


def colours(pixels: Image) -> list[str]:
    """The colours near the four corners: top left, top right, bottom left, bottom right."""
    height, width = pixels.shape[:2]
    names = []
    for x, y in ((0.2, 0.2), (0.8, 0.2), (0.2, 0.8), (0.8, 0.8)):
        colour = pixels[int(y * height), int(x * width), ::-1].astype(int)
        found = [
            name
            for name, value in {"red": RED, "green": GREEN, "black": BLACK, "white": (255, 255, 255)}.items()
            if np.abs(colour - value).max() < 40
        ]
        names.append(found[0] if found else str(colour))
    return names


UPRIGHT = ["red", "black", "black", "green"]


def pages_of(data: bytes, **limits: Any) -> list[Photo | OpenError]:
    return list(iter_pages(data, name="scan", **limits))


def numbers_of(pages: Sequence[Photo | OpenError]) -> list[int | str]:
    """Of a photo its page number, of an error its message."""
    return [page.page if isinstance(page, Photo) else page.message for page in pages]


def photos_of(data: bytes) -> list[Photo]:
    return [page for page in pages_of(data) if isinstance(page, Photo)]


# HEIC and AVIF


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF", *KINDS])
def test_a_picture_is_turned_upright_exactly_once(kind: str, orientation: int) -> None:
    """The corner that EXIF calls top left ends there; phones say the same turn in the container of HEIC."""
    data = container(kind, lying(corners(), orientation), exif=exif(orientation))
    assert orientation == 1 or kind not in ("HEIC", "AVIF") or b"irot" in data or b"imir" in data
    pixels = load_photo(data).pixels
    assert pixels.shape == (48, 64, 3)
    assert colours(pixels) == UPRIGHT


def test_the_container_turns_a_heic_and_exif_does_not() -> None:
    both = heic(lying(corners(), 6), exif=exif(6))
    assert both.count(exif(6)[6:]) == 1
    assert colours(load_photo(both.replace(exif(6)[6:], exif(1)[6:])).pixels) == UPRIGHT
    without_box = both.replace(b"irot", b"free")
    stored = lying(corners(), 6)
    assert load_photo(without_box).pixels.shape[1::-1] == stored.size
    assert colours(load_photo(without_box).pixels) == colours(np.asarray(stored)[..., ::-1])


def test_of_a_burst_the_main_picture_is_taken() -> None:
    file = io.BytesIO()
    burst = heif().from_pillow(Pillow.new("RGB", (64, 48), "white"))
    burst.add_from_pillow(corners())
    burst.save(file, quality=95, chroma=444, primary_index=1)
    photos = photos_of(file.getvalue())
    assert len(photos) == 1
    assert colours(photos[0].pixels) == UPRIGHT


@pytest.mark.parametrize("kind", KINDS)
def test_avif_and_heic_are_told_apart_by_their_brands(kind: str) -> None:
    data = container(kind, corners())
    assert colours(load_photo(data[:8] + b"mif1" + data[12:]).pixels) == UPRIGHT


@pytest.mark.parametrize("kind", KINDS)
def test_a_huge_picture_is_refused_before_it_is_unpacked(kind: str) -> None:
    """The header claims more pixels than the packed picture has: unpacking it would tell."""
    data = container(kind, corners((64, 64)))
    claims = data.replace(struct.pack(">II", 64, 64), struct.pack(">II", 12_000, 9_000))
    assert claims != data
    with pytest.raises(TooLargeError, match="108 megapixels"):
        load_photo(claims)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "GIF", "WEBP", "BMP", "TIFF", "PPM", *KINDS])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_truncated_picture_is_an_error_not_a_grey_patch(kind: str, share: float) -> None:
    data = container(kind, noise())
    with pytest.raises(OpenError, match=r"(truncated|damaged).* Copy or download it again"):
        load_photo(data[: int(len(data) * share)])


# TIFF


@pytest.mark.parametrize("compression", [None, "tiff_lzw", "jpeg"])
def test_every_page_of_a_tiff_is_turned_exactly_once(compression: str | None) -> None:
    """Each page has an orientation of its own; Pillow writes one for all, so they are set afterwards."""
    turns = [6, 1, 3, 8, 5]
    frames = [lying(corners(), turn) for turn in turns]
    data = bytearray(
        packed(
            frames[0], "TIFF", save_all=True, append_images=frames[1:], exif=exif(1), compression=compression
        )
    )
    tags = [found.start() for found in re.finditer(re.escape(struct.pack("<HHI", 0x0112, 3, 1)), bytes(data))]
    assert len(tags) == len(turns)
    for at, turn in zip(tags, turns, strict=True):
        data[at + 8 : at + 10] = struct.pack("<H", turn)
    photos = photos_of(bytes(data))
    assert [photo.page for photo in photos] == [1, 2, 3, 4, 5]
    assert [photo.pixels.shape for photo in photos] == [(48, 64, 3)] * 5
    assert [colours(photo.pixels) for photo in photos] == [UPRIGHT] * 5


def test_the_pages_of_a_tiff_may_be_of_any_mode() -> None:
    """A fax of black and white, grey, 16 bits, CMYK, colour: each page by itself."""
    ramp = np.linspace(0, 65535, 64 * 48).reshape(48, 64).astype(np.uint16)
    frames = [
        (corners().convert("L").point(lambda value: 255 * (value > 60)).convert("1"), "group4"),
        (corners().convert("L"), "tiff_lzw"),
        (Pillow.fromarray(ramp), "tiff_adobe_deflate"),
        (corners().convert("CMYK"), "tiff_lzw"),
        (corners(), "jpeg"),
    ]
    photos = photos_of(joined([packed(frame, "TIFF", compression=how) for frame, how in frames]))
    assert [photo.page for photo in photos] == [1, 2, 3, 4, 5]
    assert colours(photos[0].pixels) == ["white", "black", "black", "white"]
    assert int(photos[1].pixels[5, 5, 0]) == int(np.asarray(corners().convert("L"))[5, 5])
    assert np.abs(photos[2].pixels[..., 0].astype(float) - ramp / 257).max() <= 0.51
    assert colours(photos[3].pixels) == colours(photos[4].pixels) == UPRIGHT


def joined(files: Sequence[bytes]) -> bytes:
    """One TIFF of the pages of several little-endian ones: tables moved along, chained one to the next."""
    whole = bytearray()
    link = None
    for file in files:
        shift = len(whole)
        page = bytearray(file)
        (at,) = struct.unpack_from("<I", page, 4)
        (entries,) = struct.unpack_from("<H", page, at)
        for entry in range(at + 2, at + 2 + 12 * entries, 12):
            tag, kind, count, value = struct.unpack_from("<HHII", page, entry)
            size = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 10: 8}[kind] * count
            if size > 4 and tag in {273, 324}:
                offsets = struct.unpack_from(f"<{count}I", page, value)
                struct.pack_into(f"<{count}I", page, value, *(offset + shift for offset in offsets))
            if size > 4 or tag in {273, 324}:
                struct.pack_into("<I", page, entry + 8, value + shift)
        if link is not None:
            struct.pack_into("<I", whole, link, at + shift)
        link = at + 2 + 12 * entries + shift
        whole += page + b"\0" * (len(page) % 2)
    return bytes(whole)


def test_a_broken_page_of_a_tiff_stops_no_other() -> None:
    """One page of a mode that nobody knows, one whose packed pixels are damaged, one that is too large."""
    unknown = bytearray(packed(corners(), "TIFF"))
    at = unknown.index(struct.pack("<HHI", 262, 3, 1))
    unknown[at + 8 : at + 10] = struct.pack("<H", 99)
    damaged = bytearray(packed(noise(), "TIFF", compression="tiff_adobe_deflate"))
    damaged[100:400] = bytes(300)
    good = packed(corners(), "TIFF", compression="tiff_lzw")
    large = packed(Pillow.new("1", (2000, 1000)), "TIFF", compression="group4")
    parts = [good, bytes(unknown), bytes(unknown), good, bytes(damaged), large, good]
    pages = pages_of(joined(parts), max_megapixels=1)
    assert [str(number).split(":")[0] for number in numbers_of(pages)] == [
        *("1", "scan, page 2", "scan, page 3", "4", "scan, page 5", "scan, page 6", "7")
    ]
    assert all(isinstance(page, OpenError) or colours(page.pixels) == UPRIGHT for page in pages)
    assert isinstance(pages[5], TooLargeError)
    whole, broken = pages_of(joined([good, packed(noise(), "TIFF")])[:-20_000])
    assert isinstance(whole, Photo) and isinstance(broken, OpenError)


def test_a_tiff_that_leads_back_to_its_first_page_ends() -> None:
    data = bytearray(joined([packed(corners(), "TIFF")] * 3))
    (first,) = (at,) = struct.unpack_from("<I", data, 4)
    for _ in range(3):
        link = at + 2 + 12 * struct.unpack_from("<H", data, at)[0]
        (at,) = struct.unpack_from("<I", data, link)
    struct.pack_into("<I", data, link, first)
    assert numbers_of(pages_of(bytes(data))) == [1, 2, 3]


def test_pages_above_the_limit_are_left_out_and_it_is_said() -> None:
    data = joined([packed(corners(), "TIFF")] * 4)
    assert numbers_of(pages_of(data, max_pages=4)) == [1, 2, 3, 4]
    more = "scan: it has more than 3 pages, the rest is left out."
    assert numbers_of(pages_of(data, max_pages=3)) == [1, 2, 3, more]
    assert numbers_of(pages_of(data, max_pages=2, only=4)) == [4]
    assert numbers_of(pages_of(data, max_pages=2, only=5)) == ["scan: there is no page 5, pages here: 4."]


# All of them


@pytest.mark.parametrize(
    ("module", "data", "words"),
    [
        ("pillow_heif", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "HEIC pictures needs pillow-heif"),
        ("pypdfium2", b"%PDF-1.7 ...", "PDF documents needs pypdfium2"),
        ("PIL.AvifImagePlugin", b"\0\0\0\x18ftypavif\0\0\0\0mif1avif", "AVIF pictures needs Pillow"),
    ],
)
def test_without_the_extra_the_error_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, module: str, data: bytes, words: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=words) as caught:
        load_photo(data, name="photo")
    assert "folder of sudoku-vision, run: pip install '.[formats]'" in caught.value.remedy
    assert caught.value.exit_code == 3


@pytest.mark.parametrize("kind", ["TIFF", "PDF"])
def test_pages_are_counted_and_a_single_one_has_its_number(kind: str) -> None:
    data = pdf([PAINT] * 5) if kind == "PDF" else joined([packed(corners(), "TIFF")] * 5)
    assert (page_count(data), page_count(packed(corners(), "PNG"))) == (5, 1)
    for only in (1, 4, 5):
        assert numbers_of(pages_of(data, only=only, max_pages=1)) == [only]
    assert numbers_of(pages_of(data, only=6)) == ["scan: there is no page 6, pages here: 5."]
    with pytest.raises(OpenError, match="not a picture"):
        page_count(b"words", name="words")


MAKERS: dict[str, Callable[[], bytes]] = {
    "pages of TIFF": lambda: joined([packed(noise(), "TIFF", compression="tiff_lzw")] * 3),
    "PDF": lambda: pdf([PAINT] * 2),
}


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "GIF", "WEBP", "TIFF", "BMP", "PPM", *KINDS, *MAKERS])
def test_damage_at_random_never_raises_anything_else(kind: str) -> None:
    rng = np.random.default_rng(7)
    whole = MAKERS[kind]() if kind in MAKERS else container(kind, noise())
    for _ in range(40):
        data = bytearray(whole)
        for at in rng.integers(12 if kind in ("HEIC", "AVIF") else 0, min(len(data), 1500), 6):
            data[at] = int(rng.integers(0, 256))
        for page in iter_pages(bytes(data), max_megapixels=1):
            assert isinstance(page, Photo) or page.remedy
