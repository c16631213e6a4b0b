"""Names, keys and functions that differ by guard, and what a custom op's object is otherwise."""

from __future__ import annotations

from .conftest import Reader

GUARDED = """
import torch
FAST = torch.cuda.is_available()
def f(x): return x
"""


def test_guarded_names_and_keys_are_spread_out(reader: Reader) -> None:
    read = reader(
        GUARDED
        + """
lib = torch.library.Library("ns", "FRAGMENT")
lib.define("a(Tensor x) -> Tensor")
lib.define(("b" if FAST else "c") + "(Tensor x) -> Tensor")
lib.impl("a", f, "CUDA" if FAST else "CPU")
torch.library.impl("ns::a", ["xpu" if FAST else "mps"], f)
torch.library.register_fake("ns::b" if FAST else "ns::c", f)
"""
    )
    gpu = ("cpu", "cuda")

    assert read.status("ns::a", "cuda", backends=gpu) == "covered:CUDA"
    assert read.status("ns::a", "cpu", backends=gpu) == "hole"
    assert read.status("ns::a", "cpu") == "covered:CPU"
    assert read.status("ns::a", "xpu", backends=gpu) == "covered:XPU"
    assert read.status("ns::b", "cpu", "compile", backends=gpu) == "covered:fake"
    assert read.cell("ns::b").defined is False


def test_a_custom_op_by_a_guarded_name(reader: Reader) -> None:
    read = reader(
        GUARDED
        + """
@torch.library.custom_op("ns::b" if FAST else "ns::c", mutates_args=())
def op(x: torch.Tensor) -> torch.Tensor: return x
op.register_fake(f)
print(op.__name__, op.register_kernel, op._opoverload, op)
"""
    )

    assert read.status("ns::c", "cpu", "compile") == "covered:fake"
    assert read.cell("ns::b").defined is False


def test_a_name_made_of_the_functions_own(reader: Reader) -> None:
    read = reader(
        """
        import torch
        def declare(fn):
            return torch.library.custom_op(f"ns::{fn.__name__}", mutates_args=())(fn)
        @declare
        def first(x: torch.Tensor) -> torch.Tensor: return x
        @torch.library.impl(f"ns::{first.__name__}_more", "cpu")
        def more(x): return x
        """
    )

    assert read.names == ["ns::first", "ns::first_more"]


def test_an_op_whose_function_was_not_read_has_no_more_attributes(reader: Reader) -> None:
    read = reader(
        """
        import torch
        from other import g, name
        op = torch.library.custom_op("ns::op", g, mutates_args=())
        if op.is_fast:
            op.register_kernel("cuda", g)
        later = torch.library.custom_op(name, g, mutates_args=())
        if later.is_fast or later._opoverload.is_fast or op._opoverload.is_fast:
            op.register_kernel("xpu", g)
        """
    )
    guards = [k.condition.render() for k in read.registrations("ns::op", "kernel")]

    assert guards[1:] == [
        "<custom op ns::op>.is_fast",
        "<custom op ?>.is_fast or torch.ops.?.is_fast or torch.ops.ns.op.default.is_fast",
    ]


def test_a_kernel_under_a_guard_before_one_for_all(reader: Reader) -> None:
    read = reader(
        GUARDED
        + """
import os
torch.library.define("ns::op", "(Tensor x) -> Tensor")
torch.library.impl("ns::op", "default", f)
if os.environ["TUNED"] == "1":
    torch.library.impl("ns::op", "cpu", f)
"""
    )
    live = read.cell("ns::op")

    assert live.status == "conditional"
    assert live.is_covered
    assert [o.outcome.via for o in live.outcomes] == ["CPU", "CompositeExplicitAutograd"]


def test_reasons_say_where_a_kernel_is_registered(reader: Reader) -> None:
    read = reader(
        GUARDED + 'torch.library.define("ns::op", "(Tensor x) -> Tensor")\ntorch.library.impl("ns::op", "cpu", f)'
    )
    cell = read.cell("ns::op").outcomes[0].outcome

    assert cell.span is not None
    assert cell.reason == f"kernel for `cpu` registered at {cell.span.path}:6"


def test_an_op_that_was_asked_for_can_be_registered_for(reader: Reader) -> None:
    read = reader(
        """
        import torch
        torch.library.define("ns::op", "(Tensor x) -> Tensor")
        torch.library.define("ns::op.out", "(Tensor x) -> Tensor")
        packet = getattr(torch.ops.ns, "op", None)
        if packet is not None and not packet._dir:
            torch.library.register_kernel(packet.default, "cpu", lambda x: x)
            torch.library.register_kernel(packet.out, "cuda", lambda x: x)
            torch.library.register_fake(getattr(torch.ops.ns, "op"), lambda x: x)
        """
    )
    open_guard = {"torch.ops.ns.op._dir": False}

    assert read.status("ns::op", "cpu", assume=open_guard) == "covered:CPU"
    assert read.status("ns::op.out", "cuda", assume=open_guard) == "covered:CUDA"
    assert read.status("ns::op", "cpu", "compile", assume=open_guard) == "covered:fake"
