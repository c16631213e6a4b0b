"""What a call brings to an op: the backend of its inputs, a conflict between them, whether one is tracked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from opcheck_rules.model.finding import PredictedError

from ..uses.fact import Fact, Given


class Brought(Struct, frozen=True):
    """What is evident of a call: the backend that decides it, the error of inputs that conflict, a tracked input."""

    backend: str | None = None
    mixed: PredictedError | None = None
    tracked: bool = False


class Parameters(Struct, frozen=True):
    """An op's parameters: those that can be given by position, those by name alone, what is evident of the defaults."""

    positional: Sequence[str]
    named: Sequence[str]
    defaults: Mapping[str, Fact | None] = field(default_factory=dict[str, "Fact | None"])

    def bound(self, given: Given) -> dict[str, Fact | None] | None:
        """What is evident of each parameter in a call; None for a call that does not fit, or is not read in full."""
        if given.is_open or len(given.positional) > len(self.positional):
            return None
        by_position = dict(zip(self.positional, given.positional, strict=False))
        known = {**self.defaults, **by_position, **given.keywords}
        names = [*self.positional, *self.named]
        return {name: known[name] for name in names} if known.keys() == set(names) else None
