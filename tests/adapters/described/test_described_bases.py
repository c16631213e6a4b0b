"""Where methods come from, which bases and guards have a say, and what a class is called."""

from __future__ import annotations

import pytest

from .backend_classes import BASE, BY_NAME, NUMPY
from .conftest import Describes, row

OUTSIDE = {
    "listed": ('["sum"]', "covered"),
    "not listed": ('["prod"]', "hole"),
    "listed as a stub": ('{ methods = ["prod"], stubs = ["sum"] }', "hole"),
}


@pytest.mark.parametrize("form", OUTSIDE)
def test_methods_of_what_is_not_read(described: Describes, form: str) -> None:
    listed, status = OUTSIDE[form]
    cupy = "from vendor import Cupy\nclass CupyBackend(Cupy, Backend): pass\n"
    found = described(f'{BY_NAME}outside = {{ "vendor.Cupy" = {listed} }}\n', BASE + NUMPY + cupy)
    assert row(found, "sum") == f"covered {status}"


def test_a_stub_of_what_is_not_read_hides_what_comes_after_it(described: Describes) -> None:
    cupy = "from vendor import Cupy\nclass CupyBackend(Cupy, NumpyBackend): pass\n"
    listed = '{ stubs = ["sum"] }'
    error = 'error = { type = "KeyError", message = "{backend}" }\n'
    found = described(f'{BY_NAME}{error}outside = {{ "vendor.Cupy" = {listed} }}\n', BASE + NUMPY + cupy)
    (outcome,) = found.op("sum").cells["cupy", "forward"].outcomes
    assert outcome.error is not None
    assert (outcome.status, outcome.error.message) == ("hole", "cupy")


def test_methods_that_are_given_out_by_name(described: Describes) -> None:
    base = "class Backend:\n    pass\n"
    numpy = "class NumpyBackend(Backend):\n    def sum(self, x): return x\n"
    cupy = "class CupyBackend(Backend):\n    def __getattr__(self, name): return name\n"
    assert row(described(BY_NAME + 'methods = "union"\n', base + numpy + cupy), "sum") == "covered unknown"


def test_abstract_methods_are_holes_whatever_their_body(described: Describes) -> None:
    base = "import abc\nclass Backend(abc.ABC):\n    @abc.abstractmethod\n    def sum(self, x):\n        return 0\n"
    found = described(BY_NAME, base + NUMPY + "class CupyBackend(Backend): pass\n")
    (outcome,) = found.op("sum").cells["cupy", "forward"].outcomes
    assert outcome.error is not None
    assert outcome.error.message == "Can't instantiate abstract class CupyBackend with"


BASES = {
    "guarded bases, both read": (
        "try:\n    import vendor\n    Extra = Full\nexcept ImportError:\n    Extra = Empty\n",
        "conditional",
    ),
    "no order": ("class A(Empty): pass\nclass Extra(A, Empty, Full): pass\n", "covered"),
    "an order that no class can have": (
        "class A(Empty, Full): pass\nclass B(Full, Empty): pass\nclass Extra(A, B): pass\n",
        "covered",
    ),
    "a base that is computed": ("import vendor\nExtra = vendor.make()\n", "unknown"),
}


@pytest.mark.parametrize("form", BASES)
def test_bases_of_all_kinds(described: Describes, form: str) -> None:
    source, status = BASES[form]
    mixins = "class Empty: pass\nclass Full:\n    def sum(self, x): return x\n"
    found = described(BY_NAME, BASE + NUMPY + mixins + source + "class CupyBackend(Extra, Backend): pass\n")
    assert row(found, "sum") == f"covered {status}"


CALLED = {
    "a map": ('{ Cp = "cupy", NumpyBackend = "numpy" }', "class Cp(Backend):\n    def sum(self, x): return x\n"),
    "a map by path": (
        '{ "lib.Cp" = "cupy", NumpyBackend = "numpy" }',
        "class Cp(Backend):\n    def sum(self, x): return x\n",
    ),
    "its own name": (
        '"__name__"',
        "class Cupy(Backend):\n    def sum(self, x): return x\nclass numpy(NumpyBackend): pass\n",
    ),
    "a class keyword": (
        '"kind"',
        "class Cupy(Backend, kind='cupy'):\n    def sum(self, x): return x\n"
        "class Np(NumpyBackend, kind='numpy'): pass\n",
    ),
    "a name in other letters": (
        '"kind"',
        "class Cupy(Backend):\n    kind = 'CuPy'\n    def sum(self, x): return x\n"
        "class Np(NumpyBackend):\n    kind = 'NumPy'\n",
    ),
    "a class method": (
        '"kind"',
        "class Cupy(Backend):\n    @classmethod\n    def kind(cls): return 'cupy'\n    def sum(self, x): return x\n"
        "class Np(NumpyBackend):\n    @staticmethod\n    def kind(): return 'numpy'\n",
    ),
}


