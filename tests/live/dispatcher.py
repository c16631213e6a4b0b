"""Print what the live dispatcher holds after some modules were imported: one JSON document on standard output.

Run in a process of its own: `python dispatcher.py MODULES_JSON [cuda|mps]`. With a device named, torch is first made to
say that it is there; no kernel runs, so that nothing needs it to be.
"""

from __future__ import annotations

import importlib
import json
import sys
import types
import warnings
from collections.abc import Callable
from typing import Any

torch: Any = importlib.import_module("torch")
importlib.import_module("torch._custom_ops")
KEYS = {"cpu": "CPU", "cuda": "CUDA", "xpu": "XPU", "mps": "MPS", "hpu": "HPU"}
COMPOSITES = (
    "CompositeExplicitAutogradNonFunctional",
    "CompositeExplicitAutograd",
    "CompositeImplicitAutograd",
)

IMPLICIT, EXPLICIT = "CompositeImplicitAutograd", "CompositeExplicitAutograd"
REGISTERED: dict[str, list[tuple[str, bool]]] = {}
"""The kernels registered from Python for each op, in order: which key, and whether it is a derivative formula's.

The dispatcher does not keep it, and it matters.
"""


def remember() -> None:
    """Have each registration remembered."""
    register = torch.library.Library.impl

    def impl(self: Any, op_name: Any, fn: Any, dispatch_key: str = "", **options: Any) -> Any:
        result = register(self, op_name, fn, dispatch_key, **options)
        name = op_name if isinstance(op_name, str) else op_name._name
        name = (name if "::" in name else f"{self.ns}::{name}").removesuffix(".default")
        formula = getattr(fn, "__qualname__", "").startswith("make_autograd_impl")
        REGISTERED.setdefault(name, []).append((dispatch_key or self.dispatch_key or IMPLICIT, formula))
        return result

    torch.library.Library.impl = impl


def pretend(device: str) -> None:
    """Make torch say that a device is there."""
    if device == "mps":
        torch.backends.mps.is_available = lambda: True
        torch.backends.mps.is_built = lambda: True
        sys.platform = "darwin"
        return
    properties = types.SimpleNamespace(
        name="NVIDIA H200", major=9, minor=0, total_memory=2**37, multi_processor_count=132, warp_size=32
    )
    answers: dict[str, Any] = {
        "is_available": True,
        "device_count": 1,
        "current_device": 0,
        "get_device_capability": (9, 0),
        "get_device_name": "NVIDIA H200",
        "get_device_properties": properties,
        "get_arch_list": ["sm_90"],
    }
    for name, answer in answers.items():
        setattr(torch.cuda, name, lambda *_, answer=answer, **__: answer)
    torch.version.cuda = "12.8"
    for name in ("_cuda_getCurrentRawStream", "_cuda_getDevice"):
        setattr(torch._C, name, lambda *_: 0)


def imported(modules: list[str]) -> dict[str, str]:
    """Import modules in order; gives those that failed, each with the error."""
    failed: dict[str, str] = {}
    for name in modules:
        try:
            importlib.import_module(name)
        except BaseException as error:
            failed[name] = f"{type(error).__name__}: {error}"
    return failed


def registered() -> set[str]:
    """The ops that the dispatcher knows, each without the name of its default overload."""
    return {name.removesuffix(".") for name in torch._C._dispatch_get_all_op_names()}


def cells(op: str) -> dict[str, dict[str, str | None]]:
    """What supplies each cell of an op, None where nothing does."""
    return {
        "forward": {backend: forward(op, key) for backend, key in KEYS.items()},
        "autodiff": {backend: autodiff(op, key) for backend, key in KEYS.items()},
        "compile": dict.fromkeys(KEYS, fake(op)),
    }


def has(op: str, key: str) -> bool:
    """Whether a kernel was registered for that very key."""
    return bool(torch._C._dispatch_has_kernel_for_dispatch_key(op, key))


def forward(op: str, key: str) -> str | None:
    """The key that supplies a backend's kernel."""
    definition = custom(op)
    if definition is not None:
        return custom_forward(op, key, definition)
    # The implicit kernel is found at the autograd key, before the other composites are looked at.
    order = (key, "CompositeImplicitAutograd") if decomposes(op, key) else (key,)
    alone = (f"Autograd{key}", *(() if formula(op) or older(op) else ("Autograd",)))
    return next((k for k in (*order, *COMPOSITES, *alone) if has(op, k) and not passes_by(op, k)), None)


