"""Check every link of the built site that stays within it: ``python docs/tools/check_links.py site``.

Files and places on pages must be there. Links to other sites are not fetched.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class PageParser(HTMLParser):
    """Gathers the links of a page, and the names of the places on it."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take links and names from one tag."""
        for name, value in attrs:
            if (
                value
                and name in ("href", "src")
                and not (tag == "link" and "canonical" in dict(attrs).values())
            ):
                self.links.append(value)
            if value and name in ("id", "name"):
                self.places.add(value)


def parsed(page: Path) -> PageParser:
    """Return what a page links to, and its places."""
    parser = PageParser()
    parser.feed(page.read_text(encoding="utf-8"))
    return parser


def broken_links(site: Path) -> Iterator[str]:
    """Yield a line for each link that leads nowhere."""
    pages = {page.resolve(): parsed(page) for page in sorted(site.rglob("*.html"))}
    for page, found in pages.items():
        if page.name == "404.html":  # shown anywhere, so its links begin at the root
            continue
        for link in found.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            if target.is_dir():
                target /= "index.html"
            if not target.is_file():
                yield f"{page.relative_to(site.resolve())}: {link} is not there"
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].places:
                yield f"{page.relative_to(site.resolve())}: {link} has no such place"


def main(arguments: list[str]) -> int:
    """Print all broken links of the site in the folder named, and return the exit status."""
    (folder,) = arguments
    pages = len(list(Path(folder).rglob("*.html")))
    broken = sorted(set(broken_links(Path(folder))))
    for line in broken:
        print(line)
    print(f"{pages} pages, {len(broken)} broken links")
    return 1 if broken or not pages else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
