"""What waits in a module that spells no API is worked out when it is asked for, and comes to the same."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.engine.lossless import is_lossless
from tests.files import write_all

from opcheck.config import unconfigured
from opcheck.discovery import discover
from opcheck.read import read
from opcheck.reading import Reading

HELPER = """\
import torch
def register(name, key="CPU"):
    torch.library.define(f"ns::{name}", "(Tensor x) -> Tensor")
    def kernel(function):
        torch.library.impl(f"ns::{name}", key)(function)
        return function
    return kernel
"""


def project(folder: Path, files: Mapping[str, str]) -> Path:
    write_all(folder, {"helper.py": HELPER, **files})
    return folder.resolve()


def reading(folder: Path) -> Reading:
    plain = unconfigured(folder)
    return read(plain, discover(plain, [folder]))


def registered(folder: Path) -> set[tuple[str | None, str | None]]:
    return {(r.op, r.key) for r in reading(folder).project.registrations if r.kind == "kernel"}


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        ("make = register\n@make('a')\ndef a(x): return x", {("ns::a", "CPU")}),
        ("@register('a')\ndef a(x): return x", {("ns::a", "CPU")}),
        ("@register('a')\nasync def a(x): return x", {("ns::a", "CPU")}),
        ("class Ops:\n    @staticmethod\n    @register('a')\n    def a(x): return x", {("ns::a", "CPU")}),
        ("class Key(str): ...\nKEY: str = 'CUDA'\nregister('a', KEY)(len)", {("ns::a", "CUDA")}),
        ("key = 'CPU'\nold = key\nkey = 'CUDA'\nregister('a', old)(len)", {("ns::a", "CPU")}),
        ("key = 'CPU'\nold = key\ndef key(): ...\nregister('a', old)(len)", {("ns::a", "CPU")}),
        ("keys = 'CPU'\nold = keys\nimport os as keys\nregister('a', old)(len)", {("ns::a", "CPU")}),
        ("names = ['a']\nold = tuple(names)\nnames.append('b')\nfor n in old: register(n)(len)", {("ns::a", "CPU")}),
        ("names = ['a']\nnames += ['b']\nfor n in names: register(n)(len)", {("ns::a", "CPU"), ("ns::b", "CPU")}),
        ("n = 'a'\nold = n\nif n:\n    n = 'b'\nelse:\n    n = 'c'\nregister(old)(len)", {("ns::a", "CPU")}),
        ("n = 'a'\nold = n\ntry:\n    n = 'b'\nexcept OSError:\n    n = 'c'\nregister(old)(len)", {("ns::a", "CPU")}),
        ("n = 'a'\nold = n\nm = 1\nm = 2\nm = 3\nn = 'b'\nregister(old)(len)", {("ns::a", "CPU")}),
        ("n = 'a'\nif __name__ == '__main__':\n    n = 'b'\nregister('c')(len)", {("ns::c", "CPU")}),
        (
            "key = 'CPU'\ndef change():\n    global key\n    key = 'CUDA'\nchange()\nregister('a', key)(len)",
            {("ns::a", "CUDA")},
        ),
    ],
)
def test_what_is_registered_is_what_an_import_registers(
    tmp_path: Path, module: str, expected: set[tuple[str, str]]
) -> None:
    folder = project(tmp_path, {"module.py": f'"""A module."""\nfrom helper import register\n{module}\n'})

    assert registered(folder) == expected
    assert is_lossless(folder)


def test_what_nothing_asks_for_is_not_worked_out(tmp_path: Path) -> None:
    slow = "SLOW = [i * j for i in range(9999) for j in range(9999)]\n"
    folder = project(tmp_path, {"names.py": f"NAME = 'a'\n{slow}", "module.py": _USES_A_NAME})

    assert registered(folder) == {("ns::a", "CPU")}
    assert reading(folder).warnings == ()


def test_what_is_too_much_to_work_out_is_said_and_not_known(tmp_path: Path) -> None:
    slow = f"NAME = 'a'{' + str(0)' * 9000}\n"
    folder = project(tmp_path, {"names.py": slow, "module.py": _USES_A_NAME})

    assert [warning.split(",")[0] for warning in reading(folder).warnings] == [_TOO_MUCH]
    assert registered(folder) == set()
    assert is_lossless(folder)


def test_what_an_importer_waits_with_may_import_what_matters(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": "from .config import NAME\n",
        "pkg/config.py": "NAME = 'n'\ndef load():\n    from . import ops\n    return ops\nOPS = load()\n",
        "pkg/ops.py": "from helper import register\nregister('a')(len)\n",
    }
    folder = project(tmp_path, files)

    assert registered(folder) == {("ns::a", "CPU")}
    assert is_lossless(folder)


def test_what_waits_may_keep_a_module_from_being_imported(tmp_path: Path) -> None:
    files = {
        "config.py": "from helper import unknown_name as NAME\n",
        "module.py": f"from helper import register\ntry:\n    import config\nexcept ImportError:\n    {_REGISTERS}\n",
    }
    folder = project(tmp_path, files)

    assert registered(folder) == {("ns::a", "CPU")}
    assert is_lossless(folder)


_REGISTERS = "register('a')(len)"
_TOO_MUCH = "1 statement was too much to evaluate to the end"
_USES_A_NAME = "from helper import register\nfrom names import NAME\nregister(NAME)(len)\n"
