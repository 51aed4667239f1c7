"""What was read is corrected: by tapping, by keys alone, by the buttons of a doubt; undone and redone."""

import json
import re
from pathlib import Path

import cv2
import pytest
from drawn_grids import draw_killer, with_covered_sum
from playwright.sync_api import expect

from browser.pictures import FOUR_OR_SEVEN, clues_of, sample, sheet_in_doubt
from browser.visits import SAMPLES, Visit
from sudoku_vision import solve_photo

CLEAN = "clean_sheet.png"


@pytest.fixture
def in_doubt(tmp_path: Path) -> Path:
    """A sheet of which one clue may be a 6 or a 5."""
    path = tmp_path / "doubt.png"
    path.write_bytes(sheet_in_doubt())
    return path


def middle_in_the_photo(visit: Visit, row: int, column: int) -> tuple[float, float]:
    """Return where a cell lies on the screen, by the ring about the chosen cell."""
    visit.cell(row, column).click()
    visit.page.evaluate("scrollTo(0, 0)")
    box = visit.page.locator("#cells .chosen").bounding_box()
    visit.press("pad-close")
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def focus(visit: Visit, expression: str = "one.id || one.getAttribute('role') || one.tagName") -> str:
    """Return the value of an *expression* about the element in focus, ``one``."""
    found: str = visit.page.evaluate(f"((one) => {expression})(document.activeElement)")
    return found


def test_a_cell_tapped_in_the_photo_is_corrected_by_the_pad(phone: Visit) -> None:
    phone.read(CLEAN)
    blank = phone.cell(1, 1)
    expect(blank).to_have_attribute("aria-label", re.compile(r"^Row 1, column 1, \d, answer$"))
    answer = int(blank.inner_text())
    page = phone.page
    page.evaluate("scrollTo(0, 0)")
    page.touchscreen.tap(*middle_in_the_photo(phone, 1, 1))
    expect(page.locator("#pad")).to_be_visible()
    expect(page.locator("#pad-title")).to_have_text("Row 1, column 1")
    phone.press("pad-more", "pad-clue", f"pad-{answer}")
    expect(blank).to_have_attribute("aria-label", f"Row 1, column 1, {answer}, clue, corrected by you")
    phone.expect_status("solved")
    phone.expect_drawn(clues_of(CLEAN).count("0") - 1)
    phone.press("pad-blank")
    expect(blank).to_have_attribute("aria-label", f"Row 1, column 1, {answer}, answer, corrected by you")
    phone.press("pad-close")
    expect(page.locator("#pad")).to_be_hidden()


@pytest.mark.slow
def test_the_keyboard_alone_corrects(desktop: Visit) -> None:
    desktop.read(CLEAN)
    page, key = desktop.page, desktop.page.keyboard
    for _ in range(40):  # tabs until the board, of which one cell is in the order of tabbing
        if focus(desktop) == "gridcell":
            break
        key.press("Tab")
    expect(desktop.cell(1, 1)).to_be_focused()
    for arrow in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowLeft"):
        key.press(arrow)
    expect(desktop.cell(3, 2)).to_be_focused()
    expect(page.locator("#pad")).to_be_visible()
    expect(page.locator("#pad-title")).to_have_text("Row 3, column 2")
    key.press("Control+Home")
    clue = clues_of(CLEAN)[1]
    key.press("p")
    key.press(clue)
    desktop.expect_status("no_solution")
    expect(desktop.cell(1, 1)).to_have_attribute("aria-label", re.compile(f"{clue}, clue.*corrected by you"))
    key.press("Delete")
    desktop.expect_status("solved")
    key.press("Control+z")
    desktop.expect_status("no_solution")
    key.press("Control+Shift+z")
    desktop.expect_status("solved")
    expect(desktop.cell(1, 1)).to_be_focused()
    key.press("Escape")
    expect(page.locator("#pad")).to_be_hidden()


