"""From PyTorch's records to rows of the dispatch table: how the dispatcher computes each cell.

Source: `OperatorEntry::computeDispatchTableEntryWithDebug` in ATen for the order in which a backend's and an autograd
key look for a kernel; `torch/_library/custom_ops.py` for what `custom_op` adds of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from opcheck_rules.model.condition import Condition, Conditions
from opcheck_rules.model.finding import PredictedError, Span
from opcheck_rules.model.project import Cause, Cell, Op, Outcome, RoutingFault, Status

from ...symbolic.collect import Reached
from ..bodies import stub_of
from ..cells import partition
from .gathered import Gathered
from .keys import AUTOGRAD, DEVICE_KEYS, EXPLICIT, IMPLICIT, NON_FUNCTIONAL, TORCH, VMAP, autograd_key
from .opaque import is_opaque
from .records import Defined, Filled

CUSTOM: Final = frozenset({"custom_op", "triton_op"})


@dataclass(frozen=True)
class Row:
    """One op's records, with what is needed to work its cells out.

    `taint` is the condition under which a registration whose op was not read may have filled any of them; `is_open`
    says that compiled code which was not read may have.
    """

    space: Conditions
    gathered: Gathered
    taint: Condition
    is_open: bool

    @property
    def name(self) -> str:
        """The op's qualified name."""
        return self.gathered.name

    def any_of(self, *apis: str) -> Condition:
        """The condition under which one of these APIs defined the op."""
        return self.space.any(d.condition for d in self.gathered.defined if d.record.api in apis)

    def op(self) -> Op:
        """The row itself."""
        first = self.gathered.defined[0] if self.gathered.defined else None
        span = first.span if first else self.gathered.filled[0].span
        return Op(
            name=self.name,
            own_name=self.name,
            framework=TORCH.name,
            span=span,
            listing=first.record.listing if first else span,
            defined=self.space.any(d.condition for d in self.gathered.defined),
            cells={(c.backend, c.context): c for c in self._cells()},
            has_definition=first is not None,
            external=first is None and self.is_open,
            routing_faults=tuple(fault for d in self.gathered.defined for fault in self._routing_faults(d)),
        )

    def _cells(self) -> Iterator[Cell]:
        compiled, batched = self._compile(), self._vmap()
        for backend, key in DEVICE_KEYS.items():
            yield Cell(backend, "forward", self._forward(key))
            yield Cell(backend, "autodiff", self._autodiff(key))
            yield Cell(backend, "compile", compiled)
            yield Cell(backend, "vmap", batched)

    def _forward(self, key: str) -> tuple[Outcome, ...]:
        """A backend's own kernel, then the composite ones, then one at Autograd, which runs on every backend."""
        own, over = [(key, True)], [(k, False) for k in (NON_FUNCTIONAL, EXPLICIT, IMPLICIT)]
        autograd = [(autograd_key(key), True), (AUTOGRAD, False)]
        steps = [o for k, named in (*own, *over, *autograd) for o in self._kernels(k, named=named)]
        message = f"Could not run '{self.name}' with arguments from the '{key}' backend."
        return self._partition(
            steps, Cause.NO_KERNEL, "no kernel", PredictedError("call", "NotImplementedError", message)
        )

    def _kernels(self, key: str, *, named: bool) -> Iterator[Outcome]:
        """What one dispatch key supplies: the last kernel registered for it is the one that stands."""
        for kernel in reversed(self.gathered.kernels(key)):
            stub = stub_of(kernel.record.function)
            reason = f"kernel registered for `{kernel.record.written or key}`"
            yield Outcome(kernel.condition, Status.COVERED, reason, key, span=kernel.span, named=named, stub=stub)

    def _autodiff(self, key: str) -> tuple[Outcome, ...]:
        """The derivative's slot: kernels at the autograd keys, a formula, or a composite kernel that decomposes."""
        steps = [*self._kernels(autograd_key(key), named=True)]
        steps += [self._slot(f, AUTOGRAD, "derivative formula") for f in reversed(self.gathered.slots("derivative"))]
        steps += self._kernels(AUTOGRAD, named=False)
        steps += [self._left_out(f) for k in (autograd_key(key), AUTOGRAD) for f in self.gathered.fallthroughs(k)]
        steps += self._decomposed(key)
        return self._partition(steps, Cause.AUTODIFF_NOT_LISTED, *self._missing_derivative())

    def _decomposed(self, key: str) -> Iterator[Outcome]:
        """A composite implicit kernel brings its derivative, unless a kernel of the backend or an explicit one hides
        it.
        """
        hiding = self.space.any(k.condition for name in (key, EXPLICIT) for k in self.gathered.kernels(name))
        for kernel in self.gathered.kernels(IMPLICIT):
            reason = "decomposes into ops that have derivatives"
            yield Outcome(kernel.condition & ~hiding, Status.COVERED, reason, IMPLICIT, span=kernel.span)

    def _missing_derivative(self) -> tuple[str, PredictedError]:
        if any(d.record.api in CUSTOM for d in self.gathered.defined):
            dotted = self.name.replace("::", ".", 1)
            overload = dotted if dotted.count(".") > 1 else f"{dotted}.default"
            message = f"Trying to backward through {overload} but no autograd formula was registered."
            return "no autograd formula", PredictedError("backward", "RuntimeError", message)
        message = f"{self.name}: an autograd kernel was not registered to the Autograd key(s)"
        return "no autograd kernel", PredictedError("backward", "UserWarning", message)

    def _slot(self, filled: Reached[Filled], via: str, what: str) -> Outcome:
        return Outcome(filled.condition, Status.COVERED, f"{what} registered", via, span=filled.span, named=True)

    def _left_out(self, filled: Reached[Filled]) -> Outcome:
        return Outcome(filled.condition, Status.EXCLUDED, "not differentiable on purpose", span=filled.span)

    def _compile(self) -> tuple[Outcome, ...]:
        """The fake kernel: registered, at Meta, generated for an op that only mutates, or what a composite decomposes
        to.
        """
        custom = self.any_of(*CUSTOM)
        steps = [self._slot(f, "fake", "fake kernel") for f in reversed(self.gathered.slots("fake"))]
        steps += self._kernels("Meta", named=True)
        steps += [
            self._trivial(d) for d in self.gathered.defined if d.record.schema and d.record.schema.has_trivial_fake
        ]
        for key in (NON_FUNCTIONAL, EXPLICIT, IMPLICIT):
            for kernel in self.gathered.kernels(key):
                # custom_op puts a wrapper of its own at Meta, which hides the composite kernel there.
                open_to_meta = kernel.condition if key == IMPLICIT else kernel.condition & ~custom
                steps.append(
                    Outcome(
                        open_to_meta, Status.COVERED, "the composite kernel runs on meta tensors", key, span=kernel.span
                    )
                )
        return self._partition(steps, Cause.NO_KERNEL, *self._missing_fake())

    def _trivial(self, defined: Reached[Defined]) -> Outcome:
        return Outcome(
            defined.condition,
            Status.COVERED,
            "generated, as the op only mutates its arguments",
            "fake",
            span=defined.span,
        )

    def _missing_fake(self) -> tuple[str, PredictedError]:
        custom = any(d.record.api in CUSTOM for d in self.gathered.defined)
        known = f"There was no fake impl registered for <CustomOpDef({self.name})>"
        message = known if custom else f"Operator does not support running with fake tensors: {self.name}"
        return "no fake kernel", PredictedError("compile", "RuntimeError", message)

    def _vmap(self) -> tuple[Outcome, ...]:
        """The batching rule: registered, or the fallback, which serves ops that return tensors and mutate nothing."""
        steps = [self._slot(f, VMAP, "batching rule") for f in reversed(self.gathered.slots("vmap"))]
        steps += self._kernels(VMAP, named=True)
        for kernel in self.gathered.kernels(IMPLICIT):
            steps.append(
                Outcome(kernel.condition, Status.COVERED, "decomposes into ops that batch", IMPLICIT, span=kernel.span)
            )
        steps += [
            Outcome(d.condition, Status.COVERED, "the fallback loops over the batch", "fallback", span=d.span)
            for d in self.gathered.defined
            if d.record.schema and not d.record.schema.mutates and _all_tensors(d.record.schema.returns)
        ]
        error = PredictedError("vmap", "RuntimeError", f"Batching rule not implemented for {self.name}")
        return self._partition(steps, Cause.NO_KERNEL, "no batching rule", error)

    def _partition(self, steps: list[Outcome], cause: Cause, reason: str, error: PredictedError) -> tuple[Outcome, ...]:
        """Close a cell: what may have been filled by what was not read is unknown, the rest is a hole."""
        unread = self.space.any(f.condition for f in self.gathered.unread()) | self.taint
        if self.is_open and not self.gathered.defined:
            unread = self.space.true
        steps = [*steps, Outcome(unread, Status.UNKNOWN, "may be filled by a registration that was not read")]
        survivable = cause is Cause.AUTODIFF_NOT_LISTED and error.type == "UserWarning" and not self._is_opaque()
        hole = Outcome(
            self.space.true, Status.HOLE, reason, cause=cause, span=self._listing(), error=error, survivable=survivable
        )
        return partition(self.space, steps, hole)

    def _is_opaque(self) -> bool:
        """Whether some kernel's body leaves torch, so that autograd cannot see through it."""
        kernels = [f for f in self.gathered.filled if f.record.slot == "kernel"]
        return not kernels or any(is_opaque(f.record.function) for f in kernels)

    def _listing(self) -> Span:
        records = self.gathered.defined
        return records[0].record.listing if records else self.gathered.filled[0].span

    def _routing_faults(self, defined: Reached[Defined]) -> Iterator[RoutingFault]:
        """`custom_op` for named devices needs a tensor, or a `device` argument, to choose a kernel by."""
        schema = defined.record.schema
        if defined.record.api != "custom_op" or schema is None or schema.takes_tensors or schema.takes_device:
            return
        if "Any" in schema.text:
            return
        named = [k for key in DEVICE_KEYS.values() for k in self.gathered.kernels(key)]
        condition = self.space.any(k.condition for k in named) & defined.condition
        if not condition.fails:
            message = "Functions without tensor inputs are required to have a `device: torch.device` argument"
            yield RoutingFault(
                condition,
                "kernels for single devices and no tensor input",
                "add a `device: torch.device` parameter, or leave `device_types` out",
                PredictedError("import", "ValueError", message),
            )


def _all_tensors(returns: tuple[str, ...]) -> bool:
    return bool(returns) and all(r.startswith("Tensor") for r in returns)
