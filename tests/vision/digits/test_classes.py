"""Print or handwriting: the cells of a page vouch for one another."""

from __future__ import annotations

import numpy as np

from sudoku_vision.vision.digits.classes import written_on_page


def test_a_lone_doubtful_cell_on_a_printed_page_counts_as_print() -> None:
    written = np.full(81, 0.02, np.float32)
    written[7] = 0.7
    share, extent = written_on_page(1 - written, written, 0.4)
    assert share.max() < 0.5
    assert extent < 0.05


def test_written_cells_among_printed_ones_stay_written() -> None:
    written = np.where(np.arange(81) % 2, 0.98, 0.02).astype(np.float32)
    share, extent = written_on_page(1 - written, written, 0.4)
    assert 0.3 < extent < 0.7
    assert share[1::2].min() > 0.9
    assert share[::2].max() < 0.1
