"""Going on with a puzzle: entries and notes in an own pen, what contradicts, what is wrong, the end."""

import re

from conftest import PUZZLE, SOLUTION
from playwright.sync_api import Locator, expect

from browser.pictures import clues_of
from browser.visits import Visit

CLEAN = "clean_sheet.png"
PEN = "#layer-ink use[stroke='#6a1bb0']"
"""Strokes of the person's own pen in the photo."""


def blank_cells(name: str) -> list[int]:
    return [cell for cell, clue in enumerate(clues_of(name)) if clue == "0"]


def cell_at(visit: Visit, cell: int) -> Locator:
    return visit.cell(cell // 9 + 1, cell % 9 + 1)


def read_board(visit: Visit, board: str, status: str = "solved") -> None:
    """Have a board in text read, as when it is pasted."""
    visit.page.evaluate(
        """(text) => {
          const clipboardData = new DataTransfer();
          clipboardData.setData("text/plain", text);
          document.body.dispatchEvent(new ClipboardEvent("paste", { bubbles: true, clipboardData }));
        }""",
        board,
    )
    visit.expect_status(status)


def test_entries_and_notes_are_written_with_an_own_pen(phone: Visit) -> None:
    phone.read(CLEAN)
    page = phone.page
    one, other = blank_cells(CLEAN)[:2]
    answer = cell_at(phone, one).inner_text()
    phone.enter(one, answer)
    expect(cell_at(phone, one)).to_have_attribute("aria-label", re.compile(f", {answer}, written by you$"))
    expect(page.locator("#mode-solve")).to_have_attribute("aria-selected", "true")
    expect(page.locator(PEN)).to_have_count(1)
    phone.expect_drawn(1)  # the answers are put away
    cell_at(phone, other).tap()
    phone.press("pad-note")
    for digit in (3, 1):
        phone.press(f"pad-{digit}")
    expect(cell_at(phone, other)).to_have_attribute("aria-label", re.compile("marks 1 3$"))
    expect(page.locator(PEN)).to_have_count(3)
    phone.press("pad-undo")
    expect(cell_at(phone, other)).to_have_attribute("aria-label", re.compile("marks 3$"))
    phone.press("pad-blank")
    expect(cell_at(phone, other)).to_have_attribute("aria-label", re.compile("empty$"))
    assert not [one for one in phone.requests if one.url.endswith("/settle")]


def test_a_clue_is_changed_only_where_that_is_said(phone: Visit) -> None:
    phone.read(CLEAN)
    page = phone.page
    clues = clues_of(CLEAN)
    clue = next(cell for cell, digit in enumerate(clues) if digit != "0")
    other = int(clues[clue]) % 9 + 1
    cell_at(phone, clue).tap()
    expect(page.locator(f"#pad-{other}")).to_be_disabled()
    expect(page.locator("#pad-help")).to_contain_text("This is a clue")
    page.keyboard.press(str(other))
    phone.expect_clues(clues)
    phone.press("pad-more", "pad-clue", f"pad-{other}")
    expect(page.locator("#cage-sum")).to_be_hidden()  # it is no killer
    expect(cell_at(phone, clue)).to_have_attribute(
        "aria-label", re.compile(f", {other}, clue.*corrected by you")
    )


def test_what_contradicts_is_marked_at_once_by_the_page_itself(phone: Visit) -> None:
    phone.read(CLEAN)
    page = phone.page
    cell = blank_cells(CLEAN)[0]
    wrong = next(digit for digit in clues_of(CLEAN)[:9] if digit != "0")
    asked = len(phone.requests)
    phone.enter(cell, wrong)
    expect(cell_at(phone, cell)).to_have_class(re.compile("clashing"))
    assert page.locator("#board .clashing").count() >= 2
    expect(page.locator("#layer-multiply path")).to_have_count(1)
    expect(page.locator("#status-text")).to_contain_text("The same digit stands twice")
    assert len(phone.requests) == asked
    phone.press("pad-blank")
    expect(page.locator("#board .clashing")).to_have_count(0)


def test_all_notes_are_filled_in_and_go_where_an_entry_rules_them_out(phone: Visit) -> None:
    phone.read(CLEAN)
    page = phone.page
    phone.press("mode-solve", "solve-notes")
    expect(page.locator("#board [data-mark]").first).to_be_visible()
    cell = blank_cells(CLEAN)[0]
    row = [other for other in blank_cells(CLEAN)[1:] if other // 9 == cell // 9]
    digit = page.evaluate(
        "([one, others]) => [...one].find((digit) => others.some((other) => other.includes(digit)))",
        [notes(phone, cell), [notes(phone, other) for other in row]],
    )
    phone.enter(cell, digit)
    assert not [other for other in row if digit in notes(phone, other)]
    phone.press("pad-undo")
    assert [other for other in row if digit in notes(phone, other)]


def notes(visit: Visit, cell: int) -> str:
    """The digits noted in a cell of the board."""
    return "".join(
        one.get_attribute("data-mark") or "" for one in cell_at(visit, cell).locator("[data-mark]").all()
    )


def test_keys_are_those_that_people_know(desktop: Visit) -> None:
    desktop.read(CLEAN)
    page, key = desktop.page, desktop.page.keyboard
    cell = blank_cells(CLEAN)[0]
    cell_at(desktop, cell).click()
    key.press("Shift+Digit4")
    key.press("n")
    key.press("7")
    assert notes(desktop, cell) == "47"
    key.press("n")
    key.press("2")
    expect(cell_at(desktop, cell)).to_have_text("2")
    key.press("Shift+Digit7")
    expect(cell_at(desktop, cell)).to_have_text("2")
    key.press("Delete")
    assert notes(desktop, cell) == "47"
    key.press("Delete")
    assert notes(desktop, cell) == ""
    for _ in range(3):
        key.press("Control+z")
    assert notes(desktop, cell) == "47"
    key.press("Escape")
    box = cell_at(desktop, cell).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 9, box["y"] + 9)
    page.mouse.down()
    expect(page.locator("#pad-note")).to_have_attribute("aria-pressed", "true")
    page.mouse.up()


def test_wrong_entries_are_told_at_once_to_who_asks_for_it(phone: Visit) -> None:
    phone.read(CLEAN)
    page = phone.page
    cell = blank_cells(CLEAN)[0]
    answer = int(cell_at(phone, cell).inner_text())
    phone.press("mode-solve")
    cell_at(phone, cell).tap()
    taken = {clues_of(CLEAN)[other] for other in range(81)}
    wrong = next(digit for digit in range(1, 10) if digit != answer and str(digit) in taken)
    phone.press(f"pad-{wrong}")
    expect(page.locator("#board .wrong")).to_have_count(0)
    phone.press("pad-close")
    page.locator("#solve-check").check()
    expect(cell_at(phone, cell)).to_have_class(re.compile(r"\bwrong\b"))
    expect(page.locator("#status-text")).to_contain_text(f"Wrong: r{cell // 9 + 1}c{cell % 9 + 1}.")
    expect(page.locator("#layer-ink path")).to_have_count(1)
    assert page.locator("#board .answer").count() == 0


def test_entries_are_checked_and_hints_go_on_from_them(phone: Visit) -> None:
    phone.read(CLEAN)
    page = phone.page
    one, other = blank_cells(CLEAN)[:2]
    right, answer = (int(cell_at(phone, cell).inner_text()) for cell in (one, other))
    for cell, digit in ((one, right), (other, answer % 9 + 1)):
        phone.enter(cell, digit)
    phone.press("pad-close", "mode-check")
    expect(page.locator("#status-text")).to_contain_text("One digit is right. One is wrong.")
    expect(cell_at(phone, other)).to_have_class(re.compile(r"\bwrong\b"))
    phone.press("mode-hint")
    expect(page.locator("#hint-caution")).to_be_visible()
    phone.press("mode-answers")
    expect(cell_at(phone, other)).to_have_text(str(answer))
    expect(cell_at(phone, one)).to_have_class(re.compile("entry"))
    phone.expect_drawn(clues_of(CLEAN).count("0"))


def test_hints_go_on_from_full_notes(phone: Visit) -> None:
    phone.read(CLEAN)
    page = phone.page
    phone.press("mode-solve", "solve-notes", "mode-hint")
    onward = page.locator("#hint-next")
    for _ in range(3):
        expect(onward).to_have_text("Show me what to look for")
        while onward.inner_text() != "Write it in, next hint":
            onward.tap()
        filled = page.locator("#board .entry").count()
        onward.tap()
        expect(page.locator("#board .entry")).to_have_count(filled + 1)
    drawn = page.locator("#layer-ink g[data-cell]")
    places = drawn.evaluate_all("(all) => all.map(({ dataset }) => `${dataset.cell} ${dataset.digit}`)")
    assert len(places) == len(set(places))  # no note below a digit of the hint
    expect(page.locator("#board .clashing")).to_have_count(0)
    (_, *asked) = [one.post_data_json or {} for one in phone.requests if one.url.endswith("/hint")]
    assert all(one["marks"] and len(one["notes"]) == 81 for one in asked)


def test_a_hint_goes_on_from_what_was_crossed_out(desktop: Visit) -> None:
    known = {46: "4", 65: "3", 68: "1", 5: "9"}
    read_board(desktop, "".join(known.get(cell, clue) for cell, clue in enumerate(PUZZLE)))
    page, title = desktop.page, desktop.page.locator("#status-title")
    onward, left = page.locator("#hint-next"), page.locator("#hint-number")
    desktop.press("mode-hint", "hint-next")
    expect(title).to_have_text("Locked triple")
    expect(left).to_have_text("4 steps to the next digit")
    for words in ("Show me the step", "Cross it out, next step", "Show me what to look for"):
        expect(onward).to_have_text(words)
        onward.click()
    expect(title).to_have_text("Pointing candidates")
    cell_at(desktop, 80).click()
    page.keyboard.press(SOLUTION[80])
    expect(page.locator("#board .entry")).to_have_count(1)
    expect(title).to_have_text("Pointing candidates")
    expect(left).to_have_text("3 steps to the next digit")
    for _ in range(2):
        page.keyboard.press("Control+z")
    expect(left).to_have_text("4 steps to the next digit")
    onward.click()
    expect(title).to_have_text("Locked triple")


def test_a_long_touch_in_the_photo_begins_notes(phone: Visit) -> None:
    phone.read(CLEAN)
    page = phone.page
    phone.cell(1, 1).evaluate("(one) => one.click()")
    page.evaluate("scrollTo(0, 0)")
    box = page.locator("#cells .chosen").bounding_box()
    assert box is not None
    phone.press("pad-close")
    where = {"clientX": box["x"] + box["width"] / 2, "clientY": box["y"] + box["height"] / 2}
    touch = {**where, "pointerId": 7, "pointerType": "touch", "isPrimary": True, "bubbles": True}
    page.evaluate("scrollTo(0, 0)")
    page.locator("#photo-frame").dispatch_event("pointerdown", touch)
    expect(page.locator("#pad-title")).to_have_text("Row 1, column 1")
    expect(page.locator("#pad-note")).to_have_attribute("aria-pressed", "true")
    page.locator("#photo-frame").dispatch_event("pointerup", touch)
    expect(page.locator("#pad")).to_be_visible()


def test_the_end_is_said_once_and_framed(phone: Visit) -> None:
    last = PUZZLE.index("0")
    read_board(phone, SOLUTION[:last] + "0" + SOLUTION[last + 1 :])
    cell_at(phone, last).tap()
    phone.page.locator(f"#pad-{SOLUTION[last]}").tap()
    expect(phone.page.locator("#status-text")).to_have_text(
        "Done. Every cell is filled, and every digit is right."
    )
    expect(phone.page.locator("#layer-ink.finishing path")).to_have_count(1)
    expect(phone.page.locator("#finish")).to_contain_text("Without a single hint.")
    phone.press("finish-close")
    expect(cell_at(phone, last)).to_be_focused()


def test_no_solution_says_where_and_whose_doing_it_is(phone: Visit) -> None:
    phone.read(CLEAN)
    page = phone.page
    cell = blank_cells(CLEAN)[0]
    wrong = next(digit for digit in clues_of(CLEAN)[:9] if digit != "0")
    cell_at(phone, cell).tap()
    phone.press("pad-more", "pad-clue", f"pad-{wrong}")
    phone.expect_status("no_solution")
    expect(cell_at(phone, cell)).to_have_class(re.compile("clashing"))
    expect(page.locator("#status-text")).to_have_text(
        re.compile(
            r"^The same digit stands twice: look at r\dc\d.*you corrected r1c1\. Undo takes that back\.$"
        )
    )
    expect(page.locator("#layer-multiply path")).to_have_count(1)


def test_clues_that_clash_on_a_clear_page_may_have_rules_of_their_own(phone: Visit) -> None:
    board = list(PUZZLE)
    board[PUZZLE.index("0")] = next(digit for digit in PUZZLE if digit != "0")
    read_board(phone, "".join(board), "no_solution")
    expect(phone.page.locator("#status-text")).to_contain_text("If it is a jigsaw or has diagonals")
