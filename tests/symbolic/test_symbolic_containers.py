"""Lists, sets, dictionaries and strings: their methods, and what a guard makes of a change."""

from __future__ import annotations

import pytest
from tests.symbolic.conftest import Run

from opcheck.symbolic.values import DictValue, ListValue

CHANGES: list[tuple[str, object]] = [
    ("x = []\nx.append(1)\nx.extend((2, 3))\nx.insert(0, 0)", [0, 1, 2, 3]),
    ("x = []\nif u.a: x.append(1)\nx.append(2)", [("u.a", 1), 2]),
    ("x = [0]\nif u.a: x += [1, 2]\nelse: x.extend([3])", [0, ("u.a", 1), ("u.a", 2), ("not u.a", 3)]),
    ("x = [0]\ny = x\ny += (1,)", [0, 1]),
    ("x = {1}\nx |= {2}\nx.add(3)\nx.update([4])\nx.discard(1)", [2, 3, 4]),
    ("x = [1, 2]\nif u.a: x.remove(1)", [("not u.a", 1), 2]),
    ("x = [1, 2]\nx.remove(u.b)", [1, 2, "..."]),
    ("x = [1, 2]\nif u.a: x.clear()", [("not u.a", 1), ("not u.a", 2)]),
    ("y = [1]\nx = y.copy()\ny.append(2)", [1]),
    ("x = [1]\nx.pop()", [1, "..."]),
    ("x = {1}.union([2], {3})", [1, 2, 3]),
    ("x = [1]\nx.extend(u.b)", [1, "..."]),
    ("x = [1]\nx.insert(u.b, 2)", [1, "..."]),
    ("x = [1].index", "?list.index"),
    ("x = [1, 2]\nx[0] = 3\nx[-1] = 4", [3, 4]),
    ("x = [1]\nx[5] = 3", [1, "..."]),
    ("x = [1]\nx[u.b] = 3", [1, "..."]),
    ("x = []\nfor i in u.b: x.append(i)", ["?an item of u.b", "..."]),
    ("x = []\nwhile u.b: x.append(1)", [("u.b", 1), "..."]),
    ("x = {}\nx['a'] = 1\nif u.a: x['b'] = 2", {"a": 1, "b": {"u.a": 2}}),
    ("x = {'a': 1}\nif u.a: x['a'] = 2", {"a": {"not u.a": 1, "u.a": 2}}),
    ("x = {}\nx[u.b()] = 1", {"...": "..."}),
    ("x = {'a': 1}\nx.update({'b': 2}, c=3)\nx.update([('d', 4)])", {"a": 1, "b": 2, "c": 3, "d": 4}),
    ("x = {}\nx.update(u.b)", {"...": "..."}),
    ("x = {}\nx.update([1])", {"...": "..."}),
    ("y = {}\nif u.a: y['k'] = 1\nx = {'k': 0}\nx.update(y)", {"k": {"not u.a": 0, "u.a": 1}}),
    ("x = {'a': 1, 'b': 2}\ndel x['a']", {"b": 2}),
    ("x = {'a': 1}\nif u.a: del x['a']", {"a": {"not u.a": 1}}),
    ("x = {'a': 1 if u.a else 2}\nif u.a: del x['a']", {"a": {"not u.a": 2}}),
    ("x = {'a': 1}\ndel x['z'], x[u.b]", {"a": 1}),
    ("x = {'a': 1}\nx.setdefault('a', 2), x.setdefault('b', 3)", {"a": 1, "b": 3}),
    ("y = {'a': 1}\nx = y.copy()\ny['b'] = 2", {"a": 1}),
    ("y = {'a': 1}\nx = [y.pop('a'), y.pop('b', 5), y]", [1, 5, {}]),
    ("x = {}.fromkeys", "?dict.fromkeys"),
    (
        "y = {'a': 1}\nif u.a: y['b'] = 2\nx = [y.items(), y.keys(), y.values()]",
        [[("a", 1), ("u.a", ("b", {"u.a": 2}))], ["a", ("u.a", "b")], [1, ("u.a", {"u.a": 2})]],
    ),
    ("y = {}\nif u.a: y['b'] = 2\nx = y.get('b', 3)", {"not u.a": 3, "u.a": 2}),
    (
        "x = [{'a': 1}.get('a'), {'a': 1}.get('b'), {None: 2}.get(None), {'a': 1}.get(u.b, 0)]",
        [1, None, 2, 0],
    ),
    ("y = {}\ny[u.b()] = 1\nx = [y.get('a', 3), {'a': 1}.get(u.b(), 0)]", ["?dict.get('a')", "?dict.get(u.b())"]),
    ("y = {}\nif u.a: y['k'] = 1\nx = list(y)", [("u.a", "k")]),
    ("a, (b, *c), d = 1, (2, 3, 4), 5\nx = [a, b, c, d]", [1, 2, [3, 4], 5]),
    ("*a, b = 'xyz'\nx = [a, b]", [["x", "y"], "z"]),
    ("a, b = u.b\nx = [a, b]", ["?u.b[0]", "?u.b[1]"]),
    ("a, b = 1, 2, 3\nx = a", "?(1, 2, 3)[0]"),
    ("a, *b, c = 1,\nx = b", "?(1,)[1]"),
    ("y = [1]\nif u.a: y.append(2)\na, b = y\nx = a", "?[1, 2][0]"),
    ("*a = [1]\nx = 1", 1),
    ("[] = ()\n() = []\nx = 1", 1),
    ("u.b.c = 3\nu.b[0] = 3\nx = 1", 1),
    ("x = 5\nx += 1\nx *= 2", 12),
    ("x = 'a'\nif u.a: x += 'b'", {"not u.a": "a", "u.a": "ab"}),
    ("x = [1]\nx *= 2", "?[1] * 2"),
    ("x: int = 3\ny: int", 3),
    ("x = 3\ndel x\nx = 4", 4),
    ("x = 3\nif u.a:\n    del x", 3),
]


