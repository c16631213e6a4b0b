"""What is said of declarations that could not be read, on tables built by hand."""

from __future__ import annotations

from msgspec.structs import replace
from tests.rules.conftest import World, serve, span

from opcheck_rules.model.finding import Finding, Severity
from opcheck_rules.model.target import Target
from opcheck_rules.model.unresolved import Part, Unresolved
from opcheck_rules.unresolved_declaration import RULE

NAMES = {"cpu": "CPU", "cuda": "CUDA"}


def unread(world: World, line: int, expression: str | None = "vendor.key", part: Part = Part.BACKEND) -> Unresolved:
    """A statement that leaves the backend of a kernel open."""
    assumed = world.when("vendor.key", "==", "CUDA")
    return Unresolved("torch", "ns::op", part, expression, world.space.true, span(line), assumed, NAMES)


def found(world: World, *parts: Unresolved, target: Target | None = None) -> list[Finding]:
    return list(RULE.check(RULE, world.table((), target or serve("cpu", "cuda"), unresolved=parts)))


def test_it_is_a_warning_whatever_the_target(world: World) -> None:
    (finding,) = found(world, unread(world, 3))

    assert (finding.severity, finding.op, finding.framework, finding.error) == (
        Severity.WARNING,
        "ns::op",
        "torch",
        None,
    )
    assert finding.message == "`ns::op` has a kernel for the backend in `vendor.key`, which can't be read"


def test_the_help_names_the_line_that_settles_it(world: World) -> None:
    (finding,) = found(world, unread(world, 3))
    line = '`"vendor.key" = "CUDA"` under [tool.opcheck.targets.serve.assume]'
    world.facts = {"vendor.key": True}

    assert finding.help == f"write the backend as a constant, or say what it is there: {line}"
    assert not found(world, unread(world, 3))


def test_no_line_is_named_where_none_settles_it(world: World) -> None:
    (native,) = found(world, unread(world, 3), target=serve("numpy"))
    (nameless,) = found(world, unread(world, 3, None))

    assert native.help == nameless.help == "write the backend as a constant"
    assert nameless.message == "`ns::op` has a kernel for the backend in an expression, which can't be read"


def test_what_the_target_does_not_run_is_not_reported(world: World) -> None:
    guarded = replace(unread(world, 3), condition=world.when("vendor.fast"), assumed=None)
    world.facts = {"vendor.fast": False}

    assert not found(world, guarded)


def test_statements_that_hang_on_one_expression_are_one_finding(world: World) -> None:
    one, other = found(world, *(unread(world, line) for line in (9, 3, 4, 5, 6, 7)), unread(world, 8, "vendor.other"))

    assert [label.span.line for label in one.labels] == [3, 4, 5, 6]
    assert one.notes[1] == "5 more statements hang on the same expression"
    assert other.notes == one.notes[:1]


def test_a_statement_is_reported_once_however_often_it_runs(world: World) -> None:
    first, again = unread(world, 3, "vendor.names[0]"), unread(world, 3, "vendor.names[1]")

    (finding,) = found(world, first, again)
    (_, second) = found(world, unread(world, 3, None), unread(world, 4, None))

    assert "`vendor.names[0]`" in finding.message
    assert second.primary == span(4)


def test_an_op_without_a_name_has_no_row(world: World) -> None:
    (finding,) = found(world, replace(unread(world, 3, part=Part.DEFINITION), op=None), unread(world, 4))

    assert finding.message == "an op is named by `vendor.key`, which can't be read"
    assert finding.notes == (
        "it has no row in the table: nothing of it is checked",
        "1 more statement hangs on the same expression",
    )
