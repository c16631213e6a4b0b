"""Modules that are outlined: what they import is followed, and what they bind is looked for when it matters."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.files import write_all

import opcheck.read
from opcheck.config import unconfigured
from opcheck.discovery import discover
from opcheck.read import read
from opcheck.summary.sources import Sources
from opcheck.symbolic.scope import Names
from opcheck_rules.model.project import Project

OP = """
import torch

@torch.library.custom_op("ns::op", mutates_args=())
def op(x: torch.Tensor) -> torch.Tensor:
    return x.clone()
"""


def _read(root: Path, texts: Mapping[str, str]) -> Project:
    write_all(root, texts)
    return read(unconfigured(root), discover(unconfigured(root), [root])).project


def _defined(root: Path, texts: Mapping[str, str]) -> dict[str, str]:
    return {op.name: op.defined.render() for op in _read(root, texts).ops}


def test_an_import_out_of_the_root_runs_nothing(tmp_path: Path) -> None:
    found = _defined(tmp_path, {"pkg/__init__.py": "from ... import away\nfrom . import ops\n", "pkg/ops.py": OP})

    assert found == {"ns::op": "always"}


def test_a_module_below_a_folder_is_imported(tmp_path: Path) -> None:
    found = _defined(tmp_path, {"main.py": "from folder import ops\n", "folder/ops.py": OP})

    assert found == {"ns::op": "always"}


def test_compiled_code_that_is_imported_opens_its_namespace(tmp_path: Path) -> None:
    texts = {"pkg/__init__.py": "from . import _C\nfrom . import ops\n", "pkg/_C.so": "", "pkg/ops.py": OP}

    assert "ns" in _read(tmp_path, texts).open_namespaces


def test_a_guard_names_a_flag_after_where_it_comes_from(tmp_path: Path) -> None:
    guarded = "from .flags import QUICK\nimport torch\nif QUICK:\n    torch.library.define('ns::op', '() -> ()')\n"
    found = _defined(
        tmp_path,
        {
            "pkg/__init__.py": "from . import ops\n",
            "pkg/flags.py": "from ext import FAST as QUICK\n",
            "pkg/ops.py": guarded,
        },
    )

    assert found == {"ns::op": "ext.FAST"}


def test_a_name_of_the_package_hides_the_module_of_that_name(tmp_path: Path) -> None:
    texts = {
        "main.py": "from pkg import ops\n",
        "pkg/__init__.py": "def ops(): ...\nif FLAG:\n    import pkg.ops\n",
        "pkg/ops.py": OP,
    }

    assert _defined(tmp_path, texts) == {"ns::op": "FLAG"}


def test_how_many_there_are() -> None:
    names = Names()
    names["a"] = 1

    assert (len(names), len(Sources({Path("a"): None}, []))) == (1, 1)
    assert list(Sources({Path("a"): None}, [])) == [Path("a")]


def test_a_name_that_a_package_lacks_may_be_compiled(tmp_path: Path) -> None:
    texts = {"pkg/__init__.py": "from . import ops\n", "pkg/more.py": "from . import _C\n", "pkg/ops.py": OP}

    assert "other" not in _read(tmp_path, texts).open_namespaces
    texts["pkg/ops.py"] = "from . import more\n" + OP + "torch.library.impl('ns::other', 'cpu', lambda x: x)\n"
    assert "ns" in _read(tmp_path, texts).open_namespaces


def test_a_name_of_a_module_in_a_folder_is_taken_from_it(tmp_path: Path) -> None:
    texts = {"main.py": "import folder.ops\nfrom folder import ops\n", "folder/ops.py": OP}

    assert _defined(tmp_path, texts) == {"ns::op": "always"}


def test_a_name_taken_under_a_guard_hides_one_that_was_there(tmp_path: Path) -> None:
    texts = {
        "main.py": "import torch, other\nNAME = 'ns::one'\nif other.FAST:\n    from names import NAME\n"
        "torch.library.define(NAME, '() -> ()')\n",
        "names.py": "NAME = 'ns::two'\n",
    }

    assert _defined(tmp_path, texts) == {"ns::one": "not other.FAST", "ns::two": "other.FAST"}


def test_what_a_wrapper_takes_from_another_module_is_looked_for(tmp_path: Path) -> None:
    texts = {
        "main.py": "import torch\nimport names\ndef add():\n    torch.library.define(names.NAME, '() -> ()')\n",
        "names.py": "NAME = 'ns::op'\n",
    }

    assert _defined(tmp_path, texts) == {"ns::op": "called:main.add"}


def test_a_module_without_a_file_may_be_compiled(tmp_path: Path) -> None:
    texts = {"pkg/__init__.py": "import pkg._C\nfrom . import ops\n", "pkg/ops.py": OP}

    assert "ns" in _read(tmp_path, texts).open_namespaces


def test_what_a_package_takes_from_elsewhere_hides_its_module(tmp_path: Path) -> None:
    texts = {
        "main.py": "import pkg\nfrom pkg import ops\nfrom pkg.more import more\n",
        "pkg/__init__.py": "from .other import ops\n",
        "pkg/other.py": "ops = 1\n",
        "pkg/ops.py": OP,
        "pkg/more.py": "import torch\nfrom pkg import ops as more\ntorch.library.define('ns::more', '() -> ()')\n",
    }

    assert _defined(tmp_path, texts) == {"ns::more": "always"}


def test_what_only_functions_import_is_reached_where_one_is_called(tmp_path: Path) -> None:
    texts = {
        "pkg/__init__.py": "def load():\n    from . import backends\n",
        "pkg/backends.py": "def get():\n    from .lazy import gpu\nDEBUG = False\nif DEBUG:\n    from . import never\n",
        "pkg/lazy/__init__.py": "",
        "pkg/lazy/gpu.py": OP,
        "pkg/never.py": OP.replace("ns::op", "ns::never"),
    }

    assert _defined(tmp_path, texts) == {
        "ns::op": "imported:pkg.backends and imported:pkg.lazy.gpu",
        "ns::never": "pkg.backends.DEBUG and imported:pkg.backends",
    }


def test_a_definition_that_waits_is_parsed_for_what_it_gives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opcheck.read, "_SMALL", -1)
    texts = {
        "main.py": "import torch, names\ntorch.library.define(names.name(), '() -> ()')\n",
        "names.py": "def unasked():\n    pass\ndef name():\n    return 'ns::op'\n",
    }

    assert _defined(tmp_path, texts) == {"ns::op": "always"}


def test_a_file_that_declares_is_parsed_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opcheck.read, "_SMALL", -1)
    broken = "".join(f"    value_{i} = {i}\n" for i in range(12)) + "    return return\n"
    project = _read(
        tmp_path, {"main.py": f"import torch\ntorch.library.define('ns::op', '() -> ()')\ndef f():\n{broken}"}
    )

    assert not project.ops
    assert [(Path(fact.span.path).name, fact.span.line) for fact in project.unreadable] == [("main.py", 16)]


def test_a_body_that_is_first_asked_for_while_joining_makes_its_file_unreadable_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opcheck.read, "_SMALL", -1)
    long = "".join(f"    value_{i} = {i}\n" for i in range(12))
    declaring = "import os, torch\nif os.environ.get('F'):\n    torch.library.define('ns::op', '() -> ()')\n"
    using = f"from a import run\ndef use(x):\n{long}    return run(x)\n"
    texts = {
        "main.py": "import a, user\n",
        "a.py": f"{declaring}def run(x):\n    return torch.ops.ns.op(x)\n",
        "user.py": f"{using}def unasked(x):\n{long}    return return\n",
    }

    assert [(Path(fact.span.path).name, fact.span.line) for fact in _read(tmp_path, texts).unreadable] == [
        ("user.py", 29)
    ]


def test_a_function_that_waits_and_is_no_python_makes_its_file_unreadable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opcheck.read, "_SMALL", -1)
    long = "".join(f"    value_{i} = {i}\n" for i in range(12))
    texts = {
        "main.py": "import torch, names\nif names.flag(): torch.library.define('ns::op', '() -> ()')\n",
        "names.py": f"def helper():\n{long}    return 1\ndef flag():\n{long}    return return\n",
    }
    project = _read(tmp_path, texts)

    assert [op.defined.render() for op in project.ops] == ["await unreadable"]
    assert [(Path(fact.span.path).name, fact.span.line) for fact in project.unreadable] == [("names.py", 28)]


CALL, DEFINITION = "lib.impl('op', lambda x: x.clone(), 'CPU')\n", "@lib.impl('op', 'CPU')\ndef kernel(x): return x\n"
LATER = {
    "a call": ("from a import lib\n" + CALL, ""),
    "a definition": ("from a import lib\n" + DEFINITION, ""),
    "a loop": (f"from a import lib\nfor _ in [1]:\n    {CALL}", ""),
    "two modules": ("from a import lib\n" + CALL, "from a import lib\n" + DEFINITION),
    "two modules, the other way": ("from a import lib\n" + DEFINITION, "from a import lib\n" + CALL),
    "a definition before a call": ("from a import lib\n" + DEFINITION + CALL, ""),
    "a call before a definition": ("from a import lib\n" + CALL + DEFINITION, ""),
}


@pytest.mark.parametrize(("first", "second"), LATER.values(), ids=LATER)
def test_what_is_read_later_keeps_its_place_in_the_order(
    first: str, second: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opcheck.read, "_SMALL", -1)
    texts = {
        "a.py": "import torch\nlib = torch.library.Library('ns', 'FRAGMENT')\nlib.define('op(Tensor x) -> Tensor')\n",
        "b.py": first,
        "c.py": second,
        "d.py": "import torch\ntorch.library.impl('ns::op', 'CPU')(lambda x: x.clone())\n",
        "main.py": "import a\nimport b\nimport c\nimport d\n",
    }
    made = sorted(_read(tmp_path, texts).registrations, key=lambda made: made.order)
    places = [(Path(each.span.path).name, each.span.line) for each in made]

    assert places == sorted(places) and {name for name, _ in places} >= {"a.py", "b.py", "d.py"}


def test_a_name_is_followed_to_who_reaches_it_through_a_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opcheck.read, "_SMALL", -1)
    texts = {
        "pkg/__init__.py": "from . import mod\n",
        "pkg/mod.py": "import torch\nlib = torch.library.Library('ns', 'DEF')\nlib.define('op(Tensor x) -> Tensor')\n",
        "user.py": "import pkg\npkg.mod.lib.impl('op', lambda x: x.clone(), 'CPU')\n",
        "main.py": "import user\n",
    }

    assert [Path(made.span.path).name for made in _read(tmp_path, texts).registrations] == ["mod.py", "user.py"]
