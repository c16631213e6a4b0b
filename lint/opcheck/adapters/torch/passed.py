"""What PyTorch passes on to the functions that complete an op, and whether they can take it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from opcheck_rules.model.project import Mismatch

from ...symbolic.collect import Reached
from ...symbolic.values import FunctionValue
from ..parameters import Passed, mismatch_of
from .gathered import Gathered
from .records import Filled
from .schema import Schema, arguments_of

_WHEN: Final = {"kernel": "call", "fake": "compile", "derivative": "backward"}


def mismatch(gathered: Gathered, filled: Reached[Filled]) -> Mismatch | None:
    """How a function fails to take what its slot is called with, where the op has one schema and it was read."""
    function, slot = filled.record.function, filled.record.slot
    schemas = {d.record.schema for d in gathered.defined}
    schema = schemas.pop() if len(schemas) == 1 else None
    if schema is None or slot not in _WHEN or not isinstance(function, FunctionValue) or _takes_keys(function):
        return None
    passed = _gradients(schema) if slot == "derivative" else _arguments(arguments_of(schema.text))
    return mismatch_of(function, passed, _WHEN[slot]) if passed is not None else None


def _takes_keys(function: FunctionValue) -> bool:
    """Whether a kernel was written to be registered with the dispatch keys that led to it as a first argument."""
    spec = function.node.args
    return any("keyset" in arg.arg or arg.arg == "ks" for arg in (*spec.posonlyargs, *spec.args)[:1])


def _arguments(arguments: Sequence[str]) -> Passed:
    """Kernels and fakes: trailing arguments that equal their default are not passed on."""
    by_position = arguments[: arguments.index("*")] if "*" in arguments else arguments
    by_name = [argument for argument in arguments[len(by_position) :] if argument != "*"]
    names = [_name(argument) for argument in by_position]
    least = sum("=" not in argument for argument in by_position)
    written = ", ".join(_written(argument) for argument in arguments)
    return Passed(names, least, written, {_name(argument): "=" in argument for argument in by_name})


def _name(argument: str) -> str:
    return argument.partition("=")[0].split()[-1]


def _written(argument: str) -> str:
    """An argument of a schema as a parameter in Python."""
    _, has_default, default = argument.partition("=")
    return argument if argument == "*" else f"{_name(argument)}{has_default}{default.strip()}"


def _gradients(schema: Schema) -> Passed | None:
    """Derivative formulas: the context, and a gradient for each of the op's results."""
    if not schema.can_have_formula or any("Any" in result for result in schema.returns):
        return None
    names = ["grad"] if len(schema.returns) == 1 else [f"grad{i}" for i in range(len(schema.returns))]
    names.insert(0, "ctx")
    return Passed(names, len(names), ", ".join(names))
