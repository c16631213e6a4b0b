"""What a call of a native op brings, by what is evident of its arguments: the runtime's dispatch, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from opcheck_rules.model.finding import PredictedError
from opcheck_runtime.arrays import ArrayKind
from opcheck_runtime.messages import mixed_message
from opcheck_runtime.spec import BACKENDS

from ...symbolic.values import FunctionValue
from ...uses.fact import Fact, Given, Kind
from ...uses.scene import fact_of
from ..brought import Brought, Parameters
from .annotations import array_kind

Facts = Mapping[str, Fact | None]


def brought(function: FunctionValue, given: Given) -> Brought:
    """Which input decides the backend, whether another one conflicts with it, and whether one is tracked."""
    facts = _parameters(function).bound(given)
    if facts is None:
        return Brought()
    kinds = _array_kinds(function)
    routing = _routing(sorted(kinds, key=lambda name: kinds[name] is not ArrayKind.FLOAT), facts)
    if routing is None:
        return Brought(tracked=_is_tracked(kinds, facts))
    parameter, backend = routing
    return Brought(backend, _mixed(function.name, parameter, backend, kinds, facts), _is_tracked(kinds, facts))


def _parameters(function: FunctionValue) -> Parameters:
    spec = function.node.args
    positional = [arg.arg for arg in (*spec.posonlyargs, *spec.args)]
    last = positional[len(positional) - len(function.defaults) :]
    defaults = dict(zip(last, function.defaults, strict=True)) | function.keyword_defaults
    named = [arg.arg for arg in spec.kwonlyargs]
    return Parameters(positional, named, {name: fact_of(value) for name, value in defaults.items()})


def _array_kinds(function: FunctionValue) -> dict[str, ArrayKind]:
    """The array inputs among the parameters."""
    spec = function.node.args
    arguments = [arg for arg in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs) if arg.annotation is not None]
    kinds = {arg.arg: array_kind(function.module, arg.annotation) for arg in arguments if arg.annotation is not None}
    return {name: kind for name, kind in kinds.items() if kind is not None}


def _routing(order: Iterable[str], facts: Facts) -> tuple[str, str] | None:
    """The input that decides the backend, and that backend; scalars and None leave it to the next one."""
    for name in order:
        fact = facts[name]
        if not _is_scalar(fact):
            backend = _backend(fact)
            return (name, backend) if backend is not None else None
    return None


def _mixed(op: str, routing: str, backend: str, inputs: Iterable[str], facts: Facts) -> PredictedError | None:
    """The error of the first input on another backend, where everything before it is evident too."""
    for name in inputs:
        found = backend if _is_scalar(facts[name]) else _backend(facts[name])
        if found is None:
            return None
        if found != backend:
            return PredictedError("call", "MixedBackendsError", mixed_message(op, backend, routing, name, found))
    return None


def _is_scalar(fact: Fact | None) -> bool:
    return fact is not None and fact.kind is Kind.PLAIN and not isinstance(fact.value, (str, bytes))


def _backend(fact: Fact | None) -> str | None:
    is_known = fact is not None and fact.kind is Kind.ARRAY and fact.backend in BACKENDS
    return fact.backend if fact is not None and is_known else None


def _is_tracked(kinds: Mapping[str, ArrayKind], facts: Facts) -> bool:
    """Whether an input is tracked, and none where no tracked one may stand."""
    tracked = [name for name, fact in facts.items() if fact is not None and fact.tracked]
    return bool(tracked) and all(name in kinds and kinds[name].trackable for name in tracked)
