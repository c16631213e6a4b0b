"""Modules that are outlined: what they import is followed, and what they bind is looked for when it matters."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

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
    for name, text in texts.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
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
