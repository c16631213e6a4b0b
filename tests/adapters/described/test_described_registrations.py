"""Calls, decorators and dictionaries that register: which op, which backend, which function."""

from __future__ import annotations

import pytest

from .conftest import Describes, row

HEAD = """
REG = {}
def register(op, device="cpu", fn=None):
    def decorate(f):
        REG[(op, device)] = f
        return f
    return decorate if fn is None else decorate(fn)
def f(x): return x
"""
CALLS = """
shape = "registration"
callable = "lib.register"
op = 0
backend = 1
function = 2
backends = ["cpu", "cuda"]
"""
FORMS = {
    "a decorator": ("@register('a', 'cuda')\ndef g(x): return x", "hole covered"),
    "its default": ("@register('a')\ndef g(x): return x", "covered hole"),
    "by keywords": ("@register(device='cuda', op='a')\ndef g(x): return x", "hole covered"),
    "a call": ("register('a', 'cuda', f)", "hole covered"),
    "a call with the function by keyword": ("register('a', fn=f)", "covered hole"),
    "what a decorator gives, called": ("register('a', 'cuda')(f)", "hole covered"),
    "stacked": ("@register('a', 'cuda')\n@register('a', 'cpu')\ndef g(x): return x", "covered covered"),
    "a loop": ("for d in ('cpu', 'cuda'):\n    register('a', d, f)", "covered covered"),
    "a loop over pairs": ("for op, d in {'a': 'cuda'}.items():\n    register(op, d)(f)", "hole covered"),
    "a helper": (
        "def both(op):\n    for d in ('cpu', 'cuda'):\n        register(op, d, f)\nboth('a')",
        "covered covered",
    ),
    "another name": ("put = register\nput('a', 'cuda', f)", "hole covered"),
    "a partial": (
        "from functools import partial\non_cuda = partial(register, device='cuda')\n@on_cuda('a')\ndef g(x): return x",
        "hole covered",
    ),
    "a stub": ("register('a', 'cpu', f)\n@register('a', 'cuda')\ndef g(x): raise TypeError('later')", "covered hole"),
    "a lambda that only raises": (
        "def no(x): raise NotImplementedError('no')\nregister('a', 'cpu', f)\nregister('a', 'cuda', lambda x: no(x))",
        "covered hole",
    ),
    "a stub that is replaced": (
        "@register('a', 'cuda')\ndef g(x): raise NotImplementedError('later')\nregister('a', 'cuda', f)",
        "hole covered",
    ),
    "several backends at once": ("register('a', ['cpu', 'cuda'], f)", "covered covered"),
    "several ops at once": ("register(('a', 'b'), 'cuda', f)", "hole covered"),
    "a backend that is not read": ("import vendor\nregister('a', vendor.device(), f)", "unknown unknown"),
    "an op that is not read": (
        "import vendor\nregister('a', 'cpu', f)\nregister(vendor.name(), 'cuda', f)",
        "covered unknown",
    ),
    "behind a guard": (
        "import os\nregister('a', 'cpu', f)\nif os.name == 'nt':\n    register('a', 'cuda', f)",
        "covered hole",
    ),
    "in a function that nothing calls": ("def setup():\n    register('a', 'cuda', f)", "hole covered"),
    "an enumeration": (
        "import enum\nclass Device(str, enum.Enum):\n    CUDA = 'cuda'\nregister('a', Device.CUDA, f)",
        "hole covered",
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_calls(described: Describes, form: str) -> None:
    source, statuses = FORMS[form]
    found = described(CALLS, HEAD + source)
    assert row(found, "a") == statuses, [found.reason("a", b) for b in ("cpu", "cuda")]


@pytest.mark.parametrize("form", [form for form in FORMS if "several" not in form])
def test_the_dictionary_behind_says_the_same(described: Describes, form: str) -> None:
    source, statuses = FORMS[form]
    table = 'shape = "registration"\ntable = "lib.REG"\nbackends = ["cpu", "cuda"]\n'
    found = described(table, HEAD + source)
    assert row(found, "a") == statuses, [found.reason("a", b) for b in ("cpu", "cuda")]


ITEMS = {
    "a pair": ("REG = {}\nREG['a', 'cuda'] = f", "hole covered"),
    "nested": ("REG = {'a': {}}\nREG['a']['cuda'] = f", "hole covered"),
    "made with pairs": ("REG = {('a', 'cuda'): f, ('a', 'cpu'): None}", "hole covered"),
    "made nested": ("REG = {'a': {'cuda': f}}", "hole covered"),
    "setdefault": (
        "REG = {}\nREG.setdefault('a', {})['cuda'] = f\nREG.setdefault('a', {})['cpu'] = f",
        "covered covered",
    ),
    "a default dictionary": (
        "from collections import defaultdict\nREG = defaultdict(dict)\nREG['a']['cuda'] = f\nREG['a']['cpu'] = f",
        "covered covered",
    ),
    "update": ("REG = {}\nREG.update({('a', 'cuda'): f})", "hole covered"),
    "spread": ("OLD = {('a', 'cpu'): f}\nREG = {**OLD, ('a', 'cuda'): f}", "covered covered"),
    "a comprehension": ("REG = {('a', d): f for d in ('cpu', 'cuda')}", "covered covered"),
    "joined": ("REG = {('a', 'cpu'): f} | {('a', 'cuda'): f}", "covered covered"),
    "deleted": ("REG = {('a', 'cpu'): f, ('a', 'cuda'): f}\ndel REG['a', 'cuda']", "covered hole"),
    "dict of pairs": ("REG = dict([(('a', 'cuda'), f)])", "hole covered"),
    "a key that is not read": (
        "import vendor\nREG = {('a', 'cpu'): f}\nREG['a', vendor.device()] = f",
        "covered unknown",
    ),
    "under a guard, each its own": (
        "import os\nREG = {}\nif os.name == 'nt':\n    REG.setdefault('a', {})['cpu'] = f\n"
        "else:\n    REG.setdefault('a', {})['cuda'] = f",
        "hole covered",
    ),
}


@pytest.mark.parametrize("form", ITEMS)
def test_dictionaries(described: Describes, form: str) -> None:
    source, statuses = ITEMS[form]
    table = 'shape = "registration"\ntable = "lib.REG"\nbackends = ["cpu", "cuda"]\n'
    found = described(table, "def f(x): return x\n" + source)
    assert row(found, "a") == statuses, [found.reason("a", b) for b in ("cpu", "cuda")]
