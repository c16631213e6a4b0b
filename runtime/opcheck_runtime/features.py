"""The features that gates ask for, and where a process gets them from.

The set is read when a declaration runs and never again for it, as a compile-time feature would be.
"""

from __future__ import annotations

import os
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, cast

from .state import ENABLED_FEATURES

FEATURES_VARIABLE: Final = "OPCHECK_FEATURES"
TARGET_VARIABLE: Final = "OPCHECK_TARGET"


class TargetError(ValueError):
    """`OPCHECK_TARGET` names what no configuration file can give; raised on as a declaration error."""


def enable_features(*names: str) -> None:
    """Enable features for every op declared from now on; arms declared before stay shut."""
    ENABLED_FEATURES.update(names)


def is_enabled(feature: str) -> bool:
    """True if `feature` is on now, by a call, by `OPCHECK_FEATURES` or by the target `OPCHECK_TARGET` names.

    Raises TargetError if it is off and the target cannot be read.
    """
    return feature in ENABLED_FEATURES or feature in _listed_features() or feature in _target_features()


def _listed_features() -> list[str]:
    return [name.strip() for name in os.environ.get(FEATURES_VARIABLE, "").split(",")]


def _target_features() -> frozenset[str]:
    target = os.environ.get(TARGET_VARIABLE)
    return _read_target(target, Path.cwd()) if target else frozenset()


@lru_cache(maxsize=16)  # a project declares hundreds of gates, and its configuration does not change under way
def _read_target(name: str, start: Path) -> frozenset[str]:
    path, settings = _nearest_configuration(start)
    targets = _table(settings.get("targets"))
    if name not in targets:
        known = ", ".join(sorted(targets)) or "none"
        raise TargetError(f"{TARGET_VARIABLE}={name} is not a target of {path}, which has: {known}")
    features: object = _table(targets[name]).get("features", [])
    if not isinstance(features, list):
        raise TargetError(f"{path}: `features` of target `{name}` must be a list of names")
    return frozenset(str(feature) for feature in cast("list[object]", features))


def _table(value: Any) -> dict[str, Any]:
    """Take anything but a table for an empty one: judging the rest of the file is the linter's work."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _nearest_configuration(start: Path) -> tuple[Path, dict[str, Any]]:
    for folder in (start, *start.parents):
        for path in (folder / "opcheck.toml", folder / "pyproject.toml"):
            settings = _settings(path)
            if settings is not None:
                return path, settings
    raise TargetError(
        f"{TARGET_VARIABLE} is set, but no pyproject.toml with [tool.opcheck] and no opcheck.toml"
        f" is in {start} or above it"
    )


def _settings(path: Path) -> dict[str, Any] | None:
    """Read opcheck's settings: a whole opcheck.toml, or the table of a pyproject.toml if it has one."""
    if not path.is_file():
        return None
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TargetError(f"{path} is not valid TOML: {error}") from error
    return content if path.name == "opcheck.toml" else _table(content.get("tool")).get("opcheck")
