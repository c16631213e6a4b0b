"""Generated modules that declare PyTorch ops in every way there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

# What each kernel adds to its input says which key it was registered for.
MARKS = {
    "CPU": 1,
    "CUDA": 2,
    "XPU": 3,
    "MPS": 4,
    "HPU": 5,
    "CompositeExplicitAutograd": 6,
    "CompositeImplicitAutograd": 7,
    "CompositeExplicitAutogradNonFunctional": 8,
    "Autograd": 9,
    "AutogradCPU": 10,
    "AutogradCUDA": 11,
    "Meta": 12,
}
DEVICES = {"cpu": "CPU", "cuda": "CUDA", "xpu": "XPU", "mps": "MPS", "hpu": "HPU"}
HEAD = """\
import functools, sys
import torch
from torch import Tensor
from torch.library import Library, custom_op, define, fallthrough_kernel, impl
from torch.library import register_autograd, register_fake, register_kernel
import torch.library as tl
import torch._custom_ops as legacy

NS = {namespace!r}
lib = Library(NS, "DEF")
ON = True
OFF = False
kept = []

def keep(library):
    kept.append(library)
    return library

def adding(mark):
    return lambda x, *rest, **named: x + mark

def nothing(x, *rest, **named):
    return None

def backward(ctx, grad):
    return grad

"""


@dataclass(frozen=True)
class Program:
    """A module's source; `namespace` is all its own."""

    namespace: str
    source: str


@dataclass(frozen=True)
class _Op:
    """An op being generated: its name in the module, which API makes it, and whether it mutates."""

    name: str
    custom: bool
    mutates: bool
    legacy: bool = False

    @property
    def qualified(self) -> str:
        """An expression for its full name."""
        return f'f"{{NS}}::{self.name}"'

    @property
    def overload(self) -> str:
        """An expression for its overload."""
        packet, _, overload = self.name.partition(".")
        return f"getattr(torch.ops, NS).{packet}.{overload or 'default'}"

    def kernel(self, key: str) -> str:
        """An expression for a kernel that tells for which key it is."""
        return "nothing" if self.mutates else f"adding({MARKS[key]})"


SCHEMAS = ("(Tensor x) -> Tensor", "(Tensor x, float scale=1.0) -> Tensor", "(Tensor x, *, int n=2) -> Tensor")
MUTATING = ("(Tensor(a!) x) -> ()",)


FORMS = ("define", "library", "older", "custom", "custom call", "custom schema", "triton", "legacy")


@st.composite
def _definition(draw: st.DrawFn, number: int) -> tuple[_Op, list[str]]:
    form = draw(st.sampled_from(FORMS))
    overload = draw(st.sampled_from(["", "", ".out"])) if form in ("define", "library") else ""
    name, mutates = f"op{number}{overload}", draw(st.booleans()) and form not in ("older", "triton", "legacy")
    op = _Op(name, form.startswith(("custom", "triton")), mutates, form == "legacy")
    schema = draw(st.sampled_from(MUTATING if mutates else SCHEMAS))
    returns, arguments = ("None", '["x"]') if mutates else ("Tensor", "()")
    devices = draw(
        st.sampled_from(["", ', device_types="cpu"', ', device_types=["cuda", "cpu"]', ", device_types=None"])
    )
    key = "CPU" if "cpu" in devices else "CompositeExplicitAutograd"
    body = "pass" if mutates else f"return x + {MARKS[key]}"
    if form == "define":
        return op, [f'define({op.qualified}, "{schema}")']
    if form == "library":
        return op, [f'lib.define("{name}{schema}")']
    if form == "older":
        mark = MARKS["CompositeImplicitAutograd"]
        return op, [f'@tl.define(lib, "{name}{schema}")', f"def f{number}(x, *a, **k): return x + {mark}"]
    if form == "triton":
        mark = MARKS["CompositeExplicitAutograd"]
        return op, [
            f"@tl.triton_op({op.qualified}, mutates_args=())",
            f"def c{number}(x: Tensor) -> Tensor: return x + {mark}",
        ]
    if form == "legacy":
        return op, [f'legacy.custom_op({op.qualified}, "{SCHEMAS[0]}")']
    if form == "custom call":
        return op, [
            f"def f{number}(x: Tensor) -> {returns}: {body}",
            f"c{number} = custom_op({op.qualified}, f{number}, mutates_args={arguments}{devices})",
        ]
    if form == "custom schema":
        schema = MUTATING[0] if mutates else SCHEMAS[0]
        return op, [
            f'@custom_op({op.qualified}, mutates_args={arguments}, schema="{schema}"{devices})',
            f"def c{number}(x): {body}",
        ]
    return op, [
        f"@custom_op({op.qualified}, mutates_args={arguments}{devices})",
        f"def c{number}(x: Tensor) -> {returns}: {body}",
    ]


