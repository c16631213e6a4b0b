"""A first configuration, drafted from what a project declares: one target for each backend that it has kernels for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from typing import Final

from msgspec import Struct

from opcheck.engine import tables
from opcheck.explain.known import bringing
from opcheck.reading import Reading
from opcheck.symbolic.derived import packages_of
from opcheck.targets import inferred
from opcheck.writing import is_text, toml_key, toml_string
from opcheck_rules.base import assume_line
from opcheck_rules.model.condition import Condition
from opcheck_rules.model.facts import is_call
from opcheck_rules.model.project import Op, Outcome, Status
from opcheck_rules.model.table import Table
from opcheck_rules.model.target import Target

_CONTEXTS: Final = {"autodiff": "a derivative", "compile": "a fake kernel", "vmap": "a batching rule"}
_MOST_GUARDS: Final = 10
"""Open guards that a draft shows of a target: those that most ops hang on."""
_LONGEST_GUARD: Final = 80


class Draft(Struct, frozen=True):
    """A drafted target, with how many ops it looks at, and how many of them it covers by the context of the call.

    `guards` are the lines of an `assume` table that would settle what is open, each with how many ops hang on it.
    """

    target: Target
    ops: int
    covered: dict[str, int]
    guards: list[tuple[str, int]]


def drafts(reading: Reading) -> list[Draft]:
    """A target for each backend that some op has a kernel for, with the features and extras that these ask for."""
    return [_draft(reading, backend) for target in inferred(reading.project) for backend in target.backends]


def _draft(reading: Reading, backend: str) -> Draft:
    names = {op.name for op in reading.project.ops if (backend, "forward") in op.cells}
    gated = {g.feature for g in reading.project.gates if g.op in names and g.backend in (backend, None)}
    features = tuple(sorted(filter(is_text, gated)))
    target = Target(backend, (backend,), features=features, extras=_extras(reading, backend))
    (table,) = tables(reading, target)
    ops = list(table.checked)
    covered = {"forward": sum(map(bool, _kernels(ops, backend)))}
    covered |= {context: sum(_has(op, backend, context) for op in ops) for context in _CONTEXTS}
    hanging = Counter(line for op in ops for line in _open(op, backend, table))
    return Draft(target, len(ops), covered, _settling(hanging))


def _settling(hanging: Counter[str]) -> list[tuple[str, int]]:
    """The lines that most ops hang on, of those that contradict each other the first: a table holds no key twice."""
    by_key: dict[str, tuple[str, int]] = {}
    for line, ops in hanging.most_common():
        by_key.setdefault(line.rpartition(" = ")[0], (line, ops))
    return list(by_key.values())[:_MOST_GUARDS]


def _kernels(ops: Iterable[Op], backend: str) -> Iterator[list[Outcome]]:
    """What may cover the forward call, for each op."""
    for op in ops:
        yield [outcome for outcome in op.cells[backend, "forward"].outcomes if outcome.status is Status.COVERED]


def _has(op: Op, backend: str, context: str) -> bool:
    """Whether something was registered for a context, and not only taken from elsewhere."""
    cell = op.cells.get((backend, context))
    return cell is not None and any(o.named and o.status is Status.COVERED for o in cell.outcomes)


def _open(op: Op, backend: str, table: Table) -> list[str]:
    """What could be assumed to have a kernel in every world, where the target's facts leave that open."""
    live = table.live(op, op.cells[backend, "forward"])
    if live.is_covered or not any(live.of(Status.COVERED)):
        return []
    condition = reduce(Condition.__or__, (kernel.condition for kernel in live.of(Status.COVERED)))
    lines = (assume_line(atom, holds) for atom, holds in condition.cubes()[0].items() if not is_call(atom))
    return [line for line in lines if len(line) <= _LONGEST_GUARD and line.isprintable()]


def _extras(reading: Reading, backend: str) -> tuple[str, ...]:
    """The first extra that brings each package which the backend, or a guard of a kernel for it, asks for."""
    ops = (op for op in reading.project.ops if (backend, "forward") in op.cells)
    kernels = (outcome for found in _kernels(ops, backend) for outcome in found)
    guards = (atom.subject for outcome in kernels for atom in outcome.condition.support())
    asked = [subject.removeprefix("installed:") for subject in guards if subject.startswith("installed:")]
    names = (n for n in (*packages_of(backend), *asked) if n not in reading.environment.required)
    return tuple(dict.fromkeys(extra for name in names for extra in bringing(name, reading.environment)[:1]))


def configuration(drafted: Sequence[Draft], tool: str) -> str:
    """The drafted configuration as TOML, with the reasons as comments; `tool` is the table it lies in, with its dot."""
    if not drafted:
        return f"[{tool[:-1]}]\n" if tool else ""
    head = [
        "# The machines that the ops of this project must run on, a target each: drafted from what is declared.",
        "# Take out what you do not support, and put the backends that one machine has into one target.",
        *([f"[{tool[:-1]}]"] if tool else []),
    ]
    return "\n".join([*head, *(line for draft in drafted for line in _target(draft, tool))]) + "\n"


def _target(draft: Draft, tool: str) -> Iterator[str]:
    target = draft.target
    table = f"{tool}targets.{toml_key(target.name)}"
    yield from ("", f"[{table}]", f"# {draft.covered['forward']} of {draft.ops} ops have a kernel for it.")
    yield f"backends = {_listed(target.backends)}"
    for key in ("extras", "features"):
        if getattr(target, key):
            yield f"{key} = {_listed(getattr(target, key))}"
    for context, part in _CONTEXTS.items():
        if draft.covered[context]:
            yield f"# {context} = true  # ask every op for {part}, as {draft.covered[context]} of {draft.ops} have"
    if draft.guards:
        yield from ("", f"# [{table}.assume]  # guards that nothing decides")
        yield from (f"# {line}  # {ops} of {draft.ops} ops hang on it" for line, ops in draft.guards)


def _listed(names: Iterable[str]) -> str:
    return f"[{', '.join(map(toml_string, names))}]"
