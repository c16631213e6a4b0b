"""What running the findings said, as text and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any, Final

from opcheck import __version__
from opcheck.confirm import Confirmation, Verdict

from .documents import dumped
from .json import SCHEMA_VERSION, finding_members
from .places import shown
from .source import printable
from .style import styled

_STYLES: Final = {Verdict.CONFIRMED: "green", Verdict.REFUTED: "bold red", Verdict.NOT_RUNNABLE: "yellow"}
_WIDTH: Final = max(map(len, Verdict))


def confirmation_text(confirmation: Confirmation, script: Path | None, base: PurePath) -> str:
    """A verdict in two lines, and where its script was written."""
    finding, judgement = confirmation.finding, confirmation.judgement
    span = finding.primary
    verdict = styled(f"{judgement.verdict:<{_WIDTH}}", _STYLES[judgement.verdict])
    rows = [f"{finding.code} {shown(span.path, base)}:{span.line}: {finding.message}", judgement.reason]
    if script is not None:
        rows.append(f"python {shown(str(script), base)}")
    return verdict + "  " + f"\n{'':<{_WIDTH}}  ".join(map(printable, rows))


def confirmations_document(
    confirmations: Sequence[tuple[Confirmation, Path | None]], counts: Mapping[Verdict, int], base: PurePath
) -> str:
    """Every finding with its verdict, what that rests on, and the script that was run."""
    findings = finding_members([confirmation.finding for confirmation, _ in confirmations], base)
    told = (_judgement(confirmation, script, base) for confirmation, script in confirmations)
    members = [{**judgement, "finding": finding} for judgement, finding in zip(told, findings, strict=True)]
    document: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "opcheck", "version": __version__},
        "confirmations": members,
        "summary": {str(verdict): counts[verdict] for verdict in Verdict},
    }
    return dumped(document)


def _judgement(confirmation: Confirmation, script: Path | None, base: PurePath) -> dict[str, Any]:
    return {
        "verdict": str(confirmation.judgement.verdict),
        "reason": confirmation.judgement.reason,
        "script": shown(str(script), base) if script is not None else None,
    }


def counted_verdicts(confirmations: Sequence[Confirmation]) -> dict[Verdict, int]:
    """How often each verdict was given."""
    return {verdict: sum(c.judgement.verdict is verdict for c in confirmations) for verdict in Verdict}