def formula(op: str) -> bool:
    """Whether what stands at Autograd is a derivative formula, which calls the kernel of a backend."""
    found = [is_formula for key, is_formula in REGISTERED.get(op, ()) if key == "Autograd"]
    return bool(found) and found[-1]


def custom_forward(op: str, key: str, definition: Any) -> str | None:
    """The same for a custom op, whose wrapper at Autograd supplies nothing."""
    if has(op, "BackendSelect") and key not in {KEYS.get(str(device)) for device in definition._backend_fns}:
        return None
    return next((k for k in (key, *COMPOSITES) if has(op, k)), None)


def decomposes(op: str, key: str) -> bool:
    """Whether a call runs the implicit kernel: an explicit one hides it once the autograd keys are worked out again."""
    if not has(op, IMPLICIT) or has(op, key):
        return False
    keys = [k for k, _ in REGISTERED.get(op, ()) if k in (IMPLICIT, EXPLICIT, "Autograd")]
    if not has(op, EXPLICIT) or EXPLICIT not in keys:
        return not has(op, EXPLICIT)
    first = keys.index(EXPLICIT)
    return IMPLICIT in keys[:first] and not {IMPLICIT, "Autograd"} & set(keys[first:])


def custom(op: str) -> Any:
    """The `CustomOpDef` behind an op, where there is one: its wrappers fill slots whatever was registered."""
    return torch._library.custom_ops.OPDEFS.get(op)


def older(op: str) -> Any:
    """The `CustomOp` of the older API behind an op, where there is one: it has a wrapper at Autograd."""
    return torch._custom_op.impl.global_registry.get(op)


def autodiff(op: str, key: str) -> str | None:
    """What supplies a backend's derivative."""
    definition = custom(op)
    if definition is not None:
        return "Autograd" if definition._backward_fn is not None else None
    earlier = older(op)
    if earlier is not None:
        return "Autograd" if earlier._has_impl("backward") and earlier._has_impl("save_for_backward") else None
    own = f"Autograd{key}"
    order = (own, "CompositeImplicitAutograd", "Autograd") if decomposes(op, key) else (own, "Autograd")
    found = next((k for k in order if has(op, k)), None)
    return None if found is None or passes_by(op, found) else found


def passes_by(op: str, key: str) -> bool:
    """Whether what is registered for a key is a fallthrough."""
    return has(op, key) and bool(torch._C._dispatch_kernel_for_dispatch_key_is_fallthrough(op, key))


def fake(op: str) -> str | None:
    """What supplies the fake kernel."""
    definition = custom(op)
    if definition is not None:
        trivial = torch._library.utils.can_generate_trivial_fake_impl(definition._opoverload)
        return "fake" if definition._abstract_fn is not None or trivial else None
    entry = torch._library.simple_registry.singleton.find(op)
    if entry.fake_impl.kernel is not None:
        return "fake"
    traced = () if formula(op) or older(op) or any(has(op, key) for key in KEYS.values()) else ("Autograd",)
    key = next((k for k in ("Meta", *COMPOSITES, *traced) if has(op, k) and not passes_by(op, k)), None)
    return key or ("fake" if trivial_fake(op) else None)


def trivial_fake(op: str) -> bool:
    """Whether PyTorch generates the fake kernel."""
    namespace, _, name = op.partition("::")
    packet, _, overload = name.partition(".")
    found = getattr(getattr(torch.ops, namespace), packet, None)
    if found is None:  # implementations without a definition
        return False
    return bool(torch._library.utils.can_generate_trivial_fake_impl(getattr(found, overload or "default")))


def main(modules: list[str], device: str | None) -> None:
    """Import, then print."""
    warnings.simplefilter("ignore")
    before = registered()
    remember()
    if device:
        pretend(device)
    failed = imported(modules)
    sys.platform = "linux"
    found = sorted(registered() - before)
    show: Callable[[object], None] = lambda document: print("\n" + json.dumps(document))  # noqa: E731
    show({"failed": failed, "ops": {op: cells(op) for op in found}})


if __name__ == "__main__":
    main(json.loads(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None)
