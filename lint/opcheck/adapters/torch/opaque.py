"""Whether autograd can see through a kernel: plain torch code is differentiated, a launch or a trip to NumPy is not."""

from __future__ import annotations

import ast
from typing import Final

from ...symbolic.values import FunctionValue, Partial, Value

_LEAVES: Final = frozenset({"numpy", "data_ptr", "detach", "tolist", "item", "from_numpy", "untyped_storage", "_C"})


def is_opaque(kernel: Value) -> bool:
    """Whether a kernel's body leaves torch; one that was not read is taken to."""
    while isinstance(kernel, Partial):
        kernel = kernel.function
    if not isinstance(kernel, FunctionValue):
        return True
    return any(_leaves(node) for node in ast.walk(kernel.node))


def _leaves(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr in _LEAVES or node.attr.startswith("ctypes")
    # A Triton kernel is launched by `kernel[grid](...)`.
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Subscript)
