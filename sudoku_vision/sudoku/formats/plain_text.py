"""Text: boards in lines and in grids, among notes and titles, as people and programs print them.

Every line is one of these, and is told by what it holds:

* a *board* of its own: 81 cells, with or without something before or behind (a puzzle's number, its rating,
  its solution), 81 cells apart from each other, or a line of HoDoKu's library;
* a *row* of nine cells, or of eighteen where two boards stand side by side; bars, brackets, commas, quotes
  and spaces between them do not count;
* a *rule*, drawn between rows; a *gap*, which is an empty line;
* a *note* (``#``) or anything else: a title if it stands right above a board, otherwise skipped.

Where a line could be more than one of them:

* a line of nine dashes (or underscores, or stars) is a rule, unless the rows around it write blanks that way
  and it takes this line to make nine;
* of two boards side by side or in one line, the second is left out if it is the first one's solution;
* in a table with a header, the column named puzzle (or quiz, board, ...) counts;
* a line of exactly 81 digits and spaces is a board whose blanks are spaces; rows with spaces for blanks are
  read by their columns, if only one way to lay nine columns through the digits fits;
* rows of candidates (``1567 3 1567 | ...``) make a board of the cells that have but one.

Rows that do not make boards of nine, and lines that are almost a board, are errors and never skipped.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from sudoku_vision.errors import BoardError
from sudoku_vision.results import board_text
from sudoku_vision.sudoku.display import board_lines
from sudoku_vision.sudoku.formats import cell_marks
from sudoku_vision.sudoku.formats.grids import RowGroup, is_loose, is_rule, read_row
from sudoku_vision.sudoku.formats.named_board import Format, NamedBoard, Writer, digit_rows, marks_without
from sudoku_vision.sudoku.formats.tables import Table, written_table

LONGEST_LINE = 100_000  # characters of a line: a board with its solution and a book of remarks takes 10,000

MOST_WORDS = 4_000_000
"""Characters of lines without a board, in one text: three thick books, whose lines take some seconds."""


_SPLIT = re.compile(r"[\s,;|\"']+")
_PARTED = re.compile(r"[\s,;|\[\](){}\"']+")
_CELL = r"[1-9" + re.escape(cell_marks.BLANK_MARKS) + r"]"
_HODOKU = re.compile(r":[^:]*:[^:]*:(?P<cells>[^:]+):(?P<struck>[^:]*)(?::[^:]*){0,4}")
_PLUSES = re.compile(rf"(?:{_CELL}|\+[1-9]){{81}}")

_ALMOST = 0.9  # share of cells among the characters of a word above which it is meant as a board
_BOARDLIKE = range(60, 110)
"""Lengths of a word of cells that is meant as a board of 81, in spite of a wrong character."""
_TWO_ROWS = 18  # cells in a word above which it is more than two rows: a board, then
_ROWLIKE = (7, 8, 10, 11)  # cells apart from each other that are meant as a row of nine
_NOTE = re.compile(r"\s*(?:#|//|%)\s?(.*)")
_DESCRIPTION = re.compile(r"\s*#D(?:\s+|(?=[^a-z\s]))(.*)")
"""SadMan's and SudoCue's header for a title; ``#Daily`` is a note."""


def read_plain_text(text: str, first_line: int = 1) -> list[NamedBoard]:
    """Read the boards of a text, in order; none if there is nothing like a board in it.

    Lines are counted from *first_line*. Raises :class:`~sudoku_vision.errors.BoardError` for what is meant as
    a board, but is none.
    """
    reader = _Reader()
    for number, line in enumerate(text.split("\n"), start=first_line):
        reader.take(number, line)
    reader.close(None)
    return reader.boards


