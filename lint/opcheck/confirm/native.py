"""How to meet a finding about an op of opcheck's runtime."""

from __future__ import annotations

from opcheck_rules.model.finding import Finding

from .pieces.native import arguments, array
from .script import Steps

_IMPORTS = ("from opcheck_runtime import track",)


def steps(finding: Finding, module: str, backend: str) -> Steps | str:
    """The steps that raise what was predicted of an op declared in `module`; or why there are none."""
    error = finding.error
    if error is None:
        return "nothing is raised: it is accepted in silence"
    if error.when == "import":
        return Steps(error)
    name = str(finding.op).removeprefix(f"{module}.")
    if "<locals>" in name:
        return f"`{finding.op}` is declared in a function, and has no name to import it by"
    wrap = ", track" if finding.context == "autodiff" else ""
    called = f"{module}.{name}"
    return Steps(
        error,
        decisive=(f"{called}(**arguments({called}, {backend!r}{wrap}))",),
        imports=_IMPORTS if wrap else (),
        pieces=(array, arguments),
    )
