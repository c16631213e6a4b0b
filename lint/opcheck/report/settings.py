"""The settings of a project, in the form of an `opcheck.toml`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any, cast

from opcheck.config import Settings
from opcheck.reading import Environment
from opcheck_rules.model.target import Target

from .places import shown


def settings_text(settings: Settings, base: PurePath) -> str:
    """What holds for a project, whether it is configured or not, and what is taken to be installed beside it."""
    head = [f"# {shown(str(settings.source or settings.root), base)}"]
    lists: dict[str, Any] = {
        "include": settings.include,
        "exclude": settings.exclude,
        "entries": settings.entries,
        "select": settings.select,
        "ignore": settings.ignore,
        "baseline": settings.baseline,
    }
    tables = {
        "per-file-ignores": settings.per_file_ignores,
        "per-op-ignores": settings.per_op_ignores,
        "unsupported": settings.unsupported,
    }
    lines = [*head, *_environment(settings.environment), *_lines(lists)]
    for name, table in tables.items():
        lines += _table([name], {pattern: list(items) for pattern, items in table.items()})
    lines += _dispatchers(settings)
    for target in settings.targets:
        lines += _target(target)
    return "\n".join(lines) + "\n"


def _dispatchers(settings: Settings) -> Iterator[str]:
    # Imported only where there are some: most projects have none.
    from .dispatchers import keys_of  # noqa: PLC0415

    for described in settings.dispatchers:
        yield from ("", "[[dispatchers]]", *_lines(keys_of(described)))


def _environment(environment: Environment) -> Iterator[str]:
    if environment.required:
        yield f"# installed beside it: {', '.join(sorted(environment.required))}"
    for extra, names in (environment.optional or {}).items():
        yield f"# with its extra {extra}: {', '.join(sorted(names))}"
    if environment.python:
        yield f"# the newest Python that it allows: {environment.python}"


def _target(target: Target) -> Iterator[str]:
    values: dict[str, Any] = {
        "backends": target.backends,
        "autodiff": target.autodiff,
        "compile": target.compile,
        "vmap": target.vmap,
        "features": target.features,
        "extras": target.extras,
        "ops": target.ops,
        "platform": target.platform,
        "python": target.python,
        "torch": target.torch,
    }
    yield from _table(["targets", target.name], values)
    yield from _table(["targets", target.name, "assume"], target.assume)


def _table(names: Iterable[str], values: Mapping[str, Any]) -> Sequence[str]:
    head = f"[{'.'.join(map(_key, names))}]"
    return ["", head, *_lines(values)] if values else []


def _lines(values: Mapping[str, Any]) -> Iterator[str]:
    """What is set, a line each; TOML has no word for what is not."""
    return (f"{_key(key)} = {_value(value)}" for key, value in values.items() if value is not None)


def _key(name: str) -> str:
    return name if name.replace("-", "").isalnum() and name.isascii() else _value(name)


def _value(value: object) -> str:
    """A value as TOML has it, which for those that settings hold is as JSON has it, but for tables."""
    if isinstance(value, dict):
        return f"{{ {', '.join(_lines(cast('dict[str, object]', value)))} }}"
    return json.dumps(value, ensure_ascii=False)
