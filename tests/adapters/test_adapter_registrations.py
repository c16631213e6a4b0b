"""Which cells each of PyTorch's registration APIs fills."""

from __future__ import annotations

import pytest

from .conftest import Reader

HEAD = """\
import torch
from torch import Tensor
from torch.library import Library, custom_op, define, impl, register_autograd, register_fake, register_kernel

def f(x): return x

def g(x: Tensor) -> Tensor: return x.clone()

"""
DEFINE = 'define("ns::op", "(Tensor x) -> Tensor")\n'
CUSTOM = 'op = custom_op("ns::op", g, mutates_args=())\n'
CPU_ONLY = 'op = custom_op("ns::op", g, mutates_args=(), device_types="cpu")\n'
LIBRARY = 'lib = Library("ns", "DEF")\nlib.define("op(Tensor x) -> Tensor")\n'
EXPLICIT, IMPLICIT = "covered:CompositeExplicitAutograd", "covered:CompositeImplicitAutograd"

FORWARD = {
    "a definition alone": (DEFINE, "hole", "hole"),
    "impl for a device": (DEFINE + 'impl("ns::op", "cpu", f)', "covered:CPU", "hole"),
    "impl for a key": (DEFINE + 'impl("ns::op", "CUDA", f)', "hole", "covered:CUDA"),
    "impl for several": (DEFINE + 'impl("ns::op", ["cpu", "cuda"])(f)', "covered:CPU", "covered:CUDA"),
    "impl as a decorator": (DEFINE + '@impl("ns::op", "cpu")\ndef h(x): return x', "covered:CPU", "hole"),
    "impl for all": (DEFINE + 'impl("ns::op", "default", f)', EXPLICIT, EXPLICIT),
    "impl in a library": (DEFINE + 'impl("ns::op", "cpu", f, lib=Library("ns", "FRAGMENT"))', "covered:CPU", "hole"),
    "register_kernel": (DEFINE + 'register_kernel("ns::op", "cuda", f)', "hole", "covered:CUDA"),
    "register_kernel for all": (DEFINE + 'register_kernel("ns::op", None)(f)', EXPLICIT, EXPLICIT),
    "register_kernel by reference": (
        DEFINE + 'register_kernel(torch.ops.ns.op.default, "cpu", f)',
        "covered:CPU",
        "hole",
    ),
    "the older define": (
        'lib = Library("ns", "FRAGMENT")\n@torch.library.define(lib, "op(Tensor x) -> Tensor")\ndef h(x): return x',
        IMPLICIT,
        IMPLICIT,
    ),
    "the older define in a library with a key": (
        'lib = Library("ns", "FRAGMENT", "CUDA")\n@define(lib, "op(Tensor x) -> Tensor")\ndef h(x): return x',
        "hole",
        "covered:CUDA",
    ),
    "the older impl": (LIBRARY + '@impl(lib, "op", "CPU")\ndef h(x): return x', "covered:CPU", "hole"),
    "the older impl without a key": (LIBRARY + '@impl(lib, "op")\ndef h(x): return x', IMPLICIT, IMPLICIT),
    "a library": (LIBRARY + 'lib.impl("op", f, "CUDA")', "hole", "covered:CUDA"),
    "a library's full name": (LIBRARY + 'lib.impl("ns::op", f, "CUDA")', "hole", "covered:CUDA"),
    "a library's reference": (LIBRARY + 'lib.impl(torch.ops.ns.op.default, f, "CPU")', "covered:CPU", "hole"),
    "a library without a key": (LIBRARY + 'lib.impl("op", f)', IMPLICIT, IMPLICIT),
    "a library with a key": (LIBRARY + 'Library("ns", "IMPL", "CPU").impl("op", f)', "covered:CPU", "hole"),
    "a library's name for a key is no device": (LIBRARY + 'lib.impl("op", f, "cpu")', "hole", "hole"),
    "a key set": (LIBRARY + 'lib.impl("op", f, "CPU", with_keyset=True)', "covered:CPU", "hole"),
    "what the name of a definition gives": (
        'lib = Library("ns", "DEF")\nname = lib.define("op(Tensor x) -> Tensor")\nlib.impl(name, f, "CPU")',
        "covered:CPU",
        "hole",
    ),
    "a library's namespace": (LIBRARY + 'impl(f"{lib.ns}::op", "cpu", f)', "covered:CPU", "hole"),
    "a kernel that the compiler writes": (LIBRARY + 'lib._impl_with_aoti_compile("op", "CPU")', "covered:CPU", "hole"),
    "a library's other methods": (
        LIBRARY + 'lib.fallback(f, "CPU")\nlib.register_symm_mem_args("op", [])',
        "hole",
        "hole",
    ),
    "custom_op": (CUSTOM, EXPLICIT, EXPLICIT),
    "custom_op for a device": (CPU_ONLY, "covered:CPU", "hole"),
    "custom_op for devices": (
        '@custom_op("ns::op", mutates_args=(), device_types=("cpu", "cuda"))\ndef h(x: Tensor) -> Tensor: ...',
        "covered:CPU",
        "covered:CUDA",
    ),
    "a custom op's kernel": (CPU_ONLY + 'op.register_kernel("cuda", f)', "covered:CPU", "covered:CUDA"),
    "a custom op's kernels": (
        CPU_ONLY + '@op.register_kernel(["cuda"])\ndef h(x): return x',
        "covered:CPU",
        "covered:CUDA",
    ),
    "a custom op takes no key": (CPU_ONLY + 'op.register_kernel("CUDA", f)', "covered:CPU", "hole"),
    "a kernel by the custom op": (CPU_ONLY + 'register_kernel(op, "cuda", f)', "covered:CPU", "covered:CUDA"),
    "a kernel by its overload": (
        CPU_ONLY + 'register_kernel(op._opoverload, "cuda", f)',
        "covered:CPU",
        "covered:CUDA",
    ),
    "a kernel by its name": (CPU_ONLY + 'register_kernel(op._qualname, "cuda", f)', "covered:CPU", "covered:CUDA"),
    "triton_op": ('torch.library.triton_op("ns::op", g, mutates_args=())', EXPLICIT, EXPLICIT),
    "_custom_ops": (
        'torch._custom_ops.custom_op("ns::op", "(Tensor x) -> Tensor")\ntorch._custom_ops.impl("ns::op")(f)',
        "covered:CPU",
        "covered:CUDA",
    ),
    "_custom_ops for a device": (
        "@torch._custom_ops.custom_op('ns::op')\ndef op(x: Tensor) -> Tensor: ...\n"
        "torch._custom_ops.impl('ns::op', device_types='cpu', func=f)",
        "covered:CPU",
        "hole",
    ),
    "_custom_op": (
        "from torch._custom_op.impl import custom_op as older\n@older('ns::op')\ndef op(x: Tensor) -> Tensor: ...\n"
        "@op.impl(['cpu'])\ndef h(x): return x",
        "covered:CPU",
        "hole",
    ),
    "_custom_op with a schema": (
        "from torch._custom_op.impl import custom_op as older\n@older('ns::op', '(Tensor x) -> Tensor')\n"
        "def op(x): ...\nop.impl_factory()(f)",
        "hole",
        "hole",
    ),
    "what fills no cell": (
        CPU_ONLY
        + "op.register_autocast('cuda', torch.float16)\nop.register_torch_dispatch(object, f)\n"
        + "torch.library.register_autocast('ns::op', 'cuda', torch.float16)\n"
        + "@torch.library.register_torch_dispatch('ns::op', object)\ndef _(m, a, b, c, d): ...\n"
        + "with op.set_kernel_enabled('cpu', False):\n    pass\ntorch.library.opcheck(op, ())",
        "covered:CPU",
        "hole",
    ),
    "a kernel at Autograd alone": (DEFINE + 'impl("ns::op", "Autograd", f)', "covered:Autograd", "covered:Autograd"),
    "a kernel at a backend's autograd key": (
        DEFINE + 'impl("ns::op", "AutogradCUDA", f)',
        "hole",
        "covered:AutogradCUDA",
    ),
    "a formula is no kernel": (DEFINE + 'register_autograd("ns::op", f)', "hole", "hole"),
    "a fallthrough is no kernel": (
        DEFINE + 'impl("ns::op", "CPU", torch.library.fallthrough_kernel)',
        "hole",
        "hole",
    ),
    "the last kernel wins, the first where it yields": (
        LIBRARY + 'lib.impl("op", f, "CPU")\nlib.impl("op", None, "CPU", allow_override=False)',
        "covered:CPU",
        "hole",
    ),
    "explicit before implicit": (
        DEFINE + 'impl("ns::op", "default", f)\nimpl("ns::op", "CompositeImplicitAutograd", f)',
        EXPLICIT,
        EXPLICIT,
    ),
    "implicit before explicit": (
        DEFINE
        + 'impl("ns::op", "CompositeImplicitAutograd", f)\nimpl("ns::op", "default", f)\nimpl("ns::op", "cpu", f)',
        "covered:CPU",
        IMPLICIT,
    ),
    "implicit, explicit, and a formula": (
        DEFINE
        + 'impl("ns::op", "CompositeImplicitAutograd", f)\nimpl("ns::op", "default", f)\n'
        + 'register_autograd("ns::op", f)',
        EXPLICIT,
        EXPLICIT,
    ),
    "a wrapped kernel": (
        DEFINE + 'impl("ns::op", "cpu", torch.no_grad()(f))\nimpl("ns::op", "cuda", torch.compile(f))',
        "covered:CPU",
        "covered:CUDA",
    ),
    "a custom op made anew": (
        CPU_ONLY + 'impl("ns::op", "mps", f)\nop2 = custom_op("ns::op", g, mutates_args=(), device_types="cuda")',
        "hole",
        "covered:CUDA",
    ),
    "a default overload": (
        'define("ns::op.", "(Tensor x) -> Tensor")\nimpl("ns::op", "cpu", f)',
        "covered:CPU",
        "hole",
    ),
}


