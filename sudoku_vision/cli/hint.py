"""The work of ``sudoku-vision hint``: the easiest next step, and its picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sudoku_vision.api.json_output import hint_data
from sudoku_vision.cli.board_run import Answer, answer_boards
from sudoku_vision.cli.explain import numbered_steps, step_line
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.outputs import PictureOutput
from sudoku_vision.cli.pages import InputBoard, InputPage, picture_of
from sudoku_vision.cli.search import find_inputs
from sudoku_vision.errors import ExitCode
from sudoku_vision.output.save import encode
from sudoku_vision.results import NO_MARKS, Image, Marks
from sudoku_vision.sudoku.display import Line, TextStyle, wrapped
from sudoku_vision.sudoku.logic import Detail, Step, hints, next_steps
from sudoku_vision.texts import Sentence, say

if TYPE_CHECKING:
    from sudoku_vision.output.overlay.caption import Paragraph


def run_hint(arguments: Sequence[str], options: Options) -> ExitCode:
    """Print a hint for each board of *arguments*, and draw it where that is wanted; return its status."""
    inputs = find_inputs(arguments)
    output = PictureOutput(options, inputs, "hint")
    pictures = _HintPictures(output, options.tell)

    def answer(board: InputBoard, text_style: TextStyle) -> Answer:
        asked = board.asked
        candidates = asked.marks if options.marks else NO_MARKS
        steps = hints(asked.board, candidates, asked.clues, rules=asked.rules)
        following = steps[:1]
        if options.following is not None:
            wanted = options.following
            following = next_steps(asked.board, wanted, candidates, asked.clues, rules=asked.rules)
        pictures.add(board, following, candidates)
        return _answer(board, steps, following, options, text_style)

    aside = output.target.is_standard_output
    reporter = answer_boards("hint", inputs, options, answer, draw=pictures.write, output=output, aside=aside)
    return reporter.close(searched=inputs.searched)


class _HintPictures:
    """The pictures of a page with hints drawn in, each with its sentence.

    Hints for several grids are drawn into one picture; steps that follow one another one below the other.
    """

    def __init__(self, output: PictureOutput, detail: Detail) -> None:
        """Write to *output* as much as *detail* says."""
        self._output, self._detail = output, detail
        self._drawn: list[Image] = []
        self._captions: list[list[Paragraph]] = []

    def add(self, board: InputBoard, steps: Sequence[Step], marks: Marks) -> None:
        """Draw *steps*, one taken after the other from *marks* on, into pictures of the asked page."""
        if not self._output.target.is_wanted or not steps:
            return
        from sudoku_vision.output.overlay.caption import Paragraph, step_caption
        from sudoku_vision.output.overlay.hint_drawing import overlay_steps

        photo, grids = picture_of(board.of)
        several, grid = len(grids) > 1, grids[board.place]
        while len(self._drawn) < len(steps):
            self._drawn.append(photo.pixels)
            self._captions.append([])
        under = self._drawn[: len(steps)]
        self._drawn[: len(steps)] = overlay_steps(
            under, grid, board.asked.board, steps, candidate_marks=marks, detail=self._detail
        )
        for number, (step, caption) in enumerate(zip(steps, self._captions, strict=False), start=1):
            which = f"Grid {board.number}: " if several else ""
            counted = f"{number}. " if len(steps) > 1 else ""
            caption += step_caption(step, self._detail, before=which + counted, language=board.asked.language)
        self._captions[0] += [Paragraph(caution) for caution in board.asked.said()]

    def write(self, page: InputPage) -> str | None:
        """Write the picture of a page whose boards were added, and return its path."""
        pictures, self._drawn = self._drawn, []
        captions, self._captions = self._captions, []
        if not pictures:
            return None
        from sudoku_vision.output.overlay.caption import captioned, stacked

        picture = stacked(list(map(captioned, pictures, captions)))
        exif = b"" if page.photo is None else page.photo.exif
        data = encode(picture, self._output.ending(page), name=page.name, exif=exif)
        return self._output.write(page, data)


def _answer(
    board: InputBoard,
    steps: Sequence[Step],
    following: Sequence[Step],
    options: Options,
    text_style: TextStyle,
) -> Answer:
    data = hint_data(board.asked, steps, marks=options.marks)
    if options.following is not None:
        data["next"] = [step.to_dict(options.language) for step in following]
    if not steps:
        full = Sentence("full.unwritten" if options.output else "full")
        return Answer([[(say(full, options.language), "")]], data)
    said = _marks_sentences(board) if options.marks else []
    lines: list[Line] = [[(say(sentence, options.language), "")] for sentence in said]
    if options.following is None:
        lines.append(step_line(steps[0], options.tell, options.language))
        if options.tell == "step" and len(steps) > 1:
            lines.append([(_leads_to(steps[1:], options.language), "")])
    lines = [piece for line in lines for piece in wrapped(line, text_style, hang=2)]
    if options.following is not None:
        lines += numbered_steps(following, text_style, options.tell, language=options.language)
        if len(following) < options.following:
            end = Sentence("then.full" if data["status"] == "one" else "then.uncertain")
            lines.append([(say(end, options.language), "")])
    if data["message"]:
        lines += wrapped([(data["message"], "bold yellow")], text_style, hang=2)
    return Answer(lines, data, full=data["status"] == "one")


def _marks_sentences(board: InputBoard) -> list[Sentence]:
    """What becomes of the person's pencil marks."""
    lost = board.asked.lost_marks
    if not any(board.asked.marks) and not lost:
        return [Sentence("marks.none")]
    sentences = [Sentence("marks.taken")] * any(board.asked.marks)
    return [*sentences, Sentence("marks.lost", {"cells": lost})] if lost else sentences


def _leads_to(steps: Sequence[Step], language: str) -> str:
    """What comes after the first step of a hint, in a line."""
    counts = Counter(step.technique.name for step in steps)
    names = [
        Sentence("then.step", {"name": Sentence(f"technique.{name}"), "count": count})
        for name, count in counts.items()
    ]
    if not steps[-1].placements:
        return say(Sentence("then.steps", {"steps": names}), language)
    ((cell, digit), *_) = steps[-1].placements
    return say(Sentence("then.filled", {"steps": names, "cell": cell, "digit": digit}), language)
