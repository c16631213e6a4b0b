"""Functions that stand for there being none: what they say, and which are none."""

from __future__ import annotations

import pytest

from .backend_classes import BASE, BY_NAME, NUMPY
from .conftest import Describes, row

SAID = {
    "nothing": ("raise NotImplementedError", "NotImplementedError", ""),
    "a text": ("raise TypeError('no')", "TypeError", "no"),
    "a text that is made": ("raise TypeError('no ' + self.name + ' yet')", "TypeError", "no cupy yet"),
    "as much as is known": ("raise TypeError('no ' + x)", "TypeError", "no "),
    "an f-string": ("raise TypeError(f'{self.name} has {x} not')", "TypeError", "cupy has "),
    "a format": ("raise TypeError('{} has {} not'.format(x, 1))", "TypeError", ""),
    "a format with a beginning": ("raise TypeError('not {}'.format(x))", "TypeError", "not "),
    "a percent sign": ("raise TypeError('not %s' % x)", "TypeError", "not "),
    "something else": ("raise TypeError(x)", "TypeError", ""),
    "several arguments": ("raise TypeError('no', x)", "TypeError", ""),
    "a class of the project": ("raise Missing('no')", "Missing", "no"),
    "a class that words it itself": ("raise Worded('no')", "Worded", ""),
    "an object": ("raise ERROR", "Missing", ""),
    "another package's": ("import vendor\n        raise vendor.errors.Missing('no')", "Missing", "no"),
    "what is bound before": ("text = 'no'\n        raise TypeError(text)", "TypeError", "no"),
    "before dead code": ("raise TypeError('no')\n        return x", "TypeError", "no"),
    "after what it defines": ("def inner():\n            return 1\n        raise TypeError('no')", "TypeError", "no"),
    "by a helper after an import": ("import os\n        fail(TypeError)", "TypeError", ""),
    "either way": (
        "if x:\n            raise TypeError('no')\n        else:\n            raise KeyError",
        "TypeError",
        "no",
    ),
    "in a context": ("with open(x):\n            raise TypeError('no')", "TypeError", "no"),
    "by a helper": ("fail(TypeError, 'no')", "TypeError", ""),
    "by what was chosen": ("chosen = fail\n        chosen(TypeError)", "TypeError", ""),
}
ERRORS = """
class Missing(Exception): pass
class Worded(Exception):
    def __init__(self, text): super().__init__(f"<{text}>")
ERROR = Missing()
def fail(error, *words): raise error
"""


@pytest.mark.parametrize("form", SAID)
def test_what_a_stub_says(described: Describes, form: str) -> None:
    body, kind, message = SAID[form]
    cupy = f"class CupyBackend(Backend):\n    name = 'cupy'\n    def sum(self, x):\n        {body}\n"
    found = described(BY_NAME, ERRORS + BASE + NUMPY + cupy)
    (outcome,) = found.op("sum").cells["cupy", "forward"].outcomes
    assert outcome.status == "hole"
    assert outcome.error is not None
    assert (outcome.error.type, outcome.error.message) == (kind, message)


def test_a_private_method_that_only_raises_is_what_it_says(described: Describes) -> None:
    cupy = (
        "class CupyBackend(Backend):\n    def _missing(self, name): raise TypeError(name)\n"
        "    def sum(self, x): return self._missing('sum')\n"
    )
    (outcome,) = described(BY_NAME, BASE + NUMPY + cupy).op("sum").cells["cupy", "forward"].outcomes
    assert outcome.error is not None
    assert (outcome.status, outcome.error.message) == ("hole", "sum")


COVERED = {
    "a return before": "if x:\n            return 1\n        raise TypeError",
    "a return in a branch": "if x:\n            raise TypeError\n        return 1",
    "a branch that goes on": "if x:\n            raise TypeError\n        else:\n            pass",
    "a loop": "for each in x:\n            raise TypeError",
    "a yield": "yield x\n        raise TypeError",
    "a function inside that returns": "def inner():\n            return 1\n        return inner",
    "a method of its own that only raises": "return self.missing(x)",
    "a call among others": "if x:\n            fail(TypeError)\n        return fail(x)",
    "calls without end": "return first(x)",
    "raising again": "raise",
}
CALLS = """
def fail(error): raise error
def first(x): return second(x)
def second(x): return third(x)
def third(x): return fourth(x)
def fourth(x): return fail(x)
"""


@pytest.mark.parametrize("form", COVERED)
def test_what_is_no_stub(described: Describes, form: str) -> None:
    cupy = (
        "class CupyBackend(Backend):\n    def missing(self, x):\n        raise TypeError\n"
        f"    def sum(self, x):\n        {COVERED[form]}\n"
    )
    assert row(described(BY_NAME, CALLS + BASE + NUMPY + cupy), "sum") == "covered covered"


def test_declared_stubs_need_not_raise(described: Describes) -> None:
    declared = 'stubs = ["lib.later", "vendor.missing", "vendor.no", "lib.Placeholder"]\n'
    source = (
        "import vendor\ndef later(x): return None\nclass Placeholder: pass\n"
        "class CupyBackend(Backend):\n    sum = {0}\n"
    )
    for value in ("later", "vendor.missing", "vendor.no('sum')", "Placeholder"):
        found = described(BY_NAME + declared, BASE + NUMPY + source.format(value))
        assert row(found, "sum") == "covered hole", value
