"""The forward cell of a native op: what the runtime's own `route` answers in each kind of world."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from msgspec import Struct

from opcheck_rules.model.condition import Condition, Conditions
from opcheck_rules.model.finding import Span
from opcheck_rules.model.project import Outcome, Status
from opcheck_runtime.route import Hole, Kernel, Reason, route_forward
from opcheck_runtime.spec import Declaration, Gate

from ...symbolic.collect import Reached
from ..bodies import does_nothing
from ..refusal import stub_for
from .gathered import Features, Gathered
from .holes import hole_of
from .records import Arm, Declared


class _World(Struct, frozen=True):
    """One kind of world: which arm lists the backend there, whether its gate is open, whether it has a kernel."""

    condition: Condition
    arm: Arm | None
    is_open: bool
    has_kernel: bool


def forward(
    space: Conditions, declared: Reached[Declared], gathered: Gathered, backend: str, features: Features
) -> Iterator[Outcome]:
    """The outcomes of one backend under one declaration."""
    own = space.any(k.condition for k in gathered.kernels if k.record.backend == backend)
    for arm_condition, arm in _arm_worlds(space, declared.record.arms, backend):
        gate = features.open(arm.feature, declared.order) if arm else space.true
        for is_open, has_kernel in product((True, False), repeat=2):
            here = declared.condition & arm_condition & (gate if is_open else ~gate) & (own if has_kernel else ~own)
            if not here.fails:
                yield from _outcomes(space, declared.record, gathered, backend, _World(here, arm, is_open, has_kernel))


def _arm_worlds(space: Conditions, arms: Sequence[Arm], backend: str) -> Iterator[tuple[Condition, Arm | None]]:
    """The arm that lists `backend` in each world, the first where several do; None where none does."""
    left = space.true
    for arm in arms:
        if arm.backend == backend:
            yield left & arm.condition, arm
            left = left & ~arm.condition
    yield left, None


def _outcomes(
    space: Conditions, record: Declared, gathered: Gathered, backend: str, world: _World
) -> Iterator[Outcome]:
    """The outcome `route` gives for a declaration as it is in one world; unknown where a part of it was not read."""
    answer = _route(record, backend, world)
    span = world.arm.span if world.arm else record.listing
    if world.arm is not None and world.arm.feature_text:
        yield Outcome(world.condition, Status.UNKNOWN, "the feature of its gate could not be read", span=span)
    elif isinstance(answer, Kernel):
        yield _covered(answer, gathered, record, world.condition, span)
    elif world.arm is None and not record.complete:
        yield Outcome(world.condition, Status.UNKNOWN, "the backend list could not be read", span=span)
    else:
        yield from _missing(space, answer, record, gathered, world.condition, span)


def _route(record: Declared, backend: str, world: _World) -> Kernel | Hole:
    declaration = Declaration(
        record.function.name,
        {backend: Gate(world.arm.feature, world.is_open)} if world.arm else {},
        {backend} if world.has_kernel else (),
        has_body=not does_nothing(record.function),
        unsupported=dict.fromkeys(record.unsupported, "left out on purpose"),
    )
    return route_forward(declaration, backend)


def _covered(answer: Kernel, gathered: Gathered, record: Declared, world: Condition, span: Span) -> Outcome:
    kernels = [k for k in gathered.kernels if k.record.backend == answer.backend]
    kernel = next((k for k in kernels if k.condition.meets(world)), None)
    if answer.source == "kernel" and kernel is not None:
        reason = f"kernel registered at {kernel.span.path}:{kernel.span.line}"
        stub = stub_for(kernel.record.function, answer.backend)
        return Outcome(world, Status.COVERED, reason, via=answer.source, span=kernel.span, named=True, stub=stub)
    stub = stub_for(record.function, answer.backend)
    return Outcome(world, Status.COVERED, "the op's own body", via=answer.source, span=span, named=True, stub=stub)


def _missing(
    space: Conditions, answer: Hole, record: Declared, gathered: Gathered, world: Condition, span: Span
) -> Iterator[Outcome]:
    """A hole, but for the worlds in which a kernel whose backend was not read may be the one that is missing."""
    maybe = space.any(k.condition for k in gathered.kernels if k.record.backend is None)
    unread = world & maybe if answer.reason is Reason.NO_KERNEL else space.false
    if not unread.fails:
        yield Outcome(unread, Status.UNKNOWN, "a kernel's backend could not be read", span=span)
    hole = hole_of(answer, record, world & ~unread, span)
    if answer.reason is Reason.NO_KERNEL:
        yield from gathered.missing(hole)
    else:
        yield hole
