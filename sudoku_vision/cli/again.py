"""Again: the inputs of an earlier run that failed or were not sure, by its report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from sudoku_vision.cli.inputs import Input, InputKind, Inputs, input_kind
from sudoku_vision.cli.runs.report import ReportRow, failed_pages
from sudoku_vision.errors import OpenError, UsageError


def with_failures(inputs: Inputs, rows: Sequence[ReportRow], report: str) -> Inputs:
    """Return *inputs* with the pages that have to be read again, by the *rows* of a *report*.

    The pictures that were written of the others count as taken, so that none of them is overwritten. Raises
    :class:`~sudoku_vision.errors.UsageError` where nothing failed.
    """
    failed = failed_pages(rows)
    if not failed and not inputs.items:
        raise UsageError(f"{report}: all of its pages are done.", "There is nothing to read again.")
    several = {row.source for row in rows if row.page > 1}
    items = [_input(source, pages, of_several=source in several) for source, pages in failed.items()]
    again = {row.output for pages in failed.values() for row in pages}
    kept = tuple(row.output for row in rows if row.output and row.output not in again)
    return replace(inputs, items=(*inputs.items, *items), kept=kept, searched=True)


def _input(source: str, pages: tuple[ReportRow, ...], *, of_several: bool) -> Input:
    """Return what a source is now; of one with several pages, only those that failed are meant."""
    numbers = tuple(row.page for row in pages) if of_several else ()
    kind = input_kind(source)
    if kind is InputKind.FILE:
        return Input(source, source, below=pages[0].below, pages=numbers)
    if kind is InputKind.TEXT and not Path(source).suffix:
        return Input(source, text=source, pages=numbers)
    what = f"{source}: there is no such file any more."
    if kind is InputKind.STANDARD_INPUT:
        what = f"{source}: what came on standard input is not there any more."
    return Input(source, error=OpenError(what, "Name it, where it is now."))
