"""Functions that register into whatever library they are given, joined with the blocks that call them."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator

from msgspec import Struct

from .arguments import Named
from .drafts import Draft, Entry, Handover
from .limits import MOST_CALLERS
from .records import Guards, NativeRecord, merged
from .scopes import Library


class _Visit(Struct, frozen=True):
    """A function called with a library."""

    function: str
    library: Library
    around: Guards
    handover: Handover


def link(entries: Iterable[Entry]) -> list[NativeRecord]:
    """The records of all entries, in the order of the sources; a function's once for each block that leads to it."""
    bodies: dict[str, list[Entry]] = defaultdict(list)
    records, visits = list[NativeRecord](), deque[_Visit]()
    for entry in entries:
        if entry.library.function is not None:
            bodies[entry.library.function].append(entry)
        elif isinstance(entry.content, Draft):
            records.append(entry.content.record(entry.library))
        else:
            visits.append(_visit(entry, entry.library, ()))
    called = set[str]()
    records += _follow(visits, bodies, called)
    records += _uncalled(bodies, called)
    return sorted(records, key=lambda record: record.span)


def _visit(entry: Entry, library: Library, around: Guards) -> _Visit:
    assert isinstance(entry.content, Handover)
    return _Visit(entry.content.function, library, merged(around, entry.content.guards), entry.content)


def _follow(visits: deque[_Visit], bodies: dict[str, list[Entry]], called: set[str]) -> Iterator[NativeRecord]:
    counts, seen = Counter[str](), set[tuple[str, Library, Guards]]()
    while visits:
        visit = visits.popleft()
        key = (visit.function, visit.library, visit.around)
        if key in seen:
            continue
        seen.add(key)
        called.add(visit.function)
        counts[visit.function] += 1
        body = _nearest(bodies.get(visit.function, []), visit.handover.span.path)
        if not body or counts[visit.function] > MOST_CALLERS:
            text = f"{visit.function}({visit.library.variable})"
            yield Draft("unread", Named(), visit.handover.span, visit.around, text=text).record(visit.library)
            continue
        for entry in body:
            around = merged(visit.around, entry.library.guards)
            if isinstance(entry.content, Draft):
                yield entry.content.record(visit.library, around)
            else:
                visits.append(_visit(entry, visit.library, around))


def _nearest(body: list[Entry], path: str) -> list[Entry]:
    """Of functions of one name, those of the same source."""
    here = [entry for entry in body if entry.library.key_span.path == path]
    return here or body


def _uncalled(bodies: dict[str, list[Entry]], called: set[str]) -> Iterator[NativeRecord]:
    for function, body in bodies.items():
        for entry in body if function not in called else ():
            if isinstance(entry.content, Draft):
                yield entry.content.record(entry.library)
