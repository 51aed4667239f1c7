"""The plain page that people see at the door: no style, no script, nothing that had to be let through."""

from __future__ import annotations

from html import escape

from starlette.responses import HTMLResponse

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">{onward}
<title>{title}</title>
</head>
<body>
<main>
<h1>{title}</h1>
<p>{text}</p>{link}
</main>
</body>
</html>
"""


def guard_page(
    title: str, text: str, link: str | None = None, *, at_once: bool = False, status: int = 200
) -> HTMLResponse:
    """Return a page with a sentence or two and, where *link* is an address, a way on by one tap.

    *at_once*: a browser goes there by itself, as if it had been tapped.
    """
    address = escape(link or "")
    page = _PAGE.format(
        title=escape(title),
        text=escape(text),
        onward=f'\n<meta http-equiv="refresh" content="0; url={address}">' if link and at_once else "",
        link=f'\n<p><a href="{address}">Open the page</a></p>' if link else "",
    )
    return HTMLResponse(page, status, headers={"Cache-Control": "no-store"})
