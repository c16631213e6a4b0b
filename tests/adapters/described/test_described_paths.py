"""The paths that descriptions give: what they name may be re-exported under another one."""

from __future__ import annotations

import pytest

from .backend_classes import BASE, BY_NAME, NUMPY
from .conftest import Describes, row

RE_EXPORTED = {
    "by name": "from .base import Backend",
    "under another name": "from .base import Backend as Base",
    "all names": "from .base import *",
    "all names of what takes them on": "from .more import *",
    "a module": "from . import base",
}


@pytest.mark.parametrize("form", RE_EXPORTED)
def test_paths_of_what_is_re_exported(described: Describes, form: str) -> None:
    name = {"under another name": "pkg.Base", "a module": "pkg.base.Backend"}.get(form, "pkg.Backend")
    sources = {
        "pkg/__init__.py": f"import vendor\nfrom vendor import *\n{RE_EXPORTED[form]}\nfrom . import cupy, numpy\n",
        "pkg/base.py": BASE,
        "pkg/more.py": "from .base import Backend\n",
        "pkg/numpy.py": f"from .base import Backend\n{NUMPY}",
        "pkg/cupy.py": "from .base import Backend as B\nclass CupyBackend(B): pass\n",
    }
    assert row(described(BY_NAME.replace("lib.Backend", name), sources), "sum") == "covered hole"


def test_paths_in_a_circle_lead_nowhere(described: Describes) -> None:
    sources = {"one.py": "from two import Backend", "two.py": "from one import Backend"}
    assert described(BY_NAME.replace("lib", "one"), sources).names == []
