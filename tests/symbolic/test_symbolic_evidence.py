"""What is evident of the arguments of a call: where an array lies, and whether a gradient is wanted for it."""

from __future__ import annotations

import pytest
from tests.symbolic.conftest import Imported, Run

from opcheck.symbolic.values import External, Value
from opcheck.uses.fact import Fact, Kind
from opcheck.uses.find import FoundUse, find_uses

OP = "torch.ops.ns."
HEAD = """\
import functools, contextlib
import numpy as np
import cupy as cp
import torch
from opcheck_runtime import track, no_grad, backward
from torch.ops.ns import a, b
"""


def op_of(value: Value) -> str | None:
    is_op = isinstance(value, External) and value.path.startswith(OP)
    return value.path.removeprefix(OP) if is_op and isinstance(value, External) else None


def found(project: Imported) -> list[FoundUse]:
    return find_uses(project.machine, op_of, [])


def shown(fact: Fact | None) -> str:
    """An array by its backend (`array` where that is open), with a star where it is tracked."""
    if fact is None or fact.kind is Kind.NAMED:
        return "?"
    if fact.kind is Kind.PLAIN:
        return "plain"
    return (fact.backend or "array") + "*" * fact.tracked


def arguments(project: Imported, op: str = "a") -> list[list[str]]:
    return [[shown(fact) for fact in use.given.all] for use in found(project) if use.given and use.op == op]


EXPRESSIONS = {
    "np.ones(3)": "numpy",
    "np.asarray([1, 2])": "numpy",
    "np.linspace(0, 1, 5)": "numpy",
    "np.linspace(x, 1)": "?",
    "np.random.rand(3)": "numpy",
    "np.random.rand()": "?",
    "np.random.normal(size=3)": "numpy",
    "np.random.normal()": "?",
    "np.random.default_rng(0).random((2, 2))": "numpy",
    "np.random.shuffle(x)": "?",
    "np.ones(3, like=x)": "?",
    "np.zeros_like(x)": "?",
    "np.float32(1)": "plain",
    "float(x)": "plain",
    "cp.zeros(3)": "cupy",
    "cp.ones(3) * 2": "cupy",
    "cp.ones(3) * cp.ones(3)": "cupy",
    "cp.ones(3) * np.ones(3)": "array",
    "cp.ones(3) * x": "array",
    "-cp.ones(3)": "cupy",
    "np.ones(3) * 2": "array",
    "2 * 3": "plain",
    "x * 2": "?",
    "cp.ones(3).T": "cupy",
    "cp.ones(3).shape": "?",
    "cp.ones(3).get()": "numpy",
    "cp.asnumpy(x)": "numpy",
    "cp.ones(3).sum()": "array",
    "cp.ones(3).reshape(3, 1).copy()": "cupy",
    "torch.ones(3)": "array",
    "torch.ones(3, device='cuda:0')": "cuda",
    "torch.ones(3, device=torch.device('cpu'))": "cpu",
    "torch.ones(3, device=torch.device(type='cpu'))": "cpu",
    "torch.ones(3, device=x)": "array",
    "torch.ones(3, device='cpu', requires_grad=True)": "cpu*",
    "torch.ones(3, device='cpu', requires_grad=x)": "cpu",
    "torch.from_numpy(x)": "cpu",
    "torch.from_numpy(x).numpy()": "numpy",
    "torch.ones(3).item()": "?",
    "torch.relu(x)": "?",
    "x.cpu()": "cpu",
    "x.cuda()": "cuda",
    "x.to('cpu')": "cpu",
    "x.to(device='cuda')": "cuda",
    "x.to(torch.float16)": "?",
    "x.to(y)": "?",
    "x.cpu().to(torch.float16)": "cpu",
    "x.cpu().to(torch.float16, device='cuda')": "cuda",
    "x.cpu().to(y)": "array",
    "x.cpu().half()": "cpu",
    "x.cpu().requires_grad_()": "cpu*",
    "x.cpu().requires_grad_(True)": "cpu*",
    "x.cpu().requires_grad_(False)": "cpu",
    "x.cpu().requires_grad_(y)": "cpu",
    "x.cpu().requires_grad_().detach()": "cpu",
    "x.cpu().requires_grad_() * 2": "cpu*",
    "torch.nn.Parameter(x)": "array*",
    "torch.nn.Parameter(x.cpu())": "cpu*",
    "torch.nn.Parameter(x, False)": "array",
    "torch.nn.Parameter(x, requires_grad=True)": "array*",
    "track(x)": "array*",
    "track(np.ones(3))": "numpy*",
    "track(np.ones(3)) * 2": "numpy*",
    "track(x) * y": "array*",
    "[np.ones(3)]": "?",
    "None": "plain",
    "np": "?",
    "unheard_of(x)": "?",
    "x.y(3)": "?",
    "'cpu'.upper()": "?",
    "x[0](1)": "?",
    "(y := np.ones(3))": "numpy",
    "np.ones(3) if x else np.zeros(3)": "numpy",
    "np.ones(3) if x else cp.zeros(3)": "?",
    "x or np.ones(3)": "?",
    "lambda z=np.ones(3): z": "?",
    "[z for z in x if z]": "?",
    "{z: 1 for z in x}": "?",
    "f'{x}'": "?",
}


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_an_expression_is_evident_or_not(run: Run, expression: str) -> None:
    assert arguments(run(f"{HEAD}def f(x, y):\n    return a({expression})\n")) == [[EXPRESSIONS[expression]]]


