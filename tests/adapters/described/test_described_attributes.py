"""Class attributes that list backends: which classes are ops, and which backends each lists."""

from __future__ import annotations

import pytest

from .conftest import Describes, row

DESCRIBED = """
shape = "attribute"
base = "lib.Kernel"
attribute = "DEVICES"
backends = ["cpu", "cuda"]
"""
FORMS = {
    "a set": ("class Blur(Kernel):\n    DEVICES = {'cuda'}", "hole covered"),
    "a tuple": ("class Blur(Kernel):\n    DEVICES = ('cpu', 'cuda')", "covered covered"),
    "a list": ("class Blur(Kernel):\n    DEVICES = ['cuda']", "hole covered"),
    "a frozen set": ("class Blur(Kernel):\n    DEVICES = frozenset({'cuda'})", "hole covered"),
    "a string": ("class Blur(Kernel):\n    DEVICES = 'cuda'", "hole covered"),
    "a dictionary": ("class Blur(Kernel):\n    DEVICES = {'cpu': f, 'cuda': missing}", "covered hole"),
    "a constant": ("GPU = {'cuda'}\nclass Blur(Kernel):\n    DEVICES = GPU", "hole covered"),
    "a union": ("class Blur(Kernel):\n    DEVICES = Kernel.DEVICES | {'cuda'}", "covered covered"),
    "the base's": ("class Blur(Kernel):\n    pass", "covered hole"),
    "the nearest": (
        "class Gpu(Kernel):\n    DEVICES = {'cuda'}\nclass Left(Kernel):\n    pass\nclass Blur(Left, Gpu):\n    pass",
        "hole covered",
    ),
    "set from outside": ("class Blur(Kernel):\n    pass\nBlur.DEVICES = {'cuda'}", "hole covered"),
    "a property": (
        "class Blur(Kernel):\n    @property\n    def DEVICES(self): return {'cuda'}",
        "hole covered",
    ),
    "nothing": ("class Blur(Kernel):\n    DEVICES = None", "hole hole"),
    "not read": ("import vendor\nclass Blur(Kernel):\n    DEVICES = vendor.devices()", "unknown unknown"),
    "under a guard": (
        "import os\nclass Blur(Kernel):\n    DEVICES = {'cpu'}\n    if os.name == 'nt':\n"
        "        DEVICES = {'cpu', 'cuda'}",
        "covered hole",
    ),
    "an enumeration": (
        "import enum\nclass Device(enum.Enum):\n    CUDA = 1\nclass Blur(Kernel):\n    DEVICES = {Device.CUDA}",
        "hole covered",
    ),
}
HEAD = """
def f(x): return x
def missing(x): raise NotImplementedError
class Kernel:
    DEVICES = {"cpu"}
"""


@pytest.mark.parametrize("form", FORMS)
def test_what_an_attribute_lists(described: Describes, form: str) -> None:
    source, statuses = FORMS[form]
    found = described(DESCRIBED, HEAD + source)
    assert row(found, "lib.Blur") == statuses, [found.reason("lib.Blur", b) for b in ("cpu", "cuda")]


def test_ops_named_by_an_attribute(described: Describes) -> None:
    source = "class Blur(Kernel):\n    op = 'blur'\nclass Hidden(Kernel):\n    pass\nclass Odd(Kernel):\n    op = 3\n"
    found = described(DESCRIBED + 'op = "op"\n', HEAD + source)
    assert found.names == ["blur"]


def test_classes_in_other_modules(described: Describes) -> None:
    sources = {
        "lib.py": HEAD,
        "pkg/__init__.py": "from .gpu import Blur",
        "pkg/base.py": "from lib import Kernel as K\nclass _Gpu(K):\n    DEVICES = {'cuda'}",
        "pkg/gpu.py": "from .base import _Gpu as Parent\nclass Blur(Parent):\n    pass",
    }
    found = described(DESCRIBED, sources)
    assert found.names == ["pkg.gpu.Blur"]
    assert row(found, "pkg.gpu.Blur") == "hole covered"


def test_what_a_base_that_is_not_read_lists_is_not_known(described: Describes) -> None:
    source = "from vendor import Kernel\nclass Mixed(Kernel, Extra): pass\nclass Plain(Kernel): pass\n"
    found = described(DESCRIBED.replace("lib", "vendor"), "from vendor import Extra\n" + source)
    assert (row(found, "lib.Mixed"), row(found, "lib.Plain")) == ("unknown unknown", "hole hole")
