"""The rules about what an op needs beside its kernel to be compiled and batched, on tables built by hand."""

from __future__ import annotations

import pytest
from tests.rules.conftest import World, serve, span

from opcheck_rules import ALL_RULES
from opcheck_rules.model.finding import Finding, Severity
from opcheck_rules.model.project import Cause, Op, Outcome
from opcheck_rules.model.table import Table
from opcheck_rules.model.target import Target

CONTEXT_RULES = [rule for rule in ALL_RULES if rule.code.startswith("OPC3")]
COMPILED = serve("cpu", "cuda", compile=True)
BATCHED = serve("cpu", "cuda", vmap=True)


def found(table: Table) -> list[Finding]:
    return [finding for rule in CONTEXT_RULES for finding in rule.check(rule, table)]


def torch_op(world: World, context: str, *outcomes: Outcome, **forward: Outcome) -> Op:
    cells = {(backend, context): list(outcomes) for backend in ("cpu", "cuda")}
    kernels = {(backend, "forward"): [outcome] for backend, outcome in forward.items()}
    return world.op({**cells, **kernels}, framework="torch", name="ns::op")


@pytest.mark.parametrize(("context", "target"), [("compile", COMPILED), ("vmap", BATCHED)])
def test_what_no_context_of_the_target_asks_for_is_not_reported(world: World, context: str, target: Target) -> None:
    op = torch_op(world, context, world.hole(Cause.NO_KERNEL))

    assert found(world.table([op], target))
    assert not found(world.table([op], serve("cpu", "cuda", autodiff=True)))


def test_an_op_without_a_fake_kernel_is_reported_once_for_all_backends(world: World) -> None:
    op = torch_op(world, "compile", world.hole(Cause.NO_KERNEL))

    (finding,) = found(world.table([op], COMPILED, uses=(world.use(7, tracked=False, op="ns::op"),)))

    assert (finding.code, finding.backend, finding.context) == ("OPC301", None, "compile")
    assert finding.severity is Severity.ERROR
    assert finding.message == "`ns::op` has no fake kernel, and target `serve` compiles"
    assert [(label.span, label.text) for label in finding.labels] == [
        (span(1), "declared without a fake kernel"),
        (span(4, "/project/pyproject.toml"), "required here"),
        (span(7, "/project/use.py"), "called here"),
    ]


def test_an_op_without_a_batching_rule_says_why_no_fallback_serves(world: World) -> None:
    op = torch_op(world, "vmap", world.hole(Cause.NO_KERNEL))

    (finding,) = found(world.table([op], BATCHED))

    assert (finding.code, finding.backend, finding.context) == ("OPC302", None, "vmap")
    assert finding.message == "`ns::op` has no batching rule, and target `serve` batches"
    assert finding.notes == ("the fallback serves only ops that change no argument and return tensors",)


def test_a_graph_that_breaks_in_silence_is_only_a_warning(world: World) -> None:
    op = torch_op(world, "compile", world.hole(Cause.NO_KERNEL, survivable=True))

    assert [finding.severity for finding in found(world.table([op], COMPILED))] == [Severity.WARNING]


def test_one_that_a_guard_keeps_out_is_reported_with_its_guard(world: World) -> None:
    guard = world.when("pkg.FAST")
    fake = world.covered(guard, span=span(30))
    op = torch_op(world, "compile", fake, world.hole(Cause.NO_KERNEL, ~guard))

    (finding,) = found(world.table([op], COMPILED))

    assert (finding.severity, finding.condition, finding.primary) == (Severity.WARNING, "not pkg.FAST", span(30))
    assert finding.message == "`ns::op` has its fake kernel behind a guard that may fail under target `serve`"
    assert "pkg.FAST" in (finding.help or "")


def test_what_was_not_read_is_no_hole(world: World) -> None:
    op = torch_op(world, "compile", world.unknown())

    assert not found(world.table([op], COMPILED))


def test_an_op_without_any_kernel_is_left_to_the_rules_about_kernels(world: World) -> None:
    none = torch_op(world, "compile", world.hole(Cause.NO_KERNEL), **dict.fromkeys(("cpu", "cuda"), _none(world)))
    one = torch_op(world, "compile", world.hole(Cause.NO_KERNEL), cuda=_none(world))

    assert not found(world.table([none], COMPILED))
    assert [finding.backend for finding in found(world.table([one], COMPILED))] == [None]


def test_where_only_some_worlds_have_a_kernel_only_they_are_at_fault(world: World) -> None:
    guard = world.when("pkg.FAST")
    kernel = [world.covered(guard), world.hole(Cause.NO_KERNEL, ~guard)]
    cells = {("cpu", "forward"): kernel, ("cpu", "compile"): [world.hole(Cause.NO_KERNEL)]}
    alone = world.op(cells, framework="torch")
    both = world.op({**cells, ("cpu", "compile"): kernel}, framework="torch")
    target = serve("cpu", compile=True)

    assert [finding.code for finding in found(world.table([alone], target))] == ["OPC301"]
    assert not found(world.table([both], target))


def _none(world: World) -> Outcome:
    return world.hole(Cause.NO_KERNEL)


def test_a_framework_without_such_a_context_is_asked_for_nothing(world: World) -> None:
    target = serve("numpy", "cupy", "cpu", compile=True, vmap=True)

    assert not found(world.table([world.op({})], target))
