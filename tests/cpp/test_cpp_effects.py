"""What the records of C++ become for the PyTorch adapter, and under which conditions."""

from __future__ import annotations

from pathlib import Path

import pytest

from opcheck.adapters.torch.records import Defined, Filled
from opcheck.cpp.conditions import condition_of
from opcheck.cpp.effects import FALLTHROUGH, Effect, effects
from opcheck.cpp.read import read_native
from opcheck.cpp.records import Guard
from opcheck.symbolic.values import Unknown
from opcheck_rules.model.condition import Conditions


def effects_of(body: str, opening: str = "TORCH_LIBRARY(ns, m)") -> list[Effect]:
    space = Conditions()
    records = read_native(Path("/p/a.cpp"), f"{opening} {{\n{body}\n}}\n".encode())
    return list(effects(records, space, space.atom("import:pkg._C")))


def conditions(body: str) -> list[str]:
    return [condition.render() for _, condition, _ in effects_of(body)]


def test_definitions_hold_where_the_extension_is_loaded() -> None:
    ((record, condition, span),) = effects_of('m.def("x(Tensor(a!) a, Device device) -> ()");')
    assert isinstance(record, Defined)
    assert (record.op, record.namespace, record.api, record.listing) == ("ns::x", "ns", "define", span)
    assert record.schema is not None
    assert record.schema.mutates
    assert record.schema.takes_device
    assert condition.render() == "import:pkg._C"
    assert (span.line, span.column) == (2, 1)


def test_kernels_fill_slots() -> None:
    (_, (kernel, condition, _)) = effects_of('m.def("x(Tensor a) -> Tensor"); m.impl("x", torch::kCPU, &f);')
    assert isinstance(kernel, Filled)
    assert (kernel.op, kernel.slot, kernel.key, kernel.written) == ("ns::x", "kernel", "CPU", "CPU")
    assert isinstance(kernel.function, Unknown)
    assert kernel.function.text == "f"
    assert (kernel.key_span.column, condition.render()) == (45, "import:pkg._C")


@pytest.mark.parametrize("key", ["CUDA", "SparseCUDA", "QuantizedCUDA", "HIP"])
def test_gpu_kernels_are_there_where_they_were_compiled(key: str) -> None:
    assert conditions(f'm.impl("x", c10::DispatchKey::{key}, &f);') == ["import:pkg._C and built:cuda"]


@pytest.mark.parametrize("key", ["CPU", "Meta", "AutogradCUDA", "CompositeExplicitAutograd"])
def test_other_kernels_are_not_gpu_code(key: str) -> None:
    assert conditions(f'm.impl("x", c10::DispatchKey::{key}, &f);') == ["import:pkg._C"]


def test_what_was_not_read_says_what_it_can() -> None:
    found = effects_of('m.def(name); m.impl("x", keys[i], f); m.impl(name, f); m.impl(a + b, keys[i], f); reg(m);')
    written = [(r.op, r.namespace, getattr(r, "key", None), getattr(r, "text", None)) for r, _, _ in found]
    assert written == [
        (None, "ns", None, ""),
        ("ns::x", "ns", None, "keys[i]"),
        (None, "ns", "CompositeImplicitAutograd", "name"),
        (None, "ns", None, "a + b"),
        (None, "ns", None, "reg(m)"),
    ]


def test_fallthroughs_and_the_missing_derivative_pass_a_key_by() -> None:
    body = (
        'm.impl("x", torch::CppFunction::makeFallthrough());'
        'm.impl("y", torch::autograd::autogradNotImplementedFallback());'
    )
    found = effects_of(body, "TORCH_LIBRARY_IMPL(ns, Autograd, m)")
    assert [getattr(record, "function", None) for record, _, _ in found] == [FALLTHROUGH, FALLTHROUGH]


@pytest.mark.parametrize(
    ("opening", "function", "expected"),
    [
        ("TORCH_LIBRARY_IMPL(_, MPS, m)", "torch::CppFunction::makeFromBoxedFunction<&f>()", [(None, None, "MPS")]),
        ("TORCH_LIBRARY_IMPL(ns, MPS, m)", "f", [(None, "ns", "MPS")]),
        ("TORCH_LIBRARY_IMPL(_, MPS, m)", "torch::CppFunction::makeFallthrough()", []),
        ("TORCH_LIBRARY_IMPL(_, Autocast, m)", "f", []),
    ],
)
def test_fallbacks(opening: str, function: str, expected: list[tuple[str | None, ...]]) -> None:
    found = effects_of(f"m.fallback({function});", opening)
    assert [(record.op, record.namespace, getattr(record, "key", None)) for record, _, _ in found] == expected


def test_code_that_is_never_compiled_has_no_effect() -> None:
    assert conditions('#if 0\nm.def("x() -> ()");\n#else\nm.def("y() -> ()");\n#endif') == ["import:pkg._C"]


MACRO_GUARDS = {
    "defined(A)": "macro:A",
    "A": "macro:A",
    "defined A": "macro:A",
    "!defined(A)": "not macro:A",
    "!defined A": "not macro:A",
    "!A": "not macro:A",
    "!!A": "macro:A",
    "!(A)": "not macro:A",
    "!A == B": "macro:!A == B",
    "defined(A) && !defined(B)": "macro:A and not macro:B",
    "A || B && C": "macro:A or macro:B and macro:C",
    "(A || B) && (C)": "macro:A and macro:C or macro:B and macro:C",
    "(A) == (B)": "macro:(A) == (B)",
    "(A": "macro:(A",
    ")(": "macro:)(",
    "CUDA_VERSION >= 12000": "macro:CUDA_VERSION >= 12000",
    "0": "never",
    "1L": "always",
    "defined(USE_CUDA)": "built:cuda",
    "defined(__CUDACC__) || defined(USE_ROCM)": "built:cuda or built:rocm",
    "!defined(__HIP_PLATFORM_AMD__)": "not built:rocm",
    "USE_XPU": "built:xpu",
    "defined(__CUDA_ARCH__)": "never",
    "defined(__cplusplus)": "always",
    "f(a, b)": "macro:f(a, b)",
    "": "macro:",
}


@pytest.mark.parametrize(("text", "expected"), MACRO_GUARDS.items())
def test_macro_guards(text: str, expected: str) -> None:
    space = Conditions()
    condition = condition_of(space, (Guard(text),))
    assert condition.render() == expected
    assert condition_of(space, (Guard(text, positive=False),)) is ~condition


PROGRAM_GUARDS = {
    "at::hasCUDA()": "torch.cuda.is_available()",
    "torch::cuda::is_available()": "torch.cuda.is_available()",
    "!at::hasMPS()": "not torch.mps.is_available()",
    "true": "always",
    "false || a": "c++:a",
    "for (int i = 0; i < 2; i++)": "c++:for (int i = 0; i < 2; i++)",
}


@pytest.mark.parametrize(("text", "expected"), PROGRAM_GUARDS.items())
def test_program_guards(text: str, expected: str) -> None:
    assert condition_of(Conditions(), (Guard(text, kind="statement"),)).render() == expected


def test_template_guards_and_long_ones_are_one_fact() -> None:
    space = Conditions()
    assert condition_of(space, (Guard("a && b", kind="template"),)).render() == "template:a && b"
    assert condition_of(space, (Guard("a && " * 1_000 + "a"),)).size == 1
    assert condition_of(space, (Guard("(" * 100 + "a" + ")" * 100),)).size == 1


def test_all_guards_have_to_hold() -> None:
    space = Conditions()
    found = condition_of(space, (Guard("A"), Guard("B", positive=False)))
    assert found.render() == "macro:A and not macro:B"
