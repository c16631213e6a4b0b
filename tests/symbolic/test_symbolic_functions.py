"""Functions and classes of the project."""

# ruff: noqa: E501 - a case is easiest to read as one line of source
from __future__ import annotations

import pytest
from tests.symbolic.conftest import Run

VALUES: list[tuple[str, object]] = [
    (
        "def f(a, /, b, c=3, *d, e, g=7, **h): return a, b, c, d, e, g, h\nx = f(1, 2, e=5, k=9)",
        (1, 2, 3, (), 5, 7, {"k": 9}),
    ),
    ("def f(a, *d): return a, d\nx = f(1, 2, 3)", (1, (2, 3))),
    ("def f(a, *, k): return a, k\nx = f()", ("?m.f.a", "?m.f.k")),
    ("def f(n):\n    def g(): return n + 1\n    return g\nx = f(1)()", 2),
    ("def f():\n    if u.a: return 1\n    return 2\nx = f()", {"u.a": 1, "not u.a": 2}),
    ("def f():\n    if u.a: return 1\nx = f()", {"u.a": 1, "not u.a": None}),
    ("def f(): raise KeyError\nx = f()", "?m.f()"),
    ("async def f(): return 1\nx = f()", "?m.f()"),
    ("def f(n): return f(n - 1) if n else 0\nx = f(2), f(5)", (0, "?m.f(2)")),
    ("def f(): return g()\ndef g(): return f()\nx = f()", "?m.f()"),
    (
        "def f():\n    yield 1\n    if u.a: yield 2\n    yield from (3, 4)\n    yield\nx = list(f())",
        [1, ("u.a", 2), 3, 4, None],
    ),
    ("def f():\n    yield from u.b\nx = list(f())", ["..."]),
    ("def f():\n    for i in u.b: yield i\nx = list(f())", ["?an item of u.b", "..."]),
    ("def f():\n    while True:\n        yield 1\n        yield 2\nx = list(f())", ["..."]),
    ("class A:\n    def f(self): pass\nx = u(A().f)", "?u(m.A.f)"),
    ("f = lambda: (yield 1)\nx = list(f())", [1]),
    ("x = [(yield 1)]", ["?(yield 1)"]),
    ("def f():\n    def g(): yield 1\n    return 5\nx = f()", 5),
    (
        "import functools\ndef d(fn):\n    @functools.wraps(fn)\n    def inner(*a): return fn(*a)\n    return inner\n@d\ndef f(a): return a\nx = [f.__name__, f(3), f.__wrapped__.__name__]",
        ["f", 3, "f"],
    ),
    (
        "import functools\ndef d(n):\n    def deco(fn): return lambda: n\n    return deco\n@d(3)\ndef f(): pass\nx = f()",
        3,
    ),
    ("import functools\n@functools.wraps(u.b)\ndef f(): return 1\nx = f()", 1),
    ("@u.deco\n@u.deco(1)\ndef f(): return 1\nx = f()", 1),
    ("def known(fn): return u.b(fn)\n@known\ndef f(): return 1\nx = f()", 1),
    ("def f(): pass\nf.k = 3\nx = f.k", 3),
    ("def f(): pass\ng = f if u.a else None\nif u.a: x = g()", {"u.a": None}),
    ("f = (lambda: 1) if u.a else (lambda: 2)\nx = f()", {"u.a": 1, "not u.a": 2}),
    ("import contextlib\n@contextlib.contextmanager\ndef f(): yield 5\nwith f() as x: pass", 5),
    ("@contextlib_like\ndef f(): yield\nwith u.g() as x: pass", "?u.g()"),
    ("class A:\n    k = 1\n    def m(self, a): return self.k + a\nx = A().m(2)", 3),
    (
        "class A:\n    def __init__(self, a): self.a = a\n    @property\n    def b(self): return self.a + 1\nx = A(1).b",
        2,
    ),
    (
        "class A:\n    @classmethod\n    def make(cls): return cls.__name__\n    @staticmethod\n    def stat(a): return a\nx = A.make(), A().make(), A.stat(1), A().stat(2)",
        ("A", "A", 1, 2),
    ),
    ("class A:\n    @property\n    def p(self): return 1\n    @p.setter\n    def p(self, v): pass\nx = A().p", 1),
    ("import functools\nclass A:\n    @functools.cached_property\n    def p(self): return 1\nx = A().p", 1),
    (
        "class A:\n    def f(self): return 'a'\nclass B(A):\n    def f(self): return super().f() + 'b'\nclass C(B): pass\nx = C().f()",
        "ab",
    ),
    (
        "class A:\n    def __init__(self): self.k = 1\nclass B(A):\n    def __init__(self):\n        super().__init__()\nx = B().k",
        1,
    ),
    (
        "class A:\n    def f(self): return 'a'\nclass B(A):\n    def f(self): return 'b'\n"
        "class C(B):\n    def f(self): return super(B, self).f() + super(C, self).f()\nx = C().f()",
        "ab",
    ),
    ("def f(self): return super()\nclass A: pass\nx = f(A())", "?super()"),
    ("class A:\n    k = 1\nclass B(A):\n    k = 2\nclass C(B, A): pass\nx = C.k, C().k", (2, 2)),
    ("class A(u.Base): pass\nx = A.k, A().k, A()", ("?m.A.k", "?m.A.k", "<m.A>")),
    ("class A: pass\nx = A().z, A.z", ("?<m.A>.z", "?m.A.z")),
    ("class A:\n    def __getattr__(self, name): return name + '!'\nx = A().any", "any!"),
    ("class A:\n    n = None\nx = A().n, A.n", (None, None)),
    ("class A:\n    def __call__(self, a): return a\nx = A()(3)", 3),
    ("class A: pass\nx = A()(3)", "?<m.A>(3)"),
    ("class A:\n    def __enter__(self): return 4\nwith A() as x: pass", 4),
    ("class A: pass\na = A()\na.k = 1\nif u.a: a.k = 2\nA.j = 5\nx = a.k, a.j", ({"not u.a": 1, "u.a": 2}, 5)),
    (
        "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass A:\n    a: int\n    b: str = 'b'\n    def __post_init__(self): self.c = self.a\n@dataclass\nclass B(A):\n    d: int = 4\nx = A(1).c, A(1, b='z').b, B(1).d, B().a",
        (1, "z", 4, "?m.B.a"),
    ),
    (
        "from typing import NamedTuple\nclass A(NamedTuple):\n    a: int\n    b: int = 2\nx = A(1).a, A(1).b, A(a=3).a",
        (1, 2, 3),
    ),
    (
        "import enum\nclass E(enum.Enum):\n    A = 'a'\n    B = 'b'\n    def f(self): return 1\nx = E.A.value, E.A.name, E('b').name, E['A'].value, [e.name for e in E], E.A == E.A, E.A.other",
        ("a", "A", "B", "a", ["A", "B"], True, "?m.E.A.other"),
    ),
    (
        "import enum\nclass E(enum.Enum):\n    A = 1\nx = E(5), E(E.A).name, E['Z'], E.__members__, E.A == 1, E.A in (E.A,)",
        ("?m.E(5)", "A", "?m.E['Z']", {"A": "m.E.A"}, False, True),
    ),
    (
        "import enum\nclass E(str, enum.Enum):\n    A = 'a'\nclass F(enum.IntEnum):\n    B = 1\nx = E.A == 'a', F.B == 1, F.B < 2",
        (True, True, True),
    ),
    ("class A:\n    def __class_getitem__(cls, k): return k\nx = A[int]", "m.A"),
    ("class A:\n    def f(self): return self\na = A()\nx = a.f.__self__ is a, a.f.__name__", (True, "f")),
    ("class A(*u.bases, metaclass=u.M):\n    k = 1\nx = A.k", 1),
    ("@u.register\nclass A:\n    k = 1\nx = A.k", 1),
    ("def mark(c): return 7\n@mark\nclass A: pass\nx = A", 7),
    ("def outer():\n    class A:\n        k = 3\n    return A\nx = outer().k", 3),
    (
        "class A:\n    k = 1\n    j = [k for _ in (1,)]\n    def f(self): return k\nk = 9\nx = A.j, A().f()",
        (["<k>"], 9),
    ),
    ("class A:\n    global g\n    g = 3\nx = g", 3),
    ("class A: pass\nx = A.__qualname__, A.__module__", ("A", "m")),
    ("class A(A0): pass\nA0 = 1\nx = 1", 1),
    (
        "if u.a:\n    class A: k = 1\nelse:\n    class A: k = 2\nx = A.k, A().k",
        ({"u.a": 1, "not u.a": 2}, {"u.a": 1, "not u.a": 2}),
    ),
    ("def f(n): return [f.__name__, n]\nx = list(map(f, (1,)))", [["f", 1]]),
    ("def f(a): return a\nimport functools\np = functools.partial(f, a=1)\nx = p()", 1),
    ("def f(*, a): return a\nx = f(a=(1 if u.a else 2))", {"u.a": 1, "not u.a": 2}),
    ("x = u.b.append if u.a else 1\ny = x()", {"u.a": "<u.b.append>", "not u.a": 1}),
    ("5()\nx = 'a'()", "?'a'()"),
]


