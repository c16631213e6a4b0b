"""What every rule is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TypedDict, TypeVar, Unpack

from msgspec import Struct, json
from msgspec.structs import replace

from .model.atom import Atom
from .model.condition import Condition
from .model.facts import is_call
from .model.faults import covered, is_gated, op_faults
from .model.finding import Correction, Finding, Label, PredictedError, Severity
from .model.labels import called_here, declared_here, gated_here, required_here
from .model.project import Gate, Op, Registration, Status, Use
from .model.table import LiveCell, LiveOutcome, Table
from .model.target import Target

LONGEST_GUARD: Final = 240
"""Characters of a guard that a note still spells out."""

S = TypeVar("S", Use, Registration)


class Details(TypedDict, total=False):
    """The fields of a finding that a rule sets where they apply."""

    op: str | None
    framework: str | None
    severity: Severity
    backend: str | None
    context: str | None
    condition: str | None
    notes: tuple[str, ...]
    help: str | None
    error: PredictedError | None
    subject: str | None
    correction: Correction | None
    required: bool


class Rule(Struct, frozen=True):
    """A rule: its code, its name (which reads after "allow"), its documentation, and the function that applies it.

    `check` is a pure function of one target's table. A rule whose findings no target can change (a misspelt name, a
    duplicate) says `every_target`: its severity stands also under an inferred target.
    """

    code: str
    name: str
    documentation: str
    check: Callable[[Rule, Table], Iterator[Finding]]
    every_target: bool = False

    @property
    def summary(self) -> str:
        """The first line of the documentation."""
        return self.documentation.strip().split("\n", 1)[0].rstrip(".")

    def finding(self, table: Table, message: str, labels: Iterable[Label], **details: Unpack[Details]) -> Finding:
        """A finding of this rule under the table's target; what an inferred target asks for is only a warning."""
        details.setdefault("severity", Severity.ERROR)
        if table.target.inferred and not self.every_target:
            details["severity"] = Severity.WARNING
        return Finding(self.code, self.name, message, tuple(labels), targets=(table.target.name,), **details)

    def at_cell(
        self,
        table: Table,
        live: LiveCell,
        hole: LiveOutcome,
        message: str,
        labels: Iterable[Label],
        **details: Unpack[Details],
    ) -> Finding:
        """A finding on one cell: its severity and condition follow from the worlds in which the hole is there.

        What `details` say goes before what follows from the cell.
        """
        severity, condition = certainty(hole.certain, hole.condition)
        found: Details = {"severity": severity, "condition": condition, "error": hole.outcome.error, **about(live.op)}
        found |= {"backend": live.cell.backend, "context": live.cell.context, **details}
        return self.finding(table, message, labels, **found)


def about(op: Op) -> Details:
    """The fields that name an op."""
    return {"op": op.name, "framework": op.framework}


def about_gate(gate: Gate) -> Details:
    """The fields that name a gated part of an op."""
    part: Details = {"backend": gate.backend, "context": "forward" if gate.backend else "autodiff"}
    return {"op": gate.op, "framework": gate.framework, "subject": gate.feature, "error": gate.error, **part}


def gated_part(gate: Gate) -> str:
    """What an op has behind a gate, as a headline says it."""
    return f"backend `{gate.backend}`" if gate.backend else "its derivative"


def completion(kind: str) -> str:
    """What an op gets by a registration of this kind."""
    return {"derivative": "a derivative", "fake": "a fake kernel", "vmap": "a batching rule"}.get(kind, "a kernel")


def certainty(certain: bool, condition: Condition) -> tuple[Severity, str | None]:
    """An error where a fault holds in every world, else a warning with the condition it hangs on."""
    return (Severity.ERROR, None) if certain else (Severity.WARNING, condition.render())


def doubts(hole: LiveOutcome, calls: Sequence[Use]) -> Details:
    """A missing derivative is only a warning where no call is known, or where the call may come out right."""
    return doubted(hole) if calls else {"severity": Severity.WARNING}


def doubted(hole: LiveOutcome) -> Details:
    """A hole that a call may pass with the right result is only a warning."""
    return {"severity": Severity.WARNING} if hole.outcome.survivable else {}


def standing(table: Table, condition: Condition) -> Details | None:
    """How a fault that is there under `condition` stands under the target; None where the target rules it out."""
    left = condition.under(table.decide)
    if left.fails:
        return None
    severity, guard = certainty(left.holds, left)
    return {"severity": severity, "condition": guard}


def standing_each(table: Table, statements: Iterable[S], condition: Condition) -> list[tuple[S, Details]]:
    """The statements that meet a fault which is there under `condition`, each with how it stands there."""
    found = ((statement, standing(table, statement.condition & condition)) for statement in statements)
    return [(statement, details) for statement, details in found if details is not None]


