"""The target options of a command line."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opcheck.cli.asked import Asked, assumption
from opcheck.config import ConfigError
from opcheck_rules.model.target import Scalar


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("torch.cuda.is_available()=false", ("torch.cuda.is_available()", False)),
        ('torch.__version__="2.13"', ("torch.__version__", "2.13")),
        ("lanes = 4", ("lanes", 4)),
        ("ratio=1.5", ("ratio", 1.5)),
        ('torch.__version__ >= "2.1" = true', ('torch.__version__ >= "2.1"', True)),
        ("a==b=true", ("a==b", True)),
        ("a!=3=false", ("a!=3", False)),
        ('f("x=1", y=2)=3', ('f("x=1", y=2)', 3)),
        ('mode="a=b"', ("mode", "a=b")),
        ("mode='='", ("mode", "=")),
    ],
)
def test_an_assumption_is_parted_at_the_sign_that_makes_sense(text: str, expected: tuple[str, Scalar]) -> None:
    assert assumption(text) == expected


@pytest.mark.parametrize(
    "text", ["", "x", "x=", "=true", "x=cuda", "a==true", "x=[1]", "x=1979-05-27", "x=1\ny=2", "x=" + "[" * 9999]
)
def test_what_assumes_nothing_is_an_error_that_says_how(text: str) -> None:
    with pytest.raises(ConfigError, match="assumes nothing") as caught:
        assumption(text)

    assert "as in TOML" in (caught.value.help or "")


@settings(deadline=None)
@given(st.text("ab=\"'<! \n1", max_size=12))
def test_no_text_is_too_odd_to_be_judged(text: str) -> None:
    try:
        expression, _ = assumption(text)
    except ConfigError:
        return
    assert text.strip().startswith(expression)


def _asked(**given: object) -> Asked:
    nothing: dict[str, object] = {"target": (), "backend": (), "feature": (), "assume": {}}
    flags = dict.fromkeys(("autodiff", "compile", "vmap"), False)
    return Asked(**(nothing | flags | given))  # type: ignore[arg-type]


def test_options_describe_one_target() -> None:
    target = _asked(backend=("cuda", "cpu"), compile=True, vmap=True, assume={"x": 1}).ad_hoc()

    assert target is not None
    assert (target.name, target.backends, target.assume) == ("cli", ("cuda", "cpu"), {"x": 1})
    assert target.contexts == ("forward", "compile", "vmap")


def test_without_a_backend_there_is_no_such_target() -> None:
    assert _asked(target=("serve",)).ad_hoc() is None


@pytest.mark.parametrize("given", [{"autodiff": True}, {"feature": ("gpu",)}, {"assume": {"x": 1}}])
def test_what_refines_a_target_needs_one(given: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match=f"--{next(iter(given))} needs --backend"):
        _asked(**given).ad_hoc()


def test_picking_and_making_a_target_exclude_each_other() -> None:
    with pytest.raises(ConfigError, match="--target and --backend exclude each other"):
        _asked(target=("serve",), backend=("cuda",)).ad_hoc()
