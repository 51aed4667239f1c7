"""``sudoku-vision hint``: prints the easiest next step, and draws it into a picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sudoku_vision.api.answers import HintRequest, hint_data
from sudoku_vision.cli.board_run import Answer, BoardRun
from sudoku_vision.cli.explain import numbered_steps, step_line
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.outputs import PictureOutput, ending_for, plain_drawing
from sudoku_vision.cli.pages import InputBoard, InputPage
from sudoku_vision.cli.run import PageReader
from sudoku_vision.output.save import encode
from sudoku_vision.sudoku.board import NO_MARKS, Marks
from sudoku_vision.sudoku.display import Line, TextStyle, wrapped
from sudoku_vision.sudoku.logic import Step, hints, next_steps
from sudoku_vision.texts import Sentence, say
from sudoku_vision.values import Image

if TYPE_CHECKING:
    from sudoku_vision.output.overlay.caption import Paragraph


class HintRun(BoardRun):
    """A run of ``hint``.

    The hints for all grids of a page are drawn into one picture. With ``--next``, each step has its own
    picture with its sentence; all are in one file, one above the other.
    """

    name = "hint"

    def __init__(self, arguments: Sequence[str], options: Options) -> None:
        super().__init__(arguments, options)
        self._output = PictureOutput(options, self.inputs, "hint")
        self.share_standard_output(self._output, "the picture")
        self.reader = PageReader(options, keep_photo=self._output.is_wanted)
        self._drawn: list[Image] = []
        self._captions: list[list[Paragraph]] = []

    def answer(self, board: InputBoard, asked: HintRequest) -> Answer:
        """Return the next step, or several with ``--next``; draw them if the command writes a picture."""
        options = self.options
        candidates = asked.marks if options.marks else NO_MARKS
        steps = hints(asked.board, candidates, asked.clues, rules=asked.rules)
        following = steps[:1]
        if options.following is not None:
            wanted = options.following
            following = next_steps(asked.board, wanted, candidates, asked.clues, rules=asked.rules)
        if self._output.is_wanted and following:
            self._draw(board, asked, following, candidates)
        data = hint_data(asked, steps, marks=options.marks)
        if options.following is not None:
            data["next"] = [step.to_dict(options.text_language) for step in following]
        if not steps:
            words = self.style.say("full.unwritten" if options.output else "full")
            return Answer([[(words, "")]], data)
        lines = self._lines(asked, steps, following, data)
        return Answer(lines, data, full=data["status"] == "one")

    def write(self, page: InputPage) -> str | None:
        """Write one picture with the hints for all grids of a page, and return its path, if it has one."""
        pictures, self._drawn = self._drawn, []
        captions, self._captions = self._captions, []
        if not pictures:
            return None
        import numpy as np

        from sudoku_vision.output.overlay.caption import captioned

        picture = np.vstack(list(map(captioned, pictures, captions)))
        exif = b"" if page.page.photo is None else page.page.photo.exif
        data = encode(picture, ending_for(page, self._output.picture_ending), name=page.name, exif=exif)
        return self._output.write_page(replace(page, picture=data))

    def _draw(self, board: InputBoard, asked: HintRequest, steps: Sequence[Step], marks: Marks) -> None:
        """Draw each of *steps* for a board into a picture of its page; *marks*: those before the steps."""
        from sudoku_vision.output.overlay.caption import step_caption
        from sudoku_vision.output.overlay.hint_drawing import overlay_steps

        page, detail = board.of.page, self.options.tell
        photo, grids = (page.photo, page.grids) if page.photo else plain_drawing(page.grids[0], board.name)
        missing = len(steps) - len(self._drawn)
        self._drawn += [photo.pixels] * missing
        self._captions += [[] for _ in range(missing)]
        self._drawn[: len(steps)] = overlay_steps(
            *(self._drawn[: len(steps)], grids[board.place], asked.board, steps),
            candidate_marks=marks,
            detail=detail,
        )
        for place, (step, caption) in enumerate(zip(steps, self._captions, strict=False), start=1):
            number = self.style.say("grid.number", number=board.number)
            before = f"{number}: " if board.number else ""
            before += f"{place}. " if len(steps) > 1 else ""
            caption += step_caption(step, detail, before=before, language=asked.language)
        self._captions[0] += [(caution, False) for caution in asked.warnings()]

    def _lines(
        self, asked: HintRequest, steps: Sequence[Step], following: Sequence[Step], data: dict[str, Any]
    ) -> list[Line]:
        """Return lines with the first of *steps* as a hint, or with all *following* steps for ``--next``."""
        options, style = self.options, self.style
        sentences = _marks_sentences(asked) if options.marks else []
        lines: list[Line] = [[(say(sentence, style.language), "")] for sentence in sentences]
        if options.following is None:
            lines.append(step_line(steps[0], style, options.tell))
            if options.tell == "step" and len(steps) > 1:
                lines.append([(_leads_to(steps[1:], style), "")])
        lines = [piece for line in lines for piece in wrapped(line, style, hang=2)]
        if options.following is not None:
            lines += numbered_steps(following, style, options.tell)
            if len(following) < options.following:
                lines.append([(style.say("then.full" if data["status"] == "one" else "then.uncertain"), "")])
        if data["message"]:
            lines += wrapped([(data["message"], "bold yellow")], style, hang=2)
        return lines


def _marks_sentences(asked: HintRequest) -> list[Sentence]:
    """Return sentences about the person's pencil marks: whether they are used, and where they are wrong."""
    lost = asked.lost_marks
    if not any(asked.marks) and not lost:
        return [Sentence("marks.none")]
    sentences = [Sentence("marks.taken")] * any(asked.marks)
    return [*sentences, Sentence("marks.lost", {"cells": lost})] if lost else sentences


def _leads_to(steps: Sequence[Step], text_style: TextStyle) -> str:
    """Return a sentence about the *steps* after the first step of a hint, and the digit at their end."""
    counts = Counter(step.technique.name for step in steps)
    names = [
        Sentence("then.step", {"name": Sentence(f"technique.{name}"), "count": count})
        for name, count in counts.items()
    ]
    if not steps[-1].placements:
        return text_style.say("then.steps", steps=names)
    ((cell, digit), *_) = steps[-1].placements
    return text_style.say("then.filled", steps=names, cell=cell, digit=digit)
