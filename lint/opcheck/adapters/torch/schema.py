"""What an op's schema says of how it is dispatched."""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct


class Schema(Struct, frozen=True):
    """The facts that dispatch depends on. `text` is the schema from its first parenthesis on.

    `tagged` says that the definition carries PyTorch's tag for an in-place or out variant.
    """

    text: str
    takes_tensors: bool
    takes_device: bool
    mutates: bool
    returns: tuple[str, ...]
    tagged: bool = False

    @property
    def has_trivial_fake(self) -> bool:
        """Whether PyTorch makes the fake kernel itself: for an op that only mutates its arguments."""
        return self.tagged or (self.mutates and not self.returns)

    @property
    def can_be_batched(self) -> bool:
        """Whether the loop that stands in for a batching rule serves the op: it wants fresh tensors, one or several."""
        return not self.mutates and bool(self.returns) and all(r == "Tensor" for r in self.returns)

    @property
    def can_have_formula(self) -> bool:
        """Whether a derivative formula may be registered: not for an op that mutates, or gives nothing back."""
        return not self.mutates and bool(self.returns)

    @property
    def chooses_no_backend(self) -> bool:
        """Whether nothing among the arguments has a device: no tensor, and nothing of a type that was not read."""
        return not self.takes_tensors and "Any" not in self.text


_SHAPE: Final = re.compile(r"^\s*(?P<name>[\w:.]*)\s*(?P<rest>\(.*)$", re.DOTALL)
_DEVICE: Final = re.compile(r"Device\??\s+device\b")


def split_definition(text: str) -> tuple[str, str] | None:
    """The name and the schema of `name(Tensor x) -> Tensor`; None for what is no definition."""
    match = _SHAPE.match(text)
    return (match["name"], match["rest"]) if match else None


def parse_schema(text: str, *, tagged: bool = False) -> Schema | None:
    """The facts of a schema string from its first parenthesis on; None for what is no schema."""
    head, arrow, tail = text.rpartition("->")
    if not arrow or "(" not in head:
        return None
    arguments = _split(head.strip().removeprefix("(").rpartition(")")[0])
    returned = tail.strip()
    results = _split(returned[1:-1]) if returned.startswith("(") else [returned]
    return Schema(
        text=text,
        takes_tensors=any(a.startswith("Tensor") for a in arguments),
        takes_device=any(map(_DEVICE.match, arguments)),
        mutates=any("!" in a for a in arguments),
        returns=tuple(results),
        tagged=tagged,
    )


def arguments_of(text: str) -> list[str]:
    """The arguments of a schema, with the star that those given by name stand after."""
    return split(text.rpartition("->")[0].strip().removeprefix("(").rpartition(")")[0])


def _split(text: str) -> list[str]:
    return [part for part in split(text) if part != "*"]


def split(text: str) -> list[str]:
    """The parts between the commas that stand outside any bracket."""
    parts, depth, current = list[str](), 0, ""
    for char in text:
        depth += (char in "([") - (char in ")]")
        if char == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += char
    return [p for p in [*parts, current.strip()] if p]
