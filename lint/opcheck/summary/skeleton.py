"""A text parsed without the bodies of its functions, which are set aside until something asks for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from .lazy import FUNCTIONS, Block, Late, Whole, blocks, lazy
from .lexing import UnclearError
from .parsing import BROKEN, parsed
from .preparse import Body, bodies


def lazily_parsed(text: str, whole: Whole) -> Block | None:
    """The statements of a text, most of whose functions are lazy; None where the text has to be parsed at once.

    `whole` does that, for a body that cannot be parsed by itself.
    """
    text = text.replace("\r\n", "\n")
    try:
        found = list(bodies(text))
        statements = parsed("".join(_without(text, found))).body
    except (UnclearError, *BROKEN):
        return None
    _set_aside(statements, {place.header: Late(text, place, whole) for place in found})
    return statements


def _without(text: str, found: Sequence[Body]) -> Iterator[str]:
    """A text with one short statement for each body, that ends where the body does."""
    at = 0
    for body in found:
        before, lines = body.last - body.line, text.count("\n", body.start, body.end)
        yield text[at : body.start]
        yield "\n" * before + body.indent + "0".rjust(body.last_column - len(body.indent)) + "\n" * (lines - before)
        at = body.end
    yield text[at:]


def _set_aside(statements: Block, found: Mapping[int, Late]) -> None:
    for block in blocks(statements):
        for i, statement in enumerate(block):
            if isinstance(statement, FUNCTIONS) and statement.lineno in found:
                block[i] = lazy(statement, found[statement.lineno])
