"""The work of ``sudoku-vision explain``: every step to the solution with its reason, in text and drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from sudoku_vision.api.json_output import explained, explanation_data
from sudoku_vision.cli.board_run import Answer, answer_boards
from sudoku_vision.cli.drawings import PAGES_ENDING, packed
from sudoku_vision.cli.inputs import Inputs
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.outputs import FreeNames, find_target
from sudoku_vision.cli.pages import InputBoard, InputPage
from sudoku_vision.cli.search import find_inputs
from sudoku_vision.errors import ExitCode, SaveError
from sudoku_vision.escape_control import visible
from sudoku_vision.output.save import check_print, make_folder, write_atomically
from sudoku_vision.sudoku.display import Line, TextStyle, solution_cells, styled_board, wrapped
from sudoku_vision.sudoku.logic import Detail, Explanation, Step
from sudoku_vision.sudoku.logic.explain import rating_of
from sudoku_vision.texts import ENGLISH, Sentence, say

if TYPE_CHECKING:
    from sudoku_vision.api.hint_request import HintRequest
    from sudoku_vision.output.overlay.step_sheets import StepSheet

_UNNAMED = ("board", "stdin")  # stems of what was typed, and has no name to be called by
_MOST_PIXELS = 100e6
"""Of a sheet: some six hundred steps, for which the pages of a document are the better place."""


def run_explain(arguments: Sequence[str], options: Options) -> ExitCode:
    """Print and draw the way to the solution of each board, and return the exit status."""
    inputs = find_inputs(arguments)
    pictures = _StepPictures(inputs, options)

    def answer(board: InputBoard, text_style: TextStyle) -> Answer:
        asked = board.asked.begun_at(options.start)
        explanation = explained(asked, options.method)
        pictures.add(board, explanation)
        lines = [
            *numbered_steps(
                explanation.steps, text_style, headings=explanation.headings, language=options.language
            ),
            *_end_lines(explanation, asked, text_style),
        ]
        return Answer(lines, explanation_data(asked, explanation), full=explanation.status == "one")

    aside = pictures.target.is_standard_output
    reporter = answer_boards("explain", inputs, options, answer, draw=pictures.write, aside=aside)
    with reporter.guarded(str(pictures.target.path)):
        pictures.finish()
    return reporter.close(searched=inputs.searched)


def _end_lines(explanation: Explanation, asked: HintRequest, text_style: TextStyle) -> list[Line]:
    """The solution as a board, and what it took; or why there is none."""
    if explanation.solution is None:
        return wrapped([(explanation.message, "bold yellow")], text_style)
    cells = solution_cells(explanation.solution, asked.clues)
    board = styled_board(cells, text_style.unicode, asked.rules)
    return [*wrapped([(_solved_in(explanation), "bold green")], text_style), *board]


def _solved_in(explanation: Explanation) -> str:
    """Say what the way to the solution took."""
    trials = sum(step.trial is not None for step in explanation.steps)
    steps = Sentence("solved.steps", {"count": len(explanation.steps)})
    key = "solved.trials" if trials else "solved.logic"
    return say(Sentence(key, {"steps": steps, "count": trials}), explanation.language)


def step_line(step: Step, detail: Detail = "step", language: str = ENGLISH) -> Line:
    """Return a *step* as one line."""
    name = (step.technique.title_in(language), "bold")
    if detail == "name":
        return [name]
    if detail == "place":
        return [name, (f" {step.place(language)}", "")]
    return [name, (f": {step.told(language)}", "")]


def numbered_steps(
    steps: Sequence[Step],
    text_style: TextStyle,
    detail: Detail = "step",
    *,
    headings: Mapping[int, str] = MappingProxyType({}),
    language: str = ENGLISH,
) -> list[Line]:
    """Return the numbered *steps*; where they are wider than the terminal, they hang beneath their names.

    *headings* stand before some of them, by their place from 0.
    """
    width = len(str(len(steps)))
    lines: list[Line] = []
    for place, step in enumerate(steps):
        if place in headings:
            lines += wrapped([(f"{headings[place]}:", "bold")], text_style)
        line = [(f"{place + 1:{width}}. ", "dim"), *step_line(step, detail, language)]
        lines += wrapped(line, text_style, hang=width + 2)
    return lines


class _StepPictures:
    """The steps of all boards of a run, drawn.

    A file holds those of all boards, and is written at the end (:meth:`finish`); in a folder each board of
    several has a folder of its own, filled when its page is done (:meth:`write`).
    """

    def __init__(self, inputs: Inputs, options: Options) -> None:
        """Check ``-o`` before any work is done; errors as for :func:`find_target`."""
        self.target = find_target(options.output, inputs.paths, bare_is_folder=True, check_file=check_print)
        self.target.check_beside_json(options, "the pages")
        if self.target.is_standard_output or self.target.path.suffix.lower() == PAGES_ENDING:
            from sudoku_vision.output.drawing.typst_pdf import check_printing

            check_printing()
        self._as_json = options.as_json
        self._several = len(inputs.items) > 1
        self._stems = {item.stem for item in inputs.items}
        self._names = FreeNames(inputs.paths)
        self._of_page: list[tuple[str, StepSheet]] = []
        self._sheets: list[StepSheet] = []

    def add(self, board: InputBoard, explanation: Explanation) -> None:
        """Take in the steps of one board."""
        if not self.target.is_wanted:
            return
        from sudoku_vision.output.overlay.step_sheets import StepSheet

        stem = board.of.stem + (f"-grid{board.number}" if board.number else "")
        name = board.board.name if board.board is not None and board.board.name else Path(board.name).name
        title = "Sudoku" if board.of.stem in _UNNAMED else visible(name)
        note = explanation.message if explanation.solution is None else _solved_in(explanation)
        if explanation.solution is not None and explanation.method == "easiest":
            how_hard = rating_of(Counter(step.technique for step in explanation.steps))
            difficulty = {"difficulty": Sentence(f"difficulty.{how_hard.name}"), "score": how_hard.score}
            note += " " + say(Sentence("solved.difficulty", difficulty), explanation.language)
        sheet = StepSheet(explanation, board.asked.clues, title, (*board.asked.said(), note))
        self._of_page.append((stem, sheet))

    def write(self, _: InputPage) -> str | None:
        """Write what belongs to a page of the inputs, and return where it is, or will be."""
        of_page, self._of_page = self._of_page, []
        if not of_page:
            return None
        if not self.target.is_folder:
            self._sheets += [sheet for _, sheet in of_page]
            return str(self.target.path) if self._as_json and self.target.is_file else None
        alone = not self._several and len(of_page) == 1 and of_page[0][0] in self._stems
        folder = self.target.path
        for stem, sheet in of_page:
            folder = self.target.path if alone else self._names.free(self.target.path / stem)
            _fill(folder, sheet, self._names)
        return str(folder if len(of_page) == 1 else self.target.path)

    def finish(self) -> None:
        """Write the file that holds the steps of all boards."""
        if self._sheets:
            ending = PAGES_ENDING if self.target.is_standard_output else self.target.path.suffix.lower()
            self.target.write(_packed(self._sheets, ending, str(self.target.path)))
            if self.target.is_file and not self._as_json:
                print(f"Written: {self.target.path}")  # noqa: T201


def _fill(folder: Path, sheet: StepSheet, names: FreeNames) -> None:
    """Write a picture of each step into a *folder*; raises :class:`~sudoku_vision.errors.SaveError`."""
    from sudoku_vision.output.overlay.step_sheets import STEP_DPI, step_figures

    make_folder(folder)
    digits = max(3, len(str(len(sheet.explanation.steps))))
    for number, figure in enumerate(step_figures(sheet), start=1):
        path = names.free(folder / f"step-{number:0{digits}d}.png")
        write_atomically(path, packed(figure, ".png", STEP_DPI, name=str(path)))


def _packed(sheets: Sequence[StepSheet], ending: str, name: str) -> bytes:
    """Return the steps of all boards as pages (.pdf), or on one sheet of lines (.svg) or pixels."""
    from sudoku_vision.output.overlay.step_sheets import SHEET_DPI, sheet_figure, sheet_pages

    title = sheets[0].title
    if ending == PAGES_ENDING:
        from sudoku_vision.output.drawing.typst_pdf import pdf

        return pdf(sheet_pages(sheets), title=title)
    figure = sheet_figure(sheets)
    if ending != ".svg" and figure.height * figure.width * (SHEET_DPI / 25.4) ** 2 > _MOST_PIXELS:
        raise SaveError(f"{name}: one picture is too small for so many steps.", "Name a .pdf, or a folder.")
    return packed(figure, ending, SHEET_DPI, name=name, title=title)
