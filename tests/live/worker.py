"""Execute generated modules with real torch, and say what each leaves in the dispatcher.

Reads one JSON document a line, `{"namespace": ..., "source": ...}`, and answers each with one line: the cells of the
namespace's ops and what calling each on a CPU tensor gives, or the error that running the module raised.
"""

from __future__ import annotations

import importlib
import json
import logging
import sys
import types
import warnings
from typing import Any

dispatcher: Any = importlib.import_module("dispatcher")
torch: Any = dispatcher.torch


def called(op: str) -> float | str:
    """What calling the op on a CPU tensor of zeros gives: the mark of the kernel that ran, or the error's type."""
    namespace, _, name = op.partition("::")
    packet, _, overload = name.partition(".")
    try:
        result = getattr(getattr(getattr(torch.ops, namespace), packet), overload or "default")(torch.zeros(()))
    except Exception as error:
        return type(error).__name__
    return float(result) if isinstance(result, torch.Tensor) else "no tensor"


def run(source: str, namespace: str, kept: list[Any]) -> dict[str, Any]:
    """Execute one module; its ops live as long as it is kept."""
    module = types.ModuleType(namespace)
    kept.append(module)
    try:
        exec(compile(source, f"{namespace}.py", "exec"), module.__dict__)
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    ops = [op for op in dispatcher.registered() if op.startswith(f"{namespace}::")]
    undefined = {line.partition("\n")[0] for line in torch._C._dispatch_find_dangling_impls()}
    defined = [op for op in ops if not any(op in line for line in undefined)]
    return {
        "ops": {op: dispatcher.cells(op) for op in defined},
        "calls": {op: called(op) for op in defined},
    }


def main() -> None:
    """Answer until there are no more modules."""
    warnings.simplefilter("ignore")
    logging.disable()
    dispatcher.remember()
    kept: list[Any] = []
    for line in sys.stdin:
        asked = json.loads(line)
        sys.stdout.write(json.dumps(run(asked["source"], asked["namespace"], kept)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
