"""A hole that `route` reports, as an outcome of the dispatch table."""

from __future__ import annotations

from typing import Final

from opcheck_rules.model.condition import Condition
from opcheck_rules.model.finding import PredictedError, Span
from opcheck_rules.model.project import Cause, Outcome, Status
from opcheck_runtime.route import Hole, Reason

from .records import Declared

_CAUSES: Final = {
    Reason.NOT_LISTED: Cause.NOT_LISTED,
    Reason.FEATURE_OFF: Cause.FEATURE_OFF,
    Reason.NO_KERNEL: Cause.NO_KERNEL,
    Reason.AUTODIFF_NOT_LISTED: Cause.AUTODIFF_NOT_LISTED,
    Reason.AUTODIFF_FEATURE_OFF: Cause.AUTODIFF_FEATURE_OFF,
    Reason.NO_VJP: Cause.NO_RULE,
}


def hole_of(answer: Hole, record: Declared, world: Condition, span: Span) -> Outcome:
    """The outcome, with what a call would raise; one that is left out on purpose is no hole."""
    name, what = record.function.name, "Autodiff" if answer.is_autodiff else "Backend"
    error = PredictedError("call", f"{what}NotSupportedError", f"{what} not supported for custom op `{name}`")
    if answer.reason is Reason.UNSUPPORTED:
        return Outcome(world, Status.EXCLUDED, "left out on purpose", span=span, error=error)
    feature = answer.feature
    reason = f"feature `{feature}` is off" if feature else answer.reason.value
    return Outcome(world, Status.HOLE, reason, cause=_CAUSES[answer.reason], feature=feature, span=span, error=error)
