"""PDF: pages are rendered one by one in a process; a bad page costs itself alone; scans keep their pixels."""

import contextlib
import io
import multiprocessing
import queue
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from conftest import Run, packed
from pdf_pages import PAINT, pdf, stream
from PIL import Image as Pillow
from test_picture_formats import UPRIGHT, colours, numbers_of, pages_of, photos_of

from sudoku_vision.errors import OpenError
from sudoku_vision.parallel import worker_process
from sudoku_vision.values import Image
from sudoku_vision.vision.load import iter_pages, load_photo, page_count
from sudoku_vision.vision.load import pdf as pdf_room
from sudoku_vision.vision.load.files import opened
from sudoku_vision.vision.load.pdf import DPI
from sudoku_vision.vision.results import Photo

pytest.importorskip("pypdfium2", reason="pypdfium2 (extra formats) is not installed")


def test_the_pages_of_a_pdf_are_rendered_one_by_one() -> None:
    photos = photos_of(b"\r\n<!-- sent by mail -->\n" + pdf([PAINT, "", PAINT]))
    assert [(photo.source, photo.page) for photo in photos] == [("scan", page) for page in (1, 2, 3)]
    assert [colours(photo.pixels) for photo in photos] == [UPRIGHT, ["white"] * 4, UPRIGHT]
    assert photos[0].pixels.flags["C_CONTIGUOUS"]
    (turned,) = photos_of(pdf([PAINT], more="/Rotate 90"))
    assert turned.pixels.shape[0] > turned.pixels.shape[1]
    assert colours(turned.pixels) == ["black", "red", "green", "black"]


@pytest.mark.parametrize(
    ("size", "limit", "expected"),
    [
        ((595.0, 842.0), 100.0, (1653, 2339)),
        ((85.0, 54.0), 100.0, (1600, 1016)),
        ((3024.0, 4032.0), 100.0, (3000, 4000)),
        ((595.0, 842.0), 1.0, (840, 1189)),
        ((14_400.0, 1.0), 0.01, (4000, 1)),
    ],
)
def test_a_pdf_page_gets_a_sensible_size_within_the_limit(
    size: tuple[float, float], limit: float, expected: tuple[int, int]
) -> None:
    height, width = load_photo(pdf([""], size), max_megapixels=limit).pixels.shape[:2]
    assert width * height <= limit * 1e6
    assert width == pytest.approx(expected[0], rel=0.02)
    assert height == pytest.approx(expected[1], rel=0.02, abs=1)


def test_a_broken_page_of_a_pdf_stops_no_other() -> None:
    pages = pages_of(pdf([PAINT, None, PAINT]))
    assert numbers_of(pages) == [1, "scan, page 2: the page is damaged and can't be read.", 3]


def test_a_locked_pdf_says_so() -> None:
    lock = f"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <{'41' * 32}> /U <{'42' * 32}> >> "
    lock += f"/ID [<{'43' * 16}> <{'43' * 16}>]"
    with pytest.raises(OpenError, match=r"locked with a password.*without the password"):
        load_photo(pdf([PAINT]).replace(b"trailer\n<< ", f"trailer\n<< {lock} ".encode()))


def test_a_file_that_only_begins_as_a_pdf_is_damaged() -> None:
    for data in (b"%PDF-1.7 ...", b"%PDF-1.7\n" + bytes(2000), pdf([])):
        (page,) = pages_of(data)
        assert isinstance(page, OpenError)
        assert re.search("PDF (is damaged|is truncated|has no pages)", page.message)


def test_a_page_is_rendered_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    ask = pdf_room._in_process

    def noted(job: Callable[..., Any], *arguments: Any, **more: Any) -> Any:
        asked.append(job.__name__)
        return ask(job, *arguments, **more)

    monkeypatch.setattr(pdf_room, "_in_process", noted)
    pages = iter_pages(pdf([""] * 5))
    next(pages)
    next(pages)
    assert asked == ["_count_pages", "_render_page", "_render_page"]