BODIES = {
    "x = np.ones(3)\ny = x\na(y)": "numpy",
    "x: object = np.ones(3)\na(x)": "numpy",
    "x: object\na(x)": "?",
    "x, y = np.ones(3), cp.ones(3)\na(y)": "cupy",
    "x, *y = np.ones(3), cp.ones(3)\na(x)": "?",
    "x, y = z\na(x)": "?",
    "z[0] = x = np.ones(3)\na(x)": "numpy",
    "x = cp.ones(3)\nx += 1\na(x)": "cupy",
    "x = np.ones(3)\nx[0] += z[0]\na(x)": "numpy",
    "x = np.ones(3)\ndel x\na(x)": "?",
    "x = np.ones(3)\nif z:\n    x = cp.ones(3)\na(x)": "?",
    "if z:\n    x = np.ones(3)\nelse:\n    x = np.zeros(3)\na(x)": "numpy",
    "x = np.ones(3)\nif z:\n    x = cp.ones(3)\n    return x\na(x)": "numpy",
    "if z:\n    return 1\nelse:\n    x = np.ones(3)\na(x)": "numpy",
    "if z:\n    return 1\nelse:\n    raise ValueError\na(np.ones(3))": "numpy",
    "x = np.ones(3)\nfor i in z:\n    a(x)\n    x = cp.ones(3)": "?",
    "x = np.ones(3)\nfor i in z:\n    break\nelse:\n    pass\na(x)": "numpy",
    "x = np.ones(3)\nwhile z:\n    x = z()\na(x)": "?",
    "x = np.ones(3)\ntry:\n    x = z()\nexcept ValueError as e:\n    pass\na(x)": "?",
    "try:\n    x = np.ones(3)\nexcept ValueError:\n    return 1\na(x)": "numpy",
    "try:\n    return z\nfinally:\n    a(np.ones(3))": "numpy",
    "try:\n    x = np.ones(3)\nexcept z.Error:\n    raise\nelse:\n    a(x)": "numpy",
    "with z as x, open('y'):\n    a(x)": "?",
    "x = np.ones(3)\nwith contextlib.suppress(ValueError):\n    x = z()\na(x)": "?",
    "x = np.ones(3)\nmatch z:\n    case [x, *y] if x:\n        pass\n    case {'k': 1, **x}:\n        pass\na(x)": "?",
    "x = np.ones(3)\nmatch z:\n    case 1:\n        pass\na(x)": "numpy",
    "x = np.ones(3)\ndef x(): pass\na(x)": "?",
    "x = np.ones(3)\nclass C:\n    x = cp.ones(3)\na(x)": "numpy",
    "x = np.ones(3)\nclass x: pass\na(x)": "?",
    "x = np.ones(3)\n[x for x in z]\na(x)": "?",
    "x = np.ones(3)\nglobal y\ny = [x for w in z]\na(x)": "numpy",
    "x = np.ones(3)\nx.data = z\na(x)": "?",
    "z.data = z\na(z)": "?",
    "x = torch.ones(3, device='cpu')\nx.requires_grad = True\na(x)": "cpu*",
    "x = torch.ones(3, device='cpu')\nx.requires_grad_()\na(x)": "cpu*",
    "x = torch.ones(3, device='cpu').requires_grad_()\nx.detach_()\na(x)": "cpu",
    "z.requires_grad_()\na(z)": "?",
    "d = 'cpu'\nx = z.to(d)\na(x)": "cpu",
    "import cupy\na(cupy.ones(3))": "cupy",
    "import numpy.random as r\na(r.rand(3))": "numpy",
    "import numpy.random\na(numpy.ones(3))": "numpy",
    "from cupy import ones\na(ones(3))": "cupy",
    "from .....far import ones\na(ones(3))": "?",
    "assert z\na(np.ones(3))": "numpy",
}


