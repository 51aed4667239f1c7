"""Going on with a puzzle: entries and notes in an own pen, what contradicts, what is wrong, the end."""

import re

from conftest import PUZZLE, SOLUTION
from playwright.sync_api import expect

from browser.pictures import clues_of
from browser.visits import Visit

CLEAN = "clean_sheet.png"
BLANKS = (0, 2)
"""The first blank cells of the clean sheet; a 4 stands between them."""
PEN = "#layer-ink use[stroke='#6a1bb0']"
"""Strokes of the person's own pen in the photo."""


def test_entries_and_notes_are_written_with_an_own_pen(phone: Visit) -> None:
    phone.read(CLEAN)
    one, other = BLANKS
    answer = phone.at(one).inner_text()
    phone.enter(one, answer)
    expect(phone.at(one)).to_have_accessible_name(re.compile(f", {answer}, written by you$"))
    expect(phone.find("#mode-solve")).to_have_attribute("aria-selected", "true")
    expect(phone.find(PEN)).to_have_count(1)
    phone.expect_drawn(1)  # the answers are put away
    phone.at(other).tap()
    phone.press("pad-note")
    for digit in (3, 1):
        phone.press(f"pad-{digit}")
    expect(phone.at(other)).to_have_accessible_name(re.compile("marks 1 3$"))
    expect(phone.find(PEN)).to_have_count(3)
    phone.press("pad-undo")
    expect(phone.at(other)).to_have_accessible_name(re.compile("marks 3$"))
    phone.press("pad-blank")
    expect(phone.at(other)).to_have_accessible_name(re.compile("empty$"))
    assert not [one for one in phone.requests if one.url.endswith("/settle")]


def test_a_clue_is_changed_only_where_that_is_said(phone: Visit) -> None:
    phone.read(CLEAN)
    clues = clues_of(CLEAN)
    clue = next(cell for cell, digit in enumerate(clues) if digit != "0")
    other = int(clues[clue]) % 9 + 1
    phone.at(clue).tap()
    expect(phone.find(f"#pad-{other}")).to_be_disabled()
    expect(phone.find("#pad-help")).to_contain_text("This is a clue")
    phone.page.keyboard.press(str(other))
    phone.expect_clues(clues)
    phone.press("pad-more", "pad-clue", f"pad-{other}")
    expect(phone.find("#cage-sum")).to_be_hidden()  # it is no killer
    expect(phone.at(clue)).to_have_accessible_name(re.compile(f", {other}, clue.*corrected by you"))


def test_what_contradicts_is_marked_and_said_at_once_by_the_page_itself(phone: Visit) -> None:
    phone.read(CLEAN)
    asked = len(phone.requests)
    phone.enter(0, 4)
    expect(phone.at(0)).to_have_class(re.compile("clashing"))
    assert phone.find("#board .clashing").count() >= 2
    expect(phone.find("#layer-multiply path")).to_have_count(1)
    for said in ("#status-text", "#pad-help"):
        expect(phone.find(said)).to_contain_text("The same digit stands twice: look at r1c1, r1c2")
    assert len(phone.requests) == asked
    phone.press("pad-blank")
    expect(phone.find("#board .clashing")).to_have_count(0)
    expect(phone.find("#pad-help")).to_be_empty()
    phone.at(0).focus()
    for key in ("End", *["ArrowLeft"] * 8):
        phone.page.keyboard.press(f"Shift+{key}")
    phone.page.keyboard.press("8")
    said = r"^The same digit stands twice: look at r1c1, r1c3, r1c4, r1c7,? and \d more\. "
    expect(phone.find("#status-text")).to_have_text(re.compile(said))


