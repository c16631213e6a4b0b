"""What a target assumes of the project's own names."""

from __future__ import annotations

import pytest
from tests.symbolic.conftest import Run

from opcheck.reading import Environment
from opcheck.symbolic.facts import facts
from opcheck.symbolic.named import guarded_names
from opcheck_rules.model.target import Scalar, Target

SOURCE = """
try:
    import fast
    HAS_FAST = True
except ImportError:
    HAS_FAST = False
MODE = "slow" if not HAS_FAST else "fast"
class Config:
    level = 1 if u.a else 2
class Platform:
    def __init__(self):
        self.key = "CUDA" if u.cuda else "CPU"
        self.other = u.b if u.cuda else 3
current = Platform()
plain = 1
if HAS_FAST: probe("flag")
if MODE == "fast": probe("mode")
if Config.level == 1: probe("level")
if current.key == "CUDA": probe("key")
"""


@pytest.mark.parametrize(
    ("name", "value", "probe", "expected"),
    [
        ("m.HAS_FAST", True, "flag", "always"),
        ("m.HAS_FAST", False, "flag", "never"),
        ("m.HAS_FAST", True, "mode", "always"),
        ("m.MODE", "slow", "flag", "never"),
        ("m.MODE", "no such mode", "mode", "installed:fast"),
        ("m.Config.level", 1, "level", "always"),
        ("m.current.key", "CPU", "key", "never"),
        ("m.plain", 2, "key", "u.cuda"),
    ],
)
def test_assuming_a_name_settles_what_it_hangs_on(
    run: Run, name: str, value: Scalar, probe: str, expected: str
) -> None:
    found = run(SOURCE)
    decide = facts(Target("t", ("cpu",), assume={name: value}), Environment(), guarded_names(found.machine))
    conditions = [r.condition.under(decide).render() for r in found.reached(probe)]

    assert conditions == [expected]


def test_only_what_hangs_on_facts_is_named(run: Run) -> None:
    named = guarded_names(run(SOURCE).machine)

    assert set(named) == {"m.HAS_FAST", "m.MODE", "m.Config.level", "m.current.key", "m.current.other"}
    assert [value for _, value in named["m.current.other"]] == [3]
