"""``sudoku-vision explain``: prints and draws all steps to the solution, each with its reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from sudoku_vision.api.answers import HintRequest, explained, explanation_data
from sudoku_vision.cli.board_run import Answer, BoardRun
from sudoku_vision.cli.inputs import paths_of
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.outputs import PAGES_ENDING, Output, packed
from sudoku_vision.cli.pages import InputBoard, InputPage
from sudoku_vision.errors import SaveError
from sudoku_vision.output.save import check_print, make_folder, write_atomically
from sudoku_vision.sudoku.display import Line, TextStyle, solution_cells, styled_board, wrapped
from sudoku_vision.sudoku.logic import Detail, Explanation, Step, rating_of
from sudoku_vision.texts import Sentence, say, visible

if TYPE_CHECKING:
    from sudoku_vision.output.overlay.step_sheets import StepSheet

_UNNAMED = ("board", "stdin")  # names for boards that don't come from a file
_MAX_PIXELS = 100e6  # largest number of pixels in a picture of steps: about 600 steps; a PDF can have more


class ExplainRun(BoardRun):
    """A run of ``explain``.

    A file with the steps of all boards is written at the end. In a folder, the steps of a board are written
    when its page is done; each of several boards has its own subfolder.
    """

    name = "explain"

    def __init__(self, arguments: Sequence[str], options: Options) -> None:
        super().__init__(arguments, options)
        sources = paths_of(self.inputs)
        self._output = Output(options.output, sources, check_file=check_print)
        self.share_standard_output(self._output, "the pages")
        if self._output.is_standard_output or self._output.ending == PAGES_ENDING:
            from sudoku_vision.output.drawing.pdf_files import check_printing

            check_printing()
        self._of_page: list[tuple[str, StepSheet]] = []
        self._sheets: list[StepSheet] = []

    def answer(self, board: InputBoard, asked: HintRequest) -> Answer:
        """Return all steps to the solution; if there is an output, also store the steps for it."""
        asked = asked.begun_at(self.options.start)
        explanation = explained(asked, self.options.method)
        if self._output.is_wanted:
            stem = board.of.stem + (f"-grid{board.number}" if board.number else "")
            self._of_page.append((stem, _sheet(board, asked, explanation)))
        lines = numbered_steps(explanation.steps, self.style, headings=explanation.headings)
        lines += _end_lines(explanation, asked, self.style)
        return Answer(lines, explanation_data(asked, explanation), full=explanation.status == "one")

    def write(self, page: InputPage) -> str | None:
        """Write pictures of the steps for a page into the output folder, and return the folder's path.

        The path of a file is returned only with ``--json``; otherwise it is printed once at the end.
        """
        of_page, self._of_page = self._of_page, []
        if not of_page:
            return None
        if not self._output.is_folder:
            self._sheets += [sheet for _, sheet in of_page]
            return str(self._output.path) if self.options.as_json and self._output.is_file else None
        folder = self._output.path
        is_alone = len(self.inputs) == len(of_page) == 1 and of_page[0][0] == page.item.stem
        for stem, sheet in of_page:
            folder = self._output.path if is_alone else self._output.free(self._output.path / stem)
            _fill(folder, sheet, self._output)
        return str(folder if len(of_page) == 1 else self._output.path)

    def finish(self) -> None:
        """If the output is a file, write it with the steps of all boards."""
        if not self._sheets:
            return
        output = self._output
        with self.reporter.guarded(str(output.path)):
            output.write(_packed(self._sheets, output.ending or PAGES_ENDING, str(output.path)))
            self.reporter.add_written(output.path if output.is_file else None)


def _sheet(board: InputBoard, asked: HintRequest, explanation: Explanation) -> StepSheet:
    """Return the sheet to draw for a board: steps, a title, cautions, and the numbers of steps and trials."""
    from sudoku_vision.output.overlay.step_sheets import StepSheet

    name = board.board.name or Path(board.name).name
    title = "Sudoku" if board.of.stem in _UNNAMED else visible(name)
    note = explanation.message if explanation.solution is None else _solved_in(explanation)
    if explanation.solution is not None and explanation.method == "easiest":
        how_hard = rating_of(Counter(step.technique for step in explanation.steps))
        difficulty = {"difficulty": Sentence(f"difficulty.{how_hard.name}"), "score": how_hard.score}
        note += " " + say(Sentence("solved.difficulty", difficulty), explanation.language)
    return StepSheet(explanation, asked.clues, title, (*asked.warnings(), note))


def _end_lines(explanation: Explanation, asked: HintRequest, text_style: TextStyle) -> list[Line]:
    """Return the lines after the steps: their number and the solved board, or why there is no solution."""
    if explanation.solution is None:
        return wrapped([(explanation.message, "bold yellow")], text_style)
    cells = solution_cells(explanation.solution, asked.clues)
    board = styled_board(cells, text_style.unicode, asked.rules)
    return [*wrapped([(_solved_in(explanation), "bold green")], text_style), *board]


def _solved_in(explanation: Explanation) -> str:
    trials = sum(step.trial is not None for step in explanation.steps)
    steps = Sentence("solved.steps", {"count": len(explanation.steps)})
    key = "solved.trials" if trials else "solved.logic"
    return say(Sentence(key, {"steps": steps, "count": trials}), explanation.language)


def step_line(step: Step, text_style: TextStyle, detail: Detail = "step") -> Line:
    """Return a line about a *step*: its name, its place or its sentence, by *detail*."""
    name = (step.technique.title_in(text_style.language), "bold")
    if detail == "name":
        return [name]
    if detail == "place":
        return [name, (f" {step.place(text_style.language)}", "")]
    return [name, (f": {step.text_in(text_style.language)}", "")]


def numbered_steps(
    steps: Sequence[Step],
    text_style: TextStyle,
    detail: Detail = "step",
    *,
    headings: Mapping[int, str] = MappingProxyType({}),
) -> list[Line]:
    """Return lines with the numbered *steps*; *headings*: texts above steps, by the index of the step."""
    width = len(str(len(steps)))
    lines: list[Line] = []
    for place, step in enumerate(steps):
        if place in headings:
            lines += wrapped([(f"{headings[place]}:", "bold")], text_style)
        line = [(f"{place + 1:{width}}. ", "dim"), *step_line(step, text_style, detail)]
        lines += wrapped(line, text_style, hang=width + 2)
    return lines


def _fill(folder: Path, sheet: StepSheet, output: Output) -> None:
    from sudoku_vision.output.overlay.step_sheets import STEP_DPI, step_figures

    make_folder(folder)
    digits = max(3, len(str(len(sheet.explanation.steps))))
    for number, figure in enumerate(step_figures(sheet), start=1):
        path = output.free(folder / f"step-{number:0{digits}d}.png")
        write_atomically(path, packed(figure, ".png", STEP_DPI, name=str(path)))


def _packed(sheets: Sequence[StepSheet], ending: str, name: str) -> bytes:
    """Return the bytes of a file with the steps of all boards: a PDF with pages, an SVG, or a picture.

    Raises :class:`SaveError`, with the *name* of the file, if a picture would be too large.
    """
    from sudoku_vision.output.overlay.step_sheets import SHEET_DPI, sheet_figure, sheet_pages

    title = sheets[0].title
    if ending == PAGES_ENDING:
        from sudoku_vision.output.drawing.pdf_files import pdf

        return pdf(sheet_pages(sheets), title=title)
    figure = sheet_figure(sheets)
    if ending != ".svg" and figure.height * figure.width * (SHEET_DPI / 25.4) ** 2 > _MAX_PIXELS:
        raise SaveError(f"{name}: one picture is too small for so many steps.", "Name a .pdf, or a folder.")
    return packed(figure, ending, SHEET_DPI, name=name, title=title)
