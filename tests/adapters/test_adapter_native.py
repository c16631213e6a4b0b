"""The native API, read: what each way to declare an op makes of its row."""

from __future__ import annotations

import pytest

from .conftest import Reader

HEAD = """
from opcheck_runtime import FloatArray, Array, enable_features, gated, op
import opcheck_runtime
FAST = __import__("sys").flags.optimize
import other
"""
BODY = "def f(x: FloatArray) -> FloatArray: return x\n"
EMPTY = "def f(x: FloatArray) -> FloatArray: ...\n"

FORWARD = {
    "a body": ("@op(backends=['numpy'])\n" + BODY, "covered:body", "hole"),
    "an empty body": ("@op(backends=['numpy'])\n" + EMPTY, "hole", "hole"),
    "a bare return": ("@op(backends=['numpy'])\ndef f(x: FloatArray): return\n", "hole", "hole"),
    "no more than a string": ("@op(backends=['numpy'])\ndef f(x: FloatArray): 'what it does'\n", "hole", "hole"),
    "no more than an import": (
        "@op(backends=['numpy'])\ndef f(x: FloatArray):\n    import os\n",
        "covered:body",
        "hole",
    ),
    "a list by name": ("LIST = ['numpy']\n@op(backends=LIST)\n" + BODY, "covered:body", "hole"),
    "a lambda": ("f = op(backends=['numpy'])(lambda x: x)", "covered:body", "hole"),
    "a lambda of nothing": ("f = op(backends=['numpy'])(lambda x: None)", "hole", "hole"),
    "a kernel": (
        "@op(backends=['numpy', 'cupy'])\n" + EMPTY + "@f.kernel('numpy')\ndef _(x): return x\n",
        "covered:kernel",
        "hole",
    ),
    "a kernel by call": (
        "@op(backends=['numpy'])\n" + EMPTY + "f.kernel('numpy')(other.g)\n",
        "covered:kernel",
        "hole",
    ),
    "a lambda for a kernel": (
        "@op(backends=['numpy'])\n" + EMPTY + "f.kernel('numpy')(lambda x: x)\n",
        "covered:kernel",
        "hole",
    ),
    "a kernel over a body": (
        "@op(backends=['numpy', 'cupy'])\n" + BODY + "@f.kernel('numpy')\ndef _(x): return x\n",
        "covered:kernel",
        "covered:body",
    ),
    "a gate": ("@op(backends=['numpy', gated('cupy', feature='gpu')])\n" + BODY, "covered:body", "hole"),
    "a list that was not read": ("@op(backends=other.LIST)\n" + BODY, "unknown", "unknown"),
    "a text for a list": ("@op(backends='numpy')\n" + BODY, "unknown", "unknown"),
    "a list read in part": ("@op(backends=['numpy', other.NAME])\n" + BODY, "covered:body", "unknown"),
    "a kernel's backend that was not read": (
        "@op(backends=['numpy', 'cupy'])\n" + EMPTY + "f.kernel('numpy')(other.g)\nf.kernel(other.NAME)(other.g)\n",
        "covered:kernel",
        "unknown",
    ),
    "a kernel of unread backend behind a guard": (
        "@op(backends=['numpy'])\n" + EMPTY + "if other.ON:\n    f.kernel(other.NAME)(other.g)\n",
        "unknown",
        "hole",
    ),
    "a repeated backend": ("@op(backends=['numpy', 'numpy'])\n" + BODY, "covered:body", "hole"),
    "left out on purpose": ("@op(backends=['numpy'], unsupported={'cupy': 'no'})\n" + BODY, "covered:body", "excluded"),
    "left out in a way that was not read": (
        "@op(backends=['numpy'], unsupported=other.NONE)\n" + BODY,
        "covered:body",
        "hole",
    ),
    "what is not a function": (
        "f2 = op(backends=['numpy'])(other.g)\n@op(backends=['numpy'])\n" + BODY,
        "covered:body",
        "hole",
    ),
}


@pytest.mark.parametrize("name", FORWARD)
def test_forward_cells(reader: Reader, name: str) -> None:
    source, numpy, cupy = FORWARD[name]
    read = reader(HEAD + source)
    row = read.names[-1]
    found = [read.status(row, backend, backends=("numpy", "cupy")) for backend in ("numpy", "cupy")]

    assert found == [numpy, cupy]


