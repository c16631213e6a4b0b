"""The autodiff cell of a native op, which is the op's own whatever the backend."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from opcheck_rules.model.condition import Condition, Conditions
from opcheck_rules.model.project import Cause, Outcome, Status
from opcheck_runtime.route import derivative_hole
from opcheck_runtime.spec import Declaration, Gate

from ...symbolic.collect import Reached
from .gathered import Features, Gathered
from .holes import hole_of
from .records import Declared


def derivative(
    space: Conditions, declared: Reached[Declared], gathered: Gathered, features: Features
) -> Iterator[Outcome]:
    """What `autodiff` says in each kind of world, and whether a rule is there."""
    record = declared.record
    rule = space.any(r.condition for r in gathered.rules)
    left = declared.condition
    for said in record.derivatives:
        here = left & said.condition
        left = left & ~said.condition
        if not said.known:
            yield Outcome(here, Status.UNKNOWN, "what `autodiff` says could not be read", span=record.listing)
            continue
        gate = features.open(said.feature, declared.order)
        for is_open, has_rule in product((True, False), repeat=2):
            world = here & (gate if is_open else ~gate) & (rule if has_rule else ~rule)
            if not world.fails:
                found = _outcome(record, Gate(said.feature, is_open), has_rule, world, gathered)
                yield from gathered.missing(found) if found.cause is Cause.NO_RULE else (found,)
    if not left.fails:
        yield _outcome(record, None, False, left, gathered)


def _outcome(record: Declared, gate: Gate | None, has_rule: bool, world: Condition, gathered: Gathered) -> Outcome:
    declaration = Declaration(record.function.name, {}, autodiff=gate, has_vjp=has_rule)
    hole = derivative_hole(declaration)
    if hole is not None:
        return hole_of(hole, record, world, record.autodiff)
    rule = next(r for r in gathered.rules if r.condition.meets(world))
    reason = f"derivative rule registered at {rule.span.path}:{rule.span.line}"
    return Outcome(world, Status.COVERED, reason, span=rule.span, named=True)
