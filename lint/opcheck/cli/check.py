"""`opcheck check`: the findings."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from opcheck.config import ConfigError
from opcheck.report.formats import FORMATS
from opcheck.report.results import Results
from opcheck_rules.model.finding import Finding, Severity

from .asked import Asked, target_options
from .console import notify, show, view_for
from .fix_options import Fixing, fixing_options
from .formats import format_option_of
from .found import Found, found_in
from .ignore_option import add_ignore_option
from .outputs import Output, output_option, write
from .paths import paths_argument
from .progress import progress
from .selection import Selection, rule_options
from .showing import showing_options
from .statistics import printed_form, statistics_option
from .subjects import Subject, subjects
from .summary import announcements, summary


@click.command("check", short_help="Report the holes.")
@paths_argument
@target_options
@rule_options
@format_option_of(FORMATS)
@output_option
@statistics_option
@click.option(
    "--fail-on",
    type=click.Choice([str(severity) for severity in Severity]),
    default="error",
    show_default=True,
    help="The severity from which findings make the exit code 1.",
)
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever is found.")
@fixing_options
@add_ignore_option
@showing_options
@click.pass_context
def command(
    context: click.Context,
    *,
    paths: tuple[Path, ...],
    asked: Asked,
    selection: Selection,
    output_format: str,
    outputs: Sequence[Output],
    statistics: bool,
    fail_on: str,
    exit_zero: bool,
    fixing: Fixing,
    add_ignore: str | None,
) -> None:
    """Report the holes in the dispatch tables of the projects around PATHS, for the files that PATHS name."""
    if add_ignore and fixing.diff:
        raise ConfigError("--add-ignore and --diff exclude each other: one writes files, the other only shows")
    printed = printed_form(output_format, statistics=statistics)
    with progress("Reading"):
        found = subjects(paths, asked)
    for line in announcements(found):
        notify(line)
    with progress("Checking"):
        parted = [found_in(subject, selection) for subject in found]
    diff = _fixed(found, parted, fixing) if fixing.is_asked else ""
    if fixing.fix and not fixing.diff:
        found = subjects(paths, asked)
        parted = [found_in(subject, selection) for subject in found]
    findings = [finding for part in parted for finding in part.findings]
    if add_ignore:
        findings = _ignored(parted, add_ignore)
    results = _results(found, _with_fixes(findings, found), Severity(fail_on))
    for output in outputs:
        write(output, results)
    show(diff if fixing.diff else printed(results, view_for(sys.stdout)))
    notify(summary(found, results.findings, sum(part.suppressed for part in parted)))
    if not exit_zero and any(map(results.fails, results.findings)):
        context.exit(1)


def _fixed(found: Sequence[Subject], parted: Sequence[Found], fixing: Fixing) -> str:
    from .fixing import fix_or_show  # noqa: PLC0415 - a run that fixes nothing does not wait for what it would take

    return fix_or_show([(subject, part.separate) for subject, part in zip(found, parted, strict=True)], fixing)


def _ignored(parted: Iterable[Found], reason: str) -> list[Finding]:
    """Write comments that say to ignore what was found, and give what is left."""
    from .ignoring import add_ignores  # noqa: PLC0415 - nor for what that would

    left, said = add_ignores([finding for part in parted for finding in part.separate], reason)
    notify(said)
    return left


def _with_fixes(findings: Sequence[Finding], found: Iterable[Subject]) -> Sequence[Finding]:
    if not findings:
        return ()
    from opcheck.fix.propose import with_fixes  # noqa: PLC0415 - nor does one that finds nothing

    return with_fixes(findings, [subject.reading for subject in found])


def _results(found: Sequence[Subject], findings: Sequence[Finding], fail_on: Severity) -> Results:
    targets = {target.name: target for subject in found for target in subject.targets}
    return Results(
        findings,
        tuple(targets.values()),
        read=sum(subject.files.count for subject in found),
        candidates=sum(subject.reading.candidates for subject in found),
        failed=[file.span.path for subject in found for file in subject.reading.project.unreadable],
        fail_on=fail_on,
    )
