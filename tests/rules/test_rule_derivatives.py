"""The rules about derivatives, on tables built by hand."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from tests.rules.conftest import World, serve, span

from opcheck_rules import ALL_RULES
from opcheck_rules.model.finding import Finding, Severity, Span
from opcheck_rules.model.project import Cause, Op, Outcome
from opcheck_rules.model.table import Table
from opcheck_rules.model.target import Target

DERIVATIVE_RULES = [rule for rule in ALL_RULES if rule.code.startswith("OPC2")]
TRAIN = serve("numpy", "cupy", autodiff=True)


def found(table: Table) -> list[Finding]:
    return [finding for rule in DERIVATIVE_RULES for finding in rule.check(rule, table)]


def tracked(world: World, op: Op, target: Target = TRAIN, *, tracked: bool = True) -> Table:
    return world.table([op], target, uses=(world.use(7, tracked=tracked),))


def both(outcomes: Outcome | list[Outcome]) -> dict[tuple[str, str], Outcome | list[Outcome]]:
    return {(backend, "autodiff"): outcomes for backend in ("numpy", "cupy")}


def test_a_derivative_is_asked_for_only_by_a_target_with_autodiff(world: World) -> None:
    assert not found(tracked(world, world.op({}), serve("numpy")))


def test_an_op_without_a_derivative_is_reported_once_for_all_backends(world: World) -> None:
    (finding,) = found(tracked(world, world.op({})))

    assert (finding.code, finding.backend, finding.context) == ("OPC201", None, "autodiff")
    assert finding.severity is Severity.ERROR
    assert finding.message == "`pkg.op` has no derivative, which target `serve` asks for"
    assert [(label.span, label.text) for label in finding.labels] == [
        (span(1), "declared without a derivative"),
        (span(4, "/project/pyproject.toml"), "required here"),
        (span(7, "/project/use.py"), "called here"),
    ]
    assert finding.help == "declare `autodiff=True` and register `@op.vjp`, or call it under `no_grad()`"


def test_a_backend_without_a_kernel_is_left_to_the_rules_about_kernels(world: World) -> None:
    one = world.op({("cupy", "forward"): world.hole(Cause.NOT_LISTED)})
    none = world.op({(backend, "forward"): world.hole(Cause.NOT_LISTED) for backend in ("numpy", "cupy")})

    assert [finding.backend for finding in found(tracked(world, one))] == [None]
    assert not found(tracked(world, none))


def test_backends_that_differ_are_reported_one_by_one(world: World) -> None:
    guard = world.when("pkg.FAST")
    some = world.op({("cupy", "autodiff"): world.covered()})
    unlike = world.op({("cupy", "autodiff"): [world.hole(Cause.AUTODIFF_NOT_LISTED, guard), world.covered(~guard)]})

    (finding,) = found(tracked(world, some))

    assert (finding.backend, finding.message) == (
        "numpy",
        "`pkg.op` has no derivative on backend `numpy`, which target `serve` asks for",
    )
    assert [(f.code, f.backend) for f in found(tracked(world, unlike))] == [("OPC201", "numpy"), ("OPC202", "cupy")]


def test_calls_that_want_no_gradient_ask_for_none(world: World) -> None:
    assert not found(tracked(world, world.op({}), tracked=False))


@pytest.mark.parametrize(
    ("framework", "severities"), [("native", [Severity.WARNING]), ("torch", [])], ids=["native", "torch"]
)
def test_an_op_that_nothing_calls_is_a_warning_where_its_framework_says_so(
    world: World, framework: str, severities: list[Severity]
) -> None:
    table = world.table([world.op({}, framework=framework)], serve("numpy", "cpu", autodiff=True))

    assert [finding.severity for finding in found(table)] == severities


def test_a_hole_that_a_call_survives_is_a_warning(world: World) -> None:
    hole = world.hole(Cause.AUTODIFF_NOT_LISTED, survivable=True)
    op = world.op({("cpu", "autodiff"): hole}, framework="torch")

    (finding,) = found(tracked(world, op, serve("cpu", autodiff=True)))

    assert (finding.severity, finding.condition) == (Severity.WARNING, None)
    assert finding.help == "register a derivative with `register_autograd`, or call it where no gradient is wanted"


def test_a_gate_on_the_derivative_is_named(world: World) -> None:
    feature = world.when("feature:train")
    world.facts = {"feature:train": False}
    off = world.hole(Cause.AUTODIFF_FEATURE_OFF, ~feature, feature="train")

    (finding,) = found(tracked(world, world.op(both([off, world.covered(feature)]))))

    assert (finding.code, finding.severity, finding.backend) == ("OPC202", Severity.ERROR, None)
    assert finding.message == (
        "`pkg.op` has its derivative behind feature `train`, which target `serve` does not enable"
    )
    assert finding.labels[0].text == "gated here"


def test_a_gate_on_a_derivative_that_nothing_wants_is_not_reported(world: World) -> None:
    off = world.hole(Cause.AUTODIFF_FEATURE_OFF, feature="train")

    assert not found(tracked(world, world.op(both(off)), tracked=False))


def test_a_declared_derivative_without_rule_is_reported_whatever_calls_it(world: World) -> None:
    op = world.op(both(world.hole(Cause.NO_RULE, span=span(5))))

    for table in (tracked(world, op), tracked(world, op, tracked=False), world.table([op], TRAIN)):
        (finding,) = found(table)

        assert (finding.code, finding.severity, finding.primary) == ("OPC203", Severity.ERROR, span(5))
        assert "@op.vjp" in (finding.help or "")


def test_a_hidden_gradient_is_shown_at_the_kernel_that_hides_it(world: World) -> None:
    hidden = world.hole(Cause.SHADOWED, span=span(6))

    (finding,) = found(tracked(world, world.op({("cupy", "autodiff"): hidden, ("numpy", "autodiff"): world.covered()})))

    assert (finding.code, finding.backend, finding.severity) == ("OPC205", "cupy", Severity.ERROR)
    assert finding.message == (
        "`pkg.op` hides the gradient of its composite kernel on backend `cupy`, which target `serve` asks for"
    )
    assert [(label.span, label.text) for label in finding.labels][:2] == [
        (span(6), "found before the composite kernel"),
        (span(1), "declared here"),
    ]


@pytest.mark.parametrize(("place", "survivable"), [(span(1), True), (None, False)])
def test_a_kernel_in_the_op_itself_is_shown_once(world: World, place: Span | None, *, survivable: bool) -> None:
    hidden = world.hole(Cause.SHADOWED, span=place, survivable=survivable)

    (finding,) = found(tracked(world, world.op(both(hidden))))

    assert [label.text for label in finding.labels if label.span == span(1)] == ["found before the composite kernel"]
    assert finding.severity is (Severity.WARNING if survivable else Severity.ERROR)


def test_a_hidden_gradient_is_not_called_gated_too(world: World) -> None:
    guard = world.when("pkg.FAST")
    op = world.op(both([world.hole(Cause.SHADOWED, guard), world.covered(~guard)]))

    assert [finding.code for finding in found(tracked(world, op))] == ["OPC205"]


def backward_of(world: World, caller: Op, target: Target = TRAIN, **hole: Any) -> list[Finding]:
    """What is found about an op without a `cupy` kernel that the derivative rule of `caller` calls."""
    lacking = {("cupy", "forward"): world.hole(hole.pop("cause", Cause.NOT_LISTED), **hole)}
    use = replace(world.use(7, tracked=False, op="pkg.bwd"), derivative_of=frozenset({caller.name}))
    called = world.op({**lacking, **both(world.covered())}, name="pkg.bwd")
    return found(world.table([caller, called], target, uses=(use,)))


def test_backward_finds_a_missing_kernel_of_what_it_calls(world: World) -> None:
    (finding,) = backward_of(world, world.op(both(world.covered())))

    assert (finding.code, finding.op, finding.backend) == ("OPC204", "pkg.bwd", "cupy")
    assert finding.message == "`pkg.bwd` has no kernel for backend `cupy`, where backward of `pkg.op` calls it"
    assert finding.error is not None
    assert finding.error.when == "backward"
    assert [label.text for label in finding.labels] == [
        "not declared for `cupy`",
        "called here by the derivative of `pkg.op`",
        "forward has `cupy`",
        "required here",
    ]


def test_backward_matters_only_where_forward_runs_and_is_trained(world: World) -> None:
    differentiable = world.op(both(world.covered()))
    without_forward = world.op({**both(world.covered()), ("cupy", "forward"): world.hole(Cause.NOT_LISTED)})

    assert not backward_of(world, differentiable, serve("numpy", "cupy"))
    assert not backward_of(world, without_forward)
    assert not [f for f in backward_of(world, world.op({})) if f.code == "OPC204"]
    assert not backward_of(world, world.op({**both(world.covered())}, framework="torch", name="ns::op"))


def test_a_gate_that_keeps_the_kernel_out_is_left_to_the_rule_about_gates(world: World) -> None:
    differentiable = world.op(both(world.covered()))

    assert not backward_of(world, differentiable, cause=Cause.FEATURE_OFF, feature="gpu")


def test_what_would_be_raised_and_where_forward_stands_is_said_where_it_is_known(world: World) -> None:
    kernel = world.covered(span=None)
    caller = world.op({**both(world.covered()), ("cupy", "forward"): kernel})

    (finding,) = backward_of(world, caller, error=None)

    assert finding.error is None
    assert "forward has `cupy`" not in [label.text for label in finding.labels]
