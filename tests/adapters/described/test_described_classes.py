"""A class for each backend: which class is for which, which methods are ops, and where each is found."""

from __future__ import annotations

import pytest

from .conftest import Describes, row

DESCRIBED = """
shape = "classes"
base = "lib.Backend"
backend = "name"
backends = ["numpy", "cupy"]
"""
BASE = """
class Backend:
    name = None
    def sum(self, x):
        raise NotImplementedError(f"{self.name} has no sum")
    def twice(self, x):
        return 2 * x
"""
NUMPY = """
class NumpyBackend(Backend):
    name = "numpy"
    def sum(self, x):
        return x.sum()
"""
CUPY = {
    "an inherited stub": ("class CupyBackend(Backend):\n    name = 'cupy'", "hole"),
    "a method": ("class CupyBackend(Backend):\n    name = 'cupy'\n    def sum(self, x): return x", "covered"),
    "a method from a mixin": (
        "class Sums:\n    def sum(self, x): return x\nclass CupyBackend(Sums, Backend):\n    name = 'cupy'",
        "covered",
    ),
    "a mixin that comes too late": (
        "class Sums:\n    def sum(self, x): return x\nclass CupyBackend(Backend, Sums):\n    name = 'cupy'",
        "hole",
    ),
    "a diamond": (
        "class Left(Backend):\n    pass\nclass Right(Backend):\n    def sum(self, x): return x\n"
        "class CupyBackend(Left, Right):\n    name = 'cupy'",
        "covered",
    ),
    "a stub of its own": (
        "class CupyBackend(NumpyBackend):\n    name = 'cupy'\n    def sum(self, x): raise TypeError('no')",
        "hole",
    ),
    "another backend's class": ("class CupyBackend(NumpyBackend):\n    name = 'cupy'", "covered"),
    "set to None": ("class CupyBackend(NumpyBackend):\n    name = 'cupy'\n    sum = None", "hole"),
    "set from outside": (
        "class CupyBackend(Backend):\n    name = 'cupy'\nCupyBackend.sum = lambda self, x: x",
        "covered",
    ),
    "set by a loop": (
        "class CupyBackend(Backend):\n    name = 'cupy'\nfor n in ('sum',):\n"
        "    setattr(CupyBackend, n, lambda self, x: x)",
        "covered",
    ),
    "an alias": (
        "class CupyBackend(Backend):\n    name = 'cupy'\n    def total(self, x): return x\n    sum = total",
        "covered",
    ),
    "something of another package": (
        "import cupy\nclass CupyBackend(Backend):\n    name='cupy'\n    sum = cupy.sum",
        "covered",
    ),
    "a base that is not read": (
        "from vendor import Base\nclass CupyBackend(Base, Backend):\n    name = 'cupy'",
        "unknown",
    ),
    "no class": ("", "hole"),
    "the name set in __init__": (
        "class CupyBackend(Backend):\n    def __init__(self):\n        super().__init__()\n        self.name = 'cupy'\n"
        "    def sum(self, x): return x",
        "covered",
    ),
    "the name set over that of a parent": (
        "class CupyBackend(NumpyBackend):\n    def __init__(self):\n        self.name = 'cupy'",
        "covered",
    ),
    "the name set where an import succeeds": (
        "class CupyBackend(Backend):\n    def __init__(self):\n        try:\n            import cupy\n"
        "        except ImportError:\n            raise ImportError('no cupy')\n        self.name = 'cupy'\n"
        "    def sum(self, x): return x",
        "covered",
    ),
    "the name handed to the base": (
        "class Named(Backend):\n    def __init__(self, name):\n        self.name = name\n"
        "class CupyBackend(Named):\n    def __init__(self):\n        super().__init__('cupy')\n"
        "    def sum(self, x): return x",
        "covered",
    ),
    "the name as a property": (
        "class CupyBackend(Backend):\n    @property\n    def name(self): return 'cupy'\n    def sum(self, x): return x",
        "covered",
    ),
    "the name as a method": (
        "class CupyBackend(Backend):\n    def name(self): return 'cupy'\n    def sum(self, x): return x",
        "covered",
    ),
    "the name of an enumeration": (
        "import enum\nclass Kind(enum.Enum):\n    CUPY = 1\n"
        "class CupyBackend(Backend):\n    name = Kind.CUPY\n    def sum(self, x): return x",
        "covered",
    ),
    "a name that is not read": (
        "import vendor\nclass CupyBackend(Backend):\n    name = vendor.choose()\n    def sum(self, x): return x",
        "unknown",
    ),
    "several classes of which one lacks it": (
        "class CupyBackend(Backend):\n    name = 'cupy'\n    def sum(self, x): return x\n"
        "class OtherCupy(Backend):\n    name = 'cupy'",
        "hole",
    ),
    "a class derived on": (
        "class CupyBackend(Backend):\n    name = 'cupy'\nclass Better(CupyBackend):\n    def sum(self, x): return x",
        "covered",
    ),
    "a class behind a guard": (
        "import os\nif os.name == 'nt':\n    class CupyBackend(Backend):\n        name='cupy'\n"
        "        def sum(self, x): return x",
        "hole",
    ),
    "what hands attributes out": (
        "class CupyBackend:\n    pass\nclass Dynamic(Backend):\n    name = 'cupy'\n"
        "    def sum(self, x): return helper(x)",
        "covered",
    ),
    "a base chosen by a guard": (
        "try:\n    from vendor.old import Base\nexcept ImportError:\n    from vendor.new import Base\n"
        "class CupyBackend(Base, Backend):\n    name = 'cupy'",
        "unknown",
    ),
}


@pytest.mark.parametrize("form", CUPY)
def test_where_a_method_is_found(described: Describes, form: str) -> None:
    source, status = CUPY[form]
    found = described(DESCRIBED, BASE + NUMPY + source)
    assert row(found, "sum") == f"covered {status}", found.reason("sum", "cupy")
    assert found.names == ["sum", "twice"]


def test_a_stub_is_quoted_with_the_object_it_is_called_on(described: Describes) -> None:
    found = described(DESCRIBED, BASE + NUMPY + CUPY["an inherited stub"][0])
    (outcome,) = found.op("sum").cells["cupy", "forward"].outcomes
    assert outcome.error is not None
    assert (outcome.error.type, outcome.error.message) == ("NotImplementedError", "cupy has no sum")
    assert outcome.stub is not None
    assert outcome.stub.span.line == 5
