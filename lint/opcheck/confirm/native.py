"""How to meet a finding about an op of opcheck's runtime."""

from __future__ import annotations

import re
from functools import reduce
from typing import Final

from opcheck_rules.model.finding import Finding

from .pieces.native import arguments, array
from .script import Steps, is_about_a_call
from .spelling import attribute, imported

_TRACK: Final = ("from opcheck_runtime import track",)
_MIXED: Final = re.compile(r"parameter `(\w+)` holds a `(\w+)` array, but `(\w+)` holds a `(\w+)` array")


def steps(finding: Finding, module: str, backend: str) -> Steps | str:
    """The steps that raise what was predicted of an op declared in `module`; or why there are none."""
    error = finding.error
    if error is None:
        return "nothing is raised"
    if error.when == "import" and not is_about_a_call(finding):
        return Steps(error)
    name = str(finding.op).removeprefix(f"{module}.")
    if "<locals>" in name:
        return f"`{finding.op}` is declared in a function, and has no name to import it by"
    wrap = ", track" if finding.context == "autodiff" else ""
    mixed = _MIXED.search(error.message)
    called, routed = reduce(attribute, name.split("."), imported(module)), mixed[2] if mixed else backend
    given = f"arguments({called}, {routed!r}{wrap})"
    other = f" | {{{mixed[3]!r}: array({mixed[4]!r})}}" if mixed else ""
    return Steps(error, (f"{called}(**{given}{other})",), _TRACK if wrap else (), (array, arguments))