class _Reader:
    """Takes line by line, and keeps the boards that they make."""

    def __init__(self) -> None:
        self.boards: list[NamedBoard] = []
        self._group = RowGroup()
        self._table = Table()
        self._title = ""
        self._description = ""
        self._words_seen = 0

    def take(self, number: int, line: str) -> None:
        """Sort in the next line."""
        if len(line) > LONGEST_LINE:
            what = f"line {number} has {len(line):,} characters, the limit is {LONGEST_LINE:,}."
            raise BoardError(what, "Give each board lines of its own.")
        if cell_marks.BOARD_81.fullmatch(line):  # by far the most of the lines of a long list
            self._add(cell_marks.board_of_marks(line, number))
        elif not line.strip():
            self._group.gap()
            self._title = ""
        elif note := _NOTE.match(line):
            self._note(line, note[1])
        elif row := read_row(line, number):
            self._begin_group()
            self._group.row(row, line)
        elif board := _board_of_line(line, number, self._table):
            self._add(board)
        elif is_rule(line):
            self._group.rule(number, line)
        elif is_loose(line) and (self._group or not line.strip().isdigit()):
            self._begin_group()
            self._group.loose_row(number, line)
        else:
            self.close((number, line))
            self._words(number, line)

    def close(self, by: tuple[int, str] | None) -> None:
        """End the rows gathered so far, which the line *by* comes behind, and make boards of them."""
        self.boards += self._group.boards(by)
        self._group = RowGroup()

    def _add(self, board: NamedBoard) -> None:
        """Take a board of one line, which goes by its own name or else by the heading above it."""
        self.close((board.line, "a board of its own"))
        heading = self._heading()
        self.boards.append(replace(board, name=heading) if heading and not board.name else board)

    def _begin_group(self) -> None:
        """Give the heading to the rows that begin here."""
        if not self._group:
            self._group.name = self._heading()

    def _heading(self) -> str:
        """Return the name for a board that begins here."""
        name = self._description or self._title
        self._title = self._description = ""
        return name

    def _note(self, line: str, words: str) -> None:
        """Remember a note as a title; within a board it is none."""
        if self._group.unfinished:
            return
        self.close(None)
        described = _DESCRIPTION.match(line)
        if described:
            self._description = described[1]
        else:
            self._title = words

    def _words(self, number: int, line: str) -> None:
        """Remember a line of words: a title, or the header of a table."""
        self._words_seen += len(line)
        if self._words_seen > MOST_WORDS:
            what = (
                f"up to line {number} there are more than {MOST_WORDS:,} characters that belong to no board."
            )
            raise BoardError(what, "Leave out what stands between the boards.")
        table = Table.of_header(line)
        self._table = table or self._table
        self._title = "" if table or line[0].isspace() else line.strip().rstrip(":")


def _board_of_line(line: str, number: int, table: Table) -> NamedBoard | None:
    """Read the board in a line of that number, or give None; its name is what the line itself says.

    Raises :class:`~sudoku_vision.errors.BoardError` for what is almost a board, or almost a row of one.
    """
    hodoku = _HODOKU.fullmatch(line.strip())
    if hodoku:
        board = _with_placed(hodoku["cells"], number)
        struck = [""] * 81
        for digit, row, column in re.findall(r"\b([1-9])([1-9])([1-9])\b", hodoku["struck"]):
            struck[9 * int(row) + int(column) - 10] += digit
        return replace(board, marks=marks_without(board, struck))
    words = [word for word in _SPLIT.split(line) if word]
    boards = [word for word in words if cell_marks.BOARD_81.fullmatch(word)]
    if boards:
        first, *others = boards
        is_answer = bool(others) and cell_marks.solves(first, others[0])  # then it stands before its puzzle
        puzzle, name = table.pick(line) or (others[0] if is_answer else first, "")
        return cell_marks.board_of_marks(puzzle, number, name or line.partition("#")[2].strip())
    placed = next((word for word in words if _PLUSES.fullmatch(word)), None)
    if placed:
        return _with_placed(placed, number)
    if len(line) == 81 and not line.strip("0123456789 ") and cell_marks.has_digit(line):
        return cell_marks.board_of_marks(line.replace(" ", "0"), number)
    cells = _PARTED.sub(" ", line).split()
    if len(cells) == 81 and all(cell_marks.is_cell(cell) for cell in cells):
        return cell_marks.board_of_marks("".join(map(cell_marks.mark_of, cells)), number)
    for word in words:
        _refuse_almost(word, number)
    _refuse_row(cells, number)
    return None


