"""What a program may ask the dispatcher: whether an op is there, whether a kernel is, answered by what ran before."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from opcheck_rules.model.atom import Atom
from opcheck_rules.model.condition import Condition, Conditions

from ...symbolic.collect import Reached
from ...symbolic.frame import Frame
from ...symbolic.truth import as_value
from ...symbolic.values import Arguments, Choice, External, Intrinsic, Unknown, Value
from .custom import OpReference
from .earlier import by_now
from .keys import AUTOGRAD, META
from .namespaces import FRAMEWORK_OWN
from .record import qualified
from .records import Defined, Filled, NamespaceTaken

_MISSING: Final = ("AttributeError", "Exception", "BaseException")
_HAS_KERNEL: Final = "torch._C._dispatch_has_kernel_for_dispatch_key"
_ASKED: Final = re.compile(rf"(?:hasattr\(torch\.ops\.|{re.escape(_HAS_KERNEL)}\(')(?P<namespace>\w+)")


def intrinsics(standard: Mapping[str, Intrinsic]) -> Mapping[str, Intrinsic]:
    """The builtins that can ask, which answer as the `standard` ones do about anything but an op."""
    asks = {"hasattr": _hasattr, "getattr": _getattr}

    def meaning(name: str, ask: Callable[[Frame, Arguments], Value | NotAsked]) -> Intrinsic:
        otherwise = standard[f"builtins.{name}"].call

        def call(frame: Frame, arguments: Arguments) -> Value:
            found = ask(frame, arguments)
            return otherwise(frame, arguments) if isinstance(found, NotAsked) else found

        return Intrinsic(name, call)

    found = {f"builtins.{name}": meaning(name, ask) for name, ask in asks.items()}
    return found | {"torch.ops.__getattr__": Intrinsic("torch.ops.__getattr__", _look_up)}


class NotAsked:
    """The answer to a question that is not about an op."""


def _look_up(frame: Frame, arguments: Arguments) -> Value:
    """`torch.ops.ns.op`, which raises where there is no such op: a `try` that is ready for that asks by it."""
    path = str(arguments.positional[0])
    namespace, *names = path.removeprefix("torch.ops.").split(".")
    is_op = len(names) == 1 and namespace not in FRAMEWORK_OWN
    there = _present(frame, path) if is_op and _is_ready(frame) else None
    if there is not None:
        frame.fail(~there, *_MISSING)
    return None


def _is_ready(frame: Frame) -> bool:
    attempt = frame.attempt
    while attempt is not None and attempt.handler_of(*_MISSING) is None:
        attempt = attempt.outer
    return attempt is not None


def _hasattr(frame: Frame, arguments: Arguments) -> Value | NotAsked:
    there = _present(frame, _path(arguments))
    return NotAsked() if there is None else as_value(there)


def _getattr(frame: Frame, arguments: Arguments) -> Value | NotAsked:
    """`getattr(torch.ops.ns, "op", default)`; without a default nothing is asked."""
    there = _present(frame, _path(arguments)) if len(arguments.positional) > 2 else None
    if there is None:
        return NotAsked()
    op = OpReference(qualified(External(_path(arguments))))
    return op if there.holds else Choice(((~there, arguments.positional[2]), (there, op)))


def _present(frame: Frame, path: str) -> Condition | None:
    """The condition under which an attribute of `torch.ops` is there by now; None for any other attribute."""
    head, _, rest = path.partition("torch.ops.")
    parts = rest.split(".")
    if head or not rest or len(parts) > 3 or parts[-1].startswith("_"):
        return None
    if len(parts) == 1:
        # A namespace comes into being when it is asked for.
        return frame.machine.space.true
    # What code that was not read may have defined is decided once everything is known: see `settle`.
    asked = f"hasattr(torch.ops.{'.'.join(parts[:-1])}, {parts[-1]!r})"
    return _defined(frame, parts) | frame.machine.space.atom(asked)


def _path(arguments: Arguments) -> str:
    """The dotted path of the attribute that is asked for; empty where that is none of something unread."""
    base, name = arguments.get(0, "obj"), arguments.get(1, "name")
    return f"{base.path}.{name}" if isinstance(base, External) and isinstance(name, str) else ""


def _defined(frame: Frame, parts: list[str]) -> Condition:
    """Where an op of this name, or this overload of it, is defined by now."""
    op, overload = f"{parts[0]}::{parts[1]}", parts[2:]
    if overload:
        wanted = qualified(f"{op}.{overload[0]}")
        return by_now(frame, lambda r: isinstance(r, Defined) and r.op == wanted)
    return by_now(frame, lambda r: isinstance(r, Defined) and r.op is not None and r.op.partition(".")[0] == op)


def has_kernel(frame: Frame, arguments: Arguments) -> Value:
    """`torch._C._dispatch_has_kernel_for_dispatch_key(op, key)`: whether one was registered for that very key."""
    op, key = qualified(arguments.get(0, "name")), arguments.get(1, "dispatch")
    text = frame.machine.describe_call(_HAS_KERNEL, arguments)
    if op is None or not isinstance(key, str):
        return Unknown(text)
    found = by_now(frame, lambda r: isinstance(r, (Defined, Filled)) and r.op == op and _is_at(r, key))
    return as_value(found | frame.machine.space.atom(text))


def _is_at(record: Defined | Filled, key: str) -> bool:
    """Whether a record puts a kernel at a key. A custom op comes with wrappers of its own at two of them."""
    if isinstance(record, Defined):
        return record.api in ("custom_op", "triton_op") and key in (AUTOGRAD, META)
    slots = {"fake": META, "derivative": AUTOGRAD}
    return (record.key if record.slot == "kernel" else slots.get(record.slot)) == key


def defined_namespace(frame: Frame, namespace: str) -> Condition:
    """The condition under which a library of the kind `DEF` was made by now for a namespace."""
    return by_now(frame, lambda r: isinstance(r, NamespaceTaken) and r.namespace == namespace)


def settle(
    space: Conditions, atoms: Iterable[Atom], loaded: Callable[[str], Condition | None]
) -> dict[Atom, Condition]:
    """What each question comes to once everything was read.

    `loaded` says under which condition compiled code may fill a namespace, None for one that is open whatever happens.
    Where nothing can fill it the answer is no, unless a target assumes otherwise.
    """
    answers: dict[Atom, Condition] = {}
    for atom in atoms:
        match = _ASKED.match(atom.subject) if atom.settled is None else None
        opened = loaded(match["namespace"]) if match else None
        if opened is not None:
            asked, settled = space.atom(atom.subject), space.atom(atom.subject, settled=False)
            answers[atom] = settled if opened.fails else asked & opened
    return answers


def defined_in(space: Conditions, compiled: Iterable[Reached[object]]) -> dict[Atom, Condition]:
    """What each question about an op comes to that a C++ source answers by defining it."""
    answers: dict[Atom, Condition] = {}
    for effect in compiled:
        record = effect.record
        if isinstance(record, Defined) and record.op is not None:
            namespace, _, name = record.op.partition("::")
            asked = Atom(f"hasattr(torch.ops.{namespace}, {name.partition('.')[0]!r})")
            answers[asked] = answers.get(asked, space.false) | effect.condition
    return answers


def answered(space: Conditions, condition: Condition, answers: Mapping[Atom, Condition]) -> Condition:
    """A condition with each question in it replaced by what it came to."""
    for atom in condition.support():
        if atom in answers:
            condition = space.choose(answers[atom], _given(condition, atom, True), _given(condition, atom, False))
    return condition


def _given(condition: Condition, known: Atom, answer: bool) -> Condition:
    return condition.under(lambda atom: answer if atom == known else None)
