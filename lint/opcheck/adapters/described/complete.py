"""What is still to be read for descriptions, once all that declares was evaluated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from opcheck_rules.model.finding import Span

from ...symbolic.machine import Machine
from ...symbolic.modules import Module
from ...symbolic.state import Effect
from .description import PLACE, Classes, Description, Modules
from .items import Tables
from .records import Derived, Offering, Supplied
from .watcher import Described


@dataclass(eq=False)
class Completion:
    """Goes on from what was put on record: what it hangs on is evaluated, which may put more on record."""

    described: Described
    tables: Tables = field(init=False)
    seen: int = 0
    is_begun: bool = False

    def __post_init__(self) -> None:
        self.tables = Tables(self.described)

    def __call__(self) -> None:
        """Evaluate what has become known to matter since the last time."""
        if not self.is_begun:
            self.is_begun = True
            self._load_modules()
        machine = self.described.machine
        self.tables.read()
        for effect in machine.effects[self.seen :]:
            self._follow(effect.record)
        self.seen = len(machine.effects)

    def _load_modules(self) -> None:
        """Evaluate the modules that descriptions name: where what they are about is defined, and those of backends."""
        for path in self.described.named_paths:
            module = path.rpartition(".")[0]
            if module in self.described.machine.layout.files:
                _ = self.described.machine.load_module(module).scope
        for description in self.described.descriptions:
            if isinstance(description.shape, Modules):
                for backend in description.backends:
                    _offer(self.described.machine, description, description.shape, backend)

    def _follow(self, record: object) -> None:
        """Find out what a record says while modules can still be evaluated for it."""
        match record:
            case Supplied(description=description, value=value):
                self.described.stubs.of(value, description.stubs)
            case Derived(description=Description(shape=Classes() as shape) as description, cls=cls):
                made = self.described.objects.of(cls)
                self.described.objects.backends(description, shape, cls)
                for holder in cls.mro():
                    for _, value in holder.scope.names.found():
                        self.described.stubs.of(value, description.stubs, made)
            case Derived(cls=cls):
                self.described.objects.of(cls)
            case _:
                pass


def _offer(machine: Machine, description: Description, shape: Modules, backend: str) -> None:
    """Evaluate the modules of one backend, and put them on record."""
    root = machine.layout.canonical(shape.root.replace(PLACE, backend))
    modules = tuple(_evaluated(machine, name) for name in _names(machine, root))
    if modules:
        record = Offering(description, backend, modules)
        span = Span(str(modules[0].source.path), 1, 1, 1, 1)
        always = machine.space.true
        machine.effects.append(Effect(record, modules[0].name, always, span, machine.next_turn(), hypothetical=False))


def _names(machine: Machine, root: str) -> Iterator[str]:
    """A module, or a package with the modules right below it."""
    if root in machine.layout.files:
        yield root
    yield from sorted(name for name in machine.layout.files if name.rpartition(".")[0] == root)


def _evaluated(machine: Machine, name: str) -> Module:
    module = machine.load_module(name)
    _ = module.scope
    for bound in module.namespace.names:
        _ = module.namespace.names[bound]
    return module
