"""The runs of ``hint``, ``explain`` and ``rate``, which work board by board."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from sudoku_vision.api.answers import (
    HintRequest,
    board_answer,
    explained,
    hint_data,
    refused_answer,
    request_of_grid,
    result_data,
)
from sudoku_vision.cli.inputs import paths_of
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.outputs import PAGES_ENDING, Output, PictureOutput, ending_for, packed, plain_drawing
from sudoku_vision.cli.pages import InputBoard, InputPage, boards_of, doubt_lines
from sudoku_vision.cli.run import PageReader, Run
from sudoku_vision.errors import BoardError, ImproperError, SaveError, SudokuVisionError, explained_memory
from sudoku_vision.output.save import check_print, encode, make_folder, write_atomically
from sudoku_vision.sudoku.board import NO_MARKS
from sudoku_vision.sudoku.display import (
    Line,
    Span,
    TextStyle,
    labelled,
    puzzle_cells,
    shortened,
    solution_cells,
    styled_board,
    wrapped,
)
from sudoku_vision.sudoku.logic import Explanation, hints, next_steps, rate, rating_of
from sudoku_vision.sudoku.logic.steps import Step
from sudoku_vision.sudoku.rules import CLASSIC
from sudoku_vision.texts import Sentence, say, visible
from sudoku_vision.values import Image

if TYPE_CHECKING:
    from sudoku_vision.output.drawing.text_metrics import Paragraph
    from sudoku_vision.output.overlay.step_sheets import StepSheet


@dataclass(frozen=True)
class Answer:
    """The answer for a ``board``: ``lines`` are its text for people, ``data`` is its JSON object.

    ``asked``: the request. ``full``: whether the answer counts as a success. ``drawn``: what
    :meth:`BoardRun.write` draws; None if it draws nothing.
    """

    board: InputBoard
    asked: HintRequest
    lines: list[Line]
    data: dict[str, Any]
    full: bool = True
    drawn: Any = None


class BoardRun(Run):
    """A run that answers one board after another. A board without an answer is reported as an error."""

    headings: ClassVar[bool] = True
    """Whether a board from a picture is printed before its answer. Also whether the name of each board is
    printed if there are several boards."""

    @abstractmethod
    def answer(self, board: InputBoard, asked: HintRequest) -> Answer:
        """Return the answer for a board. Raises :class:`SudokuVisionError` if there is no answer."""

    def write(self, page: InputPage, answers: Sequence[Answer]) -> str | None:  # noqa: ARG002 (nothing here)
        """Write pictures of the *answers* for a page into one file or folder. Return its path, or None."""
        return None

    def take(self, page: InputPage) -> None:
        """Answer the boards of a page, write its pictures, and print the results."""
        boards = boards_of(page)
        answers = [self._answer_or_error(board) for board in boards]
        written = None
        with self.reporter.guarded(page.name):
            written = self.write(page, [one for one in answers if isinstance(one, Answer)])
        is_alone = len(self.inputs) == len(boards) == 1 and page.name == self.inputs[0].name
        for board, answer in zip(boards, answers, strict=True):
            if isinstance(answer, Answer):
                self._report_answer(answer, written, named=not is_alone)
            else:
                self._report_error(board, answer)

    def _answer_or_error(self, board: InputBoard) -> Answer | SudokuVisionError:
        if board.error is not None:
            return board.error
        assert board.grid is not None, "there is an error otherwise"
        try:
            with explained_memory(board.name):
                in_text, language = not board.of.is_picture, self.options.text_language
                asked = request_of_grid(board.grid, in_text=in_text, language=language)
                return self.answer(board, asked)
        except SudokuVisionError as error:
            return error

    def _report_answer(self, answer: Answer, written: str | None, *, named: bool) -> None:
        """Print and count an answer.

        *named*: whether to print the name of the board. *written*: the path of the pictures, or None.
        """
        board, asked = answer.board, answer.asked
        sure = answer.full and (board.grid is None or board.grid.status != "uncertain")
        self.reporter.add("answered" if sure else "uncertain")
        if self.options.as_json:
            data = board_answer(board.name, board.reading, asked, answer.data, written)
            self.reporter.print_json(data)
            return
        lines: list[Line] = [[(f"{board.name}:", "bold")]] if self.headings and named else []
        if self.headings and board.of.is_picture:
            cells = puzzle_cells(asked.clues, asked.board)
            heading = self.style.say("board.read")
            lines += [[(heading, "")], *styled_board(cells, self.style.unicode, asked.rules)]
        for caution in asked.warnings():
            lines += wrapped([(caution, "bold yellow")], self.style)
        lines += doubt_lines(board.doubts, board.number, board.of, self.style)
        lines += answer.lines
        self.reporter.print(lines)
        self.reporter.add_written(written)

    def _report_error(self, board: InputBoard, error: SudokuVisionError) -> None:
        self.reporter.add_error(error, board.name)
        if not self.options.as_json:
            self.reporter.print(doubt_lines(board.doubts, board.number, board.of, self.style))
            return
        status = error.status if isinstance(error, ImproperError) else "error"
        status = "malformed" if isinstance(error, BoardError) else status
        clues, rules = (board.board.clues, board.board.rules) if board.board else (None, CLASSIC)
        data = refused_answer(board.name, board.reading, status, str(error), clues, rules)
        self.reporter.print_json(data)

    def step_line(self, step: Step) -> Line:
        """Return a line about a *step*. It begins with the name of the technique.

        With ``--tell place``, it also says where on the board to look. With ``--tell step``, it also explains
        the step.
        """
        language, tell = self.style.language, self.options.tell
        texts = {"name": "", "place": f" {step.place(language)}", "step": f": {step.text_in(language)}"}
        return [(step.technique.title_in(language), "bold"), (texts[tell], "")]

    def numbered_steps(self, steps: Sequence[Step], headings: Mapping[int, str]) -> list[Line]:
        """Return lines with the numbered *steps*. *headings* maps a step's index to the text above it."""
        width = len(str(len(steps)))
        lines: list[Line] = []
        for place, step in enumerate(steps):
            if place in headings:
                lines += wrapped([(f"{headings[place]}:", "bold")], self.style)
            line = [(f"{place + 1:{width}}. ", "dim"), *self.step_line(step)]
            lines += wrapped(line, self.style, hang=width + 2)
        return lines