def calls_standing(
    table: Table, calls: Iterable[Use], condition: Condition, error: PredictedError
) -> tuple[list[Use], Details] | None:
    """The calls that meet a fault which is there under `condition`, and how it stands where the first of them is made.

    What a `try` around a call takes is none.
    """
    found = standing_each(table, (use for use in calls if error.type not in use.handled), condition)
    if not found:
        return None
    first, details = found[0]
    when = "import" if first.at_import and error.when == "call" else error.when
    return [use for use, _ in found], {**details, "error": replace(error, when=when)}


def raised_by(registration: Registration, error: PredictedError | None) -> PredictedError | None:
    """What a registration raises, and when: one in a function does once that is called."""
    later = any(map(is_call, registration.condition.support()))
    return replace(error, when="call") if error is not None and later else error


def named(target: Target) -> str:
    """The target, as a headline names it."""
    return "the inferred target" if target.inferred else f"target `{target.name}`"


def on_backend(backend: str | None) -> str:
    """The words that narrow a headline to one backend, where it is about one."""
    return f" on backend `{backend}`" if backend else ""


def quoted(names: Iterable[str]) -> str:
    """Backends in a row: `a`, `b` and `c`."""
    *rest, last = [f"`{name}`" for name in names] or ["no backend"]
    return f"{', '.join(rest)} and {last}" if rest else last


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name closest to `name`, where one is close enough to suggest."""
    from difflib import get_close_matches  # noqa: PLC0415 - asked for where a name is misspelt

    found = get_close_matches(name, list(known), n=1, cutoff=0.7)
    return found[0] if found else None


def behind(table: Table, hole: LiveOutcome) -> str:
    """What keeps a declaration out of the target, as a headline says it."""
    feature = hole.outcome.feature
    if feature is None:
        return f"behind a guard that {'fails' if hole.certain else 'may fail'} under {named(table.target)}"
    return f"behind feature `{feature}`, which {named(table.target)} {'does' if hole.certain else 'may'} not enable"


def missing_parts(
    rule: Rule, table: Table, context: str, part: str, asks: str, advice: Details, survived: str = ""
) -> Iterator[Finding]:
    """Report each op without the `part` that a context wants, once for all backends that lack it alike.

    `survived` says what happens where a call passes all the same.
    """
    for live, hole, backend in op_faults(table, context, lambda _, outcome: outcome.status is Status.HOLE):
        name, where = live.op.name, on_backend(backend)
        if is_gated(live.cell, hole.outcome):
            message, first = f"`{name}` has its {part}{where} {behind(table, hole)}", gated_here(live, hole)
            details = opening(table, live, hole)
        else:
            message = f"`{name}` has no {part}{where}, and {named(table.target)} {asks}"
            first, details = declared_here(live.op.span, f"declared without a {part}"), advice
        labels = [first, *required_here(table.target, context), *called_here(table.uses(live.op))]
        found: Details = {**details, **doubted(hole), "backend": backend}
        if hole.outcome.survivable:
            found["notes"] = (*found.get("notes", ()), survived)
        yield rule.at_cell(table, live, hole, message, labels, **found)


def opening(table: Table, live: LiveCell, hole: LiveOutcome) -> Details:
    """What opens a gate: the condition it stands for as a note, what to write as help."""
    if hole.outcome.feature:
        return {"help": f'enable it with `features = ["{hole.outcome.feature}"]`, or drop the gate'}
    filling = covered(live.cell)
    notes = (f"it is there only if {in_short(filling.condition)}",) if filling else ()
    guard = next((o.condition for o in live.of(Status.COVERED)), None)
    if guard is None:
        return {"notes": notes, "help": "make the guard hold there, or move the declaration out of it"}
    return {"notes": notes, "help": f"if the guard holds there, say so: {_assuming(table.target, guard)}"}


def in_short(guard: Condition) -> str:
    """A guard as a note can hold it: one that takes lines to write is said by the facts it asks for."""
    written = guard.render()
    if len(written) <= LONGEST_GUARD:
        return written
    facts = guard.support()
    return f"{facts[0].subject} and {len(facts) - 1} more facts are as its guard asks"


def _assuming(target: Target, guard: Condition) -> str:
    """The lines of a target's `assume` table under which `guard` holds."""
    lines = [f"`{assume_line(atom, holds)}`" for atom, holds in guard.cubes()[0].items()]
    return f"{' and '.join(lines)} under {assume_table(target)}"


def assume_table(target: Target) -> str:
    """Where a configuration says what is to be assumed under a target."""
    return f"[tool.opcheck.targets.{target.name}.assume]" if target.origin else "the target's `assume` table"


def assume_line(atom: Atom, holds: bool) -> str:
    """The line of an `assume` table that makes `atom` hold or fail; dots where many values would."""
    subject = _as_toml(atom.subject)
    if not atom.operator:
        return f"{subject} = {_as_toml(holds)}"
    return f"{subject} = {_as_toml(atom.operand) if atom.operator == '==' and holds else '...'}"


def _as_toml(value: object) -> str:
    """What a target may assume, as a configuration has it; dots for what it may not."""
    try:
        return json.encode(value).decode() if isinstance(value, (str, int, float)) else "..."
    except UnicodeEncodeError:
        return "..."
