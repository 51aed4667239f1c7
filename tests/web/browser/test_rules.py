"""Puzzles of other rules: read from a photo, chosen by a button, by colours, by cages."""

import json
import re
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from conftest import PUZZLE
from examples import JIGSAW, REGIONS
from PIL import Image as Pillow
from playwright.sync_api import Locator, Route, expect

from browser.test_solving import cell_at, notes, read_board
from browser.visits import Visit
from sudoku_vision import solve
from sudoku_vision.output.save import encode
from sudoku_vision.sudoku.board import board_array, parse_board
from sudoku_vision.sudoku.generator import generate
from sudoku_vision.sudoku.rules import Cage, Rules
from sudoku_vision.web.view import board_lines
from workshop.rendering import Conditions, GridStyle, draw

pytestmark = pytest.mark.slow

RULES = Rules(REGIONS)
SOLUTION = str(solve(JIGSAW, rules=RULES))
DIAGONAL = "023050000000700003000000056000000000600008200040000501000014000001005000500002300"


def jigsaw_photo(path: Path, **style: float) -> Path:
    """Draw the jigsaw as it is printed."""
    grid = GridStyle(regions=tuple(map(int, REGIONS)), **style)  # type: ignore[arg-type]
    puzzle = board_array(parse_board(JIGSAW))
    path.write_bytes(
        encode(draw(np.random.default_rng(1), Conditions(grid=grid), puzzles=[puzzle]).pixels, ".png")
    )
    return path


def expect_jigsaw(visit: Visit) -> None:
    """Wait until the board shows the regions of the jigsaw, and its answers."""
    visit.expect_status("solved")
    expect(visit.page.locator("#rules-name")).to_have_text("Jigsaw")
    expect(visit.page.locator("#board path")).to_have_count(board_lines(RULES).count("<path"))
    expect(visit.page.locator("#board .cell")).to_have_text(list(SOLUTION))


def test_a_jigsaw_is_read_drawn_gone_on_with_and_kept(phone: Visit, tmp_path: Path) -> None:
    phone.read(jigsaw_photo(tmp_path / "jigsaw.png"))
    expect_jigsaw(phone)
    page = phone.page
    phone.press("mode-solve", "solve-notes")
    blank = JIGSAW.index("0")
    seen = {JIGSAW[peer] for peer in RULES.peers[blank]}
    assert notes(phone, blank) == "".join(digit for digit in "123456789" if digit not in seen)
    page.reload()
    expect(page.locator("#mode-solve")).to_have_attribute("aria-selected", "true")
    phone.press("mode-answers")
    expect_jigsaw(phone)
    page.locator("#sites summary").click()
    expect(page.locator("#site-list a")).to_have_count(2)
    phone.press("home")
    expect(page.locator("#kept-list path")).to_have_count(board_lines(RULES).count("<path"))


def colour_cells(visit: Visit, cells: list[int], colour: int) -> None:
    for cell in cells:
        cell_at(visit, cell).click(modifiers=["Shift"] if cell != cells[0] else None)
    visit.press(f"pad-{colour}")


def test_regions_are_chosen_by_colours(phone: Visit, tmp_path: Path) -> None:
    phone.read(jigsaw_photo(tmp_path / "thin.png", thick=0.025), "no_solution")
    page, said = phone.page, phone.page.locator("#toast")
    phone.press("rules-jigsaw")
    expect(said).to_have_text(re.compile("^Give the nine cells of each region a colour"))
    expect(page.locator("#pad-colour")).to_have_attribute("aria-pressed", "true")
    cells = {number: [cell for cell in range(81) if REGIONS[cell] == str(number)] for number in range(1, 9)}
    for number in range(1, 8):
        colour_cells(phone, cells[number], number)
    phone.press("rules-jigsaw")
    expect(said).to_contain_text("has 18 cells; nine are needed.")
    colour_cells(phone, cells[8], 8)  # the ninth region may stay without a colour
    phone.press("rules-jigsaw")
    expect_jigsaw(phone)
    expect(page.locator("#board .cell.coloured")).to_have_count(0)
    phone.press("rules-jigsaw")  # the known regions have colours, to be corrected
    expect(page.locator("#board .cell.coloured")).to_have_count(81)
    phone.press("undo", "undo")
    phone.expect_status("no_solution")
    phone.press("redo")
    expect_jigsaw(phone)


def test_diagonals_are_said_and_clashes_go_by_them(phone: Visit) -> None:
    read_board(phone, DIAGONAL, "many_solutions")
    page = phone.page
    phone.press("rules-diagonal")
    phone.expect_status("solved")
    expect(page.locator("#rules-name")).to_have_text("Diagonal")
    expect(page.locator('#board [fill="#dedede"]')).to_have_count(1)
    drawn = page.locator("#photo").get_attribute("src") or ""
    assert drawn.index("%23dedede") < drawn.index("%3Ctext")  # the grey lies below the digits
    expect(page.locator("#rating")).to_be_visible()
    cell_at(phone, 0).tap()
    page.locator("#pad-8").tap()  # as in r5c5
    phone.press("pad-close")
    expect(page.locator("#board .clashing")).to_have_count(0)
    phone.enter(40, 8)
    expect(cell_at(phone, 0)).to_have_class(re.compile("clashing"))


