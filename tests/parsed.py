"""Pages as a browser shows them."""

from __future__ import annotations

from bs4 import BeautifulSoup


def parsed(html: str) -> BeautifulSoup:
    """A page without what is inside its templates: it is not there until a script takes it.

    Newer versions of soupsieve do not search templates, but those need a newer Python.
    """
    page = BeautifulSoup(html, "html.parser")
    for template in page("template"):
        template.clear()
    return page
