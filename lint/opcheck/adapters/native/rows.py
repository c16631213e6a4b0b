"""From native records to rows of the dispatch table, by the runtime's own `route`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, product
from typing import Final

from opcheck_rules.model.condition import Condition, Conditions
from opcheck_rules.model.finding import PredictedError, Span
from opcheck_rules.model.project import Cause, Cell, Framework, Op, Outcome, RoutingFault, Status, Stub
from opcheck_runtime.route import Hole, Kernel, Reason, derivative_hole, route_forward
from opcheck_runtime.spec import BACKENDS, Declaration, Gate

from ...symbolic.collect import Reached
from ..bodies import does_nothing, stub_of
from .records import Arm, Declared, FeaturesEnabled, KernelAdded, RuleAdded

NATIVE: Final = Framework("native", BACKENDS, warn_unused=True)

_CAUSES: Final = {
    Reason.NOT_LISTED: Cause.NOT_LISTED,
    Reason.FEATURE_OFF: Cause.FEATURE_OFF,
    Reason.NO_KERNEL: Cause.NO_KERNEL,
    Reason.AUTODIFF_NOT_LISTED: Cause.AUTODIFF_NOT_LISTED,
    Reason.AUTODIFF_FEATURE_OFF: Cause.AUTODIFF_FEATURE_OFF,
    Reason.NO_VJP: Cause.NO_RULE,
}


@dataclass(eq=False)
class Gathered:
    """Every record about one op, each with the condition under which it is reached."""

    declared: list[Reached[Declared]] = field(default_factory=list[Reached[Declared]])
    kernels: list[Reached[KernelAdded]] = field(default_factory=list[Reached[KernelAdded]])
    rules: list[Reached[RuleAdded]] = field(default_factory=list[Reached[RuleAdded]])


@dataclass(frozen=True)
class Features:
    """The features that the project's own code enables, and when."""

    space: Conditions
    enabled: Sequence[Reached[FeaturesEnabled]]

    def open(self, feature: str | None, order: int) -> Condition:
        """The condition under which a gate is open for a declaration that runs at `order`.

        A feature is on where the target enables it, or where a statement that ran before did.
        """
        if feature is None:
            return self.space.true
        earlier = [e.condition for e in self.enabled if feature in e.record.names and e.order < order]
        return self.space.any([self.space.atom(f"feature:{feature}"), *earlier])


def gather(effects: Iterable[Reached[object]]) -> tuple[dict[str, Gathered], list[Reached[FeaturesEnabled]]]:
    """Sort what was put on record by op, and the features enabled apart."""
    ops: dict[str, Gathered] = defaultdict(Gathered)
    enabled: list[Reached[FeaturesEnabled]] = []
    for effect in effects:
        match effect.record:
            case Declared(op=op):
                ops[op].declared.append(effect.of(Declared))
            case KernelAdded(op=op):
                ops[op].kernels.append(effect.of(KernelAdded))
            case RuleAdded(op=op):
                ops[op].rules.append(effect.of(RuleAdded))
            case FeaturesEnabled():
                enabled.append(effect.of(FeaturesEnabled))
            case _:
                pass
    return dict(ops), enabled


def row(space: Conditions, gathered: Gathered, features: Features) -> Op:
    """The row of one op. Where it is declared more than once under exclusive guards, each declaration fills its worlds."""
    first = gathered.declared[0]
    declared = first.record
    standing = list(_standing(space, gathered.declared))
    cells: dict[tuple[str, str], Cell] = {}
    for backend in BACKENDS:
        forward = [o for d in standing for o in _forward(space, d, gathered, backend, features)]
        autodiff = [o for d in standing for o in _autodiff(space, d, gathered, features)]
        cells[backend, "forward"] = Cell(backend, "forward", tuple(forward))
        cells[backend, "autodiff"] = Cell(backend, "autodiff", tuple(autodiff))
    listed = tuple(dict.fromkeys(a.backend for d in gathered.declared for a in d.record.arms if a.backend))
    return Op(
        name=declared.op,
        own_name=declared.function.name,
        framework=NATIVE.name,
        span=first.span,
        listing=declared.listing,
        defined=space.any(d.condition for d in gathered.declared),
        cells=cells,
        listed=listed,
        routing_faults=tuple(fault for d in gathered.declared for fault in _routing_faults(space, d)),
    )


def _standing(space: Conditions, declared: Sequence[Reached[Declared]]) -> Iterator[Reached[Declared]]:
    """Each declaration in the worlds that no later one takes over."""
    taken = space.false
    for reached in reversed(declared):
        if not (here := reached.condition & ~taken).fails:
            yield replace(reached, condition=here)
        taken = taken | reached.condition


def _forward(
    space: Conditions, declared: Reached[Declared], gathered: Gathered, backend: str, features: Features
) -> Iterator[Outcome]:
    """The cell of one backend: what `route` answers in each kind of world."""
    record = declared.record
    own = space.any(k.condition for k in gathered.kernels if k.record.backend == backend)
    maybe = space.any(k.condition for k in gathered.kernels if k.record.backend is None)
    for arm_condition, arm in _arm_worlds(space, record.arms, backend):
        for is_open, has_kernel in product((True, False), repeat=2):
            gate = features.open(arm.feature, declared.order) if arm else space.true
            world = declared.condition & arm_condition
            world = world & (gate if is_open else ~gate) & (own if has_kernel else ~own)
            if not world.fails:
                yield from _answer(record, arm, backend, is_open, has_kernel, world, gathered, maybe)


