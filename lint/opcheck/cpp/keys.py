"""Dispatch keys as C++ writes them."""

from __future__ import annotations

import re
from typing import Final

from ..adapters.torch.keys import EXPLICIT, IMPLICIT, parsed_key

__all__ = ["IMPLICIT", "key_named"]

_RENAMED: Final = {
    "CatchAll": IMPLICIT,
    "Math": IMPLICIT,
    "DefaultBackend": EXPLICIT,
    "PrivateUse1_PreAutograd": "AutogradPrivateUse1",
    "Variable": "Autograd",
}
_LAST: Final = re.compile(r"(\w+)\s*(?:\(\s*\))?$")
_SHORT: Final = re.compile(r"k(?=[A-Z])")


def key_named(written: str) -> str | None:
    """The dispatch key that `torch::kCUDA`, `c10::DispatchKey::CUDA` or the like names; None for what names none."""
    match = _LAST.search(written.strip().strip('"'))
    if match is None:
        return None
    name = _SHORT.sub("", match[1], count=1).removesuffix("TensorId")
    return parsed_key(_RENAMED.get(name, name))