def _with_placed(cells: str, line: int) -> NamedBoard:
    """Read a board in which ``+`` stands before each digit that is no clue."""
    found = re.findall(rf"\+?{_CELL}", cells)
    if "".join(found) != cells or len(found) != 81:
        raise BoardError(
            f"line {line}: a board has 81 cells, this one has {len(cells.replace('+', ''))}.",
            cell_marks.REMEDY,
        )
    digits = np.array([cell_marks.digit_of(cell[-1]) for cell in found], np.int8).reshape(9, 9)
    placed = np.array([cell[0] == "+" for cell in found]).reshape(9, 9)
    return NamedBoard(np.where(placed, 0, digits), np.where(placed, digits, 0), line=line)


def _refuse_almost(word: str, line: int) -> None:
    """Raise for a word that is meant as a board, but has a wrong length or a wrong character in it."""
    known = sum(mark in cell_marks.MARKS for mark in word)
    whole = known == len(word) > _TWO_ROWS
    if not whole and (len(word) not in _BOARDLIKE or known < _ALMOST * len(word)):
        return
    if not cell_marks.has_digit(word):
        return  # a rule of another kind
    wrong = next((place for place, mark in enumerate(word) if mark not in cell_marks.MARKS), None)
    if len(word) == 81 and wrong is not None:
        what = f"{word[wrong]!r} at place {wrong + 1} is neither a digit nor a blank."
        raise BoardError(f"line {line}: {what}", cell_marks.REMEDY)
    raise BoardError(f"line {line}: a board has 81 cells, this one has {len(word)}.", cell_marks.REMEDY)


def _refuse_row(cells: Sequence[str], line: int) -> None:
    """Raise for cells apart from each other that are meant as a row, but are not nine."""
    single = all(len(cell) == 1 and cell in cell_marks.MARKS for cell in cells)
    if single and len(cells) in _ROWLIKE and cell_marks.has_digit("".join(cells)):
        raise BoardError(f"line {line}: a row has nine cells, this one has {len(cells)}.", cell_marks.REMEDY)


def _lined(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _each(text: Callable[[NamedBoard], str], between: str = "") -> Writer:
    """Return the writer that puts the texts of boards one behind the other."""
    return lambda boards: between.join(map(text, boards))


def _simple_sudoku(board: NamedBoard) -> str:
    rows = [f"{row[:3]}|{row[3:6]}|{row[6:]}" for row in digit_rows(board)]
    return "\n-----------\n".join("\n".join(rows[at : at + 3]) for at in (0, 3, 6)) + "\n"


def _hodoku_line(board: NamedBoard) -> str:
    cells = zip(board.clues.flat, board.placed.flat, strict=True)
    marks = (str(clue) if clue else f"+{placed}" if placed else "." for clue, placed in cells)
    return f":0000:x:{''.join(marks)}:::\n"


_LINES = _each(lambda board: f"{board_text(board.clues)}\n")
_GRIDS = _each(lambda board: _lined(board_lines(board.clues, rules=board.rules)), between="\n")
_BOXES = _each(lambda board: _lined(board_lines(board.clues, unicode=True, rules=board.rules)), between="\n")
_CELLS = _each(lambda board: _lined(digit_rows(board, "", ",")), between="\n")

FORMATS = (
    Format("line", "81 digits a line, 0 for blank", read_plain_text, _LINES, (".txt",)),
    Format("grid", "a grid to read and print, boxes marked", read_plain_text, _GRIDS),
    Format("boxes", "the same, drawn with line characters", read_plain_text, _BOXES),
    Format("sdm", "a collection, one puzzle a line", read_plain_text, _LINES, (".sdm",)),
    Format("ss", "Simple Sudoku", read_plain_text, _each(_simple_sudoku), (".ss",), several=False),
    Format(
        "csv",
        "a table with the columns puzzle and solution, name if there are any",
        read_plain_text,
        written_table,
        (".csv",),
        keeps=("name",),
    ),
    Format("cells", "nine rows of nine columns with commas, for a spreadsheet", read_plain_text, _CELLS),
    Format(
        "hodoku",
        "lines of HoDoKu's library; `+` before placed digits",
        read_plain_text,
        _each(_hodoku_line),
        keeps=("placed",),
    ),
)
