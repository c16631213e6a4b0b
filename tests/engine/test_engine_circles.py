"""Reading only what can matter says all that reading everything does, also of modules that import in circles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct
from tests.files import write_all

from opcheck.adapters.torch.namespaces import FRAMEWORK_OWN
from opcheck.config import unconfigured
from opcheck.discovery import Files, discover
from opcheck.read import read, read_everything
from opcheck_rules.model.condition import Condition, Conditions
from opcheck_rules.model.project import Project, Use

# Which entries lead somewhere, and in which order, is followed through what is evaluated alone.
_LEFT_OUT = frozenset({"entries", "order"})


def _said(project: Project) -> object:
    """All that a project says, with its conditions written in one order of their atoms."""
    conditions = {id(c): c for c in _conditions(project)}
    atoms = sorted({atom for condition in conditions.values() for atom in condition.support()}, key=repr)
    space = Conditions()
    for atom in atoms:
        space.atom(atom.subject, atom.operator, atom.operand, atom.settled)
    return _plain(project, space)


def _conditions(value: object) -> Iterator[Condition]:
    if isinstance(value, Condition):
        yield value
    for part in _parts(value):
        yield from _conditions(part)


def _parts(value: object) -> list[object]:
    if isinstance(value, Struct):
        return [getattr(value, name) for name in value.__struct_fields__ if name not in _LEFT_OUT]
    if isinstance(value, Mapping):
        return [part for pair in cast("Mapping[object, object]", value).items() for part in pair]
    return list(cast("tuple[object, ...]", value)) if isinstance(value, tuple) else []


def _plain(value: object, space: Conditions) -> object:
    if isinstance(value, Condition):
        return _moved(value, space).render()
    if isinstance(value, frozenset):
        return sorted(map(repr, cast("frozenset[object]", value)))
    parts = [_plain(part, space) for part in _parts(value) if not _is_of_torch_itself(part)]
    if isinstance(value, tuple):
        return sorted(map(repr, parts))
    return (str(cast("object", type(value))), *parts) if parts else value


def _is_of_torch_itself(part: object) -> bool:
    """Whether something is a use of one of PyTorch's own ops, which no project can lack."""
    return isinstance(part, Use) and part.op.partition("::")[0] in FRAMEWORK_OWN


def _moved(condition: Condition, space: Conditions) -> Condition:
    if condition.low is None or condition.high is None:
        return space.constant(condition.holds)
    atom = condition.support()[0]
    test = space.atom(atom.subject, atom.operator, atom.operand, atom.settled)
    return space.choose(test, _moved(condition.high, space), _moved(condition.low, space))


NAMES = ("a", "b", "c", "d")
IMPORTS = (
    "from .{0} import {1}\n",
    "from .{0} import {1} as other\n",
    "from . import {0}\n",
    "import pkg.{0}\n",
    "from .{0} import *\n",
    "if FLAG:\n    from .{0} import {1}\n",
    "try:\n    from .{0} import {1}\nexcept ImportError:\n    {1} = None\n",
    "def load():\n    from .{0} import {1}\n    return {1}\n",
    '"""\nfrom .{0} import {1}\n"""\n',
)
BODIES = (
    "FLAG = True\nDEVICE = 'cuda'\n",
    "import numpy\nFLAG = numpy.FLAG\n",
    "import triton\n",
    "if torch.cuda.is_available():\n    FLAG = False\n",
    "import torch\ndef register(name, device='cpu'):\n    torch.library.define(name, '(Tensor x) -> Tensor')\n"
    "    torch.library.impl(name, device, lambda x: x)\n",
    "register('ns::{0}')\n",
    "def later():\n    register('ns::{0}_later')\n",
    "other('ns::{0}_other', DEVICE)\n",
    "import torch\n@torch.library.custom_op('ns::{0}_op', mutates_args=())\ndef op(x: torch.Tensor) -> torch.Tensor:\n"
    "    return x.clone()\n",
    "@op.register_kernel('cuda')\ndef _(x): return x\n",
    "def use(x):\n    return op(x)\n",
    "def call(x):\n    with torch.no_grad():\n        return use(x)\n",
    "if FLAG:\n    register('ns::{0}_guarded')\n",
    "lib = torch.library.Library('ns', 'FRAGMENT')\n",
    "lib.define('{0}_lib(Tensor x) -> Tensor')\n",
    "def deep(x):\n    return call(x) if FLAG else use(x)\n",
    "y = b.use(1)\n",
)
WANTED = ("FLAG", "DEVICE", "register", "op", "use", "call", "lib", "other")


@st.composite
def _modules(draw: st.DrawFn) -> dict[str, str]:
    """The texts of a package: modules that import from each other, declare, wrap and use."""
    texts = dict[str, str]()
    for name in ("__init__", *NAMES):
        pairs = draw(
            st.lists(st.tuples(st.sampled_from(IMPORTS), st.sampled_from(NAMES), st.sampled_from(WANTED)), max_size=4)
        )
        # Modules that fill each other by `*` hold what happens to be bound when one asks the other.
        head = "".join(
            text.format(module, wanted)
            for text, module, wanted in pairs
            if module != name and ("*" not in text or module > name)
        )
        body = "".join(text.format(name) for text in draw(st.lists(st.sampled_from(BODIES), max_size=3, unique=True)))
        texts[f"pkg/{name}.py"] = head + ("import torch\n" if draw(st.booleans()) else "") + body
    return texts


def _files(root: Path, texts: Mapping[str, str]) -> Files:
    write_all(root, texts)
    return discover(unconfigured(root), [root])


@settings(max_examples=150, deadline=None, derandomize=True)
@given(_modules())
def test_generated_projects_are_read_alike(texts: dict[str, str]) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        files = _files(root, texts)
        some, everything = read(unconfigured(root), files), read_everything(unconfigured(root), files)

        assert _said(some.project) == _said(everything.project)