@pytest.mark.parametrize("body", BODIES)
def test_what_a_name_holds_is_followed(run: Run, body: str) -> None:
    text = "".join(f"    {line}\n" for line in body.splitlines())

    assert arguments(run(f"{HEAD}def f(z):\n{text}"))[0] == [BODIES[body]]


MODULES = {
    "X = np.ones(3)\na(X)": "numpy",
    "X = np.ones(3)\na(X)\nX = cp.ones(3)": "numpy",
    "X = np.ones(3)\ndef f(): a(X)": "numpy",
    "X = np.ones(3)\ndef f(X): a(X)": "?",
    "X = np.ones(3)\nX = cp.ones(3)\ndef f(): a(X)": "?",
    "X = np.ones(3)\ndef g():\n    global X\n    X = 1\ndef f(): a(X)": "?",
    "for X in [np.ones(3)]: pass\ndef f(): a(X)": "?",
    "DEVICE = 'cpu'\ndef f(x): a(x.to(DEVICE))": "cpu",
    "import sys\nX = np.ones(3) if sys.argv else np.zeros(3)\ndef f(): a(X)": "numpy",
    "class C:\n    x = np.ones(3)\n    a(x)": "numpy",
    "X = 1\nX = unheard_of\na(X)": "?",
}


@pytest.mark.parametrize("text", MODULES)
def test_what_a_module_binds_once_is_known_in_its_functions(run: Run, text: str) -> None:
    assert arguments(run(f"{HEAD}{text}\n")) == [[MODULES[text]]]


def test_constants_are_known_through_imports(run: Run) -> None:
    project = run(
        {
            "pkg/__init__.py": "",
            "pkg/consts.py": "import numpy as np\nX = np.ones(3)\nGPU = 'cuda'\n",
            "pkg/more.py": "from .consts import X as Y\n",
            "pkg/use.py": f"{HEAD}from . import consts\nfrom .more import Y\n"
            "def f(x): a(Y, consts.X, x.to(consts.GPU), consts.Z)\n"
            "def g():\n    from .consts import X\n    import pkg.consts as c\n    a(X, c.X)\n",
        }
    )

    assert arguments(project) == [["numpy", "numpy", "cuda", "?"], ["numpy", "numpy"]]


EITHER = """\
try:
    import cupy as xp
except ImportError:
    {other}
def f(): a(xp.ones(3))
"""


@pytest.mark.parametrize(
    ("other", "expected"), [("xp = np", "?"), ("xp = None", "cupy"), ("import cupy as xp", "cupy"), ("xp = 1", "cupy")]
)
def test_what_one_of_two_libraries_makes_is_evident_only_where_they_agree(run: Run, other: str, expected: str) -> None:
    assert arguments(run(HEAD + EITHER.format(other=other))) == [[expected]]


