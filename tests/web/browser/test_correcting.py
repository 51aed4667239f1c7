"""What was read is corrected: by tapping, by keys alone, by the buttons of a doubt; undone and redone."""

import json
import re
from pathlib import Path

import cv2
import pytest
from drawn_grids import draw_killer, with_covered_sum
from playwright.sync_api import expect

from browser.pictures import clues_of, sample, sheet_in_doubt
from browser.visits import SAMPLES, Visit
from sudoku_vision import solve_photo

CLEAN = "clean_sheet.png"


def test_a_tap_in_the_photo_corrects_and_a_long_touch_begins_notes(phone: Visit) -> None:
    phone.read(CLEAN)
    blank = phone.cell(1, 1)
    expect(blank).to_have_accessible_name(re.compile(r"^Row 1, column 1, \d, answer$"))
    answer = int(blank.inner_text())
    blank.tap()
    phone.page.evaluate("scrollTo(0, 0)")
    x, y = phone.place_in(phone.find("#cells .chosen"))  # a ring in the photo
    phone.press("pad-close")
    phone.page.touchscreen.tap(x, y)
    expect(phone.find("#pad")).to_be_visible()
    expect(phone.find("#pad-title")).to_have_text("Row 1, column 1")
    phone.press("pad-more", "pad-clue", f"pad-{answer}")
    expect(blank).to_have_accessible_name(f"Row 1, column 1, {answer}, clue, corrected by you")
    phone.expect_status("solved")
    phone.expect_drawn(clues_of(CLEAN).count("0") - 1)
    phone.press("pad-blank")
    expect(blank).to_have_accessible_name(f"Row 1, column 1, {answer}, answer, corrected by you")
    phone.press("pad-close")
    expect(phone.find("#pad")).to_be_hidden()
    touch = {"clientX": x, "clientY": y, "pointerId": 7, "pointerType": "touch"}
    phone.page.evaluate("scrollTo(0, 0)")
    for event in ("pointerdown", "pointerup"):
        phone.find("#photo-frame").dispatch_event(event, {**touch, "isPrimary": True, "bubbles": True})
        expect(phone.find("#pad-title")).to_have_text("Row 1, column 1")
        expect(phone.find("#pad-note")).to_have_attribute("aria-pressed", "true")


@pytest.mark.slow
def test_the_keyboard_alone_corrects(desktop: Visit) -> None:
    desktop.read(CLEAN)
    key = desktop.page.keyboard
    for _ in range(40):  # tabs until the board, of which one cell is in the order of tabbing
        if desktop.page.evaluate("document.activeElement.getAttribute('role')") == "gridcell":
            break
        key.press("Tab")
    expect(desktop.cell(1, 1)).to_be_focused()
    for arrow in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowLeft"):
        key.press(arrow)
    expect(desktop.cell(3, 2)).to_be_focused()
    expect(desktop.find("#pad")).to_be_visible()
    expect(desktop.find("#pad-title")).to_have_text("Row 3, column 2")
    key.press("Control+Home")
    clue = clues_of(CLEAN)[1]
    key.press("p")
    key.press(clue)
    desktop.expect_status("no_solution")
    expect(desktop.cell(1, 1)).to_have_accessible_name(re.compile(f"{clue}, clue.*corrected by you"))
    key.press("Delete")
    desktop.expect_status("solved")
    key.press("Control+z")
    desktop.expect_status("no_solution")
    key.press("Control+Shift+z")
    desktop.expect_status("solved")
    expect(desktop.cell(1, 1)).to_be_focused()
    key.press("Escape")
    expect(desktop.find("#pad")).to_be_hidden()


def test_a_doubt_is_settled_by_its_buttons(phone: Visit, tmp_path: Path) -> None:
    phone.read(sheet_in_doubt(tmp_path), "uncertain")
    expect(phone.cell(6, 1)).to_have_accessible_name("Row 6, column 1, 4, clue, in doubt")
    hollow = phone.find("#layer-ink").inner_html()
    doubt = phone.find("#doubt-list li")
    expect(doubt).to_have_count(1)
    expect(doubt.locator("p")).to_have_text("r6c1: 4 or 7?")
    doubt.get_by_role("button", name="4", exact=True).press("Enter")
    phone.expect_status("solved")
    expect(phone.find("#status-title")).to_be_focused()
    expect(phone.find("#doubts")).to_be_hidden()
    expect(phone.cell(6, 1)).to_have_accessible_name("Row 6, column 1, 4, clue, corrected by you")
    assert phone.find("#layer-ink").inner_html() != hollow
    expect(phone.find("#toast")).to_have_text(re.compile("Row 6, column 1.*4.*Solved", re.I))


