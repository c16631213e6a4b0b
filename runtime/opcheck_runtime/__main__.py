"""`python -m opcheck_runtime MODULE...`: import the modules and print the dispatch table of the ops they declare."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Sequence
from typing import Any

from .table import dispatch_table

_HEADER = ("op", "backend", "forward", "autodiff", "declared at")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; gives 0, or 2 if a module cannot be imported."""
    parser = argparse.ArgumentParser(prog="python -m opcheck_runtime", description=__doc__)
    parser.add_argument("modules", nargs="+", metavar="MODULE", help="a module to import, by its dotted name")
    parser.add_argument("--json", action="store_true", help="print the table as JSON")
    options = parser.parse_args(arguments)
    for module in options.modules:
        try:
            importlib.import_module(module)
        except Exception as error:  # whatever a module raises, it has no table
            sys.stderr.write(f"cannot import `{module}`: {type(error).__name__}: {error}\n")
            return 2
        if not dispatch_table(module)["ops"]:
            sys.stderr.write(f"`{module}` declares no ops\n")
    table = dispatch_table(*options.modules)
    sys.stdout.write(json.dumps(table, indent=2) if options.json else "\n".join(_lines(table)))
    sys.stdout.write("\n")
    return 0


def _lines(table: dict[str, Any]) -> list[str]:
    rows = [_HEADER, *(row for op in table["ops"] for row in _rows(op))]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows]


def _rows(op: dict[str, Any]) -> list[tuple[str, ...]]:
    words: dict[str, dict[str, str]] = {}
    for cell in op["cells"]:
        words.setdefault(cell["backend"], {})[cell["context"]] = _word(cell)
    place = f"{op['path']}:{op['line']}"
    return [(op["op"], backend, w["forward"], w["autodiff"], place) for backend, w in words.items()]


def _word(cell: dict[str, Any]) -> str:
    if cell["status"] == "covered":
        return cell["via"] or "covered"
    return f"{cell['status']}: {cell['reason']}"


if __name__ == "__main__":
    sys.exit(main())
