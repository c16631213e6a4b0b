"""The script for one finding: what to import, what to do, and the line from which on the prediction counts."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct, field

from opcheck_rules.model.finding import Finding, PredictedError

from .pieces.past import pass_over
from .spelling import importing

_CALLS: Final = frozenset({"OPC501", "OPC502", "OPC503"})


def is_about_a_call(finding: Finding) -> bool:
    """Whether a finding is met by making a call, wherever the project makes it."""
    return finding.code in _CALLS


class Steps(Struct, frozen=True):
    """What a script does: `imports`, the project's modules, `before`, then `decisive`, which raises what is expected.

    `pieces` are the functions it is made of. Without `decisive` steps, importing the modules is what raises.
    """

    expected: PredictedError
    decisive: Sequence[str] = ()
    imports: Sequence[str] = ()
    pieces: Sequence[Callable[..., Any]] = ()
    before: Sequence[str] = ()


class Setting(Struct, frozen=True):
    """What a script runs in: folders to import from, modules to import, features that are on, faults to pass over."""

    roots: Sequence[str]
    modules: Sequence[str]
    features: Sequence[str] = ()
    faults: Mapping[str, Sequence[int]] = field(default_factory=dict[str, Sequence[int]])


class Script(Struct, frozen=True):
    """A script's text, the line from which on an error is the predicted one or none, and the prediction."""

    name: str
    text: str
    decisive: int
    expected: PredictedError


def written(finding: Finding, place: str, steps: Steps, setting: Setting) -> Script:
    """Write the script for a finding that stands at `place`."""
    pieces = [*([pass_over] if setting.faults else []), *steps.pieces]
    sources = [inspect.getsource(piece) for piece in pieces]
    passing = [f"pass_over({dict(setting.faults)!r})"] if setting.faults else []
    modules = [importing(name) for name in setting.modules]
    first = [
        _header(finding, place, steps.expected),
        _imports(steps, "\n".join([*sources, *modules])),
        _surroundings(setting),
    ]
    blocks = [*first, *sources, *passing, *(["\n".join([*modules, *steps.before])] if steps.decisive else [])]
    before = "\n\n".join(block.strip() for block in blocks if block.strip())
    text = f"{before}\n\n" + "\n".join(steps.decisive or modules) + "\n"
    return Script(_name(finding), text, before.count("\n") + 3, steps.expected)


def _header(finding: Finding, place: str, expected: PredictedError) -> str:
    message = " ".join(finding.message.split())
    text = f", whose text has {expected.message!r}" if expected.message else ""
    return f"# {finding.code} {finding.rule}: {message}.\n# Found at {place}. To be raised: {expected.type}{text}."


_MODULES: Final = ("ast", "importlib", "inspect", "os", "sys")
_NAMES: Final[Mapping[str, Sequence[str]]] = {
    "collections.abc": ("Callable", "Mapping", "Sequence"),
    "importlib.machinery": ("SourceFileLoader",),
    "types": ("CodeType",),
    "typing": ("Any",),
}


def _imports(steps: Steps, source: str) -> str:
    """What the functions and the steps use of the standard library, then what the steps import themselves."""
    used = "\n".join([source, *steps.before, "os. sys."])
    lines = ["from __future__ import annotations", ""]
    lines += [f"import {name}" for name in _MODULES if re.search(rf"\b{name}\.", used)]
    for module, names in _NAMES.items():
        there = [name for name in names if re.search(rf"\b{name}\b", source)]
        lines += [f"from {module} import {', '.join(there)}"] if there else []
    return "\n".join([*lines, "", *steps.imports])


def _surroundings(setting: Setting) -> str:
    """Where to import from, and the features that are on: those of the target and no others."""
    features = ",".join(setting.features)
    lines = [
        f"sys.path[:0] = {list(setting.roots)!r}",
        f'os.environ["OPCHECK_FEATURES"] = "{features}"',
        'os.environ.pop("OPCHECK_TARGET", None)',
    ]
    return "\n".join(lines)


def _name(finding: Finding) -> str:
    """A file name for the script, which tells its finding."""
    line = f"line{finding.primary.line}"
    parts = (finding.code, finding.op or "", finding.backend or "", finding.context or "", line)
    return re.sub(r"[^A-Za-z0-9]+", "-", "-".join(filter(None, parts))) + ".py"
