"""The function a caller sees: generated with the op's own fixed signature, which is what makes its dispatch cheap.

`*args`, a class with `__call__`, or binding a signature would each cost more than all of this dispatch does: measured,
a call took 1.6, 1.6 and 7.2 times the bare function, in place of the figure in docs/runtime.md.
"""

from __future__ import annotations

import functools
import inspect
import linecache
from collections.abc import Callable
from typing import Any, Final

from .parameters import Parameters

_TEMPLATE: Final = """\
def {_}call({signature}):
    try:
        {_}kernel = {lookup}
    except {_}KeyError:
        {_}kernel = {_}dispatch
    try:
        return {_}kernel({arguments})
    except {_}RuntimeError as {_}error:
        {_}explain({_}error)
        raise
"""


def generate(
    function: Callable[..., Any],
    parameters: Parameters,
    *,
    table: dict[Any, Callable[..., Any]],
    dispatch: Callable[..., Any],
    explain: Callable[[RuntimeError], None],
) -> Callable[..., Any]:
    """Generate the dispatching function of the op that `function` declares.

    It looks up `table` by the type that all array inputs share, or by the tuple of their types where they differ (which
    is () for an op without any). For what is not in the table it calls `dispatch` with all parameters by position. A
    RuntimeError out of a kernel is shown to `explain`, which may raise a better one.
    """
    prefix = _unused_prefix(parameters.names)
    source = _source(parameters, prefix)
    filename = f"<op {function.__module__}.{function.__qualname__}>"
    namespace = {
        f"{prefix}{name}": value
        for name, value in {
            "table": table,
            "dispatch": dispatch,
            "explain": explain,
            "type": type,
            "KeyError": KeyError,
            "RuntimeError": RuntimeError,
        }.items()
    }
    exec(compile(source, filename, "exec"), namespace)
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    return _dressed(namespace[f"{prefix}call"], function, parameters.signature)


def _source(parameters: Parameters, prefix: str) -> str:
    return _TEMPLATE.format(
        _=prefix,
        signature=str(_bare(parameters.signature))[1:-1],
        lookup=_lookup([parameters.names[i] for i in parameters.arrays], prefix),
        arguments=", ".join(parameters.names),
    )


def _lookup(arrays: list[str], prefix: str) -> str:
    if not arrays:
        return f"{prefix}table[()]"
    types = [f"{prefix}type({name})" for name in arrays]
    if len(types) == 1:
        return f"{prefix}table[{types[0]}]"
    return f"{prefix}table[{types[0]} if {' is '.join(types)} else ({', '.join(types)})]"


def _bare(signature: inspect.Signature) -> inspect.Signature:
    """Strip annotations, and put `...` for the defaults, which are set on the function as objects."""
    empty = inspect.Parameter.empty
    parameters = [
        parameter.replace(annotation=empty, default=empty if parameter.default is empty else ...)
        for parameter in signature.parameters.values()
    ]
    return inspect.Signature(parameters)


def _dressed(generated: Any, function: Callable[..., Any], signature: inspect.Signature) -> Callable[..., Any]:
    """Give the generated function the name, documentation and default values of the declared one."""
    defaults = [p for p in signature.parameters.values() if p.default is not p.empty]
    generated.__defaults__ = tuple(p.default for p in defaults if p.kind is not p.KEYWORD_ONLY)
    generated.__kwdefaults__ = {p.name: p.default for p in defaults if p.kind is p.KEYWORD_ONLY}
    generated.__code__ = generated.__code__.replace(co_name=function.__name__, co_qualname=function.__qualname__)
    return functools.update_wrapper(generated, function)


def _unused_prefix(names: tuple[str, ...]) -> str:
    """Find a prefix that no parameter begins with, so that the generated names cannot collide with theirs."""
    prefix = "_op_"
    while any(name.startswith(prefix) for name in names):
        prefix = f"_{prefix}"
    return prefix
