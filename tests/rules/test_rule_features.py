"""The rules about features, on tables built by hand."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rules.conftest import World, error, serve, span

from opcheck_rules import ALL_RULES
from opcheck_rules.model.condition import Condition
from opcheck_rules.model.finding import Finding, Severity
from opcheck_rules.model.project import Enabling, Gate
from opcheck_rules.model.table import Table
from opcheck_rules.model.target import Target

FEATURE_RULES = [rule for rule in ALL_RULES if rule.code.startswith("OPC6")]
MAIN = frozenset({"main"})


def found(table: Table) -> list[Finding]:
    return [finding for rule in FEATURE_RULES for finding in rule.check(rule, table)]


def gate(world: World, backend: str | None = "cupy", condition: Condition | None = None) -> Gate:
    return Gate("native", "pkg.op", "gpu", backend, condition or world.space.true, span(2), 10, MAIN, error("no"))


def enabling(
    world: World, order: int, condition: Condition | None = None, entries: frozenset[str] = MAIN, feature: str = "gpu"
) -> Enabling:
    return Enabling(feature, condition or world.space.true, span(order), order, entries)


def features(world: World, target: Target | None = None, gates: tuple[Gate, ...] = (), **fields: Any) -> list[Finding]:
    return found(world.table(target=target, gates=gates or (gate(world),), **fields))


def test_every_one_of_them_says_that_no_target_changes_it() -> None:
    assert all(rule.every_target for rule in FEATURE_RULES)


@pytest.mark.parametrize(("backend", "what"), [("cupy", "backend `cupy`"), (None, "its derivative")])
def test_a_feature_that_nothing_names_is_reported_with_the_nearest(
    world: World, backend: str | None, what: str
) -> None:
    (finding,) = features(world, gates=(gate(world, backend),), features=frozenset({"gpus"}))

    assert (finding.code, finding.severity, finding.backend) == ("OPC601", Severity.ERROR, backend)
    assert finding.message == f"`pkg.op` has {what} behind feature `gpu`, which nothing can enable"
    assert [(label.span, label.text) for label in finding.labels] == [(span(2), "no such feature")]
    assert finding.help == "did you mean `gpus`?"
    assert finding.error == error("no")


def test_a_feature_like_no_other_is_to_be_named_by_a_target(world: World) -> None:
    (finding,) = features(world, features=frozenset({"training"}))

    assert finding.help == "name it under `features` of a target, or drop the gate"


@pytest.mark.parametrize(
    ("target", "named"),
    [
        (serve("cupy"), frozenset({"gpu"})),
        (serve("cupy", features=("gpu",)), frozenset[str]()),
        (serve("cupy", all_features=True), frozenset({"training"})),
        (serve("cupy"), frozenset[str]()),
        (serve("cpu"), frozenset({"training"})),
        (serve("cupy", ops=("other.*",)), frozenset({"training"})),
    ],
)
def test_a_gate_that_something_opens_or_that_nobody_asks_about_is_not_reported(
    world: World, target: Target, named: frozenset[str]
) -> None:
    assert not features(world, target, features=named)


def test_a_gate_of_another_machine_is_not_reported(world: World) -> None:
    world.facts["pkg.FAST"] = False
    elsewhere = gate(world, condition=world.when("pkg.FAST"))

    assert not features(world, gates=(elsewhere,), features=frozenset({"training"}))
    assert not features(world, gates=(elsewhere,), enablings=(enabling(world, 20),), features=frozenset({"gpu"}))


def late(world: World, *enablings: Enabling, target: Target | None = None) -> list[Finding]:
    return features(world, target, enablings=enablings, features=frozenset({"gpu"}))


def test_a_feature_is_late_after_the_declaration(world: World) -> None:
    (finding,) = late(world, enabling(world, 20))

    assert (finding.code, finding.severity, finding.backend) == ("OPC602", Severity.ERROR, "cupy")
    assert finding.message == (
        "`pkg.op` has backend `cupy` behind feature `gpu`, which is enabled only after the declaration"
    )
    assert [(label.span, label.text) for label in finding.labels] == [
        (span(20), "enabled here"),
        (span(2), "resolved before that"),
    ]


def test_one_that_an_earlier_statement_or_the_target_enabled_is_not_late(world: World) -> None:
    guard = world.when("pkg.FAST")

    assert not late(world, enabling(world, 5), enabling(world, 20))
    assert not late(world, enabling(world, 5, guard), enabling(world, 20, guard))
    assert not late(world, enabling(world, 20), target=serve("cupy", features=("gpu",)))
    assert not late(world, enabling(world, 20), target=serve("cupy", all_features=True))
    assert not late(world, enabling(world, 20, feature="fast"))


def test_two_programs_do_not_enable_for_each_other(world: World) -> None:
    assert not late(world, enabling(world, 20, entries=frozenset({"other"})))


def test_a_gate_is_reported_once_at_the_first_that_is_late(world: World) -> None:
    found = late(world, enabling(world, 20), enabling(world, 30))

    assert [finding.primary for finding in found] == [span(20)]


def test_one_that_may_have_been_enabled_is_a_warning(world: World) -> None:
    (finding,) = late(world, enabling(world, 5, world.when("pkg.FAST")), enabling(world, 20))

    assert (finding.severity, finding.condition) == (Severity.WARNING, "not pkg.FAST")
