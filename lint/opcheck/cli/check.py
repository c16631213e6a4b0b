"""`opcheck check`: the findings."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from opcheck.config.selectors import chosen, matches
from opcheck.discovery.gitignore import compiled
from opcheck.engine import check
from opcheck.report.json import check_document, files_member
from opcheck.report.text import finding_text
from opcheck_rules import ALL_RULES
from opcheck_rules.model.finding import Finding, Severity

from .asked import Asked, target_options
from .console import HERE, console_for, notify, show, view_for
from .formats import format_option
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
) -> None:
    """Report the holes in the dispatch tables of the projects around PATHS, for the files that PATHS name."""
    found = subjects(paths, asked)
    for line in announcements(found):
        notify(line)
    findings = [finding for subject in found for finding in _findings(subject, selection)]
    _print_json(findings, found) if output_format == "json" else _print_text(findings)
    notify(summary(found, findings))
    if not exit_zero and any(finding.severity.rank >= Severity(fail_on).rank for finding in findings):
        context.exit(1)


def _findings(subject: Subject, selection: Selection) -> list[Finding]:
    """What a project's rules find in the files that were asked for, but for what its configuration ignores."""
    rules = chosen(ALL_RULES, *selection.over(subject.settings))
    reported = {str(path) for path in subject.files.reported}
    read = {str(path) for path in subject.files.paths}
    return [
        finding
        for finding in check(subject.reading, subject.targets, rules)
        if _concerns(finding, reported, read) and not _is_ignored(finding, subject)
    ]


def _concerns(finding: Finding, reported: set[str], read: set[str]) -> bool:
    """Whether a finding touches a file that was asked for; one about the configuration always counts."""
    places = {label.span.path for label in finding.labels}
    return not places.isdisjoint(reported) or finding.primary.path not in read


def _is_ignored(finding: Finding, subject: Subject) -> bool:
    path = Path(finding.primary.path)
    root = subject.settings.root
    return path.is_relative_to(root) and any(
        any(matches(selector, finding.code, finding.rule) for selector in selectors)
        and compiled([pattern]).match_file(path.relative_to(root).as_posix())
        for pattern, selectors in subject.settings.per_file_ignores.items()
    )


def _print_text(findings: Iterable[Finding]) -> None:
    console = console_for(sys.stdout)
    view = view_for(console)
    for finding in findings:
        show(console, finding_text(finding, view).append("\n"))


def _print_json(findings: Sequence[Finding], found: Sequence[Subject]) -> None:
    targets = {target.name: target for subject in found for target in subject.targets}
    files = files_member(
        [path for subject in found for path in subject.reading.read],
        sum(subject.reading.candidates for subject in found),
        [file.span.path for subject in found for file in subject.reading.project.unreadable],
        HERE,
    )
    click.echo(check_document(findings, targets.values(), files, HERE))
