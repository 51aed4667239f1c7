"""Run the example notebook again, and keep what its cells show: ``python docs/tools/make_notebook.py``.

Needs the extra ``test`` (nbclient, ipykernel). Times and versions of this machine are left out, so that equal
runs make equal files.
"""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).resolve().parents[1] / "example.ipynb"

CELL_SECONDS = 60
"""What a cell may take; the slowest takes two."""

_SECONDS = re.compile(r", \d+\.\d\d s(?=\))")
"""The time in how a page is written."""


def run(notebook: Any, folder: Path) -> None:
    """Run all cells of a notebook in *folder*, in a kernel of its own; raises ``CellExecutionError``."""
    from nbclient import NotebookClient

    NotebookClient(notebook, timeout=CELL_SECONDS, resources={"metadata": {"path": str(folder)}}).execute()


def tidy(notebook: Any) -> None:
    """Leave out of a notebook what differs from run to run."""
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for number, cell in enumerate(notebook.cells, start=1):
        cell["id"], cell["metadata"] = f"cell-{number}", {}
        for output in cell.get("outputs", []):
            shown = output.get("data", {})
            if "text/plain" in shown:
                shown["text/plain"] = _SECONDS.sub("", shown["text/plain"])


def main() -> int:
    """Run the notebook, write it, and return the exit status."""
    nbformat: Any = importlib.import_module("nbformat")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    run(notebook, NOTEBOOK.parent)
    tidy(notebook)
    nbformat.write(notebook, NOTEBOOK)
    return 0


if __name__ == "__main__":
    sys.exit(main())