@pytest.mark.parametrize("name", FORWARD)
def test_forward_cells(reader: Reader, name: str) -> None:
    source, cpu, cuda = FORWARD[name]
    read = reader(HEAD + source)

    assert (read.status("ns::op", "cpu"), read.status("ns::op", "cuda")) == (cpu, cuda)


AUTODIFF = {
    "nothing": (DEFINE + 'impl("ns::op", "cpu", f)', "hole"),
    "a formula": (DEFINE + 'register_autograd("ns::op", f, setup_context=f)', "covered:Autograd"),
    "a kernel at Autograd": (DEFINE + 'impl("ns::op", "Autograd", f)', "covered:Autograd"),
    "a kernel at the backend's autograd key": (DEFINE + 'impl("ns::op", "AutogradCPU", f)', "covered:AutogradCPU"),
    "a kernel at another's": (DEFINE + 'impl("ns::op", "AutogradCUDA", f)', "hole"),
    "a fallthrough": (DEFINE + 'impl("ns::op", "Autograd", torch.library.fallthrough_kernel)', "excluded"),
    "a composite kernel": (DEFINE + 'impl("ns::op", "CompositeImplicitAutograd", f)', IMPLICIT),
    "a composite kernel before a formula": (
        DEFINE + 'impl("ns::op", "CompositeImplicitAutograd", f)\nregister_autograd("ns::op", f)',
        IMPLICIT,
    ),
    "a composite kernel that a backend's hides": (
        DEFINE + 'impl("ns::op", ["CompositeImplicitAutograd", "cpu"], f)',
        "hole",
    ),
    "a custom op": (CUSTOM, "hole"),
    "a custom op's formula": (CUSTOM + "op.register_autograd(f, setup_context=f)", "covered:Autograd"),
    "a formula for an op that mutates": (
        'define("ns::op", "(Tensor(a!) x) -> ()")\nregister_autograd("ns::op", f)',
        "hole",
    ),
    "half of the older derivative": (CUSTOM + "torch._custom_ops.impl_backward('ns::op')(f)", "hole"),
    "the older derivative": (
        "torch._custom_ops.custom_op('ns::op', '(Tensor x) -> Tensor')\n"
        "torch._custom_ops.impl_backward('ns::op', func=f)\ntorch._custom_ops.impl_save_for_backward('ns::op')(f)",
        "covered:Autograd",
    ),
    "the older derivative by the op": (
        "from torch._custom_op.impl import custom_op as older\n@older('ns::op')\ndef op(x: Tensor) -> Tensor: ...\n"
        "op.impl_backward()(f)\n@op.impl_save_for_backward()\ndef h(inputs, output): ...",
        "covered:Autograd",
    ),
}


