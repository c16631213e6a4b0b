"""Expressions of one module, by what they evaluate to."""

# ruff: noqa: E501 - a case is easiest to read as one line of source
from __future__ import annotations

import pytest
from tests.symbolic.conftest import Run

KNOWN: list[tuple[str, object]] = [
    ("1 + 2 * 3", 7),
    ("7 // 2, 7 % 4, 7 / 2, 2 ** 5, 6 - 1", (3, 3, 3.5, 32, 5)),
    ("1 << 3 | 1, 12 >> 2, 6 & 3, 6 ^ 3", (9, 3, 2, 5)),
    ("-3, +3, ~3, ~True, -True, not 3", (-3, 3, -4, -2, -1, False)),
    ("'a' + 'b' * 3", "abbb"),
    ("'%s::%d' % ('ns', 3)", "ns::3"),
    ("'%s' % 'ns'", "ns"),
    ("(1, 2) + (3,)", (1, 2, 3)),
    ("(1,) * 3", (1, 1, 1)),
    ("[1] + [2]", [1, 2]),
    ("{1} | {2}", [1, 2]),
    ("{1, 2, 3} - {2, 4}", [1, 3]),
    ("frozenset([1, 2]) & {2, 3}", [2]),
    ("{1, 2} - {u.x}", "?{1, 2} - {u.x}"),
    ("{u.x} & {1}", "?{u.x} & {1}"),
    ("{'a': 1} | {'b': 2}", {"a": 1, "b": 2}),
    ("[*(1, 2), 3, *'ab']", [1, 2, 3, "a", "b"]),
    ("(*[1, 2], 3)", (1, 2, 3)),
    ("{**{'a': 1}, 'b': 2}", {"a": 1, "b": 2}),
    ("{None: 1}[None]", 1),
    ('f\'{1}-{"a"!r}-{2:>3}-{3.5:.2f}-{None}-{"b"!s}-{"c"!a}\'', "1-'a'-  2-3.50-None-b-'c'"),
    (
        "'abc'[1], 'abc'[-1], 'abc'[1:], b'ab'[0], (1, 2, 3)[::-1], [1, 2, 3][:2]",
        ("b", "c", "bc", 97, (3, 2, 1), [1, 2]),
    ),
    ("[1, 2][-1]", 2),
    ("1 if 2 else 3", {"2": 1, "not 2": 3}),
    ("0 or '' or 'x'", "x"),
    ("1 and 2 and 3", 3),
    ("0 and missing()", 0),
    ("1 < 2 < 3, 1 < 3 < 2", (True, False)),
    ("1 == 1.0, 'a' != 'b', 2 >= 2, 2 <= 1, 'a' > 'b'", (True, True, True, False, False)),
    (
        "'a' in 'abc', 'x' not in 'abc', 1 in (1, 2), 3 in [1, 2], 'k' in {'k': 1}, 'z' in {'k': 1}",
        (True, True, True, False, True, False),
    ),
    ("(1, [2], {3}) == (1, [2], {3})", True),
    (
        "None is None, 1 is None, None is not 'a', 'a' is 'a', True is 1, len is None",
        (True, False, True, True, False, False),
    ),
    ("(lambda a, b=2: a + b)(1)", 3),
    ("[i * j for i in (1, 2) for j in (3, 4) if i < j]", [3, 4, 6, 8]),
    ("[i for i in (1, 2) if i > 1]", [2]),
    ("{i for i in 'aa'}", ["a", "a"]),
    ("{k: v for k, v in [('a', 1), ('b', 2)]}", {"a": 1, "b": 2}),
    ("list(i for i in range(3))", [0, 1, 2]),
    ("(y := 3) + y", 6),
    ("[z := i for i in (1, 2)] and z", 2),
    ("...", ...),
]


@pytest.mark.parametrize(("text", "expected"), KNOWN, ids=[text for text, _ in KNOWN])
def test_known_expressions_have_their_value(run: Run, text: str, expected: object) -> None:
    assert run(f"x = {text}").value("m.x") == expected


