"""What the page draws is what the command line draws: on the screen, in the picture taken away, on paper."""

import io
from pathlib import Path

import numpy as np
import pytest
from conftest import Run
from numpy.typing import NDArray
from PIL import Image as Pillow
from playwright.sync_api import expect

from browser.pictures import sheet_in_doubt
from browser.visits import SAMPLES, OpenVisit

Pixels = NDArray[np.float32]

NATIVE = """([width, height]) => {
  const layer = document.querySelector("#photo-layer");
  for (const { style } of document.body.children) style.display = "none"; // late answers need these
  document.body.append(layer);
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
COLOURS = 8.0
"""Levels by which the mean colour of the ink may differ."""

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
    page = visit.page
    visit.choose(name)
    visit.press("mode-answers")  # where something is written, it opens with a check
    visit.expect_status("solved")
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
        visit.press("save-picture")
    taken = pixels_of(Path(download.value.path()))
    visit.page.evaluate(NATIVE, [width, height])
    shot = pixels_of(visit.page.screenshot())
    expect_alike(shot, theirs, before, in_doubt=True)
    expect_alike(taken, theirs, before, COLOURS_IN_DOUBT, in_doubt=True)
