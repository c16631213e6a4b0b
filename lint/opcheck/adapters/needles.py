"""What tells a Python file that may declare or use an op, before anything is parsed, and a value that leads to one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ..symbolic.values import External, Value
from .native.api import PACKAGE, Gated, NativeOp
from .torch.library import Library
from .torch.namespaces import FRAMEWORK_OWN
from .torch.record import NamedOp

_OWN: Final = "|".join(sorted(FRAMEWORK_OWN))
_OPS: Final = rf"torch\.ops\b(?!\.(?:{_OWN})\b)"
_APIS: Final = ("torch.library", "torch._custom_op", "load_library", PACKAGE)
_SPOT: Final = re.compile("|".join((*map(re.escape, _APIS), r"torch\._library\b", _OPS)))
_NEEDLES: Final = tuple(api.encode() for api in _APIS)
_OPS_IN_BYTES: Final = re.compile(_OPS.encode())
_FROM_TORCH: Final = re.compile(rb"from torch import (\([^)]*|[^(\n]+)")
_TAKEN: Final = re.compile(rb"\b(?:library|ops|_library|_custom_ops?)\b")
_RENAMED: Final = (b"torch as ", b"= torch\n")
_BRANCHES: Final = (b".library", b".ops", b"._custom_op", b"._library")
_INTERNAL: Final = (b"custom_op", b"triton_op")
# What PyTorch calls its own ways to declare: a path that leads to one of these tells.
_WAYS: Final = tuple(
    f"{way}."
    for way in (
        *("torch.library", "torch._custom_op", "torch._custom_ops", "torch.ops.load_library", PACKAGE),
        *("torch.classes.load_library", "torch._library.custom_ops", "torch._library.triton", "torch._custom_op.impl"),
    )
)


def declares(data: bytes) -> bool:
    """Whether a file spells an API by which ops are declared, or the namespace of ops that are not PyTorch's own.

    An op of PyTorch's own is none that a project can lack.
    """
    if any(needle in data and _is_said(data, needle) for needle in _NEEDLES):
        return True
    if b"torch.ops" in data and not all(_is_in_comment(data, found.start()) for found in _OPS_IN_BYTES.finditer(data)):
        return True
    if b"torch._library" in data and any(name in data for name in _INTERNAL):
        return True
    if b"from torch import" in data and any(map(_TAKEN.search, _FROM_TORCH.findall(data))):
        return True
    return any(text in data for text in _RENAMED) and any(branch in data for branch in _BRANCHES)


def _is_said(data: bytes, needle: bytes) -> bool:
    """Whether a file has a text in more than comments."""
    at = data.find(needle)
    while at >= 0 and _is_in_comment(data, at):
        at = data.find(needle, at + 1)
    return at >= 0


def _is_in_comment(data: bytes, at: int) -> bool:
    """Whether a place is in a comment for certain: no text in quotes begins on its line before that."""
    before, mark, _ = data[data.rfind(b"\n", 0, at) + 1 : at].partition(b"#")
    return bool(mark) and b'"' not in before and b"'" not in before


def spots(text: str) -> Iterator[int]:
    """Where a text spells such an API."""
    return (match.start() for match in _SPOT.finditer(text))


def tells(value: Value) -> bool:
    """Whether a value is an op, declares ops, or is the API to do so: who imports it may be declaring or using one."""
    if not isinstance(value, External):
        return isinstance(value, (NamedOp, NativeOp, Gated, Library))
    path = f"{value.path}."
    if path.startswith("torch.ops."):
        return path.split(".")[2] not in FRAMEWORK_OWN
    return path != "torch." and any(path.startswith(way) or way.startswith(path) for way in _WAYS)
