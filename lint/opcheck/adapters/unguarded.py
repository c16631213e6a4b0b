"""Uses of ops that exist only under a guard: which of them stand under one too."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from opcheck_rules.model.condition import Condition
from opcheck_rules.model.finding import Span
from opcheck_rules.model.project import Op, Project, Registration, Use

from ..symbolic.machine import Machine
from ..symbolic.modules import Module
from ..symbolic.values import FunctionValue
from .sites import Function, Site, called_name, sites
from .torch.records import Opened

_MOST_CALLERS: Final = 4
"""Callers followed up from a use, or from a definition, one through the other."""


class _Call(Struct, frozen=True):
    """A call, and its place."""

    node: ast.Call
    site: Site


@dataclass
class _Files:
    """The calls and references of a project's files, each file looked at once and only where its text asks for it."""

    machine: Machine
    known: dict[str, dict[Span, Site]] = field(default_factory=dict[str, dict[Span, Site]])
    calls: dict[str, list[_Call]] = field(default_factory=dict[str, list[_Call]])

    def read(self, module: Module) -> None:
        """Look at one file."""
        if module.name not in self.known:
            found = list(sites(module.source.tree))
            self.known[module.name] = {module.source.span(node): site for node, site in reversed(found)}
            self.calls[module.name] = [_Call(node, site) for node, site in found if isinstance(node, ast.Call)]

    def at(self, span: Span) -> Site | None:
        """The place of what stands at a span."""
        modules = [m for m in self.machine.modules.values() if str(m.source.path) == span.path]
        for module in modules:
            self.read(module)
        return next((self.known[m.name][span] for m in modules if span in self.known[m.name]), None)

    def of(self, name: str) -> Iterator[_Call]:
        """Every call of something of this name."""
        for module in self.machine.modules.values():
            if f"{name}(" in module.source.text:
                self.read(module)
                yield from (call for call in self.calls[module.name] if called_name(call.node) == name)


def judged(project: Project, machine: Machine, below: Iterable[FunctionValue]) -> Project:
    """The project with its uses and registrations marked, where the op they are of may be undefined.

    `below` are functions that only the dispatcher runs: where the op is not defined they are never called.
    """
    files, nodes = _Files(machine), {id(function.node) for function in below}
    ops = {(op.framework, op.name): op for op in project.ops if op.framework != "native"}
    by_name = {op.name: op for op in ops.values()}
    uses = (_judged_use(use, by_name.get(use.op), files, nodes) for use in project.uses)
    loading = _loading(machine)
    registrations = (
        _judged_registration(r, ops.get((r.framework, str(r.op))), files, loading) for r in project.registrations
    )
    return replace(project, uses=tuple(uses), registrations=tuple(registrations))


def _may_be_undefined(condition: Condition, op: Op | None) -> bool:
    return op is not None and not op.defined.fails and not condition.implies(op.defined)


def _loading(machine: Machine) -> frozenset[str]:
    """The files that load compiled code."""
    opened = (effect.span.path for effect in machine.effects if isinstance(effect.record, Opened))
    return frozenset([*opened, *(str(machine.modules[runner].source.path) for runner, _, _ in machine.loads)])


def _judged_registration(
    registration: Registration, op: Op | None, files: _Files, loading: frozenset[str]
) -> Registration:
    """An op that was not read may be defined by any load: only one in the same file is known to be the one."""
    if registration.undefined_error is None or op is None or not _may_be_undefined(registration.condition, op):
        return registration
    if not op.has_definition and registration.span.path not in loading:
        return replace(registration, undefined_error=None)
    site = files.at(registration.span)
    return replace(registration, handled=site is not None and site.handled)


def _judged_use(use: Use, op: Op | None, files: _Files, below: set[int]) -> Use:
    """A use that looks the op up; one through an object of the project's fails where that object is made."""
    if use.undefined_error is None:
        return use
    if op is None or not op.has_definition or not _may_be_undefined(use.condition, op):
        return replace(use, undefined_error=None)
    site = files.at(use.span)
    is_open = site is not None and not _is_covered(site, _registering(op, files), files, below)
    return use if is_open else replace(use, undefined_error=None)


def _registering(op: Op, files: _Files) -> frozenset[str]:
    """The names by which a call defines the op: of the functions that do, of those that call them, of their classes."""
    atoms = (atom.subject for atom in op.defined.support())
    names = {subject.rpartition(".")[2] for subject in atoms if subject.startswith("called:")}
    level = set(names)
    for _ in range(_MOST_CALLERS):
        level = {name for call in _all_of(files, level) if (name := _caller(call.site)) is not None} - names
        names |= level
    return frozenset(names)


def _caller(site: Site) -> str | None:
    """What is called where a place is reached: the function, or the class that it makes an object of."""
    if site.function is None or site.guarded:
        return None
    return _known_as(site.function, site.owner)


def _is_covered(site: Site, registering: frozenset[str], files: _Files, below: set[int]) -> bool:
    """Whether a guard, or an earlier call that defines the op, stands before a place on some way there.

    Callers are told by name alone: of several functions of one name any may be the one that is called.
    """
    level, seen = [site], set[str]()
    for _ in range(_MOST_CALLERS + 1):
        if any(_stops(place, registering, below) for place in level):
            return True
        names = {_known_as(place.function, place.owner) for place in level if place.function is not None} - seen
        level = [call.site for call in _all_of(files, names)]
        seen |= names
    return False


def _stops(site: Site, registering: frozenset[str], below: set[int]) -> bool:
    if site.guarded or site.before & registering or site.owner in registering:
        return True
    return id(site.function) in below


def _known_as(function: Function, owner: str | None) -> str:
    """What is called where a function runs: itself, or the class that it makes an object of."""
    return owner if function.name == "__init__" and owner else function.name


def _all_of(files: _Files, names: Iterable[str]) -> list[_Call]:
    return [call for name in sorted(names) for call in files.of(name)]
