"""What the end of a script says of its finding."""

from __future__ import annotations

from typing import Any

import pytest

from opcheck.confirm.process import Ended
from opcheck.confirm.script import Script
from opcheck.confirm.verdict import Judgement, Verdict, judge
from opcheck_rules.model.finding import Finding, Label, PredictedError, Span


def script(when: str = "call", type: str = "NotImplementedError", message: str = "Could not run") -> Script:
    return Script("name.py", "", 10, PredictedError(when, type, message))


def finding(code: str = "OPC101", condition: str | None = None) -> Finding:
    label = Label(Span("/project/ops.py", 3, 1, 3, 5), "here", primary=True)
    return Finding(code, "rule", "message", (label,), condition=condition)


def raised(*types: str, message: str = "Could not run 'ns::op' with") -> dict[str, Any]:
    return {"types": [*types, "Exception"], "message": message}


@pytest.mark.parametrize(
    ("ended", "verdict", "reason"),
    [
        (
            Ended([raised("NotImplementedError")], 10),
            Verdict.CONFIRMED,
            "raised NotImplementedError: Could not run 'ns",
        ),
        (Ended([raised("Derived", "NotImplementedError")], 10), Verdict.CONFIRMED, "raised Derived: Could"),
        (Ended([raised("Outer", message="x"), raised("NotImplementedError")], 10), Verdict.CONFIRMED, "raised NotImpl"),
        (Ended(warnings=[raised("NotImplementedError")]), Verdict.CONFIRMED, "raised NotImplementedError"),
        (
            Ended([raised("NotImplementedError", message="other")], 10),
            Verdict.REFUTED,
            "raised NotImplementedError: other",
        ),
        (Ended([raised("KeyError", message="")], 11), Verdict.REFUTED, "raised KeyError"),
        (Ended([raised("KeyError")], None), Verdict.REFUTED, "raised KeyError"),
        (
            Ended([raised("ImportError", message="no x")], 9),
            Verdict.NOT_RUNNABLE,
            "it ended before, with ImportError: no x",
        ),
        (Ended(), Verdict.REFUTED, "nothing was raised"),
        (Ended(failure="it took longer"), Verdict.NOT_RUNNABLE, "it took longer"),
    ],
)
def test_how_a_script_ended_decides(ended: Ended, verdict: Verdict, reason: str) -> None:
    found = judge(script(), ended, finding())

    assert found.verdict is verdict
    assert found.reason.startswith(reason)


@pytest.mark.parametrize(
    ("code", "when"), [("OPC104", "call"), ("OPC105", "call"), ("OPC406", "call"), ("OPC201", "backward")]
)
def test_a_kernel_that_fails_on_made_up_inputs_says_nothing(code: str, when: str) -> None:
    found = judge(script(when), Ended([raised("ValueError", message="shape")], 10), finding(code))

    assert found == Judgement(Verdict.NOT_RUNNABLE, "it ended before, with ValueError: shape")


@pytest.mark.parametrize("ended", [Ended(), Ended([raised("KeyError")], 10)])
def test_what_hangs_on_a_fact_that_cannot_be_asked_is_not_refuted(ended: Ended) -> None:
    found = judge(script(), ended, finding(condition="called:pkg.setup"))

    assert found == Judgement(Verdict.NOT_RUNNABLE, "it hangs on `called:pkg.setup`, which could not be asked here")


@pytest.mark.parametrize(
    ("files", "verdict"), [(["/project/ops.py"], Verdict.REFUTED), (["/project/__init__.py"], Verdict.NOT_RUNNABLE)]
)
def test_an_import_that_fails_elsewhere_does_not_get_there(files: list[str], verdict: Verdict) -> None:
    assert judge(script("import"), Ended([raised("OSError")], 10, files), finding()).verdict is verdict


@pytest.mark.parametrize("missing", ["ImportError", "CUDARuntimeError"])
def test_a_missing_package_or_device_keeps_from_getting_there(missing: str) -> None:
    found = judge(script(), Ended([raised("Derived", missing, message="none")], 10), finding())

    assert found == Judgement(Verdict.NOT_RUNNABLE, "it ended before, with Derived: none")


def test_a_long_text_is_cut_short() -> None:
    long = raised("NotImplementedError", message="Could not run " + "x " * 500)

    found = judge(script(), Ended([long], 10), finding())

    assert len(found.reason) < 200
    assert found.reason.endswith(" ...")
