"""What the end of a script says about the finding it was made for."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from textwrap import shorten
from typing import Any, Final

from msgspec import Struct

from opcheck_rules.model.finding import Finding, PredictedError

from .process import Ended
from .script import Script

_IN_THE_KERNEL: Final = frozenset({"OPC104", "OPC105", "OPC406"})
"""The rules that predict what a kernel does, and not that there is none."""

_ABSENT: Final = frozenset({"ImportError", "CUDARuntimeError"})
"""What says that a package or a device is missing, wherever it is raised."""
_LONGEST: Final = 160
"""Characters of what was raised that are shown."""


class Verdict(StrEnum):
    """Whether a finding came about when it was run."""

    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    NOT_RUNNABLE = "not runnable"


class Judgement(Struct, frozen=True):
    """A verdict and what it rests on: what was raised, or why nothing can be said."""

    verdict: Verdict
    reason: str


def judge(script: Script, ended: Ended, finding: Finding) -> Judgement:
    """Compare how a script ended with the error that was predicted.

    `finding` is the one expected on this machine: where it hangs on a condition, nothing here could decide that, and it
    may be why something else happens.
    """
    if ended.failure is not None:
        return Judgement(Verdict.NOT_RUNNABLE, ended.failure)
    met = _matching(script.expected, [*ended.errors, *ended.warnings])
    if met is not None:
        return Judgement(Verdict.CONFIRMED, f"raised {_said(met)}")
    raised = _said(ended.errors[0]) if ended.errors else ""
    if raised and _ended_before(script, ended, finding):
        return Judgement(Verdict.NOT_RUNNABLE, f"it ended before, with {raised}")
    if finding.condition is not None:
        hangs = shorten(finding.condition, _LONGEST, placeholder=" ...")
        return Judgement(Verdict.NOT_RUNNABLE, f"it hangs on `{hangs}`, which could not be asked here")
    return Judgement(Verdict.REFUTED, f"raised {raised}" if raised else "nothing was raised")


def _ended_before(script: Script, ended: Ended, finding: Finding) -> bool:
    """Whether what was raised kept the script from getting to where the prediction is met.

    A package or a device is missing; a module fails that is imported on the way; a kernel fails on made-up inputs.
    """
    if _ABSENT.intersection(ended.errors[0]["types"]) or (ended.line is not None and ended.line < script.decisive):
        return True
    if script.expected.when == "import":
        return finding.primary.path not in ended.files
    return finding.code in _IN_THE_KERNEL or script.expected.when == "backward"


def _matching(expected: PredictedError, raised: Iterable[dict[str, Any]]) -> dict[str, Any] | None:
    return next((r for r in raised if expected.type in r["types"] and expected.message in r["message"]), None)


def _said(raised: dict[str, Any]) -> str:
    first = shorten(str(raised["message"]).strip().partition("\n")[0], _LONGEST, placeholder=" ...")
    return f"{raised['types'][0]}: {first}" if first else str(raised["types"][0])
