"""PyTorch's device names and dispatch keys, as of torch 2.13 (`torch._C._dispatch_key_for_device`, `DispatchKey`)."""

from __future__ import annotations

from typing import Final

from opcheck_rules.model.project import Framework

DEVICE_KEYS: Final = {
    "cpu": "CPU",
    "cuda": "CUDA",
    "xpu": "XPU",
    "mps": "MPS",
    "hpu": "HPU",
    "mtia": "MTIA",
    "xla": "XLA",
    "npu": "PrivateUse1",
    "ipu": "IPU",
    "maia": "MAIA",
    "ve": "VE",
    "lazy": "Lazy",
}
"""Each backend's dispatch key. `npu` is what the most used out-of-tree backend renames PrivateUse1 to."""

TORCH: Final = Framework("torch", tuple(DEVICE_KEYS), frozenset(DEVICE_KEYS) - {"cpu"})

_OTHER_DEVICES: Final = {"privateuseone": "PrivateUse1", "meta": "Meta", "default": "CompositeExplicitAutograd"}

EXPLICIT: Final = "CompositeExplicitAutograd"
NON_FUNCTIONAL: Final = "CompositeExplicitAutogradNonFunctional"
IMPLICIT: Final = "CompositeImplicitAutograd"
AUTOGRAD: Final = "Autograd"
VMAP: Final = "FuncTorchBatched"

_BACKEND_KEYS: Final = frozenset(DEVICE_KEYS.values())
_PREFIXES: Final = ("", "Autograd", "Autocast", "Sparse", "SparseCsr", "Quantized", "NestedTensor")
_ALONE: Final = frozenset(
    {
        EXPLICIT,
        NON_FUNCTIONAL,
        IMPLICIT,
        AUTOGRAD,
        VMAP,
        "Meta",
        "BackendSelect",
        "ADInplaceOrView",
        "AutogradOther",
        "AutogradMeta",
        "AutogradNestedTensor",
        "FuncTorchBatchedDecomposition",
        "FuncTorchVmapMode",
        "FuncTorchDynamicLayerFrontMode",
        "Batched",
        "VmapMode",
        "Functionalize",
        "Python",
        "PythonDispatcher",
        "PythonTLSSnapshot",
        "PreDispatch",
        "Conjugate",
        "Negative",
        "ZeroTensor",
        "Named",
        "Tracer",
        "CompositeImplicitAutogradNestedTensor",
        "FPGA",
        "Vulkan",
        "Metal",
        "MkldnnCPU",
        "CustomRNGKeyId",
        "Undefined",
        "CatchAll",
        "Fake",
    }
)


def is_key(name: str) -> bool:
    """Whether a name is a dispatch key."""
    if name in _ALONE:
        return True
    return any(name.removeprefix(p) in _BACKEND_KEYS or name.removeprefix(p) in _PRIVATE for p in _PREFIXES)


_PRIVATE: Final = frozenset({"PrivateUse1", "PrivateUse2", "PrivateUse3"})


def key_of(name: str) -> str | None:
    """The dispatch key that a device type or key stands for where either may be written; None for neither.

    A name that is a key counts as one before it is tried as a device type (`torch.library.impl`).
    """
    if is_key(name):
        return name
    return DEVICE_KEYS.get(name) or _OTHER_DEVICES.get(name)


def autograd_key(key: str) -> str:
    """The autograd key of a backend's key."""
    return f"Autograd{key}" if key not in ("VE",) else "AutogradOther"