_STYLES = {
    "easy": "bold green",
    "medium": "green",
    "hard": "bold yellow",
    "expert": "bold red",
    "extreme": "bold magenta",
}


class RateRun(BoardRun):
    """A run of ``rate``. For each board, it prints a small table on a terminal, and otherwise one line.

    A puzzle is rated from its clues. If a person has filled in some cells, the remaining work is rated, too.
    """

    name, headings = "rate", False

    def answer(self, board: InputBoard, asked: HintRequest) -> Answer:
        """Return how hard the board is."""
        # If the clues alone have several solutions, only clues and entries together can be rated.
        is_puzzle = board.grid is not None and board.grid.solution is not None
        is_begun = is_puzzle and bool((asked.board != asked.clues).any())
        rated = asked.begun_at(self.options.start or ("clues" if is_begun else "entries"))
        rating = rate(rated.board, rules=rated.rules)
        data = result_data(rated, rating)
        say, rest = self.style.say, ""
        if self.options.start is None and is_begun and not asked.board.all():
            left = rate(asked.board, rules=asked.rules)
            data["rest"] = left.to_dict()
            rest = f"{say(f'difficulty.{left.name}')}, {say('rate.score')} {left.score}"
        counts = [
            f"{count} x {technique.title_in(self.style.language)}"
            for technique, count in rating.counts.items()
        ]
        name: Span = (say(f"difficulty.{rating.name}"), _STYLES[rating.name])
        hardest = "" if rating.hardest is None else rating.hardest.title_in(self.style.language)
        if self.style.width is None:
            tail = f", {say('rate.score')} {rating.score}"
            tail += f", {say('rate.technique', name=hardest)}" if hardest else ""
            tail += f" ({', '.join(counts)})" if counts else ""
            tail += f"; {say('rate.left', rating=rest)}" if rest else ""
            return Answer(board, asked, [[(f"{board.name}: ", ""), name, (tail, "")]], data)
        rows: list[tuple[str, Span]] = [
            (say("rate.level"), name),
            (say("rate.score"), (str(rating.score), "")),
        ]
        rows += [(say("rate.hardest"), (hardest, ""))] if hardest else []
        rows += [("" if place else say("rate.steps"), (count, "")) for place, count in enumerate(counts)]
        rows += [(say("rate.rest"), (rest, ""))] if rest else []
        heading = shortened(board.name, 1, self.style) + ":"
        return Answer(board, asked, [[(heading, "bold")], *labelled(rows, self.style), []], data)


_UNNAMED = ("board", "stdin")  # names for boards that don't come from a file
_MAX_PIXELS = 100e6  # largest number of pixels in a picture of steps; this is enough for 600 steps


