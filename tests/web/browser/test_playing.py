"""What people expect who know other sudoku programs: light, counts, several cells, notes, the end."""

import math
import re

import pytest
from playwright.sync_api import expect

from browser.visits import Visit

Point = tuple[float, float]

CLEAN = "clean_sheet.png"
CHOSEN = '#board [aria-selected="true"]'
COVERED = """(one) => {
  const [cell, pad] = [one, document.getElementById("pad")].map((element) => element.getBoundingClientRect());
  return cell.bottom > pad.top || cell.top < document.getElementById("bar").getBoundingClientRect().bottom;
}"""


def chosen(visit: Visit) -> list[int]:
    """Return the chosen cells of the board, in reading order."""
    cells: list[int] = visit.find(CHOSEN).evaluate_all("(all) => all.map((one) => +one.dataset.cell)")
    return cells


def lit(visit: Visit, how: str) -> int:
    return visit.find(f'#board [data-lit="{how}"]').count()


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
    expect(phone.find("#hint-next")).to_be_visible()
    expect(phone.find("#status-title")).to_be_in_viewport(ratio=1)
    assert phone.place_in(phone.find("#status-title"), down=0)[1] > 56  # below the bar
    page.set_viewport_size({"width": 320, "height": 568})
    page.evaluate("scrollTo(0, 0)")
    page.touchscreen.tap(*phone.place_in(phone.find("#photo-frame"), down=0.9))
    assert chosen(phone)[0] > 71
    assert not phone.find("#cells .chosen").evaluate(COVERED)
    page.set_viewport_size({"width": 844, "height": 390})  # on its side, where the pad would cover a hint
    expect(phone.find("#pad")).to_be_visible()
    phone.press("mode-solve", "mode-hint")
    expect(phone.find("#pad")).to_be_hidden()


def test_what_a_chosen_cell_sees_and_its_digit_are_lit(phone: Visit) -> None:
    phone.read(CLEAN)
    phone.press("mode-solve")
    phone.cell(1, 6).tap()  # a 5, one of four
    assert (lit(phone, "same"), lit(phone, "peer")) == (4, 20)
    expect(phone.find("#cells .same")).to_have_count(4)
    expect(phone.find("#pad-5 small")).to_have_text("5")
    phone.press("pad-close")
    assert (lit(phone, "same"), lit(phone, "peer")) == (0, 0)
    phone.press("solve-notes")
    phone.cell(1, 6).tap()
    own = phone.find('#board [data-mark="5"]').first
    assert own.evaluate("(one) => getComputedStyle(one).backgroundColor") != "rgba(0, 0, 0, 0)"


def test_several_cells_are_chosen_and_written_into_at_once(desktop: Visit) -> None:
    desktop.read(CLEAN)
    key = desktop.page.keyboard
    desktop.press("mode-solve")
    desktop.cell(9, 9).scroll_into_view_if_needed()
    desktop.drag(*(desktop.place_in(desktop.at(cell)) for cell in (2, 3)))
    assert chosen(desktop) == [2, 3]
    desktop.cell(3, 2).click(modifiers=["Control"], delay=600)  # a long click with a key begins no note
    desktop.cell(1, 3).click(modifiers=["Shift"])
    key.press("Shift+ArrowDown")
    assert chosen(desktop) == [3, 19, 28]
    expect(desktop.find("#pad-title")).to_have_text("3 cells")
    key.press("Escape")
    desktop.choose_cells((28, 31))
    in_the_photo = [desktop.place_in(desktop.find(f'#cells [data-cell="{cell}"]')) for cell in (28, 31)]
    key.press("Escape")
    desktop.drag(*in_the_photo)
    assert chosen(desktop) == [28, 29, 30, 31]
    key.press("Escape")
    desktop.cell(1, 3).click()
    desktop.cell(1, 4).click(modifiers=["Control"])
    key.type("c27")
    for cell in (desktop.cell(1, 3), desktop.cell(1, 4)):
        expect(cell).to_have_accessible_name(re.compile("marks in the middle 2 7$"))
    key.type("x8v3")
    expect(desktop.at(3)).to_have_accessible_name(re.compile("marks 8, marks in the middle 2 7, colour 3$"))
    expect(desktop.find("#layer-multiply path")).to_have_count(1)
    key.type("z8")
    expect(desktop.find("#board .entry")).to_have_count(2)
    key.press("Control+z")
    expect(desktop.find("#board .entry")).to_have_count(0)
    desktop.page.reload()
    expect(desktop.cell(1, 4)).to_have_accessible_name(re.compile("colour 3$"))
    desktop.press("solve-again")
    expect(desktop.find("#toast")).to_contain_text("Undo brings it back")
    expect(desktop.find("#board .marks, #board .coloured")).to_have_count(0)
    desktop.press("undo")
    expect(desktop.find("#board .coloured")).to_have_count(2)


def touch(visit: Visit, *paths: tuple[Point, Point]) -> None:
    """Move fingers over the screen, so slowly that the page doesn't go on scrolling at the end."""
    fingers = visit.context.new_cdp_session(visit.page)
    for kind, share in (("Start", 0.0), *(("Move", step / 10) for step in range(1, 11)), ("End", 1.0)):
        points = [{"x": x + share * (u - x), "y": y + share * (v - y)} for (x, y), (u, v) in paths]
        touched = {"type": f"touch{kind}", "touchPoints": points if kind != "End" else []}
        fingers.send("Input.dispatchTouchEvent", touched)
        visit.page.wait_for_timeout(30)