def _arm_worlds(space: Conditions, arms: Sequence[Arm], backend: str) -> Iterator[tuple[Condition, Arm | None]]:
    """The arm that lists `backend` in each world, the first where several do; None where none does."""
    left = space.true
    for arm in arms:
        if arm.backend == backend:
            yield left & arm.condition, arm
            left = left & ~arm.condition
    yield left, None


def _answer(
    record: Declared,
    arm: Arm | None,
    backend: str,
    is_open: bool,
    has_kernel: bool,
    world: Condition,
    gathered: Gathered,
    maybe: Condition,
) -> Iterator[Outcome]:
    """The outcome `route` gives for a declaration as it is in one world; unknown where a part of it was not read."""
    declaration = Declaration(
        record.function.name,
        {backend: Gate(arm.feature, is_open)} if arm else {},
        {backend} if has_kernel else (),
        has_body=not does_nothing(record.function),
        unsupported=dict.fromkeys(record.unsupported, "left out on purpose"),
    )
    answer = route_forward(declaration, backend)
    span = arm.span if arm else record.listing
    if isinstance(answer, Kernel):
        yield _covered(answer, world, gathered, record, span)
    elif arm is None and not record.complete:
        yield Outcome(world, Status.UNKNOWN, "the backend list could not be read", span=span)
    else:
        if answer.reason is Reason.NO_KERNEL and not maybe.fails:
            yield Outcome(world & maybe, Status.UNKNOWN, "a kernel's backend could not be read", span=span)
            world = world & ~maybe
        if not world.fails:
            yield _hole(answer, record, world, span)


def _covered(answer: Kernel, world: Condition, gathered: Gathered, record: Declared, span: Span) -> Outcome:
    kernels = [k for k in gathered.kernels if k.record.backend == answer.backend]
    kernel = next((k for k in kernels if k.condition.meets(world)), None)
    if answer.source == "kernel" and kernel is not None:
        function, span = kernel.record.function, kernel.span
        reason = "kernel registered"
    else:
        function, reason = record.function, "the op's own body"
    stub: Stub | None = stub_of(function)
    return Outcome(world, Status.COVERED, reason, via=answer.source, span=span, named=True, stub=stub)


def _hole(answer: Hole, record: Declared, world: Condition, span: Span) -> Outcome:
    name, what = record.function.name, "Autodiff" if answer.is_autodiff else "Backend"
    error = PredictedError("call", f"{what}NotSupportedError", f"{what} not supported for custom op `{name}`")
    if answer.reason is Reason.UNSUPPORTED:
        return Outcome(world, Status.EXCLUDED, "left out on purpose", span=span, error=error)
    feature = answer.feature
    reason = f"feature `{feature}` is off" if feature else answer.reason.value
    return Outcome(world, Status.HOLE, reason, cause=_CAUSES[answer.reason], feature=feature, span=span, error=error)


def _autodiff(
    space: Conditions, declared: Reached[Declared], gathered: Gathered, features: Features
) -> Iterator[Outcome]:
    """The derivative, which belongs to the op whatever the backend."""
    record = declared.record
    rule = space.any(r.condition for r in gathered.rules)
    left = declared.condition
    for derivative in record.derivatives:
        here = left & derivative.condition
        left = left & ~derivative.condition
        if not derivative.known:
            yield Outcome(here, Status.UNKNOWN, "what `autodiff` says could not be read", span=record.listing)
            continue
        gate = features.open(derivative.feature, declared.order)
        for is_open, has_rule in product((True, False), repeat=2):
            world = here & (gate if is_open else ~gate) & (rule if has_rule else ~rule)
            if not world.fails:
                yield _derivative(record, Gate(derivative.feature, is_open), has_rule, world, gathered)
    if not left.fails:
        yield _derivative(record, None, False, left, gathered)


def _derivative(record: Declared, gate: Gate | None, has_rule: bool, world: Condition, gathered: Gathered) -> Outcome:
    declaration = Declaration(record.function.name, {}, autodiff=gate, has_vjp=has_rule)
    hole = derivative_hole(declaration)
    if hole is not None:
        return _hole(hole, record, world, record.autodiff)
    rule = next(r for r in gathered.rules if r.condition.meets(world))
    return Outcome(world, Status.COVERED, "derivative rule registered", via="vjp", span=rule.span, named=True)


def _routing_faults(space: Conditions, declared: Reached[Declared]) -> Iterator[RoutingFault]:
    """An op without array inputs has nothing to choose a backend by: it needs exactly one, and no derivative."""
    record = declared.record
    if record.has_arrays or not record.complete:
        return
    several = space.any(a.condition & b.condition for a, b in combinations(record.arms, 2))
    none = ~space.any(a.condition for a in record.arms)
    condition = (several | none | space.any(d.condition for d in record.derivatives)) & declared.condition
    if not condition.fails:
        count = len(record.arms)
        detail = f"{count} backend{'' if count == 1 else 's'}" + (" and a derivative" if record.derivatives else "")
        error = PredictedError("import", "DeclarationError", "no parameter is an array")
        yield RoutingFault(condition, detail, "annotate an input as an array, or list exactly one backend", error)
