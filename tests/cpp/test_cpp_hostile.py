"""Whatever a source holds, it is read without an error and in bounded time."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opcheck.cpp.effects import effects
from opcheck.cpp.read import read_native, read_natives
from opcheck_rules.model.condition import Conditions

PATH = Path("/p/a.cu")
OPENING = "TORCH_LIBRARY(ns, m) {\n"
DEFINE = 'm.def("x(Tensor a) -> Tensor", &f);\n'

EXTENSION = """
#pragma once
#ifndef OPS_H_
#define OPS_H_
#include <torch/library.h>
#define NS my_ops
#define REG(name, fn) m.impl(#name, torch::dispatch(c10::DispatchKey::CUDA, TORCH_FN(fn)))
namespace my_ops {
template <typename T> __global__ void kernel(T* x, int n) { if (threadIdx.x < n) { x[0] = '}'; } }
void launch(at::Tensor x) { kernel<float><<<dim3(1), 256, 0, stream>>>(x.data_ptr<float>(), 1); }
static constexpr char kName[] = "my_ops::named";
void register_more(torch::Library& m) {
  m.def(kName, &launch);
  if (!at::hasCUDA()) { return; }
  m.def("more(Tensor x, *, int? n=None) -> (Tensor, Tensor)");
}
TORCH_LIBRARY_FRAGMENT(NS, m) {
  m.set_python_module("my_ops.fakes");
  m.def("add(Tensor x, "  // the first
        R"(Tensor y, str s="\\")"
        ") -> Tensor", {at::Tag::pt2_compliant_tag}).def("sub.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)");
#if defined(USE_CUDA) && !defined(USE_ROCM)
  REG(add, add_cuda);
#elif defined(USE_ROCM)
  m.impl("add", torch::kCUDA, [](const at::Tensor& x, const at::Tensor& y) { return x + y; });
#else
  for (auto key : {c10::kCPU, c10::kXPU}) m.impl("add", key, &add_other);
#endif
  register_more(m);
}
TORCH_LIBRARY_IMPL(my_ops, Autograd, m) { m.impl("add", torch::CppFunction::makeFallthrough()); }
}
#endif
"""
LEGACY = """
/* the old interface */
static auto registry = torch::RegisterOperators()
    .op("old::one", &one)
#ifdef WITH_CUDA
    .op(torch::RegisterOperators::options().schema("old::two(Tensor x) -> Tensor")
            .kernel<decltype(two), &two>(c10::DispatchKey::CUDA).catchAllKernel<decltype(two), &two>())
