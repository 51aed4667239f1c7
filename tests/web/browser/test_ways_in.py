"""Ways into the page: chosen, photographed, pasted, dropped or typed; documents and several puzzles."""

import base64
import re
from pathlib import Path

import pytest
from conftest import PUZZLE
from playwright.sync_api import Route, expect
from serving import until

from browser.pictures import clues_of, document
from browser.visits import SAMPLES, OpenVisit, Visit

TRANSFER = """({ events, file, text }) => {
  const transfer = new DataTransfer();
  if (file) {
    const bytes = Uint8Array.from(atob(file), (one) => one.charCodeAt(0));
    transfer.items.add(new File([bytes], "picture.jpg", { type: "image/jpeg" }));
  } else transfer.setData("text/plain", text);
  for (const name of events) {
    const what = { bubbles: true, cancelable: true };
    document.body.dispatchEvent(name === "paste"
      ? new ClipboardEvent(name, { ...what, clipboardData: transfer })
      : new DragEvent(name, { ...what, dataTransfer: transfer }));
  }
}"""
"""What a browser does when something is pasted or dropped."""

DROP = ("dragenter", "dragover", "drop")


def transfer(visit: Visit, *events: str, file: Path | None = None, text: str = "") -> None:
    data = base64.b64encode(file.read_bytes()).decode() if file else ""
    visit.page.evaluate(TRANSFER, {"events": events, "file": data, "text": text})


def test_a_tap_before_the_page_is_ready_counts_and_nothing_moves(phone: Visit) -> None:
    page, held = phone.page, list[Route]()
    phone.read("clean_sheet.png")
    page.route("**/texts/en.json", lambda route: held.append(route))
    page.goto(f"{phone.origin}/")
    expect(page.locator("body[data-ready]")).to_have_count(0)
    expect(page.locator("h1").first).to_have_text("Photograph a sudoku.")
    before = page.locator("#take-photo").bounding_box()
    phone.press("type-board")
    until(lambda: bool(held))
    held[0].continue_()
    expect(page.locator("#typing")).to_be_visible()
    phone.press("home")
    assert page.locator("#take-photo").bounding_box() == before
    with page.expect_file_chooser():
        phone.press("take-photo")


def test_who_has_no_puzzle_takes_the_example(phone: Visit) -> None:
    phone.press("example")
    phone.expect_status("solved")


def test_a_chosen_photo_is_solved(phone: Visit) -> None:
    phone.read("newspaper.jpg")
    phone.expect_clues(clues_of("newspaper.jpg"))
    phone.expect_drawn(clues_of("newspaper.jpg").count("0"))
    expect(phone.page.locator("#status-text")).to_have_text("51 answers are drawn in.")
    expect(phone.page.locator("#rating")).to_have_text("Difficulty: medium")
    assert "Solved" in phone.page.locator("#live").inner_text()


@pytest.mark.slow
def test_a_picture_is_pasted(desktop: Visit) -> None:
    transfer(desktop, "paste", file=SAMPLES / "newspaper.jpg")
    desktop.expect_status("solved")


@pytest.mark.slow
def test_a_picture_is_dropped_where_it_is_said(desktop: Visit) -> None:
    veil = desktop.page.locator("#drop-veil")
    transfer(desktop, *DROP[:2], file=SAMPLES / "newspaper.jpg")
    expect(veil).to_be_visible()
    expect(veil).to_have_text("Drop it here")
    transfer(desktop, *DROP[1:], file=SAMPLES / "newspaper.jpg")
    expect(veil).to_be_hidden()
    desktop.expect_status("solved")


