"""Hostile files end no batch, and cost neither gigabytes nor minutes."""

import struct
from pathlib import Path

import cv2
import pytest
from conftest import PUZZLE, Run, packed
from PIL import Image as Pillow

from sudoku_vision import solve_photo
from sudoku_vision.errors import OpenError, OutOfMemoryError
from sudoku_vision.vision.load import iter_pages, load_photo
from sudoku_vision.vision.load.jpeg import MAX_SCANS

BIG_TIFF_PAST_ALL_ENDS = b"II+\0\x08\0\0\0" + struct.pack("<Q", 2**64 - 1)
BIG_TIFF_OF_MANY_ENTRIES = b"II+\0\x08\0\0\0" + struct.pack("<QQ", 16, 2**63) + bytes(64)


def refusal(data: bytes, **options: float) -> str:
    """The error of a file without any page."""
    (page,) = iter_pages(data, name="file", **options)  # type: ignore[arg-type]
    assert isinstance(page, OpenError)
    return str(page)


@pytest.mark.parametrize("data", [BIG_TIFF_PAST_ALL_ENDS, BIG_TIFF_OF_MANY_ENTRIES])
def test_a_directory_beyond_the_file_is_damage(data: bytes) -> None:
    assert "damaged" in refusal(data) or "truncated" in refusal(data)


def test_a_fault_while_a_file_is_opened_only_costs_that_file(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.png").write_bytes(packed(Pillow.new("L", (60, 40), "white"), "PNG"))
    (tmp_path / "b.gif").write_bytes(packed(Pillow.new("L", (60, 40), "white"), "GIF"))
    opened = iter_pages

    def fails(source: object, **options: object) -> object:
        if isinstance(source, str) and source.endswith("a.png"):
            raise ZeroDivisionError("never expected")
        return opened(source, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("sudoku_vision.vision.load.iter_pages", fails)
    ran = run("solve", tmp_path, "--json")
    assert [line["status"] for line in ran.pages] == ["error", "no_grid"]
    assert "reading failed inside (ZeroDivisionError" in ran.pages[0]["message"]


def test_a_jpeg_of_hundreds_of_scans_is_refused_by_its_header() -> None:
    whole = packed(Pillow.new("L", (64, 64), "grey"), "JPEG", progressive=True)
    last = whole[whole.rfind(b"\xff\xda") : -2]
    assert load_photo(whole[:-2] + 50 * last + whole[-2:]).pixels.shape == (64, 64, 3)
    for more in (200 * last, 200 * (b"\xff\x02\xff\xff" + last), 2000 * b"\xff\xfe\0\2" + 200 * last):
        assert f"more than {MAX_SCANS} scans" in refusal(whole[:-2] + more + whole[-2:])


def test_bytes_behind_a_jpeg_are_not_counted() -> None:
    """Phones store films there, in which the bytes of a marker come by chance, or another JPEG."""
    whole = packed(Pillow.new("L", (64, 64), "grey"), "JPEG", progressive=True)
    film = b"\0\0\0\x18ftypmp42" + bytes(range(256)) * 40 + 200 * b"\xff\xda\0\x0c" + b"moov"
    for behind in (film, whole, 30 * whole):
        assert load_photo(whole + behind).pixels.shape == (64, 64, 3)


def test_a_tiff_of_many_large_pages_in_a_few_bytes_is_refused() -> None:
    page = Pillow.new("1", (1000, 1000), "white")
    data = packed(page, "TIFF", compression="group4", save_all=True, append_images=[page] * 40)
    pages = list(iter_pages(data, name="fax.tif", max_megapixels=1))
    assert len(pages) == 41
    assert all("too many pixels for" in str(page) for page in pages)


@pytest.mark.parametrize("error", [MemoryError(), cv2.error("Insufficient memory: failed to allocate")])
def test_too_little_memory_gives_a_plain_error(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise error

    data = packed(Pillow.new("L", (60, 40), "white"), "PNG")
    monkeypatch.setattr("sudoku_vision.pipeline.locate", fails)
    with pytest.raises(OutOfMemoryError, match=r"<bytes>: too large for this memory\. Make it smaller"):
        solve_photo(data)
    monkeypatch.setattr("sudoku_vision.vision.load.picture.opaque_bgr", fails)
    with pytest.raises(OutOfMemoryError, match=r"x\.png: too large"):
        load_photo(data, name="x.png")
    with pytest.raises(MemoryError):  # as programs may have caught it before
        load_photo(data)


def test_a_picture_that_there_is_no_memory_to_draw_is_named(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("sudoku_vision.cli.outputs.encode", fails)
    ran = run("solve", PUZZLE, "-o", tmp_path / "out.png")
    assert ran.status == 1
    assert "too large for this memory. Make it smaller" in ran.err
