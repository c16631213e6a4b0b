"""No input hangs the evaluation, makes it raise, or lets what it holds grow without bound."""

# ruff: noqa: E501 - a case is easiest to read as one line of source
from __future__ import annotations

import random
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.symbolic.conftest import Imported, Run, load

from opcheck.summary.source import UnreadableError, read_source
from opcheck.symbolic.limits import MODULE_WORK, PATH_ATOMS, PROJECT_WORK
from opcheck.symbolic.run import run_deep

ROOT = Path(__file__).parents[2]
PATIENCE = 30

PATHOLOGICAL: dict[str, str] = {
    "five thousand guarded bindings": "import u\n" + "".join(f"if u.a{i}: x = {i}\n" for i in range(5000)),
    "a sum of three thousand terms": "import u\nx = " + " + ".join(["u.a"] * 3000),
    "a long sum of numbers": "x = " + " + ".join(["1"] * 3000),
    "deeply nested calls": "import u\nx = " + "u.f(" * 90 + "1" + ")" * 90,
    "deeply nested brackets": "x = " + "[" * 90 + "]" * 90,
    "deeply nested unary operators": "import u\nx = " + "-" * 900 + "u.a",
    "a long chain of attributes": "import u\nx = u" + ".a" * 900,
    "a long chain of calls": "import u\nx = u" + ".a()" * 900,
    "a doubling string": "x = 'ab'\nfor i in range(100): x = x + x",
    "a doubling tuple": "x = (1, 2)\nfor i in range(100): x = x + x",
    "a doubling list": "x = [1, 2]\nfor i in range(100): x = x + x\ny = [1]\nfor i in range(100): y += y\nz = [1]\nfor i in range(100): z = [*z, *z]",
    "a nesting tuple": "x = 1\nfor i in range(100): x = (x, x)\ny = x == x\nz = {x: x}\nw = f'{x}' + str(x)",
    "a squared number": "x = 3\nfor i in range(100): x = x * x\ny = 2 ** 2 ** 2 ** 2 ** 2 ** 2",
    "mutual recursion": "import u\ndef f(n): return g(n) if u.a else h(n)\ndef g(n): return f(n) if u.b else h(n)\ndef h(n): return f(n) + g(n)\nx = f(1)",
    "branching recursion": "def f(n): return [f(n), f(n), f(n)]\nx = f(1)",
    "a loop without an end": "x = 0\nwhile True: x += 1",
    "a loop without an end that calls": "def f(n): return n + 1\nx = 0\nwhile True: x = f(x)",
    "huge ranges": "for i in range(10 ** 12):\n    for j in range(10 ** 12): x = i * j\ny = [i for i in range(10 ** 9) for j in range(10 ** 9)]",
    "two hundred elifs": "import u\nif u.a: x = 0\n" + "".join(f"elif u.a{i}: x = {i}\n" for i in range(200)),
    "pairs that cross": "import u\n"
    + "".join(f"u.a{i} and u.b\n" for i in range(20))
    + "if "
    + " or ".join(f"(u.a{i} and u.b{i})" for i in range(20))
    + ": x = 1",
    "containers of themselves": "import u\nd = {}\nd['d'] = d\nl = []\nl.append(l)\nl.extend(l)\nx = u(d, l), l == l, d in l, l in l, str(l), f'{d}', [*l], (*l,), {**d}\nfor i in l:\n    for j in i: y = j\nif l == [l]: z = 1\ndef f(*a, **k): return f(*l, **d)\nf(*l, **d)",
    "a class that is its own base": "class A: pass\nA.b = A\nclass A(A): pass\nx = A.b.b.b, A().c, A.__members__",
    "many calls that explode": "import u\n"
    + "def f():\n"
    + "".join(f"    if u.a{i}: return {i}\n" for i in range(12))
    + "x = 1\n"
    + "x = f()\n" * 300,
    "many calls that go on": "def f():\n    for i in range(5000):\n        for j in range(5000): pass\n"
    + "f()\n" * 300,
    "a loop over calls that go on": "def f():\n    for i in range(5000):\n        for j in range(5000): pass\nfor i in range(5000): f()\n",
    "wide formats": "x = '%999999999d' % 1, '{:999999999}'.format(1), f'{1:999999999}', '%*d' % (10 ** 9, 1), 'x'.zfill(10 ** 9)",
    "an unending generator": "def f():\n    while True: yield 1\nx = list(f())",
    "membership in much that is unknown": "import u\nx = ["
    + ", ".join(f"u.a{i}" for i in range(500))
    + "]\nif u.b in x: y = 1\ny = u.b in x",
    "any of much that is unknown": "import u\nx = any([" + ", ".join(f"u.a{i}" for i in range(500)) + "])\nif x: y = 1",
    "statements that no module may hold": "return 1\nyield 2\nawait x\nbreak\ncontinue\nnonlocal a\na = 1\n(yield from x)\n",
    "a proxy that answers itself": "class A:\n    def __getattr__(self, name): return getattr(self, name)\n    def __call__(self): return self()\n    def __enter__(self): return self.x\nx = A().y.z, A()()\nwith A() as b: pass",
    "decorators in a tower": "def d(f): return lambda *a: f(*a)\n" + "@d\n" * 80 + "def g(n): return n\nx = g(1)",
}


