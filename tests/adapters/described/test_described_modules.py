"""A module or package for each backend: which functions are ops, and which modules have them."""

from __future__ import annotations

import pytest

from .conftest import Describes, row

DESCRIBED = """
shape = "modules"
root = "pkg.backend.{backend}"
backends = ["numpy", "cupy"]
"""
PACKAGE = {
    "pkg/__init__.py": "from .select import get\n",
    "pkg/select.py": "import importlib\ndef get(name):\n    return importlib.import_module(f'pkg.backend.{name}')\n",
    "pkg/backend/__init__.py": "",
    "pkg/backend/numpy.py": "def add(x): return x\ndef _helper(x): return x\n",
}
FORMS = {
    "a function": ("def add(x): return x", "covered"),
    "nothing": ("", "hole"),
    "a stub": ("def add(x): raise NotImplementedError('no add')", "hole"),
    "None": ("add = None", "hole"),
    "an alias": ("def plus(x): return x\nadd = plus", "covered"),
    "what is imported": ("from .numpy import add", "covered"),
    "all that is imported": ("from .numpy import *", "covered"),
    "all of what is not read": ("from vendor import *", "unknown"),
    "another package's": ("from vendor import add", "covered"),
    "names given out": ("def __getattr__(name): return name", "unknown"),
    "behind a guard": ("import os\nif os.name == 'nt':\n    def add(x): return x", "hole"),
}


@pytest.mark.parametrize("form", FORMS)
def test_what_a_module_has(described: Describes, form: str) -> None:
    source, status = FORMS[form]
    found = described(DESCRIBED, {**PACKAGE, "pkg/backend/cupy.py": source})
    assert row(found, "add") == f"covered {status}", found.reason("add", "cupy")


def test_packages_offer_the_functions_of_their_modules(described: Describes) -> None:
    sources = {
        **{k: v for k, v in PACKAGE.items() if "numpy" not in k},
        "pkg/backend/numpy/__init__.py": "from .core import cast",
        "pkg/backend/numpy/core.py": "def cast(x): return x",
        "pkg/backend/numpy/nn.py": "def relu(x): return x\ndef elu(x): return x",
        "pkg/backend/cupy/__init__.py": "",
        "pkg/backend/cupy/nn.py": "def relu(x): return x",
    }
    found = described(DESCRIBED, sources)
    rows = {name: row(found, name) for name in found.names}
    assert rows == {"cast": "covered hole", "relu": "covered covered", "elu": "covered hole"}


@pytest.mark.parametrize(
    ("ops", "names"),
    [
        ('"union"', ["add", "sub"]),
        ('"numpy"', ["add"]),
        ('"cupy"', ["sub"]),
        ('["add", "mul"]', ["add", "mul"]),
        ('"pkg.ops.__all__"', ["mul", "sub"]),
        ('"pkg.ops.PARTS"', ["sub", "mul"]),
        ('"pkg.ops.DOCS"', ["mul"]),
    ],
)
def test_which_functions_are_ops(described: Describes, ops: str, names: list[str]) -> None:
    sources = {
        **PACKAGE,
        "pkg/backend/cupy.py": "def sub(x): return x",
        "pkg/ops.py": "__all__ = ['mul', 'sub']\nPARTS = {'': ('sub',), 'more': ['mul']}\nDOCS = {'mul': 'times'}",
    }
    assert described(f"{DESCRIBED}ops = {ops}\n", sources).names == names


def test_a_list_of_what_a_module_offers(described: Describes) -> None:
    sources = {**PACKAGE, "pkg/backend/cupy.py": "__all__ = ['add']\ndef add(x): return x\ndef other(x): return x\n"}
    assert described(DESCRIBED, sources).names == ["add"]


def test_a_backend_without_a_module(described: Describes) -> None:
    assert row(described(DESCRIBED, PACKAGE), "add") == "covered hole"


def test_what_picks_a_backend_is_no_condition_on_what_it_has(described: Describes) -> None:
    pick = "import vendor\nif vendor.backend() == 'cupy':\n    from .backend.cupy import *\n"
    found = described(DESCRIBED, {**PACKAGE, "pkg/__init__.py": pick, "pkg/backend/cupy.py": "def add(x): return x"})
    assert row(found, "add") == "covered covered"
    assert found.op("add").defined.holds
