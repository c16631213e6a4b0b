"""Results to write out: one with everything in it, and those that are made to break a format."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from opcheck.report.formats import FORMATS
from opcheck.report.results import Results
from opcheck.report.snippet import View
from opcheck_rules.model.finding import Applicability, Edit, Finding, Fix, Label, PredictedError, Severity, Span
from opcheck_rules.model.target import Target

BASE = Path("/work/demo")
SPAN = Span("/work/demo/src/a.py", 3, 1, 3, 9)
ELSEWHERE = Span("/work/demo/pyproject.toml", 2, 13, 2, 19)

HOLE = Finding(
    "OPC101",
    "backend-not-supported",
    "`ns::op` has no kernel for backend `cuda`",
    (Label(SPAN, "declared for `cpu`", primary=True), Label(ELSEWHERE, "required here")),
    op="ns::op",
    framework="torch",
    backend="cuda",
    context="forward",
    targets=("serve", "train"),
    notes=("a fact",),
    help="register a `cuda` kernel",
    error=PredictedError("call", "NotImplementedError", "Could not run 'ns::op'"),
    fix=Fix(Applicability.UNSAFE, (Edit(SPAN, '["cpu", "cuda"]'), Edit(ELSEWHERE, "x"), Edit(SPAN, "y"))),
)
FINGERPRINT = "45edb22b57d6986d"
"""Of the first: services know findings by it from one opcheck to the next."""
DOUBT = Finding(
    "OPC102",
    "backend-gated-off",
    "`ns::op` may have none",
    (Label(SPAN, "", primary=True),),
    Severity.WARNING,
    condition="not pkg.FAST",
)

_HOSTILE = (
    *("\n", "\r\n", "\t", "\x00", "\x1b[31m", "\u2028", "\ud800", "\udcff", "\ufffe", "\U0001f600", "é"),
    *(
        "]]>",
        "<!--",
        "<script>",
        "&",
        '"',
        "'",
        "|",
        "\\",
        "`",
        "*",
        "_",
        "%0A",
        "::error::",
        ",",
        ":",
        "@me",
        "#1",
        "a",
    ),
)
TEXTS = st.lists(st.sampled_from(_HOSTILE), max_size=8).map("".join)
_SPANS = st.builds(
    lambda name, line, column: Span(f"/work/demo/{name}.py", line, column, line, column + 1),
    st.lists(st.sampled_from(["\n", "é", "\udcff", "]]>", "|", "%", ",", ":", "a"]), min_size=1, max_size=4).map(
        "".join
    ),
    st.integers(1, 9),
    st.integers(1, 9),
)
FINDINGS = st.builds(
    lambda message, span, other, text: Finding(
        "OPC101",
        "backend-not-supported",
        message,
        (Label(span, text, primary=True), Label(other, text)),
        op=text,
        backend=text,
        condition=text,
        notes=(text,),
        help=text,
        error=PredictedError("call", "ValueError", text),
        fix=Fix(Applicability.SAFE, (Edit(span, text),)),
    ),
    TEXTS, _SPANS, _SPANS, TEXTS,
)  # fmt: skip


def written(format: str, *findings: Finding, fail_on: Severity = Severity.ERROR) -> str:
    """What a format makes of findings."""
    results = Results(findings, (Target("serve", ("cuda",)),), 2, 1, ["/work/demo/bad.py"], fail_on)
    return FORMATS[format](results, View(BASE))


def schema(name: str) -> Any:
    """A JSON Schema that is published."""
    return json.loads((Path(__file__).parents[3] / "docs" / f"{name}.schema.json").read_text("utf-8"))


def validate(document: Any, schema: Any) -> None:
    """Hold a document against a JSON Schema. It is imported here as it is no part of what runs the wheel's tests."""
    import_module("jsonschema").validate(document, schema)
