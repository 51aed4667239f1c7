"""Choices: the words in which endpoints tell jobs what is wanted, the same on both sides of a process."""

from __future__ import annotations

from typing import Literal, get_args

BodyKind = Literal["photo", "text"]
"""What was sent: the bytes of a picture or a document, or a text with boards."""

BoardQuestion = Literal["solve", "hint", "rate", "explain", "links"]
"""What can be asked about a board of 81 characters."""
BOARD_QUESTIONS: tuple[BoardQuestion, ...] = get_args(BoardQuestion)

LiveMode = Literal["answers", "hint", "check"]
"""What is drawn on grids of a camera's frame that are sure."""
LIVE_MODES: tuple[LiveMode, ...] = get_args(LiveMode)
