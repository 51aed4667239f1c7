"""PDF in a process of its own: a page that takes too much costs itself alone, and is named."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import Run, packed
from PIL import Image as Pillow
from test_picture_formats import PAINT, pdf

from sudoku_vision.parallel import worker_process
from sudoku_vision.results import Photo
from sudoku_vision.vision.load import iter_pages, page_count
from sudoku_vision.vision.load import pdf as pdf_room
from sudoku_vision.vision.load.files import opened

pytest.importorskip("pypdfium2", reason="pypdfium2 (extra formats) is not installed")

ENDLESS = "/X Do"
"""A page that draws a form of ten forms, each of ten, and so on: in 1.5 kB, minutes of work."""
DEPTH = 7


def book(*pages: str) -> bytes:
    """A PDF in which the pages may be endless."""
    data = pdf(pages, more="/Resources << /XObject << /X 100 0 R >> >>")
    # The table of places no longer fits, so it is left out: every reader builds it anew.
    data = data[: data.index(b"xref\n")]
    for number in range(100, 100 + DEPTH):
        last = number == 99 + DEPTH
        stream = "0 0 9 9 re f" if last else "/X Do " * 10
        inner = "" if last else f"/Resources << /XObject << /X {number + 1} 0 R >> >>"
        form = f"/Type /XObject /Subtype /Form /BBox [0 0 144 108] {inner} /Length {len(stream)}"
        data += f"{number} 0 obj\n<< {form} >>\nstream\n{stream}\nendstream\nendobj\n".encode()
    return data + f"trailer\n<< /Size {100 + DEPTH} /Root 1 0 R >>\n%%EOF\n".encode()


def told(data: bytes) -> list[str]:
    """What became of each page: its number, or what is said of it."""
    pages = iter_pages(data, name="book.pdf")
    return [str(page.page) if isinstance(page, Photo) else page.message for page in pages]


@pytest.fixture
def one_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_room, "PAGE_SECONDS", 1.0)


@pytest.mark.usefixtures("one_second")
def test_a_page_without_end_is_given_up_and_named_and_the_next_is_rendered() -> None:
    started = time.monotonic()
    first, second, third = told(book(PAINT, ENDLESS, PAINT))
    assert (first, third) == ("1", "3")
    assert second == "book.pdf, page 2: it takes more than 1 seconds to render, and was given up."
    assert time.monotonic() - started < 30


@pytest.mark.usefixtures("one_second")
def test_a_document_without_end_does_not_end_a_batch(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pdf_room, "ROOM_SECONDS", 0.0)
    monkeypatch.setattr(pdf_room, "USUAL_SECONDS", 0.1)
    (tmp_path / "a.pdf").write_bytes(book(*[ENDLESS] * 9))
    (tmp_path / "b.png").write_bytes(packed(Pillow.new("L", (60, 40), "white"), "PNG"))
    ran = run("solve", tmp_path, "--json")
    assert [line["status"] for line in ran.pages] == ["error", "error", "no_grid"]
    assert "the rest is left out" in ran.pages[1]["message"]


def test_a_document_named_twice_is_read_twice_however_the_first_time_ends(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_process, "is_within_worker", lambda: True)
    monkeypatch.setattr(pdf_room, "ROOM_SECONDS", 0.0)
    monkeypatch.setattr(pdf_room, "USUAL_SECONDS", 0.0)
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf([PAINT] * 3))
    ran = run("solve", path, path, "--json")
    assert [(line["page"], line["status"]) for line in ran.pages] == [(1, "no_grid"), (2, "error")] * 2


def test_a_renderer_that_ends_between_two_pages_costs_none() -> None:
    pages = iter_pages(pdf([PAINT] * 3), name="book.pdf")
    assert isinstance(next(pages), Photo)
    for child in multiprocessing.active_children():
        if child.name == "sudoku-vision worker":
            child.kill()
            child.join()
    assert [isinstance(page, Photo) for page in pages] == [True, True]


def test_one_process_renders_one_document_after_another(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(pdf([PAINT])) == ["1"]
    monkeypatch.setattr(pdf_room, "WorkerProcess", None)  # none can be made
    assert told(pdf([PAINT] * 2)) == ["1", "2"]


def test_within_a_worker_no_further_process_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_process, "is_within_worker", lambda: True)
    monkeypatch.setattr(worker_process.WorkerProcess, "start", None)
    assert told(pdf([PAINT, "", PAINT])) == ["1", "2", "3"]


def test_a_script_without_a_guard_is_not_run_again(tmp_path: Path) -> None:
    (tmp_path / "book.pdf").write_bytes(pdf([PAINT]))
    script = tmp_path / "script.py"
    script.write_text("from sudoku_vision import read_photo\nprint(read_photo('book.pdf').status)\n")
    ran = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.stdout, ran.returncode) == ("no_grid\n", 0), ran.stderr


def test_a_file_is_read_as_far_as_its_pages_ask_for(tmp_path: Path) -> None:
    path = tmp_path / "book.pdf"
    path.write_bytes(pdf([PAINT] * 3))
    assert opened(path) == path
    assert page_count(path) == 3
    assert [one.page for one in iter_pages(path) if isinstance(one, Photo)] == [1, 2, 3]
