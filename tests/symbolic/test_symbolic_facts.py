"""What a target's facts decide."""

from __future__ import annotations

import pytest

from opcheck.reading import Environment, Named
from opcheck.symbolic.facts import facts
from opcheck_rules.model.atom import Atom
from opcheck_rules.model.condition import Conditions
from opcheck_rules.model.target import Scalar, Target

ENVIRONMENT = Environment(
    frozenset({"numpy", "einops"}), {"gpu": frozenset({"cupy"}), "fast": frozenset({"triton", "numba"})}, "3.12"
)
CUDA = Target("t", ("cpu", "cuda"), features=("gpu",), extras=("fast",))


def ask(atom: Atom, target: Target = CUDA, **assume: Scalar) -> bool | None:
    return facts(target, ENVIRONMENT)(atom)


DERIVED: list[tuple[Atom, Target, bool | None]] = [
    (Atom("torch.cuda.is_available()"), CUDA, True),
    (Atom("torch.xpu.is_available()"), CUDA, False),
    (Atom("torch.backends.mps.is_available()"), Target("t", ("mps",)), True),
    (Atom("torch.cuda.device_count()", "<=", 0), CUDA, False),
    (Atom("torch.cuda.device_count()", "<", 1.5), CUDA, True),
    (Atom("hasattr(torch, 'hpu')"), CUDA, False),
    (Atom("hasattr(torch, 'xpu')"), CUDA, True),
    (Atom("hasattr(torch.library, 'triton_op')"), CUDA, True),
    (Atom("hasattr(torch.library, 'triton_op')"), Target("t", ("cpu",), torch="2.5.1"), False),
    (Atom("hasattr(torch.library, 'triton_op')"), Target("t", ("cpu",), torch="nightly"), None),
    (Atom("torch.version.cuda"), CUDA, True),
    (Atom("torch.version.cuda", "is", None), Target("t", ("cpu",)), True),
    (Atom("torch.version.cuda", "is", None), CUDA, False),
    (Atom("torch.version.cuda", "<", "12.4"), CUDA, False),
    (Atom("typing.TYPE_CHECKING"), CUDA, False),
    (Atom("sys.platform", "==", "linux"), CUDA, True),
    (Atom("sys.platform", "==", "win32"), CUDA, False),
    (Atom("sys.platform", "in", ("darwin", "win32")), CUDA, False),
    (Atom("sys.platform", "in", "linux2"), CUDA, True),
    (Atom("sys.version_info", "in", "3"), Target("t", (), assume={"sys.version_info": 3}), None),
    (Atom("sys.platform", "in", 3), CUDA, None),
    (Atom("sys.platform.startswith('darwin')"), Target("t", ("mps",)), True),
    (Atom("os.name", "==", "nt"), Target("t", (), platform="win32"), True),
    (Atom("platform.system()", "==", "Windows"), Target("t", (), platform="win32"), True),
    (Atom("sys.version_info", "<", (3, 11)), CUDA, False),
    (Atom("sys.version_info", "<=", (3, 12)), CUDA, False),
    (Atom("sys.version_info", "<", (3, 12, 0, "final")), CUDA, False),
    (Atom("sys.version_info[:2]", "==", (3, 12)), CUDA, True),
    (Atom("sys.version_info[:2]", "<", (3, 12)), CUDA, False),
    (Atom("sys.version_info[:2]", "<=", (3, 12)), CUDA, True),
    (Atom("sys.version_info[:2]", "in", (3, 12)), CUDA, None),
    (Atom("sys.version_info.minor", "<", 10), CUDA, False),
    (Atom("torch.__version__.major", "==", 2), CUDA, True),
    (Atom("torch.__version__", "<", "2.6"), CUDA, False),
    (Atom("torch.__version__", "<", "2.10"), Target("t", (), torch="2.9.1"), True),
    (Atom("torch.__version__", "<", "2.6"), Target("t", (), torch="2.6.0a0"), True),
    (Atom("torch.__version__", "<=", "2.6"), Target("t", (), torch="2.6.0+cu124"), False),
    (Atom("torch.__version__", "==", "2.6.0"), Target("t", (), torch="2.6"), True),
    (Atom("torch.__version__", "<", (2, 6)), Target("t", (), torch="2.6.0a0"), False),
    (Atom("torch.__version__", "<", "what"), CUDA, None),
    (Atom("torch.__version__", "<", 3), CUDA, None),
    (Atom("feature:gpu"), CUDA, True),
    (Atom("feature:other"), CUDA, False),
    (Atom("feature:other"), Target("t", (), all_features=True), True),
    (Atom("built:cuda"), CUDA, True),
    (Atom("built:xpu"), CUDA, False),
    (Atom("env:ANY"), CUDA, False),
    (Atom("installed:numpy"), CUDA, True),
    (Atom("installed:torch"), CUDA, True),
    (Atom("installed:torch"), Target("t", ("numpy",)), None),
    (Atom("installed:cupy"), CUDA, False),
    (Atom("installed:cupy"), Target("t", ("cupy",)), True),
    (Atom("installed:numba"), CUDA, True),
    (Atom("installed:numba"), Target("t", ("cpu",)), False),
    (Atom("installed:triton"), Target("t", ("cpu",)), None),
    (Atom("installed:anything"), CUDA, None),
    (Atom("pkg.HAS", settled=False), CUDA, False),
    (Atom("pkg.HAS"), CUDA, None),
    (Atom("unknown.minor", "==", 2), CUDA, None),
]


