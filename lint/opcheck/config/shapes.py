"""Parsed TOML as typed values: the two places where a type checker has to be told."""

from __future__ import annotations

from typing import cast


def as_table(value: object) -> dict[str, object] | None:
    """`value` where it is a table: TOML's keys are strings."""
    return cast("dict[str, object]", value) if isinstance(value, dict) else None


def as_list(value: object) -> list[object] | None:
    """`value` where it is a list."""
    return cast("list[object]", value) if isinstance(value, list) else None
