"""What a project's files define and call, as far as their text tells."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from opcheck.discovery import is_auxiliary
from opcheck.summary.source import UnreadableError, read_source


class Defined(Struct, frozen=True):
    """A class of the project, by the path that it can be imported under."""

    path: str
    node: ast.ClassDef

    @property
    def name(self) -> str:
        """Its own name."""
        return self.node.name

    @property
    def bases(self) -> Sequence[str]:
        """The last names of its bases."""
        return [last_name(base) for base in self.node.bases]


class Survey(Struct, frozen=True):
    """The parsed files of a project by the names of their modules."""

    trees: Mapping[str, ast.Module]

    def classes(self) -> Iterator[Defined]:
        """Every class, by the path that it has where it stands at the margin of its module."""
        for module, tree in self.trees.items():
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef):
                    yield Defined(f"{module}.{node.name}", node)

    def calls(self) -> Iterator[ast.Call]:
        """Every call."""
        for tree in self.trees.values():
            yield from (node for node in ast.walk(tree) if isinstance(node, ast.Call))

    def defined_as(self, name: str) -> str | None:
        """The path of a function or class of this name; None where the project has none, or several."""
        found = [
            f"{module}.{name}"
            for module, tree in self.trees.items()
            for node in tree.body
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name
        ]
        return found[0] if len(found) == 1 else None


def last_name(node: ast.expr) -> str:
    """What an expression is called, without where it is looked up."""
    return ast.unparse(node).rpartition(".")[2]


def survey(root: Path, modules: Mapping[str, str]) -> Survey:
    """Parse what belongs to a project. `modules` are its files by the names they are imported under."""
    trees: dict[str, ast.Module] = {}
    for name, file in modules.items():
        path = Path(file)
        if not is_auxiliary(path.relative_to(root)):
            with suppress(UnreadableError):
                trees[name] = read_source(path).tree
    return Survey(trees)
