"""The page as a whole: the tables, the filters over them, and the script and style that it brings along."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from string import Template

from opcheck.report.tables.tables import Tables

from .elements import markup
from .filters import filters
from .grid import body, head


def table_page(tables: Tables) -> str:
    """A page that shows the tables: it asks the network for nothing, and runs no script but its own."""
    style, script = _brought("page.css"), _brought("page.js")
    return Template(_brought("page.html")).substitute(
        policy=f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}",
        style=style,
        script=script,
        filters=markup(*filters(tables)),
        head=markup(*head(tables)),
        body=markup(*body(tables)),
    )


def _brought(name: str) -> str:
    return files("opcheck.report.tables.page").joinpath(name).read_text("utf-8").rstrip()


def _hash(text: str) -> str:
    """How a content policy names the one style or script that it lets in."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
