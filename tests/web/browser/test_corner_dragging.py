"""Where no grid is found, a person shows its corners: by dragging, and by the arrow keys."""

import pytest
from playwright.sync_api import expect

from browser.pictures import clues_of, sample
from browser.visits import SAMPLES, Visit
from sudoku_vision import solve_photo

pytestmark = pytest.mark.slow

SHEET = "clean_sheet.png"


@pytest.fixture
def corners() -> list[tuple[float, float]]:
    """Where the corners of the clean sheet's grid lie, in shares of the picture."""
    width, height = sample(SHEET).size
    lattice = solve_photo(SAMPLES / SHEET).grids[0].lattice
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


def test_corners_are_dragged(desktop: Visit, corners: list[tuple[float, float]]) -> None:
    desktop.read(SHEET)
    desktop.press("mark-corners")
    for number, corner in enumerate(corners, 1):
        drag(desktop, number, (1 - corner[0], corner[1]))
    expect(desktop.page.locator("#corner-layer")).to_have_class("improper")
    for number, corner in enumerate(corners, 1):
        drag(desktop, number, corner)
    with desktop.page.expect_request("**/api/solve?corners=*"):
        desktop.press("corners-read")
    desktop.expect_status("solved")
    desktop.expect_drawn(clues_of(SHEET).count("0"))
