"""The click application. It starts fast, shows help in sections, and reports mistakes in one line."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from inspect import cleandoc
from types import NoneType
from typing import Any, Literal, NoReturn, get_args, get_origin, get_type_hints

import click
from click.exceptions import Exit, NoArgsIsHelpError
from click.shell_completion import shell_complete

from sudoku_vision import __version__
from sudoku_vision.blas import start_with_one_thread
from sudoku_vision.cli.options import PANELS, Options
from sudoku_vision.cli.reporter import complain
from sudoku_vision.errors import ExitCode, SudokuVisionError, UsageError, explained_imports, explained_memory

NAME = "sudoku-vision"
COMPLETION = "_SUDOKU_VISION_COMPLETE"
"""The environment variable that a shell's completion script sets when it asks for possible words."""
HELP_COLUMNS = 110  # largest width of help, in characters

_STATUSES = (
    "Exit status: 0 all is solved, right, answered or written, and sure; 1 something is not; 2 wrong usage, "
    "or no argument is a valid board; 3 nothing could be opened."
)

_Function = Callable[..., ExitCode | None]
_Decorator = Callable[[_Function], _Function]
_HINTS = get_type_hints(Options)
_STOPS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Signals that stop a command. They come from Ctrl-C, service managers and closed terminals. Windows has no
SIGHUP."""


class _Command(click.Command):
    """A command whose help has sections."""

    panel = ""  # the heading under which the help of the application lists this command

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help of the command's own options, and then the help of the shared options."""
        sections: dict[str, list[tuple[str, str]]] = {heading: [] for heading in ("Options", *PANELS)}
        for option in self.get_params(ctx):
            record = option.get_help_record(ctx) if isinstance(option, click.Option) else None
            if record is not None:
                shared = (heading for heading, names in PANELS.items() if option.name in names)
                sections[next(shared, "Options")].append(record)
        _write_sections(formatter, sections)


class _Group(click.Group):
    """All commands. Help lists the commands under headings, in the order of their declaration."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the short help of all commands, under the headings of their panels."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for name, command in self.commands.items():
            assert isinstance(command, _Command)
            sections.setdefault(command.panel, []).append((name, command.get_short_help_str(limit=1000)))
        _write_sections(formatter, sections)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that was typed. If a picture or board was typed instead, suggest ``solve``."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError:
            from sudoku_vision.cli.inputs import looks_like_input, shown

            if looks_like_input(args[0]):
                remedy = f"To solve it: {NAME} solve {shlex.quote(args[0])}"
                raise UsageError(f"There is no command {shown(args[0])}.", remedy) from None
            raise


def _write_sections(formatter: click.HelpFormatter, sections: dict[str, list[tuple[str, str]]]) -> None:
    for heading, rows in sections.items():
        if rows:
            with formatter.section(heading):
                formatter.write_dl(rows, col_max=30 if formatter.width > 60 else 4)


def _show_completion(ctx: click.Context, _: click.Parameter, shell: str | None) -> None:
    if shell is not None:
        shell_complete(app, {}, NAME, COMPLETION, f"{shell}_source")
        ctx.exit()


app = _Group(
    help="Solve sudokus from photos and draw the answers into them.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    params=[
        click.Option(
            ["--show-completion"],
            type=click.Choice(("bash", "zsh", "fish")),
            help="Print the script that completes commands and options in a shell.",
            is_eager=True,
            expose_value=False,
            callback=_show_completion,
        )
    ],
)
click.version_option(__version__, "--version", "-V", prog_name=NAME, message="%(prog)s %(version)s")(app)


def command(panel: str, *names: str, takes: str = "", required: bool = True, **texts: str) -> _Decorator:
    """Return a decorator that makes a function a command. Help lists the command under *panel*.

    *names* are the fields of :class:`Options` that the command takes. The keys of *texts* are further
    fields, and the values are their help texts. *takes* is the help about the arguments, and begins with
    their name; "" means that the command takes no arguments. *required*: whether at least one argument must
    be given. The function is called with a tuple of the arguments, unless *takes* is "", and with the
    options. It returns the exit status, or None for success.
    """
    taken = sorted({*names, *texts}, key=list(Options.__dataclass_fields__).index)

    def decorate(function: _Function) -> _Function:
        def run(words: tuple[str, ...] = (), **values: Any) -> ExitCode | None:
            start_with_one_thread()
            return function(words, Options(**values)) if takes else function(Options(**values))

        parameters: list[click.Parameter] = [_option(name, texts.get(name)) for name in taken]
        if takes:
            argument = click.Argument(["words"], nargs=-1, required=required, type=_path_type(str))
            argument.metavar = f"{takes.partition(':')[0]}..."
            parameters.insert(0, argument)
        name, text = function.__name__, f"{cleandoc(function.__doc__ or '')}\n\n{takes}"
        made = _Command(name, callback=run, params=parameters, help=text, epilog=_STATUSES)
        made.panel = panel
        app.add_command(made)
        return function

    return decorate


def _option(name: str, text: str | None) -> click.Option:
    """Return the click option for the field *name* of :class:`Options`. *text* replaces its help text."""
    declared = Options.__dataclass_fields__[name]
    settings = dict(declared.metadata)
    names = settings.pop("names") or ("--" + name.replace("_", "-"),)
    # A command that has its own help text may also have its own default. So help doesn't show the shared
    # default.
    if text is not None:
        settings |= {"help": text, "show_default": False}
    hint = _HINTS[name]
    kind = get_args(hint)[0] if NoneType in get_args(hint) else hint  # X, if the type is X | None
    lowest, highest = settings.pop("min", None), settings.pop("max", None)
    if kind is bool:
        settings["is_flag"] = True
    elif get_origin(kind) is tuple:
        settings["multiple"] = True
    elif choices := settings.pop("choices", get_args(kind) if get_origin(kind) is Literal else ()):
        settings["type"] = click.Choice(choices, case_sensitive=False)
    elif kind in (int, float):
        of_kind: Any = click.IntRange if kind is int else click.FloatRange
        settings["type"] = of_kind(lowest, highest)
        settings["type"].name = "whole number" if kind is int else "number"  # this name is used in messages
        settings.setdefault("metavar", "N")
    else:
        settings["type"] = _path_type(kind) if settings.get("metavar") in ("FILE", "DIR", "OUT") else kind
    if words := settings.pop("complete", ()):
        settings["shell_complete"] = lambda _, __, begun: [word for word in words if word.startswith(begun)]
    return click.Option([name, *names], default=declared.default, **settings)


def _path_type(kind: type) -> click.Path:
    """Return the click type for file names. Shells complete such names, and click doesn't check them."""
    return click.Path(readable=False, path_type=kind)


