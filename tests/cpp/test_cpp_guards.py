"""Under which conditions a registration stands: the preprocessor, templates, and the running program."""

from __future__ import annotations

from pathlib import Path

import pytest

from opcheck.cpp.read import read_native
from opcheck.cpp.records import Guard


def guards(source: str) -> list[tuple[str, str]]:
    """Each op with its guards in one line, `!` before one that is negated."""
    records = read_native(Path("/p/a.cpp"), source.encode())
    return [(record.name or "?", " & ".join(map(written, record.guards))) for record in records]


def written(guard: Guard) -> str:
    return f"{'' if guard.positive else '!'}{guard.text}"


def inside(body: str) -> list[tuple[str, str]]:
    return guards(f"TORCH_LIBRARY(ns, m) {{\n{body}\n}}\n")


X, Y, Z = (f'm.def("{name}() -> ()");' for name in "xyz")

PREPROCESSOR = {
    "ifdef": (f"#ifdef A\n{X}\n#endif\n{Y}", [("x", "defined(A)"), ("y", "")]),
    "ifndef": (f"#ifndef A\n{X}\n#endif", [("x", "!defined(A)")]),
    "if": (f"#if defined(A) && !defined(B)\n{X}\n#endif", [("x", "defined(A) && !defined(B)")]),
    "else": (f"#ifdef A\n{X}\n#else\n{Y}\n#endif", [("x", "defined(A)"), ("y", "!defined(A)")]),
    "elif": (
        f"#if A\n{X}\n#elif B // note\n{Y}\n#else\n{Z}\n#endif",
        [("x", "A"), ("y", "!A & B"), ("z", "!A & !B")],
    ),
    "elifdef": (
        f"#ifdef A\n#elifdef B\n{X}\n#elifndef C\n{Y}\n#endif",
        [("x", "!defined(A) & defined(B)"), ("y", "!defined(A) & !defined(B) & !defined(C)")],
    ),
    "nested": (f"#ifdef A\n#if B\n{X}\n#endif\n{Y}\n#endif", [("x", "defined(A) & B"), ("y", "defined(A)")]),
    "spaces": (f"  #  if  A  &&  \\\n  B /* why */\n{X}\n # endif", [("x", "A && B")]),
    "comment": (f"/*\n#ifdef A\n*/\n{X}\n// #endif", [("x", "")]),
    "stray": (f"#else\n#endif\n#elif X\n{X}", [("x", "")]),
    "no directive": (f"#\n#!\n{X}", [("x", "")]),
    "header": (f"#ifndef H_\n#define H_\n{X}\n#endif", [("x", "")]),
    "header by if": (f"#if !defined(H_)\n#define H_ 1\n{X}\n#else\n{Y}\n#endif", [("x", ""), ("y", "")]),
    "no header": (f"#ifndef A\n#define B\n{X}\n#endif", [("x", "!defined(A)")]),
    "once": (f"#pragma once\n{X}", [("x", "")]),
    "inside a chain": (
        'm.def("x() -> ()")\n#ifdef A\n.impl("x", f)\n#endif\n.def("y() -> ()");',
        [("x", ""), ("x", "defined(A)"), ("y", "")],
    ),
    "inside a schema": ('m.def("x(int a"\n#ifdef A\n", int b"\n#endif\n") -> ()");', [("x", "")]),
    "inside a name": ('m.def("x"\n#ifdef A\n"_a"\n#endif\n"(int a) -> ()");', [("?", "")]),
    "before a name": ("m.def(\n#ifdef A\nNAME\n#else\nOTHER\n#endif\n);", [("?", "")]),
    "branches of an if": (
        f"#ifdef A\nif (a) {{\n#else\nif (b) {{\n#endif\n{X}\n}}\n{Y}",
        [("x", "b"), ("y", "")],
    ),
}


@pytest.mark.parametrize(("body", "expected"), PREPROCESSOR.values(), ids=PREPROCESSOR)
def test_preprocessor_conditions(body: str, expected: list[tuple[str, str]]) -> None:
    assert inside(body) == expected


def test_a_schema_that_is_cut_up_is_not_read() -> None:
    body = 'TORCH_LIBRARY(ns, m) { m.def("x(int a"\n#ifdef A\n", int b"\n#endif\n") -> ()"); }'
    (record,) = read_native(Path("/p/a.cpp"), body.encode())
    assert (record.op, record.schema) == ("ns::x", None)


