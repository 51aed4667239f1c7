"""``sudoku-vision rate``: rates how hard puzzles are."""

from sudoku_vision.api.answers import HintRequest, rating_data
from sudoku_vision.cli.board_run import Answer, BoardRun
from sudoku_vision.cli.pages import InputBoard
from sudoku_vision.sudoku.display import Span, labelled, shortened
from sudoku_vision.sudoku.logic import Rating, rate

_STYLES = {
    "easy": "bold green",
    "medium": "green",
    "hard": "bold yellow",
    "expert": "bold red",
    "extreme": "bold magenta",
}


class RateRun(BoardRun):
    """A run of ``rate``: for each board, a small table on a terminal, and otherwise a line.

    The puzzle is rated from its clues. If a person has begun it, the rest is rated, too.
    """

    name, headings = "rate", False

    def answer(self, board: InputBoard, asked: HintRequest) -> Answer:
        """Return how hard the board is."""
        # If the clues alone have several solutions, only clues and entries together can be rated.
        is_puzzle = board.grid is not None and board.grid.solution is not None
        is_begun = is_puzzle and bool((asked.board != asked.clues).any())
        rated = asked.begun_at(self.options.start or ("clues" if is_begun else "entries"))
        rating = rate(rated.board, rules=rated.rules)
        data = rating_data(rated, rating)
        say, rest = self.style.say, ""
        if self.options.start is None and is_begun and not asked.board.all():
            left = rate(asked.board, rules=asked.rules)
            data["rest"] = left.to_dict()
            rest = f"{self._difficulty(left)}, {say('rate.score')} {left.score}"
        counts = [
            f"{count} x {technique.title_in(self.style.language)}"
            for technique, count in rating.counts.items()
        ]
        name: Span = (self._difficulty(rating), _STYLES[rating.name])
        hardest = "" if rating.hardest is None else rating.hardest.title_in(self.style.language)
        if self.style.width is None:
            tail = f", {say('rate.score')} {rating.score}"
            tail += f", {say('rate.technique', name=hardest)}" if hardest else ""
            tail += f" ({', '.join(counts)})" if counts else ""
            tail += f"; {say('rate.left', rating=rest)}" if rest else ""
            return Answer([[(f"{board.name}: ", ""), name, (tail, "")]], data)
        rows: list[tuple[str, Span]] = [
            (say("rate.level"), name),
            (say("rate.score"), (str(rating.score), "")),
        ]
        rows += [(say("rate.hardest"), (hardest, ""))] if hardest else []
        rows += [("" if place else say("rate.steps"), (count, "")) for place, count in enumerate(counts)]
        rows += [(say("rate.rest"), (rest, ""))] if rest else []
        heading = shortened(board.name, 1, self.style) + ":"
        return Answer([[(heading, "bold")], *labelled(rows, self.style), []], data)

    def _difficulty(self, rating: Rating) -> str:
        return self.style.say(f"difficulty.{rating.name}")
