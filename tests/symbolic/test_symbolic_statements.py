"""Statements, by what they make of the path: which probes are reached, and under which condition."""

# ruff: noqa: E501 - a case is easiest to read as one line of source
from __future__ import annotations

import pytest
from tests.symbolic.conftest import Run

PATHS: list[tuple[str, list[tuple[object, str]]]] = [
    (
        "if u.a: probe(1)\nelif u.b: probe(2)\nelse: probe(3)",
        [(1, "u.a"), (2, "not u.a and u.b"), (3, "not u.a and not u.b")],
    ),
    ("HAS = False\nif HAS: probe(1)\nelse: probe(2)", [(1, "m.HAS"), (2, "not m.HAS")]),
    (
        "LEVEL = 3\nif LEVEL > 2: probe(1)\nif LEVEL == other(): probe(2)",
        [(1, "m.LEVEL > 2"), (2, "other() == 3")],
    ),
    ("def one(): return 1\nif 1 == one(): probe(1)\nif 1 < 2 < 3: probe(2)", [(1, "1 == m.one()"), (2, "1 < 2 < 3")]),
    ("if not (u.a and u.b): probe(1)", [(1, "not u.a or not u.b")]),
    (
        "if u.a and False and u.b: probe(1)\nif True or u.a: probe(2)",
        [(1, "u.a and False and u.b"), (2, "u.a or True")],
    ),
    ("for i in (1, 2): probe(i)", [(1, "always"), (2, "always")]),
    ("for i in u.b: probe(i)\nprobe(i)", [("?an item of u.b", "always"), ("?m.i", "always")]),
    ("for i in [1, *u.b]: probe(i)", [(1, "always"), ("?an item of [1, *u.b]", "always")]),
    ("for i in [j for j in (1, 2) if u.a]: probe(i)\nelse: probe(3)", [(1, "u.a"), (2, "u.a"), (3, "always")]),
    (
        "for i in (1, 2, 3):\n    if u.a: continue\n    if i == 2: break\n    probe(i)\nelse: probe('end')\nprobe('after')",
        [(1, "not u.a"), ("end", "u.a"), ("after", "always")],
    ),
    ("for i in (1, 2):\n    if u.a: break\n    probe(i)\nprobe(3)", [(1, "not u.a"), (2, "not u.a"), (3, "always")]),
    (
        "i = 0\nwhile i < 3:\n    probe(i)\n    i += 1\nelse: probe('end')",
        [(0, "always"), (1, "always"), (2, "always"), ("end", "always")],
    ),
    ("i = 0\nwhile u.a:\n    probe(i)\n    i += 1\nprobe(i)", [(0, "u.a"), ("?m.i", "always")]),
    ("while True:\n    probe(1)\n    break\nprobe(2)", [(1, "always"), (2, "always")]),
    ("while True: pass\nprobe(2)", [(2, "always")]),
    ("for i in range(10 ** 9): x = i\nprobe(x)", [("?m.x", "always")]),
    ("y = [j for j in (1, 2) if u.a]\nif not u.a:\n    for i in y: probe(i)\n    probe(3)", [(3, "not u.a")]),
    ("break\nprobe(1)", []),
    ("continue\nprobe(1)", []),
    ("return\nprobe(1)", []),
    ("async def f():\n    async for i in u.b: pass\n    async with u.c: pass\nprobe(1)", [(1, "always")]),
    ("import contextlib\nwith open('x') as f, u.c as (a, b): probe(f, a)", [(("?open('x')", "?u.c[0]"), "always")]),
    (
        "match u.k():\n    case 1 | 2: probe(1)\n    case None: probe(2)\n    case 'x' if u.b: probe(3)",
        [
            (1, "u.k() == 1 or u.k() == 2"),
            (2, "u.k() != 1 and u.k() != 2 and u.k() is None"),
            (3, "u.k() != 1 and u.k() != 2 and u.k() is not None and u.k() == 'x' and u.b"),
        ],
    ),
    (
        "match u.a:\n    case [p, *q]: probe(p, q)\n    case other: probe(other)",
        [(("?m.p", "?m.q"), "u.a matches [p, *q]"), ("<u.a>", "not u.a matches [p, *q]")],
    ),
    (
        "match 3:\n    case {'k': v, **rest}: probe(v, rest)\n    case int() as n: probe(n)\n    case 3: probe('three')\n    case _: probe('none')",
        [
            (("?m.v", "?m.rest"), "3 matches {'k': v, **rest}"),
            (3, "not 3 matches {'k': v, **rest} and 3 matches int()"),
            ("three", "not 3 matches {'k': v, **rest} and not 3 matches int()"),
        ],
    ),
    ("if (n := u.a): probe(n)", [("<u.a>", "u.a")]),
    ("u.check()\nprobe(1)", [(1, "always")]),
    ("if u.a:\n    raise RuntimeError\nprobe(1)", [(1, "always")]),
    ("raise RuntimeError('x')\nprobe(1)", [(1, "always")]),
    ("assert u.a\nprobe(1)", [(1, "always")]),
    (
        "def f():\n    if u.a: return 1\n    probe(2)\n    raise u.E\n    probe(3)\nf()\nprobe(4)",
        [(2, "not u.a"), (4, "always")],
    ),
    ("def f():\n    global g\n    g = 5\nf()\nprobe(g)", [(5, "always")]),
    (
        "def f():\n    n = 1\n    def h():\n        nonlocal n\n        n = 2\n    h()\n    return n\nprobe(f())",
        [(2, "always")],
    ),
    ("def f():\n    global math\n    import math\nf()\nprobe(math)", [("<math>", "always")]),
    ("global top\ntop = 1\nnonlocal_name = 2\nprobe(top)", [(1, "always")]),
]