def test_a_filled_form_field_is_seen() -> None:
    """The digit in a form field is drawn by its appearance stream: here a red block over the whole page."""
    field = b"<< /Type /Annot /Subtype /Widget /FT /Tx /T (r1c1) /V (7) /F 4 /Rect [0 0 144 108] "
    form = stream("/Type /XObject /Subtype /Form /BBox [0 0 144 108]", "0.98 0.08 0.12 rg 0 0 144 108 re f")
    extra = [field + b"/AP << /N 6 0 R >> >>", form]
    data = pdf([""], more="/Annots [5 0 R]", extra=extra, catalog="/AcroForm << /Fields [5 0 R] >>")
    assert colours(load_photo(data).pixels) == ["red"] * 4


# Scans

A5 = (420.0, 595.0)
"""Points."""
USUAL = round(A5[1] / 72 * DPI)


def noise(size: tuple[int, int]) -> Pillow.Image:
    """Soft noise of (width, height), as JPEG keeps it."""
    coarse = np.random.default_rng(3).integers(0, 255, (20, 16), np.uint8)
    return Pillow.fromarray(np.asarray(cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC), np.uint8))


def scanned(picture: Pillow.Image, drawn: str = "", *, more: str = "", share: float = 1.0) -> bytes:
    """An A5 page that holds a picture over a *share* of its height, and what is *drawn* over it."""
    width, height = picture.size
    kind = f"/Type /XObject /Subtype /Image /Width {width} /Height {height} /BitsPerComponent 8"
    image = stream(f"{kind} /ColorSpace /DeviceGray /Filter /DCTDecode", packed(picture, "JPEG", quality=95))
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    resources = f"/Resources << /XObject << /X 5 0 R >> /Font << /F 6 0 R >> >> {more}"
    place = f"q {A5[0]} 0 0 {share * A5[1]} 0 0 cm /X Do Q {drawn}"
    return pdf([place], A5, resources, extra=[image, font])


def seen(picture: Pillow.Image) -> Image:
    file = io.BytesIO(packed(picture, "JPEG", quality=95))
    return np.asarray(Pillow.open(file).convert("RGB"), np.uint8)


@pytest.mark.parametrize(("size", "turns"), [((2479, 3512), 0), ((1391, 1971), 0), ((1391, 1971), 1)])
def test_each_pixel_of_a_scan_becomes_one_in_the_turn_of_its_page(size: tuple[int, int], turns: int) -> None:
    pixels = load_photo(scanned(noise(size), more=f"/Rotate {90 * turns}")).pixels
    expected = np.rot90(seen(noise(size)), -turns)
    assert pixels.shape == expected.shape
    assert cv2.norm(pixels, np.ascontiguousarray(expected), cv2.NORM_L1) < pixels.size


@pytest.mark.parametrize(
    ("size", "drawn", "share", "height"),
    [
        ((1391, 1971), "BT /F 12 Tf 3 Tr 50 50 Td (words) Tj ET", 1.0, 1971),  # recognised text, invisible
        ((350, 496), "0 0 0 RG 50 50 200 200 re S", 1.0, USUAL),
        ((2479, 3512), "0 0 0 RG 50 50 200 200 re S", 1.0, 3512),
        ((2479, 1756), "", 0.5, USUAL),
    ],
    ids=["text", "lines on a coarse scan", "lines on a fine scan", "half a page"],
)
def test_drawings_on_a_scan_change_its_resolution_only_if_they_are_finer(
    size: tuple[int, int], drawn: str, share: float, height: int
) -> None:
    assert load_photo(scanned(noise(size), drawn, share=share)).size[1] == pytest.approx(height, abs=1)


def test_a_scan_keeps_to_the_limit() -> None:
    width, height = load_photo(scanned(noise((2479, 3512))), max_megapixels=2.0).size
    assert 1.9e6 < width * height <= 2e6


# The process

ENDLESS = "/X Do"
"""A page that draws a form of ten forms, each of ten, and so on: in 1.5 kB, minutes of work."""
DEPTH = 7


