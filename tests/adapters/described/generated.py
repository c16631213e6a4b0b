"""Projects with a dispatcher of each shape, made up: what describes it, its sources, and how to ask it when it runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from hypothesis import strategies as st

BACKENDS = ("cpu", "cuda")
OPS = ("a", "b", "c")
Live = Mapping[tuple[str, str], bool]
"""Whether each op is there on each backend."""


@dataclass(frozen=True)
class Project:
    """A project, and what asks its own dispatcher for every op."""

    described: str
    files: Mapping[str, str]
    live: Callable[[ModuleType], Live]


def runs(function: Any) -> bool:
    """Whether something can be called, and does more than raise."""
    if function is None:
        return False
    try:
        function(1)
    except (NotImplementedError, TypeError, AttributeError):
        return False
    return True


BODIES = {
    "real": "return x",
    "branching": "if x is None:\n        raise NotImplementedError('none')\n    return x",
    "stub": "raise NotImplementedError('not here')",
    "worded stub": "message = 'not here'\n    raise NotImplementedError(message)",
    "stub by a call": "return unsupported(x)",
}
HEAD = """\
import sys
from functools import partial

ON, OFF = True, False

def unsupported(x, why="no"):
    raise NotImplementedError(why)

def refuse(why):
    def stub(x):
        raise NotImplementedError(why)
    return stub
"""


@st.composite
def functions(draw: st.DrawFn, name: str) -> str:
    """The definition of a function of one argument."""
    return f"def {name}(x):\n    {BODIES[draw(st.sampled_from(sorted(BODIES)))]}\n"


def guarded(draw: st.DrawFn, statement: str) -> str:
    """A statement, or the same behind a guard that is open or shut."""
    inner = "\n".join(f"    {line}" for line in statement.splitlines())
    form = draw(st.sampled_from(["plain", "plain", "on", "off", "platform", "import", "no import", "else"]))
    return {
        "plain": f"{statement}\n",
        "on": f"if ON:\n{inner}\n",
        "off": f"if OFF:\n{inner}\n",
        "platform": f"if sys.platform == 'win32':\n{inner}\n",
        "import": f"try:\n    import math\nexcept ImportError:\n    pass\nelse:\n{inner}\n",
        "no import": f"try:\n    raise ImportError('not built')\nexcept ImportError:\n    pass\nelse:\n{inner}\n",
        "else": f"if OFF:\n    pass\nelse:\n{inner}\n",
    }[form]


REGISTRY = """\
TABLE = {}

def register(op, backend="cpu", fn=None):
    def decorate(function):
        TABLE[op, backend] = function
        return function
    return decorate if fn is None else decorate(fn)

def everywhere(op, function):
    for backend in ("cpu", "cuda"):
        register(op, backend, function)
"""
DESCRIBED_CALL = 'callable = "lib.register"\nop = 0\nbackend = 1\nfunction = 2\n'


@st.composite
def registrations(draw: st.DrawFn) -> Project:
    """Registrations by a function, or by the dictionary that it fills."""
    lines = [HEAD, REGISTRY, "def always(x): return x\nregister('a', 'cpu', always)\n"]
    for number in range(draw(st.integers(1, 6))):
        op, backend, name = draw(st.sampled_from(OPS)), draw(st.sampled_from(BACKENDS)), f"f{number}"
        definition = draw(functions(name))
        forms = {
            "decorator": f"@register({op!r}, {backend!r})\n{definition}",
            "default": f"@register({op!r})\n{definition}",
            "call": f"{definition}register({op!r}, {backend!r}, {name})",
            "keywords": f"{definition}register(fn={name}, backend={backend!r}, op={op!r})",
            "loop": f"{definition}for each in ({backend!r}, 'cpu'):\n    register({op!r}, each)({name})",
            "helper": f"{definition}everywhere({op!r}, {name})",
            "partial": f"{definition}partial(register, backend={backend!r})({op!r}, fn={name})",
            "stacked": f"@register({op!r}, 'cpu')\n@register({op!r}, {backend!r})\n{definition}",
            "store": f"{definition}TABLE[{op!r}, {backend!r}] = {name}",
            "update": f"{definition}TABLE.update({{({op!r}, {backend!r}): {name}}})",
            "lambda": f"register({op!r}, {backend!r}, lambda x: unsupported(x))",
            "factory": f"register({op!r}, {backend!r}, refuse('no'))",
        }
        by_table = draw(st.sampled_from(sorted(forms)))
        lines.append(guarded(draw, forms[by_table].rstrip()))
    described = 'shape = "registration"\ntable = "lib.TABLE"\nbackends = ["cpu", "cuda"]\n'
    is_stored = any("TABLE[" in line or "TABLE.update" in line for line in lines[2:])
    if not is_stored and draw(st.booleans()):
        described = f'shape = "registration"\n{DESCRIBED_CALL}backends = ["cpu", "cuda"]\n'
    return Project(described, {"lib.py": "\n".join(lines)}, _of_table)


def _of_table(lib: ModuleType) -> Live:
    ops = {op for op, _ in lib.TABLE}
    return {(op, backend): runs(lib.TABLE.get((op, backend))) for op in ops for backend in BACKENDS}


DESCRIBED_KEYWORDS = 'keywords = { on_cpu = "cpu", on_cuda = "cuda" }\n'
MAPPER = """\
class Mapper:
    def __init__(self, on_cpu=None, on_cuda=None):
        self.on_cpu, self.on_cuda = on_cpu, on_cuda

