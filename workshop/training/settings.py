"""What can be set in a training: how much is drawn, how the networks are fitted, and who shows the steps."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

Steps = Callable[[int, str], Iterable[int]]
"""Counts the steps of a task of this name, from 0 to a number, and may show them."""


def silent_steps(count: int, name: str) -> Iterable[int]:  # noqa: ARG001 (others show it)
    """Count from 0 to *count*, and show nothing."""
    return range(count)


@dataclass(frozen=True)
class Hyperparameters:
    """How to fit one network: hidden layers, epochs (the last ``averaged`` are averaged) and weight decay."""

    hidden: tuple[int, ...]
    epochs: int
    averaged: int = 3
    decay: float = 1e-4


@dataclass(frozen=True)
class Settings:
    """How to train the digit classifier.

    ``boards`` are drawn for training, ``held_boards`` from typefaces and handwriting that are held out
    (``held_share`` of each). ``blank_share`` of the blank cells are learnt from; ``turned_share`` of the
    digits are also shown turned.

    The first stage is ``members`` networks of ``first_stage`` (``fold_members`` in a cross-validation). A
    quick fit of ``legibility_epochs`` finds what can be read at all. The classifier of handwriting is one
    network of ``handwriting`` over ``centres`` pieces of strokes. It also learns from ``pasted`` copies of
    the handwritten digits, from ``warped`` copies of those in photos (the first stage from ``first_warped``
    of them), and from a ``printed_share`` of the printed digits. It first learns from what is drawn, then for
    ``tuning_epochs`` from photos as well.
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
        """How to fit the network of handwriting further, after it has learnt from what is drawn."""
        return replace(self.handwriting, epochs=self.tuning_epochs)


@dataclass(frozen=True)
class MarkSettings:
    """How to train the reader of pencil marks: how many boards to draw, and how many to check on."""

    boards: int = 1200
    held_boards: int = 150
    held_share: float = 0.1
    seed: int = 0


@dataclass(frozen=True)
class OcclusionSettings:
    """How to train the occlusion model: on each photo as it is, and under ``covers`` of each kind."""

    covers: int = 1
    network: Hyperparameters = Hyperparameters((48,), 12, decay=1e-2)
    seed: int = 0
