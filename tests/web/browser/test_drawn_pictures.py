"""What the page draws is what the command line draws: on the screen, in the picture taken away, on paper."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Run, board
from numpy.typing import NDArray
from PIL import Image as Pillow
from playwright.sync_api import expect

from browser.pictures import clues_of, sheet_in_doubt
from browser.visits import SAMPLES, OpenVisit, Visit
from sudoku_vision import solve

Pixels = NDArray[np.float32]

NATIVE = """([width, height]) => {
  const layer = document.querySelector("#photo-layer");
  document.body.replaceChildren(layer);
  layer.style.cssText = `position: fixed; inset: 0 auto auto 0; transform: none;
    width: ${width}px; height: ${height}px`;
}"""
"""Show nothing but the photo, a pixel of it as a pixel of the screen."""

INKED = 60.0
"""Levels by which a pixel must have changed to count as drawn on."""
AGREE = 0.93
"""Share of the ink of both pictures that lies on the same pixels; half a pixel more or less of a stroke's
rim, where two programs smooth it differently, leaves 0.95 and more."""
MEAN_LEVELS = 1.0
"""Mean levels by which the pictures may differ; JPEG by itself brings 0.5 to 0.9."""
COLOURS, COLOURS_IN_JPEG = 8.0, 25.0
"""Levels by which the mean colour of the ink may differ; browsers write JPEG with colours of half the
resolution, so that those of thin strokes mix with the paper."""

AGREE_IN_DOUBT, MEAN_LEVELS_IN_DOUBT, COLOURS_IN_DOUBT = 0.85, 3.5, 40.0
"""The same of hollow digits, which are nothing but rims, and of a word in a typeface of the browser's; JPEG
adds to it on a sheet of black on white, where the colour of rims is mixed with that of paper."""

LATER = [
    pytest.param(name, marks=pytest.mark.slow)
    for name in ("newspaper.jpg", "half_solved.jpg", "app_dark.png", "book.jpg")
]
"""Flat and in perspective, over pencil marks, on dark paper, on a bent page."""


def pixels_of(source: Path | bytes) -> Pixels:
    with Pillow.open(io.BytesIO(source) if isinstance(source, bytes) else source) as picture:
        return np.asarray(picture.convert("RGB"), np.float32)


def by_the_command_line(run: Run, name: str, folder: Path) -> Pixels:
    out = folder / "drawn.png"
    assert run("solve", SAMPLES / name, "-o", out).status == 0
    return pixels_of(out)


def expect_alike(
    ours: Pixels, theirs: Pixels, before: Pixels, colours: float = COLOURS, *, in_doubt: bool = False
) -> None:
    """See that two pictures drawn over the same photo bear the same ink in the same places."""
    assert ours.shape == theirs.shape == before.shape
    here, there = (np.abs(one - before).max(axis=2) > INKED for one in (ours, theirs))
    assert there.sum() > 1_000
    assert (here & there).sum() / (here | there).sum() > (AGREE_IN_DOUBT if in_doubt else AGREE)
    assert np.abs(ours - theirs).mean() < (MEAN_LEVELS_IN_DOUBT if in_doubt else MEAN_LEVELS)
    colour = [one[here & there].mean(axis=0) for one in (ours, theirs)]
    assert np.abs(colour[0] - colour[1]).max() < colours


@pytest.mark.parametrize("name", ["clean_sheet.png", *LATER])
def test_the_screen_shows_the_picture_of_the_command_line(
    name: str, open_visit: OpenVisit, run: Run, tmp_path: Path
) -> None:
    before = pixels_of(SAMPLES / name)
    height, width = before.shape[:2]
    visit = open_visit("desktop", viewport={"width": width, "height": height})
    visit.read(name)
    page = visit.page
    page.evaluate(NATIVE, [width, height])
    shot = pixels_of(page.screenshot())
    expect_alike(shot, by_the_command_line(run, name, tmp_path), before)


@pytest.mark.slow
def test_a_grid_in_doubt_looks_as_that_of_the_command_line(
    open_visit: OpenVisit, run: Run, tmp_path: Path
) -> None:
    """Hollow answers on their ground, full ones, signs, the frame and its word."""
    path = tmp_path / "doubt.png"
    path.write_bytes(sheet_in_doubt())
    before = pixels_of(path)
    height, width = before.shape[:2]
    visit = open_visit("desktop", viewport={"width": width, "height": height})
    visit.read(path, "uncertain")
    assert run("solve", path, "-o", tmp_path / "drawn.png").status == 1
    theirs = pixels_of(tmp_path / "drawn.png")
    expect(visit.page.locator("#layer-ink .tag")).to_have_text("please check")
    with visit.page.expect_download() as download:
        visit.page.locator("#save-picture").click()
    taken = pixels_of(Path(download.value.path()))
    visit.page.evaluate(NATIVE, [width, height])
    shot = pixels_of(visit.page.screenshot())
    expect_alike(shot, theirs, before, in_doubt=True)
    expect_alike(taken, theirs, before, COLOURS_IN_DOUBT, in_doubt=True)


@pytest.mark.parametrize("name", LATER[:2])
def test_the_picture_taken_away_is_that_of_the_command_line(
    name: str, phone: Visit, run: Run, tmp_path: Path
) -> None:
    phone.read(name)
    with phone.page.expect_download() as download:
        phone.page.locator("#save-picture").click()
    assert download.value.suggested_filename == "sudoku.jpg"
    taken = pixels_of(Path(download.value.path()))
    drawn = by_the_command_line(run, name, tmp_path)
    expect_alike(taken, drawn, pixels_of(SAMPLES / name), COLOURS_IN_JPEG)
    expect(phone.page.locator("#live")).to_have_text("The picture is saved.")


@pytest.mark.slow
def test_the_digits_drawn_are_the_true_ones(desktop: Visit) -> None:
    photo = (SAMPLES / "newspaper.jpg").read_bytes()
    answer = desktop.context.request.post(f"{desktop.origin}/api/solve", data=photo)
    shapes: list[dict[str, Any]] = answer.json()["view"]["grids"][0]["shapes"]
    desktop.read("newspaper.jpg")
    clues = clues_of("newspaper.jpg")
    solution = solve(board(clues)).solution
    assert solution is not None
    true = {cell: int(solution.flat[cell]) for cell in range(81) if clues[cell] == "0"}
    assert {one["cell"]: one["digit"] for one in shapes if one["shape"] == "digit"} == true
    told = "(all) => all.map((one) => [one.dataset.cell, one.textContent || one.dataset.digit].map(Number))"
    for selector in ("#board .answer", "#layer-ink g[data-cell]"):
        assert dict(desktop.page.locator(selector).evaluate_all(told)) == true


@pytest.mark.slow
def test_on_paper_stand_the_photo_and_sharp_answers_and_nothing_else(desktop: Visit) -> None:
    pdfium = pytest.importorskip("pypdfium2", reason="the extra formats is not installed")
    raw = pytest.importorskip("pypdfium2.raw")
    desktop.read("newspaper.jpg")
    desktop.page.emulate_media(media="print")
    for selector in ("#bar", "#panel", "#photo-tools"):
        expect(desktop.page.locator(selector)).to_be_hidden()
    document = pdfium.PdfDocument(desktop.page.pdf(format="A4", print_background=True))
    assert len(document) == 1
    kinds = [one.type for one in document[0].get_objects(max_depth=8)]
    assert kinds.count(raw.FPDF_PAGEOBJ_IMAGE) == 1
    assert kinds.count(raw.FPDF_PAGEOBJ_TEXT) == 0
    assert kinds.count(raw.FPDF_PAGEOBJ_PATH) >= clues_of("newspaper.jpg").count("0")


@pytest.mark.slow
def test_the_picture_is_handed_to_the_share_sheet_where_there_is_one(open_visit: OpenVisit) -> None:
    visit = open_visit("phone")
    visit.context.add_init_script("""
      navigator.canShare = () => true;
      navigator.share = async ({ files: [one] }) => { window.shared = [one.name, one.type, one.size]; };
    """)
    visit.page.reload()
    expect(visit.page.locator("body[data-ready=true]")).to_be_attached()
    visit.read("newspaper.jpg")
    visit.page.locator("#share-picture").tap()
    visit.page.wait_for_function("() => window.shared")
    name, kind, size = visit.page.evaluate("window.shared")
    assert (name, kind) == ("sudoku.jpg", "image/jpeg")
    assert size > 50_000


@pytest.mark.slow
def test_the_board_is_copied_as_text(open_visit: OpenVisit) -> None:
    visit = open_visit("desktop", permissions=["clipboard-read", "clipboard-write"])
    visit.read("newspaper.jpg")
    visit.page.locator("#copy-board").click()
    expect(visit.page.locator("#live")).to_have_text("Copied: 81 digits, 0 for blank.")
    assert visit.page.evaluate("navigator.clipboard.readText()") == clues_of("newspaper.jpg")


@pytest.mark.slow
def test_other_sites_are_led_to_and_never_asked(desktop: Visit) -> None:
    desktop.read("newspaper.jpg")
    desktop.page.locator("#sites summary").click()
    links = desktop.page.locator("#site-list a")
    expect(links.first).to_be_visible()
    clues = clues_of("newspaper.jpg")
    told: list[list[str]] = links.evaluate_all("(all) => all.map((one) => [one.href, one.rel, one.target])")
    assert json.dumps(told).count(clues) >= 3
    for address, relation, target in told:
        assert address.startswith("https://")
        assert "noopener" in relation and "noreferrer" in relation and target == "_blank"