def book(*pages: str) -> bytes:
    """A PDF in which the pages may be endless."""
    first, kind, forms = 3 + 2 * len(pages), "/Type /XObject /Subtype /Form /BBox [0 0 144 108]", []
    for number in range(first + 1, first + DEPTH):
        inner = f"/Resources << /XObject << /X {number} 0 R >> >>"
        forms.append(stream(f"{kind} {inner}", "/X Do " * 10))
    forms.append(stream(kind, "0 0 9 9 re f"))
    return pdf(pages, more=f"/Resources << /XObject << /X {first} 0 R >> >>", extra=forms)


@pytest.fixture
def short_limit(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A limit for time alone: a fast machine would reach the limit for memory before it."""
    monkeypatch.setattr(pdf_room, "MAX_MEMORY", 0)
    monkeypatch.setattr(pdf_room, "_idle", queue.Queue(1))
    pages_of(pdf([PAINT]))  # starts the renderer: its start is not part of the limit
    monkeypatch.setattr(pdf_room, "PAGE_SECONDS", 2)
    yield
    with contextlib.suppress(queue.Empty):
        pdf_room._idle.get_nowait().close()


@pytest.mark.usefixtures("short_limit")
def test_an_endless_page_is_given_up_and_named_and_the_next_is_rendered() -> None:
    started = time.monotonic()
    first, second, third = numbers_of(pages_of(book(PAINT, ENDLESS, PAINT)))
    assert (first, third) == (1, 3)
    assert second == "scan, page 2: it takes more than 2 seconds to render, and was given up."
    assert time.monotonic() - started < 30


@pytest.mark.usefixtures("short_limit")
def test_an_endless_document_is_left_out_from_some_page_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_room, "ROOM_SECONDS", 0.0)
    monkeypatch.setattr(pdf_room, "USUAL_SECONDS", 0.1)
    pages = pages_of(book(*[ENDLESS] * 9))
    assert len(pages) == 2 and "the rest is left out" in str(pages[1])


@pytest.mark.slow
@pytest.mark.usefixtures("short_limit")
def test_endless_pages_do_not_end_a_batch(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(book(*[ENDLESS] * 2))
    (tmp_path / "b.png").write_bytes(packed(Pillow.new("L", (60, 40), "white"), "PNG"))
    ran = run("solve", tmp_path, "--json")
    assert [line["status"] for line in ran.pages] == ["error", "error", "no_grid"]
    assert "takes more than 2 seconds to render" in ran.pages[1]["message"]


def test_a_renderer_that_ends_between_two_pages_costs_none() -> None:
    pages = iter_pages(pdf([PAINT] * 3))
    assert isinstance(next(pages), Photo)
    for child in multiprocessing.active_children():
        if child.name == "sudoku-vision worker":
            child.kill()
            child.join()
    assert [isinstance(page, Photo) for page in pages] == [True, True]


def test_one_process_renders_one_document_after_another(monkeypatch: pytest.MonkeyPatch) -> None:
    assert numbers_of(pages_of(pdf([PAINT]))) == [1]
    monkeypatch.setattr(pdf_room, "WorkerProcess", None)  # none can be made
    assert numbers_of(pages_of(pdf([PAINT] * 2))) == [1, 2]


def test_within_a_worker_no_further_process_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_process, "is_within_worker", lambda: True)
    monkeypatch.setattr(worker_process.WorkerProcess, "start", None)
    assert numbers_of(pages_of(pdf([PAINT, "", PAINT]))) == [1, 2, 3]


def test_a_script_without_a_guard_is_not_run_again(tmp_path: Path) -> None:
    (tmp_path / "book.pdf").write_bytes(pdf([PAINT]))
    script = tmp_path / "script.py"
    script.write_text("from sudoku_vision import solve_photo\nprint(solve_photo('book.pdf').status)\n")
    ran = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.stdout, ran.returncode) == ("no_grid\n", 0), ran.stderr


def test_a_file_is_read_as_far_as_its_pages_ask_for(tmp_path: Path) -> None:
    path = tmp_path / "book.pdf"
    path.write_bytes(pdf([PAINT] * 3))
    assert opened(path) == path
    assert page_count(path) == 3
    assert [one.page for one in iter_pages(path) if isinstance(one, Photo)] == [1, 2, 3]
