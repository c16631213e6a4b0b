"""Findings about described dispatchers, run: stubs are called, and what a description gives is evaluated."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from tests.confirm.conftest import Project


@dataclass(frozen=True)
class Case:
    """A description, a source it is about, and what running the hole on `cupy` says."""

    described: str
    source: str
    verdict: str
    reason: str


BASE = """
class Backend:
    name = None
    def __init__(self):
        self.device = "none"
    def sum(self, x, *, axis):
        raise NotImplementedError(f"{self.name} on {self.device} has no sum")
"""
NUMPY = """
class NumpyBackend(Backend):
    name = "numpy"
    def sum(self, x, *, axis):
        return x
"""
CLASSES = """
shape = "classes"
base = "lib.Backend"
backend = "name"
backends = ["numpy", "cupy"]
"""
REGISTERED = """
TABLE = {}
def register(op, backend):
    def decorate(function):
        TABLE[op, backend] = function
        return function
    return decorate
def find(op, backend):
    if (op, backend) not in TABLE:
        raise LookupError(f"no {op} on {backend}")
    return TABLE[op, backend]
@register("twice", "numpy")
def twice(x):
    return x
"""
CALLS = """
shape = "registration"
callable = "lib.register"
backend = 1
backends = ["numpy", "cupy"]
"""
TEMPLATE = 'error = { type = "LookupError", message = "no {op} on {backend}" }\n'
KEYWORDS = """
shape = "keywords"
callable = "lib.Table"
keywords = { np = "numpy", cp = "cupy" }
op = "assignment"
"""
TABLE = """
from functools import partial
class Table:
    def __init__(self, np=None, cp=None):
        self.np, self.cp = np, cp
def missing(x, message="not yet"):
    raise NotImplementedError(message)
"""
CASES = {
    "a stub that is inherited": Case(
        CLASSES,
        BASE + NUMPY + "class CupyBackend(Backend):\n    name = 'cupy'\n",
        "confirmed",
        "raised NotImplementedError: cupy on none has no sum",
    ),
    "a method that is nowhere": Case(
        CLASSES + 'methods = ["sum", "prod"]\nexclude = ["s*"]\n',
        BASE + NUMPY + "    def prod(self): return 1\nclass CupyBackend(Backend):\n    name = 'cupy'\n",
        "confirmed",
        "raised AttributeError",
    ),
    "an abstract method": Case(
        CLASSES,
        "import abc\nclass Backend(abc.ABC):\n    @abc.abstractmethod\n    def sum(self): ...\n"
        "class NumpyBackend(Backend):\n    name = 'numpy'\n    def sum(self): return 1\n"
        "class CupyBackend(Backend):\n    name = 'cupy'\n",
        "confirmed",
        "raised TypeError: Can't instantiate abstract class CupyBackend with",
    ),
    "nothing registered": Case(
        CALLS + TEMPLATE + "call = \"lib.find('{op}', '{backend}')\"\n",
        REGISTERED,
        "confirmed",
        "raised LookupError: no twice on cupy",
    ),
    "something else raised": Case(
        CALLS + TEMPLATE + "call = \"lib.find('{op}', None)\"\n",
        REGISTERED,
        "refuted",
        "raised LookupError: no twice on None",
    ),
    "no call to make": Case(CALLS + TEMPLATE, REGISTERED, "not runnable", "the description of `own` has no `call`"),
    "a stub that is registered": Case(
        CALLS,
        REGISTERED + "@register('twice', 'cupy')\ndef on_cupy(x, y):\n    raise TypeError('never')\n",
        "confirmed",
        "raised TypeError: never",
    ),
    "a partial of a stub": Case(
        KEYWORDS,
        TABLE + "op = Table(np=abs, cp=partial(missing, message='op on cupy'))\n",
        "confirmed",
        "raised NotImplementedError: op on cupy",
    ),
    "a stub that has no name": Case(
        KEYWORDS + "call = 'lib.op.cp(None)'\n",
        TABLE + "op = Table(np=abs, cp=lambda x: missing(x))\n",
        "confirmed",
        "raised NotImplementedError: not yet",
    ),
}


@pytest.mark.parametrize("form", CASES)
def test_what_running_a_hole_says(project: Project, form: str) -> None:
    case = CASES[form]
    project.write(case.source, "lib.py")
    (project.folder / "opcheck.toml").write_text("[[dispatchers]]\nname = 'own'\n" + case.described)
    ((verdict, reason),) = project.verdicts("--backend", "cupy", "--select", "OPC101,OPC102")
    assert verdict == case.verdict, reason
    assert reason.startswith(case.reason)


def test_what_raises_nothing_has_nothing_to_run(project: Project) -> None:
    project.write(REGISTERED + "@register('twice', 'numpy')\ndef again(x):\n    return x\n", "lib.py")
    (project.folder / "opcheck.toml").write_text("[[dispatchers]]\nname = 'own'\n" + CALLS)
    assert project.verdicts("--backend", "numpy", "--select", "OPC403") == [("not runnable", "nothing is raised")]
