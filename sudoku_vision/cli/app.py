"""The application that commands are registered with: it starts quickly, and says mistakes in one line."""

import contextlib
import shlex
import signal
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup

from sudoku_vision import __version__
from sudoku_vision.blas import start_with_one_thread
from sudoku_vision.cli.progress import complain
from sudoku_vision.errors import ExitCode, SudokuVisionError, UsageError, explained_imports, explained_memory

_STOPS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Ctrl-C, what a service manager sends, and a terminal that is closed; Windows has no SIGHUP."""

_LibraryUsageError: type[Any] = typer.BadParameter.__bases__[0]
"""What the library raises for wrong usage; where it is kept depends on the version."""


class Command(TyperCommand):
    """A command that takes texts as they are, and whose help names no types of flags and arguments."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        """Change the parameters."""
        super().__init__(*arguments, **options)
        for parameter in self.params:
            if parameter.param_type_name == "argument":
                parameter.display_type_rich = lambda **_: None  # type: ignore[attr-defined]
            elif getattr(parameter, "is_flag", False):
                parameter.metavar = ""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take what was typed apart."""
        _pass_plain_values(self.get_params(ctx))
        return super().parse_args(ctx, args)


def _pass_plain_values(parameters: Iterable[Any]) -> None:
    """Let values that are of their type already past the library's own check.

    It checks with pydantic, which takes longer to load than a small photo to read.
    """
    for parameter in parameters:
        parameter.process_value = partial(_process_value, parameter, parameter.process_value)


def _process_value(parameter: Any, check: Callable[[Any, Any], Any], context: Any, value: Any) -> Any:
    """Return the value of a *parameter*; *check* is how the library does so."""
    annotation = getattr(getattr(parameter, "type_descriptor", None), "annotation", None)
    are_texts = annotation == list[str] and isinstance(value, tuple | list)
    is_choice = value in getattr(annotation, "__args__", ())
    is_plain = value is None or type(value) is annotation or is_choice or are_texts
    if annotation is None or not is_plain or (parameter.required and parameter.value_is_missing(value)):
        return check(context, value)
    value = list(value) if are_texts else value
    return value if parameter.callback is None else parameter.callback(context, parameter, value)


class _Group(TyperGroup):
    """The commands; what is meant for ``solve`` gets it suggested."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take what was typed apart."""
        _pass_plain_values(self.get_params(ctx))
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that is named; raises the library's usage error."""
        try:
            return super().resolve_command(ctx, args)
        except _LibraryUsageError:
            from sudoku_vision.cli.search import looks_like_input, shown

            if looks_like_input(args[0]):
                remedy = f"To solve it: sudoku-vision solve {shlex.quote(args[0])}"
                raise UsageError(f"There is no command {shown(args[0])}.", remedy) from None
            raise


app = typer.Typer(
    name="sudoku-vision",
    help="Solve sudokus from photos and draw the answers into them.",
    cls=_Group,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def run_app() -> int:
    """Run the command that was typed, say in one line what ends it, and return its exit status."""
    with _stopped_as_by_ctrl_c() as stops:
        status = _run()
    return 128 + stops[0] if stops and status == ExitCode.INTERRUPTED else status


def _run() -> int:
    try:
        with explained_imports(), explained_memory():
            return app(prog_name="sudoku-vision", standalone_mode=False) or ExitCode.DONE
    except SudokuVisionError as error:
        complain(error)
        return error.exit_code
    except _LibraryUsageError as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            error.show()
        else:
            call = error.ctx.command_path if error.ctx else "sudoku-vision"
            message = " ".join(error.format_message().split())
            message += "" if message.endswith((".", "?")) else "."
            complain(UsageError(message, f"See: {call} --help"))
        return ExitCode.USAGE
    except (KeyboardInterrupt, typer.Abort):
        return ExitCode.INTERRUPTED
    except OSError as error:  # what is left of these: an output that takes no more
        what = f"{error.filename or 'output'}: {(error.strerror or str(error)).lower()}."
        complain(SudokuVisionError(what))
        return ExitCode.SOME_NOT


@contextlib.contextmanager
def _stopped_as_by_ctrl_c() -> Iterator[list[int]]:
    """Let SIGTERM and SIGHUP raise :class:`KeyboardInterrupt` within, so that what was begun is ended well.

    The numbers of those that came are in the list. What is ignored, as under ``nohup``, stays so.
    """
    stops: list[int] = []

    def stop(number: int, _: object) -> NoReturn:
        stops.append(number)
        raise KeyboardInterrupt

    heeded = [number for number in _STOPS if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, stop) for number in heeded}
    try:
        yield stops
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"sudoku-vision {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 (its callback has done the work)
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and leave."),
    ] = False,
) -> None:
    """Solve sudokus from photos and draw the answers into them."""
    if context.invoked_subcommand != "train":  # two threads fit a network in 0.46 s instead of 0.58
        start_with_one_thread()
