"""Backends that a function imports when it is asked for one: what they have is there all the same."""

from __future__ import annotations

import pytest

from .conftest import Describes, row

CASES = {
    "registration": (
        'callable = "lib.register"\nop = 0\nbackend = 1',
        "def register(op, backend): return lambda f: f",
        "from lib import register\n@register('f', '{backend}')\ndef f(x): return x",
    ),
    "keywords": (
        'callable = "lib.Table"\nkeywords = { numpy = "numpy", cupy = "cupy" }\nop = 0',
        "class Table:\n    def __init__(self, op, numpy=None, cupy=None): pass",
        "from lib import Table\nf = Table('f', numpy=abs, cupy=abs)",
    ),
    "attribute": (
        'base = "lib.Op"\nattribute = "on"\nop = "named"',
        "class Op:\n    on = ()",
        "from lib import Op\nclass F(Op):\n    named = 'f'\n    on = '{backend}'",
    ),
    "classes": (
        'base = "lib.Backend"\nbackend = "{backend}Backend"\nmethods = ["f"]',
        "class Backend: pass",
        "from lib import Backend\nclass {backend}Backend(Backend):\n    def f(self): return 1",
    ),
    "modules": ('root = "lib_{backend}"', "", "def f(): return 1"),
}


@pytest.mark.parametrize("shape", CASES)
def test_what_is_imported_when_it_is_asked_for_is_there(described: Describes, shape: str) -> None:
    keys, dispatcher, backend = CASES[shape]
    found = described(
        f'shape = "{shape}"\nbackends = ["numpy", "cupy"]\n{keys}',
        {
            "lib.py": f"{dispatcher}\ndef numpy():\n    import lib_numpy\ndef cupy():\n    from lib_cupy import f\n",
            "lib_numpy.py": backend.replace("{backend}", "numpy"),
            "lib_cupy.py": backend.replace("{backend}", "cupy"),
        },
    )

    (op,) = found.names
    assert row(found, op) == "covered covered"
    assert found.op(op).defined.holds


def test_a_guard_around_the_import_stays(described: Describes) -> None:
    keys, dispatcher, backend = CASES["registration"]
    found = described(
        f'shape = "registration"\nbackends = ["numpy", "cupy"]\n{keys}',
        {
            "lib.py": dispatcher,
            "lib_numpy.py": "def get():\n    import lib_cupy\n" + backend.replace("{backend}", "numpy"),
            "lib_cupy.py": "import vendor\nif vendor.HAS_GPU:\n    "
            + backend.replace("{backend}", "cupy").replace("\n", "\n    "),
        },
    )

    assert row(found, "f") == "covered conditional"