def test_a_board_in_a_file_of_text_is_a_board(desktop: Visit, tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_text("\n".join(PUZZLE[row : row + 9] for row in range(0, 81, 9)))
    desktop.page.locator("#choose-file-input").set_input_files(file)
    desktop.expect_status("solved")
    desktop.expect_clues(PUZZLE)
    transfer(desktop, *DROP, file=file)  # as a picture, whatever it is called
    desktop.expect_status("solved")


def test_a_puzzle_is_typed(desktop: Visit) -> None:
    page = desktop.page
    desktop.read("clean_sheet.png")
    desktop.press("mode-solve")
    desktop.cell(1, 1).click()
    page.keyboard.press("n")  # the next puzzle begins with digits all the same
    desktop.press("home")
    desktop.press("type-board")
    expect(page.locator("#typing")).to_be_visible()
    expect(page.locator("#modes")).to_be_hidden()  # there is nothing to look for yet
    desktop.press("typing-solve")
    expect(page.locator("#toast")).to_contain_text("Write the clues first")
    desktop.cell(1, 1).click()
    expect(page.locator("#solve-notes")).to_be_hidden()  # no tool of solving stands above the board
    page.keyboard.type("42 3")
    expect(page.locator("#board .entry")).to_have_text(["4", "2", "3"])
    for _ in range(4):
        page.keyboard.press("Backspace")  # over the 3, the blank and the 2
    expect(desktop.cell(1, 1)).to_be_focused()
    page.keyboard.type(PUZZLE.replace("0", " "))
    page.keyboard.press("Enter")
    desktop.expect_status("solved")
    desktop.expect_clues(PUZZLE)
    for words_of_photos in ("mark-corners", "pad-crop", "pad-written"):
        expect(page.locator(f"#{words_of_photos}")).to_be_hidden()
    drawn = page.locator("#photo").get_attribute("src") or ""
    desktop.press("rules-diagonal")
    expect(page.locator("#rules-name")).to_be_visible()
    expect(page.locator("#photo")).not_to_have_attribute("src", drawn)  # the large board shows its rules, too


def test_a_text_is_typed_and_stays_until_it_is_read(phone: Visit) -> None:
    page, field = phone.page, phone.page.locator("#typing-text")
    phone.allow("Failed to load resource")
    phone.press("type-board")
    field.fill(PUZZLE[:-1])
    field.press("Enter")
    expect(page.locator("#problem")).to_be_visible()
    expect(field).to_have_value(PUZZLE[:-1])
    field.fill(PUZZLE)
    field.press("Enter")
    phone.expect_status("solved")
    phone.press("home", "type-board")
    expect(field).to_be_empty()
    phone.enter(0, 4)
    phone.press("pad-more", "pad-clue", "pad-5")
    expect(phone.cell(1, 2)).to_have_class(re.compile(r"\bclue\b"))
    phone.press("typing-solve")  # typing goes on until then
    phone.expect_status("many_solutions")
    phone.expect_clues("45" + "0" * 79)


LONGER = """() => {
  const { parse } = JSON;
  JSON.parse = (text) =>
    text.includes('"next_page":') ? Object.assign(parse(text), { next_page: 3 }) : parse(text);
}"""
"""Has the page hear of documents that a page of them was left out."""


@pytest.mark.slow
def test_the_pages_of_a_document_are_turned(desktop: Visit, tmp_path: Path) -> None:
    names = ("newspaper.jpg", "clean_sheet.png")
    desktop.page.evaluate(LONGER)
    desktop.read(document(tmp_path / "pages.pdf", *names))
    expect(desktop.page.locator("#pages-left")).to_contain_text("Read up to page 2")
    strip = desktop.page.locator("#pages button")
    expect(strip).to_have_text(["Page 1", "Page 2"])
    desktop.expect_clues(clues_of(names[0]))
    strip.nth(1).click()
    desktop.expect_clues(clues_of(names[1]))
    expect(strip.nth(1)).to_have_attribute("aria-pressed", "true")
    desktop.expect_drawn(clues_of(names[1]).count("0"))


@pytest.mark.slow
def test_of_several_puzzles_one_is_chosen_in_the_photo(open_visit: OpenVisit) -> None:
    phone = open_visit("phone", reduced_motion="no-preference")
    phone.read("two_puzzles.jpg")
    both = [clues_of("two_puzzles.jpg", number) for number in (0, 1)]
    delays = phone.page.locator("#layer-ink g[data-cell]").evaluate_all(
        "(all) => all.map((one) => parseInt(one.style.animationDelay))"
    )
    first = both[0].count("0")
    assert delays[:first] == sorted(delays)[:first] and max(delays) < 1600  # the chosen one is written first
    phone.expect_clues(both[0])
    phone.expect_drawn("".join(both).count("0"))
    expect(phone.page.locator("#grids button")).to_have_count(2)
    other = phone.page.locator("#outlines polygon:not(.current)")
    box = other.bounding_box()
    assert box is not None
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    phone.page.touchscreen.tap(*middle)
    expect(phone.page.locator('#grids button[aria-pressed="true"]')).not_to_have_text(re.compile("1"))
    phone.expect_clues(both[1])