@pytest.mark.parametrize("form", CALLED)
def test_what_classes_are_called(described: Describes, form: str) -> None:
    backend, source = CALLED[form]
    told = f'shape = "classes"\nbase = "lib.Backend"\nbackend = {backend}\nbackends = ["numpy", "cupy"]\n'
    assert row(described(told, BASE + NUMPY + source), "sum") == "covered covered"


def test_classes_of_no_known_backend_are_none(described: Describes) -> None:
    told = 'shape = "classes"\nbase = "lib.Backend"\nbackend = "kind"\nbackends = ["numpy", "cupy"]\n'
    source = "class Other(Backend):\n    kind = 'torch'\nclass Np(NumpyBackend):\n    kind = 'numpy'\n"
    assert row(described(told, BASE + NUMPY + source), "sum") == "covered hole"


def test_bases_that_are_backends_themselves(described: Describes) -> None:
    told = 'shape = "classes"\nbase = ["lib.Np", "lib.Cp"]\nbackend = { Np = "numpy", Cp = "cupy" }\n'
    source = (
        "class Np:\n    def sum(self): return 1\n    def prod(self): return 1\nclass Cp:\n    def sum(self): return 1\n"
    )
    found = described(told, source)
    assert (row(found, "sum"), row(found, "prod")) == ("covered covered", "covered hole")


def test_methods_that_are_put_on_classes(described: Describes) -> None:
    source = (
        "import numpy as np\nclass Backend:\n    @classmethod\n    def put(cls, n, value): setattr(cls, n, value)\n"
        "class NumpyBackend(Backend): pass\nclass CupyBackend(Backend): pass\n"
        "for name in ('exp', 'log'):\n    NumpyBackend.put(name, getattr(np, name))\nCupyBackend.put('exp', abs)\n"
    )
    found = described(BY_NAME + 'methods = "union"\n', source)
    assert (row(found, "exp"), row(found, "log")) == ("covered covered", "covered hole")


GUARDS = {
    "bases that exclude each other": (
        "import os\nif os.name == 'nt':\n    A, B = Empty, Full\nelse:\n    A, B = Full, Empty\n"
        "class CupyBackend(A, B, Backend): pass\n",
        "covered",
    ),
    "a method under the guard that the class is not": (
        "import os\nclass Half(Backend):\n    if os.name == 'nt':\n        def sum(self, x): return x\n"
        "if os.name != 'nt':\n    class CupyBackend(Half): pass\n",
        "hole",
    ),
    "a class in a function": (
        "def make():\n    class CupyBackend(Backend): pass\n    return CupyBackend\nmake()\n",
        "hole",
    ),
}


@pytest.mark.parametrize("form", GUARDS)
def test_guards_of_bases_and_methods(described: Describes, form: str) -> None:
    source, status = GUARDS[form]
    mixins = "class Empty: pass\nclass Full:\n    def sum(self, x): return x\n"
    assert row(described(BY_NAME, BASE + NUMPY + mixins + source), "sum") == f"covered {status}"


def test_a_name_that_takes_too_much_to_find_is_not_known(described: Describes) -> None:
    chain = "".join(f"def f{i}(): return f{i + 1}()\n" for i in range(40)) + "def f40(): return 'cupy'\n"
    told = 'shape = "classes"\nbase = "lib.Backend"\nbackend = "kind"\nbackends = ["numpy", "cupy"]\n'
    source = "class Np(NumpyBackend):\n    kind = 'numpy'\nclass Cp(Backend):\n    def kind(self): return f0()\n"
    assert row(described(told, BASE + NUMPY + chain + source), "sum") == "covered unknown"


def test_more_guarded_bases_than_can_be_told_apart_are_not_known(described: Describes) -> None:
    guard = "try:\n    import v{0}\n    M{0} = Empty\nexcept ImportError:\n    M{0} = Other\n"
    guards, names = "".join(map(guard.format, range(8))), ", ".join(f"M{i}" for i in range(8))
    source = f"class Empty: pass\nclass Other: pass\n{guards}class CupyBackend({names}, Backend): pass\n"
    assert row(described(BY_NAME, BASE + NUMPY + source), "sum") == "covered unknown"


def test_diamonds_upon_diamonds_are_looked_through_once(described: Describes) -> None:
    storey = "class D{1}(L{0}, R{0}): pass\nclass L{1}(D{1}): pass\nclass R{1}(D{1}): pass\n"
    tower = "".join(storey.format(i, i + 1) for i in range(30))
    ground = "class L0(Backend): pass\nclass R0(Backend): pass\n"
    source = f"{ground}{tower}class CupyBackend(L30, R30): pass\n"
    assert row(described(BY_NAME, BASE + NUMPY + source), "sum") == "covered hole"


def test_classes_that_are_made_by_a_call(described: Describes) -> None:
    made = "import vendor\nCupy = type('CupyBackend', (Backend,), {'sum': lambda self, x: x})\n"
    source = f"{made}other = type('Other', vendor.bases(), {{}})\n"
    assert row(described(BY_NAME, BASE + NUMPY + source), "sum") == "covered covered"
