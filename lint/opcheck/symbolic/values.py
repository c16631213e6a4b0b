"""What an expression can evaluate to.

Plain Python scalars and tuples stand for themselves. Everything else is one of the classes below; all compare by
identity, as the objects they stand for do.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import EllipsisType
from typing import TYPE_CHECKING, Final, TypeAlias, TypeGuard, Union

from msgspec import Struct

from opcheck_rules.model.condition import Condition

from .linearization import linearize

if TYPE_CHECKING:
    from .frame import Frame
    from .modules import Module
    from .scope import Scope

Scalar: TypeAlias = bool | int | float | complex | str | bytes | EllipsisType | None
Value: TypeAlias = Union[
    Scalar,
    tuple["Value", ...],
    "Unknown",
    "External",
    "Choice",
    "ListValue",
    "DictValue",
    "FunctionValue",
    "BoundMethod",
    "ClassValue",
    "Instance",
    "EnumMember",
    "ModuleValue",
    "Partial",
    "Intrinsic",
    "Handle",
]
Items: TypeAlias = list[tuple[Condition, Value]]
"""Values, each with the condition under which it is there."""
SCALARS: Final = (type(None), bool, int, float, complex, str, bytes, EllipsisType)
MOST_PARTS: Final = 5_000
"""Values within one value that are looked through, shared ones as often as they are met."""


def is_scalar(value: object) -> TypeGuard[Scalar]:
    """Whether a value stands for itself and has no parts."""
    return isinstance(value, SCALARS)


def is_tuple(value: object) -> TypeGuard[tuple[Value, ...]]:
    """Whether a value is a tuple, whose items are values."""
    return isinstance(value, tuple)


def as_keys(keywords: Mapping[str, Value]) -> dict[Value, Value]:
    """Keyword arguments as a dictionary of values."""
    return dict(keywords.items())


@dataclass(eq=False, slots=True)
class Unknown:
    """A value that was not decided. `text` is the resolved expression it came from: an `assume` line can name it."""

    text: str


class External(Struct, frozen=True):
    """Something of a module that is not read: `torch.library.custom_op`. Its dotted path is its identity."""

    path: str


@dataclass(eq=False, slots=True)
class Choice:
    """Guarded alternatives, newest last: each value under the condition that it is the one."""

    alternatives: tuple[tuple[Condition, Value], ...]


@dataclass(eq=False, slots=True)
class ListValue:
    """A list, or another sequence or set of some `kind`, whose items are each there under a condition.

    `is_open` says that it may hold more than was seen.
    """

    items: Items
    kind: str = "list"
    is_open: bool = False


def bounded_list(items: Items, kind: str = "list", is_open: bool = False) -> ListValue:
    """A list of the first items of many, open where that left some out."""
    return ListValue(items[:MOST_PARTS], kind, is_open or len(items) > MOST_PARTS)


@dataclass(eq=False, slots=True)
class DictValue:
    """A dictionary from known keys to (possibly guarded) values. `is_open` says that it may hold more than was seen.

    `default` makes what is asked for and is not there.
    """

    items: dict[Value, Value]
    is_open: bool = False
    default: Value = None


@dataclass(eq=False)
class FunctionValue:
    """A function or lambda of the project, with the scope it closes over and its evaluated defaults.

    `node` is its definition, `attributes` what was set on it. `owner` is the class it was defined in.
    """

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    name: str
    qualname: str
    module: Module
    scope: Scope
    defaults: list[Value] = field(default_factory=list["Value"])
    keyword_defaults: dict[str, Value] = field(default_factory=dict[str, "Value"])
    attributes: dict[str, Value] = field(default_factory=dict[str, "Value"])
    kind: str = "function"
    called: bool = False


@dataclass(eq=False, slots=True)
class BoundMethod:
    """A function of a class, with the object it was looked up on."""

    function: FunctionValue
    receiver: Value


@dataclass(eq=False)
class ClassValue:
    """A class of the project: its bases (some may be unknown) and its namespace, with names `added` to it later."""

    name: str
    qualname: str
    module: Module
    bases: tuple[Value, ...]
    scope: Scope
    fields: tuple[str, ...] = ()
    node: ast.ClassDef | None = None
    added: set[str] = field(default_factory=set[str])

    @cached_property
    def _order(self) -> Sequence[ClassValue]:
        return linearize(self, [base for base in self.bases if isinstance(base, ClassValue)], ClassValue.mro)

    def mro(self) -> Sequence[ClassValue]:
        """The project's classes in the order attributes are looked up."""
        return self._order

    def derives_from(self, *paths: str) -> bool:
        """Whether some base is one of these external classes."""
        return any(isinstance(b, External) and b.path in paths for c in self.mro() for b in c.bases)

    @property
    def is_closed(self) -> bool:
        """Whether every base is read, so that a name not found in it is not there."""
        return all(isinstance(b, ClassValue) or b == External("object") for c in self.mro() for b in c.bases)


