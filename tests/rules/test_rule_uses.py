"""The rule about uses of ops that may not be defined, on tables built by hand."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace
from tests.rules.conftest import World, error, serve, span

from opcheck_rules import ALL_RULES
from opcheck_rules.model.condition import Condition
from opcheck_rules.model.finding import Finding, Severity
from opcheck_rules.model.project import Op, Registration, Use
from opcheck_rules.model.table import Table

(RULE,) = [rule for rule in ALL_RULES if rule.code == "OPC504"]
MISSING = error("no attribute 'op'")


def found(table: Table) -> list[Finding]:
    return list(RULE.check(RULE, table))


def guarded(world: World, guard: Condition, **fields: Any) -> Op:
    return world.op({}, framework="torch", name="ns::op", defined=guard, **fields)


def use(world: World, line: int, **fields: Any) -> Use:
    return replace(world.use(line, tracked=False, op="ns::op"), **{"undefined_error": MISSING, **fields})


def completion(world: World, line: int, kind: str = "fake", **fields: Any) -> Registration:
    fields = {"framework": "torch", "op": "ns::op", "span": span(line), "undefined_error": MISSING, **fields}
    return world.registration(kind, **fields)


def test_a_use_is_measured_by_the_guard_of_the_definition(world: World) -> None:
    op = guarded(world, world.when("pkg.FAST"))
    uses = (use(world, 7), use(world, 8), use(world, 9, condition=world.when("pkg.FAST")))

    (finding,) = found(world.table([op], serve("cpu"), uses=uses))

    assert (finding.severity, finding.condition, finding.error) == (Severity.WARNING, "not pkg.FAST", MISSING)
    assert finding.message == "`ns::op` is called where it may not be defined"
    assert [(label.span, label.text) for label in finding.labels] == [
        (span(7, "/project/use.py"), "no guard sees to that here"),
        (span(8, "/project/use.py"), "and here"),
        (span(1), "defined under a guard"),
    ]
    assert finding.notes == ("it is defined only if pkg.FAST",)


def test_a_guard_that_the_target_decides_makes_it_certain_or_nothing(world: World) -> None:
    table = world.table([guarded(world, world.when("pkg.FAST"))], serve("cpu"), uses=(use(world, 7),))

    world.facts["pkg.FAST"] = False
    (finding,) = found(world.under(table))
    world.facts["pkg.FAST"] = True

    assert (finding.severity, finding.message) == (Severity.ERROR, "`ns::op` is called where it is not defined")
    assert not found(world.under(table))


def test_a_use_with_a_guard_of_its_own_is_not_reported(world: World) -> None:
    op = guarded(world, world.when("pkg.FAST"))

    assert not found(world.table([op], serve("cpu"), uses=(use(world, 7, undefined_error=None),)))


def test_an_op_that_nothing_defines_or_that_the_target_leaves_out_is_none_of_its_business(world: World) -> None:
    never = guarded(world, world.space.false, has_definition=False)
    op = guarded(world, world.when("pkg.FAST"))

    assert not found(world.table([never], serve("cpu"), uses=(use(world, 7),)))
    assert not found(world.table([op], serve("numpy"), uses=(use(world, 7),)))
    assert not found(world.table([op], serve("cpu", ops=("other::*",)), uses=(use(world, 7),)))


def test_a_completion_is_named_by_its_kind(world: World) -> None:
    op = guarded(world, world.when("pkg.FAST"))
    kinds = ("fake", "derivative", "vmap", "kernel")

    tables = [world.table([op], serve("cpu"), registrations=(completion(world, 7, kind),)) for kind in kinds]

    assert [finding.message.partition(" where")[0] for table in tables for finding in found(table)] == [
        "`ns::op` gets a fake kernel",
        "`ns::op` gets a derivative",
        "`ns::op` gets a batching rule",
        "`ns::op` gets a kernel",
    ]


def test_a_completion_that_raises_nothing_or_whose_error_is_handled_is_not_reported(world: World) -> None:
    op = guarded(world, world.when("pkg.FAST"))
    registrations = (completion(world, 7, handled=True), completion(world, 8, undefined_error=None))

    assert not found(world.table([op], serve("cpu"), registrations=registrations))


def test_two_functions_may_be_called_in_the_right_order(world: World) -> None:
    in_one = guarded(world, world.when("called:pkg.define"))
    registrations = (completion(world, 7, condition=world.when("called:pkg.complete")),)

    assert not found(world.table([in_one], serve("cpu"), registrations=registrations))


def test_a_completion_in_a_function_raises_when_that_is_called(world: World) -> None:
    op = guarded(world, world.when("pkg.FAST"))
    registrations = (completion(world, 7, condition=world.when("called:pkg.complete")),)

    (finding,) = found(world.table([op], serve("cpu"), registrations=registrations))

    assert finding.error == replace(MISSING, when="call")


def test_an_op_of_unread_code_has_no_definition_to_show(world: World) -> None:
    op = guarded(world, world.when("it loads"), has_definition=False, external=True)

    (finding,) = found(world.table([op], serve("cpu"), registrations=(completion(world, 7),)))

    assert [label.span for label in finding.labels] == [span(7)]


def test_a_guard_past_reading_is_not_spelt_out(world: World) -> None:
    guard = world.space.all(world.when(f"package.module_{i}.FLAG") for i in range(20))

    (finding,) = found(world.table([guarded(world, guard)], serve("cpu"), uses=(use(world, 7),)))

    assert finding.notes == ("it is defined only if package.module_0.FLAG and 19 more facts are as its guard asks",)