REFERENCES = {
    "op = torch.ops.ns.a\ndef f(x): op(x)": ["a", "a()"],
    "def f(x):\n    op = torch.ops.ns.a\n    return op(x)": ["a", "a()"],
    "def f(x):\n    ops = torch.ops.ns\n    return ops.a(x)": ["a()"],
    "def f(x, op=torch.ops.ns.a): return op(x)": ["a"],
    "OPS = {'a': torch.ops.ns.a, 'b': b}": ["a", "b"],
    "ops = torch.ops.ns if u else torch.ops.other\ndef f(x): return ops.a(x)": ["a()"],
    "ops = torch.ops.ns if u else None\ndef f(x): return ops.a(x)": ["a()"],
    "ops = 1 if u else None\ndef f(x): return ops.a(x)": [],
    "def f(x): return map(torch.ops.ns.a, x)": ["a"],
    "@torch.ops.ns.a\ndef f(x): pass": ["a"],
    "@functools.wraps(torch.ops.ns.a)\ndef f(x): pass": ["a"],
    "def f(x):\n    op = functools.partial(torch.ops.ns.a, 1)\n    return op(x)": ["a", "a()"],
    "op = functools.partial(torch.ops.ns.a, 1)\ndef f(x): return op(x)": ["a", "a()"],
    "def f(x): return functools.partial(x, 1)(x), functools.partial([x])": [],
    "class C:\n    op = torch.ops.ns.a\n    def f(self, x): return torch.ops.ns.b(x)": ["a", "b()"],
    "def f(x): return lambda y: torch.ops.ns.a(x, y)": ["a()"],
    "def f(x):\n    def g(a): return a(x)\n    return g": [],
}


@pytest.mark.parametrize("text", REFERENCES)
def test_references_are_uses_too(run: Run, text: str) -> None:
    uses = [f"{use.op}{'()' if use.given else ''}" for use in found(run(f"{HEAD}{text}\n"))]

    assert sorted(uses) == sorted(REFERENCES[text])


BACKWARD = {
    "a(x).backward()": True,
    "y = a(x)\ny.sum().backward()": True,
    "y = a(x)\nloss = torch.nn.functional.relu(y * 2) ** 2\nloss.mean().backward()": True,
    "backward(a(x))": True,
    "b(a(x)).backward()": True,
    "y = a(x)\nloss = y + x\nloss.backward()": False,
    "y = a(x)\nloss = y + torch.ones(3, requires_grad=True)\nloss.backward()": False,
    "y = a(x)\nx(y).backward()": False,
    "y = a(x)\ny.detach().backward()": False,
    "y = a(x)\ny.sum()": False,
    "x.backward(a(x))": False,
    "y = [a(x), b(x)]\ny.backward()": False,
    "y = a(x)\n" + "y = y + b(x)\n" * 9 + "y.backward()": False,
}


@pytest.mark.parametrize("body", BACKWARD)
def test_a_gradient_is_sent_back_to_the_calls_that_a_result_came_from(run: Run, body: str) -> None:
    text = "".join(f"    {line}\n" for line in body.splitlines())
    uses = [use for use in found(run(f"{HEAD}def f(x):\n{text}")) if use.op == "a"]

    assert [use.differentiated for use in uses] == [BACKWARD[body]]


def test_what_is_computed_without_tracking_is_not_tracked(run: Run) -> None:
    text = "def f(x):\n    w = track(x)\n    with no_grad():\n        w = w * 2\n    a(w)\n"

    assert arguments(run(HEAD + text)) == [["array"]]


CAUGHT = {
    "try:\n    a(x)\nexcept (ValueError, z.TypeError): pass": {"ValueError", "TypeError"},
    "try:\n    a(x)\nexcept: pass": {"BaseException"},
    "try:\n    a(x)\nexcept errors: pass": {"BaseException"},
    "try:\n    a(x)\nexcept ValueError:\n    z()\n    raise": set(),
    "try:\n    z()\nexcept ValueError:\n    a(x)": set(),
    "try:\n    pass\nexcept ValueError: pass\nelse:\n    a(x)": set(),
    "try:\n    def g(): a(x)\nexcept ValueError: pass": set(),
    "with contextlib.suppress(KeyError), z(1), z: a(x)": {"KeyError"},
    "with self.assertRaises(KeyError) as e: a(x)": {"KeyError"},
}


