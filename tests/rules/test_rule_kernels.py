"""The rules about kernels, on tables built by hand."""

from __future__ import annotations

from typing import Any

from tests.rules.conftest import World, error, serve, span

from opcheck_rules import ALL_RULES
from opcheck_rules.model.finding import Finding, Severity, Span
from opcheck_rules.model.project import Cause, Op, Stub
from opcheck_rules.model.table import Table

KERNEL_RULES = [rule for rule in ALL_RULES if rule.code.startswith("OPC1")]


def found(table: Table) -> list[Finding]:
    return [finding for rule in KERNEL_RULES for finding in rule.check(rule, table)]


def codes(table: Table) -> list[str]:
    return [finding.code for finding in found(table)]


def labels(finding: Finding) -> list[tuple[Span, str]]:
    return [(label.span, label.text) for label in finding.labels]


def cupy_hole(world: World, cause: Cause, **fields: Any) -> Op:
    return world.op({("cupy", "forward"): world.hole(cause, **fields)})


def test_a_covered_op_is_not_reported(world: World) -> None:
    assert not found(world.table([world.op({})]))


def test_a_backend_that_is_not_listed_is_shown_at_both_ends(world: World) -> None:
    op = world.op({("cupy", "forward"): world.hole(Cause.NOT_LISTED)}, listed=("numpy",))

    (finding,) = found(world.table([op], uses=(world.use(7, tracked=False),)))

    assert (finding.code, finding.severity, finding.condition) == ("OPC101", Severity.ERROR, None)
    assert finding.message == "`pkg.op` has no kernel for backend `cupy`, which target `serve` runs on"
    assert labels(finding) == [
        (span(2), "declared for 1 of 2 backends"),
        (span(3, "/project/pyproject.toml"), "required here"),
        (span(7, "/project/use.py"), "called here"),
    ]
    assert finding.notes == ("`pkg.op` has kernels for `numpy`",)
    assert (
        finding.help
        == 'list "cupy" and give it a kernel, or leave it out on purpose with `unsupported={"cupy": "why"}`'
    )
    assert finding.error is not None


def test_of_many_calls_one_is_shown(world: World) -> None:
    uses = tuple(world.use(line, tracked=False) for line in (7, 8, 9))

    (finding,) = found(world.table([cupy_hole(world, Cause.NOT_LISTED)], uses=uses))

    assert labels(finding)[-1] == (span(7, "/project/use.py"), "called here (1 of 3 calls)")


def test_a_target_of_one_backend_is_told_which_is_not_declared(world: World) -> None:
    (finding,) = found(world.table([cupy_hole(world, Cause.NOT_LISTED)], serve("cupy", origin={})))

    assert labels(finding) == [(span(2), "not declared for `cupy`")]


def test_an_op_without_a_list_lacks_the_backends_that_nothing_registers(world: World) -> None:
    cells = {(backend, "forward"): world.hole(Cause.NO_KERNEL) for backend in ("cpu", "cuda", "xpu")}
    op = world.op(cells, framework="torch")

    (finding,) = found(world.table([op], serve("cuda")))

    assert finding.code == "OPC101"
    assert finding.notes == ("`pkg.op` has kernels for no backend",)
    assert finding.help == (
        "register a `cuda` kernel, or leave it out on purpose"
        ' with `"pkg.op" = ["cuda"]` under [tool.opcheck.unsupported]'
    )


def test_a_listed_backend_without_kernel_is_empty(world: World) -> None:
    (finding,) = found(world.table([cupy_hole(world, Cause.NO_KERNEL)]))

    assert finding.code == "OPC103"
    assert labels(finding)[0] == (span(2), "listed here")
    assert '@op.kernel("cupy")' in (finding.help or "")


def test_an_inferred_target_only_warns(world: World) -> None:
    (finding,) = found(world.table([cupy_hole(world, Cause.NOT_LISTED)], serve("cupy", inferred=True)))

    assert finding.severity is Severity.WARNING
    assert finding.message == "`pkg.op` has no kernel for backend `cupy`, which the inferred target runs on"


def test_a_shut_feature_is_named(world: World) -> None:
    feature = world.when("feature:gpu")
    world.facts = {"feature:gpu": False}
    off = world.hole(Cause.FEATURE_OFF, ~feature, feature="gpu", span=span(9))
    op = world.op({("cupy", "forward"): [off, world.covered(feature)]})

    (finding,) = found(world.table([op]))

    assert (finding.code, finding.severity) == ("OPC102", Severity.ERROR)
    assert finding.message == (
        "`pkg.op` has its kernel for backend `cupy` behind feature `gpu`, which target `serve` does not enable"
    )
    assert labels(finding)[0] == (span(9), "gated here")
    assert finding.notes == ()
    assert finding.help == 'enable it with `features = ["gpu"]`, or drop the gate'


def test_a_shut_feature_before_no_kernel_is_shown_at_the_gate(world: World) -> None:
    (finding,) = found(world.table([cupy_hole(world, Cause.FEATURE_OFF, feature="gpu")]))

    assert (finding.code, finding.notes) == ("OPC102", ())
    assert labels(finding)[0] == (span(2), "gated here")


