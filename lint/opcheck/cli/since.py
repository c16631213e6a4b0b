"""The projects of a run beside what a git revision has of them."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from opcheck.config import ConfigError, Settings, configuration_in, load, unconfigured
from opcheck.discovery import discover
from opcheck.read import read
from opcheck.report.counts import counted
from opcheck.report.entries import Row
from opcheck.report.tables.tables import columns_of
from opcheck.since.changes import changes
from opcheck.since.comparison import Comparison
from opcheck.since.git import Revision, lay_out, moved, repository, revision

from .cells import rows_of
from .console import HERE, notify
from .subjects import Subject


def compared(found: Sequence[Subject], paths: Sequence[Path], called: str, backends: Collection[str]) -> Comparison:
    """What became of the cells since the revision of that name: both states are held against the targets of today.

    Raises ConfigError where there is no such revision, or where what it has cannot be read.
    """
    wanted = revision(_one_repository(found), called)
    now = [list(rows_of(subject, backends, HERE)) for subject in found]
    before = [list(rows) for rows in _before(found, paths, wanted, backends)]
    columns = columns_of((row for rows in (*now, *before) for row in rows), all_columns=bool(backends))
    targets = dict.fromkeys(target.name for subject in found for target in subject.targets)
    return Comparison(wanted, list(targets), changes(zip(before, now, strict=True), columns))


def _one_repository(found: Sequence[Subject]) -> Path:
    tops = list(dict.fromkeys(repository(subject.settings.root) for subject in found))
    if len(tops) > 1:
        raise ConfigError(f"`{tops[0]}` and `{tops[1]}` are two repositories, and a revision is of one")
    return tops[0]


def _before(
    found: Iterable[Subject], paths: Sequence[Path], wanted: Revision, backends: Collection[str]
) -> Iterator[list[Row]]:
    """The rows of each project as the revision has them."""
    with tempfile.TemporaryDirectory(prefix="opcheck-") as folder:
        aside = Path(folder).resolve()
        for submodule in lay_out(wanted, aside):
            if any(_overlap(path, submodule) for path in paths):
                notify(f"`{wanted.called}` has no files of the submodule `{submodule}`: its ops count as new.")
        for subject in found:
            earlier = _earlier(subject, [moved(path, aside) for path in paths], wanted, aside)
            yield list(rows_of(earlier, backends, moved(Path.cwd(), aside))) if earlier else []


def _earlier(subject: Subject, paths: Iterable[Path], wanted: Revision, aside: Path) -> Subject | None:
    """A project as the revision has it, under the targets of today; None where it has no Python file of that."""
    root = moved(subject.settings.root, aside)
    inside = [path if path.is_relative_to(root) else root for path in paths if _overlap(path, root)]
    requested = [path for path in dict.fromkeys(inside) if _holds_python(path)]
    if not requested:
        return None
    try:
        settings = _settings(root)
        files = discover(settings, requested)
    except ConfigError as error:
        raise ConfigError(f"as `{wanted.called}` has it, the project cannot be read: {error.message}") from None
    reading = read(settings, files)
    if reading.project.unreadable:
        count = counted(len(reading.project.unreadable), "file")
        notify(f"{count} of `{wanted.called}` could not be read, and may have declared more.")
    return Subject(settings, files, reading, subject.targets)


def _settings(root: Path) -> Settings:
    source = configuration_in(root)
    return load(source) if source else unconfigured(root)


def _overlap(path: Path, root: Path) -> bool:
    return path.is_relative_to(root) or root.is_relative_to(path)


def _holds_python(path: Path) -> bool:
    return path.suffix == ".py" if path.is_file() else next(path.rglob("*.py"), None) is not None
