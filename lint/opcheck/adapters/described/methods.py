"""What a method comes to on an object of a class: found in the class, in a base, or nowhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from keyword import iskeyword

from msgspec import Struct
from msgspec.structs import replace

from opcheck_rules.model.condition import Condition, Conditions
from opcheck_rules.model.finding import PredictedError
from opcheck_rules.model.project import Cause, Outcome, Status

from ...symbolic.scope import alternatives, covered
from ...symbolic.values import ClassValue, External, FunctionValue, Instance, Value
from .decorators import is_abstract
from .description import Classes, Description
from .offers import Slot, filled, lacking, place, where
from .orders import Order
from .records import Name
from .stubs import Stubs


class Lookup(Struct, frozen=True):
    """Looks methods up on an object of one class, which serves one backend."""

    stubs: Stubs
    space: Conditions
    description: Description
    shape: Classes
    backend: str
    cls: ClassValue
    receiver: Instance
    orders: Sequence[Order]

    def outcomes(self, op: Name) -> Iterator[Outcome]:
        """What the method comes to, in each world that tells the class's bases apart."""
        for order in self.orders:
            yield from self._along(op, order)

    def _along(self, op: Name, order: Order) -> Iterator[Outcome]:
        left = order.condition
        for holder in order.holders:
            for outcome in self._in_holder(op, holder, left):
                yield outcome
                left = left & ~outcome.condition
            if left.fails:
                return
        yield self._nowhere(op, order, left)

    def _in_holder(self, op: Name, holder: Value, left: Condition) -> Iterator[Outcome]:
        if isinstance(holder, ClassValue):
            if op.own in holder.scope.names:
                yield from self._held(op, holder, left)
        elif isinstance(holder, External) and holder.path in self.shape.outside:
            yield from self._outside(op, holder.path, left)
        else:
            base = holder.path if isinstance(holder, External) else self.stubs.machine.describe(holder)
            yield Outcome(left, Status.UNKNOWN, f"may come from the base `{base}`, which was not read")

    def _held(self, op: Name, holder: ClassValue, left: Condition) -> Iterator[Outcome]:
        value = holder.scope.names[op.own]
        for condition, found in alternatives(value, left & covered(value, self.space.true)):
            span, met = where(found, None), self._meeting(op)
            reason = f"`{holder.name}.{op.own}`{place(span)}"
            blank = Outcome(condition, Status.COVERED, reason, "method", span=span, named=True, meeting=met)
            outcome = filled(self.stubs, self._slot(op), found, blank, self.receiver)
            abstract = isinstance(found, FunctionValue) and is_abstract(found.node)
            yield self._abstract(op, outcome) if abstract else outcome

    def _abstract(self, op: Name, outcome: Outcome) -> Outcome:
        """A method that is abstract still: no object of the class can be made."""
        reason = f"{outcome.reason.partition(', which')[0]}, which is abstract"
        error = PredictedError("call", "TypeError", f"Can't instantiate abstract class {self.cls.name} with")
        return replace(
            outcome,
            status=Status.HOLE,
            via=None,
            reason=reason,
            cause=Cause.NO_KERNEL,
            error=error,
            stub=None,
            meeting=self._meeting(op),
        )

    def _outside(self, op: Name, path: str, left: Condition) -> Iterator[Outcome]:
        """A method of a class that was not read, as far as the description lists what that has."""
        listed = self.shape.outside[path]
        if op.own in listed.methods:
            yield Outcome(left, Status.COVERED, f"`{path}` has it", "method", named=True)
        elif op.own in listed.stubs:
            error = self._slot(op).error
            yield Outcome(left, Status.HOLE, f"`{path}` only raises", cause=Cause.NO_KERNEL, error=error)

    def _nowhere(self, op: Name, order: Order, left: Condition) -> Outcome:
        if any(isinstance(h, ClassValue) and "__getattr__" in h.scope.names for h in order.holders):
            return Outcome(left, Status.UNKNOWN, f"may be given out by `__getattr__` of `{self.cls.name}`")
        missing = PredictedError("call", "AttributeError", f"'{self.cls.name}' object has no attribute '{op.own}'")
        reason = f"`{self.cls.name}` has no `{op.own}`"
        return lacking(self._slot(op), left, reason, missing, self._meeting(op))

    def _slot(self, op: Name) -> Slot:
        return Slot(self.description, op, self.backend)

    def _meeting(self, op: Name) -> str | None:
        """The expression that calls the method on an object of the class."""
        if "<" in self.cls.qualname:
            return None
        held = self.receiver.scope.names.found()
        attributes = {n: v for n, v in held if isinstance(v, str) and n.isidentifier() and not iskeyword(n)}
        given = "".join(f", {name}={value!r}" for name, value in attributes.items())
        return f"invoke(getattr(bare({self.cls.qualname!r}{given}), {op.own!r}))"


def is_method(value: Value) -> bool:
    """Whether what a class holds is a method that can be called."""
    return isinstance(value, FunctionValue) and value.kind != "property"


def public_methods(holders: Sequence[ClassValue], space: Conditions) -> dict[str, FunctionValue]:
    """The methods that some classes hold whose names begin with no underscore, with what the first of them has."""
    found: dict[str, FunctionValue] = {}
    for holder in holders:
        for name, value in holder.scope.names.found():
            functions = [v for _, v in alternatives(value, space.true) if isinstance(v, FunctionValue) and is_method(v)]
            if functions and not name.startswith("_"):
                found.setdefault(name, functions[0])
    return found
