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
from .stubs import Stubs


class Known(Struct, frozen=True):
    """An op that a dispatcher is known to have where `condition` holds, defined at `span`."""

    description: Description
    op: Name
    condition: Condition
    span: Span


class Offer(Struct, frozen=True):
    """What a cell holds where the outcome's condition does.

    An `op` that has no full name may be any, and so may a `backend`; None stands for every backend. Of two offers the
    one with the greater `rank` goes first.
    """

    description: Description
    op: Name
    backend: Name | None
    outcome: Outcome
    rank: tuple[int, int] = (0, 0)


class Said(Struct, frozen=True):
    """All that the descriptions of one shape come to in a project."""

    ops: Iterable[Known] = ()
    offers: Iterable[Offer] = ()


class Slot(Struct, frozen=True):
    """What a description is asked about: an op on a backend, which is None where it was not read."""

    description: Description
    op: Name
    backend: str | None

    @property
    def error(self) -> PredictedError | None:
        """What a call raises in a hole, by the description's template."""
        template = self.description.error
        return PredictedError("call", template.type, self._written(template.message)) if template is not None else None

    @property
    def meeting(self) -> str | None:
        """The expression that the description gives for running into a hole."""
        call = self.description.call
        return self._written(call) if call is not None else None

    def _written(self, template: str) -> str:
        return template.format(op=self.op.own, backend=self.backend or "")


def filled(stubs: Stubs, slot: Slot, value: Value, blank: Outcome, receiver: Value = None) -> Outcome:
    """The outcome of a cell that `value` fills: `blank`, which says where and how, or a hole where it stands for none.

    A method is looked at as it is called on `receiver`.
    """
    refusal = stubs.of(value, slot.description.stubs, receiver)
    if refusal is not None:
        return _refused(slot, replace(blank, meeting=blank.meeting or _running(value) or slot.meeting), refusal.stub)
    stub = refusal_of(value, slot.backend) if slot.backend is not None else None
    return replace(blank, status=Status.COVERED, stub=stub, meeting=None)


def _refused(slot: Slot, blank: Outcome, stub: Stub | None) -> Outcome:
    """The hole that there is where something stands for there being none."""
    error = stub.raises if stub is not None else slot.error
    reason = _in_words(blank.reason, stub)
    return replace(blank, status=Status.HOLE, reason=reason, via=None, cause=Cause.NO_KERNEL, stub=stub, error=error)


def lacking(slot: Slot, condition: Condition, reason: str, missing: PredictedError, looking: str | None) -> Outcome:
    """The hole that there is where nothing is found: `missing` is what Python raises where `looking` is evaluated.

    What the description says is raised, and how to meet it, goes before that.
    """
    met = slot.meeting
    if met is None and slot.error is None:
        met = looking
    error = slot.error or missing
    return Outcome(condition, Status.HOLE, reason, cause=Cause.NO_KERNEL, error=error, meeting=met)


def _in_words(reason: str, stub: Stub | None) -> str:
    if stub is None:
        return f"{reason}, which stands for there being none"
    said = f": {stub.raises.message}" if stub.raises.message else ""
    return f"{reason}, which only raises {stub.raises.type}{said}"


def _running(value: Value) -> str | None:
    """An expression that calls a function which only raises, where it can be imported."""
    match value:
        case FunctionValue(qualname=path, node=ast.FunctionDef()) if "<" not in path:
            return f"invoke(found({path!r}))"
        case Partial(function=FunctionValue() as function, positional=positional, keywords=keywords):
            inner, given = _running(function), [*positional, *keywords.values()]
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