@pytest.mark.parametrize(("text", "expected"), VALUES, ids=[text[:70] for text, _ in VALUES])
def test_functions_and_classes(run: Run, text: str, expected: object) -> None:
    assert run(f"import u\n{text}\n").value("m.x") == expected


def test_what_a_helper_registers_stands_where_it_is_called(run: Run) -> None:
    found = run("def add(name):\n    probe(name)\n\nadd('a')\n[add('b') for _ in (1,)]\n")

    assert [r.span.line for r in found.reached("a")] == [4]
    assert [r.span.line for r in found.reached("b")] == [5]


def test_an_uncalled_function_registers_where_it_is_called(run: Run) -> None:
    source = (
        "import u\ndef setup(self=None):\n    probe('setup')\n"
        "def tell(name): probe(name)\ndef indirect(): tell('told')\ndef quiet(): u.other()\n"
        "class A:\n    def m(self): probe(self.k)\n    k = 'k'\n"
        "    @classmethod\n    def c(cls): probe('class')\n    @staticmethod\n    def s(): probe('static')\n"
        "    def __special__(self, x): probe(x)\n"
        "later = lambda: probe('lambda')\n"
        "def outer():\n    def inner(): probe('inner')\n    return inner\n"
    )
    found = run(source)

    assert found.probe("setup") == "called:m.setup"
    assert found.probe("told") == "called:m.indirect"
    assert found.probe("k") == "called:m.A.m"
    assert found.probe("class") == "called:m.A.c"
    assert found.probe("static") == "called:m.A.s"
    assert found.probe("lambda") == "called:m.<lambda>"
    assert found.probe("inner") == "called:m.outer and called:m.outer.<locals>.inner"
    assert all(r.hypothetical for r in found.reached("inner"))


