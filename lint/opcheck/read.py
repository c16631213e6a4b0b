"""Reading a project: its files parsed, its modules imported symbolically, its declarations joined."""

from __future__ import annotations

import gc
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from opcheck_rules.model.project import Unreadable

from .adapters.declare import REGISTERING, declared, intrinsics, is_candidate
from .adapters.left_out import LeftOut
from .config import Settings
from .config.document import load_document
from .cpp.needles import has_needle
from .cpp.text import decode
from .discovery import Files, is_auxiliary
from .reading import IgnoreComment, Reading
from .summary.source import LARGEST_FILE, UnreadableError, read_source
from .summary.summary import Summary, summarise
from .suppress.comments import ignore_comments
from .symbolic.builtins import environment_item
from .symbolic.entries import entries
from .symbolic.machine import Machine, Unread
from .symbolic.modules import Layout, imported_names, lay_out
from .symbolic.named import guarded_names
from .symbolic.reach import reach
from .symbolic.run import run_deep, symbolic_import


def read(settings: Settings, files: Files) -> Reading:
    """Read every file and join what they declare. No target enters here."""
    return run_deep(lambda: _read(settings, files))


def _read(settings: Settings, files: Files) -> Reading:
    with _collector_paused():
        summaries, unreadable = _summaries(files)
        layout = _layout(files, summaries)
        inside = [p for p in summaries if p in files.reported or not is_auxiliary(p.relative_to(files.root))]
        first = entries(layout, summaries, inside, settings.entries)
        machine = _import(layout, summaries, first)
    reached = reach(machine.space, machine.edges, first, machine.modules)
    candidates = sum(is_candidate(summary.source.text) for summary in summaries.values())
    left_out = LeftOut(settings.unsupported)
    native = _native_sources(files.native_sources)
    project = declared(machine, reached, unreadable, left_out, native)
    configured = (name for target in settings.targets for name in target.features)
    project = replace(project, features=project.features.union(configured))
    return Reading(
        project,
        settings.environment,
        tuple(files.paths),
        candidates,
        warnings=tuple(_given_up(machine.unread)),
        named=guarded_names(machine),
        ignored=tuple(_ignored(settings, summaries, native)),
        modules=layout.files,
    )


def _given_up(unread: Sequence[Unread]) -> Iterator[str]:
    """What evaluation gave up on is said, as it might have registered more than was seen."""
    if unread:
        first, count = unread[0].span, len(unread)
        what = "1 statement was" if count == 1 else f"{count} statements were"
        yield f"{what} too much to evaluate to the end, the first at {first.path}:{first.line}"


@contextmanager
def _collector_paused() -> Generator[None]:
    """A syntax tree is many objects that all stay: collecting while it grows is most of the time parsing takes."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _summaries(files: Files) -> tuple[dict[Path, Summary], list[Unreadable]]:
    summaries: dict[Path, Summary] = {}
    unreadable: list[Unreadable] = []
    for path in files.paths:
        try:
            summaries[path] = summarise(read_source(path))
        except UnreadableError as error:
            unreadable.append(error.fact)
    return summaries, unreadable


def _native_sources(paths: Iterable[Path]) -> dict[Path, bytes]:
    """The C++ and CUDA sources that register ops."""
    found: dict[Path, bytes] = {}
    for path in paths:
        with suppress(OSError):
            data = path.read_bytes() if path.stat().st_size <= LARGEST_FILE else b""
            if has_needle(data):
                found[path] = data
    return found


def _ignored(
    settings: Settings, summaries: Mapping[Path, Summary], native: Mapping[Path, bytes]
) -> Iterator[IgnoreComment]:
    """What the comments of all that a finding can point at say to ignore."""
    for path, summary in summaries.items():
        yield from ignore_comments(path, summary.source.text)
    for path, data in native.items():
        yield from ignore_comments(path, decode(data))
    if settings.source:
        yield from ignore_comments(settings.source, load_document(settings.source).text)


def _layout(files: Files, summaries: Mapping[Path, Summary]) -> Layout:
    imported = imported_names(node for summary in summaries.values() for node in summary.imports)
    return lay_out(files.root, summaries, files.compiled, imported)


def _import(layout: Layout, summaries: Mapping[Path, Summary], first: Sequence[str]) -> Machine:
    sources = {path: summary.source for path, summary in summaries.items()}
    machine = Machine(layout, sources, intrinsics(), items={"os.environ": environment_item})
    symbolic_import(machine, first, REGISTERING)
    return machine