AUTODIFF = {
    "not declared": ("@op(backends=['numpy'])\n" + BODY, "hole"),
    "declared": ("@op(backends=['numpy'], autodiff=True)\n" + BODY, "hole"),
    "a rule": (
        "@op(backends=['numpy'], autodiff=True)\n" + BODY + "@f.vjp\ndef _(grad, out, x): return grad\n",
        "covered",
    ),
    "a gate": ("@op(backends=['numpy'], autodiff=gated(feature='grad'))\n" + BODY + "f.vjp(other.rule)\n", "hole"),
    "a gate that was not read": ("@op(backends=['numpy'], autodiff=gated(feature=other.F))\n" + BODY, "unknown"),
    "not read": ("@op(backends=['numpy'], autodiff=other.GRAD)\n" + BODY, "unknown"),
}


@pytest.mark.parametrize("name", AUTODIFF)
def test_autodiff_cells(reader: Reader, name: str) -> None:
    source, expected = AUTODIFF[name]
    read = reader(HEAD + source)

    assert read.status("pkg.f", "numpy", "autodiff", backends=("numpy",)) == expected


def test_a_covered_derivative_is_supplied_by_nothing_else(reader: Reader) -> None:
    source = "@op(backends=['numpy'], autodiff=True)\n" + BODY + "@f.vjp\ndef _(grad, out, x): return grad\n"
    outcome = reader(HEAD + source).cell("pkg.f", "numpy", "autodiff").outcomes[0].outcome

    assert outcome.via is None
    assert outcome.span is not None
    assert outcome.reason == f"derivative rule registered at {outcome.span.path}:9"


def test_features_open_gates_from_the_target_or_from_an_earlier_statement(reader: Reader) -> None:
    read = reader(
        HEAD
        + "@op(backends=[gated('numpy', feature='a')])\ndef before(x: FloatArray): return x\n"
        + "enable_features('a', other.NAME)\n"
        + "@op(backends=[gated('numpy', feature='a')])\ndef after(x: FloatArray): return x\n"
    )

    assert read.status("pkg.before", "numpy") == "hole"
    assert read.status("pkg.before", "numpy", features=("a",)) == "covered:body"
    assert read.status("pkg.after", "numpy") == "covered:body"
    assert read.reading.project.features == {"a"}
    assert read.reason("pkg.before", "numpy") == "feature `a` is off"


def test_declarations_under_exclusive_guards_share_a_row(reader: Reader) -> None:
    read = reader(
        HEAD
        + "if FAST:\n    @op(backends=['cupy'])\n    def f(x: FloatArray): return x\n"
        + "else:\n    @op(backends=['numpy'])\n    def f(x: FloatArray): return x\n"
    )

    assert read.status("pkg.f", "numpy") == "conditional"
    assert read.op("pkg.f").listed == ("cupy", "numpy")


def test_a_later_declaration_takes_over(reader: Reader) -> None:
    source = "for name in (1, 2):\n    @op(backends=['numpy'])\n    def f(x: FloatArray): return x\n"
    read = reader(HEAD + source)

    assert read.status("pkg.f", "numpy") == "covered:body"
    assert [r.silent for r in read.registrations("pkg.f", "define")] == [False, True]


def test_guarded_entries_kernels_and_derivatives(reader: Reader) -> None:
    read = reader(
        HEAD
        + "NAME = 'cupy' if FAST else 'numpy'\n"
        + "@op(backends=[NAME, gated('cupy' if FAST else 'numpy', feature='a')], autodiff=True if FAST else False)\n"
        + EMPTY
        + "f.kernel(NAME)(other.g)\n"
    )

    assert read.status("pkg.f", "numpy", assume={"sys.flags.optimize": False}) in ("covered:kernel", "conditional")
    assert {r.key for r in read.registrations("pkg.f", "kernel")} == {"cupy", "numpy"}


ROUTING = {
    "two backends": ("@op(backends=['numpy', 'cupy'])\ndef f(n: int): return n\n", "2 backends"),
    "no backend": ("@op(backends=[])\ndef f(n: int): return n\n", "0 backends"),
    "a derivative": ("@op(backends=['numpy'], autodiff=True)\ndef f(n: int): return n\n", "1 backend and a derivative"),
    "one backend": ("@op(backends=['numpy'])\ndef f(n: int): return n\n", None),
    "not read": ("@op(backends=other.LIST)\ndef f(n: int): return n\n", None),
}