@dataclass(eq=False)
class Instance:
    """An object of a project's class. `is_open` says that not all of its attributes were seen."""

    cls: ClassValue
    scope: Scope
    is_open: bool = False


class EnumMember(Struct, frozen=True):
    """A member of an enumeration of the project. One that `is_mixed` compares as its value does."""

    qualname: str
    name: str
    value: Value
    is_mixed: bool = False


@dataclass(eq=False, slots=True)
class ModuleValue:
    """A module of the project."""

    module: Module


@dataclass(eq=False, slots=True)
class Partial:
    """`functools.partial`: a callable with some arguments given."""

    function: Value
    positional: tuple[Value, ...]
    keywords: dict[str, Value]


@dataclass(slots=True)
class Arguments:
    """The arguments of one call, with the expressions they came from where there are any.

    `is_open` says that starred arguments which could not be read may add more.
    """

    positional: list[Value]
    keywords: dict[str, Value]
    node: ast.expr | ast.stmt
    nodes: dict[int | str, ast.expr] = field(default_factory=dict[int | str, ast.expr])
    is_open: bool = False

    def get(self, position: int | None, name: str, default: Value = None) -> Value:
        """The argument given by position or by name."""
        if position is not None and position < len(self.positional):
            return self.positional[position]
        return self.keywords.get(name, default)

    def expression(self, position: int | None, name: str) -> ast.expr | ast.stmt:
        """Where the argument is written; the whole call where it is not written itself."""
        by_position = self.nodes.get(position) if position is not None else None
        return by_position or self.nodes.get(name) or self.node


@dataclass(eq=False, slots=True)
class Intrinsic:
    """A callable that opcheck gives a meaning to: a builtin, a registration API, a method of one of its objects."""

    name: str
    call: Callable[[Frame, Arguments], Value]


class Handle:
    """An object of an adapter's own: a library, a declared op. What its attributes mean, the adapter says."""

    def attribute(self, frame: Frame, name: str) -> Value:
        """The value of an attribute; an unknown one by default."""
        return Unknown(f"{self.describe()}.{name}")

    def call(self, frame: Frame, arguments: Arguments) -> Value:
        """What calling the object gives; unknown by default."""
        return Unknown(frame.machine.describe_call(self.describe(), arguments))

    def contains(self, frame: Frame, item: Value) -> Value:
        """What `item in self` gives; unknown by default."""
        return Unknown(f"{frame.machine.describe(item)} in {self.describe()}")

    def item(self, frame: Frame, index: Value) -> Value:
        """What `self[index]` gives; unknown by default."""
        return Unknown(f"{self.describe()}[{frame.machine.describe(index)}]")

    def has(self, frame: Frame, name: str) -> Value:
        """What `hasattr(self, name)` gives; true by default."""
        return True

    def items(self, frame: Frame) -> Items | None:
        """What a loop over the object meets; None, not known, by default."""

    def cut(self, frame: Frame, bounds: slice) -> Value:
        """What `self[a:b]` gives; the object itself by default."""
        return self

    def compare(self, frame: Frame, operator: str, other: Value) -> Condition | None:
        """The condition under which `self < other` holds, for an operator that atoms have; None where it has none."""

    def set_item(self, frame: Frame, index: Value, value: Value) -> None:
        """What `self[index] = value` does; nothing by default."""

    def describe(self) -> str:
        """How the object is written in a condition."""
        return f"<{type(self).__name__}>"
