"""Texts: all sentences that a person reads on the page, a file a language.

Each file holds texts by key; ``{names}`` are filled in, and ".one" and ".other" are the forms for a count.
A further language is one more file, with the keys of the English one.
"""

from __future__ import annotations

import json
from pathlib import Path

FOLDER = Path(__file__).parent
"""Where the files lie: ``en.json``, ``de.json``."""


def language_names() -> dict[str, str]:
    """Return the languages there are: what each calls itself, by its code."""
    files = sorted(FOLDER.glob("*.json"))
    return {path.stem: json.loads(path.read_text("utf-8"))["language.name"] for path in files}