UNKNOWN: list[tuple[str, object]] = [
    ("u.a.b", "<u.a.b>"),
    ("u()", "?u()"),
    ("u(1, k='v')", "?u(1, k='v')"),
    ("u()()", "?u()()"),
    ("u + 1", "?u + 1"),
    ("'a' - 1", "?'a' - 1"),
    ("1 @ 2", "?1 @ 2"),
    ("[1] - [2]", "?[1] - [2]"),
    ("'%s' % (u,)", "?'%s' % (u,)"),
    ("'%s %s' % 'a'", "?'%s %s' % 'a'"),
    ("-u", "?-u"),
    ("-'a'", "?-'a'"),
    ("u[0]", "?u[0]"),
    ("u['k'].z", "?u['k'].z"),
    ("u[1:2]", "?u[1:2]"),
    ("'abc'[9]", "?'abc'[9]"),
    ("'abc'[::0]", "?'abc'[::0]"),
    ("'abc'[u:]", "?'abc'[u:]"),
    ("(1, 2)[5]", "?(1, 2)[5]"),
    ("[1, 2][5]", "?[1, 2][5]"),
    ("[1, 2][::0]", "?[1, 2][::0]"),
    ("{'a': 1}['b']", "?{'a': 1}['b']"),
    ("{'a': 1}[u]", "?{'a': 1}[u]"),
    ("5[0]", "?5[0]"),
    ("5[0:1]", "?5[0:1]"),
    ("f'{u}'", "?f'{u}'"),
    ("f'a{u.b}c'", "?f'a{u.b}c'"),
    ("f'{3:zz}'", "?f'{3}'"),
    ("f'{3:{u}}'", "?f'{3}'"),
    ("f'{3:99999}'", "?f'{3}'"),
    ("f'{u():>3}'", "?f'{u()}'"),
    ("[*u, 1]", [1, "..."]),
    ("{**u, 'a': 1}", {"a": 1, "...": "..."}),
    ("{u(): 1}", {"...": "..."}),
    ("(*u, 1)", [1, "..."]),
    ("[i for i in u]", ["..."]),
    ("{i: 1 for i in u}", {"...": "..."}),
    ("{i: 1 for i in (u(),)}", {"...": "..."}),
    ("10 ** 100000", "?10 ** 100000"),
    ("1 << 100000", "?1 << 100000"),
    ("'a' * 1000000", "?'a' * 1000000"),
    ("'%99999d' % 3", "?'%99999d' % 3"),
    ("b'%99999d' % 3", "?b'%99999d' % 3"),
    ("2 ** -1", 0.5),
    ("1 / 0", "?1 / 0"),
    ("1 << -1", "?1 << -1"),
    ("9" * 1500, "?m:2"),
    ("10 ** 600 * 10 ** 600 * 10 ** 600", "?m:2"),
]


@pytest.mark.parametrize(("text", "expected"), UNKNOWN, ids=[text[:40] for text, _ in UNKNOWN])
def test_what_is_not_decided_is_named_after_its_expression(run: Run, text: str, expected: object) -> None:
    assert run(f"import u\nx = {text}").value("m.x") == expected


GUARDED: list[tuple[str, object]] = [
    ("[1, 2] if u.a else [3]", {"u.a": [1, 2], "not u.a": [3]}),
    ("(1 if u.a else 2) + 1", {"u.a": 2, "not u.a": 3}),
    ("-(1 if u.a else 2)", {"u.a": -1, "not u.a": -2}),
    ("u.a and 'x'", {"not u.a": "<u.a>", "u.a": "x"}),
    ("u.a or 'x'", {"u.a": "<u.a>", "not u.a": "x"}),
    ("u.a == 3", {"u.a != 3": False, "u.a == 3": True}),
    ("3 < u.a", {"u.a <= 3": False, "u.a > 3": True}),
    ("u.a in ('x', 'y')", {"u.a != 'x' and u.a != 'y'": False, "u.a == 'x' or u.a == 'y'": True}),
    ("u.a not in ('x',)", {"u.a == 'x'": False, "u.a != 'x'": True}),
    ("u.a.b is None", {"u.a.b is not None": False, "u.a.b is None": True}),
    ("u.a is None", False),
    ("'k' in u.a", {"not 'k' in u.a": False, "'k' in u.a": True}),
    ("u.a < [u.b]", {"not u.a < [u.b]": False, "u.a < [u.b]": True}),
    ("'a' < 1", {"'a' >= 1": False, "'a' < 1": True}),
    ("'a' in ('a' if u.a else 'b')", {"not u.a": False, "u.a": True}),
    ("u.b in 'abc'", {"u.b not in 'abc'": False, "u.b in 'abc'": True}),
    ("not u.a", {"u.a": False, "not u.a": True}),
    ("{'k': 1 if u.a else 2}['k']", {"u.a": 1, "not u.a": 2}),
    ("f\"{'a' if u.a else 'b'}::op\"", {"u.a": "a::op", "not u.a": "b::op"}),
    ("[i for i in (1, 2) if u.a]", [("u.a", 1), ("u.a", 2)]),
]


@pytest.mark.parametrize(("text", "expected"), GUARDED, ids=[text for text, _ in GUARDED])
def test_what_hangs_on_a_guard_keeps_every_value_it_can_have(run: Run, text: str, expected: object) -> None:
    assert run(f"import u\nx = {text}").value("m.x") == expected


def test_an_f_string_that_cannot_be_written_again_is_named_after_its_place(run: Run) -> None:
    quotes = """f'''{u('"' '"' '"', "'" "'" "'")}'''"""

    assert run(f"import u\nx = {quotes}[u.b:]\n").value("m.x") == "?m:2[u.b:]"


