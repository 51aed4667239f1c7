"""A walk through what the page can look like, one state after the other."""

from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import expect

from browser.pictures import sheet_in_doubt
from browser.visits import Visit


def walk(visit: Visit, folder: Path) -> Iterator[str]:
    """Bring the page into each of its states, and give the state's name each time."""
    page = visit.page
    yield "start"
    visit.press("settings-open")
    expect(page.locator("#settings")).to_be_visible()
    yield "settings"
    page.keyboard.press("Escape")
    visit.press("type-board")
    expect(page.locator("#typing")).to_be_visible()
    yield "typing"
    visit.press("home")
    yield from _reading(visit)
    yield from _problem(visit, folder)
    yield from _grid_in_doubt(visit, folder)
    yield from _modes(visit)
    yield "start with puzzles"
    visit.read("two_puzzles.jpg")
    yield "several puzzles"
    _start_again(visit)
    visit.read("no_sudoku_table.jpg", "no_grid")
    yield "no grid"
    visit.press("mark-corners")
    expect(page.locator("#corners-panel")).to_be_visible()
    yield "corners"


def _start_again(visit: Visit) -> None:
    visit.press("home")
    expect(visit.page.locator("#start")).to_be_visible()


def _reading(visit: Visit) -> Iterator[str]:
    page = visit.page
    page.route("**/api/solve?*", lambda route: None)
    visit.choose("clean_sheet.png")
    expect(page.locator("#reading")).to_be_visible()
    page.evaluate("document.getElementById('reading-sent').hidden = false")  # as while it is being sent
    yield "reading"
    visit.press("reading-cancel")
    expect(page.locator("#toast")).to_be_visible()
    yield "toast"
    page.unroute("**/api/solve?*")


def _problem(visit: Visit, folder: Path) -> Iterator[str]:
    visit.allow("Failed to load resource")
    path = folder / "letter.pdf"
    path.write_bytes(b"no picture")
    visit.choose(path)
    expect(visit.page.locator("#problem")).to_be_visible()
    yield "problem"
    visit.press("problem-close")


def _grid_in_doubt(visit: Visit, folder: Path) -> Iterator[str]:
    path = folder / "doubt.png"
    path.write_bytes(sheet_in_doubt())
    visit.read(path, "uncertain")
    yield "in doubt"
    visit.cell(6, 1).click()
    expect(visit.page.locator("#pad")).to_be_visible()
    yield "pad"
    visit.page.keyboard.press("p")
    visit.page.keyboard.press("8")
    yield "pad of the photo"
    visit.page.keyboard.press("Control+z")
    visit.press("pad-close")
    visit.page.locator("#doubt-list .choice").first.click()
    visit.expect_status("solved")
    yield "solved"
    _start_again(visit)


def _modes(visit: Visit) -> Iterator[str]:
    visit.read("handwriting.jpg", "")
    page = visit.page
    yield "check of what was written"
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed')); }")
    visit.press("copy-board")
    digits = page.locator("#board-digits")
    expect(digits).to_be_focused()
    assert page.evaluate("document.getSelection().toString()") == digits.input_value()
    expect(page.locator("#toast")).to_contain_text("didn't allow copying")
    yield "copying is not allowed"
    visit.press("mode-solve", "solve-notes")
    page.locator("#solve-check").check()
    yield "solving"
    visit.cell(1, 1).click()
    visit.press("pad-8")
    expect(page.locator("#board .entry.clashing.wrong")).to_be_visible()
    yield "contradiction"
    page.keyboard.press("n")
    yield "pad for notes"
    page.keyboard.press("Control+z")
    page.keyboard.press("Shift+ArrowDown")
    for key in "c15v4":
        page.keyboard.press(key)
    yield "several cells with notes and colours"
    visit.cell(2, 2).click()
    yield "what the chosen cell lights up"
    page.keyboard.press("?")
    yield "shortcuts"
    visit.press("keys-close", "pad-close", "mode-hint")
    for words in ("Show me what to look for", "Show me the step"):
        expect(page.locator("#hint-next")).to_have_text(words)
        visit.press("hint-next")
    expect(page.locator("#hint-text")).not_to_be_empty()
    yield "hint"
    visit.press("mode-check")
    expect(page.locator("#check-list li").first).to_be_visible()
    yield "check"
    visit.press("mode-steps")
    expect(page.locator("#step-text")).not_to_be_empty()
    visit.press("step-next")
    yield "steps"
    visit.press("rules-jigsaw")
    expect(page.locator("#pad-colour")).to_have_attribute("aria-pressed", "true")
    yield "regions"
    visit.press("pad-close", "rules-diagonal")
    expect(page.locator("#rules-name")).to_be_visible()
    yield "diagonal"
    _start_again(visit)