def test_an_uncalled_function_that_goes_on_without_end_is_given_up(run: Run) -> None:
    found = run(
        "def f():\n    for i in range(5000):\n        for j in range(5000):\n            x = 1\n    probe(1)\nprobe(2)\n"
    )

    assert found.probe(1) == "never"
    assert found.probe(2) == "always"


def test_a_call_that_hangs_on_many_facts_is_one_unknown(run: Run) -> None:
    guards = "".join(f"    if u.a{i}: return {i}\n" for i in range(7))
    found = run(
        f"import u\ndef f():\n{guards}    return 'x'\nx = f()\ndef g():\n{guards}    return probe('g')\ny = g()\n"
    )

    assert found.value("m.x") == "?m.f()"
    assert found.probe("g") != "never"


def test_a_call_that_goes_past_its_bounds_is_given_up_as_a_whole(run: Run) -> None:
    guards = "".join(f"    if u.a{i}: return {i}\n" for i in range(12))
    found = run(
        f"import u\ndef f():\n{guards}    return 'x'\nx = f()\nprobe(1)\ny = [f() for _ in (1, 2)]\nclass A:\n    z = f()\n"
    )

    assert found.value("m.x") == "?m.f()"
    assert found.value("m.y") == ["?m.f()", "?m.f()"]
    assert found.probe(1) == "always"
    assert {u.text for u in found.machine.unread} == {"m.f()"}


def test_deep_calls_are_given_up(run: Run) -> None:
    chain = "".join(f"def f{i}(): return f{i + 1}()\n" for i in range(40))

    assert run(f"{chain}def f40(): return 1\nx = f0()\ny = f30()\n").value("m.x") == "?m.f0()"


def test_what_a_try_in_a_given_up_call_asked_is_forgotten(run: Run) -> None:
    guards = "".join(f"        if u.a{i}: return {i}\n" for i in range(12))
    source = f"import u\ndef f():\n    try:\n        u.call()\n{guards}    except KeyError: pass\ntry:\n    f()\nexcept Exception:\n    probe(1)\n"

    assert run(source).probe(1) == "never"


def test_a_statement_that_goes_past_its_bounds_leaves_its_names_unknown(run: Run) -> None:
    source = (
        "import u\nx = 1\n"
        "try:\n    for i in range(5000):\n        for j in range(5000):\n            x = j\nexcept KeyError:\n    pass\n"
        "y = x\nprobe(1)\n"
    )
    found = run(source)

    assert found.value("m.y") == "?m.x"
    assert found.probe(1) == "always"
    assert [u.text for u in found.machine.unread] == ["m:3"]