@st.composite
def _kernel(draw: st.DrawFn, op: _Op, number: int) -> list[str]:
    if op.legacy:
        return draw(_legacy(op, number))
    device = draw(st.sampled_from(sorted(DEVICES)))
    key = DEVICES[device]
    other = draw(st.sampled_from([k for k in MARKS if k != "Meta" and not (op.custom and k not in DEVICES.values())]))
    kernel, name = op.kernel(key), op.qualified
    forms = [
        [f'impl({name}, "{device}", {kernel})'],
        [f'impl({name}, "{key}")({kernel})'],
        [f'impl({name}, ("{device}",), lib=lib, func={kernel})'],
        [f'register_kernel({name}, "{device}", {kernel})'],
        [f'register_kernel({op.overload}, ["{device}"])({kernel})'],
        [f'lib.impl("{op.name}", {op.kernel(other)}, "{other}")'],
        [f'lib.impl({op.overload}, {kernel}, "{key}")'],
        [f'@tl.impl(lib, "{op.name}", "{key}")', f"def k{number}(x, *a, **n): return ({kernel})(x)"],
        # A library that nothing keeps takes its kernels with it.
        [f'keep(Library(NS, "IMPL", "{key}")).impl("{op.name}", {kernel})'],
        [f'impl({name}, "{key}", functools.partial({kernel}))'],
    ]
    if op.custom:
        forms += [
            [f'c{op.name[2:]}.register_kernel("{device}", {kernel})'],
            [f'@c{op.name[2:]}.register_kernel(["{device}"])', f"def k{number}(x): return ({kernel})(x)"],
        ]
    else:
        forms += [
            [f'impl({name}, "default", {op.kernel("CompositeExplicitAutograd")})'],
            [f"register_kernel({name}, None, {op.kernel('CompositeExplicitAutograd')})"],
            [f'lib.impl("{op.name}", {op.kernel("CompositeImplicitAutograd")})'],
            [f'impl({name}, "Autograd", fallthrough_kernel)'],
        ]
    return draw(st.sampled_from(forms))


@st.composite
def _legacy(draw: st.DrawFn, op: _Op, number: int) -> list[str]:
    """Kernels and completions of the older API, which refuses what is there already."""
    name = op.qualified
    forms = [
        [f'legacy.impl({name}, device_types="cpu")(adding({MARKS["CPU"]}))'],
        [f'@legacy.impl({name}, device_types=["cuda"])', f"def k{number}(x): return x + {MARKS['CUDA']}"],
        [f'impl({name}, "mps", adding({MARKS["MPS"]}))'],
        [f"legacy.impl_abstract({name})(nothing)"],
        [f"legacy.impl_backward({name})(backward)", f"legacy.impl_save_for_backward({name}, func=backward)"],
    ]
    return draw(st.sampled_from(forms))


