"""What a project puts around its registrations: macros, functions that take a library, constants."""

from __future__ import annotations

from pathlib import Path

import pytest

from opcheck.cpp.read import read_native, read_natives


def read(*sources: str) -> list[str]:
    files = {Path(f"/p/{index}.cpp"): source.encode() for index, source in enumerate(sources)}
    return [
        " ".join(p for p in (r.kind, r.op or f"{r.namespace or '?'}::{r.name or '?'}", r.key, r.function) if p)
        for r in read_natives(files)
    ]


IMPLICIT = "CompositeImplicitAutograd"
X, Y = 'm.def("x() -> ()");', 'm.def("y() -> ()");'
MACROS = {
    "forwarding": (
        f"#define LIB(NAME, M) TORCH_LIBRARY(NAME, M)\n#define LIB2(N, M) LIB(N, M)\nLIB2(ns, m) {{ {X} }}",
        ["define ns::x"],
    ),
    "forwarding to itself": (f"#define LIB(NAME, M) LIB(NAME, M) TORCH_LIBRARY\nLIB(ns, m) {{ {X} }}", []),
    "namespace": (f"#define NS ns\nTORCH_LIBRARY_EXPAND(NS, m) {{ {X} }}", ["define ns::x"]),
    "with two forms alike": (
        "#ifdef A\n#define LIB(N, M) STABLE_TORCH_LIBRARY(N, M)\n"
        "#else\n#define LIB(N, M) TORCH_LIBRARY(N, M)\n#endif\n"
        f"LIB(ns, m) {{ {X} }}",
        ["define ns::x"],
    ),
    "with two forms": (
        "#define LIB(N, M) TORCH_LIBRARY_IMPL(N, CPU, M)\n#define LIB(N, M) TORCH_LIBRARY_IMPL(ns, CUDA, M)\n"
        'LIB(a, m) { m.impl("x", f); }',
        ["kernel ?::x f"],
    ),
    "in a circle": (
        f"#define A(N, M) B(N, M)\n#define B(N, M) A(N, M) // TORCH_LIBRARY\n#define B(N) RegisterOperators\n"
        f"A(ns, m) {{ {X} }}\nA(ns, m);",
        ["unread ?::?"],
    ),
    "namespace with two values": (
        f"#ifdef A\n#define NS a\n#else\n#define NS b\n#endif\nTORCH_LIBRARY_FRAGMENT(NS, m) {{ {X} }}",
        ["define ?::x"],
    ),
    "namespace by a macro with parameters": (f"#define NS(a) a\nTORCH_LIBRARY(NS, m) {{ {X} }}", ["define ?::x"]),
    "namespace without end": (f"#define A B\n#define B A\nTORCH_LIBRARY(A, m) {{ {X} }}", ["define ?::x"]),
    "key": ('#define KEY XPU\nTORCH_LIBRARY_IMPL(ns, KEY, m) { m.impl("x", f); }', ["kernel ns::x XPU f"]),
    "statement": (
        "#define REG(name, fn) m.impl(#name, torch::kCUDA, &fn##_cuda)\nTORCH_LIBRARY(ns, m) { REG(x, f); }",
        ["kernel ns::x CUDA f_cuda"],
    ),
    "statement without end": (
        "#define REG(name, ...) m.def(name __VA_ARGS__);\n"
        f'TORCH_LIBRARY(ns, m) {{ REG("x", "() -> ()")\nREG("y") {X} }}',
        ["define ns::x", "define ns::y", "define ns::x"],
    ),
    "several statements": (
        '#define BOTH(n) do { m.def(n "() -> ()"); m.impl(n, f); } while (0)\nTORCH_LIBRARY(ns, m) { BOTH("x"); }',
        ["define ns::x", f"kernel ns::x {IMPLICIT} f"],
    ),
    "whole block with two definitions": (
        "#define ALL(ns) TORCH_LIBRARY(ns, m) {}\n#define ALL(ns) TORCH_LIBRARY(ns, a) {}\nALL(a)\n",
        ["unread ?::?"],
    ),
    "quotes": ('#define REG(s) m.def(#s)\nTORCH_LIBRARY(ns, m) { REG(x(str a = "b\\n") -> ()); }', ["define ns::x"]),
    "whole block": (
        '#define ALL(ns, K) TORCH_LIBRARY_IMPL(ns, K, m) { m.impl("x", f); }\nALL(a, CPU)\nALL(b, CUDA);\n',
        ["kernel a::x CPU f", "kernel b::x CUDA f"],
    ),
    "old interface": (
        '#define REG(n, f) static auto r = torch::RegisterOperators().op("ns::" #n, &f)\nREG(x, g);',
        ["define ns::x", f"kernel ns::x {IMPLICIT} g"],
    ),
    "unknown, with a name": ('TORCH_LIBRARY(ns, m) { DISPATCH("x", f); }', ["kernel ns::x"]),
    "unknown, with a schema": ('TORCH_LIBRARY(ns, m) { OP("x(Tensor a) -> ()"); }', ["define ns::x"]),
    "unknown": ("TORCH_LIBRARY(ns, m) { REGISTER_ALL(a) }", ["unread ns::?"]),
    "unknown, of no parameters": ("TORCH_LIBRARY(ns, m) { REGISTER_ALL() }", ["unread ns::?"]),
    "with two definitions": (
        '#define REG(n) m.def(n)\n#define REG(n) m.impl(n)\nTORCH_LIBRARY(ns, m) { REG("x"); }',
        ["kernel ns::x"],
    ),
    "defined twice alike": (
        '#define REG(n) m.def(n)\n#define REG(n) m.def(n)\nTORCH_LIBRARY(ns, m) { REG("x"); }',
        ["define ns::x"],
    ),
    "in an expression": ("#define F(x) x\nTORCH_LIBRARY(ns, m) { F(a).b(); F(a) = 2; G(b }", []),
    "that is a plain name": (f"#define EMPTY\nTORCH_LIBRARY(ns, m) {{ EMPTY {X} EMPTY(); }}", ["unread ns::?"]),
    "without end": ('#define R(n) R(n)\nTORCH_LIBRARY(ns, m) { R("x"); }', ["kernel ns::x"]),
    "outside of a block": ('#define REG(n) m.def(n)\nvoid f() { REG("x"); OTHER("y"); }', []),
    "of its own form": ("#define 1\n#define\n", []),
    "constant": (
        'static constexpr char kX[] = "ns::x";\nconstexpr auto kY = "y";\n'
        'TORCH_LIBRARY(ns, m) { m.def(kX, f); m.def(n::kY, f); m.def("z_" kY); m.def(kZ); }',
        [
            *(record for op in "xy" for record in (f"define ns::{op}", f"kernel ns::{op} {IMPLICIT} f")),
            "define ns::z_y",
            "define ns::?",
        ],
    ),
    "literal without end": ('#define N R"D(x"\nTORCH_LIBRARY(ns, m) { m.def(N); }', ["define ns::?"]),
    "literal": (
        '#define NS "ns::"\n#define ARGS "(Tensor a, " /* b */ "Tensor b)"\n#define BAD f(1)\n'
        'TORCH_LIBRARY(ns, m) { m.def(NS "x" ARGS " -> ()"); m.def(BAD "x"); }',
        ["define ns::x", "define ns::?"],
    ),
}


