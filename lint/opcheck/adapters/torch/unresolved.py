"""PyTorch's declarations of which the op or the key could not be read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec.structs import replace

from opcheck_rules.model.unresolved import Part, Unresolved

from ..intricate import bounded
from ..unresolved import is_told, left_open
from .gathered import Everything, Gathered, is_assumed, is_unread
from .keys import DEVICE_KEYS, TORCH

_SLOTS: Final[Mapping[str, Part]] = {
    "kernel": Part.KERNEL,
    "fake": Part.FAKE,
    "derivative": Part.DERIVATIVE,
    "backward": Part.DERIVATIVE,
    "save_for_backward": Part.DERIVATIVE,
    "vmap": Part.VMAP,
}


def unresolved(everything: Everything) -> Iterator[Unresolved]:
    """What Python code leaves open. What a macro of a C++ source stands for, whoever reads that has to say."""
    for defined in everything.unnamed_definitions:
        if defined.module:
            yield left_open(TORCH.name, defined, None, Part.DEFINITION, defined.record.text)
    for filled in everything.unnamed_fillings:
        if filled.module:
            yield left_open(TORCH.name, filled, None, _SLOTS[filled.record.slot], filled.record.text)
    for gathered in everything.ops.values():
        yield from _keys(gathered)


def _keys(gathered: Gathered) -> tuple[Unresolved, ...]:
    return bounded(gathered.space, lambda: tuple(_unread_keys(gathered)), tuple)


def _unread_keys(gathered: Gathered) -> Iterator[Unresolved]:
    for kernel in gathered.standing:
        text = kernel.record.text
        if is_unread(kernel.record) and kernel.module and not is_told(kernel, text):
            found = left_open(TORCH.name, kernel, gathered.name, Part.BACKEND, text)
            yield replace(found, assumed=is_assumed(gathered.space, text), names=DEVICE_KEYS)
