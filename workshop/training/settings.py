"""What can be set in a training: how much is drawn, how networks are fitted, and how progress is shown."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

Steps = Callable[[int, str], Iterable[int]]
"""Called with a number of steps and the name of a task; yields 0, 1, 2 and so on, a number for each step, and
may show the progress."""


def silent_steps(count: int, name: str) -> Iterable[int]:  # noqa: ARG001 (others show it)
    """Return the numbers from 0 to *count* - 1, and show nothing."""
    return range(count)


@dataclass(frozen=True)
class Hyperparameters:
    """How to fit one network.

    ``hidden``: sizes of the hidden layers. ``epochs``: how often it learns from all samples; its weights are
    averaged over the last ``averaged`` epochs. ``decay``: weight decay.
    """

    hidden: tuple[int, ...]
    epochs: int
    averaged: int = 3
    decay: float = 1e-4


@dataclass(frozen=True)
class Settings:
    """How to train the digit classifier.

    ``boards``: number of boards drawn for training. ``held_boards``: number of boards drawn for checking, in
    typefaces and handwriting that training doesn't use; ``held_share`` is their share of all typefaces and
    handwriting. ``blank_share``: share of the blank cells that are learnt from. ``turned_share``: share of
    the digits that are also learnt from in a turned copy.

    The first stage has ``members`` networks (``fold_members`` in a cross-validation), fitted as
    ``first_stage`` says. Before, a quick fit of ``legibility_epochs`` epochs finds the digits that can be
    read at all. The second stage reads handwriting: one network, fitted as ``handwriting`` says, with a
    dictionary of ``centres`` pieces of strokes. It learns from drawn digits, from ``pasted`` copies of each
    handwritten digit, from ``warped`` copies of the handwriting in photos (the first stage from
    ``first_warped`` copies), and from a ``printed_share`` of the printed digits. It first learns without
    photos, then for ``tuning_epochs`` epochs with photos.
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
        """How to train the network for handwriting further, with photos."""
        return replace(self.handwriting, epochs=self.tuning_epochs)


@dataclass(frozen=True)
class MarkSettings:
    """How to train the reader of pencil marks.

    ``boards``: number of boards drawn for training. ``held_boards``: number of boards drawn for checking,
    in typefaces and handwriting that training doesn't use; ``held_share`` is their share of all.
    """

    boards: int = 1200
    held_boards: int = 150
    held_share: float = 0.1
    seed: int = 0


@dataclass(frozen=True)
class OcclusionSettings:
    """How to train the occlusion model: with each photo as it is, and with ``covers`` covers of each kind."""

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
