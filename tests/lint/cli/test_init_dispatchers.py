"""`opcheck init` in projects with a dispatcher of their own: what it proposes is a description that can be read."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.files import write_all

from opcheck.cli import main

PROJECTS: dict[str, tuple[dict[str, str], dict[str, list[str]]]] = {
    "a class for each backend, by attribute": (
        {
            "lib.py": """
            import abc
            class Backend:
                def sum(self, x):
                    raise NotImplementedError
                @abc.abstractmethod
                def prod(self, x): ...
                def twice(self, x):
                    return 2 * x
            class NumpyBackend(Backend):
                name = "numpy"
                size: int = 3
                def sum(self, x): return x
                def prod(self, x): return x
            class CuPyBackend(NumpyBackend):
                name = "cupy"
                def sum(self, x): raise TypeError
            class Unrelated:
                pass
            """
        },
        {"sum": ["covered", "hole"], "prod": ["covered", "covered"], "twice": ["covered", "covered"]},
    ),
    "a class for each backend, by name": (
        {
            "lib.py": """
            class Backend:
                def sum(self, x): raise NotImplementedError
                def prod(self, x): raise NotImplementedError
            class Numpy(Backend):
                def sum(self, x): return x
            class Cupy(Backend):
                def prod(self, x): return x
            """
        },
        {"sum": ["covered", "hole"], "prod": ["hole", "covered"]},
    ),
    "a module for each backend": (
        {
            "pkg/__init__.py": "",
            "pkg/numpy_ops.py": "def a(x): return x\ndef b(x): return x\ndef c(x): return x\ndef d(x): return x\n",
            "pkg/cupy_ops.py": "def a(x): return x\ndef b(x): return x\ndef c(x): return x\ndef _e(x): return x\n",
        },
        {"a": ["covered", "covered"], "d": ["hole", "covered"]},
    ),
    "a package for each backend": (
        {
            "pkg/__init__.py": "",
            "pkg/numpy/__init__.py": "",
            "pkg/numpy/core.py": "def a(x): return x\ndef b(x): return x\ndef c(x): return x\n",
            "pkg/cupy/__init__.py": "",
            "pkg/cupy/core.py": "def a(x): return x\ndef b(x): return x\ndef c(x): raise TypeError\n",
        },
        {"a": ["covered", "covered"], "c": ["hole", "covered"]},
    ),
    "a table of keywords": (
        {
            "lib.py": """
            class Mapper:
                def __init__(self, numpy_func, cupy_func, dask_cupy_func=None): pass
            def f(x): return x
            def op(x):
                return Mapper(numpy_func=f, cupy_func=f, dask_cupy_func=None)
            print(f(1, end=3))
            """
        },
        {"lib.op": ["covered", "covered", "hole"]},
    ),
    "registrations": (
        {
            "lib.py": """
            def register(op, device=None): return lambda f: f
            @register("a", "cpu")
            def f(x): return x
            @register("a", device="cuda")
            def g(x): return x
            @register("b", "cpu")
            @register("c", "cpu", **{})
            def h(x): return x
            """
        },
        {"a": ["covered", "covered"], "b": ["covered", "hole"], "c": ["covered", "hole"]},
    ),
    "registrations of functions": (
        {
            "lib.py": """
            def on(device): return lambda f: f
            @on("cpu")
            def a(x): return x
            @on("cuda")
            def b(x): return x
            """
        },
        {"a": ["covered", "hole"], "b": ["hole", "covered"]},
    ),
    "a class attribute": (
        {
            "lib.py": """
            class Kernel:
                pass
            class Blur(Kernel):
                DEVICES = {"cpu", "cuda"}
                FLAGS = {"fast"}
            class Sharpen(Kernel):
                DEVICES = ["cpu"]
            """
        },
        {"lib.Blur": ["covered", "covered"], "lib.Sharpen": ["covered", "hole"]},
    ),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def _write(folder: Path, files: dict[str, str]) -> None:
    write_all(folder, {name: textwrap.dedent(text) for name, text in files.items()})


def _unmarked(text: str) -> str:
    """A proposal as its reader would take it: every commented line that is TOML."""
    lines = [line.removeprefix("# ") for line in text.splitlines()]
    return "\n".join(line for line in lines if line.startswith("[") or " = " in line)


@pytest.mark.parametrize("form", PROJECTS)
def test_a_proposal_is_a_description(folder: Path, form: str) -> None:
    files, rows = PROJECTS[form]
    _write(folder, files)
    result = _run("init")
    assert result.exit_code == 0, result.output
    written = folder / "opcheck.toml"
    assert json.loads(_run("table", "--format", "json").stdout)["ops"] == []
    written.write_text(_unmarked(written.read_text()))
    document = json.loads(_run("table", "--format", "json").stdout)
    found = {op["op"]: [cell["status"] for cell in op["cells"]] for op in document["ops"]}
    assert {op: found[op] for op in rows} == rows


def test_a_proposal_beside_targets(folder: Path) -> None:
    native = "from opcheck_runtime import FloatArray, op\n@op(backends=['numpy'])\ndef f(x: FloatArray): return x\n"
    _write(folder, {"native.py": native, **PROJECTS["a class attribute"][0], "broken.py": "def ("})
    (folder / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    result = _run("init")
    assert "Wrote 1 target to pyproject.toml, assuming:" in result.stderr
    assert "- a dispatcher of the project's own, described in comments: 2 classes of `lib.Kernel`" in result.stderr
    text = (folder / "pyproject.toml").read_text()
    assert '# [[tool.opcheck.dispatchers]]\n# name = "lib"\n# shape = "attribute"\n' in text


def test_a_proposal_alone_configures_the_project(folder: Path) -> None:
    _write(folder, {**PROJECTS["a class attribute"][0], "other.py": PROJECTS["registrations"][0]["lib.py"]})
    (folder / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert "Wrote 2 descriptions to pyproject.toml" in _run("init").stderr
    assert "[tool.opcheck]\n" in (folder / "pyproject.toml").read_text()
    assert "configures opcheck already" in _run("init").stderr


def test_several_proposals_of_one_package_have_names_of_their_own(folder: Path) -> None:
    _write(
        folder,
        {"lib.py": "".join(textwrap.dedent(PROJECTS[f][0]["lib.py"]) for f in ("registrations", "a class attribute"))},
    )
    text = _run("init", "--dry-run").stdout
    assert '# name = "lib"\n' in text
    assert '# name = "lib-2"\n' in text


NOT = {
    "a base that works": "class Base:\n    def a(self): return 1\nclass Numpy(Base): pass\nclass Cupy(Base): pass\n",
    "a base of one": (
        "class Base:\n    def a(self): raise TypeError\n    def b(self): raise TypeError\n"
        "class Numpy(Base): pass\nclass NumpyFast(Base): pass\nclass Other(Base): pass\n"
    ),
    "another package's decorator": "from vendor import on\n@on('cpu')\ndef a(x): ...\n@on('cuda')\ndef b(x): ...\n",
    "two functions of one name": (
        "def on(device): return lambda f: f\nif on:\n    pass\ndef on(device): return lambda f: f\n"
        "@on('cpu')\ndef a(x): return x\n@on('cuda')\ndef b(x): return x\n"
    ),
    "another package's table": "from vendor import make\nmake(numpy=1, cupy=2)\n",
    "another package's base": (
        "from vendor import Kernel\nclass A(Kernel):\n    DEVICES = ['cpu']\nclass B(Kernel):\n    DEVICES = ['cpu']\n"
    ),
    "other words": "class K: pass\nclass A(K):\n    TAGS = ['fast']\nclass B(K):\n    TAGS = ['cpu', 'fast']\n",
}


@pytest.mark.parametrize("form", NOT)
def test_what_is_no_dispatcher(folder: Path, form: str) -> None:
    _write(folder, {"lib.py": NOT[form], "tests/test_lib.py": PROJECTS["a class attribute"][0]["lib.py"]})
    result = _run("init")
    assert result.exit_code == 2
    assert "no custom ops found" in result.stderr


def test_modules_that_have_little_in_common(folder: Path) -> None:
    _write(folder, {"pkg/__init__.py": "", "pkg/numpy.py": "def a(x): ...\n", "pkg/cupy.py": "def a(x): ...\n"})
    assert "no custom ops found" in _run("init").stderr
