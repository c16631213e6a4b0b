"""What a configuration says of a project's own dispatcher: data, which the rest of this folder reads by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from msgspec import Struct, field

from opcheck_rules.model.finding import Span

PLACE: Final = "{backend}"
"""What stands for a backend's name in the path of a module and in the pattern of a class's name."""


class Argument(Struct, frozen=True):
    """An argument of a call: by its position, by its keyword, or by whichever of the two it is given."""

    position: int | None = None
    keyword: str | None = None


class Calls(Struct, frozen=True):
    """A function that registers, called or used as a decorator.

    `op` is "function" where the op is named after the function that is registered, and "object" where it is what the
    registering method is called on. Without `function` that is the decorated one. `default` are the backends of a call
    that names none: all of them where none is listed.
    """

    callables: tuple[str, ...]
    op: Argument | Literal["function", "object"]
    backend: Argument | None = None
    function: Argument | None = None
    default: tuple[str, ...] = ()


class Items(Struct, frozen=True):
    """A dictionary whose items register: `op` and `backend` are places in its key, nested keys one after the other."""

    table: str
    op: int = 0
    backend: int | None = 1
    default: tuple[str, ...] = ()


class Keywords(Struct, frozen=True):
    """A callable that takes a function for each backend, by keyword or in the order that the keywords are listed."""

    callables: tuple[str, ...]
    keywords: Mapping[str, str]
    op: Argument | Literal["function", "assignment"]


class Attribute(Struct, frozen=True):
    """A class attribute that lists backends. `op` is "class", or the attribute that names the op."""

    base: tuple[str, ...]
    attribute: str
    op: str = "class"


class Outside(Struct, frozen=True):
    """What a class that was not read has: methods that work, and stubs, which only raise."""

    methods: frozenset[str]
    stubs: frozenset[str] = frozenset()


class Classes(Struct, frozen=True):
    """A class for each backend.

    `backend` is the attribute that names it, a pattern of class names with `{backend}` in it, or the classes' names
    with their backends. `methods` are named, or those of the "base", or the "union" of all classes'.
    """

    base: tuple[str, ...]
    backend: str | Mapping[str, str]
    methods: tuple[str, ...] | Literal["base", "union"] = "base"
    outside: Mapping[str, Outside] = field(default_factory=dict[str, Outside])


class Modules(Struct, frozen=True):
    """A module or package for each backend, at `root` with its `{backend}` filled in.

    `ops` are named, the "union" of all modules' functions, the path of a list, or the backend whose functions they are.
    """

    root: str
    ops: tuple[str, ...] | str = "union"


Shape: TypeAlias = Calls | Items | Keywords | Attribute | Classes | Modules


class ErrorTemplate(Struct, frozen=True):
    """What a call raises where a backend lacks the op; `{op}` and `{backend}` stand for their names."""

    type: str
    message: str


class Description(Struct, frozen=True):
    """One table of a configuration about the dispatcher called `name`.

    `backends` are those that it knows, in the order of columns; `values` are what else stands for some of them: a text
    or a dotted path. `stubs` are the functions that stand for there being none, `exclude` patterns of ops to leave out.
    `call` is an expression that a process of its own can evaluate to meet a hole. `span` is where the table is written.
    """

    name: str
    shape: Shape
    backends: tuple[str, ...]
    span: Span
    context: str = "forward"
    error: ErrorTemplate | None = None
    call: str | None = None
    stubs: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, "tuple[str, ...]"])
