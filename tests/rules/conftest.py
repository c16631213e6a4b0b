"""Tables built by hand, for what no fixture's source can reach."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from opcheck.cli import main
from opcheck_rules.model.atom import Atom
from opcheck_rules.model.condition import Condition, Conditions
from opcheck_rules.model.finding import PredictedError, Span
from opcheck_rules.model.project import Cause, Cell, Framework, Op, Outcome, Project, Registration, Status, Stub, Use
from opcheck_rules.model.table import Table
from opcheck_rules.model.target import Target

FRAMEWORKS = {
    "native": Framework("native", ("numpy", "cupy"), warn_unused=True),
    "torch": Framework("torch", ("cpu", "cuda", "xpu")),
}


def span(line: int, path: str = "/project/ops.py") -> Span:
    return Span(path, line, 1, line, 5)


def error(message: str, *, when: str = "call") -> PredictedError:
    return PredictedError(when, "NotImplementedError", message)


@dataclass
class World:
    """A space of conditions, and builders for what stands in a project, with the least said by default."""

    facts: dict[str, bool] = field(default_factory=dict)
    space: Conditions = field(default_factory=Conditions)

    def when(self, subject: str, operator: str = "", operand: str | int | None = None) -> Condition:
        return self.space.atom(subject, operator, operand)

    def covered(self, condition: Condition | None = None, **fields: Any) -> Outcome:
        fields = {"reason": "kernel", "span": span(10), **fields}
        return Outcome(condition or self.space.true, Status.COVERED, **fields)

    def hole(self, cause: Cause, condition: Condition | None = None, **fields: Any) -> Outcome:
        fields = {"reason": str(cause), "error": error("no"), **fields}
        return Outcome(condition or self.space.true, Status.HOLE, cause=cause, **fields)

    def unknown(self) -> Outcome:
        return Outcome(self.space.true, Status.UNKNOWN, "a name that can't be read")

    def stub(self, condition: Condition | None = None, **fields: Any) -> Outcome:
        return self.covered(condition, stub=Stub(span(11), error("later")), **fields)

    def op(self, cells: Mapping[tuple[str, str], Outcome | list[Outcome]], **fields: Any) -> Op:
        """An op whose unnamed cells are covered where forward, and without a derivative where autodiff."""
        framework = FRAMEWORKS[fields.setdefault("framework", "native")]
        rows = {(b, "forward"): [self.covered()] for b in framework.backends}
        rows |= {(b, "autodiff"): [self.hole(Cause.AUTODIFF_NOT_LISTED)] for b in framework.backends}
        rows |= {key: o if isinstance(o, list) else [o] for key, o in cells.items()}
        made = {key: Cell(*key, tuple(outcomes)) for key, outcomes in rows.items()}
        fields = {"name": "pkg.op", "own_name": "op", "span": span(1), "listing": span(2), **fields}
        if framework.name == "native":
            fields.setdefault("listed", framework.backends)
        return Op(defined=fields.pop("defined", self.space.true), cells=made, **fields)

    def registration(self, kind: str, key: str | None = None, **fields: Any) -> Registration:
        fields = {"framework": "native", "op": "pkg.op", "condition": self.space.true, "span": span(20), **fields}
        return Registration(kind=kind, key=key, **{"order": fields["span"].line, **fields})

    def use(self, line: int, *, tracked: bool, op: str = "pkg.op", condition: Condition | None = None) -> Use:
        return Use(op, span(line, "/project/use.py"), condition or self.space.true, tracked)

    def table(self, ops: Iterable[Op] = (), target: Target | None = None, **fields: Any) -> Table:
        return self.under(
            Table(Project(FRAMEWORKS, tuple(ops), **fields), target or serve("numpy", "cupy"), _undecided)
        )

    def under(self, table: Table) -> Table:
        """A table under the facts as they are now."""
        facts = dict(self.facts)
        return replace(table, decide=lambda atom: facts.get(atom.subject))


def _undecided(_: Atom) -> None:
    """Nothing is known."""


def serve(*backends: str, **fields: Any) -> Target:
    """A configured target, which says where each backend is required."""
    origin = {f"backends.{backend}": span(3, "/project/pyproject.toml") for backend in backends}
    origin |= {context: span(4, "/project/pyproject.toml") for context in ("autodiff", "compile", "vmap")}
    return replace(Target("serve", backends, origin=origin), **fields)


@pytest.fixture
def world() -> World:
    return World()


@dataclass(frozen=True)
class Check:
    """`opcheck check`, run in a folder as a user would."""

    monkeypatch: pytest.MonkeyPatch

    def text(self, folder: Path, *arguments: str) -> str:
        self.monkeypatch.chdir(folder)
        result = CliRunner().invoke(main, ["check", *arguments, "--exit-zero"], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.stdout

    def json(self, folder: Path, *arguments: str) -> Any:
        return json.loads(self.text(folder, *arguments, "--format", "json"))

    @staticmethod
    def primary_line(finding: Any) -> int:
        return int(next(span["line"] for span in finding["spans"] if span["primary"]))


@pytest.fixture
def check(monkeypatch: pytest.MonkeyPatch) -> Check:
    return Check(monkeypatch)