@pytest.mark.parametrize(
    ("atom", "target", "expected"), DERIVED, ids=[f"{a.render()}-{i}" for i, (a, _, _) in enumerate(DERIVED)]
)
def test_facts_follow_from_the_target(atom: Atom, target: Target, expected: bool | None) -> None:
    assert facts(target, ENVIRONMENT)(atom) is expected


ASSUMED: list[tuple[Atom, dict[str, Scalar], bool | None]] = [
    (Atom("torch.cuda.is_available()"), {"torch.cuda.is_available()": False}, False),
    (Atom("pkg.HAS", settled=False), {"pkg.HAS": True}, True),
    (Atom("installed:numpy"), {"installed:numpy": False}, False),
    (Atom("env:FAST"), {"env:FAST": True}, True),
    (Atom("os.environ['LEVEL']", "==", "3"), {"os.environ['LEVEL']": "3"}, True),
    (Atom("torch.__version__", "<", "2.6"), {"torch.__version__": "2.5"}, True),
    (Atom("torch.__version__[:2]", "<", (2, 6)), {"torch.__version__": "2.5"}, True),
    (Atom("torch.__version__.minor", "<", 6), {"torch.__version__.minor": 7}, False),
    (Atom("current.dispatch_key", "==", "CUDA"), {"current.dispatch_key": "XPU"}, False),
    (Atom("current.dispatch_key", "<", "CUDA"), {"current.dispatch_key": "XPU"}, None),
    (Atom("pkg.level", "is", True), {"pkg.level": 1}, False),
    (Atom("pkg.level", "in", frozenset({1})), {"pkg.level": 1}, True),
    (Atom("pkg.level", "==", 1.0), {"pkg.level": 1}, True),
]


@pytest.mark.parametrize(("atom", "assume", "expected"), ASSUMED, ids=[a.render() for a, _, _ in ASSUMED])
def test_what_is_assumed_wins(atom: Atom, assume: dict[str, Scalar], expected: bool | None) -> None:
    assert facts(Target("t", ("cpu",), assume=assume), ENVIRONMENT)(atom) is expected


def test_an_environment_that_says_nothing_leaves_the_rest_open() -> None:
    decide = facts(Target("t", ("cpu",)), Environment())

    assert decide(Atom("installed:cupy")) is None
    assert decide(Atom("sys.version_info[:2]", "==", (3, 13))) is True


def test_answers_are_remembered() -> None:
    decide = facts(CUDA, ENVIRONMENT)

    assert decide(Atom("built:cuda")) is decide(Atom("built:cuda")) is True


@pytest.mark.parametrize(("assumed", "expected"), [(True, (True, True)), (False, (True, False))])
def test_a_name_whose_value_hangs_on_facts_settles_them(assumed: bool, expected: tuple[bool, bool]) -> None:
    space = Conditions()
    condition = space.atom("installed:einops") & space.atom("installed:other")
    decide = facts(
        Target("t", ("cpu",), assume={"pkg.HAS": assumed}),
        ENVIRONMENT,
        {"pkg.HAS": [(condition, True), (~condition, False)]},
    )

    assert (decide(Atom("installed:einops")), decide(Atom("installed:other"))) == expected


def test_a_name_assumed_against_the_facts_wins_over_them() -> None:
    space = Conditions()
    numpy = space.atom("installed:numpy")
    named: Named = {"pkg.MODE": [(numpy, "fast"), (~numpy, "slow")], "pkg.OTHER": [(numpy, 1)]}
    decide = facts(Target("t", ("cpu",), assume={"pkg.MODE": "slow"}), ENVIRONMENT, named)

    assert decide(Atom("installed:numpy")) is False


def test_a_name_assumed_to_be_what_it_never_is_settles_nothing() -> None:
    space = Conditions()
    numpy = space.atom("installed:numpy")
    decide = facts(Target("t", ("cpu",), assume={"pkg.MODE": "none"}), ENVIRONMENT, {"pkg.MODE": [(numpy, "fast")]})

    assert decide(Atom("installed:numpy")) is True