def test_guards_that_correlate_resolve_by_themselves(run: Run) -> None:
    found = run("import u\na = 1 if u.f else 2\nif u.f:\n    b = a + 1\nc = a if u.f else 0\n")

    assert found.value("m.b") == {"u.f": 2}
    assert found.value("m.c") == {"u.f": 1, "not u.f": 0}


def test_a_name_that_nothing_binds_is_external(run: Run) -> None:
    assert run("x = undefined_name").value("m.x") == "<undefined_name>"


def test_a_name_bound_in_no_present_world_is_unknown(run: Run) -> None:
    found = run("import u\nif u.a:\n    x = 1\nif not u.a:\n    y = x\n    z = x + x\n")

    assert found.value("m.y") == {"not u.a": "?an unbound name"}
    assert found.value("m.z") == {"not u.a": "?an unbound name + an unbound name"}


def test_too_many_alternatives_become_unknown(run: Run) -> None:
    lines = ["import u", *(f"if u.a{i}: x = {i}" for i in range(13))]

    assert run("\n".join(lines)).value("m.x") == "?m.x"


def test_too_many_combinations_become_unknown(run: Run) -> None:
    names = "abcdefgh"
    lines = [
        "import u",
        *(f"{n} = 'x' if u.{n} else 'y'" for n in names),
        f'x = f"{"".join("{" + n + "}" for n in names)}"',
    ]

    assert run("\n".join(lines)).value("m.x") == "?f'" + "{one of too many values}" * 8 + "'"


def test_a_long_chain_of_unknowns_is_one_unknown(run: Run) -> None:
    chain = " or ".join(f"u.a{i}" for i in range(28))

    assert run(f"import u\nx = {chain}\nif {chain}: probe(1)\n").value("m.x") == f"?{chain}"


def test_long_expressions_are_named_after_their_place(run: Run) -> None:
    long = ", ".join(f"'argument {i}'" for i in range(60))
    found = run(f"import u\nx = u({long})\ny = -u({long * 3})\n")

    assert found.value("m.x") == "?m:2"
    assert found.value("m.y") == "?-m:3"


def test_long_expressions_in_a_function_are_told_apart(run: Run) -> None:
    source = "import u\ndef f(a):\n    return u(a * 400)\nx, y = f('x'), f('y')\n"
    found = run(source)

    assert str(found.value("m.x")).startswith("?m:3 (#")
    assert found.value("m.x") != found.value("m.y")


def test_names_in_an_unknown_expression_are_resolved(run: Run) -> None:
    source = (
        "import torch as t\nfrom u import flag as FLAG\nCHOICE = 1 if FLAG else 2\nLIMIT = 5\n"
        "def f(local, other=[1]):\n    return -t.x[local], [FLAG, CHOICE, LIMIT, other][t.i], t.y(local, k=other).z[1], -{t.a: FLAG}[1:2]\n"
        "x = f(3)\n"
    )

    assert run(source).value("m.x") == (
        "?-torch.x[3]",
        "?[u.flag, m.CHOICE, m.LIMIT, m.f.other][torch.i]",
        "?torch.y(3, k=[1]).z[1]",
        "?-{torch.a: u.flag}[1:2]",
    )


def test_starred_arguments_are_spread_where_they_are_known(run: Run) -> None:
    source = "def f(*args, **kw):\n    return args, kw\nx = f(*[1, 2], **{'k': 3})\ny = f(*u, **u)\nz = f(1, **{'a': 1, 2: 3})\n"
    found = run(source)

    assert found.value("m.x") == ((1, 2), {"k": 3})
    assert found.value("m.y") == ("?m.f.args", {"...": "..."})
    assert found.value("m.z") == ((1,), {"a": 1})


def test_handles_answer_for_themselves(run: Run) -> None:
    source = (
        "h, e = handle('full'), handle()\n"
        "x = [h.a, h(1, 2), 'inside' in h, h[3], hasattr(h, 'there'), hasattr(h, 'no'), list(h), h[:2], [i for i in h]]\n"
        "y = [e.a, e(), e[0], hasattr(e, 'any'), e[1:2] is e, list(e)]\n"
        "h[1] = 2\nif h < 3: a = 1\nif 'z' in e: b = 1\nif e < 3: c = 1\nif 3 > h: d = 1\n"
    )
    found = run(source)

    assert found.value("m.x") == ["gadget a", 2, True, 3, True, False, ["one"], "2", ["one"]]
    assert found.value("m.y") == ["?gadget.a", "?gadget()", "?gadget[0]", True, True, ["..."]]
    assert found.value("m.a") == {"gadget < 3": 1}
    assert found.value("m.b") == {"'z' in gadget": 1}
    assert found.value("m.c") == {"gadget < 3": 1}
    assert found.value("m.d") == {"gadget < 3": 1}
    assert found.probe("set", 1, 2) == "always"
