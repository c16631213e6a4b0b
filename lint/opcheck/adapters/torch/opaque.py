"""Whether autograd can see through a kernel: plain torch code is differentiated, a launch or a trip to NumPy is not."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import Final

from ...summary.nodes import walk
from ...symbolic.values import FunctionValue, Partial, Value

_LEAVES: Final = frozenset({"numpy", "data_ptr", "detach", "tolist", "item", "from_numpy", "untyped_storage", "_C"})

_SAME_TENSOR: Final = frozenset({"cpu", "contiguous"})


def is_opaque(kernel: Value) -> bool:
    """Whether a kernel's body leaves torch; one that was not read is taken to."""
    while isinstance(kernel, Partial):
        kernel = kernel.function
    if not isinstance(kernel, FunctionValue):
        return True
    return _leaves_torch(kernel.node)


@lru_cache(maxsize=1024)
def _leaves_torch(kernel: ast.AST) -> bool:
    return any(_leaves(node) for node in walk([kernel]))


def refuses_gradients(kernel: Value) -> bool:
    """Whether a kernel's body takes an input to NumPy as it is, which an input that wants a gradient does not allow."""
    if not isinstance(kernel, FunctionValue):
        return False
    spec = kernel.node.args
    inputs = {parameter.arg for parameter in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)}
    return any(_taken(node) in inputs for node in walk([kernel.node]))


def _taken(node: ast.AST) -> str | None:
    """The name whose array a call asks for: that of `x` in `x.numpy()`, or in `x.cpu().numpy()`."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != "numpy":
        return None
    held = node.func.value
    while isinstance(held, ast.Call) and isinstance(held.func, ast.Attribute) and held.func.attr in _SAME_TENSOR:
        held = held.func.value
    return held.id if isinstance(held, ast.Name) else None


def _leaves(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr in _LEAVES or node.attr.startswith("ctypes")
    # A Triton kernel is launched by `kernel[grid](...)`.
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Subscript)
