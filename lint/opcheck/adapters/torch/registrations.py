"""From PyTorch's records to registrations, as the rules about declarations read them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from opcheck_rules.model.finding import PredictedError
from opcheck_rules.model.project import Redundant, Registration

from ...symbolic.collect import Reached
from .gathered import Gathered
from .keys import META, TORCH
from .passed import mismatch
from .records import Defined, Filled

_LEGACY_SLOTS = {"backward": "derivative", "save_for_backward": None}


def registrations(gathered: Gathered) -> Iterator[Registration]:
    """Every registration about one op."""
    for defined in gathered.defined:
        yield _definition(gathered.name, defined)
    for filled in gathered.filled:
        kind = _LEGACY_SLOTS.get(filled.record.slot, filled.record.slot)
        if kind is not None:
            made = _filling(gathered, filled, kind)
            yield replace(made, mismatch=mismatch(gathered, filled), redundant=_redundant(gathered, filled))


def _is_compiled(reached: Reached[Defined] | Reached[Filled]) -> bool:
    """Whether a C++ source says it: which sources are compiled together, and so could collide, no file tells."""
    return not reached.module


def _definition(op: str, defined: Reached[Defined]) -> Registration:
    twice = PredictedError("import", "RuntimeError", f"Tried to register an operator ({op}")
    return Registration(
        TORCH.name,
        op,
        "define",
        None,
        defined.condition,
        defined.span,
        defined.order,
        defined.entries,
        needs_definition=False,
        silent=defined.hypothetical or _is_compiled(defined),
        duplicate_error=twice if defined.record.api == "define" else None,
    )


def _filling(gathered: Gathered, filled: Reached[Filled], kind: str) -> Registration:
    op, record = gathered.name, filled.record
    unread = record.slot == "kernel" and record.key is None and record.written is None
    known = record.slot != "kernel" or record.key is not None or unread
    return Registration(
        TORCH.name,
        op,
        kind,
        record.key if known else record.written,
        filled.condition,
        filled.span if known else record.key_span,
        filled.order,
        filled.entries,
        known=known,
        silent=filled.hypothetical or unread or _is_compiled(filled),
        undefined_error=_undefined(gathered, filled, kind),
        duplicate_error=_refused(op, record) if record.yields else None,
        unknown_error=PredictedError("import", "RuntimeError", record.unknown_message) if not known else None,
    )


def _redundant(gathered: Gathered, filled: Reached[Filled]) -> Redundant | None:
    """A fake kernel, where the op has a composite one that makes it an error."""
    kernels = list(gathered.refusing(filled))
    if not kernels:
        return None
    message = _refused_fake(gathered.name, filled.record)
    condition = gathered.space.any(kernel.condition for kernel in kernels)
    return Redundant(condition, kernels[0].span, PredictedError("import", "RuntimeError", message))


def _refused_fake(op: str, record: Filled) -> str:
    if record.through_op and record.slot == "fake":
        there = "already has an implementation for this device type via a pre-existing registration to DispatchKey::"
        return f"impl_abstract(...): the operator {op} {there}CompositeImplicitAutograd."
    name = op.partition("::")[2] if record.by_own_name else op
    refused = f"We should not register a meta kernel directly to the operator '{name}',"
    return f"{refused} because it has a CompositeImplicitAutograd kernel in core."


def _refused(op: str, record: Filled) -> PredictedError:
    own = op.partition("::")[2]
    message = f"This is not allowed since there's already a kernel registered from python overriding {own}"
    return PredictedError("import", "RuntimeError", f"{message}'s behavior for {record.key} dispatch key")


def _undefined(gathered: Gathered, filled: Reached[Filled], kind: str) -> PredictedError | None:
    """What completing an op that does not exist raises.

    A kernel for one is accepted in silence, and with it the op's name: a fake kernel that comes after is too.
    """
    op = gathered.name
    namespace, _, name = op.partition("::")
    if kind == "fake" or filled.record.key == META:
        earlier = (kernel for kernel in gathered.slots("kernel") if kernel.order < filled.order)
        if any(filled.condition.implies(kernel.condition) for kernel in earlier):
            return None
        return PredictedError("import", "RuntimeError", f"operator {op} does not exist")
    if kind in ("derivative", "vmap"):
        message = f"'_OpNamespace' '{namespace}' object has no attribute '{name.partition('.')[0]}'"
        return PredictedError("import", "AttributeError", message)
    return None