def test_all_notes_are_filled_in_and_go_where_an_entry_rules_them_out(phone: Visit) -> None:
    phone.read(CLEAN)
    phone.press("mode-solve", "solve-notes")
    expect(phone.find("#board [data-mark]").first).to_be_visible()
    one, other = BLANKS
    assert "8" in phone.marks(one) and "8" in phone.marks(other)
    phone.enter(one, 8)
    assert "8" not in phone.marks(other)
    phone.press("pad-undo")
    assert "8" in phone.marks(other)


def test_keys_are_those_that_people_know(desktop: Visit) -> None:
    desktop.read(CLEAN)
    key, cell = desktop.page.keyboard, BLANKS[0]
    desktop.at(cell).click()
    key.press("Shift+Digit4")
    key.press("n")
    key.press("7")
    assert desktop.marks(cell) == "47"
    key.press("n")
    key.press("2")
    expect(desktop.at(cell)).to_have_text("2")
    key.press("Shift+Digit7")
    expect(desktop.at(cell)).to_have_text("2")
    key.press("Delete")
    assert desktop.marks(cell) == "47"
    key.press("Delete")
    assert desktop.marks(cell) == ""
    for _ in range(3):
        key.press("Control+z")
    assert desktop.marks(cell) == "47"
    key.press("Escape")
    desktop.page.mouse.move(*desktop.place_in(desktop.at(cell)))
    desktop.page.mouse.down()
    expect(desktop.find("#pad-note")).to_have_attribute("aria-pressed", "true")
    desktop.page.mouse.up()
    key.press("?")
    expect(desktop.find("#keys-list")).to_contain_text("Z X C V")
    desktop.press("keys-close", "keys-open")
    expect(desktop.find("#keys")).to_be_visible()


def test_wrong_entries_are_told_at_once_to_who_asks_for_it(phone: Visit) -> None:
    phone.read(CLEAN)
    cell, wrong = BLANKS[0], 2
    assert phone.at(cell).inner_text() != str(wrong)
    phone.press("mode-solve")
    phone.enter(cell, wrong)
    expect(phone.find("#board .wrong")).to_have_count(0)
    phone.press("pad-close")
    phone.find("#solve-check").check()
    expect(phone.at(cell)).to_have_class(re.compile(r"\bwrong\b"))
    expect(phone.find("#status-text")).to_contain_text("Wrong: r1c1.")
    expect(phone.find("#layer-ink path")).to_have_count(1)
    assert phone.find("#board .answer").count() == 0


def test_entries_are_checked_and_hints_go_on_from_them(phone: Visit) -> None:
    phone.read(CLEAN)
    one, other = BLANKS
    right, answer = (int(phone.at(cell).inner_text()) for cell in (one, other))
    for cell, digit in ((one, right), (other, answer % 9 + 1)):
        phone.enter(cell, digit)
    phone.press("pad-close", "mode-check")
    expect(phone.find("#status-text")).to_contain_text("One digit is right. One is wrong.")
    expect(phone.at(other)).to_have_class(re.compile(r"\bwrong\b"))
    phone.press("mode-hint")
    expect(phone.find("#hint-caution")).to_be_visible()
    phone.press("mode-answers")
    expect(phone.at(other)).to_have_text(str(answer))
    expect(phone.at(one)).to_have_class(re.compile("entry"))
    phone.expect_drawn(clues_of(CLEAN).count("0"))


def test_hints_go_on_from_full_notes(phone: Visit) -> None:
    phone.read(CLEAN)
    phone.press("mode-solve", "solve-notes", "mode-hint")
    onward = phone.find("#hint-next")
    for _ in range(3):
        expect(onward).to_have_text("Show me what to look for")
        while onward.inner_text() != "Write it in, next hint":
            onward.tap()
        filled = phone.find("#board .entry").count()
        onward.tap()
        expect(phone.find("#board .entry")).to_have_count(filled + 1)
    drawn = phone.find("#layer-ink g[data-cell]")
    places = drawn.evaluate_all("(all) => all.map(({ dataset }) => `${dataset.cell} ${dataset.digit}`)")
    assert len(places) == len(set(places))  # no note below a digit of the hint
    expect(phone.find("#board .clashing")).to_have_count(0)
    (_, *asked) = [one.post_data_json or {} for one in phone.requests if one.url.endswith("/hint")]
    assert all(one["marks"] and len(one["notes"]) == 81 for one in asked)