def run_app() -> int:
    """Run the typed command, and return its exit status. Report an error in one line."""
    with stopped_as_by_ctrl_c() as stops:
        status = _run(sys.argv[1:])
    return 128 + stops[0] if stops and status == ExitCode.INTERRUPTED else status


def _run(words: Sequence[str]) -> int:
    # As in git, ``help`` means ``--help``, and ``version`` means ``--version``.
    if words[:1] in (["help"], ["version"]):
        words = [*words[1:], f"--{words[0]}"]
    try:
        with explained_imports(), explained_memory():
            if asked := os.environ.get(COMPLETION):
                return shell_complete(app, {}, NAME, COMPLETION, asked)
            width = min(shutil.get_terminal_size().columns, HELP_COLUMNS) - 2
            with app.make_context(NAME, list(words), terminal_width=width) as context:
                return app.invoke(context) or ExitCode.DONE
    except Exit as done:  # raised by --help and --version
        return done.exit_code
    except SudokuVisionError as error:
        complain(error)
        return error.exit_code
    except NoArgsIsHelpError as error:
        error.show()
        return ExitCode.USAGE
    except click.UsageError as error:
        call = error.ctx.command_path if error.ctx else " ".join([NAME, *filter(app.commands.get, words[:1])])
        if isinstance(error, click.NoSuchOption):  # click also suggests names that differ too much
            alike = get_close_matches(error.option_name, error.possibilities or (), cutoff=0.75)
            error = click.NoSuchOption(error.option_name, possibilities=alike)
        message = " ".join(error.format_message().split())
        message += "" if message.endswith((".", "?", "?)")) else "."
        complain(UsageError(message, f"See: {call} --help"))
        return ExitCode.USAGE
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except OSError as error:  # the only cause is an output that can no longer be written
        what = f"{error.filename or 'output'}: {(error.strerror or str(error)).lower()}."
        complain(SudokuVisionError(what))
        return ExitCode.SOME_NOT


@contextlib.contextmanager
def stopped_as_by_ctrl_c() -> Iterator[list[int]]:
    """Make SIGTERM and SIGHUP raise :class:`KeyboardInterrupt`, so that work ends as after Ctrl-C.

    Yields a list. When a signal arrives, its number is added to the list. A signal that this process already
    ignores stays ignored, for example under ``nohup``.
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
