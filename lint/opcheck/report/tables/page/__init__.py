"""Dispatch tables as one page for a browser, which needs nothing beside it."""

from __future__ import annotations

from .page import table_page

__all__ = ["table_page"]