def test_a_guard_that_fails_is_an_error(world: World) -> None:
    guard = world.when("installed:cupy")
    world.facts = {"installed:cupy": False}
    op = world.op({("cupy", "forward"): [world.covered(guard), world.hole(Cause.NO_KERNEL, ~guard)]})

    (finding,) = found(world.table([op]))

    assert (finding.code, finding.severity) == ("OPC102", Severity.ERROR)
    assert finding.message.endswith("behind a guard that fails under target `serve`")
    assert finding.help == "make the guard hold there, or move the declaration out of it"


def test_a_guard_that_is_open_is_a_warning_that_says_what_to_assume(world: World) -> None:
    guard = world.when("pkg.FAST") & world.when("pkg.LEVEL", "==", 3) & world.when("torch.__version__", "<", "2.4")
    op = world.op({("cupy", "forward"): [world.covered(guard), world.hole(Cause.NO_KERNEL, ~guard)]})

    (finding,) = found(world.table([op]))

    assert finding.severity is Severity.WARNING
    assert finding.condition == (~guard).render()
    assert finding.message.endswith("behind a guard that may fail under target `serve`")
    assert finding.help == (
        'if the guard holds there, say so: `"pkg.FAST" = true` and `"pkg.LEVEL" = 3` and `"torch.__version__" = ...`'
        " under [tool.opcheck.targets.serve.assume]"
    )


def test_a_target_without_a_place_in_the_configuration_has_none_named(world: World) -> None:
    guard = ~world.when("pkg.SLOW")
    op = world.op({("cupy", "forward"): [world.covered(guard), world.hole(Cause.NO_KERNEL, ~guard)]})

    (finding,) = found(world.table([op], serve("cupy", origin={})))

    assert finding.help == 'if the guard holds there, say so: `"pkg.SLOW" = false` under the target\'s `assume` table'


def test_a_cell_that_is_a_hole_in_every_world_is_an_error_however_it_comes_about(world: World) -> None:
    feature, guard = world.when("feature:gpu"), world.when("installed:cupy")
    world.facts = {"installed:cupy": False}
    outcomes = [
        world.hole(Cause.FEATURE_OFF, ~feature, feature="gpu"),
        world.hole(Cause.NO_KERNEL, feature & ~guard),
        world.covered(feature & guard),
    ]

    (finding,) = found(world.table([world.op({("cupy", "forward"): outcomes})]))

    assert (finding.code, finding.severity) == ("OPC102", Severity.ERROR)


def test_what_was_not_read_is_no_hole(world: World) -> None:
    op = world.op({("cupy", "forward"): world.unknown()})

    assert not found(world.table([op]))


def test_an_op_is_judged_only_where_it_is_defined(world: World) -> None:
    guard = world.when("installed:cupy")
    cells = {("cupy", "forward"): [world.covered(guard), world.hole(Cause.NOT_LISTED, ~guard)]}

    assert not found(world.table([world.op(cells, defined=guard)]))


def test_a_kernel_that_only_raises_is_reported_with_its_own_words(world: World) -> None:
    (finding,) = found(world.table([world.op({("cupy", "forward"): world.stub()})]))

    assert (finding.code, finding.severity) == ("OPC104", Severity.ERROR)
    assert labels(finding)[:2] == [(span(11), "always raises `NotImplementedError`"), (span(10), "declared here")]
    assert finding.error is not None
    assert finding.error.message == "later"


def test_a_stub_is_certain_where_the_cell_is_a_hole_otherwise(world: World) -> None:
    guard = world.when("pkg.FAST")
    empty = world.op({("cupy", "forward"): [world.stub(guard, span=None), world.hole(Cause.NO_KERNEL, ~guard)]})
    other = world.op({("cupy", "forward"): [world.stub(guard), world.covered(~guard)]})

    severities = [[f.severity for f in found(world.table([op])) if f.code == "OPC104"] for op in (empty, other)]

    assert severities == [[Severity.ERROR], [Severity.WARNING]]


def test_an_op_of_another_framework_is_not_checked(world: World) -> None:
    assert not codes(world.table([cupy_hole(world, Cause.NOT_LISTED)], serve("cuda")))


def test_a_kernel_that_refuses_a_backend_is_quoted(world: World) -> None:
    refusing = world.covered(stub=Stub(span(11), error("host only"), refuses=True))

    (finding,) = found(world.table([world.op({("cupy", "forward"): refusing})]))

    assert (finding.code, finding.backend, finding.severity) == ("OPC105", "cupy", Severity.ERROR)
    assert finding.message == "`pkg.op` has a kernel that refuses backend `cupy`, which target `serve` runs on"
    assert labels(finding) == [
        (span(11), "raises `NotImplementedError` there"),
        (span(10), "declared here"),
        (span(3, "/project/pyproject.toml"), "required here"),
    ]
    assert finding.error == error("host only")


def test_a_kernel_whose_place_is_not_known_is_shown_where_it_raises(world: World) -> None:
    guard = world.when("pkg.FAST")
    refusing = world.covered(guard, span=None, stub=Stub(span(11), error("host only"), refuses=True))

    (finding,) = found(world.table([world.op({("cupy", "forward"): [refusing, world.covered(~guard)]})]))

    assert (finding.severity, finding.condition) == (Severity.WARNING, "pkg.FAST")
    assert [text for _, text in labels(finding)] == ["raises `NotImplementedError` there", "required here"]