class ExplainRun(BoardRun):
    """A run of ``explain``.

    If the output is a file, the steps of all boards are written at the end. If the output is a folder, the
    steps of a board are written when its page is done. If there are several boards, each board has its own
    subfolder.
    """

    name, output_words = "explain", "the pages"

    def __init__(self, arguments: Sequence[str], options: Options) -> None:
        super().__init__(arguments, options)
        sources = paths_of(self.inputs)
        self._output = Output(options.output, sources, check_file=check_print)
        if self._output.is_standard_output or self._output.ending == PAGES_ENDING:
            from sudoku_vision.output.drawing.pdf_files import check_printing

            check_printing()
        self._sheets: list[StepSheet] = []

    def answer(self, board: InputBoard, asked: HintRequest) -> Answer:
        """Return all steps to the solution."""
        asked = asked.begun_at(self.options.start)
        explanation = explained(asked, self.options.method)
        lines = self.numbered_steps(explanation.steps, explanation.headings)
        lines += _end_lines(explanation, asked, self.style)
        sheet = _sheet(board, asked, explanation) if self._output.is_wanted else None
        is_full, data = explanation.status == "one", result_data(asked, explanation)
        return Answer(board, asked, lines, data, is_full, sheet)

    def write(self, page: InputPage, answers: Sequence[Answer]) -> str | None:
        """Write pictures of the steps for a page into the output folder, and return the folder's path.

        If the output is a file, :meth:`finish` writes it. The file's path is returned here only with
        ``--json``.
        """
        output = self._output
        if not answers or not output.is_wanted:
            return None
        if not output.is_folder:
            self._sheets += [answer.drawn for answer in answers]
            return str(output.path) if self.options.as_json and output.is_file else None
        folder = output.path
        for board, sheet in ((answer.board, answer.drawn) for answer in answers):
            stem = board.of.stem + (f"-grid{board.number}" if board.number else "")
            is_alone = len(self.inputs) == len(answers) == 1 and stem == page.item.stem
            folder = output.path if is_alone else output.free(output.path / stem)
            _fill(folder, sheet, output)
        return str(folder if len(answers) == 1 else output.path)

    def finish(self) -> None:
        """If the output is a file, write the steps of all boards to it."""
        if not self._sheets:
            return
        output = self._output
        with self.reporter.guarded(str(output.path)):
            output.write(_packed(self._sheets, output.ending or PAGES_ENDING, str(output.path)))
            self.reporter.add_written(output.path if output.is_file else None)


def _sheet(board: InputBoard, asked: HintRequest, explanation: Explanation) -> StepSheet:
    from sudoku_vision.output.overlay.step_sheets import StepSheet

    name = (board.board and board.board.name) or Path(board.name).name
    title = "Sudoku" if board.of.stem in _UNNAMED else visible(name)
    note = explanation.message if explanation.solution is None else _solved_in(explanation)
    if explanation.solution is not None and explanation.method == "easiest":
        how_hard = rating_of(Counter(step.technique for step in explanation.steps))
        difficulty = {"difficulty": Sentence(f"difficulty.{how_hard.name}"), "score": how_hard.score}
        note += " " + say(Sentence("solved.difficulty", difficulty), explanation.language)
    return StepSheet(explanation, asked.clues, title, (*asked.warnings(), note))


def _end_lines(explanation: Explanation, asked: HintRequest, text_style: TextStyle) -> list[Line]:
    """Return the lines below the steps of a solution.

    The lines show the number of steps and the solved board. Without a solution, they say why there is none.
    """
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


def _fill(folder: Path, sheet: StepSheet, output: Output) -> None:
    from sudoku_vision.output.overlay.step_sheets import STEP_DPI, step_figures

    make_folder(folder)
    digits = max(3, len(str(len(sheet.explanation.steps))))
    for number, figure in enumerate(step_figures(sheet), start=1):
        path = output.free(folder / f"step-{number:0{digits}d}.png")
        write_atomically(path, packed(figure, ".png", STEP_DPI, name=str(path)))


def _packed(sheets: Sequence[StepSheet], ending: str, name: str) -> bytes:
    """Return the bytes of a file with the steps of all boards: a PDF with pages, an SVG, or a picture."""
    from sudoku_vision.output.overlay.step_sheets import SHEET_DPI, sheet_figure, sheet_pages

    title = sheets[0].title
    if ending == PAGES_ENDING:
        from sudoku_vision.output.drawing.pdf_files import pdf

        return pdf(sheet_pages(sheets), title=title)
    figure = sheet_figure(sheets)
    if ending != ".svg" and figure.height * figure.width * (SHEET_DPI / 25.4) ** 2 > _MAX_PIXELS:
        raise SaveError(f"{name}: one picture is too small for so many steps.", "Name a .pdf, or a folder.")
    return packed(figure, ending, SHEET_DPI, name=name, title=title)


