"""PyTorch's records sorted by op, with what became of each: what was replaced, what raised, what stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, TypeAlias

from msgspec.structs import replace

from opcheck_rules.model.condition import Condition, Conditions

from ...symbolic.collect import Reached
from ...symbolic.values import External
from ..unresolved import is_told
from .keys import AUTOGRAD, EVERY_NAME, IMPLICIT, META, spelt
from .records import Defined, Filled, Opened

CUSTOM: Final = frozenset({"custom_op", "triton_op"})
"""The APIs whose ops come with wrappers of their own."""
_AtKey: TypeAlias = tuple[list[Reached[Filled]], list[Reached[Filled]]]
"""The kernels at a key, and the registrations that pass it by."""


@dataclass(eq=False)
class Gathered:
    """Every record about one op, in the order an import makes them."""

    name: str
    space: Conditions
    defined: list[Reached[Defined]] = field(default_factory=list[Reached[Defined]])
    filled: list[Reached[Filled]] = field(default_factory=list[Reached[Filled]])
    _by_key: dict[str, _AtKey] = field(default_factory=dict[str, "_AtKey"])

    @cached_property
    def entries(self) -> frozenset[str]:
        """The entries that lead to any of them."""
        return frozenset[str]().union(*(record.entries for record in (*self.defined, *self.filled)))

    def kernels(self, key: str) -> list[Reached[Filled]]:
        """The kernels that stand at one dispatch key, fallthroughs left out."""
        return self._at(key)[0]

    def fallthroughs(self, key: str) -> list[Reached[Filled]]:
        """The registrations that pass a key by on purpose."""
        return self._at(key)[1]

    @cached_property
    def unread_kernels(self) -> list[Reached[Filled]]:
        """The kernels for a key that was not read, each where no target assumes which it is."""
        unread = [f for f in self.standing if is_unread(f.record)]
        found = [replace(f, condition=f.condition & ~is_assumed(self.space, f.record.text)) for f in unread]
        return [f for f in found if not f.condition.fails]

    def slots(self, slot: str) -> list[Reached[Filled]]:
        """What was registered for a slot that has no key."""
        return [f for f in self.standing if f.record.slot == slot]

    def by(self, apis: Iterable[str]) -> Condition:
        """The condition under which one of these APIs defined the op."""
        return self.space.any(d.condition for d in self.defined if d.record.api in apis)

    def _at(self, key: str) -> _AtKey:
        """The kernels that stand at one dispatch key, and those that pass it by."""
        if key not in self._by_key:
            found = [f for f in self._registered(key) if not f.condition.fails]
            passing = [f for f in found if is_fallthrough(f.record)]
            self._by_key[key] = [f for f in found if not is_fallthrough(f.record)], passing
        return self._by_key[key]

    def _registered(self, key: str) -> Iterator[Reached[Filled]]:
        """What is registered for a key; one that was not read is a question, which an assumption can answer."""
        for filled in self.standing:
            if is_unread(filled.record):
                assumed = is_assumed(self.space, filled.record.text, spelt(key))
                yield replace(filled, condition=filled.condition & assumed)
            elif filled.record.slot == "kernel" and filled.record.key == key:
                yield filled

    @cached_property
    def standing(self) -> list[Reached[Filled]]:
        """What was registered, each where it did not raise and nothing took it away again."""
        found = (replace(f, condition=f.condition & ~self._undone(f)) for f in self.filled)
        return [f for f in found if not f.condition.fails]

    def _undone(self, filled: Reached[Filled]) -> Condition:
        """Where a registration comes to nothing: it raises, or goes with the op that it completed."""
        return self.space.any((*self._raises(filled), *self._made_anew(filled), *self._replaced(filled)))

    def _replaced(self, filled: Reached[Filled]) -> Iterator[Condition]:
        """The last kernel for a key stands; a derivative formula is one for Autograd, but on a custom op."""
        key = _key(filled.record)
        for later in self.filled if key is not None else ():
            if later.order > filled.order and _key(later.record) == key:
                stands = later.condition & ~self.space.any(self._raises(later))
                yield stands if filled.record.slot == later.record.slot else stands & ~self.by(CUSTOM)

    def _raises(self, filled: Reached[Filled]) -> Iterator[Condition]:
        record = filled.record
        if record.yields:
            yield self._earlier(filled, record.key)
        yield from (kernel.condition for kernel in self.refusing(filled))
        if record.slot == "derivative":
            refused = (d for d in self.defined if d.record.schema and not d.record.schema.can_have_formula)
            yield self.space.any(d.condition for d in refused)

    def refusing(self, filled: Reached[Filled]) -> Iterator[Reached[Filled]]:
        """The composite kernels that make registering a fake one an error, each where it does: they were there before.

        A custom op takes fakes all the same: it came with a kernel at Meta, which asks for them.
        """
        record = filled.record
        if record.slot != "fake" and record.key != META:
            return
        refused = filled.condition & ~self.by(CUSTOM) if record.slot == "fake" else filled.condition
        for kernel in self.filled:
            if kernel.record.key == IMPLICIT and _runs_before(kernel, filled) and kernel.condition.meets(refused):
                yield replace(kernel, condition=kernel.condition & refused)

    def _earlier(self, filled: Reached[Filled], key: str | None) -> Condition:
        return self.space.any(
            f.condition
            for f in self.filled
            if f.order < filled.order and f.record.slot == "kernel" and f.record.key == key is not None
        )

    def _made_anew(self, filled: Reached[Filled]) -> Iterator[Condition]:
        """A second `custom_op` of the same name drops the first, with what went through it."""
        own = filled.record.through_op or filled.record.slot != "kernel"
        for defined in self.defined:
            if own and defined.order > filled.order and defined.record.api in CUSTOM:
                yield defined.condition & self._custom_before(filled)

    def _custom_before(self, filled: Reached[Filled]) -> Condition:
        return self.space.any(d.condition for d in self.defined if d.order < filled.order and d.record.api in CUSTOM)


def _runs_before(one: Reached[Filled], other: Reached[Filled]) -> bool:
    """Whether a program that makes both records makes `one` first. Who calls two functions in which order is open."""
    together = bool(one.entries & other.entries) and (not one.hypothetical or other.condition.implies(one.condition))
    return one.order < other.order and together


def _key(record: Filled) -> str | None:
    """The dispatch key whose kernel a registration becomes."""
    return AUTOGRAD if record.slot == "derivative" else record.key


def is_unread(record: Filled) -> bool:
    """Whether a kernel is for a key that was not read."""
    return record.slot == "kernel" and record.key is None and record.written is None


def is_assumed(space: Conditions, text: str, keys: Iterable[str] = EVERY_NAME) -> Condition:
    """The condition under which a target assumes that a key which was not read is one of these: else it is unknown."""
    return space.atom(text, "in", tuple(keys), settled=False)


def is_fallthrough(record: Filled) -> bool:
    """Whether what is registered is PyTorch's own marker for passing a key by."""
    return isinstance(record.function, External) and record.function.path.endswith("fallthrough_kernel")


@dataclass(eq=False)
class Everything:
    """All of PyTorch's records: by op, those whose op was not read, and the compiled code that is loaded."""

    ops: dict[str, Gathered]
    unnamed_definitions: list[Reached[Defined]]
    unnamed_fillings: list[Reached[Filled]]
    opened: list[Reached[Opened]]


def gather(space: Conditions, effects: Iterable[Reached[object]]) -> Everything:
    """Sort what was put on record by op."""
    everything = Everything({}, [], [], [])
    ops = everything.ops
    for effect in effects:
        match effect.record:
            case Defined(op=None, text=text) | Filled(op=None, text=text) if is_told(effect, text):
                # Nothing is known of the arguments of a function that nobody calls: a name made of them says nothing.
                pass
            case Defined(op=None):
                everything.unnamed_definitions.append(effect.of(Defined))
            case Filled(op=None):
                everything.unnamed_fillings.append(effect.of(Filled))
            case Defined(op=str(op)):
                ops.setdefault(op, Gathered(op, space)).defined.append(effect.of(Defined))
            case Filled(op=str(op)):
                ops.setdefault(op, Gathered(op, space)).filled.append(effect.of(Filled))
            case Opened():
                everything.opened.append(effect.of(Opened))
            case _:
                pass
    return everything