@pytest.mark.parametrize("name", ROUTING)
def test_an_op_without_arrays_has_one_backend(reader: Reader, name: str) -> None:
    source, detail = ROUTING[name]

    assert [fault.detail for fault in reader(HEAD + source).op("pkg.f").routing_faults] == ([detail] if detail else [])


ARRAYS = {
    "x: FloatArray": True,
    "x: opcheck_runtime.IntArray": True,
    "x: 'FloatArray | None'": True,
    "x: None | Array": True,
    "x: Optional[Array]": True,
    "x: typing.Annotated[np.ndarray, 1]": True,
    "x: np.ndarray[int]": True,
    "x: NDArray[np.float64]": True,
    "x: cp.ndarray": True,
    "x: OnlyForTypeCheckers": False,
    "x: BoolArray": True,
    "x: list[Array]": False,
    "x: int": False,
    "x: 'not a type'": False,
    "x: 1": False,
    "x: np.random.Generator": False,
    "x: LOCAL": False,
    "x: make().ndarray": True,
    "*, x: Array": True,
    "x": False,
}


@pytest.mark.parametrize("parameters", ARRAYS)
def test_array_parameters(reader: Reader, parameters: str) -> None:
    imports = (
        "import typing\nfrom typing import Optional\nimport numpy as np\nimport cupy as cp\n"
        "from numpy.typing import NDArray\nLOCAL = 3\n"
    )
    read = reader(HEAD + imports + f"@op(backends=['numpy', 'cupy'])\ndef f({parameters}): return x\n")

    assert (not read.op("pkg.f").routing_faults) is ARRAYS[parameters]


def test_a_kernel_for_an_op_that_nothing_declares_has_no_row(reader: Reader) -> None:
    read = reader(HEAD + "f = other.op\nf.kernel('numpy')(lambda x: x)\n")

    assert read.names == []


def test_an_op_is_its_function_otherwise(reader: Reader) -> None:
    source = "@op(backends=['numpy'])\n" + BODY + "if f.__name__ == 'f':\n    f.kernel('numpy')(other.g)\n"
    read = reader(HEAD + source)

    assert read.status("pkg.f", "numpy") == "covered:kernel"


STUBS = {
    "raise NotImplementedError": ("NotImplementedError", ""),
    "raise NotImplementedError('later')": ("NotImplementedError", "later"),
    "'''Doc.'''\n    raise errors.Missing(f'no {x}')": ("Missing", "no "),
    "raise ValueError('a' + x)": ("ValueError", "a"),
    "raise ValueError(x)": ("ValueError", ""),
    "raise ValueError(f'{x} is bad')": ("ValueError", ""),
    "raise": None,
    "return x": None,
    "x = 1\n    raise ValueError": None,
}


@pytest.mark.parametrize("body", STUBS)
def test_a_kernel_that_only_raises_is_a_stub(reader: Reader, body: str) -> None:
    read = reader(HEAD + f"@op(backends=['numpy'])\ndef f(x: FloatArray):\n    {body}\n")
    stub = read.cell("pkg.f", "numpy").outcomes[0].outcome.stub

    assert (stub and (stub.raises.type, stub.raises.message)) == STUBS[body]


def test_a_stub_is_found_behind_a_partial(reader: Reader) -> None:
    source = "import functools\ndef g(a, x): raise ValueError('no')\n@op(backends=['numpy'])\n" + EMPTY
    read = reader(HEAD + source + "f.kernel('numpy')(functools.partial(g, 1))\n")

    assert read.cell("pkg.f", "numpy").outcomes[0].outcome.stub is not None


def test_an_op_is_written_by_its_name_in_a_guard(reader: Reader) -> None:
    source = (
        "@op(backends=['numpy'])\n"
        + BODY
        + "if f.kernel:\n    pass\nif other.wants(f):\n    f.kernel('numpy')(other.g)\n"
    )
    read = reader(HEAD + source)

    assert read.registrations("pkg.f", "kernel")[0].condition.render() == "other.wants(pkg.f)"


def test_an_entry_that_is_a_guarded_gate(reader: Reader) -> None:
    source = "GPU = gated('cupy' if FAST else 'numpy', feature='gpu')\n@op(backends=(GPU,))\n" + BODY
    read = reader(HEAD + source)

    assert read.op("pkg.f").listed == ("cupy", "numpy")
