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
from browser.visits import SAMPLES, Visit

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
LIKENESS = (0.93, 1.0, 8.0)
"""The least share of the ink of both pictures that lies on the same pixels: half a pixel more or less of a
stroke's rim, where two programs smooth it differently, leaves 0.95 and more. The most mean levels by which
the pictures may differ: JPEG by itself brings 0.5 to 0.9. The most for the mean colour of the ink."""
IN_DOUBT, IN_DOUBT_JPEG = (0.85, 3.5, 8.0), (0.85, 3.5, 40.0)
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


def screen_of(visit: Visit, size: tuple[int, int]) -> Pixels:
    visit.page.set_viewport_size({"width": size[0], "height": size[1]})
    visit.page.evaluate(NATIVE, size)
    return pixels_of(visit.page.screenshot())


def expect_alike(
    ours: Pixels, theirs: Pixels, before: Pixels, likeness: tuple[float, float, float] = LIKENESS
) -> None:
    """See that two pictures drawn over the same photo bear the same ink in the same places."""
    assert ours.shape == theirs.shape == before.shape
    here, there = (np.abs(one - before).max(axis=2) > INKED for one in (ours, theirs))
    assert there.sum() > 1_000
    share, levels, colours = likeness
    assert (here & there).sum() / (here | there).sum() > share
    assert np.abs(ours - theirs).mean() < levels
    colour = [one[here & there].mean(axis=0) for one in (ours, theirs)]
    assert np.abs(colour[0] - colour[1]).max() < colours


@pytest.mark.parametrize("name", ["clean_sheet.png", *LATER])
def test_screens_show_what_solve_draws(name: str, desktop: Visit, run: Run, tmp_path: Path) -> None:
    before = pixels_of(SAMPLES / name)
    desktop.choose(name)
    desktop.press("mode-answers")  # where something is written, it opens with a check
    desktop.expect_status("solved")
    shot = screen_of(desktop, before.shape[1::-1])
    assert run("solve", SAMPLES / name, "-o", tmp_path / "drawn.png").status == 0
    expect_alike(shot, pixels_of(tmp_path / "drawn.png"), before)


@pytest.mark.slow
def test_a_grid_in_doubt_looks_as_solve_draws_it(desktop: Visit, run: Run, tmp_path: Path) -> None:
    """Hollow answers on their ground, full ones, signs, the frame and its word."""
    path = sheet_in_doubt(tmp_path)
    before = pixels_of(path)
    desktop.read(path, "uncertain")
    assert run("solve", path, "-o", tmp_path / "drawn.png").status == 1
    theirs = pixels_of(tmp_path / "drawn.png")
    expect(desktop.find("#layer-ink .tag")).to_have_text("please check")
    with desktop.page.expect_download() as download:
        desktop.press("save-picture")
    taken = pixels_of(Path(download.value.path()))
    expect_alike(screen_of(desktop, before.shape[1::-1]), theirs, before, IN_DOUBT)
    expect_alike(taken, theirs, before, IN_DOUBT_JPEG)
