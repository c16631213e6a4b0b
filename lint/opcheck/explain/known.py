"""What a target knows of a fact, and from where."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from opcheck.reading import Environment
from opcheck.symbolic.derived import derived, packages_of
from opcheck.symbolic.facts import facts
from opcheck_rules.model.atom import Atom
from opcheck_rules.model.table import Table
from opcheck_rules.model.target import Target

Source = tuple[str, str]
"""A key of the configuration, or another place that answers come from, with what is said there."""

_UNKNOWN: Final[Source] = ("unknown", "nothing says")
_SETTLED: Final[Source] = ("constants", "so by what the project says itself, unless `assume` says otherwise")


class Known(Struct, frozen=True):
    """The answer to one fact, None where nothing gives one; `source` is what gives it, and `detail` says how."""

    atom: Atom
    holds: bool | None
    source: str
    detail: str


def known(atom: Atom, table: Table, environment: Environment) -> Known:
    """What the target of `table` makes of a fact."""
    holds = table.decide(atom)
    source, detail = _UNKNOWN if holds is None else _source(atom, holds, table.target, environment)
    return Known(atom, holds, source, detail)


def _source(atom: Atom, holds: bool, target: Target, environment: Environment) -> Source:
    assumed = [text for text in target.assume if _is_about(atom.subject, text)]
    if assumed:
        return "assume", f"assumed: {assumed[0]} = {json.dumps(target.assume[assumed[0]])}"
    if facts(replace(target, assume={}), environment)(atom) is not holds:
        return "assume", f"follows from what is assumed: {', '.join(target.assume)}"
    kind, _, name = atom.subject.partition(":")
    if kind in _KINDS:
        return _KINDS[kind](name, target, environment)
    if any(_is_about(atom.subject, expression) for expression in derived(target, environment)):
        return _derived(atom.subject, target, environment)
    return _SETTLED


def _is_about(subject: str, expression: str) -> bool:
    """Whether an expression is the subject, or what the subject is a part of (`torch.__version__.minor`)."""
    return subject == expression or subject.startswith((f"{expression}.", f"{expression}["))


def _feature(name: str, target: Target, _: Environment) -> Source:
    if target.all_features:
        return "features", "every feature is on under an inferred target"
    return "features", "enabled by `features`" if name in target.features else "not among `features`"


def _installed(name: str, target: Target, environment: Environment) -> Source:
    if name in environment.required:
        return "metadata", "the project requires it"
    needing = [backend for backend in target.backends if name in packages_of(backend)]
    if needing:
        return "backends", f"backend `{needing[0]}` needs it"
    extras = bringing(name, environment)
    taken = [extra for extra in extras if extra in target.extras]
    if taken:
        return "extras", f"brought by extra `{taken[0]}`"
    return "extras", f"brought only by extra `{extras[0]}`, which is not among `extras`"


def bringing(name: str, environment: Environment) -> list[str]:
    """The extras of a project that bring a package."""
    return [extra for extra, modules in (environment.optional or {}).items() if name in modules]


def _variable(_: str, __: Target, ___: Environment) -> Source:
    return "environment", "a variable is taken to be unset"


def _built(name: str, target: Target, _: Environment) -> Source:
    return "backends", f"`backends` {'lists' if name in target.backends else 'does not list'} `{name}`"


_KINDS: Final[Mapping[str, Callable[[str, Target, Environment], Source]]] = {
    "feature": _feature,
    "installed": _installed,
    "env": _variable,
    "built": _built,
}
_OF_TORCH: Final = ("torch.__version__", "torch.version.__version__", "hasattr(torch.library")
_OF_PLATFORM: Final = ("sys.platform", "os.name", "platform.")


def _derived(subject: str, target: Target, environment: Environment) -> Source:
    """Which of a target's keys a derived expression follows from."""
    if subject.startswith("typing."):
        return "constants", "a checker's constant, false when the code runs"
    if subject.startswith("sys.version_info"):
        newest = f"`requires-python` allows {environment.python}" if environment.python else "the newest Python known"
        return _said("python", target.python, newest)
    if subject.startswith(_OF_TORCH):
        return _said("torch", target.torch, "the newest PyTorch known")
    if subject.startswith(_OF_PLATFORM):
        return _said("platform", target.platform, "follows from `backends`")
    return "backends", f"follows from `backends`: {', '.join(target.backends)}"


def _said(key: str, value: str | None, otherwise: str) -> Source:
    return key, f"`{key}` is {value}" if value else otherwise
