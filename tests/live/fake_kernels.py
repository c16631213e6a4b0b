"""Programs that register a fake kernel beside a composite one, and what PyTorch 2.13 says to each."""

from __future__ import annotations

from typing import Final

HEAD: Final = """\
import contextlib
import torch
from torch.library import Library, custom_op, define, impl, register_fake, register_kernel

def f(x): return x.clone()

lib = Library("NS", "FRAGMENT")
"""
OP: Final = 'define("NS::op", "(Tensor x) -> Tensor")\n'
COMPOSITE: Final = OP + 'impl("NS::op", "CompositeImplicitAutograd", f)\n'
CUSTOM: Final = (
    'op = custom_op("NS::op", lambda x: x.clone(), mutates_args=(), schema="(Tensor x) -> Tensor")\n'
    'impl("NS::op", "CompositeImplicitAutograd", f)\n'
)
OBJECT: Final = """\
from torch._custom_op.impl import custom_op as older
@older("NS::op", manual_schema="(Tensor x) -> Tensor")
def op(x): ...
impl("NS::op", "CompositeImplicitAutograd", f)
"""
FULL: Final = "We should not register a meta kernel directly to the operator 'NS::op',"
OWN: Final = "We should not register a meta kernel directly to the operator 'op',"

PROGRAMS: Final = {
    "register_fake": (COMPOSITE + 'register_fake("NS::op", f)', FULL),
    "register_fake as a decorator": (COMPOSITE + 'register_fake("NS::op")(f)', FULL),
    "register_fake by reference": (COMPOSITE + "register_fake(torch.ops.NS.op.default, f)", FULL),
    "impl_abstract": (COMPOSITE + 'torch.library.impl_abstract("NS::op", f)', FULL),
    "the oldest impl_abstract": (COMPOSITE + 'torch._custom_ops.impl_abstract("NS::op", func=f)', FULL),
    "a library's fake": (COMPOSITE + 'lib._register_fake("op", f)', FULL),
    "impl for a key": (COMPOSITE + 'impl("NS::op", "Meta", f)', FULL),
    "impl for a device among others": (COMPOSITE + 'impl("NS::op", ["cpu", "meta"], f)', FULL),
    "register_kernel": (COMPOSITE + 'register_kernel("NS::op", "meta", f)', FULL),
    "a library's kernel": (COMPOSITE + 'lib.impl("op", f, "Meta")', OWN),
    "a library's kernel by full name": (COMPOSITE + 'lib.impl("NS::op", f, "Meta")', FULL),
    "a library's kernel by reference": (COMPOSITE + 'lib.impl(torch.ops.NS.op.default, f, "Meta")', FULL),
    "a library with a key": (COMPOSITE + 'Library("NS", "IMPL", "Meta").impl("op", f)', OWN),
    "the older impl": (COMPOSITE + 'impl(lib, "op", "Meta")(f)', OWN),
    "a fallthrough": (COMPOSITE + 'lib.impl("op", torch.library.fallthrough_kernel, "Meta")', OWN),
    "after a library's kernel": (OP + 'lib.impl("op", f)\nregister_fake("NS::op", f)', FULL),
    "after the older define": ('define(lib, "op(Tensor x) -> Tensor")(f)\nregister_fake("NS::op", f)', FULL),
    "after a composite fallthrough": (
        OP
        + 'lib.impl("op", torch.library.fallthrough_kernel, "CompositeImplicitAutograd")\nregister_fake("NS::op", f)',
        FULL,
    ),
    "after an explicit one as well": (COMPOSITE + 'impl("NS::op", "default", f)\nregister_fake("NS::op", f)', FULL),
    "a second fake": (
        OP + 'register_fake("NS::op", f)\nlib.impl("op", f)\nregister_fake("NS::op", f)',
        FULL,
    ),
    "an overload": (
        'lib.define("op.by(Tensor x) -> Tensor")\nlib.impl("op.by", f)\nlib.impl("op.by", f, "Meta")',
        "We should not register a meta kernel directly to the operator 'op.by',",
    ),
    "an overload's fake": (
        'lib.define("op.by(Tensor x) -> Tensor")\nlib.impl("op.by", f)\nlib._register_fake("op.by", f)',
        "We should not register a meta kernel directly to the operator 'NS::op.by',",
    ),
    "under a handler for something else": (
        COMPOSITE + 'try:\n    register_fake("NS::op", f)\nexcept ImportError:\n    pass',
        FULL,
    ),
    "a kernel of a custom op": (CUSTOM + 'op.register_kernel("meta")(f)', OWN),
    "a custom op by name": (CUSTOM + 'impl("NS::op", "Meta", f)', FULL),
    "the oldest object": (
        OBJECT + "op.impl_abstract()(f)",
        "impl_abstract(...): the operator NS::op already has an implementation for this device type via a pre-existing",
    ),
    "a custom op": (CUSTOM + 'op.register_fake(f)\nregister_fake("NS::op", f)', None),
    "before the composite kernel": (OP + 'register_fake("NS::op", f)\nlib.impl("op", f)', None),
    "a key before the composite kernel": (OP + 'impl("NS::op", "meta", f)\nlib.impl("op", f)', None),
    "beside the default": (OP + 'impl("NS::op", "default", f)\nregister_fake("NS::op", f)', None),
    "beside a composite kernel for nested tensors": (
        OP + 'lib.impl("op", f, "CompositeImplicitAutogradNestedTensor")\nlib.impl("op", f, "Meta")',
        None,
    ),
    "of another op": (
        COMPOSITE + 'define("NS::other", "(Tensor x) -> Tensor")\nregister_fake("NS::other", f)',
        None,
    ),
    "handled": (COMPOSITE + 'try:\n    register_fake("NS::op", f)\nexcept RuntimeError:\n    pass', None),
    "handled further out": (
        COMPOSITE
        + "try:\n    with contextlib.suppress(ImportError):\n"
        + '        impl("NS::op", "meta", f)\nexcept Exception:\n    pass',
        None,
    ),
    "suppressed": (
        COMPOSITE + 'with contextlib.suppress(RuntimeError):\n    lib.impl("op", f, "Meta")',
        None,
    ),
    "in exclusive branches": (
        OP + 'if torch.cuda.is_available():\n    lib.impl("op", f)\nelse:\n    register_fake("NS::op", f)',
        None,
    ),
}
"""Programs, with `NS` for the namespace, and how the text of the `RuntimeError` begins: None where there is none."""
