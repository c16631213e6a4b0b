"""The settings of one project, as its configuration gives them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct, field

from opcheck.reading import Environment
from opcheck_rules.model.finding import Span
from opcheck_rules.model.target import Target

if TYPE_CHECKING:
    from opcheck.adapters.described.description import Description

Listed: TypeAlias = Mapping[str, Mapping[str, Span]]
"""What a table lists for each pattern, and where each item is written."""


class Settings(Struct, frozen=True):
    """What a project's configuration says.

    `root` is the project's folder and `source` the file that configures it: None where none does, and `root` is then
    only the folder that holds what was asked for. `include`, `exclude` and the keys of `per_file_ignores` are patterns
    as in a `.gitignore` at the root, those of `per_op_ignores` and `unsupported` patterns of op names. `origin` maps a
    key, and `key.item` for what it lists, to where it is written. `baseline` is where the findings that are let
    pass are listed, as the configuration names it from the root. `dispatchers` are those that the configuration
    describes, and those of packages in the project that opcheck has descriptions of.
    """

    root: Path
    source: Path | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()
    dispatchers: tuple[Description, ...] = ()
    targets: tuple[Target, ...] = ()
    unsupported: Listed = field(default_factory=dict[str, Mapping[str, Span]])
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: Listed = field(default_factory=dict[str, Mapping[str, Span]])
    per_op_ignores: Listed = field(default_factory=dict[str, Mapping[str, Span]])
    baseline: str | None = None
    environment: Environment = field(default_factory=Environment)
    origin: Mapping[str, Span] = field(default_factory=dict[str, Span])
