"""Puzzles of other rules: read from a photo, chosen by a button, by colours, by cages."""

import json
import re
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from conftest import PUZZLE
from drawn_grids import draw_jigsaw
from examples import JIGSAW, REGIONS
from PIL import Image as Pillow
from playwright.sync_api import Locator, Route, expect

from browser.visits import COPIES, Visit
from sudoku_vision import solve
from sudoku_vision.output.save import save
from sudoku_vision.sudoku.generator import generate
from sudoku_vision.sudoku.rules import Cage, Rules
from sudoku_vision.web.view import board_lines

pytestmark = pytest.mark.slow

RULES = Rules(REGIONS)
SOLUTION = str(solve(JIGSAW, rules=RULES))
DIAGONAL = "023050000000700003000000056000000000600008200040000501000014000001005000500002300"


def expect_jigsaw(visit: Visit) -> None:
    """Wait until the board shows the regions of the jigsaw, and its answers."""
    visit.expect_status("solved")
    expect(visit.find("#rules-name")).to_have_text("Jigsaw")
    expect(visit.find("#board path")).to_have_count(board_lines(RULES).count("<path"))
    expect(visit.find("#board .cell")).to_have_text(list(SOLUTION))


def test_a_jigsaw_is_read_drawn_gone_on_with_and_kept(phone: Visit, tmp_path: Path) -> None:
    save(tmp_path / "jigsaw.png", draw_jigsaw())
    phone.read(tmp_path / "jigsaw.png")
    expect_jigsaw(phone)
    phone.press("mode-solve", "solve-notes")
    blank = JIGSAW.index("0")
    seen = {JIGSAW[peer] for peer in RULES.peers[blank]}
    assert phone.marks(blank) == "".join(digit for digit in "123456789" if digit not in seen)
    phone.page.reload()
    expect(phone.find("#mode-solve")).to_have_attribute("aria-selected", "true")
    phone.press("mode-answers")
    expect_jigsaw(phone)
    phone.find("#sites summary").click()
    expect(phone.find("#site-list a")).to_have_count(2)
    phone.press("home")
    expect(phone.find("#kept-list path")).to_have_count(board_lines(RULES).count("<path"))


def test_regions_are_chosen_by_colours(phone: Visit, tmp_path: Path) -> None:
    save(tmp_path / "thin.png", draw_jigsaw(thick=0.025))
    phone.read(tmp_path / "thin.png", "no_solution")
    said = phone.find("#toast")
    phone.press("rules-jigsaw")
    expect(said).to_have_text(re.compile("^Give the nine cells of each region a colour"))
    expect(phone.find("#pad-colour")).to_have_attribute("aria-pressed", "true")
    for number in range(1, 9):  # the ninth region may stay without a colour
        phone.choose_cells([cell for cell in range(81) if REGIONS[cell] == str(number)])
        if number == 8:
            phone.press("rules-jigsaw")
            expect(said).to_contain_text("has 18 cells; nine are needed.")
        phone.press(f"pad-{number}")
    phone.press("rules-jigsaw")
    expect_jigsaw(phone)
    expect(phone.find("#board .cell.coloured")).to_have_count(0)
    phone.press("rules-jigsaw")  # the known regions have colours, to be corrected
    expect(phone.find("#board .cell.coloured")).to_have_count(81)
    phone.press("undo", "undo")
    phone.expect_status("no_solution")
    phone.press("redo")
    expect_jigsaw(phone)


def test_diagonals_are_said_and_clashes_go_by_them(phone: Visit) -> None:
    phone.paste(DIAGONAL, "many_solutions")
    phone.press("rules-diagonal")
    phone.expect_status("solved")
    expect(phone.find("#rules-name")).to_have_text("Diagonal")
    expect(phone.find('#board [fill="#dedede"]')).to_have_count(1)
    drawn = phone.find("#photo").get_attribute("src") or ""
    assert drawn.index("%23dedede") < drawn.index("%3Ctext")  # the grey lies below the digits
    expect(phone.find("#rating")).to_be_visible()
    phone.enter(0, 8)  # as in r5c5
    phone.press("pad-close")
    expect(phone.find("#board .clashing")).to_have_count(0)
    phone.enter(40, 8)
    expect(phone.at(0)).to_have_class(re.compile("clashing"))


