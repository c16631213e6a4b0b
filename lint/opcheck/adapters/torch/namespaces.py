"""Which namespaces code that is not read may define ops in."""

from __future__ import annotations

import sys
from typing import Final

from ...symbolic.machine import Machine
from .gathered import Everything

FRAMEWORK_OWN: Final = frozenset(
    {
        *("_", "aten", "prim", "prims", "prepacked", "debugprims", "rngprims", "higher_order", "profiler", "inductor"),
        *("quantized", "quantized_decomposed", "_quantized", "mkl", "mkldnn", "mkldnn_prepacked", "onednn", "xnnpack"),
        *("c10d", "c10d_functional", "_c10d_functional", "_c10d_functional_autograd", "_dtensor", "fsdp", "symm_mem"),
        *("sparse", "nested", "cuda", "streaming", "streams", "torch_attn", "flex_lib", "cplib", "dsl", "onnx"),
        *("onnx_symbolic", "inductor_prims", "_inductor_test", "_test"),
    }
)
"""The namespaces PyTorch itself defines ops in."""

_HARMLESS: Final = frozenset({"torch", "numpy", "cupy", "triton", "opcheck_runtime", "packaging", "typing_extensions"})


def of(op: str) -> str:
    """The namespace an op lies in."""
    return op.partition("::")[0]


def opened(machine: Machine, everything: Everything) -> frozenset[str]:
    """The namespaces of which not every op is known.

    Compiled code, and packages that are not read, may define ops in any namespace but those the project itself defines.
    """
    own = {of(name) for name, gathered in everything.ops.items() if gathered.defined}
    named = {record.record.namespace for record in everything.opened if record.record.namespace}
    if not _loads_more(machine, everything):
        return FRAMEWORK_OWN | named
    return FRAMEWORK_OWN | named | ({of(name) for name in everything.ops} - own)


def _loads_more(machine: Machine, everything: Everything) -> bool:
    return bool(everything.opened or machine.loads) or any(map(_may_define, machine.external_modules))


def _may_define(module: str) -> bool:
    top = module.split(".", 1)[0]
    return top not in _HARMLESS and top not in sys.stdlib_module_names
