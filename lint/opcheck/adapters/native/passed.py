"""Whether a kernel or derivative rule can take the parameters of its op: the runtime asks when it is registered."""

from __future__ import annotations

from msgspec.structs import replace

from opcheck_rules.model.finding import PredictedError
from opcheck_rules.model.project import Mismatch

from ...symbolic.values import FunctionValue, Value
from ..parameters import Passed, mismatch_of
from .gathered import Gathered


def mismatch(gathered: Gathered, function: Value, leading: tuple[str, ...]) -> Mismatch | None:
    """How a function fails to take `leading` and every parameter of the op, defaults filled in, by position."""
    op = gathered.declared[0].record.function
    if len(gathered.declared) > 1 or not isinstance(function, FunctionValue):
        return None
    spec = op.node.args
    names = (*leading, *(arg.arg for arg in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)))
    found = mismatch_of(function, Passed(names, len(names), ", ".join(names)), "import")
    message = f"custom op `{op.name}`: a function that cannot take {len(names)} parameters by position"
    return replace(found, error=PredictedError("import", "DeclarationError", message)) if found else None
