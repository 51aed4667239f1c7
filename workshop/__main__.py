"""The command line of the workshop: ``python -m workshop train|evaluate|draw``."""

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from sudoku_vision.blas import start_with_one_thread
from sudoku_vision.cli.app import stopped_as_by_ctrl_c
from sudoku_vision.cli.reporter import complain
from sudoku_vision.errors import ExitCode, SudokuVisionError, UsageError, explained_imports, explained_memory
from workshop import HALF_SOLVED_KINDS, KINDS


class _Parser(ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message[:1].upper()}{message[1:]}.", f"See: {self.prog} --help")


def _from(minimum: int) -> Callable[[str], int]:
    """Return a function that turns a text into a whole number, which must be at least *minimum*."""

    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < minimum:
            raise ArgumentTypeError(f"not a whole number from {minimum} on: {text!r}")
        return int(text)

    return number


def _parser() -> ArgumentParser:
    parser = _Parser("python -m workshop", description="The workshop beside sudoku_vision.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    several: dict[str, Any] = {"action": "append", "default": [], "type": Path}
    file: dict[str, Any] = {"type": Path, "metavar": "FILE"}
    marks: dict[str, Any] = {**file, "dest": "marks_table", "help": "table of the digits of pencil marks"}
    seed: dict[str, Any] = {"type": _from(0), "default": 0, "metavar": "N"}

    add = commands.add_parser("train", help="train a model from fonts, handwriting and photos").add_argument
    add(
        "--part",
        choices=("digits", "marks", "sums", "occlusion"),
        default="digits",
        help="model to train (digits)",
    )
    add("--fonts", metavar="DIR", help="folder with font files; repeatable", **several)
    add("--photos", metavar="DIR", help="folder with labelled photos; repeatable", **several)
    add("--handwriting", metavar="FILE", help=".npz with labels and images or points; repeatable", **several)
    add("--marks", **marks)
    add("--out", help="where to write the model (models/PART.npz)", **file)
    add("--quick", action="store_true", help="train a poor model in minutes, to try the way")
    add("--seed", help="the same seed and data give the same model (0)", **seed)
    add("--folds", help="measure with N models, each without the puzzles that it is measured on", **seed)

    add = commands.add_parser("evaluate", help="measure how well labelled photos are read").add_argument
    add("folders", nargs="+", type=Path, metavar="DIR", help="folder with labelled photos: docs/training.md")
    add("--sheet", help="write a contact sheet of all failures", **file)
    add("--reliability", action="store_true", help="print how well confidence holds")
    add("--marks", **marks)
    add("--json", dest="as_json", action="store_true", help="print a line of JSON, for other programs")
    add("--model", help="digit model to use instead of the bundled one", **file)
    add("-j", "--jobs", type=_from(1), metavar="N", help="processes (one a core, from 8 pictures on)")
    add("--cluster", metavar="ADDRESS", help="read on the workers of a dask scheduler, as in tcp://host:8786")

    add = commands.add_parser("draw", help="draw close-ups, and the labels.csv of them").add_argument
    add("folder", type=Path, metavar="DIR", help="folder to write to")
    every = (*KINDS, *HALF_SOLVED_KINDS)
    add("--kind", choices=every, default=KINDS[0], help=f"kind of picture ({KINDS[0]})")
    add("-n", "--count", type=_from(1), default=10, metavar="N", help="number of pictures (10)")
    add("--seed", help="the same seed draws the same pictures (0)", **seed)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command in *arguments*, by default those of this process. Return the exit status."""
    try:
        with stopped_as_by_ctrl_c() as stops, explained_imports(), explained_memory():
            _run(_parser().parse_args(arguments))
    except SudokuVisionError as error:
        complain(error)
        return error.exit_code
    except KeyboardInterrupt:
        return 128 + stops[-1]
    except OSError as error:  # the output can't be written, for example on a full disk
        reason = (error.strerror or str(error)).lower()
        complain(SudokuVisionError(f"{error.filename or 'output'}: {reason}."))
        return ExitCode.SOME_NOT
    return ExitCode.DONE


def _run(options: Namespace) -> None:
    if options.command != "train":  # training is quicker with several threads
        start_with_one_thread()
    from workshop import commands  # imported only here: it takes time, and --help must be shown at once

    runs = {"train": commands.run_train, "evaluate": commands.run_evaluate, "draw": commands.run_draw}
    runs[options.command](options)


if __name__ == "__main__":
    sys.exit(main())
