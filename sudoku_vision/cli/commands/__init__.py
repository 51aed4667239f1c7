"""The commands as they are typed: names, options and help. What each does is in the module of its name above.

They import their work when they are called, so that ``--help`` and usage errors answer at once.
"""

# isort: off
# Importing them registers their commands, in the order in which help lists them.
from sudoku_vision.cli.commands import pictures, boards, classifier  # noqa: F401
# isort: on