@pytest.mark.parametrize("name", AUTODIFF)
def test_autodiff_cells(reader: Reader, name: str) -> None:
    source, expected = AUTODIFF[name]

    assert reader(HEAD + source).status("ns::op", "cpu", "autodiff") == expected


ERRORS = {
    "custom_op": (CUSTOM, "RuntimeError", "Trying to backward through ns.op.default but no"),
    "an overload": (
        'custom_op("ns::op.out", g, mutates_args=())',
        "RuntimeError",
        "Trying to backward through ns.op.out but no",
    ),
    "define": (DEFINE, "UserWarning", "ns::op: an autograd kernel was not registered"),
    "the older API": (
        "torch._custom_ops.custom_op('ns::op', '(Tensor x) -> Tensor')",
        "RuntimeError",
        "Autograd has not been implemented for operator",
    ),
}


@pytest.mark.parametrize("name", ERRORS)
def test_missing_derivatives_say_what_is_raised(reader: Reader, name: str) -> None:
    source, kind, message = ERRORS[name]
    read = reader(HEAD + source)
    error = read.cell(read.names[0], "cpu", "autodiff").outcomes[0].outcome.error

    assert error is not None
    assert (error.type, error.message[: len(message)]) == (kind, message)


SURVIVABLE = {
    "plain": (DEFINE + 'impl("ns::op", "cpu", f)', True),
    "plain, in part": ("import functools\n" + DEFINE + 'impl("ns::op", "cpu", functools.partial(f))', True),
    "NumPy": (DEFINE + '@impl("ns::op", "cpu")\ndef h(x): return torch.from_numpy(x.numpy())', False),
    "a launch": (DEFINE + '@impl("ns::op", "cpu")\ndef h(x): kernel[(1,)](x)', False),
    "unread": (DEFINE + 'impl("ns::op", "cpu", torch.sin)', False),
    "no kernel": (DEFINE, False),
}


