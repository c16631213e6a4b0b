"""Inputs for PyTorch's ops, and calls of them on devices that this machine may not have."""

from __future__ import annotations

import importlib
from typing import Any


def tensor(torch: Any, device: str) -> Any:
    """A tensor of ones that says it lies on `device`; without data where this machine has no such device."""
    try:
        return torch.ones(2, 2, device=device)
    except Exception:
        with importlib.import_module("torch._subclasses.fake_tensor").FakeTensorMode():
            return torch.ones(2, 2, device=device)


def arguments(torch: Any, op: Any, device: str, *, tracked: bool = False, every: bool = False) -> dict[str, Any]:
    """Arguments by the op's schema: for each parameter without a default, or with `every` for each.

    With `tracked`, gradients are asked for.
    """
    plain = {"int": 3, "float": 0.5, "number": 0.5, "bool": True, "str": "", "Device": torch.device(device)}
    given: dict[str, Any] = {}
    for parameter in op._schema.arguments:
        if not parameter.has_default_value() or every:
            kind = str(parameter.type).replace("Optional[", "").replace("List[", "").rstrip("]")
            value = tensor(torch, device).requires_grad_(tracked) if kind == "Tensor" else plain.get(kind)
            given[parameter.name] = [value] if "List[" in str(parameter.type) else value
    return given


def call(torch: Any, op: Any, device: str, key: str, *, tracked: bool = False, every: bool = False) -> Any:
    """Call `op` with inputs on `device`.

    Where this machine has no such device, the dispatcher is asked with the key that tensors on it would bring.
    """
    given = arguments(torch, op, device, tracked=tracked, every=every)
    leaves = torch.utils._pytree.tree_leaves(given)
    if all(type(leaf) is torch.Tensor for leaf in leaves if isinstance(leaf, torch.Tensor)):
        return op(**given)
    return op.redispatch(torch._C.DispatchKeySet(getattr(torch._C.DispatchKey, key)), **given)


def backward(torch: Any, result: Any) -> None:
    """Ask for the gradient of whatever tensors a call gave."""
    for value in torch.utils._pytree.tree_leaves(result):
        if isinstance(value, torch.Tensor) and value.requires_grad:
            value.sum().backward()