@pytest.mark.parametrize("name", PATHOLOGICAL)
def test_pathological_modules_are_read_to_their_end(run: Run, name: str) -> None:
    started = time.process_time()
    found = run(f"{PATHOLOGICAL[name]}\nprobe('end')\n")

    assert time.process_time() - started < PATIENCE
    assert_bounded(found)


def assert_bounded(found: Imported) -> None:
    for module in found.machine.modules.values():
        assert module.state == "done"
    for edge in found.machine.edges:
        assert edge.condition.size <= 2 * PATH_ATOMS
    found.probes()


def test_a_chain_of_modules_is_read(run: Run) -> None:
    files = {f"pkg/m{i}.py": f"from . import m{(i + 1) % 300}\nX = {i}\n" for i in range(300)}
    found = run({"pkg/__init__.py": "from .m0 import X\n", **files})

    assert found.value("pkg.X") == 0
    assert found.reaches("pkg.m299") == "always"


def test_each_module_brings_work_of_its_own(run: Run) -> None:
    found = run({f"m{i}.py": "x = 1\n" for i in range(50)})

    assert PROJECT_WORK + 49 * MODULE_WORK < found.machine.total.left < PROJECT_WORK + 50 * MODULE_WORK


def test_a_project_has_only_so_much_work(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    loop = "for i in range(100): x = i\n"
    found = run({"a.py": loop * 3 + "probe('a')\n"})
    found.machine.total.left = 0

    assert found.machine.total.grant(1_000).left == 200


NAMES = st.sampled_from(["a", "b", "c", "u.x", "self", "f", "D", "m0", "m1.a"])
LITERALS = st.sampled_from(["0", "1", "'s'", "None", "True", "...", "b'x'", "1.5", "(1, 2)", "[1]", "{'k': 1}", "{1}"])


def _compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    two, three = st.tuples(inner, inner), st.tuples(inner, inner, inner)
    return st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "%", "|", "&", "@", "//", "<<", "**"]), inner).map(
            lambda t: f"({t[0]} {t[1]} {t[2]})"
        ),
        st.tuples(inner, st.sampled_from(["<", "==", "in", "not in", "is", "is not", ">=", "!="]), inner).map(
            lambda t: f"({t[0]} {t[1]} {t[2]})"
        ),
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        inner.map(lambda e: f"(not {e})"),
        inner.map(lambda e: f"(-{e})"),
        three.map(lambda t: f"({t[0]} if {t[1]} else {t[2]})"),
        two.map(lambda t: f"{t[0]}[{t[1]}]"),
        two.map(lambda t: f"{t[0]}[{t[1]}:]"),
        inner.map(lambda e: f"{e}.k"),
        two.map(lambda t: f"f({t[0]}, k={t[1]})"),
        two.map(lambda t: f"f(*{t[0]}, **{t[1]})"),
        inner.map(lambda e: f"f'{{{e}!r}}x'"),
        two.map(lambda t: f"[{t[0]}, *{t[1]}]"),
        two.map(lambda t: f"({t[0]}, *{t[1]})"),
        two.map(lambda t: f"{{{t[0]}: {t[1]}, **{t[0]}}}"),
        three.map(lambda t: f"[{t[0]} for a in {t[1]} if {t[2]}]"),
        two.map(lambda t: f"{{a: {t[0]} for a, b in {t[1]}}}"),
        inner.map(lambda e: f"(lambda a, b=1, *c: {e})"),
        inner.map(lambda e: f"(c := {e})"),
        st.tuples(
            st.sampled_from(
                [
                    "len",
                    "list",
                    "tuple",
                    "set",
                    "dict",
                    "str",
                    "int",
                    "sorted",
                    "zip",
                    "enumerate",
                    "map",
                    "range",
                    "any",
                    "all",
                    "hasattr",
                    "getattr",
                    "isinstance",
                    "min",
                    "max",
                    "type",
                    "repr",
                    "bool",
                    "reversed",
                    "filter",
                    "super",
                    "callable",
                    "setattr",
                    "dict.fromkeys",
                    "probe",
                    "handle",
                ]
            ),
            inner,
            inner,
        ).map(lambda t: f"{t[0]}({t[1]}, {t[2]})"),
        st.tuples(
            inner,
            st.sampled_from(
                [
                    "append",
                    "update",
                    "items",
                    "get",
                    "pop",
                    "join",
                    "split",
                    "format",
                    "extend",
                    "replace",
                    "setdefault",
                ]
            ),
            inner,
        ).map(lambda t: f"{t[0]}.{t[1]}({t[2]})"),
    )


