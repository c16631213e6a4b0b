"""The expressions whose value follows from a target."""

from __future__ import annotations

import re
from typing import Final

from packaging.version import Version

from opcheck_rules.model.target import Scalar, Target

from ..reading import Environment
from .answers import version

NEWEST_PYTHON: Final = "3.13"
NEWEST_TORCH: Final = "2.13"
_LIBRARIES: Final = {
    **{name: name for name in ("numpy", "cupy", "dask", "jax", "tensorflow", "mxnet", "paddle", "mlx", "torch")},
    "tf": "tensorflow",
    "pytorch": "torch",
}
_TORCH_DEVICES: Final = frozenset(
    {"cpu", "cuda", "xpu", "mps", "hpu", "mtia", "xla", "npu", "ipu", "maia", "ve", "lazy"}
)
_ACCELERATORS: Final = ("cuda", "xpu", "mps", "hpu", "mtia", "npu")
_ALWAYS_THERE: Final = ("cuda", "xpu", "mps", "mtia")
_PLATFORMS: Final = ("linux", "darwin", "win", "win32", "cygwin")


def packages_of(backend: str) -> tuple[str, ...]:
    """The packages that a backend needs: the array libraries in its name, and PyTorch where it is a device of that."""
    named = [_LIBRARIES[word] for word in re.split(r"[^a-z0-9]+", backend.lower()) if word in _LIBRARIES]
    return (*named, *(["torch"] if backend in _TORCH_DEVICES else []))


def derived(target: Target, environment: Environment) -> dict[str, Scalar | None]:
    """The expressions whose value follows from the target."""
    python = target.python or environment.python or NEWEST_PYTHON
    platform = target.platform or ("darwin" if "mps" in target.backends else "linux")
    torch = target.torch or NEWEST_TORCH
    values: dict[str, Scalar | None] = {
        "typing.TYPE_CHECKING": False,
        "sys.platform": platform,
        "os.name": "nt" if platform.startswith("win") else "posix",
        "platform.system()": {"darwin": "Darwin", "linux": "Linux"}.get(platform, "Windows"),
        "sys.version_info": python,
        "torch.__version__": torch,
        "torch.version.__version__": torch,
        "torch.version.cuda": "12.8" if "cuda" in target.backends else None,
        "torch.version.hip": None,
    }
    starts = {f"sys.platform.startswith({name!r})": platform.startswith(name) for name in _PLATFORMS}
    return values | starts | _devices(target) | _library(torch)


_LIBRARY_SINCE: Final = {
    "impl_abstract": "2.1",
    "custom_op": "2.4",
    "register_fake": "2.4",
    "register_kernel": "2.4",
    "register_autograd": "2.4",
    "infer_schema": "2.5",
    "register_vmap": "2.5",
    "triton_op": "2.6",
    "wrap_triton": "2.6",
}
"""The version of PyTorch that each name of `torch.library` came with."""


def _devices(target: Target) -> dict[str, Scalar | None]:
    """What asking for a device answers: it is there where the target lists its backend."""
    values: dict[str, Scalar | None] = {}
    for device in _ACCELERATORS:
        there = device in target.backends
        names = [f"torch.{device}.is_available()", f"torch.backends.{device}.is_available()"]
        values |= dict.fromkeys(names, there)
        values[f"torch.{device}.device_count()"] = int(there)
        values[f"hasattr(torch, '{device}')"] = there or device in _ALWAYS_THERE
    values["hasattr(torch.backends, 'mps')"] = True
    values["torch.backends.mps.is_built()"] = "mps" in target.backends
    values["torch.accelerator.is_available()"] = any(d in target.backends for d in _ACCELERATORS)
    return values


def _library(torch: str) -> dict[str, Scalar | None]:
    """Which names `torch.library` has; not known of a version that is none."""
    there = version(torch)
    if there is None:
        return {}
    return {f"hasattr(torch.library, '{name}')": Version(since) <= there for name, since in _LIBRARY_SINCE.items()}
