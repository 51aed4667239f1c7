"""Settings of a training: how much is drawn, how networks are fitted, and how progress is shown."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

Steps = Callable[[int, str], Iterable[int]]
"""A function that is called with a number of steps and the name of a task, and yields the number of each
step, from 0 on. It may show the progress of the task."""


def silent_steps(count: int, name: str) -> Iterable[int]:  # noqa: ARG001 (others show it)
    """Return the numbers from 0 to *count* - 1, without showing any progress."""
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
    for checking, with a ``held_share`` of all typefaces and handwriting, which training doesn't use.
    ``blank_share``: share of the blank cells that are used. ``turned_share``: share of the digits of which a
    turned copy is used, too.

    The first stage has ``members`` networks, in a cross-validation ``fold_members``. ``first_stage``: how
    each of them is fitted. Before, a model is fitted quickly in ``legibility_epochs`` epochs, to find the
    digits that can be read at all. ``first_warped``: number of warped copies of each photo's handwriting for
    this stage.

    The second stage is one network, which reads handwriting. ``handwriting``: how the network is fitted.
    ``centres``: number of pieces of strokes in its dictionary. ``pasted``: number of copies of each digit in
    the databases. ``warped``: number of warped copies of each photo's handwriting. ``printed_share``: share
    of the printed digits that are used, too. The network is first fitted without photos, then with photos for
    ``tuning_epochs`` epochs.
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
        """The settings with which the network for handwriting is trained further, with photos."""
        return replace(self.handwriting, epochs=self.tuning_epochs)


@dataclass(frozen=True)
class MarkSettings:
    """The settings for training the reader of pencil marks.

    ``boards``: number of boards that are drawn for training. ``held_boards``: number of boards that are drawn
    for checking, with a ``held_share`` of all typefaces and handwriting, which training doesn't use.
    """

    boards: int = 1200
    held_boards: int = 150
    held_share: float = 0.1
    seed: int = 0


@dataclass(frozen=True)
class OcclusionSettings:
    """The settings for training the occlusion model.

    Each photo is used without a cover, and with ``covers`` covers of each kind, one at a time. ``network``:
    how the network is fitted.
    """

    covers: int = 1
    network: Hyperparameters = Hyperparameters((48,), 12, decay=1e-2)
    seed: int = 0


@dataclass(frozen=True)
class SumSettings:
    """How to train the reader of the sums of killers; the fields mean the same as those of MarkSettings."""

    boards: int = 1000
    held_boards: int = 150
    held_share: float = 0.1
    seed: int = 0
