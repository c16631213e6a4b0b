"""Where a finding can be met: the modules to import, the functions to call first, the backend to call on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from opcheck_rules.model.facts import is_call
from opcheck_rules.model.finding import Finding
from opcheck_rules.model.project import Project, Registration
from opcheck_rules.model.table import Table

from ..adapters.torch.keys import DEVICE_KEYS
from ..reading import Reading


def root_of(module: str, file: str) -> str:
    """The folder from which a module's file has its name."""
    path = Path(file)
    return str(path.parents[module.count(".") + (path.stem == "__init__")])


def module_at(finding: Finding, reading: Reading) -> str:
    """The module in which the finding's op is declared, or where there is none the finding stands."""
    declared = [op.span.path for op in reading.project.ops if op.name == finding.op]
    path = (declared or [finding.primary.path])[0]
    return next((name for name, file in reading.modules.items() if file == path), "")


def to_be_imported(finding: Finding, reading: Reading) -> list[str]:
    """The modules to import: few entries that reach all that is registered for the op, else where the finding stands.

    A program's main module is taken only where nothing else reaches what it does.
    """
    project = reading.project
    own = [r for r in project.registrations if (r.framework, r.op) == (finding.framework, finding.op)]
    left, chosen = {r.order: r.entries & reading.modules.keys() for r in own if r.entries}, list[str]()
    while any(left.values()):
        entries = sorted({entry for reached in left.values() for entry in reached}, key=_preference)
        best = max(entries, key=lambda entry: sum(entry in reached for reached in left.values()))
        chosen.append(best)
        left = {order: reached for order, reached in left.items() if best not in reached and reached}
    at = [name for name, file in reading.modules.items() if file == finding.primary.path]
    return chosen or at[:1] or [module_at(finding, reading)]


def _preference(module: str) -> tuple[bool, str]:
    return module.rpartition(".")[2] == "__main__", module


def to_be_called(finding: Finding, project: Project) -> list[str]:
    """The functions in which the registration stands that a finding is about."""
    atoms = (atom for r in _at(finding, project) for atom in r.condition.support())
    calls = dict.fromkeys(atom.subject for atom in atoms if is_call(atom))
    return [subject.partition(":")[2] for subject in calls]


def backend_for(finding: Finding, table: Table) -> str:
    """The backend to call on: the finding's, that of a kernel it is about, else one that the op has a kernel for."""
    if finding.backend is not None:
        return finding.backend
    ops = [op for op in table.project.ops if op.name == finding.op]
    covered = [b for op in ops for b in table.backends(op) if table.live(op, op.cells[b, "forward"]).is_covered]
    asked = [b for op in ops for b in table.backends(op)]
    return next(iter([*_registered(finding, table.project), *covered, *asked]), "cpu")


def _registered(finding: Finding, project: Project) -> Iterator[str]:
    backends = {key: backend for backend, key in DEVICE_KEYS.items()}
    yield from (backends[r.key] for r in _at(finding, project) if r.key in backends)


def _at(finding: Finding, project: Project) -> Iterator[Registration]:
    """The registrations that a finding points at, or at whose function it does."""
    for registration in project.registrations:
        spans = [registration.span, *([registration.mismatch.span] if registration.mismatch else [])]
        if finding.primary in spans and finding.op == registration.op:
            yield registration
