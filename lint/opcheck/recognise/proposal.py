"""A description that seems to fit, as commented lines of a configuration."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from opcheck.writing import toml_key, toml_string

Value: TypeAlias = str | int | Sequence[str] | Mapping[str, str]

LIBRARIES: Final = (
    *("tensorflow", "pytorch", "mxnet", "numpy", "torch", "paddle", "cupy", "dask", "jax", "mlx", "tf", "np", "cp"),
)
"""Array libraries, by the names that modules, classes and keywords have after them."""
DEVICES: Final = ("cpu", "cuda", "gpu", "rocm", "hip", "mps", "xpu", "npu", "tpu", "metal", "vulkan", "opencl")
"""Devices, by the names that code has for them."""
KNOWN: Final = frozenset({*LIBRARIES, *DEVICES})
LEAST: Final = 2
"""How many of a kind (classes, calls, backends) it takes to make a shape."""


class Proposal(Struct, frozen=True):
    """A description: its keys with their values, and what was seen that it was made of."""

    keys: Mapping[str, Value]
    seen: str

    @property
    def package(self) -> str:
        """What the dispatcher is called after: the package that it lies in."""
        path = next(value for key, value in self.keys.items() if key in ("callable", "base", "root"))
        return str(path).partition(".")[0]


def lines(proposals: Iterable[Proposal], tool: str) -> Iterator[str]:
    """The proposals as they stand in a configuration; `tool` is the table it lies in, with its dot."""
    names: dict[str, int] = {}
    for proposal in proposals:
        names[proposal.package] = number = names.get(proposal.package, 0) + 1
        name = proposal.package if number == 1 else f"{proposal.package}-{number}"
        yield ""
        yield f"# A dispatcher of the project's own, it seems: {proposal.seen}."
        yield "# Correct what is assumed here, and take the marks away, to have it read."
        yield f"# [[{tool}dispatchers]]"
        yield from (f"# {key} = {_written(value)}" for key, value in {"name": name, **proposal.keys}.items())


def _written(value: Value) -> str:
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return toml_string(value)
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{toml_key(key)} = {toml_string(item)}' for key, item in value.items())} }}"
    return f"[{', '.join(map(toml_string, value))}]"


def known_in(name: str) -> str | None:
    """The library or device whose name stands in another, as a word of it; several joined as `dask+cupy`."""
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)
    found = [word.lower() for word in words if word.lower() in KNOWN] or _inside(name.lower())
    return "+".join(dict.fromkeys(found)) or None


def _inside(name: str) -> list[str]:
    """A long enough name of a library that begins another, as in `CuPyBackend`."""
    plain = name.replace("_", "")
    return [known for known in LIBRARIES if len(known) > 2 and plain.startswith(known)][:1]
