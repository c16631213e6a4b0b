"""The rules about what is wrong under every target, on tables built by hand."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from tests.rules.conftest import World, error, serve, span

from opcheck.engine import fold
from opcheck_rules import ALL_RULES
from opcheck_rules.model.finding import Finding, PredictedError, Severity, Span
from opcheck_rules.model.project import Cause, Mismatch, Op, Registration, RoutingFault, Unreadable
from opcheck_rules.model.table import Table

DECLARATION_RULES = [rule for rule in ALL_RULES if rule.code.startswith(("OPC0", "OPC4"))]


def found(table: Table) -> list[Finding]:
    return [finding for rule in DECLARATION_RULES for finding in rule.check(rule, table)]


def labels(finding: Finding) -> list[tuple[Span, str]]:
    return [(label.span, label.text) for label in finding.labels]


def at_import(message: str) -> PredictedError:
    return error(message, when="import")


def test_every_one_of_them_says_that_no_target_changes_it() -> None:
    assert all(rule.every_target for rule in DECLARATION_RULES)


def test_a_file_that_was_not_read_is_reported(world: World) -> None:
    table = world.table(unreadable=(Unreadable(span(3), "'(' was never closed"),))

    (finding,) = found(table)

    assert (finding.code, finding.severity) == ("OPC001", Severity.ERROR)
    assert finding.message == "`ops.py` can't be read, so what it declares is not known"
    assert labels(finding) == [(span(3), "'(' was never closed")]


def misspelt(world: World, key: str, **fields: Any) -> Registration:
    return world.registration("listing", key, known=False, unknown_error=at_import("unknown"), **fields)


def test_a_misspelt_backend_is_about_the_one_that_was_meant(world: World) -> None:
    table = world.table([world.op({})], serve("numpy", inferred=True), registrations=(misspelt(world, "CUPPY"),))

    (finding,) = found(table)

    assert (finding.code, finding.severity, finding.backend) == ("OPC401", Severity.ERROR, "cupy")
    assert finding.message == "`pkg.op` is declared for backend `CUPPY`, which its framework does not know"
    assert finding.help == "did you mean `cupy`?"
    assert finding.error == at_import("unknown")


def test_a_backend_like_no_other_is_answered_with_those_there_are(world: World) -> None:
    (finding,) = found(world.table(registrations=(misspelt(world, "zx81", op=None),)))

    assert (finding.backend, finding.help) == ("zx81", "the backends are `numpy` and `cupy`")
    assert finding.message == "an op is declared for backend `zx81`, which its framework does not know"


def test_a_guard_stands_on_a_finding_as_its_condition(world: World) -> None:
    guard = world.when("pkg.FAST")
    table = world.table([world.op({})], registrations=(misspelt(world, "cuppy", condition=guard),))

    (finding,) = found(table)
    world.facts = {"pkg.FAST": False}

    assert (finding.severity, finding.condition) == (Severity.WARNING, "pkg.FAST")
    assert not found(world.under(table))


def of_torch(world: World, kind: str, op: str, line: int, **fields: Any) -> Registration:
    return world.registration(kind, "CPU", framework="torch", op=op, span=span(line), **fields)


def test_an_op_that_nothing_defines_is_reported_once(world: World) -> None:
    fake = of_torch(world, "fake", "ns::opp", 21, undefined_error=at_import("no such op"))
    table = world.table(
        [world.op({}, framework="torch", name="ns::op")],
        registrations=(fake, of_torch(world, "kernel", "ns::opp", 20), of_torch(world, "kernel", "ns::op", 22)),
    )

    (finding,) = found(table)

    assert (finding.code, finding.severity, finding.op) == ("OPC402", Severity.ERROR, "ns::opp")
    assert finding.message == "a kernel is registered for `ns::opp`, which nothing defines"
    assert labels(finding) == [(span(20), "no such op"), (span(21), "and here")]
    assert (finding.help, finding.error) == ("did you mean `ns::op`?", at_import("no such op"))


def test_an_op_like_no_other_is_to_be_defined(world: World) -> None:
    (finding,) = found(world.table(registrations=(of_torch(world, "derivative", "ns::scale", 20),)))

    assert finding.message == "a derivative is registered for `ns::scale`, which nothing defines"
    assert (finding.help, finding.error) == ("define the op, or drop what is registered for it", None)


@pytest.mark.parametrize(
    ("op", "meant"), [("ns::blurr", "ns::blur"), ("nss::turn", "ns::turn"), ("ns::shift", None), ("n::scale", None)]
)
def test_the_op_that_was_meant_is_near_in_one_part_of_its_name(world: World, op: str, meant: str | None) -> None:
    ops = [world.op({}, framework="torch", name=name) for name in ("ns::blur", "ns::turn", "other::scale")]

    (finding,) = found(world.table(ops, registrations=(of_torch(world, "kernel", op, 20),)))

    assert finding.help == (f"did you mean `{meant}`?" if meant else "define the op, or drop what is registered for it")
    assert finding.notes == ("nothing is raised: it is accepted, and never called",)


def test_a_namespace_that_a_package_may_fill_is_doubted_where_it_looks_misspelt(world: World) -> None:
    ops = [world.op({}, framework="torch", name=name) for name in ("quant::mm", "other::turn")]
    foreign = frozenset({"quant_py", "theirs"})
    completed = [of_torch(world, "kernel", op, 20) for op in ("quant_py::mm", "quant_py::turn", "theirs::mm")]

    (finding,) = found(world.table(ops, registrations=completed, open_namespaces=foreign, foreign_namespaces=foreign))

    assert (finding.op, finding.help) == ("quant_py::mm", "did you mean `quant::mm`?")
    assert finding.severity is Severity.WARNING
    assert finding.condition == "no package that was not read defines `quant_py::mm`"


def test_what_code_that_was_not_read_may_define_is_not_reported(world: World) -> None:
    guard = world.when("pkg.FAST")
    world.facts = {"pkg.FAST": False}
    elsewhere = of_torch(world, "kernel", "open::op", 20)
    nameless = world.registration("kernel", "CPU", op=None)
    alone = of_torch(world, "kernel", "ns::op", 21, needs_definition=False)
    guarded = of_torch(world, "kernel", "ns::op", 22, condition=guard)

    registrations = (elsewhere, nameless, alone, guarded)

    assert not found(world.table(registrations=registrations, open_namespaces=frozenset({"open"})))


@pytest.mark.parametrize(
    ("kind", "key", "words"),
    [
        ("define", None, "is defined twice"),
        ("listing", "cupy", "lists `cupy` twice"),
        ("kernel", "cupy", "has two kernels for `cupy`"),
        ("kernel", None, "has two kernels for every backend"),
        ("derivative", None, "has two derivatives"),
        ("fake", None, "has two fake kernels"),
        ("vmap", None, "has two batching rules"),
    ],
)
def test_a_slot_filled_twice_is_reported_at_the_second(world: World, kind: str, key: str | None, words: str) -> None:
    first = world.registration(kind, key, span=span(20))
    second = world.registration(kind, key, span=span(21), duplicate_error=at_import("already"))

    (finding,) = found(world.table([world.op({}, listed=None)], registrations=(second, first)))

    assert (finding.code, finding.severity, finding.backend) == ("OPC403", Severity.ERROR, key)
    assert finding.message == f"`pkg.op` {words}"
    assert labels(finding) == [(span(21), "declared again here"), (span(20), "first declared here")]
    assert finding.error == at_import("already")


def test_a_twin_that_raises_nothing_says_so(world: World) -> None:
    (finding,) = twins(world, {}, {})

    assert finding.notes == ("nothing is raised: which of the two runs is up to their order",)


def test_of_three_each_after_the_first_is_reported(world: World) -> None:
    registrations = tuple(world.registration("fake", span=span(line)) for line in (20, 21, 22))

    assert [labels(f)[1][0] for f in found(world.table([world.op({})], registrations=registrations))] == [span(20)] * 2


def twins(world: World, one: dict[str, Any], other: dict[str, Any]) -> list[Finding]:
    first = world.registration("define", span=span(20), **one)
    second = world.registration("define", span=span(21), **other)
    return found(world.table([world.op({})], registrations=(first, second)))


def test_twins_that_never_meet_are_not_reported(world: World) -> None:
    guard = world.when("pkg.FAST")
    here, there = frozenset({"here"}), frozenset({"there"})

    assert not twins(world, {"condition": guard}, {"condition": ~guard})
    assert not twins(world, {"entries": here}, {"entries": there})
    assert not twins(world, {}, {"silent": True})
    assert not twins(world, {"op": None}, {"op": None})
    assert twins(world, {"entries": here}, {"entries": here | there})


def test_a_kernel_beside_the_declaration_is_reported(world: World) -> None:
    kernel = world.registration("kernel", "cupy", undeclared_error=at_import("not declared"))
    table = world.table([world.op({}, listed=("numpy",))], registrations=(kernel,))

    (finding,) = found(table)

    assert (finding.code, finding.severity, finding.backend) == ("OPC404", Severity.ERROR, "cupy")
    assert finding.message == "`pkg.op` has a kernel for backend `cupy`, which its declaration does not list"
    assert labels(finding) == [(span(20), "not listed"), (span(2), "the backends are listed here")]
    assert (finding.help, finding.error) == ('list "cupy", or drop the kernel', at_import("not declared"))


def test_a_kernel_for_a_backend_that_the_target_runs_on_says_where_that_is_required(world: World) -> None:
    kernel = world.registration("kernel", "cupy")
    lacks = {("cupy", "forward"): world.hole(Cause.NOT_LISTED)}
    table = world.table([world.op(lacks, listed=("numpy",))], registrations=(kernel,))

    (finding,) = found(table)

    assert finding.required
    assert labels(finding)[2] == (span(3, "/project/pyproject.toml"), "required here")
    [elsewhere] = found(replace(table, target=serve("numpy")))
    assert not elsewhere.required
    assert fold([elsewhere, finding])[0].required


def test_kernels_that_a_declaration_can_have_are_not_reported(world: World) -> None:
    guard = world.when("pkg.FAST")
    world.facts = {"pkg.FAST": False}
    ops = [world.op({}, listed=("numpy",)), world.op({}, name="ns::op", framework="torch")]
    registrations = (
        world.registration("kernel", "numpy"),
        world.registration("vmap", "cupy"),
        world.registration("kernel", "cupy", condition=guard),
        of_torch(world, "kernel", "ns::op", 21),
        world.registration("kernel", "cupy", op="pkg.other", needs_definition=False),
    )

    assert not found(world.table(ops, registrations=registrations))


def test_a_list_that_was_not_read_may_name_the_backend(world: World) -> None:
    unread = world.op({("cupy", "forward"): world.unknown()}, listed=("numpy",))
    nameless = world.registration("kernel", None)

    assert not found(world.table([unread], registrations=(world.registration("kernel", "cupy"), nameless)))


def test_a_statement_in_a_loop_is_shown_once(world: World) -> None:
    again = [of_torch(world, "kernel", "ns::op", 20, order=order) for order in (1, 2)]

    assert [(f.code, len(f.labels)) for f in found(world.table(registrations=tuple(again)))] == [
        ("OPC402", 1),
        ("OPC403", 1),
    ]


def test_an_op_without_an_input_to_route_by_is_reported(world: World) -> None:
    guard = world.when("pkg.FAST")
    fault = RoutingFault(guard, "2 backends, no array input", "add one", at_import("no parameter is an array"))
    table = world.table([world.op({}, routing_faults=(fault,))])

    (finding,) = found(table)
    world.facts = {"pkg.FAST": False}

    assert (finding.code, finding.severity, finding.condition) == ("OPC405", Severity.WARNING, "pkg.FAST")
    assert finding.message == "`pkg.op` has no input to select its backend from"
    assert labels(finding) == [(span(2), "2 backends, no array input")]
    assert (finding.help, finding.error) == ("add one", at_import("no parameter is an array"))
    assert not found(world.under(table))


def misfit(world: World, **fields: Any) -> Registration:
    mismatch = Mismatch(span(30), "it takes 1 of 2 by position", "x, by", error("takes 1"), **fields)
    return world.registration("fake", mismatch=mismatch)


def misfits(world: World, *ops: Op, registrations: tuple[Registration, ...]) -> list[Finding]:
    return [finding for finding in found(world.table(ops, registrations=registrations)) if finding.code == "OPC406"]


def test_a_function_that_cannot_take_the_parameters_is_shown_where_it_is_defined(world: World) -> None:
    (finding,) = misfits(world, world.op({}), registrations=(misfit(world), misfit(world)))

    assert (finding.code, finding.severity) == ("OPC406", Severity.ERROR)
    assert finding.message == "`pkg.op` has a fake kernel that can't take its parameters: it takes 1 of 2 by position"
    assert labels(finding) == [(span(30), "called with `(x, by)`"), (span(1), "declared here")]
    assert finding.help == "write its parameters as `(x, by)`"
    assert finding.error == error("takes 1")
    assert not finding.notes


def test_a_function_that_some_calls_suit_is_only_a_warning(world: World) -> None:
    (lacking,) = misfits(world, registrations=(misfit(world, by_default=True),))
    (optional,) = misfits(world, registrations=(misfit(world, always=False),))

    assert (lacking.severity, optional.severity) == (Severity.ERROR, Severity.WARNING)
    assert lacking.notes == ("an argument that equals its default is not passed on",)
    assert optional.notes == ("only a call that passes an optional argument raises",)


def test_a_function_of_another_machine_is_not_judged(world: World) -> None:
    world.facts["pkg.FAST"] = False
    registration = replace(misfit(world), condition=world.when("pkg.FAST"))

    assert not found(world.table(registrations=(registration,)))
