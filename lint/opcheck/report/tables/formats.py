"""The forms that dispatch tables are written in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from opcheck.report.json import table_document

from .csv import table_csv
from .markdown import table_markdown
from .page import table_page
from .tables import Tables
from .text import table_text

FORMATS: Final[Mapping[str, Callable[[Tables], str]]] = {
    "text": table_text,
    "json": lambda tables: table_document(tables.targets, tables.rows, tables.base),
    "markdown": table_markdown,
    "csv": table_csv,
    "html": table_page,
}
"""By name; each says all of it, without a line feed at its end."""