@pytest.mark.parametrize(("text", "expected"), PATHS, ids=[text for text, _ in PATHS])
def test_each_statement_runs_under_its_condition(run: Run, text: str, expected: list[tuple[object, str]]) -> None:
    found = run(f"import u\n{text}\n").probes()

    assert [(r[0] if isinstance(r, tuple) and len(r) == 1 else r, c) for r, c in found] == expected


TRIES: list[tuple[str, list[tuple[object, str]]]] = [
    (
        "try:\n    import a\n    probe(1)\nexcept ImportError: probe(2)\nelse: probe(3)\nfinally: probe(4)\nprobe(5)",
        [(1, "installed:a"), (3, "installed:a"), (2, "not installed:a"), (4, "always"), (5, "always")],
    ),
    (
        "try:\n    from a.b import c\n    HAS = True\nexcept (ImportError, OSError) as error:\n    HAS = False\n    probe(error)\nif HAS: probe(1)",
        [("?m:5 error", "not installed:a"), (1, "installed:a")],
    ),
    ("try: import json\nexcept ImportError: probe(1)\nprobe(2)", [(2, "always")]),
    ("try: import a\nexcept ModuleNotFoundError: probe(1)\nexcept ImportError: probe(2)", [(1, "not installed:a")]),
    ("try: import a\nexcept KeyError: probe(1)\nexcept ImportError: probe(2)", [(2, "not installed:a")]),
    (
        "try:\n    import a\n    u.call()\nexcept ImportError: probe(1)\nexcept Exception: probe(2)\nelse: probe(3)",
        [
            (3, "installed:a and u.call() succeeds"),
            (1, "not installed:a"),
            (2, "installed:a and not u.call() succeeds"),
        ],
    ),
    (
        "try: x = u.call(1)\nexcept: x = None\nprobe(x)",
        [({"u.call(1) succeeds": "?u.call(1)", "not u.call(1) succeeds": None}, "always")],
    ),
    (
        "try:\n    import a\n    import b\n    u.call()\nexcept BaseException: probe(1)",
        [(1, "not installed:a or not installed:b or not u.call() succeeds")],
    ),
    ("try:\n    import a, b, c, d, e\n    u.call()\nexcept Exception: probe(1)", [(1, "not u.call() succeeds")]),
    (
        "try:\n    try: u.call()\n    except KeyError: probe(1)\nexcept Exception: probe(2)",
        [(1, "not u.call() succeeds")],
    ),
    ("try:\n    try: import a\n    except KeyError: probe(1)\nexcept ImportError: probe(2)", [(2, "not installed:a")]),
    (
        "try:\n    import a\n    raise KeyError('x')\n    probe(1)\nexcept LookupError: probe(2)\nexcept ImportError: probe(3)",
        [(2, "installed:a"), (3, "not installed:a")],
    ),
    ("try:\n    if u.a: raise RuntimeError\n    probe(1)\nexcept RuntimeError: probe(2)", [(1, "not u.a"), (2, "u.a")]),
    (
        "def f():\n    try:\n        import a\n        return 1\n    except ImportError:\n        return 2\n    finally:\n        probe(3)\nprobe(f())",
        [(3, "always"), ({"installed:a": 1, "not installed:a": 2}, "always")],
    ),
    (
        "def f():\n    if u.a: raise\nx = 1\ntry: f()\nexcept Exception: probe(1)\nelse: probe(2)",
        [(2, "not u.a"), (1, "u.a")],
    ),
    (
        "import contextlib\nwith contextlib.suppress(ImportError):\n    import a\n    probe(1)\nprobe(2)",
        [(1, "installed:a"), (2, "always")],
    ),
    (
        "from contextlib import suppress\nwith suppress(KeyError), suppress(ImportError), suppress():\n    import a\n    probe(1)\nprobe(2)",
        [(1, "installed:a"), (2, "always")],
    ),
    ("try: import a\nexcept ImportError: import b\nprobe(1)", [(1, "always")]),
    ("try:\n    import a\nfinally:\n    probe(1)\nprobe(2)", [(1, "always"), (2, "always")]),
    ("try:\n    y = [u.call()[i] for i in (1,)]\nexcept* ValueError:\n    probe(1)", [(1, "not u.call() succeeds")]),
    (
        "try:\n    x = 1 if u.a() else 2\nexcept ValueError:\n    x = 3\nprobe(x)",
        [({"u.a() and u.a() succeeds": 1, "not u.a() and u.a() succeeds": 2, "not u.a() succeeds": 3}, "always")],
    ),
    ("try:\n    @u.deco\n    def f(): pass\nexcept ValueError:\n    probe(1)", [(1, "not u.deco(m.f) succeeds")]),
]


