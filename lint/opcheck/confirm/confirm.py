"""From findings to verdicts: each as a script, run on this machine where this machine can tell."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from msgspec import Struct

from opcheck_rules import ALL_RULES
from opcheck_rules.model.finding import Finding, PredictedError, Span
from opcheck_rules.model.table import Table
from opcheck_rules.model.target import Target

from ..adapters.torch.keys import DEVICE_KEYS
from ..engine import tables
from ..reading import Reading
from . import described, native, torch
from .here import Machine, this_machine
from .places import backend_for, module_at, root_of, to_be_called, to_be_imported
from .process import Interpreter, run_script
from .script import Script, Setting, Steps, is_about_a_call, written
from .verdict import Judgement, Verdict, judge

_MOST_DIFFERENCES = 2


class Confirmation(Struct, frozen=True):
    """A finding with what running it said; `script` is None where there is nothing to run."""

    finding: Finding
    judgement: Judgement
    script: Script | None


class Run(Struct, frozen=True):
    """One run over a project's findings."""

    reading: Reading
    targets: Mapping[str, Target]
    findings: Sequence[Finding]
    interpreter: Interpreter
    place: Callable[[Span], str]


class _View(Struct, frozen=True):
    """The table of one machine that a target means, and what its findings are here, by what tells them apart."""

    table: Table
    here: Mapping[object, Finding]


class _Plan(Struct, frozen=True):
    """A script to run for a finding, and the finding as it is to be expected here."""

    finding: Finding
    script: Script
    expected: Finding


def confirm(run: Run) -> Iterator[Confirmation]:
    """Run each finding, several at a time; gives them in their order.

    Conditions share one space, which is no place for threads: all that asks them comes before the first is started.
    """
    roots = sorted({root_of(name, path) for name, path in run.reading.modules.items()})
    machine = this_machine(run.interpreter, run.reading.project, run.findings, roots)
    views = {name: _views(run, machine, target) for name, target in run.targets.items()}
    plans = [_planned(run, machine, views[finding.targets[0]], finding) for finding in run.findings]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(partial(_carried_out, run.interpreter, machine), plans)


def _views(run: Run, machine: Machine, target: Target) -> list[_View]:
    codes = {finding.code for finding in run.findings}
    rules = [rule for rule in ALL_RULES if rule.code in codes]
    return [_View(table, machine.expected(table, rules)) for table in tables(run.reading, target)]


def _planned(run: Run, machine: Machine, views: Sequence[_View], finding: Finding) -> _Plan | Confirmation:
    """What to run; a verdict at once where nothing can be. A finding is of the machine that has its backend."""
    view = next((view for view in views if finding.backend in view.table.target.backends), views[0])
    script = _script(run, finding, view.table)
    if isinstance(script, str):
        return Confirmation(finding, Judgement(Verdict.NOT_RUNNABLE, script), None)
    expected = view.here.get(finding.identity)
    if expected is None:
        reason = _elsewhere(machine, finding, view.table)
        return Confirmation(finding, Judgement(Verdict.NOT_RUNNABLE, reason), script)
    return _Plan(finding, script, expected)


def _carried_out(interpreter: Interpreter, machine: Machine, plan: _Plan | Confirmation) -> Confirmation:
    if isinstance(plan, Confirmation):
        return plan
    judgement = judge(plan.script, run_script(interpreter, plan.script.text), plan.expected)
    other = machine.other_torch() if plan.finding.framework == "torch" else None
    if judgement.verdict is Verdict.REFUTED and other is not None:
        judgement = Judgement(Verdict.NOT_RUNNABLE, f"{judgement.reason}, but {other}")
    return Confirmation(plan.finding, judgement, plan.script)


def _elsewhere(machine: Machine, finding: Finding, table: Table) -> str:
    differences = list(machine.differences(finding, table))[:_MOST_DIFFERENCES]
    return "; ".join(differences) or f"this machine is not as target `{table.target.name}` is"


def _script(run: Run, finding: Finding, table: Table) -> Script | str:
    steps = _steps(run, finding, table)
    if isinstance(steps, str):
        return steps
    modules = [] if finding.code == "OPC001" else to_be_imported(finding, run.reading)
    roots = dict.fromkeys(root_of(name, run.reading.modules[name]) for name in modules)
    project, target = run.reading.project, table.target
    features = sorted(project.features) if target.all_features else target.features
    setting = Setting(tuple(roots), modules, features, _faults(run.findings, finding))
    return written(finding, run.place(finding.primary), steps, setting)


def _steps(run: Run, finding: Finding, table: Table) -> Steps | str:
    if finding.code == "OPC001":
        read = f"compile(open({finding.primary.path!r}, 'rb').read(), {finding.primary.path!r}, 'exec')"
        return Steps(PredictedError("import", "Exception", ""), (read,))
    functions = to_be_called(finding, table.project)
    if finding.error is not None and finding.error.when == "call" and functions:
        return _calling(finding.error, functions)
    backend = backend_for(finding, table)
    if finding.framework == "native":
        return native.steps(finding, module_at(finding, run.reading), backend)
    if finding.framework == "torch":
        return torch.steps(finding, DEVICE_KEYS.get(backend, "CPU"), backend)
    return described.steps(finding, table, run.reading.modules)


def _calling(error: PredictedError, functions: Sequence[str]) -> Steps:
    """A registration that raises where the functions around it are called: those that need no arguments can be."""
    bound = tuple(f"inspect.signature({name}).bind()" for name in functions)
    return Steps(error, tuple(f"{name}()" for name in functions), before=bound)


def _faults(findings: Sequence[Finding], finding: Finding) -> dict[str, list[int]]:
    """The lines of other statements that raise at import, by file: one fault does not hide the next."""
    lines: dict[str, list[int]] = {}
    for other in findings:
        raises = other.error is not None and other.error.when == "import"
        if raises and (other.primary != finding.primary or is_about_a_call(finding)):
            lines.setdefault(other.primary.path, []).append(other.primary.line)
    return lines
