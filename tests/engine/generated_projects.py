"""Small projects made at random: packages whose modules import, guard, wrap, declare and use."""

from __future__ import annotations

import random
from pathlib import Path

from tests.files import write

# A module imports those before it; what `pkg` and `pkg.sub` take from below makes cycles enough.
MODULES = (
    "flags",
    "pkg.consts",
    "pkg.names",
    "pkg.helpers",
    "pkg.sub.inner",
    "pkg.sub.deep",
    "pkg.ops",
    "pkg.more",
    "pkg.use",
    "pkg.sub",
    "pkg",
    "script",
)
PACKAGES = ("pkg", "pkg.sub")
HELPER = """\
import torch
def register(name, key="CPU"):
    def wrap(fn):
        torch.library.define(f"ns::{name}", "(Tensor x) -> Tensor")
        torch.library.impl(f"ns::{name}", key)(fn)
        return fn
    return wrap"""
FIXED = {
    "flags": ("FAST = True", "FAST = False", "import os\nFAST = 'F' in os.environ"),
    "pkg.consts": (
        'HOST = ["numpy"]',
        'HOST = ["numpy", "cupy"]',
        'import os\nHOST = ["numpy"]\nif os.environ.get("GPU"):\n    HOST.append("cupy")',
    ),
    "pkg.names": ('NAME = "one"', 'from pkg.consts import HOST\nNAME = f"n{len(HOST)}"', "NAME = __name__[:3]"),
    "pkg.helpers": (HELPER,),
}
DECLARATIONS = (
    "from opcheck_runtime import op, FloatArray\nfrom pkg.consts import HOST\n"
    "@op(backends=HOST)\ndef n{i}(x: FloatArray): return x",
    'from pkg.helpers import register\n@register("h{i}")\ndef h{i}(x): return x',
    'import pkg.helpers as H\n@H.register("k{i}", "CUDA")\ndef k{i}(x): return x',
    'from pkg.helpers import register\nfrom pkg.names import NAME\n@register(NAME + "{i}")\ndef g{i}(x): return x',
    'import torch\ntorch.library.define("ns::t{i}", "(Tensor x) -> Tensor")\n'
    '@torch.library.impl("ns::t{i}", "cpu")\ndef t{i}(x): return x',
    'import torch\nfrom flags import FAST\ntorch.library.define("ns::f{i}", "(Tensor x) -> Tensor")\n'
    'if FAST:\n    torch.library.impl("ns::f{i}", "cpu", lambda x: x)',
    # What waits in a module that spells no API: aliases, classes, what is changed or bound anew before it is read.
    'from pkg.helpers import register\nMAKE = register\n@MAKE("m{i}")\ndef m{i}(x): return x',
    'from pkg.helpers import register\nclass C{i}:\n    @staticmethod\n    @register("c{i}")\n    def c(x): return x',
    'from pkg.helpers import register\nALL{i} = ["a"]\nALL{i}.append("b")\n'
    'READ{i} = tuple(ALL{i})\nALL{i}.append("c")\n'
    "for name in READ{i}:\n    register(name + 'l{i}')(lambda x: x)",
    'from pkg.helpers import register\nKEY{i} = "CPU"\nOLD{i} = KEY{i}\nKEY{i} = "CUDA"\n'
    'register("r{i}", OLD{i})(lambda x: x)',
    'from pkg.helpers import register\ndef name{i}(): return "w{i}"\nNAME{i} = name{i}()\n'
    "register(NAME{i})(lambda x: x)",
    "x{i} = {i}",
)
GUARDS = (
    *("{0}",) * 4,
    "try:\n    {0}\nexcept ImportError:\n    pass",
    "import torch\nif torch.cuda.is_available():\n    {0}",
    "import os\nif os.environ.get('X'):\n    {0}",
    "def later():\n    {0}",
    "import flags\nif flags.FAST:\n    {0}\nelse:\n    pass",
)
IMPORTS = ("import {0}", "import {0} as m_{1}", "from {2} import {1}", "from {0} import *")


def write_project(chance: random.Random, folder: Path) -> None:
    """Write a project into a folder."""
    native: list[int] = []
    for number, module in enumerate(MODULES):
        parts = [chance.choice(FIXED[module])] if module in FIXED else _parts(chance, number, native)
        native += [number] * any(f"def n{number}(" in part for part in parts)
        path = folder.joinpath(*module.split("."))
        path = path / "__init__.py" if module in PACKAGES else path.with_suffix(".py")
        write(path, "\n".join(parts) + "\n")


def _parts(chance: random.Random, number: int, native: list[int]) -> list[str]:
    earlier = MODULES[:number]
    parts = [chance.choice(GUARDS).format(_import(chance, earlier)) for _ in range(chance.randrange(3))]
    parts += [chance.choice(DECLARATIONS).format(i=number)] * (chance.random() < 0.5)
    parts += [f"from {chance.choice(earlier)} import *"] * (chance.random() < 0.25)
    used = chance.randrange(len(MODULES))
    parts += [f"import torch\ndef use{number}(x):\n    return torch.ops.ns.t{used}(x)"] * (chance.random() < 0.3)
    if native and chance.random() < 0.5:
        called = chance.choice(native)
        parts += [f"from {MODULES[called]} import n{called}\ndef call{number}(x):\n    return n{called}(x)"]
    chance.shuffle(parts)
    return parts


def _import(chance: random.Random, earlier: tuple[str, ...]) -> str:
    target = chance.choice(earlier)
    package, _, name = target.rpartition(".")
    form = chance.choice(IMPORTS[:3]) if package else IMPORTS[0]
    return form.format(target, name, package)
