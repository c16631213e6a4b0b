"""PyTorch's part of a project: rows, registrations, and the namespaces that other code may fill."""

from __future__ import annotations

from collections.abc import Iterable

from opcheck_rules.model.condition import Conditions
from opcheck_rules.model.project import Op, Registration

from ...symbolic.collect import Reached
from ..intricate import bounded
from .gathered import Everything, Gathered
from .namespaces import Unread, of
from .records import Filled
from .registrations import registrations
from .row import Row
from .rows import op_of


def ops(space: Conditions, everything: Everything, unread: Unread) -> tuple[Op, ...]:
    """A row for each op that anything was registered for."""
    return tuple(
        op_of(Row(space, gathered, tuple(unread.gaps(gathered)), tuple(_unnamed(everything, gathered))))
        for gathered in everything.ops.values()
    )


def _unnamed(everything: Everything, gathered: Gathered) -> Iterable[Reached[Filled]]:
    """The registrations of some op that was not read which may be this one."""
    return (f for f in everything.unnamed_fillings if f.record.namespace in (None, of(gathered.name)))


def all_registrations(everything: Everything) -> tuple[Registration, ...]:
    """Every registration about a named op."""
    return tuple(r for gathered in everything.ops.values() for r in _registrations(gathered))


def _registrations(gathered: Gathered) -> tuple[Registration, ...]:
    return bounded(gathered.space, lambda: tuple(registrations(gathered)), tuple)