@pytest.mark.parametrize(("text", "expected"), TRIES, ids=[text for text, _ in TRIES])
def test_what_fails_goes_to_the_handler_it_ends_in(run: Run, text: str, expected: list[tuple[object, str]]) -> None:
    assert [(r[0] if isinstance(r, tuple) else r, c) for r, c in run(f"import u\n{text}\n").probes()] == expected


def test_an_import_that_fails_outside_a_try_makes_its_module_fail(run: Run) -> None:
    found = run(
        {
            "pkg/__init__.py": "try:\n    from . import fast\n    FAST = True\nexcept ImportError:\n    FAST = False\n",
            "pkg/fast.py": "import cupy\nif nothing.there:\n    raise RuntimeError\n",
        }
    )

    assert found.value("pkg.FAST") == {
        "installed:cupy and not nothing.there": True,
        "not installed:cupy or nothing.there": False,
    }


def test_long_conditions_become_one_atom_in_a_loop_and_end_with_it(run: Run) -> None:
    guards = "".join(f"    if u.a{i}: continue\n" for i in range(30))
    found = run(f"import u\nfor i in (1,):\n{guards}    probe(1)\nprobe(2)\n")

    assert found.probe(1).startswith("m:27 is passed and ")
    assert found.probe(2) == "always"


def test_a_try_of_many_imports_is_one_atom(run: Run) -> None:
    imports = "".join(f"    import a{i}\n" for i in range(30))
    found = run(f"try:\n{imports}    probe(1)\nexcept ImportError:\n    pass\nprobe(2)\n")

    assert found.probe(1).startswith("m:26 is passed and ")
    assert found.probe(2) == "always"