def test_regions_are_chosen_by_keys_alone(desktop: Visit) -> None:
    read_board(desktop, PUZZLE)
    page, key = desktop.page, desktop.page.keyboard
    page.locator("#rules-jigsaw").press("Enter")
    page.locator('#board [data-cell="0"]').focus()
    for pressed in ("Shift+ArrowRight", "Shift+ArrowDown", "1"):
        key.press(pressed)
    page.locator("#rules-jigsaw").press("Enter")
    expect(page.locator("#toast")).to_contain_text("The region of r1c1 has 3 cells; nine are needed.")
    desktop.expect_status("solved")


KILLER = generate(rules="killer", seed=5)


def test_cages_and_sums_of_a_killer_are_drawn_and_kept(phone: Visit) -> None:
    text = json.dumps({"puzzle": str(KILLER), **KILLER.rules.to_dict()})
    read_board(phone, text)
    page, sums = phone.page, [str(cage.sum) for cage in KILLER.rules.cages]
    expect(page.locator("#rules-name")).to_have_text("Killer")
    expect(page.locator("#board .cell")).to_have_text(list(map(str, KILLER.solution.ravel())))
    expect(page.locator("#board text")).to_have_text(sums)
    phone.press("mode-solve", "solve-notes")
    cage = next(cage for cage in KILLER.rules.cages if len(cage.cells) == 2)
    for cell, digit in zip(cage.cells, (1, 2) if cage.sum != 3 else (1, 9), strict=True):
        phone.enter(cell, digit)
    expect(page.locator("#board .cell.clashing")).to_have_count(2)
    phone.press("home")
    expect(page.locator("#kept-list svg svg text")).to_have_text(sums)
    page.emulate_media(color_scheme="dark")
    before = share_of_light(page.locator("#kept-list .kept-open > svg"))
    page.locator("#kept-list [stroke-dasharray]").evaluate_all(
        "(lines) => lines.forEach((line) => line.remove())"
    )
    assert share_of_light(page.locator("#kept-list .kept-open > svg")) < before - 0.02


def test_killers_are_kept_untouched_and_copied_with_their_cages(phone: Visit) -> None:
    page, rules = phone.page, KILLER.rules.to_dict()["rules"]
    for cages, status in ((rules["cages"][10:], "many_solutions"), (rules["cages"], "solved")):
        read_board(phone, json.dumps({"puzzle": "0" * 81, "rules": {**rules, "cages": cages}}), status)
    page.evaluate("() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; }")
    phone.press("copy-board")
    expect(page.locator("#toast")).to_have_text(re.compile("^Copied with the rules"))
    read_board(phone, page.evaluate("window.copied"))
    page.reload()
    expect(page.locator("#board text")).to_have_count(len(KILLER.rules.cages))
    phone.press("home")
    expect(page.locator("#kept-list li")).to_have_count(2)


def share_of_light(element: Locator) -> float:
    with Pillow.open(BytesIO(element.screenshot())) as seen:
        return float(np.mean(np.asarray(seen.convert("L")) > 90))


def draw_cage(visit: Visit, cage: Cage) -> None:
    for cell in cage.cells:
        cell_at(visit, cell).click(modifiers=["Shift"] if cell != cage.cells[0] else None)
    visit.page.locator("#cage-sum").fill(str(cage.sum))
    visit.page.locator("#cage-sum").press("Enter")


def test_cages_are_drawn_faster_than_the_service_reads_them(phone: Visit) -> None:
    cages, waiting = KILLER.rules.cages[:3], list[Route]()
    phone.press("type-board", "rules-killer")
    phone.page.route("**/api/settle", lambda route: waiting.append(route))
    for cage in cages:
        with phone.page.expect_request("**/api/settle"):
            draw_cage(phone, cage)
    for route in waiting:
        route.continue_()
    expect(phone.page.locator("#board text")).to_have_text([str(cage.sum) for cage in cages])


def test_cages_are_drawn_with_their_sums_on_a_typed_board(phone: Visit) -> None:
    page = phone.page
    phone.press("type-board", "rules-killer")
    sums = page.locator("#board text")
    for cage in KILLER.rules.cages:
        draw_cage(phone, cage)
    last = KILLER.rules.cages[-1]
    expect(page.locator("#toast")).to_have_text(f"Cage of {len(last.cells)} cells, sum {last.sum}.")
    expect(page.locator("#rules-killer")).to_have_attribute("aria-pressed", "true")
    expect(sums).to_have_text([str(cage.sum) for cage in KILLER.rules.cages])
    page.locator("#cage-sum").fill("")
    phone.press("cage-draw")
    expect(sums).to_have_count(len(KILLER.rules.cages) - 1)
    phone.press("pad-undo")
    expect(sums).to_have_count(len(KILLER.rules.cages))
    page.reload()
    expect(sums).to_have_count(len(KILLER.rules.cages))  # kept, although there is no digit
    phone.press("typing-solve")
    phone.expect_status("solved")
    expect(page.locator("#board .cell")).to_have_text(list(map(str, KILLER.solution.ravel())))
