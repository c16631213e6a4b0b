"""What a dispatcher offers: which ops there are, and what fills their cells where."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from opcheck_rules.model.condition import Condition
from opcheck_rules.model.finding import PredictedError, Span
from opcheck_rules.model.project import Cause, Outcome, Status, Stub

from ...symbolic.values import FunctionValue, Partial, Unknown, Value, is_scalar
from ..emitting import definition
from ..refusal import refusal_of
from .description import Description
from .records import Name
from .stubs import Refusal, Stubs


class Known(Struct, frozen=True):
    """An op that a dispatcher is known to have where `condition` holds; its cells in `context` are asked for."""

    described: Description
    op: Name
    condition: Condition
    span: Span


class Offer(Struct, frozen=True):
    """What a cell holds where the outcome's condition does.

    An `op` that has no full name may be any, and so may a `backend`; None stands for every backend. Of two offers the
    one with the greater `rank` goes first.
    """

    described: Description
    op: Name
    backend: Name | None
    outcome: Outcome
    rank: tuple[int, int] = (0, 0)


class Said(Struct, frozen=True):
    """All that one description comes to in a project."""

    ops: Iterable[Known] = ()
    offers: Iterable[Offer] = ()


class Judge(Struct, frozen=True):
    """Tells what stands for an implementation from what stands for there being none."""

    stubs: Stubs

    def outcome(
        self,
        described: Description,
        op: Name,
        backend: str | None,
        value: Value,
        outcome: Outcome,
        receiver: Value = None,
    ) -> Outcome:
        """The outcome of a cell that `value` fills, beginning from one that says where and how."""
        refusal = self.stubs.of(value, described.stubs, receiver)
        if refusal is not None:
            met = outcome.meeting or running(value) or calling(described, op, backend or "")
            return hole(described, op, backend, replace(outcome, meeting=met), refusal)
        stub = refusal_of(value, backend) if backend is not None else None
        return replace(outcome, status=Status.COVERED, stub=stub, meeting=None)


def hole(described: Description, op: Name, backend: str | None, outcome: Outcome, refusal: Refusal) -> Outcome:
    """The outcome of a cell that something fills which stands for there being none."""
    stub, span = refusal.stub, outcome.span
    error = stub.raises if stub is not None else predicted(described, op, backend or "")
    reason = _in_words(outcome.reason, stub)
    return replace(
        outcome, status=Status.HOLE, reason=reason, via=None, cause=Cause.NO_KERNEL, span=span, stub=stub, error=error
    )


def _in_words(reason: str, stub: Stub | None) -> str:
    if stub is None:
        return f"{reason}, which stands for there being none"
    said = f": {stub.raises.message}" if stub.raises.message else ""
    return f"{reason}, which only raises {stub.raises.type}{said}"


def predicted(described: Description, op: Name, backend: str) -> PredictedError | None:
    """What a call raises in a hole, by the description's template."""
    if described.error is None:
        return None
    message = described.error.message.format(op=op.own, backend=backend)
    return PredictedError("call", described.error.type, message)


def calling(described: Description, op: Name, backend: str) -> str | None:
    """The expression that a description gives for running into a hole."""
    return described.call.format(op=op.own, backend=backend) if described.call is not None else None


def running(value: Value) -> str | None:
    """An expression that calls a function which only raises, where it can be imported."""
    match value:
        case FunctionValue(qualname=path, node=ast.FunctionDef()) if "<" not in path:
            return f"invoke(found({path!r}))"
        case Partial(function=FunctionValue() as function, positional=positional, keywords=keywords):
            inner, given = running(function), [*positional, *keywords.values()]
            if inner is None or not all(map(is_scalar, given)):
                return None
            written = [*map(repr, positional), *(f"{name}={item!r}" for name, item in keywords.items())]
            return ", ".join([inner.removesuffix(")"), *written]) + ")"
        case _:
            return None


def place(span: Span | None) -> str:
    """Where something stands, as a reason ends."""
    return f" at {span.path}:{span.line}" if span is not None else ""


def is_read(value: Value) -> bool:
    """Whether it is known what a value is: not an unknown one."""
    return not isinstance(value, Unknown)


def where(value: Value, otherwise: Span | None) -> Span | None:
    """Where a function is defined, else where it is given."""
    return definition(value) or otherwise
