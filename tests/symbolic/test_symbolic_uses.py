"""Where ops are called, and whether such a call can be tracked."""

# ruff: noqa: E501 - a case is easiest to read as one line of source
from __future__ import annotations

import pytest
from tests.symbolic.conftest import Imported, Run

from opcheck.symbolic.values import External, FunctionValue, Value
from opcheck.uses.find import find_uses

OP = "torch.ops.ns."


def op_of(value: Value) -> str | None:
    return value.path.removeprefix(OP) if isinstance(value, External) and value.path.startswith(OP) else None


def uses(found: Imported, *untracked: str) -> list[tuple[str, int, bool]]:
    kernels = [v for v in map(found.raw, untracked) if isinstance(v, FunctionValue)]
    return sorted(
        (u.op, u.span.line, u.tracked) for u in find_uses(found.machine, op_of, kernels) if u.given is not None
    )


BODIES: list[tuple[str, list[tuple[str, bool]]]] = [
    ("torch.ops.ns.a(1)", [("a", True)]),
    ("def f(x): return torch.ops.ns.a(x)", [("a", True)]),
    ("from torch.ops.ns import a\ndef f(x): a(a(x))", [("a", True), ("a", True)]),
    ("def f(x):\n    with torch.no_grad(): torch.ops.ns.a(x)", [("a", False)]),
    (
        "def f(x):\n    with torch.inference_mode(), open('x'): torch.ops.ns.a(x)\n    torch.ops.ns.b(x)",
        [("a", False), ("b", True)],
    ),
    ("@torch.no_grad()\ndef f(x): torch.ops.ns.a(x)", [("a", False)]),
    ("@torch.no_grad\nasync def f(x):\n    async with x: torch.ops.ns.a(x)", [("a", False)]),
    ("def inner(x): torch.ops.ns.a(x)\ndef outer(x):\n    with torch.no_grad(): inner(x)", [("a", False)]),
    ("def inner(x): torch.ops.ns.a(x)\ndef outer(x): inner(x)", [("a", True)]),
    ("def inner(x): torch.ops.ns.a(x)\n@torch.no_grad()\ndef outer(x): inner(x)\ninner(1)", [("a", True)]),
    ("def f(x): return f(x) if x else torch.ops.ns.a(x)", [("a", False)]),
    (
        "class F(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x): torch.ops.ns.a(x)\n    k = 1\ndef f(x): torch.ops.ns.b(x)",
        [("a", False), ("b", True)],
    ),
    (
        "class M:\n    op = torch.ops.ns.a\n    def f(self, x): torch.ops.ns.b(x)\n    def g(self): self.f(1)\nm = M\nM.f(1)",
        [("b", True)],
    ),
    ("g = lambda x: torch.ops.ns.a(x)", [("a", True)]),
    ("def f(torch): torch.ops.ns.a(1)\ndef g(a=1, *b, c, **d):\n    torch = a\n    torch.ops.ns.b(1)", []),
    ("def f(x): x().ops.ns.a(1), x[0](2)", []),
    ("op = torch.ops.ns.a if u else torch.ops.ns.b\nop(1)", [("a", True), ("b", True)]),
    ("if u:\n    import torch.ops as ops\nops.ns.a(1)", [("a", True)]),
    ("def outer():\n    def inner(x): torch.ops.ns.a(x)\n    return inner", [("a", True)]),
    ("a = 1\na.b(1)\nimport m\nm.f(2)\nm.nothing(2)\ndef f(x): torch.ops.ns.a(x)", [("a", True)]),
    ("class A:\n    torch.ops.ns.a(1)", [("a", True)]),
    ("def f(x: torch.ops.ns.a(1) = torch.ops.ns.b(2), *, y=torch.ops.ns.c(3)): pass", [("b", True), ("c", True)]),
    ("def f(x): return x(lambda y: torch.ops.ns.a(y))", [("a", True)]),
]


@pytest.mark.parametrize(("text", "expected"), BODIES, ids=[text[:70] for text, _ in BODIES])
def test_uses_and_their_tracking(run: Run, text: str, expected: list[tuple[str, bool]]) -> None:
    assert [(op, tracked) for op, _, tracked in uses(run(f"import torch\n{text}\n"))] == expected


def test_kernels_are_not_tracked(run: Run) -> None:
    found = run(
        "import torch\ndef kernel(x):\n    helper(x)\n    torch.ops.ns.a(x)\ndef helper(x): torch.ops.ns.b(x)\n"
    )

    assert uses(found, "m.kernel") == [("a", 4, False), ("b", 5, False)]


def test_a_use_holds_where_its_function_is_defined(run: Run) -> None:
    found = run("import torch\nif u.a:\n    def f(x): torch.ops.ns.a(x)\n")

    assert [u.condition.render() for u in find_uses(found.machine, op_of, [])] == ["u.a"]


def test_a_function_defined_twice_is_looked_at_once(run: Run) -> None:
    source = "import torch\ndef outer():\n    def inner(x): torch.ops.ns.a(x)\n    return inner\nouter()\nouter()\n"

    assert uses(run(source)) == [("a", 3, True)]