class HintRun(BoardRun):
    """A run of ``hint``.

    Without ``--next``, one picture shows a page with a hint for each of its grids. With ``--next``, there is
    one picture for each step. Below a picture, words name and explain its steps. All pictures of a page are
    put into one file, one above the other.
    """

    name = "hint"

    def __init__(self, arguments: Sequence[str], options: Options) -> None:
        super().__init__(arguments, options)
        self._output = PictureOutput(options, self.inputs, "hint")
        self.reader = PageReader(options, keep_photo=self._output.is_wanted)

    def answer(self, board: InputBoard, asked: HintRequest) -> Answer:
        """Return the next step, or several steps with ``--next``."""
        options = self.options
        candidates = asked.marks if options.marks else NO_MARKS
        steps = hints(asked.board, candidates, asked.clues, rules=asked.rules)
        following = steps[:1]
        if options.following is not None:
            wanted = options.following
            following = next_steps(asked.board, wanted, candidates, asked.clues, rules=asked.rules)
        data = hint_data(asked, steps, marks=options.marks)
        if options.following is not None:
            data["next"] = [step.to_dict(options.text_language) for step in following]
        if not steps:
            words = self.style.say("full.unwritten" if options.output else "full")
            return Answer(board, asked, [[(words, "")]], data)
        lines = self._lines(asked, steps, following, data)
        return Answer(board, asked, lines, data, data["status"] == "one", following)

    def write(self, page: InputPage, answers: Sequence[Answer]) -> str | None:
        """Write one picture with the hints for all grids of a page. Return its path, or None."""
        answers = [answer for answer in answers if answer.drawn]
        if not self._output.is_wanted or not answers:
            return None
        import numpy as np

        from sudoku_vision.output.overlay.hint_drawing import overlay_steps
        from sudoku_vision.output.overlay.step_sheets import captioned, step_caption

        photo, grids = page.page.photo, page.page.grids
        if photo is None:
            photo, grids = plain_drawing(grids[0], page.name)
        pictures: list[Image] = [photo.pixels] * max(len(answer.drawn) for answer in answers)
        captions: list[list[Paragraph]] = [[] for _ in pictures]
        for answer in answers:
            board, asked = answer.board, answer.asked
            steps: Sequence[Step] = answer.drawn
            pictures[: len(steps)] = overlay_steps(
                *(pictures[: len(steps)], grids[max(0, board.number - 1)], asked.board, steps),
                candidate_marks=asked.marks if self.options.marks else NO_MARKS,
                detail=self.options.tell,
            )
            for place, (step, caption) in enumerate(zip(steps, captions, strict=False), start=1):
                number = self.style.say("grid.number", number=board.number)
                before = f"{number}: " if board.number else ""
                before += f"{place}. " if len(steps) > 1 else ""
                caption += step_caption(step, self.options.tell, before=before, language=asked.language)
            captions[0] += [(caution, False) for caution in asked.warnings()]
        picture = np.vstack(list(map(captioned, pictures, captions)))
        ending = ending_for(page, self._output.picture_ending)
        data = encode(picture, ending, name=page.name, exif=photo.exif)
        return self._output.write_page(replace(page, picture=data))

    def _lines(
        self, asked: HintRequest, steps: Sequence[Step], following: Sequence[Step], data: dict[str, Any]
    ) -> list[Line]:
        """Return lines about the next step, which is the first of *steps*.

        With ``--next``, the lines are about all steps in *following* instead.
        """
        options, style = self.options, self.style
        lines: list[Line] = []
        if options.marks and any(asked.marks):
            lines.append([(style.say("marks.taken"), "")])
        if options.marks and asked.lost_marks:
            lines.append([(style.say("marks.lost", cells=asked.lost_marks), "")])
        if options.marks and not lines:
            lines.append([(style.say("marks.none"), "")])
        if options.following is None:
            lines.append(self.step_line(steps[0]))
            if options.tell == "step" and len(steps) > 1:
                lines.append([(_leads_to(steps[1:], style), "")])
        lines = [piece for line in lines for piece in wrapped(line, style, hang=2)]
        if options.following is not None:
            lines += self.numbered_steps(following, {})
            if len(following) < options.following:
                lines.append([(style.say("then.full" if data["status"] == "one" else "then.uncertain"), "")])
        if data["message"]:
            lines += wrapped([(data["message"], "bold yellow")], style, hang=2)
        return lines


def _leads_to(steps: Sequence[Step], text_style: TextStyle) -> str:
    """Return a sentence about the *steps* that follow a hint. It names the digit that the steps place."""
    counts = Counter(step.technique.name for step in steps)
    names = [
        Sentence("then.step", {"name": Sentence(f"technique.{name}"), "count": count})
        for name, count in counts.items()
    ]
    if not steps[-1].placements:
        return text_style.say("then.steps", steps=names)
    ((cell, digit), *_) = steps[-1].placements
    return text_style.say("then.filled", steps=names, cell=cell, digit=digit)
