"""What calls of NumPy, CuPy and PyTorch evidently make: on which backend it lies, and whether it is tracked.

Functions that follow the array protocols (`np.zeros_like`, ufuncs, `np.concatenate`) make what their arguments are, and
are no evidence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from ..symbolic.values import External
from .fact import PLAIN, Fact, Given, Kind, array, is_array, named, untracked

_FRESH: Final = frozenset(
    {
        *("arange", "array", "asanyarray", "asarray", "ascontiguousarray", "asfortranarray", "empty", "eye"),
        *("frombuffer", "full", "identity", "ones", "tri", "zeros"),
    }
)
_BY_SHAPE: Final = frozenset({"rand", "randn", "random", "random_sample", "standard_normal"})
_BY_SIZE: Final = frozenset({"exponential", "integers", "normal", "poisson", "randint", "uniform"})
_TORCH_FRESH: Final = frozenset(
    {
        *("arange", "as_tensor", "empty", "eye", "full", "linspace", "ones", "rand", "randint", "randn", "randperm"),
        *("tensor", "zeros"),
    }
)
_SCALAR: Final = re.compile(r"(?:numpy|cupy)\.(?:float|int|uint|complex|bool)\w*|builtins\.(?:bool|float|int|len|str)")
_KEEPING: Final = frozenset(
    {
        *("astype", "bfloat16", "clone", "contiguous", "copy", "double", "flatten", "float", "half", "permute"),
        *("ravel", "reshape", "squeeze", "t", "transpose", "unsqueeze", "view"),
    }
)
_OF_VALUES: Final = frozenset({"item", "tolist", "numpy", "get"})
_ON_DEVICE: Final = frozenset({"cpu", "cuda", "xpu"})


def made_by(path: str, given: Given) -> Fact | None:
    """What a call of a known function makes."""
    library, _, name = path.rpartition(".")
    if "like" in given.keywords:
        return None
    if path in _OTHERS:
        return _OTHERS[path](given)
    if _SCALAR.fullmatch(path):
        return PLAIN
    if library in ("numpy", "cupy") and (name in _FRESH or (name == "linspace" and _all_plain(given))):
        return array(library)
    if library in ("numpy.random", "cupy.random"):
        return _random(library.partition(".")[0], name, given)
    if library == "torch" and name in _TORCH_FRESH:
        return array(_device(given.get(None, "device")), tracked=_says(given, "requires_grad"))
    return None


def _all_plain(given: Given) -> bool:
    return all(fact is not None and fact.kind is Kind.PLAIN for fact in given.all)


def _random(library: str, name: str, given: Given) -> Fact | None:
    """Random numbers: an array where a shape is given, else a single one."""
    if name == "default_rng":
        return named(External(f"{library}.random"))
    sized = "size" in given.keywords
    if (name in _BY_SIZE and sized) or (name in _BY_SHAPE and (sized or given.positional)):
        return array(library)
    return None


def _device(fact: Fact | None) -> str | None:
    """The backend that a device, or its name, stands for."""
    return fact.backend if fact is not None and fact.kind is Kind.PLAIN else None


def _says(given: Given, name: str) -> bool:
    fact = given.get(None, name)
    return fact is not None and fact.value is True


def _tracked(given: Given) -> Fact:
    fact = given.get(0, "array")
    return array(fact.backend if fact is not None and is_array(fact) else None, tracked=True)


def _parameter(given: Given) -> Fact:
    fact, wanted = given.get(0, "data"), given.get(1, "requires_grad")
    tracked = "requires_grad" not in given.keywords and len(given.positional) < 2
    backend = fact.backend if fact is not None and is_array(fact) else None
    return array(backend, tracked=tracked or (wanted is not None and wanted.value is True))


def _torch_device(given: Given) -> Fact:
    return Fact(Kind.PLAIN, _device(given.get(0, "type") or given.get(None, "device")))


_OTHERS: Final[Mapping[str, Callable[[Given], Fact | None]]] = {
    "opcheck_runtime.track": _tracked,
    "torch.nn.Parameter": _parameter,
    "torch.nn.parameter.Parameter": _parameter,
    "torch.device": _torch_device,
    "torch.from_numpy": lambda _: array("cpu"),
    "cupy.asnumpy": lambda _: array("numpy"),
}


def made_by_method(base: Fact | None, name: str, given: Given) -> Fact | None:
    """What a call of an array's method makes."""
    if name in _ON_DEVICE and (base is None or is_array(base)):
        return _moved(base, name)
    if name == "to" and (base is None or is_array(base)):
        return _to(base, given)
    if base is None or not is_array(base):
        return None
    if name in _OF_VALUES:
        return array("numpy") if (name, base.backend) in (("get", "cupy"), ("numpy", "cpu")) else None
    if name == "detach":
        return untracked(base)
    if name == "requires_grad_":
        return array(base.backend, tracked=wants_gradient(given))
    return base if name in _KEEPING else array(calls=base.calls)


def wants_gradient(given: Given) -> bool:
    """What `requires_grad_` is told: true unless it is given something else."""
    fact = given.get(0, "requires_grad")
    return not given.all or (fact is not None and fact.value is True)


def _moved(base: Fact | None, backend: str | None) -> Fact:
    return array(backend, tracked=base.tracked, calls=base.calls) if base is not None else array(backend)


def _to(base: Fact | None, given: Given) -> Fact | None:
    """`x.to(device)`, or to a dtype, which leaves it where it is."""
    target = given.get(None, "device") or given.get(0, "device")
    if target is not None and target.kind is Kind.NAMED and base is not None:
        return base
    backend = _device(target)
    return None if base is None and backend is None else _moved(base, backend)