@pytest.mark.parametrize(("source", "expected"), MACROS.values(), ids=MACROS)
def test_macros(source: str, expected: list[str]) -> None:
    assert read(source) == expected


def test_a_macro_stands_where_it_is_used() -> None:
    source = '#define REG(n) m.def(n)\nTORCH_LIBRARY(ns, m) {\n  REG("x");\n}\n'
    (record,) = read_native(Path("/p/a.cpp"), source.encode())
    assert (record.span.line, record.span.column, record.span.end_column) == (3, 3, 11)
    assert record.key_span == record.span


def test_macros_of_other_sources() -> None:
    header = "#define REG(n, f) m.impl(n, torch::dispatch(c10::DispatchKey::CUDA, TORCH_FN(f)))\n"
    assert read(header, 'TORCH_LIBRARY(ns, m) { REG("x", f); }') == ["kernel ns::x CUDA f"]
    other = "#define REG(n, f) m.impl(n, f)\n"
    assert read(header, other, 'TORCH_LIBRARY(ns, m) { REG("x", f); }') == ["kernel ns::x"]
    assert read(header, f'{other}TORCH_LIBRARY(ns, m) {{ REG("x", f); }}') == [f"kernel ns::x {IMPLICIT} f"]


FUNCTIONS = {
    "before": (
        f"static void reg(torch::Library& m) {{ {X} }}\nTORCH_LIBRARY(ns, lib) {{ reg(lib); }}",
        ["define ns::x"],
    ),
    "after": (
        'TORCH_LIBRARY(ns, m) { a::reg(m); }\nvoid a::reg(torch::Library &l) { l.def("x"); }',
        ["define ns::x"],
    ),
    "of a key": (
        'void reg(torch::Library& m) { m.impl("x", f); }\nTORCH_LIBRARY_IMPL(ns, CUDA, m) { reg(m); }',
        ["kernel ns::x CUDA f"],
    ),
    "for two blocks": (
        f"void reg(torch::Library& m) {{ {X} }}\nTORCH_LIBRARY(a, m) {{ reg(m); }}\nTORCH_LIBRARY(b, m) {{ reg(m); }}",
        ["define a::x", "define b::x"],
    ),
    "through another": (
        f"void one(torch::Library& m) {{ {X} }}\nvoid two(torch::Library& m, int a) {{ one(m); {Y} }}\n"
        "TORCH_LIBRARY(ns, m) { two(m, 1); }",
        ["define ns::x", "define ns::y"],
    ),
    "recursive": (
        f"void reg(torch::Library& m) {{ reg(m); {X} }}\nTORCH_LIBRARY(ns, m) {{ reg(m); reg(m); }}",
        ["define ns::x"],
    ),
    "never called": (f"void reg(int a, torch::Library& m) {{ {X} }}", ["define ?::x"]),
    "never called, qualified": ('void reg(torch::Library& m) { m.def("ns::x() -> ()"); }', ["define ns::x"]),
    "stable": (f"void reg(torch::stable::detail::StableLibrary& m) {{ {X} }}", ["define ?::x"]),
    "without a name": (f"auto reg = [](torch::Library& m) {{ {X} }};", ["define ?::x"]),
    "member": (
        f"struct A {{ static void reg(torch::Library& m) {{ {X} }} }};\nTORCH_LIBRARY(ns, m) {{ A::reg(m); }}",
        ["define ns::x"],
    ),
    "declared": ("void reg(torch::Library& m);\n", []),
    "nowhere": ("TORCH_LIBRARY(ns, m) { reg(m, m); }", ["unread ns::?"]),
    "with parentheses before": (f"void reg(std::function<int(int)> f, torch::Library& m) {{ {X} }}", ["define ?::x"]),
}


@pytest.mark.parametrize(("source", "expected"), FUNCTIONS.values(), ids=FUNCTIONS)
def test_functions_that_take_a_library(source: str, expected: list[str]) -> None:
    assert read(source) == expected


def test_functions_of_other_sources() -> None:
    one = f"void reg(torch::Library& m) {{ {X} }}\n"
    two = f"void reg(torch::Library& m) {{ {Y} }}\nTORCH_LIBRARY(b, m) {{ reg(m); }}\n"
    assert read(one, "TORCH_LIBRARY(a, m) { reg(m); }\n") == ["define a::x"]
    assert sorted(read(one, two)) == ["define b::y"]


def test_a_function_called_from_very_many_blocks() -> None:
    blocks = "".join(f"TORCH_LIBRARY_FRAGMENT(n{i}, m) {{ reg(m); }}\n" for i in range(70))
    records = read(f"void reg(torch::Library& m) {{ {X} }}\n{blocks}")
    assert sum(record.startswith("define") for record in records) == 64
    assert sum(record.startswith("unread") for record in records) == 6
