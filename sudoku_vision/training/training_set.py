"""The training set: drawn boards and handwritten digits, and how models are fitted to it and to photos."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sudoku_vision.digits.cascade import DigitModel
from sudoku_vision.training.boards import Sources
from sudoku_vision.training.fitting import calibrated, fit_first_stage
from sudoku_vision.training.handwriting import fit_handwriting, pasted_samples, with_handwriting
from sudoku_vision.training.photos import RealBoard
from sudoku_vision.training.progress import Steps
from sudoku_vision.training.samples import Samples, board_samples, draw_samples, joined, legible
from sudoku_vision.training.settings import Settings

HIDDEN = 0.85
"""A drawn digit that a first fit takes for blank with this probability can't be seen."""

_CHECK_STREAM, _PHOTO_STREAM = 1, 77  # of chance, beside the seed: each part of a training has one of its own


@dataclass(frozen=True, eq=False)
class TrainingSet:
    """What every model learns from and is calibrated on.

    ``drawn``: cells of drawn boards; ``pasted``: handwritten digits pasted into cells; ``check``: cells of
    drawn boards whose typefaces and handwriting are held out.
    """

    drawn: Samples
    pasted: Sequence[Samples]
    check: Samples

    def fit(self, photos: Sequence[RealBoard], settings: Settings, steps: Steps, name: str) -> DigitModel:
        """Fit both stages of a model to the set and to the boards of *photos*, and calibrate either."""
        rng = np.random.default_rng([settings.seed, _PHOTO_STREAM])
        real = [
            board_samples(glyphs, board.classes, settings, rng)
            for board in photos
            for glyphs in (board.glyphs, board.shaken)
        ]
        few = [copy for board in photos for copy in board.warped[: settings.first_warped]]
        many = [copy for board in photos for copy in board.warped]
        first = joined([self.drawn, *real, *few])
        model = fit_first_stage(first, settings.first_stage, settings.members, settings.seed, steps, name)
        model = calibrated(model, self.check)
        written = joined([self.drawn, *self.pasted, *many])
        second = fit_handwriting(written, settings, steps, f"{name}, handwriting")
        return with_handwriting(model, second, self.check)


def draw_training_set(kept: Sources, held: Sources, settings: Settings, steps: Steps) -> TrainingSet:
    """Draw what to learn from and, from what is *held* out, what to check on: all that can be read at all."""
    rng = np.random.default_rng(settings.seed)
    drawn = draw_samples(kept, settings.boards, settings, rng, steps, "Drawing boards to learn from")
    apart = np.random.default_rng([settings.seed, _CHECK_STREAM])  # every model is checked on the same boards
    check = draw_samples(held, settings.held_boards, settings, apart, steps, "Drawing boards to check on")
    quick = replace(settings.first_stage, epochs=settings.legibility_epochs)
    sight = fit_first_stage(drawn, quick, 1, settings.seed, steps, "Telling what can be read at all")
    pasted = pasted_samples(kept.strokes, kept.labels, settings.pasted, rng, steps)
    return TrainingSet(legible(drawn, sight, HIDDEN), pasted, legible(check, sight, HIDDEN))
