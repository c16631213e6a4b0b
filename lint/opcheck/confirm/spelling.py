"""Names as a script can write them, whatever characters they have."""

from __future__ import annotations

from keyword import iskeyword


def attribute(base: str, name: str) -> str:
    """What `base` has under a name."""
    return f"{base}.{name}" if _is_plain(name) else f"getattr({base}, {name!r})"


def importing(module: str) -> str:
    """The statement that imports a module."""
    return f"import {module}" if _is_dotted(module) else f"importlib.import_module({module!r})"


def imported(module: str) -> str:
    """A module that was imported."""
    return module if _is_dotted(module) else f"sys.modules[{module!r}]"


def _is_dotted(name: str) -> bool:
    return all(map(_is_plain, name.split(".")))


def _is_plain(name: str) -> bool:
    return name.isidentifier() and not iskeyword(name)
