"""Builtins and the standard library."""

# ruff: noqa: E501 - a case is easiest to read as one line of source
from __future__ import annotations

import pytest
from tests.symbolic.conftest import Run

CALLS: list[tuple[str, object]] = [
    ("len('abc'), len([1, 2]), len({'a': 1})", (3, 2, 1)),
    ("len(u.b)", "?len(u.b)"),
    ("len([i for i in (1,) if u.a])", "?len([1])"),
    ("list(range(3)), list(range(1, 3)), list(range(6, 0, -2))", ([0, 1, 2], [1, 2], [6, 4, 2])),
    ("range(u.b)", "?range(u.b)"),
    ("range()", "?range()"),
    ("range(1, 2, 0)", "?range(1, 2, 0)"),
    ("range(1, 2, 3, 4)", "?range(1, 2, 3, 4)"),
    ("len(range(10 ** 12))", "?m:16"),
    ("list(enumerate('ab', 1))", [(1, "a"), (2, "b")]),
    ("enumerate(u.b)", "?enumerate(u.b)"),
    ("enumerate('ab', u.b)", "?enumerate('ab', u.b)"),
    ("list(zip('ab', (1, 2)))", [("a", 1), ("b", 2)]),
    ("zip('ab', u.b)", "?zip('ab', u.b)"),
    ("list(itertools.product('ab', (1,)))", [("a", 1), ("b", 1)]),
    ("itertools.product(u.b)", "?itertools.product(u.b)"),
    ("list(itertools.chain('a', [1]))", ["a", 1]),
    ("list(itertools.chain('a', u.b))", ["a", "..."]),
    ("list('ab'), set('ab'), frozenset('a'), list(), list(iter('a'))", (["a", "b"], ["a", "b"], ["a"], [], ["a"])),
    ("list(u.b)", ["..."]),
    ("tuple('ab'), tuple()", (("a", "b"), ())),
    ("tuple(u.b)", "?tuple(u.b)"),
    ("tuple([i for i in (1, 2) if u.a])", [("u.a", 1), ("u.a", 2)]),
    ("sorted(['b', 'a'])", ["a", "b"]),
    ("sorted(['b', 'a'], reverse=True)", ["b", "a"]),
    ("sorted([2, 1])", [2, 1]),
    ("sorted(u.b)", ["..."]),
    ("list(reversed('ab'))", ["b", "a"]),
    ("dict(a=1), dict({'a': 1}, b=2), dict([('a', 1)])", ({"a": 1}, {"a": 1, "b": 2}, {"a": 1})),
    ("dict(u.b), dict([1]), dict(**u.b)", ({"...": "..."}, {"...": "..."}, {"...": "..."})),
    ("dict.fromkeys('ab', 1)", {"a": 1, "b": 1}),
    ("dict.fromkeys(u.b)", {"...": "..."}),
    ("any([0, 1]), any([]), all([1, 0]), all([])", (True, False, False, True)),
    ("any(i in u.b for i in 'a')", {"not 'a' in u.b": False, "'a' in u.b": True}),
    ("all([u.a, 1])", {"not u.a": False, "u.a": True}),
    ("any(u.b), all(u.b)", ("?any(u.b)", "?all(u.b)")),
    ("list(map(str, [1, 2]))", ["1", "2"]),
    ("list(map(lambda a, b: a + b, [1, 2], [3, 4]))", [4, 6]),
    ("map(str, u.b)", "?map(str, u.b)"),
    ("list(filter(None, [0, 1])), list(filter(lambda v: v > 1, [1, 2]))", ([1], [2])),
    ("list(filter(lambda v: u.a, [1]))", [("u.a", 1)]),
    (
        "str(1), str(), repr('a'), int('7'), float('2'), abs(-2), min(2, 1), max((1, 3)), bool([]), bool(u.a)",
        ("1", "", "'a'", 7, 2.0, 2, 1, 3, False, {"not u.a": False, "u.a": True}),
    ),
    ("str(u.b)", "?u.b"),
    ("str(b'a', 'utf-8')", "?str(b'a', 'utf-8')"),
    ("int('x'), int(u.b), max(1, key=u.b)", ("?int('x')", "?int(u.b)", "?max(1, key=u.b)")),
    ("getattr(u, 'b'), getattr(u, u.c)", ("<u.b>", "?getattr(u, u.c)")),
    ("getattr(u.b, 'c', 3)", {"not hasattr(u.b, 'c')": 3, "hasattr(u.b, 'c')": "<u.b.c>"}),
    ("getattr(A, 'k'), getattr(A, 'z'), getattr(A, 'z', 3), getattr(A, 'k', 3)", (1, "?m.A.z", 3, 1)),
    (
        "hasattr(A, 'k'), hasattr(A, 'z'), hasattr(A(), 'k'), hasattr('a', 'upper'), hasattr(u, u.b)",
        (True, False, True, True, "?hasattr(u, u.b)"),
    ),
    ("hasattr(u.b, 'c')", {"not hasattr(u.b, 'c')": False, "hasattr(u.b, 'c')": True}),
    ("hasattr('a', 'nothing')", {"not hasattr('a', 'nothing')": False, "hasattr('a', 'nothing')": True}),
    ("hasattr(G, 'g'), hasattr(G, 'nothing')", ({"not u.a": False, "u.a": True}, False)),
    ("setattr(A, 'new', 5) or A.new", 5),
    ("setattr(A, u.b, 5)", None),
    (
        "isinstance('a', str), isinstance(1, (str, int)), isinstance([], list), isinstance([], set), isinstance({1}, set)",
        (True, True, True, False, True),
    ),
    (
        "isinstance({}, dict), isinstance((), tuple), isinstance(1, list), isinstance(A(), A), isinstance(1, A)",
        (True, True, False, True, False),
    ),
    (
        "isinstance([], A), isinstance([], str), isinstance([], u.b), isinstance(len, collections.abc.Callable)",
        (False, False, "?isinstance([], u.b)", False),
    ),
    (
        "isinstance(f, collections.abc.Callable), isinstance(u.b, str), isinstance(E(), A), isinstance(1, u.b)",
        (True, "?isinstance(u.b, str)", "?isinstance(<m.E>, m.A)", "?isinstance(1, u.b)"),
    ),
    (
        "callable(f), callable(A), callable(1), callable([]), callable(u.b)",
        (True, True, False, False, "?callable(u.b)"),
    ),
    ("type(A()) is A, type(1)", (True, "?type(1)")),
    ("super()", "?super()"),
    (
        "functools.partial(f, 1)(2), functools.partial(f, b=5)(1), functools.partial()",
        ((1, 2), (1, 5), "?functools.partial()"),
    ),
    (
        "functools.partial(f, 1).func is f, functools.partial(f, 1).args, functools.partial(f).other",
        (True, (1,), "?partial.other"),
    ),
    ("functools.partial(u.b, 1)", "u.b"),
    ("typing.cast(int, 3), print(1), warnings.warn('x')", (3, None, None)),
    ("importlib.util.find_spec('triton') is not None", {"not installed:triton": False, "installed:triton": True}),
    ("importlib.util.find_spec('m') is not None", True),
    ("importlib.util.find_spec(u.b)", "?importlib.util.find_spec(u.b)"),
    (
        "importlib.import_module('json'), importlib.import_module(u.b), importlib.import_module('')",
        ("<json>", "?importlib.import_module(u.b)", "?importlib.import_module('')"),
    ),
    ("importlib.import_module('.x')", "?importlib.import_module('.x')"),
    ("os.environ.get('A', '0')", {"not env:A": "0", "env:A": "?os.environ['A']"}),
    ("os.getenv('A')", {"not env:A": None, "env:A": "?os.environ['A']"}),
    ("os.environ['A'], os.environ.get(u.b)", ("?os.environ['A']", "?os.environ.get(u.b)")),
    ("Spec('a', y=2).x, Spec('a', y=2).y, Pair(1, 2).b, Named(1).k", ("a", 2, 2, 1)),
    (
        "collections.namedtuple(u.b, 'a'), collections.namedtuple('N', u.b), collections.namedtuple('N', [u.b])",
        (
            "?collections.namedtuple(u.b, 'a')",
            "?collections.namedtuple('N', u.b)",
            "?collections.namedtuple('N', [u.b])",
        ),
    ),
    ("(lambda: 1)(), dict.other, len.x", (1, "?dict.other", "?len.x")),
    (
        "f.__name__, f.__qualname__, f.__module__, f.__func__ is f, f.other, A.__name__, A().__class__ is A",
        ("f", "f", "m", True, "?m.f.other", "A", True),
    ),
    ("lru(f) is f, lru2(3)", (True, 3)),
    ("functools.singledispatch(f).register(int)", "int"),
]
HEAD = """
import collections, collections.abc, functools, importlib, importlib.util, itertools, os, typing, u, warnings
import made
class A:
    k = 1
class E(u.Base): pass
class G: pass
if u.a: G.g = 1
def f(a, b=2): return a, b
Spec = collections.namedtuple('Spec', 'x, y')
Pair = collections.namedtuple('Pair', ['a', 'b'])
Named = typing.NamedTuple('Named', [('k', int)])
lru = functools.lru_cache(maxsize=None)
@functools.cache
def lru2(a): return a
"""


@pytest.mark.parametrize(("text", "expected"), CALLS, ids=[text[:60] for text, _ in CALLS])
def test_calls_of_the_standard_library(run: Run, text: str, expected: object) -> None:
    assert run(f"{HEAD}x = {text}\n").value("m.x") == expected
