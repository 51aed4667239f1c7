"""Notes in pictures: they are found again, harm no pixel, and nothing that a file holds breaks the search."""

from __future__ import annotations

import io
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from PIL import Image as Pillow

from sudoku_vision.cli.provenance import Provenance, provenance_of, with_provenance
from sudoku_vision.output.save import PHOTO_ENDINGS, encode

NOTE = Provenance("0f" * 16, "uncertain", 2, 0.75)
PIXELS = np.random.default_rng(0).integers(0, 255, (123, 77, 3), np.uint8)


@pytest.mark.parametrize("ending", PHOTO_ENDINGS)
def test_a_note_is_found_again_and_the_pixels_stay(tmp_path: Path, ending: str) -> None:
    plain = encode(PIXELS, ending)
    noted = with_provenance(plain, ending, NOTE)
    path = tmp_path / f"picture{ending}"
    path.write_bytes(noted)
    assert provenance_of(path) == NOTE
    for unpack in (_by_pillow, _by_opencv):
        assert np.array_equal(unpack(noted), unpack(plain))
    path.write_bytes(plain)
    assert provenance_of(path) is None
    assert provenance_of(tmp_path / "none.jpg") is None


def _by_pillow(data: bytes) -> np.ndarray:
    picture = Pillow.open(io.BytesIO(data))
    picture.load()
    return np.asarray(picture)


def _by_opencv(data: bytes) -> np.ndarray:
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR))


@given(st.data())
@example(None)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
def test_nothing_in_a_file_breaks_the_search(tmp_path: Path, data: st.DataObject | None) -> None:
    for ending in PHOTO_ENDINGS:
        whole = bytearray(with_provenance(encode(PIXELS[:8, :8], ending), ending, NOTE))
        if data is not None:
            cut = data.draw(st.integers(0, len(whole)))
            at = data.draw(st.integers(0, len(whole) - 1))
            whole[at] = data.draw(st.integers(0, 255))
            whole = whole[:cut]
        path = tmp_path / f"picture{ending}"
        path.write_bytes(whole)
        found = provenance_of(path)
        assert found is None or isinstance(found, Provenance)


@pytest.mark.parametrize(
    "note",
    [
        Provenance("0f", [], 1, None),  # type: ignore[arg-type]
        Provenance("0f", "solved", "1", None),  # type: ignore[arg-type]
        Provenance("0f", "solved", 1, "sure"),  # type: ignore[arg-type]
    ],
)
def test_a_note_of_other_kinds_of_values_is_none_of_ours(tmp_path: Path, note: Provenance) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(with_provenance(encode(PIXELS, ".png"), ".png", note))
    assert provenance_of(path) is None
