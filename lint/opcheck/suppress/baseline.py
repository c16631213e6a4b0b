"""The baseline: findings that are let pass because they were there before, each by its rule, op, backend and target.

An entry has no line and no count: it stays through moves, and takes no finding but those of its own cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

from msgspec import Struct

from opcheck.config import ConfigError, Settings
from opcheck.config.document import load_document
from opcheck.config.section import Section
from opcheck.config.shapes import as_list, as_table
from opcheck.writing import is_text, toml_string
from opcheck_rules import unused_suppression
from opcheck_rules.model.finding import Finding, Span
from opcheck_rules.model.suppression import UnusedSuppression

from .ignores import Ignore

FILE: Final = "opcheck-baseline.toml"
_HEADER: Final = "# Findings that `opcheck check` lets pass; `opcheck baseline` drops those that are mended.\n"
_KEYS: Final = ("rule", "op", "backend", "target")


class Entry(Struct, frozen=True):
    """What an entry lets pass: findings of one rule on one cell of an op, or on all of it, under one target."""

    rule: str
    op: str
    backend: str | None
    target: str

    def takes(self, finding: Finding) -> bool:
        """Whether a finding under one target is of this entry."""
        return entry_of(finding) == self


def entry_of(finding: Finding) -> Entry | None:
    """The entry for a finding under one target; None where it has no op to name, or is about suppressions."""
    if finding.op is None or finding.code == unused_suppression.RULE.code:
        return None
    if not is_text(finding.op + (finding.backend or "")):
        return None
    return Entry(finding.code, finding.op, finding.backend, finding.targets[0])


def place(settings: Settings) -> Path:
    """Where a project's baseline is, or would be: where the configuration says, else beside the configuration."""
    return settings.root / (settings.baseline or FILE)


def read_baseline(settings: Settings) -> dict[Entry, Span]:
    """The entries of a project's baseline, each with where it is written.

    Raises ConfigError where the file is malformed, or is not there though the configuration names it.
    """
    path = place(settings)
    if settings.source is None or not path.exists():
        if settings.baseline:
            help = "`opcheck baseline` writes it"
            raise ConfigError(f"no such file: `{settings.baseline}`", settings.origin.get("baseline"), help=help)
        return {}
    document = load_document(path)
    whole = Section(document, (), document.data)
    whole.allow(("entries",))
    listed = as_list(document.data.get("entries", []))
    if listed is None:
        raise whole.mistyped("entries", "a list of tables")
    found = (_entry(whole, index, item) for index, item in enumerate(listed))
    return dict(found)


def _entry(whole: Section, index: int, item: object) -> tuple[Entry, Span]:
    span = whole.document.value(("entries", index))
    table = as_table(item)
    if table is None:
        raise ConfigError(f"item {index + 1} of `entries` must be a table", span)
    section = Section(whole.document, ("entries", index), table)
    section.allow(_KEYS)
    rule, op, backend, target = (section.text(key) for key in _KEYS)
    if rule is None or op is None or target is None:
        missing = next(key for key in _KEYS if key != "backend" and section.text(key) is None)
        raise ConfigError(f"an entry without `{missing}`", span, help="`opcheck baseline` writes entries")
    return Entry(rule, op, backend, target), span


def baseline_ignores(settings: Settings, *, whole: bool) -> Iterator[Ignore]:
    """Every entry as an ignore; `whole` says that a run looks at every target there is."""
    for entry, span in read_baseline(settings).items():
        yield Ignore(entry.rule, partial(Entry.takes, entry), _idle(entry, span) if whole else None)


def _idle(entry: Entry, span: Span) -> UnusedSuppression:
    what = f"the baseline's entry of {entry.rule} for `{entry.op}`"
    why = f"no such finding under target `{entry.target}`"
    advice, subject = "`opcheck baseline` drops it", f"{entry.rule} {entry.target}"
    return UnusedSuppression(span, what, why, advice, op=entry.op, backend=entry.backend, subject=subject)


def written(entries: Iterable[Entry]) -> str:
    """A baseline as text: an entry a line, in an order that only its entries decide."""
    ordered = sorted(entries, key=lambda entry: (entry.rule, entry.op, entry.backend or "", entry.target))
    return "".join([_HEADER, "entries = [\n", *(f"  {_inline(entry)},\n" for entry in ordered), "]\n"])


def _inline(entry: Entry) -> str:
    values = ((key, getattr(entry, key)) for key in _KEYS)
    return f"{{ {', '.join(f'{key} = {toml_string(value)}' for key, value in values if value is not None)} }}"
