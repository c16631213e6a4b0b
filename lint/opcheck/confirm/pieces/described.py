"""Ways into a dispatcher that a configuration describes."""

from __future__ import annotations

import importlib
import inspect
from typing import Any


def found(path: str) -> Any:
    """What a dotted path names: the module that it begins with is imported."""
    parts = path.split(".")
    for count in range(len(parts), 0, -1):
        try:
            value: Any = importlib.import_module(".".join(parts[:count]))
        except ModuleNotFoundError:
            continue
        for name in parts[count:]:
            value = getattr(value, name)
        return value
    raise ImportError(path)


def bare(path: str, **attributes: Any) -> Any:
    """An object of a class whose `__init__` was not run, with the attributes that it would have set."""
    made = object.__new__(found(path))
    made.__dict__.update(attributes)
    return made


def invoke(function: Any, *given: Any, **named: Any) -> Any:
    """Call a function with nothing for what it asks for beside what is given."""
    arguments, keywords = list(given), dict(named)
    for place, parameter in enumerate(inspect.signature(function).parameters.values()):
        if parameter.default is not parameter.empty or parameter.name in keywords:
            continue
        if parameter.kind is parameter.KEYWORD_ONLY:
            keywords[parameter.name] = None
        elif parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD) and place >= len(arguments):
            arguments.append(None)
    return function(*arguments, **keywords)
