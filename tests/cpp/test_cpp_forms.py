"""Each way a registration is written, and what is read of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from opcheck.cpp.needles import has_needle
from opcheck.cpp.read import read_native, read_natives
from opcheck.cpp.records import NativeRecord

IMPLICIT = "CompositeImplicitAutograd"
PATH = Path("/project/csrc/ops.cpp")


def read(source: str) -> list[NativeRecord]:
    return read_native(PATH, source.encode())


def brief(record: NativeRecord) -> str:
    """`kind op key function`, with what is None left out, and `?` for an op that was not read."""
    op = record.op or f"{record.namespace or '?'}::{record.name or '?'}"
    parts = (record.kind, op, record.key, record.function)
    return " ".join(part for part in parts if part)


def block(body: str, opening: str = "TORCH_LIBRARY(ns, m)") -> str:
    return f"#include <torch/library.h>\n\n{opening} {{\n  {body}\n}}\n"


IN_A_BLOCK = {
    "schema": ('m.def("x(Tensor a) -> Tensor");', ["define ns::x"]),
    "name and function": ('m.def("x", &f);', ["define ns::x", f"kernel ns::x {IMPLICIT} f"]),
    "schema and function": ('m.def("x(Tensor a) -> Tensor", f);', ["define ns::x", f"kernel ns::x {IMPLICIT} f"]),
    "function object": ('m.def("x() -> ()", TORCH_FN(f));', ["define ns::x", f"kernel ns::x {IMPLICIT} f"]),
    "lambda": ('m.def("x", [](Tensor a) { return g("y(");});', ["define ns::x", f"kernel ns::x {IMPLICIT} lambda"]),
    "definition for a key": ('m.def("x", torch::dispatch("CPU", f));', ["define ns::x", "kernel ns::x CPU f"]),
    "tags": ('m.def("x() -> ()", {at::Tag::pt2_compliant_tag});', ["define ns::x"]),
    "named tags": ('m.def("x() -> ()", {PT2_TAG}, torch::_RegisterOrVerify::VERIFY);', ["define ns::x"]),
    "tags after a function": (
        'm.def("x() -> ()", &f, {at::Tag::core});',
        ["define ns::x", f"kernel ns::x {IMPLICIT} f"],
    ),
    "overload": ('m.def("x.out(Tensor a) -> Tensor");', ["define ns::x.out"]),
    "qualified": ('m.def("other::x() -> ()");', ["define other::x"]),
    "wrapped schema": ('m.def(torch::schema("x() -> ()", c10::AliasAnalysisKind::PURE_FUNCTION));', ["define ns::x"]),
    "alias analysis": ('m.def("x() -> ()", c10::AliasAnalysisKind::CONSERVATIVE);', ["define ns::x"]),
    "selective schema": ('m.def(TORCH_SELECTIVE_SCHEMA("ns::x() -> ()"));', ["define ns::x"]),
    "selective name": ('m.impl(TORCH_SELECTIVE_NAME("ns::x"), f);', [f"kernel ns::x {IMPLICIT} f"]),
    "adjacent literals": ('m.def("x(Tensor a, "\n "Tensor b)"  " -> ()");', ["define ns::x"]),
    "comment between literals": ('m.def("x(Tensor a, " // first\n /* second */ "Tensor b) -> ()");', ["define ns::x"]),
    "raw string": ('m.def(R"(x(Tensor a) -> Tensor)");', ["define ns::x"]),
    "raw string with a fence": ('m.def(R"DOC(x(str s = ")") -> ())DOC");', ["define ns::x"]),
    "raw and plain": ('m.def("x(Tensor a" R"(, Tensor b))" " -> Tensor");', ["define ns::x"]),
    "chain": (
        'm.def("x() -> ()").def("y() -> ()").impl("x", f);',
        ["define ns::x", "define ns::y", f"kernel ns::x {IMPLICIT} f"],
    ),
    "device": ('m.impl("x", torch::kCUDA, &f);', ["kernel ns::x CUDA f"]),
    "device type": ('m.impl("x", c10::DeviceType::XPU, f);', ["kernel ns::x XPU f"]),
    "key": ('m.impl("x", c10::DispatchKey::PrivateUse1, f);', ["kernel ns::x PrivateUse1 f"]),
    "dispatch": ('m.impl("x", torch::dispatch(c10::DispatchKey::CUDA, TORCH_FN(n::f)));', ["kernel ns::x CUDA n::f"]),
    "dispatch by name": ('m.impl("x", torch::dispatch("SparseCPU", &f));', ["kernel ns::x SparseCPU f"]),
    "dispatch of a lambda": (
        'm.impl("x", torch::dispatch(c10::kCPU, [](int a) { m(); }));',
        ["kernel ns::x CPU lambda"],
    ),
    "renamed key": ('m.impl("x", c10::DispatchKey::CatchAll, f);', [f"kernel ns::x {IMPLICIT} f"]),
    "unknown key": ('m.impl("x", key, f);', ["kernel ns::x f"]),
    "no key at all": ('m.impl("x", keys[0], f);', ["kernel ns::x f"]),
    "template function": ('m.impl("x", torch::kCPU, TORCH_FN((f<int, true>)));', ["kernel ns::x CPU f<int, true>"]),
    "boxed": ('m.impl("x", TORCH_BOX(&f));', [f"kernel ns::x {IMPLICIT} f"]),
    "unboxed": ('m.impl_UNBOXED("x", f);', [f"kernel ns::x {IMPLICIT} f"]),
    "fallthrough": (
        'm.impl("x", torch::CppFunction::makeFallthrough());',
        [f"kernel ns::x {IMPLICIT} torch::CppFunction::makeFallthrough()"],
    ),
    "pointer to the library": ('m->def("x() -> ()");', ["define ns::x"]),
    "of no interest": ('m.set_python_module("a.b"); m.impl_abstract_pystub("a.b"); (void)m; int a = 1;', []),
    "class": ('m.class_<C>("C").def(torch::init<>()).def("run", &C::run);', []),
    "check": ("TORCH_CHECK(true); LOG(INFO); C10_UNUSED(x);", []),
    "functions inside": (
        'm.def("x", [](int a) { if (a) { g([]{ h(); }); } }).def("y() -> ()");',
        ["define ns::x", f"kernel ns::x {IMPLICIT} lambda", "define ns::y"],
    ),
    "roundabout": ('(*m).def("x"); f().impl("x", m); x[0](m); m.a.def("x");', ["unread ns::?"] * 4),
    "name from a variable": ("m.def(name);", ["define ns::?"]),
    "name from a call": ('m.impl(std::string("a") + b, f);', [f"kernel ns::? {IMPLICIT} f"]),
    "not a name": ('m.def("a b");', ["define ns::?"]),
    "literal with a variable": ('m.def("x(" ARGS ") -> ()");', ["define ns::?"]),
    "template of a name": ('m.def("{{ name }}_cuda(Tensor a) -> Tensor");', ["define ns::?"]),
    "no arguments": ("m.def();", ["unread ns::?"]),
    "broken call": ('m.def("x() -> ()" m.impl("y", f);', ["unread ns::?", "define ns::?"]),
    "broken name": ("m.def(@ , f);", ["define ns::?", f"kernel ns::? {IMPLICIT} f"]),
    "broken function": ('m.def("x() -> ()", f g h);', ["unread ns::?"]),
    "handed to what is not there": ("registerMore(m);", ["unread ns::?"]),
    "kept": ("auto& library = m;", ["unread ns::?"]),
    "character": ("char a = '\"'; m.def(\"x() -> ()\"); char b = L'{';", ["define ns::x"]),
    "not ASCII": ('/* größe */ m.def("x() -> ()", größe);', ["define ns::x", f"kernel ns::x {IMPLICIT} größe"]),
    "line splice in a literal": ('m.def("x(Tensor a, \\\n Tensor b) -> ()");', ["define ns::x"]),
    "escapes": (r'm.def("x(str s=\"a\\n\") -> ()");', ["define ns::x"]),
    "wide literal": ('m.def(u8"x() -> ()");', ["define ns::x"]),
    "literal without end": ('m.def("x() -> ()\n);', ["define ns::?"]),
    "in parentheses": ('m.def(("x() -> ()"));', ["define ns::x"]),
    "statement without end": ('m.def("x() -> ()")', ["define ns::x"]),
    "fallback": (
        "m.fallback(torch::CppFunction::makeFallthrough());",
        [f"fallback ns::? {IMPLICIT} torch::CppFunction::makeFallthrough()"],
    ),
    "empty fallback": ("m.fallback();", ["unread ns::?"]),
    "unknown method": ('m.reset(); m.something("x");', []),
}


@pytest.mark.parametrize(("body", "expected"), IN_A_BLOCK.values(), ids=IN_A_BLOCK)
def test_statements_of_a_block(body: str, expected: list[str]) -> None:
    assert [brief(record) for record in read(block(body))] == expected


OPENINGS = {
    "TORCH_LIBRARY(ns, m)": f"kernel ns::x {IMPLICIT} f",
    "TORCH_LIBRARY_FRAGMENT(ns, m)": f"kernel ns::x {IMPLICIT} f",
    "TORCH_LIBRARY_IMPL(ns, CUDA, m)": "kernel ns::x CUDA f",
    "TORCH_LIBRARY_IMPL(ns, Autograd, m)": "kernel ns::x Autograd f",
    "TORCH_LIBRARY_IMPL(ns, DEVICE_KEY, m)": "kernel ns::x f",
    "STABLE_TORCH_LIBRARY(ns, m)": f"kernel ns::x {IMPLICIT} f",
    "STABLE_TORCH_LIBRARY_FRAGMENT(ns, m)": f"kernel ns::x {IMPLICIT} f",
    "STABLE_TORCH_LIBRARY_IMPL(ns, MPS, m)": "kernel ns::x MPS f",
    "TORCH_LIBRARY_EXPAND(ns, m)": f"kernel ns::x {IMPLICIT} f",
    "TORCH_LIBRARY_IMPL_EXPAND(ns, CPU, m)": "kernel ns::x CPU f",
    "TORCH_LIBRARY_IMPL(ns, m)": "kernel ns::x f",
    "TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, m)": f"kernel ?::x {IMPLICIT} f",
    "TORCH_LIBRARY_IMPL(MY_NS, CPU, m)": "kernel ?::x CPU f",
    "TORCH_LIBRARY({{ namespace }}, m)": f"kernel ?::x {IMPLICIT} f",
    "TORCH_LIBRARY(a b, m)": f"kernel ?::x {IMPLICIT} f",
}


@pytest.mark.parametrize(("opening", "expected"), OPENINGS.items(), ids=OPENINGS)
def test_openings(opening: str, expected: str) -> None:
    assert [brief(record) for record in read(block('m.impl("x", f);', opening))] == [expected]


def test_no_library_from_a_wrong_number_of_arguments() -> None:
    assert read(block('m.impl("x", f);', "TORCH_LIBRARY(ns)")) == []


def test_an_unread_namespace_keeps_what_is_written_for_when_the_extension_is_known() -> None:
    (record,) = read(block('m.def("x() -> ()");', "TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, m)"))
    assert record.namespace_text == "TORCH_EXTENSION_NAME"
    assert record.in_extension("_C").op == "_C::x"
    (other,) = read(block('m.def("x() -> ()");'))
    assert other.in_extension("_C") is other


def test_an_unread_key_keeps_what_is_written() -> None:
    (inherited,) = read(block('m.impl("x", f);', "TORCH_LIBRARY_IMPL(ns, DEVICE_KEY, m)"))
    (named,) = read(block('m.impl("x", some::key, f);'))
    assert (inherited.key_text, named.key_text) == ("DEVICE_KEY", "some::key")


def test_schemas_are_joined_and_put_on_one_line() -> None:
    (record,) = read(block('m.def("x(Tensor a,\\n  "  // note\n R"(  int b) )" "-> (Tensor, int)");'))
    assert record.schema == "(Tensor a, int b) -> (Tensor, int)"


OPERATORS = {
    "function": ('.op("ns::x", &f)', ["define ns::x", f"kernel ns::x {IMPLICIT} f"]),
    "schema": ('.op("ns::x(Tensor a) -> Tensor", f)', ["define ns::x", f"kernel ns::x {IMPLICIT} f"]),
    "schema alone": ('.op("ns::x() -> ()")', ["define ns::x"]),
    "chain": (
        '.op("ns::x", &f)\n  .op("ns::y", &g)',
        ["define ns::x", f"kernel ns::x {IMPLICIT} f", "define ns::y", f"kernel ns::y {IMPLICIT} g"],
    ),
    "option": (
        '.op("ns::x", torch::RegisterOperators::options().kernel(c10::DispatchKey::CPU, &f))',
        ["define ns::x", "kernel ns::x CPU f"],
    ),
    "options": (
        '.op(c10::RegisterOperators::options().schema("ns::x() -> ()")'
        ".kernel<decltype(f), &f>(c10::DispatchKey::CPU).kernel<decltype(g), &g>(c10::DispatchKey::CUDA))",
        ["define ns::x", "kernel ns::x CPU f", "kernel ns::x CUDA g"],
    ),
    "functor": (
        '.op("ns::x", options().kernel<F>(QuantizedCPUTensorId()))',
        ["define ns::x", "kernel ns::x QuantizedCPU F"],
    ),
    "catch-all": (
        '.op("ns::x", torch::RegisterOperators::options().catchAllKernel<decltype(f), &f>())',
        ["define ns::x", f"kernel ns::x {IMPLICIT} f"],
    ),
    "catch-all function": (
        '.op("ns::x", torch::RegisterOperators::options().catchAllKernel(f))',
        ["define ns::x", f"kernel ns::x {IMPLICIT}"],
    ),
    "no kernel": ('.op("ns::x", torch::RegisterOperators::options().aliasAnalysis(A))', ["define ns::x"]),
    "empty": (".op()", []),
}


@pytest.mark.parametrize(("chain", "expected"), OPERATORS.values(), ids=OPERATORS)
def test_the_old_interface(chain: str, expected: list[str]) -> None:
    records = read(f"static auto registry =\n  torch::RegisterOperators(){chain};\n")
    assert [brief(record) for record in records] == expected
    assert all(record.legacy for record in records)


def test_an_unread_old_form_may_register_anything() -> None:
    assert [brief(r) for r in read('static torch::RegisterOperators registry("ns::x", &f);')] == ["unread ?::?"]
    assert read("using torch::RegisterOperators; class RegisterOperators final {};") == []


LIBRARIES = {
    "auto m = MAKE_TORCH_LIBRARY(ns);": ["unread ns::?"],
    "auto m = MAKE_TORCH_LIBRARY_IMPL(ns, CUDA);": ["unread ns::?"],
    'static torch::Library m(torch::Library::IMPL, "aten");': ["unread ?::?"],
    "using torch::Library;": [],
}


@pytest.mark.parametrize(("source", "expected"), LIBRARIES.items(), ids=LIBRARIES)
def test_library_objects(source: str, expected: list[str]) -> None:
    assert [brief(record) for record in read(source)] == expected


LOOK_ALIKES = (
    'PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("x", &f); }',
    'void bind(py::module& m) { m.def("x", &f); m.impl("y", g); }',
    'static auto c = torch::class_<C>("ns", "C").def("run", &C::run);',
    "torch::Library& Library::def(const char* name) & { return m.def(name); }",
    '// TORCH_LIBRARY(ns, m) { m.def("x() -> ()"); }',
    '/* TORCH_LIBRARY(ns, m) { m.def("x() -> ()"); } */',
    'const char* text = R"(\nTORCH_LIBRARY(ns, m) { m.def("x() -> ()"); })";',
    '#define ALL TORCH_LIBRARY(ns, m) { m.def("x() -> ()"); }',
)


@pytest.mark.parametrize("source", LOOK_ALIKES)
def test_look_alikes(source: str) -> None:
    assert read(source) == []


def test_spans_are_lines_and_characters() -> None:
    source = '/* é */ TORCH_LIBRARY_IMPL(ns, CUDA, m) {\n  /* é */ m.impl("x", f).impl("y",\n torch::kCPU, g);\n}\n'
    first, second = read(source)
    assert (first.span.path, first.span.line, first.span.column) == (str(PATH), 2, 11)
    assert (first.span.end_line, first.span.end_column) == (2, 25)
    assert (first.key_span.line, first.key_span.column, first.key_span.end_column) == (1, 9, 40)
    assert (second.span.line, second.span.column, second.span.end_line, second.span.end_column) == (2, 26, 3, 17)
    assert (second.key_span.line, second.key_span.column, second.key_span.end_column) == (3, 2, 13)


def test_sources_are_chosen_by_needles() -> None:
    assert has_needle(b"x TORCH_LIBRARY_IMPL(a, b, c)")
    assert not has_needle(b"int main() {}")


def test_several_sources_are_read_in_order() -> None:
    one, two = Path("/p/a.cpp"), Path("/p/b.cu")
    records = read_natives({two: block('m.def("y() -> ()");').encode(), one: block('m.def("x() -> ()");').encode()})
    assert [(record.span.path, record.op) for record in records] == [(str(one), "ns::x"), (str(two), "ns::y")]
