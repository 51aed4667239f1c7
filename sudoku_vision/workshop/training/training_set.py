"""The training set: drawn boards and handwritten digits, and how models are fitted to it and to photos."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sudoku_vision.vision.digits.cascade import DigitModel
from sudoku_vision.vision.digits.glyphs import cut_glyphs
from sudoku_vision.vision.rectify import rectify
from sudoku_vision.workshop.training.boards import draw_board
from sudoku_vision.workshop.training.fitting import fit_first_stage
from sudoku_vision.workshop.training.handwriting import calibrated_stages, fit_handwriting, pasted_samples
from sudoku_vision.workshop.training.photos import RealBoard
from sudoku_vision.workshop.training.samples import BLANK, Samples, board_samples, joined, legible
from sudoku_vision.workshop.training.settings import Settings, Steps
from sudoku_vision.workshop.training.sources import Sources

HIDDEN = 0.85  # a drawn digit that a first fit takes for blank with this probability can't be seen
_FIRST_STAGE_PAGES = 3  # one page in so many of pasted digits is learnt from by the first stage, too

_PICK_STREAM, _PASTED_STREAM, _PHOTO_STREAM = 2, 4, 77
"""Streams of chance, beside the seed: each part of a training has one of its own; 0 and 1 draw boards."""


@dataclass(frozen=True, eq=False)
class TrainingSet:
    """What every model learns from and is calibrated on.

    ``drawn``: cells of drawn boards; ``pasted``: handwritten digits pasted into cells; ``check``: cells of
    drawn boards whose typefaces and handwriting are held out.
    """

    drawn: Samples
    pasted: Sequence[Samples]
    check: Samples

    @property
    def quick(self) -> Samples:
        """What the first stage learns from beside photos."""
        return joined([self.drawn, *self.pasted[::_FIRST_STAGE_PAGES]])

    def fit_plain(self, settings: Settings, steps: Steps, name: str) -> DigitModel:
        """Fit both stages of a model to what is drawn alone, and calibrate either."""
        model = fit_first_stage(
            self.quick, settings.first_stage, settings.members, settings.seed, steps, name
        )
        second = fit_handwriting(self._digits(), settings, steps, f"{name}, handwriting")
        return calibrated_stages(replace(model, handwriting=second), self.check)

    def fit(
        self, plain: DigitModel, photos: Sequence[RealBoard], settings: Settings, steps: Steps, name: str
    ) -> DigitModel:
        """Fit a model to the boards of *photos* as well, its second stage going on from that of *plain*.

        It keeps the temperatures of the *plain* one, which no photo had taught when they were measured.
        """
        rng = np.random.default_rng([settings.seed, _PHOTO_STREAM])
        real = [
            board_samples(glyphs, board.classes, settings, rng)
            for board in photos
            for glyphs in (board.glyphs, board.shaken)
        ]
        few = [copy for board in photos for copy in board.warped[: settings.first_warped]]
        first = joined([self.quick, *real, *few])
        model = fit_first_stage(first, settings.first_stage, settings.members, settings.seed, steps, name)
        many = [copy for board in photos for copy in board.warped]
        known = plain.handwriting
        second = fit_handwriting(self._digits(many), settings, steps, f"{name}, handwriting", known)
        if known is not None:
            second = replace(second, temperature=known.temperature)
        return replace(model, temperature=plain.temperature, handwriting=second)

    def _digits(self, real: Sequence[Samples] = ()) -> Samples:
        """Return what the classifier of handwriting learns from: digits drawn, pasted, and *real* ones."""
        drawn = self.drawn.select(self.drawn.classes != BLANK)
        return joined([drawn, *self.pasted, *real])


def draw_training_set(kept: Sources, held: Sources, settings: Settings, steps: Steps) -> TrainingSet:
    """Draw what to learn from and, from what is *held* out, what to check on: all that can be read at all."""
    drawn = _draw(kept, settings.boards, settings, 0, steps, "Drawing boards to learn from")
    check = _draw(held, settings.held_boards, settings, 1, steps, "Drawing boards to check on")
    quick = replace(settings.first_stage, epochs=settings.legibility_epochs)
    sight = fit_first_stage(drawn, quick, 1, settings.seed, steps, "Telling what can be read at all")
    rng = np.random.default_rng([settings.seed, _PASTED_STREAM])
    pasted = pasted_samples(kept.strokes, kept.labels, settings.pasted, rng, steps)
    return TrainingSet(legible(drawn, sight, HIDDEN), pasted, legible(check, sight, HIDDEN))


def _draw(sources: Sources, count: int, settings: Settings, stream: int, steps: Steps, name: str) -> Samples:
    """Draw boards, each by a chance of its own, and describe their cells as :func:`board_samples` does."""
    picking = np.random.default_rng([settings.seed, _PICK_STREAM + stream])
    samples = []
    for number in steps(count, name):
        board = draw_board(sources, np.random.default_rng([settings.seed, stream, number]))
        glyphs = cut_glyphs(rectify(board.photo, board.lattice))
        samples.append(board_samples(glyphs, board.classes, settings, picking))
    return joined(samples)
