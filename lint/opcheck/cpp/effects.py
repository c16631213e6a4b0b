"""Registrations of C++ sources to the records that the PyTorch adapter keeps, each under its condition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from opcheck_rules.model.condition import Condition, Conditions
from opcheck_rules.model.finding import Span

from ..adapters.torch.keys import DEVICE_KEYS
from ..adapters.torch.records import Defined, Filled
from ..adapters.torch.schema import parse_schema
from ..symbolic.values import External, Unknown, Value
from .conditions import condition_of
from .records import NativeRecord

Effect: TypeAlias = tuple[Defined | Filled, Condition, Span]

_LAYOUTS: Final = ("", "Sparse", "SparseCsr", "Quantized", "NestedTensor")
GPU_KEYS: Final = frozenset(f"{layout}{key}" for layout in _LAYOUTS for key in ("CUDA", "HIP"))
"""The keys whose kernels are GPU code, which is there only where it was compiled."""

FALLTHROUGH: Final = External("torch.library.fallthrough_kernel")
_PASSING: Final = ("makeFallthrough", "autogradNotImplemented")


def effects(records: Iterable[NativeRecord], space: Conditions, loaded: Condition) -> Iterator[Effect]:
    """What each registration does where `loaded` holds: where the extension is imported that it is compiled into.

    A record whose op was not read has none, and says as far as it can in which namespace it may lie.
    """
    for record in records:
        condition = loaded & condition_of(space, record.guards)
        if record.key in GPU_KEYS:
            condition = condition & space.atom("built:cuda")
        effect = _effect(record)
        if effect is not None and not condition.fails:
            yield effect, condition, record.span


def _effect(record: NativeRecord) -> Defined | Filled | None:
    if record.kind == "define":
        schema = parse_schema(record.schema) if record.schema else None
        return Defined(record.op, record.namespace, "define", schema, record.span)
    if record.kind == "fallback" and (record.key not in DEVICE_KEYS.values() or _passes(record)):
        return None
    # A kernel for every op of a key is as one whose op was not read: in any namespace where its own is `_`.
    namespace = None if record.namespace == "_" else record.namespace
    text = record.key_text if record.op else record.text
    return Filled(
        record.op, namespace, "kernel", _function(record), record.key_span, record.key, record.key, text or record.kind
    )


def _passes(record: NativeRecord) -> bool:
    """Whether what is registered passes its key by, or says that there is no derivative."""
    return any(marker in (record.function or "") for marker in _PASSING)


def _function(record: NativeRecord) -> Value:
    return FALLTHROUGH if _passes(record) else Unknown(record.function or "a kernel that was not read")
