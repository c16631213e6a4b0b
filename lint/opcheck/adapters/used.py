"""From the uses of ops that were found to what each says: the context of a call, and what it evidently brings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from opcheck_rules.model.atom import Atom
from opcheck_rules.model.condition import Condition
from opcheck_rules.model.finding import PredictedError
from opcheck_rules.model.project import Use

from ..symbolic.collect import Reached
from ..symbolic.machine import Machine
from ..symbolic.reach import Reach
from ..symbolic.values import FunctionValue, Value
from ..uses.fact import Given
from ..uses.find import FoundUse, find_uses
from ..uses.statements import ANY_ERROR
from .brought import Brought
from .derivatives import derivative_bodies, derivatives_at
from .native import api as native_api
from .native import inputs as native_inputs
from .native.records import Declared, KernelAdded, RuleAdded
from .torch import inputs as torch_inputs
from .torch import questions
from .torch.record import NamedOp, qualified
from .torch.records import Defined, Filled

_ERRORS: Final[Mapping[str, tuple[str, ...]]] = {
    "AttributeError": (),
    "AutodiffNotSupportedError": ("OpError", "NotImplementedError", "RuntimeError"),
    "BackendNotSupportedError": ("OpError", "NotImplementedError", "RuntimeError"),
    "MixedBackendsError": ("OpError", "TypeError"),
    "NotImplementedError": ("RuntimeError",),
    "RuntimeError": (),
}
"""The errors that a use can raise, and the classes between each and `Exception`."""


def uses_of(machine: Machine, effects: Sequence[Reached[object]]) -> list[FoundUse]:
    """Every use of an op."""
    return find_uses(machine, op_of, untracked(effects))


def judged_by_inputs(
    machine: Machine,
    reach: Reach,
    effects: Sequence[Reached[object]],
    found: Iterable[FoundUse],
    answers: Mapping[Atom, Condition],
) -> Iterator[Use]:
    """The uses that can be reached, each with what it brings."""
    bodies = list(derivative_bodies(effects))
    inputs = _Inputs(effects)
    for use in found:
        condition = questions.answered(machine.space, use.condition & reach.conditions[use.module], answers)
        if condition.fails:
            continue
        brought = inputs.of(use.op, use.given) if use.given is not None else Brought()
        yield Use(
            use.op,
            use.span,
            condition,
            use.tracked and use.given is not None,
            derivatives_at(bodies, use.span),
            _undefined(use) if use.is_lookup else None,
            is_call=use.given is not None,
            within=use.within,
            function=use.function,
            at_import=use.at_import,
            backend=brought.backend,
            mixed_error=brought.mixed,
            wants_gradient=use.tracked and (brought.tracked or use.differentiated),
            handled=frozenset(error for error in _ERRORS if _is_caught(error, use.caught)),
        )


def _undefined(use: FoundUse) -> PredictedError:
    """What looking up an op by its name raises where it is not defined."""
    namespace, _, name = use.op.partition("::")
    message = f"'_OpNamespace' '{namespace}' object has no attribute '{name.partition('.')[0]}'"
    return PredictedError("import" if use.at_import else "call", "AttributeError", message)


def _is_caught(error: str, caught: frozenset[str]) -> bool:
    return not caught.isdisjoint((error, *_ERRORS[error], "Exception", ANY_ERROR))


class _Inputs:
    """What calls of each op bring, by its parameters."""

    def __init__(self, effects: Iterable[Reached[object]]) -> None:
        self._known: dict[str, list[Callable[[Given], Brought]]] = {}
        for effect in effects:
            match effect.record:
                case Declared(op=op, function=function):
                    self._add(op, partial(native_inputs.brought, function))
                case Defined(op=str(op), schema=schema):
                    self._add(op, partial(torch_inputs.brought, schema))
                case _:
                    pass

    def _add(self, op: str, act: Callable[[Given], Brought]) -> None:
        self._known.setdefault(op, []).append(act)

    def of(self, op: str, given: Given) -> Brought:
        """What a call brings; nothing evident where there are several declarations, or none that was read."""
        known = self._known.get(op, ())
        return known[0](given) if len(known) == 1 else Brought()


def op_of(value: Value) -> str | None:
    """The op that a value stands for, where it stands for one."""
    if isinstance(value, native_api.NativeOp):
        return value.name
    if isinstance(value, NamedOp):
        return qualified(value.name)
    return qualified(value)


def untracked(effects: Iterable[Reached[object]]) -> Iterator[FunctionValue]:
    """The functions that run below autograd: kernels, fakes and derivative rules."""
    for effect in effects:
        record = effect.record
        function = record.function if isinstance(record, (KernelAdded, RuleAdded, Filled, Declared)) else None
        if isinstance(function, FunctionValue):
            yield function
