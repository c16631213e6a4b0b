"""The rules about what single calls bring, on tables built by hand."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace
from tests.rules.conftest import World, error, serve, span

from opcheck_rules import ALL_RULES
from opcheck_rules.model.finding import Finding, PredictedError, Severity
from opcheck_rules.model.project import Cause, Op, Outcome, Status, Use
from opcheck_rules.model.table import Table

RULES = {rule.code: rule for rule in ALL_RULES}
MIXED = PredictedError("call", "MixedBackendsError", "Mixed backends")


def found(code: str, table: Table) -> list[Finding]:
    return list(RULES[code].check(RULES[code], table))


def use(world: World, line: int, **fields: Any) -> Use:
    return replace(world.use(line, tracked=True), **{"within": span(6, "/project/use.py"), **fields})


def host_only(world: World, **fields: Any) -> Op:
    return world.op({("cupy", "forward"): world.hole(Cause.NOT_LISTED)}, **fields)


def test_a_call_on_a_backend_that_no_target_lists_is_reported(world: World) -> None:
    uses = (use(world, 7, backend="cupy"), use(world, 8, backend="cupy"), use(world, 9, backend="numpy"))

    (finding,) = found("OPC501", world.table([host_only(world)], serve("numpy"), uses=uses))

    assert (finding.severity, finding.backend, finding.error) == (Severity.ERROR, "cupy", error("no"))
    assert [label.span.line for label in finding.labels] == [7, 8, 2]
    assert finding.notes == ("`pkg.op` has kernels for `numpy`",)


def test_each_function_has_a_finding_of_its_own(world: World) -> None:
    elsewhere = {"backend": "cupy", "within": span(20, "/project/use.py")}
    uses = (use(world, 7, backend="cupy"), use(world, 21, **elsewhere), use(world, 30, backend="cupy", within=None))

    findings = found("OPC501", world.table([host_only(world)], serve("numpy"), uses=uses))

    assert sorted(finding.primary.line for finding in findings) == [7, 21, 30]


def test_a_call_whose_error_is_handled_is_not_reported(world: World) -> None:
    handled = use(world, 7, backend="cupy", handled=frozenset({"NotImplementedError"}))

    assert not found("OPC501", world.table([host_only(world)], serve("numpy"), uses=(handled,)))


def test_at_import_it_is_the_import_that_raises(world: World) -> None:
    uses = (use(world, 7, backend="cupy", within=None, at_import=True),)

    (finding,) = found("OPC501", world.table([host_only(world)], serve("numpy"), uses=uses))

    assert finding.error is not None
    assert finding.error.when == "import"


def test_a_call_under_a_guard_stands_as_its_guard_does(world: World) -> None:
    uses = (use(world, 7, backend="cupy", condition=world.when("pkg.GPU")),)
    table = world.table([host_only(world)], serve("numpy"), uses=uses)

    (finding,) = found("OPC501", table)
    world.facts["pkg.GPU"] = False

    assert (finding.severity, finding.condition) == (Severity.WARNING, "pkg.GPU")
    assert not found("OPC501", world.under(table))


def test_what_another_machine_may_fill_is_not_lacking_there(world: World) -> None:
    gate = world.when("feature:gpu")
    op = world.op({("cupy", "forward"): [world.covered(gate), world.hole(Cause.FEATURE_OFF, ~gate)]})
    uses = (use(world, 7, backend="cupy"),)
    world.facts["feature:gpu"] = False

    assert not found("OPC501", world.table([op], serve("numpy"), uses=uses))
    assert len(found("OPC501", world.table([op], serve("numpy", "cupy"), uses=uses))) == 1


def test_a_backend_that_is_left_out_on_purpose_is_lacking_all_the_same(world: World) -> None:
    left_out = Outcome(world.space.true, Status.EXCLUDED, "left out on purpose", error=error("left out"))
    silent = replace(left_out, error=None)
    uses = (use(world, 7, backend="cupy"),)

    (finding,) = found("OPC501", world.table([world.op({("cupy", "forward"): left_out})], uses=uses))

    assert finding.error == error("left out")
    assert not found("OPC501", world.table([world.op({("cupy", "forward"): silent})], uses=uses))


def test_a_backend_of_another_framework_says_nothing(world: World) -> None:
    assert not found("OPC501", world.table([host_only(world)], uses=(use(world, 7, backend="cuda"),)))


def test_arrays_of_different_backends_are_reported_once_a_function(world: World) -> None:
    first = use(world, 7, backend="numpy", mixed_error=MIXED)
    uses = (first, replace(first, span=span(8, "/project/use.py")), use(world, 9, backend="numpy"))

    (finding,) = found("OPC502", world.table([world.op({})], uses=uses))

    assert finding.message == "`pkg.op` is called with arrays of different backends"
    assert (finding.error, [label.span.line for label in finding.labels]) == (MIXED, [7, 8, 1])


def test_a_call_that_lacks_the_first_backend_fails_by_that(world: World) -> None:
    uses = (use(world, 7, backend="cupy", mixed_error=MIXED),)

    assert not found("OPC502", world.table([host_only(world)], uses=uses))
    assert found("OPC501", world.table([host_only(world)], uses=uses))


def test_mixed_backends_that_are_handled_are_not_reported(world: World) -> None:
    uses = (use(world, 7, backend="numpy", mixed_error=MIXED, handled=frozenset({"MixedBackendsError"})),)

    assert not found("OPC502", world.table([world.op({})], uses=uses))


def test_a_call_that_wants_a_gradient_is_reported_whatever_the_target(world: World) -> None:
    uses = (
        use(world, 7, backend="numpy", wants_gradient=True),
        use(world, 8, wants_gradient=True),
        use(world, 9, backend="numpy"),
    )

    (finding,) = found("OPC503", world.table([world.op({})], serve("numpy"), uses=uses))

    assert finding.message == "`pkg.op` is called for a gradient, but it has no derivative"
    assert (finding.severity, finding.context) == (Severity.ERROR, "autodiff")
    assert [label.span.line for label in finding.labels] == [7, 8, 1]


def test_a_derivative_that_a_feature_shuts_off_is_named(world: World) -> None:
    hole = world.hole(Cause.AUTODIFF_FEATURE_OFF, feature="learn")
    uses = (use(world, 7, wants_gradient=True),)

    (finding,) = found("OPC503", world.table([world.op({("numpy", "autodiff"): hole})], serve("numpy"), uses=uses))

    assert finding.message.endswith("but its derivative is behind feature `learn`")


def test_a_hole_that_a_call_may_survive_is_a_warning(world: World) -> None:
    hole = world.hole(Cause.AUTODIFF_NOT_LISTED, survivable=True)
    uses = (use(world, 7, wants_gradient=True),)

    (finding,) = found("OPC503", world.table([world.op({("numpy", "autodiff"): hole})], serve("numpy"), uses=uses))

    assert finding.severity is Severity.WARNING


def test_where_some_backend_has_a_derivative_only_an_evident_one_is_reported(world: World) -> None:
    op = world.op({("cupy", "autodiff"): world.covered()})
    calls = {
        backend: found("OPC503", world.table([op], uses=(use(world, 7, backend=backend, wants_gradient=True),)))
        for backend in (None, "numpy", "cupy")
    }

    assert [len(calls[backend]) for backend in (None, "numpy", "cupy")] == [0, 1, 0]


def test_a_call_that_fails_before_it_asks_for_a_derivative_is_not_reported(world: World) -> None:
    handled = frozenset({"NotImplementedError"})
    uses = (
        use(world, 7, backend="cupy", wants_gradient=True),
        use(world, 8, backend="numpy", wants_gradient=True, mixed_error=MIXED),
        use(world, 9, backend="numpy", wants_gradient=True, handled=handled),
    )

    assert not found("OPC503", world.table([host_only(world)], uses=uses))


def test_a_reference_is_no_call(world: World) -> None:
    op = host_only(world)
    table = world.table([op], uses=(use(world, 7, is_call=False, backend="cupy"),))

    assert not table.uses(op)
    assert not found("OPC501", table)
