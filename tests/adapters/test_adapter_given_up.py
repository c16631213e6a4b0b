"""What a call that was too much to evaluate may have registered."""

from __future__ import annotations

import pytest

from .conftest import Reader

ENDLESS = "    for i in range(10 ** 6):\n        for j in range(10 ** 6): pass\n"
OP = """\
import torch
torch.library.define("ns::op", "(Tensor x) -> Tensor")
torch.library.impl("ns::op", "cpu", lambda x: x)
"""
CALLS = {
    "of a function that registers": (
        f"def setup(n):\n{ENDLESS}    torch.library.impl('ns::op', 'cuda', n)\nsetup(1)",
        "unknown",
    ),
    "of one that calls a function that does": (
        f"def add(n):\n    torch.library.impl('ns::op', 'cuda', n)\ndef setup(n):\n{ENDLESS}    add(n)\nsetup(1)",
        "unknown",
    ),
    "of a class whose objects register": (
        f"class Setup:\n    def __init__(self):\n    {ENDLESS.replace('    for j', '        for j')}"
        "        torch.library.impl('ns::op', 'cuda', self)\nSetup()",
        "unknown",
    ),
    "of a function that registers nothing": (f"def setup(n):\n{ENDLESS}    return n\nsetup(1)", "hole"),
    "in a statement that registers": (
        f"def setup(n):\n{ENDLESS}    return n\nx = [setup(i) for i in range(4)]\n",
        "hole",
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_call_given_up_may_fill_what_is_empty(reader: Reader, name: str) -> None:
    text, cuda = CALLS[name]
    read = reader(OP + text)

    assert read.reading.warnings
    assert (read.status("ns::op", "cpu"), read.status("ns::op", "cuda")) == ("covered:CPU", cuda)


def test_a_cell_that_may_be_filled_so_names_the_call(reader: Reader) -> None:
    read = reader(OP + CALLS["of a function that registers"][0])

    assert read.reason("ns::op", "cuda") == "may be filled by `pkg.setup(1)`, which was too much to evaluate"
    assert "ns" in read.reading.project.open_namespaces


def test_a_guard_on_the_call_is_one_on_what_it_may_fill(reader: Reader) -> None:
    setup = f"def setup(n):\n{ENDLESS}    torch.library.impl('ns::op', 'cuda', n)\n"
    text = setup + "if torch.cuda.is_available():\n    setup(1)"
    read = reader(OP + text)
    found = {
        str(o.outcome.status): o.condition.render() for o in read.cell("ns::op", "cuda", backends=("cpu",)).outcomes
    }

    assert found == {"hole": "always"}
    assert read.status("ns::op", "xpu", backends=("cuda",)) == "unknown"


def test_another_program_fills_nothing(reader: Reader) -> None:
    text = f"import pkg, torch\ndef setup(n):\n{ENDLESS}    torch.library.impl('ns::op', 'cuda', n)\nsetup(1)"

    assert reader({"pkg/__init__.py": OP, "bench.py": text}).status("ns::op", "cuda") == "hole"


def test_what_may_be_defined_so_may_be_asked_for(reader: Reader) -> None:
    text = f"def setup(n):\n{ENDLESS}    torch.library.define('ns::new', n)\nsetup(1)\n"
    asked = 'if hasattr(torch.ops.ns, "new"):\n    torch.library.impl("ns::op", "xpu", lambda x: x)'

    assert reader(OP + asked).status("ns::op", "xpu") == "hole"
    assert reader(OP + text + asked).status("ns::op", "xpu") != "hole"


NATIVE = """\
from opcheck_runtime import FloatArray, op
@op(backends=["numpy"], autodiff=True)
def f(x: FloatArray) -> FloatArray: ...
"""


def test_native_kernels_and_rules_may_be_added_so(reader: Reader) -> None:
    text = f"def setup(n):\n{ENDLESS}    f.kernel('numpy')(n)\n    f.vjp(n)\n"
    called, uncalled = reader(NATIVE + text + "setup(len)"), reader(NATIVE)

    assert (called.status("pkg.f", "numpy"), uncalled.status("pkg.f", "numpy")) == ("unknown", "hole")
    assert called.status("pkg.f", "numpy", "autodiff") == "unknown"
    assert called.status("pkg.f", "cupy", backends=("cupy",)) == "hole"
    assert "may be registered by `pkg.setup(len)`" in called.reason("pkg.f", "numpy")


def test_native_parts_may_be_added_under_the_guard_of_the_call(reader: Reader) -> None:
    text = f"import other\ndef setup(n):\n{ENDLESS}    f.kernel('numpy')(n)\nif other.FAST:\n    setup(len)"
    read = reader(NATIVE + text)

    assert read.status("pkg.f", "numpy", assume={"other.FAST": True}) == "unknown"
    assert read.status("pkg.f", "numpy", assume={"other.FAST": False}) == "hole"


def test_a_second_call_adds_no_world(reader: Reader) -> None:
    text = f"def setup(n):\n{ENDLESS}    f.kernel('numpy')(n)\nsetup(len)\nsetup(max)"

    assert reader(NATIVE + text).reason("pkg.f", "numpy").count("may be registered by") == 1
