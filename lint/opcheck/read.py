"""Reading a project: its files parsed, its modules imported symbolically, its declarations joined."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from opcheck_rules.model.project import Project, Unreadable

from .adapters.declare import REGISTERING, declared, intrinsics
from .adapters.described.needles import Needles, needles
from .adapters.left_out import LeftOut
from .adapters.needles import declares, spots, tells
from .collector import collector_paused
from .config import Settings
from .config.document import load_document
from .cpp.needles import has_needle
from .cpp.text import decode
from .discovery import Files, is_auxiliary
from .fix.backends import slots
from .reading import IgnoreComment, Reading
from .summary.imports import Import
from .summary.lines import first_line
from .summary.scan import Scan, scan, text_of
from .summary.source import LARGEST_FILE, UnreadableError
from .summary.sources import Sources
from .suppress.comments import ignore_comments
from .symbolic.builtins import environment_item
from .symbolic.entries import Leads, circles, entries, leads, reachable
from .symbolic.machine import Machine
from .symbolic.mentions import Mentions
from .symbolic.modules import Layout, imported_names, lay_out
from .symbolic.named import guarded_names
from .symbolic.outline import Outline, misses
from .symbolic.reach import reach
from .symbolic.run import run_deep, symbolic_import
from .symbolic.state import Unread
from .symbolic.telling import Telling

if TYPE_CHECKING:
    from .adapters.described.watcher import Described

_SMALL: Final = 1_000_000
"""Bytes of Python that are parsed whatever they hold."""
_TEXTS: Final = 256
"""Files whose text is kept at hand while it is searched for names."""


def read(settings: Settings, files: Files) -> Reading:
    """Read every file and join what they declare. No target enters here."""
    with collector_paused():
        return run_deep(lambda: _read(settings, files, declares))


def read_everything(settings: Settings, files: Files) -> Reading:
    """The same with every file parsed and evaluated, which must change nothing."""
    with collector_paused():
        return run_deep(lambda: _read(settings, files, lambda _: True))


def _read(settings: Settings, files: Files, may_declare: Callable[[bytes], bool]) -> Reading:
    own = needles(settings.dispatchers)
    scans, unreadable = _scans(files, lambda data: may_declare(data) or own.declares(data))
    # Of a file that may declare something it has to be known whether it can be imported at all.
    sources = Sources(scans, unreadable, lambda path: not scans[path].declares)
    _parse_small(files.reported, scans, sources)
    imports = {path: found.imports for path, found in scans.items()}
    names = imported_names(statement for found in imports.values() for statement in found)
    layout = lay_out(files.root, scans, files.compiled, names)
    inside = [p for p in scans if p in files.reported or not is_auxiliary(p.relative_to(files.root))]
    led = leads(layout, imports)
    first = entries(layout, led, inside, settings.entries)
    if settings.dispatchers:  # one imports its backends when it is asked for them, and they import it
        first += circles(layout, imports, led, inside, first)
    machine = _machine(layout, sources, scans, led, reachable(layout, led, first))
    described = _described(settings, machine) if settings.dispatchers else None
    mentions = Mentions(REGISTERING) if described is None else Mentions(REGISTERING, described.means, described.handing)
    telling = _telling(machine, mentions, own, described)
    symbolic_import(machine, first, mentions, telling, _completion(described))
    reached = reach(machine.space, machine.edges, first, machine.modules)
    left_out = LeftOut(settings.unsupported)
    native = _native_sources(files.native_sources)
    project = declared(machine, reached, left_out, native, described)
    configured = (name for target in settings.targets for name in target.features)
    named = guarded_names(machine)
    # Joining what was read parses, too: only now it is known which files are no Python.
    unread = tuple(sources.unreadable)
    project = replace(project, features=project.features.union(configured), unreadable=unread)
    statements = dict(_statements(project, scans, sources))
    return Reading(
        project,
        settings.environment,
        tuple(files.paths),
        sum(found.declares for found in scans.values()),
        warnings=(*_given_up(machine.unread), *_idle(described)),
        named=named,
        ignored=tuple(_ignored(settings, [path for path, found in scans.items() if found.is_addressed], native)),
        modules={name: str(path) for name, path in layout.files.items()},
        statements=statements,
        slots=dict(slots({op.listing: None for op in project.ops}, statements)),
        digests={path: found.digest for path, found in scans.items()},
    )


def _described(settings: Settings, machine: Machine) -> Described:
    """What looks on at the evaluation for the dispatchers that the configuration describes."""
    # Imported only where there are some: most projects have none.
    from .adapters.described.paths import Paths  # noqa: PLC0415
    from .adapters.described.watcher import Described  # noqa: PLC0415

    def imports_of(name: str) -> Sequence[Import]:
        return machine.outlines[name].imports if name in machine.outlines else ()

    paths = Paths(machine.layout, imports_of, machine.text_of)
    return Described(settings.dispatchers, paths, machine)


def _completion(described: Described | None) -> Callable[[], None]:
    if described is None:
        return lambda: None
    from .adapters.described.complete import Completion  # noqa: PLC0415

    return Completion(described)


def _telling(machine: Machine, mentions: Mentions, own: Needles, described: Described | None) -> Telling:
    if described is None:
        return Telling(machine, tells, spots, mentions)
    return Telling(
        machine,
        lambda value: tells(value) or described.tells(value),
        lambda text: (*spots(text), *own.spots(text)),
        mentions,
    )


def _parse_small(reported: Collection[Path], scans: Mapping[Path, Scan], sources: Sources) -> None:
    """Parse all that was asked about where it is little: a syntax error is told wherever it stands.

    In much, only what may declare or use an op is parsed: a file that holds no such text says nothing of any op.
    """
    asked = [path for path in scans if path in reported]
    if sum(scans[path].size for path in asked) <= _SMALL:
        for path in asked:
            sources.parse(path)


def _machine(layout: Layout, sources: Sources, scans: Mapping[Path, Scan], led: Leads, names: Iterable[str]) -> Machine:
    found = {name: scans[layout.files[name]] for name in names}

    @lru_cache(maxsize=_TEXTS)
    def text_of_module(name: str) -> str:
        return text_of(layout.files[name])

    def imports_of(name: str) -> Sequence[Import]:
        return scans[layout.files[name]].imports

    outlines = {
        name: Outline(
            scan.imports,
            scan.declares or misses(layout, name, imports_of, text_of_module),
            scan.declares,
            led[layout.files[name]],
        )
        for name, scan in found.items()
    }
    items = {"os.environ": environment_item}
    return Machine(layout, sources, intrinsics(), items=items, outlines=outlines, text_of=text_of_module)


def _statements(project: Project, read: Collection[Path], sources: Sources) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Where the statements begin at the margin of each file that declares something."""
    spans = [op.listing for op in project.ops] + [registration.span for registration in project.registrations]
    for name in sorted({span.path for span in spans}):
        path = Path(name)
        if path in read:
            yield name, tuple(dict.fromkeys(map(first_line, sources[path].tree.body)))


