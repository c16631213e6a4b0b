"""The native part of a project: rows, registrations, and the features its own code enables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from opcheck_rules.model.condition import Conditions
from opcheck_rules.model.project import Enabling, Gate, Op, Registration
from opcheck_rules.model.suppression import UnusedSuppression
from opcheck_rules.model.unresolved import Unresolved

from ...symbolic.collect import Reached
from ..given_up import GivenUp
from .gates import enablings, gates
from .gathered import Features, gather
from .left_out import unused
from .registrations import registrations
from .rows import row
from .unresolved import unresolved


class Native(Struct, frozen=True):
    """What the runtime's own API declares."""

    ops: tuple[Op, ...]
    registrations: tuple[Registration, ...]
    features: frozenset[str]
    gates: tuple[Gate, ...]
    enablings: tuple[Enabling, ...]
    unresolved: tuple[Unresolved, ...]
    unused_suppressions: tuple[UnusedSuppression, ...]


def native(space: Conditions, effects: Iterable[Reached[object]], given_up: Sequence[GivenUp] = ()) -> Native:
    """Join the native records. An op that nothing declares has no row: there is no object to complete it by."""
    ops, enabled = gather(effects)
    features = Features(space, enabled)
    complete = [gathered for gathered in ops.values() if gathered.declared]
    for gathered in complete:
        entries = frozenset[str]().union(*(declared.entries for declared in gathered.declared))
        gathered.given_up = tuple(call for call in given_up if entries <= call.entries)
    rows = [row(space, gathered, features) for gathered in complete]
    return Native(
        ops=tuple(rows),
        registrations=tuple(r for gathered in complete for r in registrations(gathered)),
        features=frozenset(name for e in enabled for name in e.record.names),
        gates=tuple(gate for gathered in complete for gate in gates(gathered)),
        enablings=tuple(enablings(enabled)),
        unresolved=tuple(u for gathered in complete for u in unresolved(gathered)),
        unused_suppressions=tuple(u for gathered, op in zip(complete, rows, strict=True) for u in unused(gathered, op)),
    )
