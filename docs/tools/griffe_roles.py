"""Docstrings as the site shows them: roles become links, and examples blocks of code.

A name that the API page documents becomes a link to it, any other a word in code letters: so every link leads
somewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import griffe

PACKAGE = "sudoku_vision"

_ROLE = re.compile(r":(?:class|func|meth|data|exc|mod|attr):`(~?)([\w.]+)`")
_EXAMPLE = re.compile(r"^>>> .+(?:\n.+)*", re.MULTILINE)
"""Lines of a session, up to the next empty one."""

Homes = dict[str, tuple[str, Any]]
"""By the path at which a public object is defined: the name that programs import it by, and itself."""


class Roles(griffe.Extension):
    """Rewrites the docstrings of the package once it is loaded."""

    def on_package(self, *, pkg: Any, **_: Any) -> None:
        """Rewrite all docstrings of our own package."""
        if pkg.path != PACKAGE:
            return
        homes = public_homes(pkg)
        for one in documented(pkg):
            one.docstring.value = markdown(one.docstring.value, one, homes)


def public_homes(package: Any) -> Homes:
    """Return the public objects by where they are defined."""
    homes: Homes = {}
    for name, member in package.members.items():
        if member.is_alias and member.target_path.startswith(f"{PACKAGE}."):
            homes[member.final_target.path] = (f"{PACKAGE}.{name}", member.final_target)
    return homes


def documented(one: Any) -> Iterator[Any]:
    """Yield an object and all within it that have a docstring; names imported from elsewhere are left out."""
    if one.docstring is not None:
        yield one
    for member in one.members.values():
        if not member.is_alias:
            yield from documented(member)


def markdown(text: str, of: Any, homes: Homes) -> str:
    """Return the docstring of an object as Markdown."""

    def link(found: re.Match[str]) -> str:
        short, name = found.groups()
        shown = name.rpartition(".")[2] if short else name
        target = public_name(name, of, homes)
        return f"[`{shown}`][{target}]" if target else f"`{shown}`"

    return _EXAMPLE.sub(r"```pycon\n\g<0>\n```", _ROLE.sub(link, text))


def public_name(name: str, of: Any, homes: Homes) -> str | None:
    """Return the name under which the API page tells what *name* means within an object, if it does."""
    paths = [name, f"{PACKAGE}.{name}", *resolved(name, of)]
    paths += [path for path, (public, _) in homes.items() if public == f"{PACKAGE}.{name}"]
    for path in paths:
        if path in homes:
            return homes[path][0]
    for path in paths:
        owner, _, member = path.rpartition(".")
        if owner in homes and is_told(homes[owner][1], member):
            return f"{homes[owner][0]}.{member}"
    owner, _, member = name.rpartition(".")
    found = next((home for home in homes.values() if home[0] == f"{PACKAGE}.{owner}"), None)
    return f"{found[0]}.{member}" if found and is_told(found[1], member) else None


def is_told(owner: Any, member: str) -> bool:
    """Tell whether a member of an object has a docstring, without which the page leaves it out."""
    return member in owner.members and owner.members[member].docstring is not None


def resolved(name: str, of: Any) -> list[str]:
    """Return the full path of *name* as code at that place would have it, nothing where it has none."""
    try:
        return [str(of.resolve(name))]
    except griffe.NameResolutionError:
        return []