@pytest.mark.parametrize("name", SURVIVABLE)
def test_plain_kernels_differentiate_all_the_same(reader: Reader, name: str) -> None:
    source, expected = SURVIVABLE[name]
    outcome = reader(HEAD + source).cell("ns::op", "cpu", "autodiff").outcomes[0].outcome

    assert outcome.survivable is expected


COMPILE = {
    "nothing": (DEFINE + 'impl("ns::op", "cpu", f)', "hole"),
    "a fake": (DEFINE + 'register_fake("ns::op")(f)', "covered:fake"),
    "a fake by reference": (DEFINE + "register_fake(torch.ops.ns.op.default, f)", "covered:fake"),
    "a fake by its older name": (DEFINE + 'torch.library.impl_abstract("ns::op", func=f)', "covered:fake"),
    "a library's fake": (LIBRARY + 'lib._register_fake("op", f)', "covered:fake"),
    "a kernel at Meta": (DEFINE + 'impl("ns::op", "Meta", f)', "covered:Meta"),
    "a kernel for meta": (DEFINE + 'impl("ns::op", "meta", f)', "covered:Meta"),
    "a composite kernel": (DEFINE + 'impl("ns::op", "default", f)', EXPLICIT),
    "a kernel at Autograd alone": (DEFINE + 'impl("ns::op", "Autograd", f)', "covered:Autograd"),
    "a kernel at Autograd before another": (DEFINE + 'impl("ns::op", ["Autograd", "cpu"], f)', "hole"),
    "an op that only mutates": ('define("ns::op", "(Tensor(a!) x) -> ()")', "covered:fake"),
    "an op that only mutates, with a kernel": (
        'define("ns::op", "(Tensor(a!) x) -> ()")\nimpl("ns::op", "default", f)',
        EXPLICIT,
    ),
    "an in-place variant": (
        'Library("ns", "DEF").define("op(Tensor(a!) x) -> Tensor(a!)", tags=torch.Tag.inplace)',
        "covered:fake",
    ),
    "an out variant": (
        'define("ns::op", "(Tensor x, *, Tensor(a!) out) -> Tensor(a!)", tags=(torch.Tag.out,))',
        "covered:fake",
    ),
    "a custom op": (CUSTOM, "hole"),
    "a custom op's kernel at Meta": (CUSTOM + 'impl("ns::op", "Meta", f)', "hole"),
    "a custom op's fake": (CUSTOM + "@op.register_fake\ndef _(x): return x", "covered:fake"),
    "a custom op's older fake": (CUSTOM + "op.impl_abstract()(f)", "covered:fake"),
    "a custom op that only mutates": (
        '@custom_op("ns::op", mutates_args={"x"})\ndef h(x: Tensor) -> None: ...',
        "covered:fake",
    ),
    "a custom op that may mutate anything": (
        '@custom_op("ns::op", mutates_args="unknown")\ndef h(x: Tensor) -> None: ...',
        "covered:fake",
    ),
    "a custom op that says so in a way that was not read": (
        'import other\n@custom_op("ns::op", mutates_args=other.NAMES)\ndef h(x: Tensor) -> None: ...',
        "unknown",
    ),
    "a custom op whose function was not read": (
        'import other\ncustom_op("ns::op", other.g, mutates_args=())',
        "unknown",
    ),
    "triton_op": ('torch.library.triton_op("ns::op", g, mutates_args=())', "covered:fake"),
    "a fake before a composite kernel": (
        DEFINE + 'register_fake("ns::op", f)\nimpl("ns::op", "CompositeImplicitAutograd", f)',
        "covered:fake",
    ),
    "a fake that a composite kernel refuses": (
        DEFINE + 'impl("ns::op", "CompositeImplicitAutograd", f)\nregister_fake("ns::op", f)',
        IMPLICIT,
    ),
    "a meta kernel that a composite kernel refuses": (
        LIBRARY + 'lib.impl("op", f)\nlib.impl("op", f, "Meta")',
        IMPLICIT,
    ),
    "a custom op made anew": (CUSTOM + "op.register_fake(f)\n" + CUSTOM, "hole"),
}


