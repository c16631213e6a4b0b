"""What a project ignores, in whichever layer it is written: for which findings, and what to say where there is none.

A run that does not look at all there is can't tell that there is none, but for a rule that does not exist.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from opcheck.config import Settings
from opcheck.config.selectors import is_known, matches, selector_help
from opcheck.discovery import Files
from opcheck.discovery.auxiliary import is_auxiliary_name
from opcheck.discovery.gitignore import compiled
from opcheck.discovery.names import relative
from opcheck.reading import IgnoreComment, Reading
from opcheck_rules import ALL_RULES
from opcheck_rules.base import nearest
from opcheck_rules.model.finding import Finding, Span
from opcheck_rules.model.project import Project
from opcheck_rules.model.suppression import UnusedSuppression

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


class Ignore(Struct, frozen=True, eq=False):
    """A selector of rules, the places it is written for, and what to say where it takes nothing: None if unknown."""

    selector: str
    covers: Callable[[Finding], bool]
    unused: UnusedSuppression | None

    def takes(self, finding: Finding) -> bool:
        """Whether it suppresses a finding."""
        return matches(self.selector, finding.code, finding.rule) and self.covers(finding)


def ignores(settings: Settings, files: Files, reading: Reading, *, whole: bool) -> Iterator[Ignore]:
    """Every ignore of a project; `whole` says that a run looks at every target there is."""
    for comment in reading.ignored:
        tells = whole or not is_known(comment.rule, ALL_RULES)
        yield Ignore(comment.rule, partial(_touches, comment.span), _idle_comment(comment) if tells else None)
    yield from _in_files(settings, files, whole)
    yield from _of_ops(settings, reading.project, whole)


def _touches(place: Span, finding: Finding) -> bool:
    """Whether a span of a finding begins or ends on the line of `place`."""
    spans = (label.span for label in finding.labels)
    return any(span.path == place.path and place.line in (span.line, span.end_line) for span in spans)


def _idle_comment(comment: IgnoreComment) -> UnusedSuppression:
    subject = f"{comment.rule} {comment.beside}"
    if not comment.rule:
        advice = "name the rules that it is for: `opcheck: ignore[OPC101] reason`"
        what = "an `opcheck: ignore` without a rule"
        return UnusedSuppression(comment.span, what, "which rules?", advice, subject=subject)
    what = f"`opcheck: ignore[{comment.rule}]`"
    if not is_known(comment.rule, ALL_RULES):
        advice = selector_help(comment.rule, ALL_RULES)
        return UnusedSuppression(comment.span, what, "no such rule", advice, subject=subject)
    advice = "remove it, or move it to a line that the finding points at"
    return UnusedSuppression(comment.span, what, "no such finding on this line", advice, subject=subject)


def _in_files(settings: Settings, files: Files, whole: bool) -> Iterator[Ignore]:
    """The ignores for files. Not all is looked for in a test or the like that was not asked for."""
    root = str(files.root)
    for pattern, selectors in settings.per_file_ignores.items():
        patterns = compiled([pattern])
        matching = [name for name in (*files.python, *files.native) if patterns.match_file(relative(name, root))]
        tells = whole and all(files.asks_for(name) or not is_auxiliary_name(relative(name, root)) for name in matching)
        why = "no file there has such a finding" if matching else "no file that is read matches"
        for selector, span in selectors.items():
            what, subject = f"ignoring `{selector}` in `{pattern}`", f"{selector} {pattern}"
            unused = UnusedSuppression(span, what, why, subject=subject)
            yield Ignore(selector, partial(_lies_in, patterns, settings.root), unused if tells else None)


def _lies_in(patterns: GitIgnoreSpec, root: Path, finding: Finding) -> bool:
    path = Path(finding.primary.path)
    return path.is_relative_to(root) and patterns.match_file(path.relative_to(root).as_posix())


def _of_ops(settings: Settings, project: Project, whole: bool) -> Iterator[Ignore]:
    """The ignores for ops, by their names or by those that a registration or a call has for one."""
    known = {op.name for op in project.ops} | {use.op for use in project.uses}
    known |= {registration.op for registration in project.registrations if registration.op}
    for pattern, selectors in settings.per_op_ignores.items():
        matching = any(fnmatchcase(name, pattern) for name in known)
        near = None if matching else nearest(pattern, sorted(known))
        why = "no op called so has such a finding" if matching else "no op that was read is called so"
        advice = f"did you mean `{near}`?" if near else "remove it"
        for selector, span in selectors.items():
            what, subject = f"ignoring `{selector}` for `{pattern}`", f"{selector} {pattern}"
            unused = UnusedSuppression(span, what, why, advice, subject=subject)
            yield Ignore(selector, partial(_is_of, pattern), unused if whole else None)


def _is_of(pattern: str, finding: Finding) -> bool:
    return finding.op is not None and fnmatchcase(finding.op, pattern)