def _given_up(unread: Sequence[Unread]) -> Iterator[str]:
    """What evaluation gave up on is said, as it might have registered more than was seen."""
    if unread:
        first, count = unread[0].span, len(unread)
        what = "1 statement was" if count == 1 else f"{count} statements were"
        place = f"{first.path}:{first.line}"
        yield f"{what} too much to evaluate to the end, the first at {place}; what it may declare is unknown"


def _idle(described: Described | None) -> Iterator[str]:
    """A description that nothing was found for is said: what it names may be misspelt."""
    for one in described.idle if described is not None else ():
        place = f"{PurePath(one.span.path).name}:{one.span.line}"
        yield f"nothing was read that the description of dispatcher `{one.name}` at {place} is about"


def _scans(files: Files, may_declare: Callable[[bytes], bool]) -> tuple[dict[Path, Scan], list[Unreadable]]:
    scans: dict[Path, Scan] = {}
    unreadable: list[Unreadable] = []
    for path in files.paths:
        try:
            scans[path] = scan(path, may_declare)
        except UnreadableError as error:
            unreadable.append(error.fact)
    return scans, unreadable


def _native_sources(paths: Iterable[Path]) -> dict[Path, bytes]:
    """The C++ and CUDA sources that register ops."""
    found: dict[Path, bytes] = {}
    for path in paths:
        with suppress(OSError):
            data = path.read_bytes() if path.stat().st_size <= LARGEST_FILE else b""
            if has_needle(data):
                found[path] = data
    return found


def _ignored(settings: Settings, addressed: Iterable[Path], native: Mapping[Path, bytes]) -> Iterator[IgnoreComment]:
    """What the comments of all that a finding can point at say to ignore."""
    for path in addressed:
        yield from ignore_comments(path, text_of(path))
    for path, data in native.items():
        yield from ignore_comments(path, decode(data))
    if settings.source:
        yield from ignore_comments(settings.source, load_document(settings.source).text)
