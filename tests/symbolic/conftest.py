"""What the tests of symbolic import are written with: a project from a few texts, its values and its probes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.files import write_all

from opcheck.summary.imports import imports_of
from opcheck.summary.source import read_source
from opcheck.symbolic.builtins import environment_item, standard_library
from opcheck.symbolic.collect import Reached, collect
from opcheck.symbolic.describe import describe
from opcheck.symbolic.entries import entries, leads
from opcheck.symbolic.frame import Frame
from opcheck.symbolic.machine import Machine
from opcheck.symbolic.mentions import Mentions
from opcheck.symbolic.modules import imported_names, lay_out
from opcheck.symbolic.reach import Reach, reach
from opcheck.symbolic.run import run_deep, symbolic_import
from opcheck.symbolic.telling import Telling
from opcheck.symbolic.values import (
    Arguments,
    Choice,
    DictValue,
    External,
    Handle,
    Intrinsic,
    ListValue,
    Unknown,
    Value,
    is_scalar,
    is_tuple,
)
from opcheck_rules.model.condition import Condition

REGISTERING = {"probe": frozenset({"probe"})}


def _probe(frame: Frame, arguments: Arguments) -> Value:
    frame.machine.emit(frame, tuple(map(plain, arguments.positional)), frame.span(arguments.node))
    return arguments.get(0, "name")


@dataclass(eq=False)
class Gadget(Handle):
    """An adapter's object: `handle()`, or one with attributes, items and an order of its own: `handle("full")`."""

    is_full: bool

    def describe(self) -> str:
        return "gadget"

    def attribute(self, frame: Frame, name: str) -> Value:
        return f"gadget {name}" if self.is_full else super().attribute(frame, name)

    def call(self, frame: Frame, arguments: Arguments) -> Value:
        return len(arguments.positional) if self.is_full else super().call(frame, arguments)

    def contains(self, frame: Frame, item: Value) -> Value:
        return item == "inside" if self.is_full else super().contains(frame, item)

    def item(self, frame: Frame, index: Value) -> Value:
        return index if self.is_full else super().item(frame, index)

    def has(self, frame: Frame, name: str) -> Value:
        return name == "there" if self.is_full else super().has(frame, name)

    def items(self, frame: Frame) -> list[tuple[Condition, Value]] | None:
        return [(frame.machine.space.true, "one")] if self.is_full else super().items(frame)

    def cut(self, frame: Frame, bounds: slice) -> Value:
        return str(bounds.stop) if self.is_full else super().cut(frame, bounds)

    def compare(self, frame: Frame, operator: str, other: Value) -> Condition | None:
        text = f"gadget {operator} {plain(other)}"
        return frame.machine.space.atom(text) if self.is_full else super().compare(frame, operator, other)

    def set_item(self, frame: Frame, index: Value, value: Value) -> None:
        super().set_item(frame, index, value)
        frame.machine.emit(frame, ("set", plain(index), plain(value)), frame.span(frame.module.source.tree.body[0]))


def _handle(_: Frame, arguments: Arguments) -> Value:
    return Gadget(bool(arguments.positional))


def plain(value: Value) -> object:
    """A value as a test writes it: guarded ones as a dictionary from guard to value, unknown ones as `?text`."""
    if is_scalar(value):
        return value
    if is_tuple(value):
        return tuple(map(plain, value))
    match value:
        case ListValue(items=items, is_open=is_open):
            return [*(plain(v) if c.holds else (c.render(), plain(v)) for c, v in items), *["..."] * is_open]
        case DictValue(items=entries, is_open=is_open):
            return {plain(k): plain(v) for k, v in entries.items()} | ({"...": "..."} if is_open else {})
        case Choice(alternatives=pairs):
            return {c.render(): plain(v) for c, v in pairs}
        case Unknown(text=text):
            return f"?{text}"
        case External(path=path):
            return f"<{path}>"
        case _:
            return describe(value)


@dataclass(frozen=True)
class Imported:
    """A project after its symbolic import."""

    machine: Machine
    reach: Reach
    entries: list[str]

    def raw(self, path: str) -> Value:
        """What a module holds under a name: `pkg.module.name`."""
        module, _, name = path.rpartition(".")
        return self.machine.modules[module].scope.names[name]

    def value(self, path: str) -> object:
        """The same, as a test writes it."""
        return plain(self.raw(path))

    def reached(self, *names: object) -> Iterable[Reached[object]]:
        """The probes of these arguments that an import reaches."""
        return [r for r in collect(self.machine, self.reach) if r.record == names]

    def probe(self, *names: object) -> str:
        """The condition under which a probe is reached, `never` where it is not."""
        return self.machine.space.any(r.condition for r in self.reached(*names)).render()

    def probes(self) -> list[tuple[object, str]]:
        """Every probe in order, with its condition."""
        return [(r.record, r.condition.render()) for r in collect(self.machine, self.reach)]

    def reaches(self, module: str) -> str:
        """The condition under which a module runs."""
        return self.reach.conditions[module].render()


Run = Callable[..., Imported]


def load(root: Path, first: Iterable[str] = (), compiled: Iterable[str] = ()) -> Imported:
    """Import every Python file under a folder."""
    paths = sorted(root.rglob("*.py"))
    sources = {path: read_source(path) for path in paths}
    imports = {path: imports_of(source) for path, source in sources.items()}
    imported = imported_names(statement for found in imports.values() for statement in found)
    layout = lay_out(root, sources, [root / name for name in compiled], imported)
    starts = entries(layout, leads(layout, imports), paths, first)
    intrinsics = {
        **standard_library(),
        "builtins.probe": Intrinsic("probe", _probe),
        "builtins.handle": Intrinsic("handle", _handle),
        "api.register": Intrinsic("api.register", _probe),
    }
    machine = Machine(
        layout,
        sources,
        intrinsics,
        items={"os.environ": environment_item},
    )
    mentions = Mentions(REGISTERING)
    telling = Telling(machine, lambda _: False, lambda _: (), mentions)
    symbolic_import(machine, starts, mentions, telling)
    return Imported(machine, reach(machine.space, machine.edges, starts, machine.modules), starts)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Import a project given as one text (module `m`) or as texts by path."""

    def imported(files: str | Mapping[str, str], first: Iterable[str] = (), compiled: Iterable[str] = ()) -> Imported:
        write_all(tmp_path, {"m.py": files} if isinstance(files, str) else files)
        return run_deep(lambda: load(tmp_path, first, compiled))

    return imported
