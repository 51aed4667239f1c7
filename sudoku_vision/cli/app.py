"""The application that commands are registered with: how help looks, and a user's mistakes in one line."""

from __future__ import annotations

import contextlib
import re
import shlex
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Annotated, Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

from sudoku_vision import __version__
from sudoku_vision.blas import start_with_one_thread
from sudoku_vision.cli.messages import complain
from sudoku_vision.errors import ExitCode, SudokuVisionError, UsageError, explained_memory

PICTURES, BOARDS, CLASSIFIER = "For pictures", "For boards", "For the classifier"
"""The headings under which help lists the commands."""

_OLD_OPTIONS = {"givens": "overrides"}
"""Names that options had before, and that are still taken."""

_SHARE_MATRICES_OUT = ("train",)
"""Commands whose matrices are worth several threads: two fit a network in 0.46 s instead of 0.58."""

_PLAIN_WORDS = (
    ("Value error, ", ""),
    ("Input should be a valid integer, unable to parse string as an integer", "must be a whole number"),
    ("Input should be a valid number, unable to parse string as a number", "must be a number"),
    ("Input should be", "must be"),
    (r"'[^']*' is not a valid int(eger)?( range)?", "must be a whole number"),
    (r"'[^']*' is not a valid float( range)?", "must be a number"),
    (r"\S+ is not in the range x>=([\d.]*\d)", r"must be greater than or equal to \1"),
)
"""What the library says of a wrong value, as patterns, and what a person is told instead; the last three are
what it said before 0.29."""

_LibraryUsageError: type[Any] = typer.BadParameter.__bases__[0]
"""What the library raises for wrong usage; where it is kept depends on the version."""

Function = TypeVar("Function", bound=Callable[..., Any])


class _Command(TyperCommand):
    """A command whose help names no type where there is nothing to type, and that starts quickly."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take what was typed apart."""
        _leave_plain_values(self.get_params(ctx))
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help."""
        _tidy_parameters(self, ctx)
        super().format_help(ctx, formatter)


class _Group(TyperGroup):
    """The commands; what is meant for ``solve`` gets it suggested."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help."""
        _tidy_parameters(self, ctx)
        super().format_help(ctx, formatter)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take what was typed apart."""
        _leave_plain_values(self.get_params(ctx))
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that is named; raises the library's usage error."""
        try:
            return super().resolve_command(ctx, args)
        except _LibraryUsageError:
            from sudoku_vision.cli.inputs import looks_like_input, shown

            if looks_like_input(args[0]):
                remedy = f"To solve it: sudoku-vision solve {shlex.quote(args[0])}"
                raise UsageError(f"There is no command {shown(args[0])}.", remedy) from None
            raise


def _leave_plain_values(parameters: Iterable[Any]) -> None:
    """Let values that are of their type already, as texts and defaults are, past the library's own check.

    Whole numbers within their bounds go past it, too. What it checks types with takes longer to load than a
    small photo to read. All else still goes through it.
    """
    for parameter in parameters:
        parameter.process_value = partial(_process_value, parameter, parameter.process_value)


def _process_value(parameter: Any, check: Callable[[Any, Any], Any], context: Any, value: Any) -> Any:
    """Return the value of a *parameter*; *check* is how the library does so."""
    descriptor = getattr(parameter, "type_descriptor", None)
    annotation = getattr(descriptor, "annotation", None)
    if annotation is int:
        value = _whole_number(value, getattr(descriptor, "parameter_info", None))
    are_texts = annotation == list[str] and isinstance(value, tuple | list)
    is_plain = annotation is not None and (value is None or type(value) is annotation or are_texts)
    if not is_plain or (parameter.required and parameter.value_is_missing(value)):
        return check(context, value)
    value = list(value) if are_texts else value
    return value if parameter.callback is None else parameter.callback(context, parameter, value)


def _whole_number(value: Any, bounds: Any) -> Any:
    """Return the number that digits say, within the *bounds* of a parameter; any other *value* as it is."""
    if bounds is None or not (isinstance(value, str) and re.fullmatch("[0-9]{1,9}", value)):
        return value
    number = int(value)
    least, most = (number if bound is None else bound for bound in (bounds.min, bounds.max))
    return number if least <= number <= most else value


def _tidy_parameters(command: Any, ctx: Any) -> None:
    """Take the types of flags and arguments out of the help: a flag takes none, an argument's is plain."""
    for parameter in command.get_params(ctx):
        if getattr(parameter, "is_flag", False) and parameter.metavar is None:
            parameter.metavar = ""
        elif parameter.param_type_name == "argument":
            parameter.display_type_rich = _no_type
        if "{formats}" in (getattr(parameter, "help", None) or ""):
            parameter.help = _named_formats(parameter.help)


def _named_formats(help_text: str) -> str:
    """Name all formats and sites in a help text; only where it is asked for, for they take long to load."""
    from sudoku_vision.sudoku.formats import FORMATS, SITES
    from sudoku_vision.sudoku.logic.words import listed

    return help_text.format(formats=listed(FORMATS, "or"), sites=listed(SITES, "or"))


def _no_type(*_: Any, **__: Any) -> None:
    """Name no type."""


app = typer.Typer(
    name="sudoku-vision",
    help="Solve sudokus from photos and draw the answers into them.",
    cls=_Group,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "token_normalize_func": lambda name: _OLD_OPTIONS.get(name, name),
    },
)


def register(panel: str) -> Callable[[Function], Function]:
    """Return a decorator that makes a function a command, listed in help under *panel*."""

    def decorate(function: Function) -> Function:
        return app.command(rich_help_panel=panel, cls=_Command)(function)

    return decorate


@contextlib.contextmanager
def plain_errors() -> Iterator[None]:
    """Say a user's mistake in one line, without a traceback, and leave with its exit status."""
    try:
        with explained_memory():
            yield
    except SudokuVisionError as error:
        complain(error)
        raise typer.Exit(error.exit_code) from None
    except KeyboardInterrupt:
        raise typer.Exit(ExitCode.INTERRUPTED) from None


def run_app() -> int:
    """Run the command that was typed, and return its exit status."""
    try:
        status = app(prog_name="sudoku-vision", standalone_mode=False)
    except _LibraryUsageError as error:
        return _show_usage_error(error)
    except UsageError as error:
        complain(error)
        return error.exit_code
    except typer.Abort:
        return ExitCode.INTERRUPTED
    return int(status or ExitCode.DONE)


def _show_usage_error(error: Any) -> int:
    """Say in one line what is wrong with a call; show the help where nothing was asked for."""
    if type(error).__name__ == "NoArgsIsHelpError":
        error.show()
        return ExitCode.USAGE
    message = error.format_message()
    for theirs, ours in _PLAIN_WORDS:
        message = re.sub(theirs, ours, message)
    message = " ".join(message.split())
    call = error.ctx.command_path if error.ctx else "sudoku-vision"
    complain(f"{message}{'' if message.endswith(('.', '?')) else '.'} See: {call} --help")
    return ExitCode.USAGE


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
    if context.invoked_subcommand not in _SHARE_MATRICES_OUT:
        start_with_one_thread()
