"""This machine as a target."""

from __future__ import annotations

import pytest

from opcheck.confirm.here import Machine
from opcheck.symbolic.derived import NEWEST_TORCH
from opcheck_rules.model.atom import Atom

VERSION = "sys.version_info[:2]"


@pytest.mark.parametrize(
    ("atom", "holds"),
    [
        (Atom("pkg.FAST"), True),
        (Atom("pkg.MODE", "==", "fast"), False),
        (Atom(VERSION, "==", (3, 12)), True),
        (Atom(VERSION, "<", (3, 12)), False),
        (Atom(VERSION, "<=", (3, 12, 1)), True),
    ],
)
def test_what_was_asked_is_as_it_is_here(atom: Atom, holds: bool) -> None:
    here = Machine({"pkg.FAST": 1, "pkg.MODE": "slow", VERSION: (3, 12)}).decide(lambda _: not holds)

    assert here(atom) is holds


@pytest.mark.parametrize("atom", [Atom("pkg.OTHER"), Atom(VERSION, "in", ((3, 12),)), Atom(VERSION, "==", "3.12")])
def test_what_cannot_be_told_is_as_it_is_there(atom: Atom) -> None:
    machine = Machine({VERSION: (3, 12)})

    assert machine.decide(lambda _: True)(atom) is True
    assert machine.decide(lambda _: None)(atom) is None


@pytest.mark.parametrize(
    ("here", "said"),
    [
        ({"torch.__version__": "2.11.0+cu130"}, "torch is 2.11.0+cu130 here, and what is predicted are the words of"),
        ({"torch.__version__": f"{NEWEST_TORCH}.4"}, None),
        ({"torch.__version__": "a build of mine"}, None),
        ({}, None),
    ],
)
def test_another_torch_has_words_of_its_own(here: dict[str, str], said: str | None) -> None:
    found = Machine(here).other_torch()

    assert found is None if said is None else (found or "").startswith(said)
