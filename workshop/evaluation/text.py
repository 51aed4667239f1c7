"""An evaluation as text: a table of counts, sentences, and a line for each failure."""

from collections.abc import Iterable, Mapping, Sequence
from textwrap import fill

from workshop.evaluation.metrics import Evaluation, Outcome

SHOWN_MISTAKES = 4  # at most this number of misread cells is listed for a failure
COLUMNS = 80  # sentences are broken into lines of this number of characters at most
_COUNTS_HEAD = ("tag", "photos", "puzzles", "found", "read", "%", "solved", "wrong", "false", "by hand")
_LEGEND = (
    "found: the grid is at its place; read: all clues are right; solved: called sure; wrong: called sure, "
    "but a digit is not right; false: a grid where there is none; by hand: puzzles whose handwriting is "
    "read, too"
)


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Return a table as text. The first column is aligned left, all others right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows]
    return "\n".join(line.rstrip() for line in lines)


def evaluation_text(evaluation: Evaluation) -> str:
    """Return all figures of an evaluation as text."""
    median = evaluation.median_seconds
    time = "" if median is None else f"median time {1000 * median:.1f} ms a picture"
    parts = [
        counts_text(evaluation),
        fill(_LEGEND, COLUMNS),
        _counts_line("answers", evaluation.roles()),
        _counts_line("pencil marks", evaluation.marks()),
        _counts_line("verdicts on entries", evaluation.verdicts()),
        time,
        failures_text(evaluation.failures),
    ]
    return "\n\n".join(filter(None, parts))


def counts_text(evaluation: Evaluation) -> str:
    """Return a table of the counts."""
    rows: list[Sequence[str]] = [_COUNTS_HEAD]
    for tag, of in evaluation.by_tag().items():
        share = f"{100 * of['read'] / of['puzzles']:.1f}" if of["puzzles"] else ""
        written = f"{of['handwriting_read']} of {of['handwriting']}" if of["handwriting"] else ""
        seen = (str(of[name]) for name in ("pictures", "puzzles", "found", "read"))
        rows.append((tag, *seen, share, str(of["solved"]), str(of["wrong"]), str(of["false"]), written))
    return aligned(rows)


def _counts_line(what: str, counts: Mapping[str, int]) -> str:
    """Return a line with the title *what* and the named *counts*; "" if all counts are 0."""
    words = ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in counts.items())
    return fill(f"{what}: {words}", COLUMNS) if any(counts.values()) else ""


def failures_text(failures: Iterable[Outcome]) -> str:
    """Return a line for each failure."""
    lines = []
    for failure in (outcome.to_dict() for outcome in failures):
        status = failure["status"].replace("_", " ")
        what = f"a grid where there is none, {status}" if failure["false"] else status
        mark = "WRONG " if failure["wrong"] else ""
        sure = "" if failure["confidence"] is None else f", confidence {failure['confidence']:.3f}"
        cells = f"; {shortened(failure['mistakes'])}" if failure["mistakes"] else ""
        lines.append(f"{mark}{failure['picture']}: {what}{sure}{cells}")
    return "\n".join(lines)


def shortened(words: Sequence[str], most: int = SHOWN_MISTAKES) -> str:
    """Return a text: at most the first *most* words, then the number of words that are left out."""
    more = len(words) - most
    return ", ".join(words[:most]) + (f" and {more} more" if more > 0 else "")