@pytest.mark.parametrize(("text", "expected"), CHANGES, ids=[text for text, _ in CHANGES])
def test_changes_hold_under_the_condition_of_their_statement(run: Run, text: str, expected: object) -> None:
    assert run(f"import u\n{text}\n").value("m.x") == expected


STRINGS: list[tuple[str, object]] = [
    ("'a,b'.split(',')", ["a", "b"]),
    ("'a b'.split()", ["a", "b"]),
    ("'a\\nb'.splitlines()", ["a", "b"]),
    ("'a.b.c'.rsplit('.', maxsplit=1)", ["a.b", "c"]),
    ("'a.b'.partition('.')", ("a", ".", "b")),
    ("'-'.join(['a', 'b'])", "a-b"),
    ("'x'.join(u.b)", "?'x'.join(u.b)"),
    ("'{}::{op}'.format('ns', op='f')", "ns::f"),
    ("'{:99999}'.format(1)", "?'{:99999}'.format(1)"),
    ("'{:{}}'.format(1, 9)", "?'{:{}}'.format(1, 9)"),
    ("'abc'.replace('b', 'x')", "axc"),
    ("'Abc'.lower().upper().title()", "Abc"),
    ("'abc'.startswith(('a', 'x'))", True),
    ("'abc'.removeprefix('a').removesuffix('c')", "b"),
    ("'abc'.index('z')", "?'abc'.index('z')"),
    ("'abc'.startswith(u.b)", "?'abc'.startswith(u.b)"),
    ("'abc'.startswith(*u.b)", "?'abc'.startswith()"),
    ("'7'.zfill(3)", "007"),
    ("'7'.zfill(10 ** 9)", "?'7'.zfill(1000000000)"),
    ("'7'.zfill('x')", "?'7'.zfill('x')"),
    ("'abc'.encode", "?'abc'.encode"),
    ("'a'.replace('', 'x' * 90000)[:3]", "?'a'.replace('', 'x' * 90000)[:3]"),
    ("('a' * 40).join(('',) * 4999)[:1]", "?('a' * 40).join(('',) * 4999)[:1]"),
    ("'abc'.split('')", "?'abc'.split('')"),
    ("'a'.join([1])", "?'a'.join([1])"),
]


@pytest.mark.parametrize(("text", "expected"), STRINGS, ids=[text for text, _ in STRINGS])
def test_string_methods(run: Run, text: str, expected: object) -> None:
    assert run(f"import u\nx = {text}\n").value("m.x") == expected


def test_containers_hold_only_so_many_items(run: Run) -> None:
    source = (
        "x = []\nd = {}\nfor i in range(6000):\n    x.append(i)\n    d[i] = i\n"
        "y = [i for i in range(4000)]\nz = y + y\nw = [*y, *y]\ny.extend(y)\n"
        "v = [i for i in range(100) for j in range(100)]\n"
        "t = list(range(5000))\nt.append(1)\nt.insert(0, 1)\n"
    )
    found = run(source)

    for name in "xzwyvtd":
        value = found.raw(f"m.{name}")
        assert isinstance(value, (ListValue, DictValue))
        assert value.is_open
        assert len(value.items) <= 5_000


def test_values_that_contain_themselves_are_written_without_an_end(run: Run) -> None:
    source = (
        "import u\nd = {}\nd['self'] = d\nl = []\nl.append(l)\nt = (l, l)\nx = u(d)\ny = u(l) == u(t)\nz = l == t\n"
        "if l in u.a: a = 1\nif t: b = 1\nk = {t: 1}\nm = d if u.a else l\n"
        "w = 0\nfor i in range(60): w = (w, w)\nv = 0\nfor i in range(60): v = (v, v)\n"
        "same = w if u.a else v\np = w == v\nq = {w: 1}\nr = max(w, v)\ns = f'{w}'\n"
    )
    found = run(source)

    assert found.value("m.x") == "?m:7"
    assert found.value("m.k") == {"...": "..."}
    assert found.value("m.q") == {"...": "..."}
    assert str(found.value("m.r")).startswith("?")
