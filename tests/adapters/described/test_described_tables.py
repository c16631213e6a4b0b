"""Dictionaries that are tables of ops: which op, which backend, which function."""

from __future__ import annotations

import pytest

from .conftest import Describes, row

TABLE = 'shape = "registration"\ntable = "lib.REG"\nbackends = ["cpu", "cuda"]\n'
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
    "a row that a call makes": ("REG = {'a': dict(cuda=f)}", "hole covered"),
    "ops and devices that are texts": (
        "import enum\nclass Ops(str, enum.Enum):\n    A = 'a'\nREG = {(Ops.A, 'cuda'): f}",
        "hole covered",
    ),
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
    found = described(TABLE, "def f(x): return x\n" + source)
    assert row(found, "a") == statuses, [found.reason("a", b) for b in ("cpu", "cuda")]


def test_dictionaries_that_are_for_one_backend(described: Describes) -> None:
    table = 'shape = "registration"\ntable = "lib.REG"\ndefault = "cuda"\nbackends = ["cpu", "cuda"]\n'
    assert row(described(table, "def f(x): return x\nREG = {'a': f}"), "a") == "hole covered"


def test_dictionaries_that_are_not_as_deep_as_described(described: Describes) -> None:
    found = described(TABLE, "import vendor\nREG = {('a', 'cpu'): abs, 'a': vendor.table(), 'b': vendor.table()}")
    assert (row(found, "a"), row(found, "b")) == ("covered unknown", "unknown unknown")


def test_dictionaries_by_backend_first(described: Describes) -> None:
    table = 'shape = "registration"\ntable = "lib.REG"\nop = 1\nbackend = 0\nbackends = ["cpu", "cuda"]\n'
    found = described(table, "import vendor\nREG = {'cuda': {'a': abs}, 'cpu': vendor.table()}")
    assert row(found, "a") == "hole covered"


def test_a_table_that_classes_enter_as_they_are_made(described: Describes) -> None:
    source = (
        "class Kernel:\n    registry = {}\n    def __init_subclass__(cls, op=None, device='cpu', **rest):\n"
        "        super().__init_subclass__(**rest)\n        Kernel.registry[op, device] = cls\n"
        "class AddCpu(Kernel, op='a'): pass\nclass AddCuda(Kernel, op='a', device='cuda'): pass\n"
        "class Sub(AddCpu, op='b', device='cuda', metaclass=type): pass\n"
    )
    table = 'shape = "registration"\ntable = "lib.Kernel.registry"\nbackends = ["cpu", "cuda"]\n'
    found = described(table, source)
    assert (row(found, "a"), row(found, "b")) == ("covered covered", "hole covered")
