"""From what was read to what is reported: the tables of each target, the rules over them, one finding a fault."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from opcheck_rules.base import Rule
from opcheck_rules.model.finding import Finding, Label, Severity
from opcheck_rules.model.table import Table
from opcheck_rules.model.target import Target

from .reading import Reading
from .symbolic.facts import facts
from .targets import machines

# Of several findings on one cell the most specific is reported: the one whose code stands first in its row.
_PRECEDENCE: Final = (
    (
        *("OPC401", "OPC404", "OPC405", "OPC103", "OPC104", "OPC105", "OPC601", "OPC602", "OPC102", "OPC204", "OPC101"),
        "OPC501",
    ),
    ("OPC203", "OPC202", "OPC205", "OPC201", "OPC503"),
)
# What a single call runs into, whatever the target: any target's finding on that cell says it too.
_OF_CALLS: Final = frozenset({"OPC501", "OPC503"})
_RANK: Final = {code: (row, place) for row, codes in enumerate(_PRECEDENCE) for place, code in enumerate(codes)}

# So many ops that hang on one and the same guard are one finding: one line of configuration settles all of them.
_MANY: Final = 4


def tables(reading: Reading, target: Target) -> Iterator[Table]:
    """The dispatch tables of one target: several where it lists accelerators that no machine has together."""
    for machine in machines(target, reading.project.frameworks.values()):
        yield Table(reading.project, machine, facts(machine, reading.environment, reading.named))


def check(reading: Reading, targets: Iterable[Target], rules: Sequence[Rule]) -> list[Finding]:
    """Every finding of `rules` under `targets`, one for each fault, in the order of their places."""
    return reported(findings(reading, targets, rules))


def findings(reading: Reading, targets: Iterable[Target], rules: Sequence[Rule]) -> list[Finding]:
    """Every finding of `rules` under each of `targets` by itself: the most specific of each cell, calls shown there."""
    found: list[Finding] = []
    for target in targets if rules else ():
        for table in tables(reading, target):
            found += most_specific(finding for rule in rules for finding in rule.check(rule, table))
    return with_calls(found)


def reported(found: Iterable[Finding]) -> list[Finding]:
    """One finding for each fault, in the order of their places."""
    return sorted(fold_alike(fold(found)), key=lambda f: (f.primary, f.code, f.backend or "", f.op or ""))


def most_specific(found: Iterable[Finding]) -> list[Finding]:
    """Keep one finding a cell; one that names no backend speaks for every cell of its op."""
    kept: dict[str | None, list[Finding]] = defaultdict(list)
    for finding in sorted(found, key=lambda f: _RANK.get(f.code, (len(_PRECEDENCE), 0))):
        of_op = kept[finding.op]
        if finding.code in _OF_CALLS or not any(_speaks_for(earlier, finding) for earlier in of_op):
            of_op.append(finding)
    return [finding for of_op in kept.values() for finding in of_op]


def with_calls(found: Iterable[Finding]) -> list[Finding]:
    """A call that runs into a cell with a finding of its own is shown there, and makes that as certain as it is."""
    cells: list[Finding] = []
    calls: dict[str | None, list[Finding]] = defaultdict(list)
    for finding in found:
        (calls[finding.op] if finding.code in _OF_CALLS else cells).append(finding)
    spoken = [(cell, [call for call in calls[cell.op] if _speaks_for(cell, call)]) for cell in cells]
    shown = {id(call) for _, those in spoken for call in those}
    alone = [call for those in calls.values() for call in those if id(call) not in shown]
    return [_with_call(cell, those[0]) if those else cell for cell, those in spoken] + alone


def _with_call(cell: Finding, call: Finding) -> Finding:
    labels = (*cell.labels, *(Label(label.span, label.text) for label in call.labels if label.primary))
    certain = replace(cell, labels=_labels(labels))
    if call.severity.rank <= cell.severity.rank:
        return certain
    return replace(certain, severity=call.severity, condition=call.condition)


def _speaks_for(earlier: Finding, later: Finding) -> bool:
    rows = [_RANK.get(f.code) for f in (earlier, later)]
    if None in rows or rows[0] == rows[1] or earlier.op is None or earlier.op != later.op:
        return False
    same_row = rows[0] and rows[1] and rows[0][0] == rows[1][0]
    same_cell = earlier.backend in (None, later.backend) and earlier.context in (None, later.context)
    return bool(same_row) and same_cell


def fold(found: Iterable[Finding]) -> list[Finding]:
    """Join the findings that differ only in their target: the most severe speaks, with every target and place named."""
    folded: dict[object, Finding] = {}
    for finding in found:
        key = finding.identity
        folded[key] = _join(folded[key], finding) if key in folded else finding
    return list(folded.values())


def fold_alike(found: Iterable[Finding]) -> list[Finding]:
    """Join the doubts about many ops that hang on one guard: the first speaks, and names the others."""
    alike: dict[tuple[object, ...], list[Finding]] = defaultdict(list)
    for finding in found:
        doubt = finding.severity is Severity.WARNING and finding.condition is not None
        same = (finding.code, finding.backend, finding.context, finding.condition, finding.targets)
        alike[same if doubt else (id(finding),)].append(finding)
    return [f for group in alike.values() for f in ([_as_one(group)] if len(group) >= _MANY else group)]


def _as_one(alike: Sequence[Finding]) -> Finding:
    first, *rest = sorted(alike, key=lambda f: (f.primary, f.op or ""))
    others = ", ".join(dict.fromkeys(f"`{finding.op}`" for finding in rest))
    return replace(first, notes=(*first.notes, f"the same holds for {len(rest)} more: {others}"))


def _join(one: Finding, other: Finding) -> Finding:
    speaks, adds = (other, one) if other.severity.rank > one.severity.rank else (one, other)
    targets = tuple(dict.fromkeys((*one.targets, *other.targets)))
    required = one.required or other.required
    return replace(speaks, targets=targets, labels=_labels(speaks.labels + adds.labels), required=required)


def _labels(labels: tuple[Label, ...]) -> tuple[Label, ...]:
    """Each span once, with what was first said of it."""
    return tuple({label.span: label for label in reversed(labels)}.values())[::-1]