def test_a_hint_goes_on_from_what_was_crossed_out(desktop: Visit) -> None:
    known = {46: "4", 65: "3", 68: "1", 5: "9"}
    desktop.paste("".join(known.get(cell, clue) for cell, clue in enumerate(PUZZLE)))
    page, title = desktop.page, desktop.find("#status-title")
    onward, left = desktop.find("#hint-next"), desktop.find("#hint-number")
    desktop.press("mode-hint", "hint-next")
    expect(title).to_have_text("Locked triple")
    expect(left).to_have_text("4 steps to the next digit")
    for words in ("Show me the step", "Cross it out, next step", "Show me what to look for"):
        expect(onward).to_have_text(words)
        onward.click()
    expect(title).to_have_text("Pointing candidates")
    desktop.at(80).click()
    page.keyboard.press(SOLUTION[80])
    expect(desktop.find("#board .entry")).to_have_count(1)
    expect(title).to_have_text("Pointing candidates")
    expect(left).to_have_text("3 steps to the next digit")
    for _ in range(2):
        page.keyboard.press("Control+z")
    expect(left).to_have_text("4 steps to the next digit")
    onward.click()
    expect(title).to_have_text("Locked triple")


def test_digits_that_are_used_up_are_greyed_and_the_end_is_said_once_and_framed(phone: Visit) -> None:
    first, last = PUZZLE.index("0"), PUZZLE.rindex("0")
    phone.paste("".join("0" if cell in (first, last) else digit for cell, digit in enumerate(SOLUTION)))
    phone.at(first).tap()
    for digit in "123456789":
        looks = "^(?!.*used-up)" if digit in (SOLUTION[first], SOLUTION[last]) else "used-up"
        expect(phone.find(f"#pad-{digit}")).to_have_class(re.compile(looks))
    for cell in (first, last):
        phone.enter(cell, SOLUTION[cell])
    expect(phone.find("#status-text")).to_have_text("Done. Every cell is filled, and every digit is right.")
    expect(phone.find("#layer-ink.finishing path")).to_have_count(1)
    expect(phone.find("#finish")).to_contain_text("Without a single hint.")
    phone.press("finish-close")
    expect(phone.at(last)).to_be_focused()


def test_a_hint_that_completes_the_puzzle_is_counted_at_the_end(phone: Visit) -> None:
    last = PUZZLE.index("0")
    phone.paste(SOLUTION[:last] + "0" + SOLUTION[last + 1 :])
    phone.press("mode-hint", "hint-next", "hint-next", "hint-next")
    expect(phone.find("#finish")).to_contain_text("With one hint.")
    assert "Time:" not in phone.find("#finish").inner_text()  # nothing was solved by hand
    phone.press("finish-close")
    expect(phone.find("#status-title")).to_be_focused()


def test_no_solution_says_where_and_whose_doing_it_is(phone: Visit) -> None:
    phone.read(CLEAN)
    phone.at(0).tap()
    phone.press("pad-more", "pad-clue", "pad-4")
    phone.expect_status("no_solution")
    expect(phone.at(0)).to_have_class(re.compile("clashing"))
    said = r"^The same digit stands twice: look at r\dc\d.*you corrected r1c1\. Undo takes that back\.$"
    expect(phone.find("#status-text")).to_have_text(re.compile(said))
    expect(phone.find("#layer-multiply path")).to_have_count(1)
    phone.paste("44" + PUZZLE[2:], "no_solution")  # on a clear page the clues may have rules of their own
    expect(phone.find("#status-text")).to_contain_text("If it is a jigsaw or has diagonals")