#endif
    .op("old::three", [](int64_t n) -> int64_t { return n; });
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("f", &f); }
"""
TEMPLATE = """
{% for weighted in [True, False] %}{# note #}
TORCH_LIBRARY_IMPL({{ namespace }}, CUDA, m) {
  {%- if weighted %}
  m.impl("{{ op }}_weighted", &{{ op }}_cuda);
  DISPATCH_TO_CUDA("plain", plain_{{ kind | join(", ") }});
  {%- else %}
  m.impl("unweighted", torch::dispatch("CUDA", unweighted));
  {%- endif %}
}
{% endfor %}
"""
REALISTIC = (EXTENSION, LEGACY, TEMPLATE)
PIECES = (
    *"{}()[]<>;,.#\"'\\\n &|!:=*/",
    *("/*", "*/", "//", 'R"(', ')"', "#if ", "#else\n", "#endif\n", "#define M(x) ", "{%", "%}", "{{", "}}"),
    *("TORCH_LIBRARY(", "m.def(", "m.impl(", "torch::Library& m", "if (", "else ", "return;", "é", "\r\n", "REG("),
    *("\0", "\x1f", "\u02ad"),
)


def read_all(data: bytes) -> int:
    space = Conditions()
    return len(list(effects(read_native(PATH, data), space, space.true)))


@pytest.mark.parametrize("source", REALISTIC)
def test_realistic_sources_are_read(source: str) -> None:
    records = read_native(PATH, source.encode())
    assert sum(record.name is not None for record in records) >= 2
    assert all(record.kind != "unread" for record in records)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(REALISTIC), st.data())
def test_mutations(source: str, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 6))):
        start = data.draw(st.integers(0, len(source)))
        length = data.draw(st.sampled_from((0, 0, 1, 3, 40, 400)))
        source = source[:start] + data.draw(st.sampled_from(PIECES)) + source[start + length :]
    read_all(source.encode())


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(REALISTIC), st.integers(0, 2_000), st.binary(max_size=20))
def test_truncation_and_garbage(source: str, length: int, garbage: bytes) -> None:
    read_all(source.encode()[:length] + garbage)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from((*PIECES, DEFINE, OPENING)), max_size=60))
def test_pieces_in_any_order(pieces: list[str]) -> None:
    read_all("".join(pieces).encode())


@settings(max_examples=50, deadline=None)
@given(st.binary(max_size=500))
def test_binary(data: bytes) -> None:
    read_all(OPENING.encode() + data)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1", "cp1252"])
def test_encodings(encoding: str) -> None:
    bom = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(encoding, b"")
    data = bom + f"// é\n{OPENING}/* é */ {DEFINE}}}\n".encode(encoding)
    first, _ = read_native(PATH, data)
    assert (first.op, first.span.line, first.span.column) == ("ns::x", 3, 9)


def repeated(piece: str, size: int = 50_000) -> str:
    return piece * (size // len(piece))


HEAVY = {
    "braces": OPENING + repeated("{"),
    "parentheses": OPENING + repeated("("),
    "less than": OPENING + repeated(f"m.def({'a<' * 2_000});"),
    "a long statement": f"{OPENING}m.def({repeated('a<')});",
    "a long old statement": f"static auto r = torch::RegisterOperators(){repeated('.op(x, f)')};",
    "casts": OPENING + repeated(f"m.def({'(a)' * 2_000});"),
    "calls": OPENING + repeated("m.def("),
    "definitions": OPENING + repeated(DEFINE),
    "blocks": repeated(f"{OPENING}{DEFINE}}}\n"),
    "controls": OPENING + repeated(f"if (a) {{ {DEFINE}"),
    "returns": OPENING + repeated(f"if (a) return; {DEFINE}"),
    "quotes": OPENING + repeated('"'),
    "comments": OPENING + repeated("/*"),
    "raw strings": OPENING + repeated('R"('),
    "directives": OPENING + repeated(f"#ifdef A\n{DEFINE}"),
    "branches": "#if A\n" + repeated("#elif B\n") + OPENING,
    "template steps": OPENING + repeated("{% if x %}"),
    "open steps": OPENING + repeated("{%"),
    "open notes": "{% x %}" + OPENING + repeated("{#"),
    "holes": OPENING + repeated("{{ a }}"),
    "functions": repeated("void f(torch::Library& m) { f(m); }\n"),
    "functions and calls": f"{OPENING}{repeated('f(m);')}}} void f(torch::Library& m) {{ {repeated(DEFINE)} }}",
    "doubling macros": "#define M(x) M(x); M(x);\n" + OPENING + repeated("M(1);"),
    "exploding macro": f"#define M(x) {'x ' * 10_000}\n{OPENING}M({'a' * 100_000});",
    "growing macros": f"#define M(x) {'x ' * 1_000}\n{OPENING}{repeated(f'M({DEFINE * 9})')}",
    "chains of macros": "".join(f"#define M{i}(x) M{i + 1}(x)\n" for i in range(2_000)) + OPENING + 'M0("x");',
    "splices": OPENING + repeated("\\\n"),
    "zeros": OPENING + repeated("\0"),
}


@pytest.mark.parametrize("source", HEAVY.values(), ids=HEAVY)
def test_heavy_sources(source: str) -> None:
    start = time.process_time()
    read_all(source.encode())
    assert time.process_time() - start < 20


def test_a_source_that_is_too_long_may_register_anything() -> None:
    (record,) = read_native(PATH, OPENING.encode() + b" " * 10_000_000)
    assert (record.kind, record.namespace, record.op) == ("unread", None, None)
    assert (record.span.path, record.span.line) == (str(PATH), 1)


def test_a_source_that_registers_too_much_may_register_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("opcheck.cpp.read.MOST_PARSED", 1_000)
    (record,) = read_native(PATH, OPENING.encode() + DEFINE.encode() * 100)
    assert (record.kind, record.namespace, record.op) == ("unread", None, None)


def test_a_large_source_without_registrations_is_passed_over() -> None:
    kernels = 'void f(int a) { if (a) { g("{"); } }\n' * 80_000
    records = read_natives({PATH: f"{kernels}{OPENING}{DEFINE}}}\n{kernels}"[:3_990_000].encode()})
    assert [record.span.line for record in records] == [80_002, 80_002]
