"""Ways into the page: chosen, photographed, pasted, dropped or typed; documents and several puzzles."""

import re
from pathlib import Path

import pytest
from conftest import PUZZLE
from playwright.sync_api import Route, expect
from serving import until

from browser.pictures import clues_of, sample
from browser.visits import SAMPLES, OpenVisit, Visit

DROP = ("dragenter", "dragover", "drop")


def test_a_tap_before_the_page_is_ready_counts_and_nothing_moves(phone: Visit) -> None:
    page, held = phone.page, list[Route]()
    phone.read("clean_sheet.png")
    page.route("**/texts/en.json", lambda route: held.append(route))
    page.goto(f"{phone.origin}/")
    expect(phone.find("body[data-ready]")).to_have_count(0)
    expect(phone.find("h1").first).to_have_text("Photograph a sudoku.")
    before = phone.find("#take-photo").bounding_box()
    phone.press("type-board")
    until(lambda: bool(held))
    held[0].continue_()
    expect(phone.find("#typing")).to_be_visible()
    phone.press("home")
    assert phone.find("#take-photo").bounding_box() == before
    with page.expect_file_chooser():
        phone.press("take-photo")


def test_the_example_and_a_chosen_photo_are_solved(phone: Visit) -> None:
    phone.press("example")
    phone.expect_status("solved")
    phone.press("home")
    phone.read("newspaper.jpg")
    phone.expect_clues(clues_of("newspaper.jpg"))
    phone.expect_drawn(clues_of("newspaper.jpg").count("0"))
    expect(phone.find("#status-text")).to_have_text("51 answers are drawn in.")
    expect(phone.find("#rating")).to_have_text("Difficulty: medium")
    assert "Solved" in phone.find("#live").inner_text()


@pytest.mark.slow
def test_a_picture_is_pasted_or_dropped_where_it_is_said(desktop: Visit) -> None:
    desktop.transfer("paste", file=SAMPLES / "newspaper.jpg")
    desktop.expect_status("solved")
    desktop.press("home")
    veil = desktop.find("#drop-veil")
    desktop.transfer(*DROP[:2], file=SAMPLES / "two_puzzles.jpg")
    expect(veil).to_be_visible()
    expect(veil).to_have_text("Drop it here")
    desktop.transfer(*DROP[1:], file=SAMPLES / "two_puzzles.jpg")
    expect(veil).to_be_hidden()
    expect(desktop.find("#grids button")).to_have_count(2)


def test_a_board_in_a_file_of_text_is_a_board(desktop: Visit, tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_text("\n".join(PUZZLE[row : row + 9] for row in range(0, 81, 9)))
    desktop.find("#choose-file-input").set_input_files(file)
    desktop.expect_status("solved")
    desktop.expect_clues(PUZZLE)
    desktop.transfer(*DROP, file=file)  # as a picture, whatever it is called
    desktop.expect_status("solved")


def test_a_puzzle_is_typed(desktop: Visit) -> None:
    page = desktop.page
    desktop.read("clean_sheet.png")
    desktop.press("mode-solve")
    desktop.cell(1, 1).click()
    page.keyboard.press("n")  # the next puzzle begins with digits all the same
    desktop.press("home")
    desktop.press("type-board")
    expect(desktop.find("#typing")).to_be_visible()
    expect(desktop.find("#modes")).to_be_hidden()  # there is nothing to look for yet
    desktop.press("typing-solve")
    expect(desktop.find("#toast")).to_contain_text("Write the clues first")
    desktop.cell(1, 1).click()
    expect(desktop.find("#solve-notes")).to_be_hidden()  # no tool of solving stands above the board
    page.keyboard.type("42 3")
    expect(desktop.find("#board .entry")).to_have_text(["4", "2", "3"])
    for _ in range(4):
        page.keyboard.press("Backspace")  # over the 3, the blank and the 2
    expect(desktop.cell(1, 1)).to_be_focused()
    page.keyboard.type(PUZZLE.replace("0", " "))
    page.keyboard.press("Enter")
    desktop.expect_status("solved")
    desktop.expect_clues(PUZZLE)
    for words_of_photos in ("mark-corners", "pad-crop", "pad-written"):
        expect(desktop.find(f"#{words_of_photos}")).to_be_hidden()
    drawn = desktop.find("#photo").get_attribute("src") or ""
    desktop.press("rules-diagonal")
    expect(desktop.find("#rules-name")).to_be_visible()
    expect(desktop.find("#photo")).not_to_have_attribute("src", drawn)  # the large board shows its rules, too


def test_a_text_is_typed_and_stays_until_it_is_read(phone: Visit) -> None:
    field = phone.find("#typing-text")
    phone.allow("Failed to load resource")
    phone.press("type-board")
    field.fill(PUZZLE[:-1])
    field.press("Enter")
    expect(phone.find("#problem")).to_be_visible()
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
    path, names = tmp_path / "pages.pdf", ("newspaper.jpg", "clean_sheet.png")
    first, second = map(sample, names)
    first.save(path, "PDF", save_all=True, append_images=[second])
    desktop.page.evaluate(LONGER)
    desktop.read(path)
    expect(desktop.find("#pages-left")).to_contain_text("Read up to page 2")
    strip = desktop.find("#pages button")
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
    delay = "(all) => all.map((one) => parseInt(one.style.animationDelay))"
    delays = phone.find("#layer-ink g[data-cell]").evaluate_all(delay)
    first = both[0].count("0")
    assert delays[:first] == sorted(delays)[:first] and max(delays) < 1600  # the chosen one is written first
    phone.expect_clues(both[0])
    phone.expect_drawn("".join(both).count("0"))
    expect(phone.find("#grids button")).to_have_count(2)
    other = phone.find("#outlines polygon:not(.current)")
    phone.page.touchscreen.tap(*phone.place_in(other))
    expect(phone.find('#grids button[aria-pressed="true"]')).not_to_have_text(re.compile("1"))
    phone.expect_clues(both[1])
