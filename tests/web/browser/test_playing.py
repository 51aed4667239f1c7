"""What people expect who know other sudoku programs: light, counts, several cells, notes, the end."""

import math
import re

import pytest
from conftest import PUZZLE, SOLUTION
from playwright.sync_api import expect

from browser.test_solving import read_board
from browser.visits import OpenVisit, Visit

CLEAN = "clean_sheet.png"
CHOSEN = '#board [aria-selected="true"]'
COVERED = """(one) => {
  const [cell, pad] = [one, document.getElementById("pad")].map((element) => element.getBoundingClientRect());
  return cell.bottom > pad.top || cell.top < document.getElementById("bar").getBoundingClientRect().bottom;
}"""


def chosen(visit: Visit) -> list[int]:
    """Return the chosen cells of the board, in reading order."""
    cells: list[int] = visit.page.locator(CHOSEN).evaluate_all("(all) => all.map((one) => +one.dataset.cell)")
    return cells


def lit(visit: Visit, how: str) -> int:
    return visit.page.locator(f'#board [data-lit="{how}"]').count()


def test_the_chosen_cell_stays_in_sight_above_the_pad(phone: Visit) -> None:
    """Also where another mode moves the board, and on a small phone in the photo."""
    phone.read(CLEAN)
    page = phone.page
    for row, column in ((9, 9), (1, 1)):
        phone.cell(row, column).tap()
        for shown in (phone.cell(1, 1), phone.cell(9, 9)):  # there is room for the whole board
            assert not shown.evaluate(COVERED)
    phone.press("pad-7")
    assert not phone.cell(1, 1).evaluate(COVERED)
    height = page.evaluate("document.getElementById('pad').offsetHeight")
    assert height < 200
    phone.press("pad-close", "mode-hint")
    expect(page.locator("#hint-next")).to_be_visible()
    expect(page.locator("#status-title")).to_be_in_viewport(ratio=1)
    box = page.locator("#status-title").bounding_box()
    assert box is not None and box["y"] > 56  # below the bar
    page.set_viewport_size({"width": 320, "height": 568})
    page.evaluate("scrollTo(0, 0)")
    box = page.locator("#photo-frame").bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + 0.5 * box["width"], box["y"] + 0.9 * box["height"])
    assert chosen(phone)[0] > 71
    assert not page.locator("#cells .chosen").evaluate(COVERED)


def test_a_hint_is_not_covered_by_the_pad_on_a_phone_on_its_side(open_visit: OpenVisit) -> None:
    phone = open_visit("phone", viewport={"width": 844, "height": 390})
    phone.read(CLEAN)
    phone.cell(1, 1).tap()
    expect(phone.page.locator("#pad")).to_be_visible()
    phone.press("mode-hint")
    expect(phone.page.locator("#pad")).to_be_hidden()


def test_what_a_chosen_cell_sees_and_its_digit_are_lit(phone: Visit) -> None:
    phone.read(CLEAN)
    page = phone.page
    phone.press("mode-solve")
    phone.cell(1, 6).tap()  # a 5, one of four
    assert (lit(phone, "same"), lit(phone, "peer")) == (4, 20)
    expect(page.locator("#cells .same")).to_have_count(4)
    expect(page.locator("#pad-5 small")).to_have_text("5")
    phone.press("pad-close")
    assert (lit(phone, "same"), lit(phone, "peer")) == (0, 0)
    phone.press("solve-notes")
    phone.cell(1, 6).tap()
    own = page.locator('#board [data-mark="5"]').first
    assert own.evaluate("(one) => getComputedStyle(one).backgroundColor") != "rgba(0, 0, 0, 0)"