def test_conditions_around_blocks_and_functions() -> None:
    source = (
        f"#ifdef F\nvoid f(torch::Library& m) {{ {X} }}\n#endif\n"
        "#ifdef B\nTORCH_LIBRARY(ns, m) {\n#ifdef C\nf(m);\n#endif\n}\n#endif\n"
    )
    assert guards(source) == [("x", "defined(B) & defined(C) & defined(F)")]


def test_two_openings_of_one_block() -> None:
    source = f"#ifdef A\nTORCH_LIBRARY(a, m) {{\n#else\nTORCH_LIBRARY(b, m) {{\n#endif\n{X}\n}}\n"
    records = read_native(Path("/p/a.cpp"), source.encode())
    assert [(r.kind, r.namespace, written(r.guards[0])) for r in records] == [
        ("unread", "a", "defined(A)"),
        ("define", "b", "!defined(A)"),
    ]


PROGRAM = {
    "if": (f"if (a) {{ {X} }} {Y}", [("x", "a"), ("y", "")]),
    "else": (f"if (a) {{ {X} }} else {{ {Y} }} {Z}", [("x", "a"), ("y", "!a"), ("z", "")]),
    "else if": (
        f"if (a) {{ {X} }} else if (b()) {{ {Y} }} else {{ {Z} }}",
        [("x", "a"), ("y", "!a & b()"), ("z", "!a & !b()")],
    ),
    "without braces": (f"if (a) {X} else {Y} {Z}", [("x", "a"), ("y", "!a"), ("z", "")]),
    "constexpr": (f"if constexpr (a) {X}", [("x", "a")]),
    "loop": (f"for (int i = 0; i < 2; i++) {{ {X} }}", [("x", "for (int i = 0; i < 2; i++)")]),
    "loop over names": ('for (auto n : {"a", "b"}) m.def(n);', [("?", 'for (auto n : {"a", "b"})')]),
    "while": (f"while (a) {X}", [("x", "while (a)")]),
    "nested": (f"if (a) {{ if (b) {{ {X} }} {Y} }}", [("x", "a & b"), ("y", "a")]),
    "plain braces": (f"if (a) {{ {{ {X} }} }}", [("x", "a")]),
    "return": (f"if (!a) {{ return; }} {X}", [("x", "!!a")]),
    "return without braces": (f"if (a) return; {X}", [("x", "!a")]),
    "nested return": (f"if (a) {{ if (b) return; }} {X}", [("x", "!a && b")]),
    "return of an else": (f"if (a) {X} else return; {Y}", [("x", "a"), ("y", "a")]),
    "return of a negation": (f"if (a) {{}} else {{ if (b) return; }} {X}", [("x", "!!(a) && b")]),
    "last return": (f"{X} return; {Y}", [("x", ""), ("y", "")]),
    "return of a function inside": (f"auto f = [](int a) {{ if (a) return; }}; {X}", [("x", "")]),
    "stray else": (f"else {X}", [("x", "")]),
    "unclosed": ('if (a m.def("x() -> ()");', [("?", "")]),
}


@pytest.mark.parametrize(("body", "expected"), PROGRAM.values(), ids=PROGRAM)
def test_conditions_of_the_program(body: str, expected: list[tuple[str, str]]) -> None:
    assert inside(body) == expected


def test_templates_are_conditions_too() -> None:
    body = (
        f"{{% if gpu %}}\n{X}\n{{% else %}}\n{Y}\n{{%- endif %}}\n{{# note {{ #}}\n"
        f'{{%- for d in dims %}} {{% set a = b %}}\n{Z} m.impl("z", f_{{{{ d }}}});\n{{%- endfor %}}'
    )
    assert inside(body) == [("x", "gpu"), ("y", "!gpu"), ("z", "for d in dims"), ("z", "for d in dims")]


def test_a_template_and_the_preprocessor_may_cross() -> None:
    assert inside(f"#ifdef A\n{{% if b %}}\n#endif\n{X}\n{{% endif %}}\n{Y}") == [("x", "b"), ("y", "")]


def test_a_broken_template_ends_with_the_source() -> None:
    assert inside(f"{X}\n{{% if a\n{Y}") == [("x", ""), ("?", "")]


def test_bounds_on_conditions() -> None:
    deep = "#ifdef A\n" * 100 + X
    ((_, found),) = inside(deep)
    assert found == "defined(A)"
    wide = "#if A0\n" + "".join(f"#elif A{i}\n" for i in range(1, 100)) + X
    ((_, found),) = inside(wide)
    assert found.count("&") == 31
    ((_, found),) = inside("if (a) " * 20 + X)
    assert found == "a"
    many = "".join(f"if (a{i}) return;" for i in range(50)) + X
    ((_, found),) = inside(many)
    assert found.count("&") == 31
