"""`opcheck check`: the findings."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from opcheck.report.json import check_document, files_member
from opcheck.report.text import finding_text
from opcheck_rules.model.finding import Finding, Severity

from .asked import Asked, target_options
from .console import HERE, notify, show, view_for
from .formats import format_option
from .found import found_in
from .ignoring import add_ignore_option, add_ignores
from .paths import paths_argument
from .selection import Selection, rule_options
from .subjects import Subject, subjects
from .summary import announcements, summary


@click.command("check")
@paths_argument
@target_options
@rule_options
@format_option
@click.option(
    "--fail-on",
    type=click.Choice([str(severity) for severity in Severity]),
    default="error",
    show_default=True,
    help="The severity from which findings make the exit code 1.",
)
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever is found.")
@add_ignore_option
@click.pass_context
def command(
    context: click.Context,
    *,
    paths: tuple[Path, ...],
    asked: Asked,
    selection: Selection,
    output_format: str,
    fail_on: str,
    exit_zero: bool,
    add_ignore: str | None,
) -> None:
    """Report the holes in the dispatch tables of the projects around PATHS, for the files that PATHS name."""
    found = subjects(paths, asked)
    for line in announcements(found):
        notify(line)
    results = [found_in(subject, selection) for subject in found]
    findings = [finding for result in results for finding in result.findings]
    if add_ignore:
        findings, said = add_ignores([finding for result in results for finding in result.separate], add_ignore)
        notify(said)
    _print_json(findings, found) if output_format == "json" else _print_text(findings)
    notify(summary(found, findings, sum(result.suppressed for result in results)))
    if not exit_zero and any(finding.severity.rank >= Severity(fail_on).rank for finding in findings):
        context.exit(1)


def _print_text(findings: Iterable[Finding]) -> None:
    view = view_for(sys.stdout)
    for finding in findings:
        show(finding_text(finding, view) + "\n")


def _print_json(findings: Sequence[Finding], found: Sequence[Subject]) -> None:
    targets = {target.name: target for subject in found for target in subject.targets}
    files = files_member(
        [path for subject in found for path in subject.reading.read],
        sum(subject.reading.candidates for subject in found),
        [file.span.path for subject in found for file in subject.reading.project.unreadable],
        HERE,
    )
    click.echo(check_document(findings, targets.values(), files, HERE))
