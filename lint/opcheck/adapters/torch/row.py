"""What the cells of one op are worked out from, and how each of them is closed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from msgspec import Struct

from opcheck_rules.model.condition import Condition, Conditions
from opcheck_rules.model.finding import Span
from opcheck_rules.model.project import Outcome, Status

from ...symbolic.collect import Reached
from ..cells import partition
from ..refusal import stub_for
from .gathered import CUSTOM, Gathered, is_unread
from .keys import AUTOGRAD, DEVICE_KEYS, EXPLICIT, IMPLICIT
from .records import Defined, Filled


class Gap(Struct, frozen=True):
    """Code that was not read and may fill any cell where `condition` holds; `text` says which, `span` where it is."""

    condition: Condition
    text: str
    span: Span | None = None


@dataclass(frozen=True)
class Row:
    """One op's records, with what may have filled its cells unread: `gaps`, and fillings of an `unnamed` op."""

    space: Conditions
    gathered: Gathered
    gaps: Sequence[Gap] = ()
    unnamed: Sequence[Reached[Filled]] = ()

    @property
    def name(self) -> str:
        """The op's qualified name."""
        return self.gathered.name

    @cached_property
    def custom(self) -> Condition:
        """The condition under which the op is one of those that come with wrappers of their own."""
        return self.gathered.by(CUSTOM)

    @cached_property
    def named(self) -> list[Reached[Filled]]:
        """The kernels for single devices."""
        return [kernel for key in DEVICE_KEYS.values() for kernel in self.gathered.kernels(key)]

    @cached_property
    def selected(self) -> Condition:
        """Where a custom op chooses its kernel by a `device` argument: one made for every backend then serves none."""
        without = (d.condition for d in self.with_schema() if (s := d.record.schema) and s.chooses_no_backend)
        own = (kernel.condition for kernel in self.named if kernel.record.through_op)
        return self.space.any(without) & self.space.any(own) & self.custom

    @property
    def span(self) -> Span:
        """Where the op is defined, or else first met."""
        defined = self.gathered.defined
        return defined[0].span if defined else self.gathered.filled[0].span

    @property
    def listing(self) -> Span:
        """Where the op says which devices it is for."""
        defined = self.gathered.defined
        return defined[0].record.listing if defined else self.gathered.filled[0].span

    def kernels(self, key: str, *, named: bool = False, backend: str | None = None) -> Iterator[Outcome]:
        """What one dispatch key supplies, to `backend` where one is meant: the last kernel registered for it stands."""
        for kernel in reversed(self.gathered.kernels(key)):
            stub = stub_for(kernel.record.function, backend)
            reason = f"kernel for `{kernel.record.written or key}` registered at {place(kernel.span)}"
            yield Outcome(kernel.condition, Status.COVERED, reason, key, span=kernel.span, named=named, stub=stub)

    def slots(self, slot: str, via: str, what: str) -> Iterator[Outcome]:
        """What was registered for a slot that has no key, the last first."""
        for filled in reversed(self.gathered.slots(slot)):
            reason = f"{what} registered at {place(filled.span)}"
            yield Outcome(filled.condition, Status.COVERED, reason, via, span=filled.span, named=True)

    def with_schema(self) -> Iterator[Reached[Defined]]:
        """The definitions whose schema was read."""
        return (d for d in self.gathered.defined if d.record.schema is not None)

    def schema_unread(self) -> Condition:
        """The condition under which the op's schema was not read."""
        return self.space.any(d.condition for d in self.gathered.defined if d.record.schema is None)

    def decomposes(self, key: str) -> Condition:
        """Where a call on a backend runs the implicit composite kernel, before any explicit one is looked for.

        It is found at the backend's autograd key, unless a kernel of the backend hides it, or an explicit composite
        one. That key is worked out again only when something is registered that fills autograd keys: an explicit kernel
        which came after the last such registration hides nothing yet.
        """
        implicit = self.gathered.kernels(IMPLICIT)
        if not implicit:
            return self.space.false
        refreshed = [*implicit, *self.gathered.kernels(AUTOGRAD), *self.gathered.slots("derivative")]
        hidden = [k.condition for k in self.gathered.kernels(key)]
        for explicit in self.gathered.kernels(EXPLICIT):
            stale = self._any(k for k in implicit if k.order < explicit.order)
            hidden.append(explicit.condition & ~(stale & ~self._any(r for r in refreshed if r.order > explicit.order)))
        return self._any(implicit) & ~self.space.any(hidden)

    def _any(self, reached: Iterable[Reached[Filled]]) -> Condition:
        return self.space.any(r.condition for r in reached)

    def close(self, steps: Iterable[Outcome], hole: Outcome, reads: frozenset[str]) -> tuple[Outcome, ...]:
        """A cell as its steps leave it: what may be filled by what was not read is unknown, the rest is a hole.

        `reads` are the slots and keys that the cell looks at.
        """
        return partition(self.space, chain(steps, self._unread(reads)), hole)

    def _unread(self, reads: frozenset[str]) -> Iterator[Outcome]:
        kernels = ((k, f"a kernel for `{k.record.text}`") for k in self.gathered.unread_kernels)
        filled = ((f, f"`{f.record.text}`") for f in self.unnamed if _may_be_in(reads, f.record))
        registered = (
            _unknown(each.condition, f"{text}, which is registered at {place(each.span)}", each.span)
            for each, text in chain(kernels, filled)
        )
        return chain(registered, (_unknown(gap.condition, gap.text, gap.span) for gap in self.gaps))


def _unknown(condition: Condition, text: str, span: Span | None) -> Outcome:
    return Outcome(condition, Status.UNKNOWN, f"may be filled by {text}", span=span)


def _may_be_in(reads: frozenset[str], record: Filled) -> bool:
    return (record.key or record.slot) in reads or is_unread(record)


def place(span: Span) -> str:
    """Where something stands, for a reason."""
    return f"{span.path}:{span.line}"