def test_digits_that_are_used_up_are_greyed(phone: Visit) -> None:
    blank = [PUZZLE.index("0"), PUZZLE.rindex("0")]
    read_board(phone, "".join("0" if cell in blank else digit for cell, digit in enumerate(SOLUTION)))
    page = phone.page
    phone.cell(blank[0] // 9 + 1, blank[0] % 9 + 1).tap()
    left = {SOLUTION[cell] for cell in blank}
    for digit in "123456789":
        looks = re.compile("^(?!.*used-up)" if digit in left else "used-up")
        expect(page.locator(f"#pad-{digit}")).to_have_class(looks)


def test_what_contradicts_is_said_in_the_pad(phone: Visit) -> None:
    phone.read(CLEAN)
    phone.press("mode-solve")
    phone.enter(0, 4)
    expect(phone.page.locator("#pad-help")).to_contain_text("The same digit stands twice: look at r1c1, r1c2")
    phone.press("pad-blank")
    expect(phone.page.locator("#pad-help")).to_be_empty()


def test_many_cells_are_not_all_listed(phone: Visit) -> None:
    phone.read(CLEAN)
    phone.press("mode-solve")
    phone.cell(1, 1).tap()
    phone.page.keyboard.press("Shift+End")
    for _ in range(8):
        phone.page.keyboard.press("Shift+ArrowLeft")
    phone.page.keyboard.press("8")
    expect(phone.page.locator("#status-text")).to_have_text(
        re.compile(r"^The same digit stands twice: look at r1c1, r1c3, r1c4, r1c7,? and \d more\. ")
    )


def test_several_cells_are_chosen_and_written_into_at_once(desktop: Visit) -> None:
    desktop.read(CLEAN)
    page, key = desktop.page, desktop.page.keyboard
    desktop.press("mode-solve")
    desktop.cell(9, 9).scroll_into_view_if_needed()
    boxes = [desktop.cell(1, column).bounding_box() for column in (3, 4)]
    (one, other) = [box for box in boxes if box]
    page.mouse.move(one["x"] + 9, one["y"] + 9)
    page.mouse.down()
    page.mouse.move(other["x"] + 9, other["y"] + 9, steps=6)
    page.mouse.up()
    assert chosen(desktop) == [2, 3]
    desktop.cell(3, 2).click(modifiers=["Control"], delay=600)  # a long click with a key begins no note
    desktop.cell(1, 3).click(modifiers=["Shift"])
    key.press("Shift+ArrowDown")
    assert chosen(desktop) == [3, 19, 28]
    expect(page.locator("#pad-title")).to_have_text("3 cells")
    key.press("Escape")
    desktop.cell(1, 3).click()
    desktop.cell(1, 4).click(modifiers=["Control"])
    for digit in "c27":
        key.press(digit)
    for cell in (desktop.cell(1, 3), desktop.cell(1, 4)):
        expect(cell).to_have_attribute("aria-label", re.compile("marks in the middle 2 7$"))
    key.press("x")
    key.press("8")
    key.press("v")
    key.press("3")
    expect(desktop.cell(1, 4)).to_have_attribute(
        "aria-label", re.compile("marks 8, marks in the middle 2 7, colour 3$")
    )
    expect(page.locator("#layer-multiply path")).to_have_count(1)
    key.press("z")
    key.press("8")
    expect(page.locator("#board .entry")).to_have_count(2)
    key.press("Control+z")
    expect(page.locator("#board .entry")).to_have_count(0)
    page.reload()
    expect(desktop.cell(1, 4)).to_have_attribute("aria-label", re.compile("colour 3$"))
    desktop.press("solve-again")
    expect(page.locator("#toast")).to_contain_text("Undo brings it back")
    expect(page.locator("#board .marks, #board .coloured")).to_have_count(0)
    desktop.press("undo")
    expect(page.locator("#board .coloured")).to_have_count(2)


def test_several_cells_are_chosen_in_the_photo(desktop: Visit) -> None:
    desktop.read(CLEAN)
    page = desktop.page
    desktop.cell(4, 2).click()
    desktop.cell(4, 5).click(modifiers=["Shift"])
    boxes = [page.locator(f'#cells [data-cell="{cell}"]').bounding_box() for cell in (28, 31)]
    desktop.page.keyboard.press("Escape")
    one, other = (box for box in boxes if box)
    page.mouse.move(one["x"] + 15, one["y"] + 15)
    page.mouse.down()
    page.mouse.move(other["x"] + 15, other["y"] + 15, steps=9)
    page.mouse.up()
    assert chosen(desktop) == [28, 29, 30, 31]


def swipe(visit: Visit, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Move a finger over the screen."""
    fingers = visit.context.new_cdp_session(visit.page)
    fingers.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at(start)]})
    for step in range(1, 11):
        x, y = (one + (other - one) * step / 10 for one, other in zip(start, end, strict=True))
        fingers.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [at((x, y))]})
        visit.page.wait_for_timeout(30)  # so slowly that the page doesn't go on scrolling at the end
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def at(point: tuple[float, float]) -> dict[str, float]:
    return {"x": point[0], "y": point[1]}


STILL = """() => new Promise((done) => {
    let last = -1;
    const look = () => (scrollY === last ? done(last) : ((last = scrollY), setTimeout(look, 150)));
    look();
})"""
"""Waits until the page has stopped scrolling, and returns how far it is scrolled."""


def test_a_finger_on_the_photo_scrolls_or_from_a_chosen_cell_chooses_more(phone: Visit) -> None:
    phone.read(CLEAN)
    page = phone.page
    box = page.locator("#photo-frame").bounding_box()
    assert box is not None
    x, y = box["x"] + 0.5 * box["width"], box["y"] + 0.6 * box["height"]
    swipe(phone, (x, y), (x, y - 100))
    page.wait_for_function("() => scrollY > 0")
    assert chosen(phone) == []
    page.evaluate(STILL)
    page.evaluate("scrollTo(0, 0)")
    page.touchscreen.tap(x, y)
    (cell,) = chosen(phone)
    before = page.evaluate(STILL)
    swipe(phone, (x, y), (x, y - 0.22 * box["height"]))
    expect(page.locator(CHOSEN)).to_have_count(3)
    assert chosen(phone) == [cell - 18, cell - 9, cell]
    assert page.evaluate(STILL) == before
    page.locator("#pad-close").tap()
    swipe(phone, (x, y), (x - 0.22 * box["width"], y))
    assert chosen(phone) == [cell - 2, cell - 1, cell]


def test_a_finger_on_the_board_scrolls_or_while_the_pad_is_open_chooses_cells(phone: Visit) -> None:
    phone.read(CLEAN)
    page = phone.page
    page.locator("#board").scroll_into_view_if_needed()
    page.evaluate(STILL)
    box = page.locator("#board").bounding_box()
    assert box is not None
    side = box["width"] / 9
    x, y = box["x"] + 4.5 * side, box["y"] + 1.5 * side
    page.touchscreen.tap(x, y)
    assert chosen(phone) == [13]
    before = page.evaluate(STILL)
    box = page.locator("#board").bounding_box()
    assert box is not None
    y = box["y"] + 1.5 * side
    swipe(phone, (x, y), (x, y + 2 * side))
    expect(page.locator(CHOSEN)).to_have_count(3)
    assert chosen(phone) == [13, 22, 31]
    assert page.evaluate(STILL) == before
    page.locator("#pad-close").tap()
    swipe(phone, (x, y + 2 * side), (x, y - 60))
    assert page.evaluate(STILL) != before and chosen(phone) == []


def test_the_shortcuts_are_listed(desktop: Visit) -> None:
    desktop.read(CLEAN)
    page = desktop.page
    page.keyboard.press("?")
    expect(page.locator("#keys-list")).to_contain_text("Z X C V")
    desktop.press("keys-close")
    desktop.press("mode-solve", "keys-open")
    expect(page.locator("#keys")).to_be_visible()


def test_a_hint_that_completes_the_puzzle_is_counted_at_the_end(phone: Visit) -> None:
    last = PUZZLE.index("0")
    read_board(phone, SOLUTION[:last] + "0" + SOLUTION[last + 1 :])
    phone.press("mode-hint", "hint-next", "hint-next", "hint-next")
    expect(phone.page.locator("#finish")).to_contain_text("With one hint.")
    assert not re.search("Time:", phone.page.locator("#finish").inner_text())  # nothing was solved by hand
    phone.press("finish-close")
    expect(phone.page.locator("#status-title")).to_be_focused()


def test_nothing_old_is_said_while_a_check_waits(phone: Visit) -> None:
    phone.read(CLEAN)
    page = phone.page
    page.route("**/api/check", lambda route: None)
    phone.press("mode-check")
    expect(page.locator("#status-title")).to_have_text("Check")
    expect(page.locator("#status-text")).to_have_text("Checking what is written")


def photo_box(visit: Visit) -> tuple[float, float, float]:
    """Return the left, the top and the width of the photo in its frame."""
    photo, frame = (visit.page.locator(name).bounding_box() for name in ("#photo", "#photo-frame"))
    assert photo is not None and frame is not None
    return photo["x"] - frame["x"], photo["y"] - frame["y"], photo["width"]


def moved(before: tuple[float, ...], after: tuple[float, ...]) -> list[float]:
    return [other - one for one, other in zip(before, after, strict=True)]


def test_two_fingers_enlarge_the_photo_and_one_drags_it(phone: Visit) -> None:
    phone.read("newspaper.jpg")
    page, fingers = phone.page, phone.context.new_cdp_session(phone.page)
    page.evaluate("scrollTo(0, 0)")
    box = page.locator("#photo-frame").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def touch(kind: str, *points: tuple[float, float]) -> None:
        fingers.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": [*map(at, points)]})

    left, top, width = photo_box(phone)
    touch("Start", (x - 30, y), (x + 30, y))
    for step in range(1, 11):
        touch("Move", (x - 30 - 3 * step, y), (x + 30 + 3 * step, y))
    touch("End")
    wide = photo_box(phone)
    assert wide[2] == pytest.approx(2 * width, rel=0.02)
    u, v = box["width"] / 2, box["height"] / 2  # this point between the fingers stays
    assert wide[:2] == pytest.approx((u - 2 * (u - left), v - 2 * (v - top)), abs=3)
    assert chosen(phone) == []
    swipe(phone, (x, y), (x - 60, y - 50))
    page.wait_for_timeout(200)
    right, down, grown = moved(wide, photo_box(phone))
    assert right < -30 and down < -25 and grown == 0
    assert page.evaluate("scrollY") == 0 and chosen(phone) == []
    page.touchscreen.tap(x, y)
    assert len(chosen(phone)) == 1
    phone.press("zoom-fit")
    assert photo_box(phone) == pytest.approx((left, top, width), abs=1)


def test_buttons_wheel_and_mouse_enlarge_the_photo_and_drag_it(desktop: Visit) -> None:
    desktop.read("newspaper.jpg")
    page = desktop.page
    box = page.locator("#photo-frame").bounding_box()
    assert box is not None
    x, y = box["x"] + 0.4 * box["width"], box["y"] + 0.4 * box["height"]
    left, top, width = photo_box(desktop)
    page.mouse.move(x, y)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -200 * math.log(2))
    page.keyboard.up("Control")
    page.wait_for_function(
        "(width) => document.getElementById('photo').getBoundingClientRect().width > 1.9 * width", arg=width
    )
    wide = photo_box(desktop)
    u, v = x - box["x"], y - box["y"]
    assert wide == pytest.approx((u - 2 * (u - left), v - 2 * (v - top), 2 * width), abs=3)
    page.mouse.down()
    page.mouse.move(x + 40, y + 30, steps=5)
    page.mouse.up()
    right, down, _ = moved(wide, photo_box(desktop))
    assert (right, down) == pytest.approx((40, 30), abs=10)
    assert chosen(desktop) == []
    desktop.press("zoom-in")
    assert photo_box(desktop)[2] == pytest.approx(3 * width, rel=0.02)
    desktop.press("zoom-fit")
    assert photo_box(desktop) == pytest.approx((left, top, width), abs=1)
