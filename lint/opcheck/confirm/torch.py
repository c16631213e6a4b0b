"""How to meet a finding about an op of PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from opcheck_rules.model.finding import Finding, PredictedError

from .pieces.torch import arguments, backward, call, tensor
from .script import Steps, is_about_a_call
from .spelling import attribute

_SILENT: Final = {
    "OPC402": PredictedError("call", "AttributeError", "object has no attribute"),
    "OPC403": PredictedError("call", "AssertionError", ""),
}
"""What shows a fault that is accepted in silence: asking for the op that is not there, for the kernel that was lost."""


def steps(finding: Finding, key: str, backend: str) -> Steps | str:
    """The steps that raise what was predicted, on a backend whose dispatch key is `key`; or why there are none."""
    op, error = _spelled(str(finding.op)), finding.error
    if error is None:
        expected = _SILENT.get(finding.code)
        return "nothing is raised" if expected is None else _made(expected, _silent(finding))
    if error.when == "import" and not is_about_a_call(finding):
        return Steps(error)
    if finding.code == "OPC504":
        return _made(error, (_packet(str(finding.op)),))
    if finding.code == "OPC204":
        return _called(error, f"call(torch, {op}, {backend!r}, {key!r})")
    return _BY_STAGE.get(error.when, _call)(finding, error, op, f"{backend!r}, {key!r}")


def _silent(finding: Finding) -> tuple[str, ...]:
    if finding.code == "OPC402":
        return (_packet(str(finding.op)),)
    return (f'assert "inactive" not in torch._C._dispatch_dump({finding.op!r}), "a kernel took another\'s place"',)


def _call(finding: Finding, error: PredictedError, op: str, where: str) -> Steps:
    every = ", every=True" if finding.code == "OPC406" and finding.severity == "warning" else ""
    tracked = ", tracked=True" if finding.context == "autodiff" else ""
    return _called(error, f"call(torch, {op}, {where}{tracked}{every})")


def _backward(_: Finding, error: PredictedError, op: str, where: str) -> Steps:
    return _called(error, f"backward(torch, call(torch, {op}, {where}, tracked=True))")


def _compile(_: Finding, error: PredictedError, op: str, __: str) -> Steps:
    """What a graph is made of is not run: the CPU will do."""
    compiled = f"torch.compile(lambda given: {op}(**given), fullgraph=True, backend='eager')"
    return _called(error, f"{compiled}(arguments(torch, {op}, 'cpu'))")


def _vmap(_: Finding, error: PredictedError, op: str, __: str) -> Steps:
    given = f"arguments(torch, {op}, 'cpu')"
    lines = (
        f"given = {given}",
        "batched = {name: value for name, value in given.items() if isinstance(value, torch.Tensor)}",
        f"torch.vmap(lambda tensors: {op}(**given | tensors))(batched)",
    )
    return _called(error, *lines)


_BY_STAGE: Final[dict[str, Callable[[Finding, PredictedError, str, str], Steps]]] = {
    "call": _call,
    "backward": _backward,
    "compile": _compile,
    "vmap": _vmap,
}


def _called(error: PredictedError, *lines: str) -> Steps:
    return _made(error, lines, tensor, arguments, call, backward)


def _made(expected: PredictedError, lines: tuple[str, ...], *pieces: Callable[..., Any]) -> Steps:
    used = [piece for piece in pieces if any(f"{piece.__name__}(" in line for line in lines)]
    if call in used:
        used = [tensor, arguments, *used]
    elif arguments in used:
        used = [tensor, *used]
    return Steps(expected, lines, ("import torch",), tuple(used))


def _packet(op: str) -> str:
    """The op with all its overloads, as `torch.ops` gives it."""
    namespace, _, name = op.partition("::")
    return attribute(attribute("torch.ops", namespace), name.partition(".")[0])


def _spelled(op: str) -> str:
    """One overload, as `torch.ops` gives it."""
    _, _, overload = op.partition("::")[2].partition(".")
    return attribute(_packet(op), overload or "default")