def test_a_doubt_is_settled_by_its_buttons(in_doubt: Path, phone: Visit) -> None:
    cell, clue = FOUR_OR_SEVEN
    row, column = cell // 9 + 1, cell % 9 + 1
    phone.read(in_doubt, "uncertain")
    page = phone.page
    expect(phone.cell(row, column)).to_have_attribute(
        "aria-label", f"Row {row}, column {column}, {clue}, clue, in doubt"
    )
    hollow = page.locator("#layer-ink").inner_html()
    doubt = page.locator("#doubt-list li")
    expect(doubt).to_have_count(1)
    expect(doubt.locator("p")).to_have_text(f"r{row}c{column}: {clue} or 7?")
    doubt.get_by_role("button", name="4", exact=True).press("Enter")
    phone.expect_status("solved")
    expect(page.locator("#status-title")).to_be_focused()
    expect(page.locator("#doubts")).to_be_hidden()
    expect(phone.cell(row, column)).to_have_attribute(
        "aria-label", f"Row {row}, column {column}, {clue}, clue, corrected by you"
    )
    assert page.locator("#layer-ink").inner_html() != hollow
    expect(page.locator("#toast")).to_have_text(re.compile(f"Row {row}, column {column}.*4.*Solved", re.I))


def test_questions_end_with_their_puzzle_and_give_no_answer_away(phone: Visit) -> None:
    doubts = phone.page.locator("#doubts")
    phone.read("half_solved.jpg", "uncertain")
    expect(doubts).to_be_visible()
    phone.page.locator("#choose-file-input").set_input_files(SAMPLES / "no_sudoku_crossword.jpg")
    phone.expect_status("no_grid")
    expect(doubts).to_be_hidden()
    phone.press("home")
    phone.read("app_dark.png", "")  # two of its blank cells may have clues, which would change no answer
    expect(phone.cell(1, 5)).to_have_class(re.compile(r"\bmarks\b(?!.*doubtful)"))
    expect(doubts).to_be_hidden()


def test_a_sum_in_doubt_is_settled_by_its_button_or_in_the_pad(phone: Visit, tmp_path: Path) -> None:
    path, drawing = tmp_path / "killer.png", draw_killer("tinted")
    cv2.imwrite(str(path), with_covered_sum(drawing, 5))
    cage = drawing.grids[0].cages[5]
    row, column = cage.cells[0] // 9 + 1, cage.cells[0] % 9 + 1
    phone.read(path, "uncertain")
    page = phone.page
    expect(page.locator("#doubt-list p")).to_have_text(f"The cage of r{row}c{column}: sum {cage.sum}?")
    page.locator("#doubt-list .crop-button").click()
    expect(page.locator("#cage-sum")).to_have_value(str(cage.sum))
    expect(page.locator("#cage-sum")).to_be_visible()
    expect(page.locator("#pad-title")).to_have_text(f"{len(cage.cells)} cells")
    page.locator("#cage-sum").press("Enter")  # a correction: other sums may still be misread
    phone.expect_status("solved")
    expect(page.locator("#rules-name")).to_have_text("Killer")
    phone.press("undo")
    phone.expect_status("uncertain")
    page.locator("#doubt-list").get_by_role("button", name=f"sum {cage.sum}", exact=True).click()
    phone.expect_status("solved")
    expect(page.locator("#doubts")).to_be_hidden()
    for cell in cage.cells:
        phone.cell(cell // 9 + 1, cell % 9 + 1).click(modifiers=["Shift"] if cell != cage.cells[0] else None)
    page.locator("#cage-sum").fill("")
    with page.expect_request("**/api/settle") as request:
        phone.press("cage-draw")
    said = json.loads(request.value.post_data or "")
    assert "nocage=" in said["overrides"] and not said["rules"]  # the others may still be misread
    expect(page.locator("#board text")).to_have_count(len(drawing.grids[0].cages) - 1)


# Where no grid is found, a person shows its corners by dragging.


@pytest.fixture
def corners() -> list[tuple[float, float]]:
    """Where the corners of the clean sheet's grid lie, in shares of the picture."""
    width, height = sample(CLEAN).size
    lattice = solve_photo(SAMPLES / CLEAN).grids[0].lattice
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


@pytest.mark.slow
def test_corners_are_dragged(desktop: Visit, corners: list[tuple[float, float]]) -> None:
    desktop.read(CLEAN)
    desktop.press("mark-corners")
    for number, corner in enumerate(corners, 1):
        drag(desktop, number, (1 - corner[0], corner[1]))
    expect(desktop.page.locator("#corner-layer")).to_have_class("improper")
    for number, corner in enumerate(corners, 1):
        drag(desktop, number, corner)
    with desktop.page.expect_request("**/api/solve?corners=*"):
        desktop.press("corners-read")
    desktop.expect_status("solved")
    desktop.expect_drawn(clues_of(CLEAN).count("0"))
