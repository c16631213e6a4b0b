"""PyTorch's device names and dispatch keys, as of torch 2.13 (`torch._C._dispatch_key_for_device`, `DispatchKey`)."""

from __future__ import annotations

import re
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

_OTHER_DEVICES: Final = {
    "privateuseone": "PrivateUse1",
    "meta": "Meta",
    "hip": "HIP",
    "fpga": "FPGA",
    "vulkan": "Vulkan",
}

EXPLICIT: Final = "CompositeExplicitAutograd"
NON_FUNCTIONAL: Final = "CompositeExplicitAutogradNonFunctional"
IMPLICIT: Final = "CompositeImplicitAutograd"
COMPOSITES: Final = (NON_FUNCTIONAL, EXPLICIT, IMPLICIT)
AUTOGRAD: Final = "Autograd"
META: Final = "Meta"
VMAP: Final = "FuncTorchBatched"
BACKEND_SELECT: Final = "BackendSelect"

_KEYS: Final = frozenset(
    """
    ADInplaceOrView AutocastCPU AutocastCUDA AutocastHPU AutocastIPU AutocastMAIA AutocastMPS AutocastMTIA
    AutocastPrivateUse1 AutocastXLA AutocastXPU Autograd AutogradCPU AutogradCUDA AutogradFunctionality AutogradHPU
    AutogradIPU AutogradLazy AutogradMPS AutogradMeta AutogradNestedTensor AutogradOther AutogradPrivateUse1
    AutogradPrivateUse2 AutogradPrivateUse3 AutogradXLA AutogradXPU BackendSelect Batched CPU CUDA
    CompositeExplicitAutograd CompositeExplicitAutogradNonFunctional CompositeImplicitAutograd
    CompositeImplicitAutogradNestedTensor Conjugate CustomRNGKeyId Dense FPGA Fake FuncTorchBatched
    FuncTorchBatchedDecomposition FuncTorchDynamicLayerBackMode FuncTorchDynamicLayerFrontMode FuncTorchGradWrapper
    FuncTorchVmapMode Functionalize HIP HPU IPU Lazy MAIA MPS MTIA Meta Metal MkldnnCPU Negative NestedTensor
    NestedTensorCPU NestedTensorCUDA NestedTensorHPU NestedTensorMeta NestedTensorPrivateUse1 NestedTensorXPU
    PreDispatch PrivateUse1 PrivateUse2 PrivateUse3 Python PythonDispatcher PythonTLSSnapshot Quantized QuantizedCPU
    QuantizedCUDA QuantizedPrivateUse1 QuantizedXPU Sparse SparseCPU SparseCUDA SparseCsr SparseCsrCPU SparseCsrCUDA
    SparseCsrHIP SparseCsrMPS SparseCsrMeta SparseCsrPrivateUse1 SparseCsrVE SparseCsrXPU SparseHIP SparseMPS
    SparseMeta SparsePrivateUse1 SparseVE SparseXPU TESTING_ONLY_GenericMode TESTING_ONLY_GenericWrapper Tracer
    Undefined VE VmapMode Vulkan XLA XPU ZeroTensor
    """.split()  # noqa: SIM905 - a hundred names read better as lines than as a column
)
"""The names that `torch._C._parse_dispatch_key` takes."""


def device_key(name: str) -> str | None:
    """The dispatch key of a device type; None for what is none, as a device with an index."""
    return DEVICE_KEYS.get(name) or _OTHER_DEVICES.get(name)


def refused_device(name: str) -> str:
    """What PyTorch says of a text that it takes no device type by (`torch._C._dispatch_key_for_device`)."""
    if not name:
        return "Device string must not be empty"
    if not re.fullmatch(r"[A-Za-z_]+(:\d+)?", name):
        return f"Invalid device string: '{name}'"
    device, colon, _ = name.partition(":")
    if colon and device_key(device):
        return f"Expected device_type string to not have a device index; got {name}"
    return f"at start of device string: {device}"


def parsed_key(name: str) -> str | None:
    """The name itself where it is one of a dispatch key: what `Library.impl` takes."""
    return name if name in _KEYS else None


def key_of(name: str) -> str | None:
    """The dispatch key that a name stands for where a key, a device type or `default` may be written.

    A name that is a key counts as one before it is tried as a device type (`torch.library.impl`).
    """
    if name in _KEYS:
        return name
    return EXPLICIT if name == "default" else device_key(name)


EVERY_NAME: Final = (*sorted(_KEYS), *DEVICE_KEYS, *_OTHER_DEVICES, "default")
"""All that a kernel can be registered for: keys, devices, and what stands for every one of them."""


def autograd_key(key: str) -> str:
    """The autograd key of a backend's key: its own, or the one that backends without one share."""
    return f"Autograd{key}" if f"Autograd{key}" in _KEYS else "AutogradOther"


def spelt(key: str) -> list[str]:
    """The names that stand for a key: its own, and those of devices."""
    return [key, *(name for name in (*DEVICE_KEYS, *_OTHER_DEVICES, "default") if key_of(name) == key)]