STILL = """() => new Promise((done) => {
    let last = -1;
    const look = () => (scrollY === last ? done(last) : ((last = scrollY), setTimeout(look, 150)));
    look();
})"""
"""Waits until the page has stopped scrolling, and returns how far it is scrolled."""


def test_a_finger_on_the_photo_scrolls_or_from_a_chosen_cell_chooses_more(phone: Visit) -> None:
    phone.read(CLEAN)
    page, frame = phone.page, phone.find("#photo-frame")
    x, y = phone.place_in(frame, down=0.6)
    touch(phone, ((x, y), (x, y - 100)))
    page.wait_for_function("() => scrollY > 0")
    assert chosen(phone) == []
    page.evaluate(STILL)
    page.evaluate("scrollTo(0, 0)")
    page.touchscreen.tap(x, y)
    (cell,) = chosen(phone)
    before = page.evaluate(STILL)
    touch(phone, ((x, y), phone.place_in(frame, down=0.38)))
    expect(phone.find(CHOSEN)).to_have_count(3)
    assert chosen(phone) == [cell - 18, cell - 9, cell]
    assert page.evaluate(STILL) == before
    phone.press("pad-close")
    touch(phone, ((x, y), phone.place_in(frame, 0.28, 0.6)))
    assert chosen(phone) == [cell - 2, cell - 1, cell]


def test_a_finger_on_the_board_scrolls_or_while_the_pad_is_open_chooses_cells(phone: Visit) -> None:
    phone.read(CLEAN)
    page, board = phone.page, phone.find("#board")
    board.scroll_into_view_if_needed()
    page.evaluate(STILL)
    page.touchscreen.tap(*phone.place_in(phone.at(13)))
    assert chosen(phone) == [13]
    before = page.evaluate(STILL)
    start, end = (phone.place_in(phone.at(cell)) for cell in (13, 31))
    touch(phone, (start, end))
    expect(phone.find(CHOSEN)).to_have_count(3)
    assert chosen(phone) == [13, 22, 31]
    assert page.evaluate(STILL) == before
    phone.press("pad-close")
    touch(phone, (end, (start[0], start[1] - 60)))
    assert page.evaluate(STILL) != before and chosen(phone) == []


def from_corner(visit: Visit, x: float, y: float) -> Point:
    """Return a place of the window as seen from the corner of the photo's frame."""
    left, top = visit.place_in(visit.find("#photo-frame"), 0, 0)
    return x - left, y - top


def photo_box(visit: Visit) -> tuple[float, float, float]:
    """Return the left, the top and the width of the photo in its frame."""
    corner, (right, _) = (visit.place_in(visit.find("#photo"), across, 0) for across in (0, 1))
    return *from_corner(visit, *corner), right - corner[0]


def test_two_fingers_enlarge_the_photo_and_one_drags_it(phone: Visit) -> None:
    phone.read("newspaper.jpg")
    page, frame = phone.page, phone.find("#photo-frame")
    page.evaluate("scrollTo(0, 0)")
    x, y = phone.place_in(frame)
    left, top, width = photo_box(phone)
    touch(phone, ((x - 30, y), (x - 60, y)), ((x + 30, y), (x + 60, y)))
    wide = photo_box(phone)
    assert wide[2] == pytest.approx(2 * width, rel=0.02)
    u, v = from_corner(phone, x, y)  # this point between the fingers stays
    assert wide[:2] == pytest.approx((u - 2 * (u - left), v - 2 * (v - top)), abs=3)
    assert chosen(phone) == []
    touch(phone, ((x, y), (x - 60, y - 50)))
    page.wait_for_timeout(200)
    new_left, new_top, new_width = photo_box(phone)
    assert new_left < wide[0] - 30 and new_top < wide[1] - 25 and new_width == wide[2]
    assert page.evaluate("scrollY") == 0 and chosen(phone) == []
    page.touchscreen.tap(x, y)
    assert len(chosen(phone)) == 1
    phone.press("zoom-fit")
    assert photo_box(phone) == pytest.approx((left, top, width), abs=1)


def test_buttons_wheel_and_mouse_enlarge_the_photo_and_drag_it(desktop: Visit) -> None:
    desktop.read("newspaper.jpg")
    page = desktop.page
    x, y = desktop.place_in(desktop.find("#photo-frame"), 0.4, 0.4)
    left, top, width = photo_box(desktop)
    page.mouse.move(x, y)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -200 * math.log(2))
    page.keyboard.up("Control")
    page.wait_for_function(
        "(width) => document.getElementById('photo').getBoundingClientRect().width > 1.9 * width", arg=width
    )
    wide = photo_box(desktop)
    u, v = from_corner(desktop, x, y)
    assert wide == pytest.approx((u - 2 * (u - left), v - 2 * (v - top), 2 * width), abs=3)
    desktop.drag((x, y), (x + 40, y + 30))
    assert photo_box(desktop)[:2] == pytest.approx((wide[0] + 40, wide[1] + 30), abs=10)
    assert chosen(desktop) == []
    desktop.press("zoom-in")
    assert photo_box(desktop)[2] == pytest.approx(3 * width, rel=0.02)
    desktop.press("zoom-fit")
    assert photo_box(desktop) == pytest.approx((left, top, width), abs=1)
