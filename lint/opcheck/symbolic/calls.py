"""What calling each kind of value gives."""

from __future__ import annotations

from .classes import call_method, instance_attribute, instantiate
from .describe import bounded, describe_call
from .frame import Frame
from .functions import call_function
from .lift import lift
from .limits import BOUNDS, FEW_ATOMS, STATEMENT_NODES
from .values import (
    Arguments,
    BoundMethod,
    Choice,
    ClassValue,
    External,
    FunctionValue,
    Handle,
    Instance,
    Intrinsic,
    Partial,
    Unknown,
    Value,
)


def call(frame: Frame, callee: Value, arguments: Arguments) -> Value:
    """The result of a call. One that goes past its bounds is given up as a whole, at the outermost."""
    state = frame.machine.state
    if (frame.called is not None and not frame.is_lenient) or state.guarded:
        return lift(frame, [callee], lambda values: _call(frame, values[0], arguments))
    before, depth, outside = frame.path, len(state.stack), state.external_calls
    state.guarded, state.site = True, (frame.module, arguments.node)
    left = state.budget.reserve()
    effects = len(frame.machine.effects) + len(frame.machine.edges)
    try:
        result = lift(frame, [callee], lambda values: _call(frame, values[0], arguments))
        silent = effects == len(frame.machine.effects) + len(frame.machine.edges)
        return _concise(frame, result, callee, arguments) if silent else result
    except BOUNDS:
        del state.stack[depth:]
        state.external_calls = outside
        frame.machine.space.grant(STATEMENT_NODES)
        frame.path = frame.unhandled(before)
        return _given_up(frame, callee, arguments)
    finally:
        state.budget.restore(left)
        state.guarded, state.site = False, None


def _concise(frame: Frame, result: Value, callee: Value, arguments: Arguments) -> Value:
    """The result of a call that registers nothing: where it hangs on many facts, the call itself is the one to name."""
    if not isinstance(result, Choice) or not isinstance(callee, (FunctionValue, BoundMethod)):
        return result
    hangs_on = 0
    for condition, _ in result.alternatives:
        hangs_on |= condition.atoms & ~frame.path.atoms
    if hangs_on.bit_count() <= FEW_ATOMS:
        return result
    return _unknown(frame, callee, arguments)


def _given_up(frame: Frame, callee: Value, arguments: Arguments) -> Value:
    """The call as one unknown. What it might still have registered is on record as not read."""
    unknown = _unknown(frame, callee, arguments)
    if not frame.hypothetical:
        frame.machine.give_up(frame, unknown.text, arguments.node)
    return unknown


def _call(frame: Frame, callee: Value, arguments: Arguments) -> Value:
    frame.machine.budget.spend()
    meant = frame.machine.watcher.meaning(callee) if frame.machine.watcher is not None else None
    if meant is not None:
        return meant.call(frame, arguments)
    match callee:
        case FunctionValue():
            return call_function(frame, callee, arguments)
        case BoundMethod():
            return call_method(frame, callee, arguments)
        case ClassValue():
            return instantiate(frame, callee, arguments)
        case Intrinsic():
            return callee.call(frame, arguments)
        case External():
            return _call_external(frame, callee, arguments)
        case Handle():
            return callee.call(frame, arguments)
        case Partial():
            return frame.machine.call(frame, callee.function, _complete(callee, arguments))
        case Instance():
            return _call_instance(frame, callee, arguments)
        case _:
            return _unknown(frame, callee, arguments)


def _complete(partial: Partial, arguments: Arguments) -> Arguments:
    positional = [*partial.positional, *arguments.positional]
    nodes = {k + len(partial.positional) if isinstance(k, int) else k: n for k, n in arguments.nodes.items()}
    return Arguments(positional, {**partial.keywords, **arguments.keywords}, arguments.node, nodes, arguments.is_open)


def _call_instance(frame: Frame, instance: Instance, arguments: Arguments) -> Value:
    method = instance_attribute(frame, instance, "__call__")
    if isinstance(method, BoundMethod):
        return call_method(frame, method, arguments)
    return _unknown(frame, instance, arguments)


def _call_external(frame: Frame, callee: External, arguments: Arguments) -> Value:
    intrinsic = frame.machine.intrinsic(callee.path)
    if intrinsic is not None:
        return intrinsic.call(frame, arguments)
    text = frame.machine.describe_call(callee.path, arguments)
    frame.machine.state.external_calls.append(text)
    return Unknown(bounded(frame, text, arguments.node))


def _unknown(frame: Frame, callee: Value, arguments: Arguments) -> Unknown:
    text = describe_call(frame.machine.describe(callee), arguments.positional, arguments.keywords)
    return Unknown(bounded(frame, text, arguments.node))
