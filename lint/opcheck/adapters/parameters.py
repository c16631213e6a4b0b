"""Whether a function can take what an op passes on to it."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from opcheck_rules.model.finding import PredictedError, Span
from opcheck_rules.model.project import Mismatch

from ..symbolic.values import FunctionValue


class Passed(Struct, frozen=True):
    """What a call passes on: parameters by position, of which the first `least` always, and others by name.

    `named` says of each of those whether it may be left out. `written` is how the parameters are to be written.
    """

    positional: Sequence[str]
    least: int
    written: str
    named: Mapping[str, bool] = field(default_factory=dict[str, bool])


class _Misfit(Struct, frozen=True):
    """What is wrong with a function, in words and as Python says it; the rest as `Mismatch` has it."""

    detail: str
    raised: str
    always: bool = True
    by_default: bool = False


def mismatch_of(function: FunctionValue, passed: Passed, when: str) -> Mismatch | None:
    """What keeps a function from taking what is passed: of several things the one that Python stumbles over first."""
    tried = [try_(function, passed) for try_ in (_not_named, _too_few, _not_filled)]
    misfits = sorted((misfit for misfit in tried if misfit is not None), key=lambda misfit: not misfit.always)
    if not misfits:
        return None
    found = misfits[0]
    error = PredictedError(when, "TypeError", f"{_name(function)}() {found.raised}")
    return Mismatch(_span(function), found.detail, passed.written, error, found.always, found.by_default)


def _not_filled(function: FunctionValue, passed: Passed) -> _Misfit | None:
    """Parameters without a default that a call does not always fill."""
    spec = function.node.args
    own = [arg.arg for arg in (*spec.posonlyargs, *spec.args)]
    required = own[: len(own) - len(spec.defaults)]
    by_name = [a.arg for a, default in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if default is None]
    for kind, names in (("positional", required[passed.least :]), ("keyword-only", by_name)):
        empty = [name for name in names if passed.named.get(name, True)]
        if empty:
            raised = f"missing {len(empty)} required {kind} argument{'s' * (len(empty) > 1)}: {_listed(empty)}"
            if empty[0] in passed.named or empty[0] in required[: len(passed.positional)]:
                return _Misfit(f"it gives `{empty[0]}` no default", raised, by_default=True)
            return _Misfit(f"it wants `{empty[0]}`, which the op does not pass on", raised)
    return None


def _too_few(function: FunctionValue, passed: Passed) -> _Misfit | None:
    """Parameters that are passed by position past the last one there is."""
    spec = function.node.args
    most, all_given = len(spec.posonlyargs) + len(spec.args), len(passed.positional)
    if spec.vararg or most >= all_given:
        return None
    given = passed.least if passed.least > most else all_given
    count = f"from {most - len(spec.defaults)} to {most}" if spec.defaults else f"{most}"
    raised = (
        f"takes {count} positional argument{'s' * (count != '1')} but {given} {'was' if given == 1 else 'were'} given"
    )
    return _Misfit(f"it takes {most} of {all_given} by position", raised, always=passed.least > most)


def _not_named(function: FunctionValue, passed: Passed) -> _Misfit | None:
    """Parameters that are passed by a name which is none of its own; one that always is goes first."""
    spec = function.node.args
    known = {arg.arg for arg in (*spec.args, *spec.kwonlyargs)}
    unknown = (
        [] if spec.kwarg else sorted((optional, name) for name, optional in passed.named.items() if name not in known)
    )
    for optional, name in unknown[:1]:
        return _Misfit(
            f"it does not take `{name}`", f"got an unexpected keyword argument '{name}'", always=not optional
        )
    return None


def _span(function: FunctionValue) -> Span:
    if isinstance(function.node, ast.Lambda):
        return function.module.source.span(function.node)
    return function.module.source.signature_span(function.node)


def _name(function: FunctionValue) -> str:
    """The function as Python names it in an error: by its place in the module."""
    return function.qualname.removeprefix(f"{function.module.name}.")


def _listed(names: Sequence[str]) -> str:
    """Names as Python lists them: 'a', 'b', and 'c'."""
    *rest, last = [repr(name) for name in names]
    if len(rest) < 2:
        return f"{rest[0]} and {last}" if rest else last
    return f"{', '.join(rest)}, and {last}"