EXPRESSIONS = st.recursive(NAMES | LITERALS, _compound, max_leaves=6)
SIMPLE = st.one_of(
    EXPRESSIONS,
    st.tuples(st.sampled_from(["a", "b", "a, b", "a, *b", "a[b]", "a.k", "[a, b]", "c = a"]), EXPRESSIONS).map(
        lambda t: f"{t[0]} = {t[1]}"
    ),
    st.tuples(st.sampled_from(["a", "b", "a.k", "a[0]"]), st.sampled_from(["+=", "|=", "*="]), EXPRESSIONS).map(
        lambda t: f"{t[0]} {t[1]} {t[2]}"
    ),
    st.sampled_from(
        [
            *("import u", "import m0", "from m1 import *", "from .m0 import a", "from m0 import a as b, zz", "pass"),
            *("import m1.a.b as c", "return a", "raise ImportError", "raise", "break", "continue", "global a", "del a"),
            *("del a[b]", "yield a", "yield from b"),
        ]
    ),
    EXPRESSIONS.map(lambda e: f"raise {e}"),
    EXPRESSIONS.map(lambda e: f"assert {e}"),
)


def _block(lines: list[str]) -> str:
    return "".join(f"    {line}\n" for text in lines for line in text.splitlines()) or "    pass\n"


def _suite(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    body = st.lists(inner, min_size=1, max_size=3).map(_block)
    return st.one_of(
        st.tuples(EXPRESSIONS, body, body).map(lambda t: f"if {t[0]}:\n{t[1]}else:\n{t[2]}"),
        st.tuples(EXPRESSIONS, body, body).map(lambda t: f"for a, b in {t[0]}:\n{t[1]}else:\n{t[2]}"),
        st.tuples(EXPRESSIONS, body).map(lambda t: f"while {t[0]}:\n{t[1]}"),
        st.tuples(body, body, body).map(lambda t: f"try:\n{t[0]}except ImportError as c:\n{t[1]}finally:\n{t[2]}"),
        st.tuples(body, EXPRESSIONS, body).map(lambda t: f"try:\n{t[0]}except {t[1]}:\n{t[2]}except:\n    pass\n"),
        st.tuples(EXPRESSIONS, body).map(lambda t: f"with {t[0]} as a:\n{t[1]}"),
        st.tuples(EXPRESSIONS, body).map(lambda t: f"@f\ndef f(a, b={t[0]}, *c, d=1, **e):\n{t[1]}"),
        body.map(lambda b: f"class D(D):\n{b}"),
        body.map(lambda b: f"class D:\n    @property\n    def k(self):\n{_block([b])}"),
        st.tuples(EXPRESSIONS, body).map(
            lambda t: (
                f"match {t[0]}:\n    case [a, *b]:\n{_block([t[1]])}    case 1 | None:\n        pass\n    case c:\n        pass\n"
            )
        ),
    )


MODULES = st.lists(st.recursive(SIMPLE, _suite, max_leaves=5), max_size=8).map("\n".join)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(st.lists(MODULES, min_size=2, max_size=2))
def test_generated_modules_are_read_to_their_end(texts: list[str]) -> None:
    read_to_the_end([f"{text}\n" for text in texts])


def read_to_the_end(texts: list[str]) -> None:
    """Import what of the texts is Python."""
    with TemporaryDirectory() as folder:
        for i, text in enumerate(texts):
            path = Path(folder, f"m{i}.py")
            path.write_text(text, encoding="utf-8")
            try:
                read_source(path)
            except UnreadableError:
                path.unlink()
        assert_bounded(run_deep(lambda: load(Path(folder))))


REAL = sorted(path for folder in ("lint", "rules", "runtime", "fixtures") for path in (ROOT / folder).rglob("*.py"))


def _mutated(text: str, seed: int) -> str:
    """A text with a few lines cut, moved or repeated."""
    chance = random.Random(seed)
    lines = text.splitlines()
    for _ in range(chance.randint(0, 4)):
        i, j = chance.randrange(len(lines) + 1), chance.randrange(len(lines) + 1)
        lines[i:i] = lines[j : j + 2]
        del lines[j : j + chance.randint(0, 2)]
    return "\n".join(lines[: chance.randint(0, len(lines))] if chance.random() < 0.5 else lines)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(st.lists(st.sampled_from(REAL), min_size=1, max_size=3, unique=True), st.integers(0, 10_000))
def test_real_files_cut_and_shuffled_are_read_or_reported(paths: list[Path], seed: int) -> None:
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in paths]

    read_to_the_end([_mutated(text, seed + i) for i, text in enumerate(texts)])


def test_what_is_raised_deep_down_is_raised(run: Run) -> None:
    def fail() -> None:
        raise LookupError("deep")

    with pytest.raises(LookupError, match="deep"):
        run_deep(fail)