@pytest.mark.parametrize("body", CAUGHT)
def test_the_errors_that_are_taken_around_a_call_are_known(run: Run, body: str) -> None:
    text = "".join(f"    {line}\n" for line in body.splitlines())
    (use,) = [use for use in found(run(f"{HEAD}def f(self, x, z, errors):\n{text}")) if use.given]

    assert use.caught == CAUGHT[body]


GUARDS = {
    "if torch.cuda.is_available(): a(1)": "torch.cuda.is_available()",
    "if torch.cuda.is_available(): pass\nelse: a(1)": "not torch.cuda.is_available()",
    "def f(x):\n    if not torch.cuda.is_available(): return x\n    a(x)": "torch.cuda.is_available()",
    "def f(x):\n    if torch.cuda.is_available(): pass\n    else: return x\n    a(x)": "torch.cuda.is_available()",
    "def f(x):\n    assert torch.cuda.is_available()\n    a(x)": "torch.cuda.is_available()",
    "def f(x):\n    while torch.cuda.is_available(): a(x)": "torch.cuda.is_available()",
    "def f(x): return a(x) if torch.cuda.is_available() else x": "torch.cuda.is_available()",
    "def f(x): return torch.cuda.is_available() and a(x)": "torch.cuda.is_available()",
    "def f(x): return torch.cuda.is_available() or a(x)": "not torch.cuda.is_available()",
    "if torch.cuda.is_available():\n    def f(x): a(x)": "torch.cuda.is_available()",
    "if torch.cuda.is_available():\n    class C:\n        def f(self, x): a(x)": "torch.cuda.is_available()",
    "def f(x):\n    if x.is_cuda: a(x)": "always",
    "def f(x):\n    y = 1\n    if y: a(x)": "always",
    "if __name__ == '__main__': a(1)": "always",
    "FLAG = False\ndef f(x):\n    if FLAG: a(x)": "always",
    "FLAG = False\nif FLAG: a(1)": "never",
    "for flag in (1, 0):\n    if flag: a(1)": "always",
    "if torch.q():\n    if torch.r(): a(1)": "torch.q() and torch.r()",
    "".join(f"{'    ' * i}if torch.q{i}():\n" for i in range(10)) + f"{'    ' * 10}a(1)": "always",
    "if unheard_of(): a(1)": "unheard_of()",
    "def deep(n): return [deep(n) for _ in range(5000) for _ in range(5000)]\nif deep(1): a(1)": "always",
}


@pytest.mark.parametrize("text", GUARDS, ids=[text[:60] for text in GUARDS])
def test_the_tests_around_a_use_are_its_condition(run: Run, text: str) -> None:
    (use,) = [use for use in found(run(f"{HEAD}{text}\n")) if use.given]

    assert use.condition.render() == GUARDS[text]


def test_what_is_under_the_main_test_does_not_run_at_import(run: Run) -> None:
    uses = found(run(f"{HEAD}a(1)\nif __name__ == '__main__': a(2)\nif u: a(3)\ndef f(): a(4)\n"))

    assert [use.at_import for use in uses] == [True, False, True, False]


def test_many_names_are_followed_only_so_far(run: Run) -> None:
    names = "".join(f"x{i} = np.ones(3)\n" for i in range(300))

    assert arguments(run(f"{HEAD}{names}a(x0, x299)\n")) == [["numpy", "?"]]


def test_what_nests_too_deeply_is_given_up(run: Run) -> None:
    project = run(f"{HEAD}def f(x): return x{'.a()' * 7_000}\ndef g(x): a(x)\n")

    assert arguments(project) == [["?"]]


def test_only_so_many_tests_are_worked_out(run: Run) -> None:
    uses = found(run(HEAD + "".join(f"if torch.q{i}(): a({i})\n" for i in range(1_001))))

    assert [use.condition.render() for use in uses[-2:]] == ["torch.q999()", "always"]
