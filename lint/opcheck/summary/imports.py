"""The import statements of a file, found in its bytes: parsing every file of a project takes longer than all the rest.

Nothing is guessed. Where bytes alone cannot tell a statement from text that reads like one, the file is parsed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from .lexing import UnclearError
from .nodes import statements
from .source import Source
from .strings import Strings

Names = tuple[tuple[str, str], ...]


class Import(NamedTuple):
    """One imported module: `names` are what is taken from it and under which names, None for `import module`.

    `level` counts the dots in front, and `is_plain` says that the statement runs whenever its module does.
    """

    module: str
    level: int
    names: Names | None
    is_plain: bool


_WORD: Final = b"import"
_FROM: Final = re.compile(rb"from[ \t]+(\.*)[ \t]*([\w.]*)[ \t]*$")
_INLINE: Final = re.compile(rb"[:;][ \t]*(?:from[ \t]+[\w.]+[ \t]+)?$")
_NAME: Final = re.compile(r"([\w.]+|\*)(?:\s+as\s+(\w+))?")
_BLANK: Final = b" \t\x0c"
_INDENTED: Final = re.compile(r"^[ \t]+(?:import|from)[ \t]", re.MULTILINE)
_SPACE: Final = re.compile(r"[ \t]+")
_HEADERS: Final = (
    "if ",
    "elif ",
    "else",
    "try",
    "except",
    "finally",
    "with ",
    "for ",
    "while ",
    "class ",
    "match ",
    "case ",
)
_GOES_ON: Final = re.compile(rb"[\w.\x80-\xff]")


def find_imports(data: bytes) -> tuple[Import, ...] | None:
    """Every import statement of a file in UTF-8, in order; None where only parsing can tell."""
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    try:
        return tuple(_found(data))
    except (UnclearError, UnicodeDecodeError):
        return None


def _found(data: bytes) -> Iterator[Import]:
    strings = Strings(data)
    at = data.find(_WORD)
    while at >= 0:
        start = data.rfind(b"\n", 0, at) + 1
        head = data[start:at]
        if _is_word(data, at, head) and _begins(data, start, at, strings):
            yield from _statement(data, at, head)
            at = data.find(b"\n", at)
        at = data.find(_WORD, at + 1) if at >= 0 else -1


def has_guarded_import(text: str) -> bool:
    """Whether an import of a module may depend on a guard: one that stands neither at its margin nor in a function.

    What only type checkers run is left aside. A line of a string that looks like a guard counts as one.
    """
    return any(_is_guarded(text, match.start()) for match in _INDENTED.finditer(text))


def _is_guarded(text: str, start: int) -> bool:
    indent = _indent(text, start)
    while start > 0 and indent > 0:
        end, start = start - 1, text.rfind("\n", 0, start - 1) + 1
        if _indent(text, start) >= indent or text[end - 1 : end] != ":":
            continue
        line = text[start:end].lstrip()
        if line.startswith(("def ", "async def ")) or "TYPE_CHECKING" in line:
            return False
        if line.startswith(_HEADERS):
            indent = _indent(text, start)
    return True


def _indent(text: str, start: int) -> int:
    match = _SPACE.match(text, start)
    return len(match[0]) if match else 0


def _is_word(data: bytes, at: int, head: bytes) -> bool:
    return not (_GOES_ON.match(data, at + len(_WORD)) or _GOES_ON.match(head[-1:]))


def _begins(data: bytes, start: int, at: int, strings: Strings) -> bool:
    """Whether the word `import` begins the statement of its line, or goes on with one that began with `from`.

    Raises `UnclearError` where it may be part of one that began elsewhere.
    """
    head = data[start:at].lstrip(_BLANK)
    is_first = not head or head.startswith(b"from")
    is_inner = data[start - 2 : start] == b"\\\n" or _INLINE.search(head) is not None
    if not (is_first or is_inner) or head.startswith(b"#") or strings.holds(start):
        return False
    if is_inner and not strings.covers(start, at):
        raise UnclearError
    return is_first and not is_inner


def _statement(data: bytes, at: int, head: bytes) -> Iterator[Import]:
    is_plain, stripped = head[:1] not in (b" ", b"\t", b"\x0c"), head.lstrip(_BLANK)
    names = _names(_listed(data, at + len(_WORD)).decode())
    if not stripped:
        yield from (Import(name, 0, None, is_plain) for name, _ in names)
        return
    source = _FROM.match(stripped)
    if source is not None:
        yield Import(source[2].decode(), len(source[1]), names, is_plain)


def _listed(data: bytes, at: int) -> bytes:
    """What stands behind `import`, up to the end of the statement."""
    end = data.find(b"\n", at)
    line = data[at : end if end >= 0 else len(data)].partition(b"#")[0]
    if not line.lstrip(_BLANK).startswith(b"("):
        return _first(line, b";")
    while b")" not in line:
        if end < 0:
            raise UnclearError
        start, end = end + 1, data.find(b"\n", end + 1)
        line += b" " + data[start : end if end >= 0 else len(data)].partition(b"#")[0]
    return _first(line, b")").replace(b"(", b" ")


def _first(line: bytes, end: bytes) -> bytes:
    """What stands before the end of a statement. Raises `UnclearError` where another import may follow on the line."""
    own, _, rest = line.partition(end)
    if _WORD in rest:
        raise UnclearError
    return own


def _names(listed: str) -> Names:
    """The names in a list of them. Raises `UnclearError` for what is no such list."""
    parts = [part.strip() for part in listed.split(",")]
    return tuple((part, part) if part.isidentifier() else _renamed(part) for part in parts if part)


def _renamed(part: str) -> tuple[str, str]:
    match = _NAME.fullmatch(part)
    if match is None:
        raise UnclearError
    return match[1], match[2] or match[1]


def imports_of(source: Source) -> tuple[Import, ...]:
    """Every import statement of a parsed file, in order."""
    plain = set(map(id, source.tree.body))
    nodes = [node for node in statements(source.tree.body) if isinstance(node, (ast.Import, ast.ImportFrom))]
    nodes.sort(key=lambda node: (node.lineno, node.col_offset))
    return tuple(each for node in nodes for each in _imports(node, is_plain=id(node) in plain))


def _imports(node: ast.Import | ast.ImportFrom, *, is_plain: bool) -> Iterable[Import]:
    if isinstance(node, ast.Import):
        return [Import(alias.name, 0, None, is_plain) for alias in node.names]
    names = tuple((alias.name, alias.asname or alias.name) for alias in node.names)
    return [Import(node.module or "", node.level, names, is_plain)]
