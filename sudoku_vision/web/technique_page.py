"""Makes a page from the documentation of each technique; hints link to these pages."""

import re
from collections.abc import Iterator
from functools import cache
from html import escape
from pathlib import Path

from sudoku_vision.web.api_page import page_head

_HERE = Path(__file__).resolve().parents[1]
FOLDER = next(filter(Path.is_dir, (_HERE / "techniques", _HERE.parent / "docs" / "techniques")))
"""The folder with the documentation of techniques: in the installed package or, in a clone, in ``docs/``."""
_SECTION = re.compile(
    r"^## ([^\n]+)\n\n((?:(?!^## ).)*?)<!-- ([^\n]+) -->\n(.*?)<!-- end of", re.MULTILINE | re.DOTALL
)
_PICTURE = re.compile(r"!\[(.*)\]\((.*)\)")
_MARKS = re.compile(r"\[([^\]]*)\]\([^)]*\)|[`*]")  # links and emphasis, of which only the words are kept


@cache
def technique_pages() -> dict[str, str]:
    """Return the page (HTML) of each technique, by its English name."""
    return {
        name: _page(title, f"{text}\n{block}")
        for path in sorted(FOLDER.glob("*.md"))
        for title, text, name, block in _SECTION.findall(path.read_text("utf-8"))
    }


def _page(title: str, text: str) -> str:
    body = f"<main><h1>{escape(title)}</h1>{''.join(_paragraphs(text))}</main>"
    return f"{page_head(title)}<body>{body}</body></html>"


def _paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs and pictures (HTML) of a section, without the example board in digits."""
    for paragraph in filter(None, map(str.strip, text.split("\n\n"))):
        picture = _PICTURE.fullmatch(paragraph)
        if picture:
            yield f'<img src="/techniques/{picture[2]}" alt="{escape(picture[1])}">'
        elif not paragraph.startswith("`"):
            words = _MARKS.sub(lambda mark: mark[1] or "", paragraph.removeprefix("> "))
            yield f"<p>{escape(words)}</p>"