def test_regions_are_chosen_by_keys_alone(desktop: Visit) -> None:
    desktop.paste(PUZZLE)
    desktop.find("#rules-jigsaw").press("Enter")
    desktop.at(0).focus()
    for pressed in ("Shift+ArrowRight", "Shift+ArrowDown", "1"):
        desktop.page.keyboard.press(pressed)
    desktop.find("#rules-jigsaw").press("Enter")
    expect(desktop.find("#toast")).to_contain_text("The region of r1c1 has 3 cells; nine are needed.")
    desktop.expect_status("solved")


KILLER = generate(rules="killer", seed=5)


def test_cages_and_sums_of_a_killer_are_drawn_and_kept(phone: Visit) -> None:
    phone.paste(json.dumps({"puzzle": str(KILLER), **KILLER.rules.to_dict()}))
    sums = [str(cage.sum) for cage in KILLER.rules.cages]
    expect(phone.find("#rules-name")).to_have_text("Killer")
    expect(phone.find("#board .cell")).to_have_text(list(map(str, KILLER.solution.ravel())))
    expect(phone.find("#board text")).to_have_text(sums)
    phone.press("mode-solve", "solve-notes")
    cage = next(cage for cage in KILLER.rules.cages if len(cage.cells) == 2)
    for cell, digit in zip(cage.cells, (1, 2) if cage.sum != 3 else (1, 9), strict=True):
        phone.enter(cell, digit)
    expect(phone.find("#board .cell.clashing")).to_have_count(2)
    phone.press("home")
    expect(phone.find("#kept-list svg svg text")).to_have_text(sums)
    phone.press("settings-open")
    phone.find("#settings-theme").select_option("dark")
    phone.press("settings-close")
    shown = phone.find("#kept-list .kept-open > svg")
    before = share_of_light(shown)
    phone.find("#kept-list [stroke-dasharray]").evaluate_all("(all) => all.forEach((line) => line.remove())")
    assert share_of_light(shown) < before - 0.02


def test_killers_are_kept_untouched_and_copied_with_their_cages(phone: Visit) -> None:
    page, rules = phone.page, KILLER.rules.to_dict()["rules"]
    for cages, status in ((rules["cages"][10:], "many_solutions"), (rules["cages"], "solved")):
        phone.paste(json.dumps({"puzzle": "0" * 81, "rules": {**rules, "cages": cages}}), status)
    page.evaluate(COPIES)
    phone.press("copy-board")
    expect(phone.find("#toast")).to_have_text(re.compile("^Copied with the rules"))
    phone.paste(page.evaluate("window.copied"))
    page.reload()
    expect(phone.find("#board text")).to_have_count(len(KILLER.rules.cages))
    phone.press("home")
    expect(phone.find("#kept-list li")).to_have_count(2)


def share_of_light(element: Locator) -> float:
    with Pillow.open(BytesIO(element.screenshot())) as seen:
        return float(np.mean(np.asarray(seen.convert("L")) > 90))


def draw_cage(visit: Visit, cage: Cage) -> None:
    visit.choose_cells(cage.cells)
    visit.find("#cage-sum").fill(str(cage.sum))
    visit.find("#cage-sum").press("Enter")


def test_cages_are_drawn_with_their_sums_on_a_typed_board_faster_than_they_are_read(phone: Visit) -> None:
    sums, waiting = phone.find("#board text"), list[Route]()
    phone.press("type-board", "rules-killer")
    phone.page.route("**/api/settle", lambda route: waiting.append(route))
    for cage in KILLER.rules.cages[:3]:
        with phone.page.expect_request("**/api/settle"):
            draw_cage(phone, cage)
    for route in waiting:
        route.continue_()
    phone.page.unroute("**/api/settle")
    expect(sums).to_have_text([str(cage.sum) for cage in KILLER.rules.cages[:3]])
    for cage in KILLER.rules.cages[3:]:
        draw_cage(phone, cage)
    last = KILLER.rules.cages[-1]
    expect(phone.find("#toast")).to_have_text(f"Cage of {len(last.cells)} cells, sum {last.sum}.")
    expect(phone.find("#rules-killer")).to_have_attribute("aria-pressed", "true")
    expect(sums).to_have_text([str(cage.sum) for cage in KILLER.rules.cages])
    phone.find("#cage-sum").fill("")
    phone.press("cage-draw")
    expect(sums).to_have_count(len(KILLER.rules.cages) - 1)
    phone.press("pad-undo")
    expect(sums).to_have_count(len(KILLER.rules.cages))
    phone.page.reload()
    expect(sums).to_have_count(len(KILLER.rules.cages))  # kept, although there is no digit
    phone.press("typing-solve")
    phone.expect_status("solved")
    expect(phone.find("#board .cell")).to_have_text(list(map(str, KILLER.solution.ravel())))
