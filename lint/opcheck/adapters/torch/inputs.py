"""What a call of one of PyTorch's ops brings, by what is evident of its arguments."""

from __future__ import annotations

from collections.abc import Sequence

from ...uses.fact import PLAIN, Fact, Given, Kind
from ..brought import Brought, Parameters
from .schema import Schema, arguments_of


def brought(schema: Schema | None, given: Given) -> Brought:
    """The backend that every tensor evidently lies on, and whether one of them is tracked.

    Tensors on several devices raise nothing: the dispatcher picks the kernel of one of them.
    """
    tensors = given.all if schema is None else _tensors(schema, given)
    arrays = [fact for fact in tensors if fact is None or fact.kind is not Kind.PLAIN]
    backends = {fact.backend if fact is not None and fact.kind is Kind.ARRAY else None for fact in arrays}
    tracked = any(fact is not None and fact.tracked for fact in arrays)
    return Brought(backends.pop() if len(backends) == 1 else None, tracked=tracked)


def _tensors(schema: Schema, given: Given) -> Sequence[Fact | None]:
    """What is evident of the arguments that are tensors, or of a type that was not read."""
    arguments = arguments_of(schema.text)
    types = {_name(argument): argument for argument in arguments if argument != "*"}
    star = arguments.index("*") if "*" in arguments else len(arguments)
    defaults = {name: PLAIN for name, argument in types.items() if "=" in argument}
    positional = [_name(argument) for argument in arguments[:star]]
    facts = Parameters(positional, [name for name in types if name not in positional], defaults).bound(given)
    if facts is None:
        return ()
    return [fact for name, fact in facts.items() if types[name].startswith(("Tensor", "Any"))]


def _name(argument: str) -> str:
    return argument.partition("=")[0].split()[-1]