@st.composite
def _completion(draw: st.DrawFn, op: _Op, number: int) -> list[str]:
    if op.legacy:
        return draw(_legacy(op, number))
    name, fake = op.qualified, op.kernel("Meta")
    forms = [
        [f"@register_fake({name})", f"def a{number}(x, *a, **k): return x"],
        [f"register_fake({name}, {fake})"],
        [f"register_fake({op.overload}, {fake})"],
        [f"tl.register_vmap({name}, nothing)"],
        [f"register_autograd({name}, backward)"],
        [f"register_autograd({op.overload}, backward, setup_context=nothing)"],
    ]
    if op.custom:
        forms += [
            [f"@c{op.name[2:]}.register_fake", f"def a{number}(x): return x"],
            [f"c{op.name[2:]}.register_autograd(backward)"],
            [f"c{op.name[2:]}.register_vmap(nothing)"],
            [f'c{op.name[2:]}.register_autocast("cuda", torch.float16)'],
        ]
    else:
        forms += [
            [f'lib._register_fake("{op.name}", {fake})'],
            [f'lib.impl("{op.name}", {fake}, "Meta")'],
        ]
    return draw(st.sampled_from([f for f in forms if not (op.mutates and "autograd" in f[0])]))


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"    {line}" for line in lines]


@st.composite
def _guarded(draw: st.DrawFn, lines: list[str], op: _Op, number: int) -> list[str]:
    """Statements as they are, or under a guard, in a helper, in a loop; sometimes swallowed where they raise."""
    packet = op.name.partition(".")[0]
    inner = _indented(lines)
    forms = [
        lines,
        lines,
        ["if ON:", *inner],
        ["if OFF:", *inner],
        ['if not OFF and torch.__version__ >= "2.4":', *inner],
        ['if torch.__version__ < "2.4":', *inner],
        ["if torch.cuda.is_available():", *inner],
        ["if sys.platform == 'win32':", "    pass", "else:", *inner],
        [f'if hasattr(getattr(torch.ops, NS), "{packet}"):', *inner],
        [f'if not hasattr(getattr(torch.ops, NS), "{packet}_missing"):', *inner],
        [f"def h{number}():", *inner, f"h{number}()"],
        [f"def h{number}(NS, wanted=True):", "    if not wanted:", "        return", *inner, f"h{number}(NS)"],
        [f"for _ in range({draw(st.integers(0, 2))}):", *inner],
        ["try:", "    import no_such_module_anywhere", "except ImportError:", "    pass", "else:", *inner],
        ["try:", "    import json", "except ImportError:", "    pass", "else:", *inner],
        ["try:", *inner, "except RuntimeError:", "    pass"],
    ]
    return draw(st.sampled_from(forms))


@st.composite
def _table(draw: st.DrawFn, number: int) -> list[str]:
    """Ops declared by a loop over a table, through a helper."""
    rows = draw(st.lists(st.sampled_from(sorted(DEVICES)), min_size=1, max_size=3))
    specs = ", ".join(f'("t{number}_{i}", "{device}", {MARKS[DEVICES[device]]})' for i, device in enumerate(rows))
    return [
        f"def add{number}(name, device, mark, *, schema='(Tensor x) -> Tensor'):",
        "    define(f'{NS}::{name}', schema)",
        "    impl(f'{NS}::{name}', device, adding(mark))",
        f"for spec in [{specs}]:",
        f"    add{number}(*spec)",
    ]


@st.composite
def programs(draw: st.DrawFn, namespace: str) -> Program:
    """A module that declares a few ops and completes them."""
    lines: list[str] = []
    ops: list[_Op] = []
    for number in range(draw(st.integers(1, 3))):
        op, made = draw(_definition(number))
        ops.append(op)
        lines += made
    for number in range(draw(st.integers(0, 7))):
        op = draw(st.sampled_from(ops))
        part = _kernel(op, number) if draw(st.integers(0, 9)) < 6 else _completion(op, number)
        lines += draw(_guarded(draw(part), op, number))
    if draw(st.integers(0, 3)) == 0:
        lines += draw(_table(len(ops)))
    return Program(namespace, HEAD.format(namespace=namespace) + "\n".join(lines) + "\n")