def choose(one, other):
    return Mapper(one, on_cuda=other)
"""


@st.composite
def keywords(draw: st.DrawFn) -> Project:
    """Tables of keywords in functions, or assigned to names."""
    in_functions = draw(st.booleans())
    lines = [HEAD, MAPPER, draw(functions("f")), draw(functions("g"))]
    values = st.sampled_from(["f", "g", "None", "unsupported", "refuse('no')", "lambda x: f(x)", "partial(g)", "abs"])
    for op in OPS:
        one, other = draw(values), draw(values)
        forms = [
            f"Mapper({one}, {other})",
            f"Mapper(on_cuda={other}, on_cpu={one})",
            f"Mapper({one})",
            f"Mapper(**{{'on_cpu': {one}, 'on_cuda': {other}}})",
        ]
        forms += [f"choose({one}, {other})"] if in_functions and "None" not in (one, other) else []
        made = draw(st.sampled_from(forms))
        lines.append(f"def {op}():\n    return {made}\n" if in_functions else f"{op} = {made}\n")
    named = "function" if in_functions else "assignment"
    described = f'shape = "keywords"\ncallable = "lib.Mapper"\nop = "{named}"\n{DESCRIBED_KEYWORDS}'
    return Project(described, {"lib.py": "\n".join(lines)}, _of_functions if in_functions else _of_names)


def _of_functions(lib: ModuleType) -> Live:
    return _mapped({op: getattr(lib, op)() for op in OPS})


def _of_names(lib: ModuleType) -> Live:
    return _mapped({op: getattr(lib, op) for op in OPS})


def _mapped(made: Mapping[str, Any]) -> Live:
    there = {(f"lib.{op}", b): getattr(table, f"on_{b}") for op, table in made.items() for b in BACKENDS}
    return {cell: runs(function) for cell, function in there.items()}


@st.composite
def attributes(draw: st.DrawFn) -> Project:
    """Classes that list backends, and inherit what they list."""
    lines = [HEAD, "class Kernel:\n    DEVICES = ('cpu',)\n"]
    known = ["Kernel"]
    listed = ["{'cuda'}", "('cpu', 'cuda')", "[]", "'cuda'", "{'cpu': abs}", "frozenset({'cuda'})", "(*BOTH,)"]
    lines.insert(1, "BOTH = ['cpu', 'cuda']\n")
    for number in range(draw(st.integers(1, 5))):
        bases = draw(st.lists(st.sampled_from(known), min_size=1, max_size=2, unique=True))
        value = draw(st.none() | st.sampled_from(listed))
        body = "pass" if value is None else guarded(draw, f"DEVICES = {value}").rstrip().replace("\n", "\n    ")
        lines.append(f"class K{number}({', '.join(bases)}):\n    marker = {number}\n    {body}\n")
        known.append(f"K{number}")
    described = 'shape = "attribute"\nbase = "lib.Kernel"\nattribute = "DEVICES"\nbackends = ["cpu", "cuda"]\n'
    return Project(described, {"lib.py": "\n".join(lines)}, _of_attributes)


def _of_attributes(lib: ModuleType) -> Live:
    found = [c for c in vars(lib).values() if isinstance(c, type) and issubclass(c, lib.Kernel) and c is not lib.Kernel]
    return {(f"lib.{c.__name__}", b): b in _as_listed(c) for c in found for b in BACKENDS}


def _as_listed(cls: Any) -> Iterable[str]:
    return (cls.DEVICES,) if isinstance(cls.DEVICES, str) else cls.DEVICES


NAMED = {
    "attribute": "    name = {0!r}\n",
    "init": "    def __init__(self):\n        super().__init__()\n        self.name = {0!r}\n",
    "property": "    @property\n    def name(self):\n        return {0!r}\n",
}


@st.composite
def classes(draw: st.DrawFn) -> Project:
    """A class for each backend, over mixins and each other."""
    base = "".join(f"    def {op}(self, x):\n        raise NotImplementedError\n" for op in OPS)
    lines = [HEAD, f"class Backend:\n    def __init__(self):\n        self.ready = True\n{base}"]
    known = ["Backend"]
    for mixin in ("Left", "Right"):
        over = draw(st.sampled_from(["", "(Backend)"]))
        lines.append(f"class {mixin}{over}:\n    marker = 1\n{_methods(draw)}")
        known.append(mixin)
    for backend in BACKENDS:
        bases = [*draw(st.lists(st.sampled_from(known[1:]), max_size=2, unique=True)), "Backend"]
        bases = list(dict.fromkeys(bases))
        named = NAMED[draw(st.sampled_from(sorted(NAMED)))].format(backend)
        lines.append(f"class {backend.title()}Backend({', '.join(bases)}):\n{named}{_methods(draw)}")
        known.append(f"{backend.title()}Backend") if draw(st.booleans()) and "property" not in named else None
        op = draw(st.sampled_from(OPS))
        lines.append(guarded(draw, f"{backend.title()}Backend.{op} = lambda self, x: x") if draw(st.booleans()) else "")
    name = draw(st.sampled_from(["name", "{backend}Backend"]))
    described = f'shape = "classes"\nbase = "lib.Backend"\nbackend = "{name}"\nbackends = ["cpu", "cuda"]\n'
    return Project(described, {"lib.py": "\n".join(lines)}, _of_classes)


def _methods(draw: st.DrawFn) -> str:
    there = draw(st.lists(st.sampled_from(OPS), unique=True))
    bodies = {op: BODIES[draw(st.sampled_from(sorted(BODIES)))].replace("\n", "\n    ") for op in there}
    made = "".join(f"    def {op}(self, x):\n        {body}\n" for op, body in bodies.items())
    return made + ("    a = None\n" if draw(st.integers(0, 9)) == 0 else "")


def _of_classes(lib: ModuleType) -> Live:
    made = {backend: getattr(lib, f"{backend.title()}Backend")() for backend in BACKENDS}
    return {(op, backend): runs(getattr(one, op)) for op in OPS for backend, one in made.items()}


@st.composite
def modules(draw: st.DrawFn) -> Project:
    """A module or a package for each backend."""
    files = {"lib/__init__.py": "from . import cpu, cuda\n", "lib/common.py": HEAD + "def shared(x):\n    return x\n"}
    files["lib/__init__.py"] += "OPS = ['a', 'b', 'c']\n"
    for backend in BACKENDS:
        lines = ["import sys\nfrom lib.common import OFF, ON, partial, refuse, shared, unsupported\n"]
        for op in OPS:
            forms = [
                draw(functions(op)),
                f"{op} = shared",
                f"{op} = None",
                f"from lib.common import shared as {op}",
                "",
            ]
            lines.append(guarded(draw, draw(st.sampled_from(forms)).rstrip() or "pass"))
        if draw(st.booleans()):
            files[f"lib/{backend}.py"] = "\n".join(lines)
        else:
            files[f"lib/{backend}/ops.py"] = "\n".join(lines)
            files[f"lib/{backend}/__init__.py"] = "from .ops import *\n"
    described = 'shape = "modules"\nroot = "lib.{backend}"\nops = "lib.OPS"\nbackends = ["cpu", "cuda"]\n'
    return Project(described, files, _of_modules)


def _of_modules(lib: ModuleType) -> Live:
    return {(op, b): runs(getattr(getattr(lib, b), op, None)) for op in OPS for b in BACKENDS}


SHAPES = {
    "registrations": registrations(),
    "keywords": keywords(),
    "attributes": attributes(),
    "classes": classes(),
    "modules": modules(),
}