@pytest.mark.parametrize("name", COMPILE)
def test_compile_cells(reader: Reader, name: str) -> None:
    source, expected = COMPILE[name]

    assert reader(HEAD + source).status("ns::op", "cpu", "compile") == expected


VMAP = {
    "the loop": (DEFINE, "covered:fallback"),
    "the loop over several": ('define("ns::op", "(Tensor x) -> (Tensor, Tensor)")', "covered:fallback"),
    "a rule": (DEFINE + 'torch.library.register_vmap("ns::op", f)', "covered:FuncTorchBatched"),
    "a custom op's rule": (CUSTOM + "op.register_vmap(f)", "covered:FuncTorchBatched"),
    "a custom op's rule as a decorator": (
        CUSTOM + "@op.register_vmap()\ndef h(info, dims, x): ...",
        "covered:FuncTorchBatched",
    ),
    "a kernel at the key": (
        'define("ns::op", "(Tensor x) -> int")\nimpl("ns::op", "FuncTorchBatched", f)',
        "covered:FuncTorchBatched",
    ),
    "a number": ('define("ns::op", "(Tensor x) -> int")', "hole"),
    "a list": ('define("ns::op", "(Tensor x) -> Tensor[]")', "hole"),
    "nothing": ('define("ns::op", "(Tensor x) -> ()")', "hole"),
    "a view": ('define("ns::op", "(Tensor(a) x) -> Tensor(a)")', "hole"),
    "a mutation": ('define("ns::op", "(Tensor(a!) x) -> Tensor")', "hole"),
    "a schema that was not read": ('import other\ndefine("ns::op", other.SCHEMA)', "unknown"),
    "a schema that is none": ('define("ns::op", "Tensor")', "unknown"),
}


@pytest.mark.parametrize("name", VMAP)
def test_vmap_cells(reader: Reader, name: str) -> None:
    source, expected = VMAP[name]

    assert reader(HEAD + source).status("ns::op", "cpu", "vmap") == expected
