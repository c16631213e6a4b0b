"""Where the answer to a fact comes from, as an explanation says it."""

from __future__ import annotations

from typing import Any

import pytest

from opcheck.explain.known import known
from opcheck.explain.levers import levers
from opcheck.reading import Environment
from opcheck.symbolic.facts import facts
from opcheck_rules.model.atom import Atom
from opcheck_rules.model.condition import Conditions
from opcheck_rules.model.project import Project
from opcheck_rules.model.table import Table
from opcheck_rules.model.target import Target

ENVIRONMENT = Environment(frozenset({"numpy"}), {"gpu": frozenset({"cupy"}), "fast": frozenset({"numba"})}, "3.12")
SPACE = Conditions()


def _table(**fields: Any) -> Table:
    target = Target("serve", **{"backends": ("cuda",), **fields})
    return Table(
        Project({}), target, facts(target, ENVIRONMENT, {"pkg.FAST": [(SPACE.atom("installed:triton"), True)]})
    )


@pytest.mark.parametrize(
    ("atom", "fields", "holds", "source", "detail"),
    [
        (Atom("pkg.odd()"), {}, None, "unknown", "nothing says"),
        (Atom("pkg.odd()"), {"assume": {"pkg.odd()": True}}, True, "assume", "assumed: pkg.odd() = true"),
        (
            Atom("torch.__version__.minor", "<", 6), {"assume": {"torch.__version__": "2.5"}},
            True, "assume", 'assumed: torch.__version__ = "2.5"',
        ),
        (
            Atom("installed:triton"), {"assume": {"pkg.FAST": True}},
            True, "assume", "follows from what is assumed: pkg.FAST",
        ),
        (Atom("feature:gpu"), {}, False, "features", "not among `features`"),
        (Atom("feature:gpu"), {"features": ("gpu",)}, True, "features", "enabled by `features`"),
        (
            Atom("feature:gpu"), {"all_features": True},
            True, "features", "every feature is on under an inferred target",
        ),
        (Atom("installed:numpy"), {}, True, "metadata", "the project requires it"),
        (Atom("installed:torch"), {}, True, "backends", "backend `cuda` needs it"),
        (Atom("installed:cupy"), {"extras": ("gpu",)}, True, "extras", "brought by extra `gpu`"),
        (
            Atom("installed:numba"), {}, False, "extras", "brought only by extra `fast`, which is not among `extras`",
        ),
        (Atom("env:FAST"), {}, False, "environment", "a variable is taken to be unset"),
        (Atom("built:cuda"), {}, True, "backends", "`backends` lists `cuda`"),
        (Atom("built:xpu"), {}, False, "backends", "`backends` does not list `xpu`"),
        (Atom("torch.mps.is_available()"), {}, False, "backends", "follows from `backends`: cuda"),
        (Atom("typing.TYPE_CHECKING"), {}, False, "constants", "a checker's constant, false when the code runs"),
        (Atom("sys.version_info[:2]", "<", (3, 11)), {}, False, "python", "`requires-python` allows 3.12"),
        (Atom("sys.version_info", "<", (3, 11)), {"python": "3.10"}, True, "python", "`python` is 3.10"),
        (Atom("torch.__version__", "<", "2.6"), {}, False, "torch", "the newest PyTorch known"),
        (Atom("hasattr(torch.library, 'custom_op')"), {"torch": "2.3"}, False, "torch", "`torch` is 2.3"),
        (Atom("sys.platform", "==", "linux"), {}, True, "platform", "follows from `backends`"),
        (
            Atom("pkg.ON", settled=True), {},
            True, "constants", "so by what the project says itself, unless `assume` says otherwise",
        ),
    ],
)  # fmt: skip
def test_an_answer_comes_with_its_source(
    atom: Atom, fields: dict[str, Any], holds: bool | None, source: str, detail: str
) -> None:
    told = known(atom, _table(**fields), ENVIRONMENT)

    assert (told.holds, told.source, told.detail) == (holds, source, detail)


def test_python_is_the_newest_where_the_metadata_does_not_say() -> None:
    assert known(Atom("sys.version_info", "<", (3, 11)), _table(), Environment()).detail == "the newest Python known"


@pytest.mark.parametrize(
    ("atom", "fields", "lever"),
    [
        (Atom("feature:gpu"), {}, "`gpu` in `features`"),
        (Atom("installed:numba"), {}, "`fast` in `extras`"),
        (Atom("installed:triton"), {}, '`"installed:triton" = true` in `assume`'),
        (Atom("installed:numba"), {"assume": {"installed:numba": False}}, '`"installed:numba" = true` in `assume`'),
        (Atom("torch.backends.mps.is_available()"), {}, "`mps` in `backends`"),
        (Atom("built:xpu"), {}, "`xpu` in `backends`"),
        (Atom("built:xpu"), {"assume": {"built:xpu": False}}, '`"built:xpu" = true` in `assume`'),
        (Atom("called:pkg.setup"), {}, "`pkg.setup` called before"),
        (Atom("sys.platform", "==", "win32"), {}, '`"sys.platform" = "win32"` in `assume`'),
        (Atom("pkg.key", "in", ("CPU", "cpu")), {}, '`"pkg.key" = "CPU"` in `assume`'),
        (Atom("pkg.key", "in", "a string"), {}, '`"pkg.key" = ...` in `assume`'),
    ],
)
def test_a_lever_is_the_key_that_would_answer_otherwise(atom: Atom, fields: dict[str, Any], lever: str) -> None:
    condition = SPACE.atom(atom.subject, atom.operator, atom.operand)

    assert levers(condition, _table(**fields), ENVIRONMENT) == (lever,)


def test_the_way_with_the_fewest_changes_is_told() -> None:
    listed, feature, assumed = SPACE.atom("built:cuda"), SPACE.atom("feature:gpu"), SPACE.atom("pkg.odd()")

    assert levers(~listed & feature | listed & assumed, _table(), ENVIRONMENT) == ('`"pkg.odd()" = true` in `assume`',)
    assert levers(~listed & ~feature, _table(features=("gpu",)), ENVIRONMENT) == (
        "`gpu` out of `features`",
        "`cuda` out of `backends`",
    )
    assert levers(SPACE.false, _table(), ENVIRONMENT) == ()


def test_what_is_open_is_settled_before_what_is_known_is_changed() -> None:
    condition = ~SPACE.atom("built:cuda") | SPACE.atom("pkg.odd()")

    assert levers(condition, _table(), ENVIRONMENT) == ('`"pkg.odd()" = true` in `assume`',)
