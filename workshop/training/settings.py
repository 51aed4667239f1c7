"""The settings of a training."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

Steps = Callable[[int, str], Iterable[int]]
"""A function that is called with a number of steps and a title, and yields the numbers of the steps, from 0.
It may show the progress."""


def silent_steps(count: int, name: str) -> Iterable[int]:  # noqa: ARG001 (others show the name)
    """Return the numbers from 0 to *count* - 1."""
    return range(count)


@dataclass(frozen=True)
class Hyperparameters:
    """The settings with which one network is fitted.

    ``hidden``: sizes of the hidden layers. ``epochs``: number of passes through all samples. ``averaged``:
    number of last epochs over which the weights are averaged. ``decay``: strength of weight decay.
    """

    hidden: tuple[int, ...]
    epochs: int
    averaged: int = 3
    decay: float = 1e-4


@dataclass(frozen=True)
class Settings:
    """The settings for training the digit classifier.

    ``boards``: number of boards that are drawn for training. ``held_boards``: number of boards that are drawn
    for checking, with a ``held_share`` of all typefaces and handwriting. ``blank_share``: share of the blank
    cells that are used. ``turned_share``: share of the digits of which a turned copy is used, too.

    The first stage has ``members`` networks, or ``fold_members`` in a cross-validation.
    ``legibility_epochs``: epochs of the quick model that decides which drawn digits can be read at all.
    ``first_warped``: number of warped copies of each photo's handwriting for this stage.

    The second stage reads handwriting. ``centres``: number of pieces of strokes in its dictionary.
    ``pasted``: how many times each digit of the databases of handwriting is pasted into a cell. ``warped``:
    number of warped copies of each photo's handwriting. ``printed_share``: share of the printed digits that
    are used, too. ``tuning_epochs``: number of further epochs when photos are added.
    """

    boards: int = 2400
    held_boards: int = 240
    held_share: float = 0.1
    blank_share: float = 0.5
    turned_share: float = 0.3
    first_stage: Hyperparameters = Hyperparameters((256,), 10)
    members: int = 2
    fold_members: int = 1
    legibility_epochs: int = 4
    first_warped: int = 2
    handwriting: Hyperparameters = Hyperparameters((400, 192), 9)
    centres: int = 64
    pasted: int = 4
    warped: int = 6
    printed_share: float = 0.3
    tuning_epochs: int = 5
    seed: int = 0

    @property
    def tuning(self) -> Hyperparameters:
        """The settings with which the second stage is trained further, with photos."""
        return replace(self.handwriting, epochs=self.tuning_epochs)


@dataclass(frozen=True)
class MarkSettings:
    """The settings for training the reader of pencil marks.

    ``boards``: number of boards that are drawn for training. ``held_boards``: number of boards that are drawn
    for checking, with a ``held_share`` of all typefaces and handwriting.
    """

    boards: int = 1200
    held_boards: int = 150
    held_share: float = 0.1
    seed: int = 0


@dataclass(frozen=True)
class OcclusionSettings:
    """The settings for training the occlusion model."""

    network: Hyperparameters = Hyperparameters((48,), 12, decay=1e-2)
    seed: int = 0


@dataclass(frozen=True)
class SumSettings(MarkSettings):
    """The settings for training the reader of the sums of killers."""

    boards: int = 4000
