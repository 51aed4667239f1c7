"""``sudoku-vision rate``: rates how hard puzzles are."""

from sudoku_vision.api.answers import HintRequest, rating_data
from sudoku_vision.cli.board_run import Answer, BoardRun
from sudoku_vision.cli.pages import InputBoard
from sudoku_vision.sudoku.display import Span, labelled, shortened
from sudoku_vision.sudoku.logic import rate

_STYLES = {
    "easy": "bold green",
    "medium": "green",
    "hard": "bold yellow",
    "expert": "bold red",
    "extreme": "bold magenta",
}


class RateRun(BoardRun):
    """A run of ``rate``, which prints a small table for each board on a terminal, and a line elsewhere."""

    name, headings = "rate", False

    def answer(self, board: InputBoard, asked: HintRequest) -> Answer:
        """Return the rating of the board, as lines and as a JSON object."""
        asked = asked.begun_at(self.options.start)
        rating = rate(asked.board, rules=asked.rules)
        data = rating_data(asked, rating)
        counts = [f"{count} x {technique.name}" for technique, count in rating.counts.items()]
        name: Span = (rating.name, _STYLES[rating.name])
        if self.style.width is None:
            hardest = "" if rating.hardest is None else f", hardest technique: {rating.hardest.name}"
            tail = f", score {rating.score}{hardest}" + (f" ({', '.join(counts)})" if counts else "")
            return Answer([[(f"{board.name}: ", ""), name, (tail, "")]], data)
        rows: list[tuple[str, Span]] = [("level", name), ("score", (str(rating.score), ""))]
        if rating.hardest is not None:
            rows.append(("hardest", (rating.hardest.name, "")))
        rows += [("" if place else "steps", (count, "")) for place, count in enumerate(counts)]
        heading = shortened(board.name, 1, self.style) + ":"
        return Answer([[(heading, "bold")], *labelled(rows, self.style), []], data)
