"""The page stays quick where it is laid out again."""

from __future__ import annotations

from browser.visits import Visit

LAID_OUT = """() => {
  const seconds = Array.from({ length: 11 }, (_, turn) => {
    document.body.style.paddingRight = `${turn % 2}px`;
    const start = performance.now();
    document.getElementById("board").offsetHeight;
    return performance.now() - start;
  });
  return seconds.sort((one, other) => one - other)[5];
}"""
"""Script that tells the median milliseconds of a layout."""


def test_a_layout_of_the_board_takes_no_time_and_its_digits_fit_it(phone: Visit) -> None:
    phone.read("clean_sheet.png")
    assert phone.page.evaluate(LAID_OUT) < 50, "container units in 81 cells take 300"
    width = phone.page.locator("#board").evaluate("(board) => board.clientWidth")
    size = phone.cell(1, 1).evaluate("(cell) => parseFloat(getComputedStyle(cell).fontSize)")
    assert 0.05 < size / width < 0.06
