"""Where no grid is found, a person shows its corners: by dragging, and by the arrow keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from browser.pictures import clues_of, packed, sample
from browser.visits import SAMPLES, Visit
from sudoku_vision import read_photo

pytestmark = pytest.mark.slow

SHEET = "clean_sheet.png"


@pytest.fixture
def corners() -> list[tuple[float, float]]:
    """Where the corners of the clean sheet's grid lie, in shares of the picture."""
    width, height = sample(SHEET).size
    lattice = read_photo(SAMPLES / SHEET).grids[0].lattice
    return [(float(x) / width, float(y) / height) for x, y in lattice.corners]


def drag(visit: Visit, number: int, to: tuple[float, float]) -> None:
    """Drag a corner with the mouse to a place in shares of the picture."""
    photo, handle = (visit.page.locator(one).bounding_box() for one in ("#photo", f"#corner-{number}"))
    assert photo is not None and handle is not None
    mouse = visit.page.mouse
    mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
    mouse.down()
    end = photo["x"] + to[0] * photo["width"], photo["y"] + to[1] * photo["height"]
    mouse.move(end[0] + 9, end[1] + 9)
    expect(visit.page.locator("#magnifier")).to_be_visible()
    mouse.move(*end)
    mouse.up()


def place_of(handle: Locator) -> tuple[float, float]:
    """Where a corner stands, in shares of the picture."""
    left, top = handle.evaluate("(one) => [one.style.left, one.style.top]")
    return float(left.rstrip("%")) / 100, float(top.rstrip("%")) / 100


def test_corners_are_dragged(desktop: Visit, corners: list[tuple[float, float]]) -> None:
    desktop.read(SHEET)
    desktop.page.locator("#mark-corners").click()
    for number, corner in enumerate(corners, 1):
        drag(desktop, number, (1 - corner[0], corner[1]))
    expect(desktop.page.locator("#corner-layer")).to_have_class("improper")
    for number, corner in enumerate(corners, 1):
        drag(desktop, number, corner)
    with desktop.page.expect_request("**/api/solve?corners=*"):
        desktop.page.locator("#corners-read").click()
    desktop.expect_status("solved")
    desktop.expect_drawn(clues_of(SHEET).count("0"))


def test_corners_are_moved_by_keys_where_none_is_found(
    desktop: Visit, corners: list[tuple[float, float]], tmp_path: Path
) -> None:
    """The lines are gone, so nothing is found; the digits are still there to be read within the corners."""
    path = tmp_path / "faint.png"
    path.write_bytes(without_lines())
    desktop.read(path, "no_grid")
    page = desktop.page
    page.locator("#mark-corners").click()
    for number, (x, y) in enumerate(corners, 1):
        handle = page.locator(f"#corner-{number}")
        handle.focus()
        for axis, (less, more) in enumerate([("ArrowLeft", "ArrowRight"), ("ArrowUp", "ArrowDown")]):
            for keys in ("Shift+", ""):
                step = 0.02 if keys else 0.0025
                for _ in range(60):
                    away = (x, y)[axis] - place_of(handle)[axis]
                    if abs(away) <= step / 2:
                        break
                    handle.press(keys + (more if away > 0 else less))
    page.keyboard.press("Tab")
    expect(page.locator("#corners-read")).to_be_visible()
    page.locator("#corners-read").press("Enter")
    expect(page.locator("#status")).not_to_have_attribute("data-status", "no_grid")
    expect(page.locator("#board .clue")).to_have_count(81 - clues_of(SHEET).count("0"))


def without_lines() -> bytes:
    """The clean sheet with nothing but its digits."""
    picture = sample(SHEET)
    white = sample(SHEET)
    white.paste("white", (0, 0, *white.size))
    lattice = read_photo(SAMPLES / SHEET).grids[0].lattice
    for cell in range(81):
        quad = lattice.cell(*divmod(cell, 9))
        (left, top), (right, bottom) = quad.min(axis=0), quad.max(axis=0)
        rim = 0.12 * (right - left)
        box = tuple(map(round, (left + rim, top + rim, right - rim, bottom - rim)))
        white.paste(picture.crop(box), box[:2])
    return packed(white, "PNG")
