"""Where a definition is written: the name of its op, and the devices it is for."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from opcheck_rules.model.finding import Span

from ...symbolic.frame import Frame
from ...symbolic.values import Arguments


def places(frame: Frame, arguments: Arguments, op: str | None) -> tuple[Span, Span]:
    """Where an op's name is written, and where its devices are: the name again where they are not.

    Of an op that a helper defines that is where a module's own body calls the helper, if it names the op there.
    """
    name = arguments.nodes.get(0) or arguments.node
    site = frame.machine.state.site
    if site is not None and op is not None and not isinstance(name, ast.Constant):
        module, call = site
        for literal in _spelling(call, op):
            return module.source.span(literal), module.source.span(_devices(call) or literal)
    place, devices = frame.machine.place(frame, frame.span(name)), arguments.nodes.get("device_types")
    return place, frame.span(devices) if devices is not None else place


def _spelling(call: ast.AST, op: str) -> Iterator[ast.Constant]:
    """The arguments that spell the name of an op, or a schema that begins with it: with its namespace or without."""
    names = (op, op.rpartition("::")[2])
    for node in (*call.args, *(word.value for word in call.keywords)) if isinstance(call, ast.Call) else ():
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.partition("(")[0] in names:
            yield node


def _devices(call: ast.AST) -> ast.expr | None:
    words = call.keywords if isinstance(call, ast.Call) else []
    return next((word.value for word in words if word.arg == "device_types"), None)
