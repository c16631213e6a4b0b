"""Versions of what a project runs on, however a test spells them: compared, they become an atom about the version."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from opcheck_rules.model.condition import Condition

from .answers import numbers, version
from .frame import Frame
from .values import Arguments, External, Handle, Intrinsic, Items, ListValue, Unknown, Value, is_tuple

_NAMES: Final = ("major", "minor", "micro")
_SAME: Final[Mapping[str, str]] = {"torch.version.__version__": "torch.__version__"}
_AS_NUMBERS: Final = "sys.version_info"


def external(path: str) -> Value:
    """What a dotted path outside the project stands for: a version, where it is one by its name."""
    if path == _AS_NUMBERS or path.endswith(".__version__"):
        return RunningVersion(_SAME.get(path, path))
    return External(path)


@dataclass(frozen=True, slots=True)
class RunningVersion(Handle):
    """The version of something on the machine that runs the project, as text or parsed."""

    subject: str

    def describe(self) -> str:
        """The expression it came from."""
        return self.subject

    def attribute(self, frame: Frame, name: str) -> Value:
        """Its numbers; the version itself where what is left out (`+cu124`) orders nothing."""
        if name in _NAMES:
            return VersionNumber(self.subject, _NAMES.index(name))
        if name in ("base_version", "public"):
            return self
        if name == "release":
            return VersionNumbers(self.subject)
        if name in ("split", "partition"):
            return Intrinsic(f"{self.subject}.{name}", self._split)
        return External(f"{self.subject}.{name}")

    def _split(self, frame: Frame, arguments: Arguments) -> Value:
        """`split(".")` into numbers; any other separator ends what orders the version."""
        separator = arguments.get(0, "sep")
        return VersionNumbers(self.subject) if separator == "." else (self, Unknown(f"the rest of {self.subject}"))

    def item(self, frame: Frame, index: Value) -> Value:
        """A number of `sys.version_info`; a letter of any other version."""
        if self.subject == _AS_NUMBERS:
            return VersionNumbers(self.subject).item(frame, index)
        return Unknown(f"{self.subject}[{frame.machine.describe(index)}]")

    def cut(self, frame: Frame, bounds: slice) -> Value:
        """The first numbers of `sys.version_info`; letters of any other version."""
        if self.subject == _AS_NUMBERS:
            return VersionNumbers(self.subject).cut(frame, bounds)
        return Unknown(f"{self.subject}[{bounds.start or ''}:{bounds.stop or ''}]")

    def compare(self, frame: Frame, operator: str, other: Value) -> Condition | None:
        """Compared with a version, however that is written."""
        operand = other.text if isinstance(other, WrittenVersion) else _tuple_of(other)
        if not isinstance(operand, str) and not (is_tuple(operand) and numbers(operand)):
            return None
        return frame.machine.space.atom(self.subject, operator, operand)


@dataclass(frozen=True, slots=True)
class VersionNumbers(Handle):
    """The first few numbers of a version, as numbers or as texts of them."""

    subject: str
    count: int | None = None

    def describe(self) -> str:
        """The expression as a slice of the version."""
        return self.subject if self.count is None else f"{self.subject}[:{self.count}]"

    def items(self, frame: Frame) -> Items | None:
        """Its numbers: three where it was not cut."""
        return [(frame.machine.space.true, VersionNumber(self.subject, i)) for i in range(self.count or len(_NAMES))]

    def item(self, frame: Frame, index: Value) -> Value:
        """One of its numbers."""
        if isinstance(index, int) and 0 <= index < len(_NAMES):
            return VersionNumber(self.subject, index)
        return Unknown(f"{self.subject}[{frame.machine.describe(index)}]")

    def cut(self, frame: Frame, bounds: slice) -> Value:
        """Its first numbers."""
        stop = bounds.stop
        if not bounds.start and bounds.step is None and isinstance(stop, int) and 0 < stop <= len(_NAMES):
            return VersionNumbers(self.subject, stop)
        return Unknown(f"{self.subject}[{bounds.start or ''}:{bounds.stop or ''}]")

    def compare(self, frame: Frame, operator: str, other: Value) -> Condition | None:
        """Compared with a tuple of numbers."""
        operand = _tuple_of(other)
        if not is_tuple(operand) or not numbers(operand):
            return None
        return frame.machine.space.atom(self.describe(), operator, numbers(operand))


@dataclass(frozen=True, slots=True)
class VersionNumber(Handle):
    """One number of a version, as a number or as a text of it."""

    subject: str
    index: int

    def describe(self) -> str:
        """The number by its name."""
        return f"{self.subject}.{_NAMES[self.index]}"

    def compare(self, frame: Frame, operator: str, other: Value) -> Condition | None:
        """Compared with a number."""
        operand = int(other) if isinstance(other, str) and other.isdecimal() else other
        return frame.machine.space.atom(self.describe(), operator, operand) if isinstance(operand, int) else None


@dataclass(frozen=True, slots=True)
class WrittenVersion(Handle):
    """A version that the project itself writes, parsed: `Version("2.6")`."""

    text: str

    def describe(self) -> str:
        """The version as it is written."""
        return repr(self.text)

    def compare(self, frame: Frame, operator: str, other: Value) -> Condition | None:
        """Compared with another one that is written."""
        one, two = version(self.text), version(other.text if isinstance(other, WrittenVersion) else None)
        if one is None or two is None or operator not in ("==", "<", "<="):
            return None
        return frame.machine.space.constant({"==": one == two, "<": one < two, "<=": one <= two}[operator])


def joined(value: Value) -> Value:
    """The numbers of a version that were taken apart, put together again: `(major, minor)`."""
    parts = _tuple_of(value)
    if not is_tuple(parts):
        return value
    found = [p for p in parts if isinstance(p, VersionNumber)]
    if not found or parts != tuple(VersionNumber(found[0].subject, i) for i in range(len(parts))):
        return value
    return VersionNumbers(found[0].subject, len(parts))


def _tuple_of(value: Value) -> Value:
    """A list as the tuple it compares like."""
    if isinstance(value, ListValue) and not value.is_open and all(c.holds for c, _ in value.items):
        return tuple(v for _, v in value.items)
    return value