def test_questions_end_with_their_puzzle_and_give_no_answer_away(phone: Visit) -> None:
    doubts = phone.find("#doubts")
    phone.read("half_solved.jpg", "uncertain")
    expect(doubts).to_be_visible()
    phone.find("#choose-file-input").set_input_files(SAMPLES / "no_sudoku_table.jpg")
    phone.expect_status("no_grid")
    expect(doubts).to_be_hidden()
    phone.press("home")
    phone.read("app_dark.png", "")  # two of its blank cells may have clues, which would change no answer
    expect(phone.cell(1, 5)).to_have_class(re.compile(r"\bmarks\b(?!.*doubtful)"))
    expect(doubts).to_be_hidden()


@pytest.mark.slow
def test_a_sum_in_doubt_is_settled_by_its_button_or_in_the_pad(phone: Visit, tmp_path: Path) -> None:
    path, drawing = tmp_path / "killer.png", draw_killer("tinted")
    cv2.imwrite(str(path), with_covered_sum(drawing, 5))
    cage = drawing.grids[0].cages[5]
    row, column = cage.cells[0] // 9 + 1, cage.cells[0] % 9 + 1
    phone.read(path, "uncertain")
    expect(phone.find("#doubt-list p")).to_have_text(f"The cage of r{row}c{column}: sum {cage.sum}?")
    phone.find("#doubt-list .crop-button").click()
    expect(phone.find("#cage-sum")).to_have_value(str(cage.sum))
    expect(phone.find("#cage-sum")).to_be_visible()
    expect(phone.find("#pad-title")).to_have_text(f"{len(cage.cells)} cells")
    phone.find("#cage-sum").press("Enter")  # a correction: other sums may still be misread
    phone.expect_status("solved")
    expect(phone.find("#rules-name")).to_have_text("Killer")
    phone.press("undo")
    phone.expect_status("uncertain")
    phone.find("#doubt-list").get_by_role("button", name=f"sum {cage.sum}", exact=True).click()
    phone.expect_status("solved")
    expect(phone.find("#doubts")).to_be_hidden()
    phone.choose_cells(cage.cells)
    phone.find("#cage-sum").fill("")
    with phone.page.expect_request("**/api/settle") as request:
        phone.press("cage-draw")
    said = json.loads(request.value.post_data or "")
    assert "nocage=" in said["overrides"] and not said["rules"]  # the others may still be misread
    expect(phone.find("#board text")).to_have_count(len(drawing.grids[0].cages) - 1)


# Where no grid is found, a person shows its corners by dragging.


def drag(visit: Visit, number: int, across: float, down: float) -> None:
    """Drag a corner with the mouse to a place in shares of the picture."""
    mouse, (x, y) = visit.page.mouse, visit.place_in(visit.find("#photo"), across, down)
    mouse.move(*visit.place_in(visit.find(f"#corner-{number}")))
    mouse.down()
    mouse.move(x + 9, y + 9)
    expect(visit.find("#magnifier")).to_be_visible()
    mouse.move(x, y)
    mouse.up()


@pytest.mark.slow
def test_corners_are_dragged(desktop: Visit) -> None:
    lattice = solve_photo(SAMPLES / CLEAN).grids[0].lattice
    corners = [(float(x), float(y)) for x, y in lattice.corners / sample(CLEAN).size]
    desktop.read(CLEAN)
    desktop.press("mark-corners")
    for number, corner in enumerate(corners, 1):
        drag(desktop, number, 1 - corner[0], corner[1])
    expect(desktop.find("#corner-layer")).to_have_class("improper")
    for number, corner in enumerate(corners, 1):
        drag(desktop, number, *corner)
    with desktop.page.expect_request("**/api/solve?corners=*"):
        desktop.press("corners-read")
    desktop.expect_status("solved")
    desktop.expect_drawn(clues_of(CLEAN).count("0"))
