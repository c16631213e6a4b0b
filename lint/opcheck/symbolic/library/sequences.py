"""Builtins that make, join and look through sequences."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from functools import partial
from typing import Final

from opcheck_rules.model.condition import Condition

from ..containers import iterate, known_items
from ..dicts import copy
from ..frame import Frame
from ..limits import MOST_ROUNDS
from ..scope import narrow
from ..truth import as_value, truth
from ..values import Arguments, DictValue, Items, Value, bounded_list, is_tuple
from .meaning import Meaning, undecided


def _length(frame: Frame, arguments: Arguments) -> Value:
    items = iterate(frame, arguments.get(0, "obj"))
    if items is None or not all(frame.path.implies(c) for c, _ in items):
        return undecided(frame, "len", arguments)
    return len(items)


def _range(frame: Frame, arguments: Arguments) -> Value:
    bounds = [b for b in arguments.positional if isinstance(b, int)]
    if not 0 < len(bounds) == len(arguments.positional) < 4 or bounds[2:] == [0]:
        return undecided(frame, "range", arguments)
    numbers = range(*bounds)[: MOST_ROUNDS + 1]
    return bounded_list([(frame.machine.space.true, n) for n in numbers], "range")


def _enumerate(frame: Frame, arguments: Arguments) -> Value:
    start = arguments.get(1, "start", 0)
    items, is_complete = _seen(frame, arguments.get(0, "iterable"))
    if not isinstance(start, int) or not (items or is_complete):
        return undecided(frame, "enumerate", arguments)
    return bounded_list([(c, (i, v)) for i, (c, v) in enumerate(items, start)], is_open=not is_complete)


def _seen(frame: Frame, value: Value) -> tuple[Items, bool]:
    return known_items(frame, narrow(value, frame.path))


def _zip(frame: Frame, arguments: Arguments) -> Value:
    columns = [_seen(frame, v) for v in arguments.positional]
    if ([], False) in columns:
        return undecided(frame, "zip", arguments)
    rows = zip(*(items for items, _ in columns), strict=False)
    return bounded_list([_row(frame, row) for row in rows], is_open=not all(is_whole for _, is_whole in columns))


def _product(frame: Frame, arguments: Arguments) -> Value:
    columns = [_seen(frame, v) for v in arguments.positional]
    if ([], False) in columns:
        return undecided(frame, "itertools.product", arguments)
    rows = itertools.islice(itertools.product(*(items for items, _ in columns)), MOST_ROUNDS + 1)
    is_open = bool(arguments.keywords) or not all(is_whole for _, is_whole in columns)
    return bounded_list([_row(frame, row) for row in rows], is_open=is_open)


def _row(frame: Frame, row: tuple[tuple[Condition, Value], ...]) -> tuple[Condition, Value]:
    return frame.machine.space.all(c for c, _ in row), tuple(v for _, v in row)


def _chain(frame: Frame, arguments: Arguments) -> Value:
    columns = [_seen(frame, v) for v in arguments.positional]
    is_open = not all(is_complete for _, is_complete in columns)
    return bounded_list([item for items, _ in columns for item in items], is_open=is_open)


def _collect(kind: str, frame: Frame, arguments: Arguments) -> Value:
    items, is_complete = _seen(frame, arguments.get(0, "iterable", ()))
    return bounded_list(items, kind, not is_complete)


def _tuple(frame: Frame, arguments: Arguments) -> Value:
    items, is_complete = _seen(frame, arguments.get(0, "iterable", ()))
    if not items and not is_complete:
        return undecided(frame, "tuple", arguments)
    certain = is_complete and all(frame.path.implies(c) for c, _ in items)
    return tuple(v for _, v in items) if certain else bounded_list(items, "tuple", not is_complete)


def _sorted(frame: Frame, arguments: Arguments) -> Value:
    """In order where the items are texts; what the others compare to is not known, so they stay as they are."""
    items, is_complete = _seen(frame, arguments.get(0, "iterable"))
    texts = [(v, c) for c, v in items if isinstance(v, str)]
    if len(texts) < len(items) or arguments.keywords:
        return bounded_list(items, is_open=not is_complete)
    ordered = sorted(texts, key=lambda pair: pair[0])
    return bounded_list([(c, v) for v, c in ordered], is_open=not is_complete)


def _reversed(frame: Frame, arguments: Arguments) -> Value:
    items, is_complete = _seen(frame, arguments.get(0, "sequence"))
    return bounded_list(items[::-1], is_open=not is_complete)


def _dict(frame: Frame, arguments: Arguments) -> Value:
    made = copy(frame, arguments.positional[0]) if arguments.positional else DictValue({})
    for name, value in arguments.keywords.items():
        frame.machine.store(frame, made, name, value, arguments.nodes.get(name))
    made.is_open |= arguments.is_open
    return made


def _default_dict(frame: Frame, arguments: Arguments) -> Value:
    """`defaultdict(factory, ...)`: what is not there is made when it is asked for."""
    rest = Arguments(arguments.positional[1:], arguments.keywords, arguments.node, is_open=arguments.is_open)
    made = copy(frame, _dict(frame, rest))
    made.default = arguments.positional[0] if arguments.positional else None
    return made


def _from_keys(frame: Frame, arguments: Arguments) -> Value:
    items, is_complete = _seen(frame, arguments.get(0, "iterable"))
    pairs: Items = [(c, (v, arguments.get(1, "value"))) for c, v in items]
    return copy(frame, bounded_list(pairs, is_open=not is_complete))


def _any(frame: Frame, arguments: Arguments) -> Value:
    items = iterate(frame, arguments.get(0, "iterable"))
    if items is None:
        return undecided(frame, "any", arguments)
    return as_value(frame.machine.space.any(c & truth(frame, v) for c, v in items))


def _all(frame: Frame, arguments: Arguments) -> Value:
    items = iterate(frame, arguments.get(0, "iterable"))
    if items is None:
        return undecided(frame, "all", arguments)
    return as_value(frame.machine.space.all(~c | truth(frame, v) for c, v in items))


def _map(frame: Frame, arguments: Arguments) -> Value:
    rows = _zip(frame, Arguments(arguments.positional[1:], {}, arguments.node))
    items, is_complete = _seen(frame, rows)
    if not items and not is_complete:
        return undecided(frame, "map", arguments)
    function = arguments.get(0, "function")
    return bounded_list(_called(frame, function, items, arguments), is_open=not is_complete)


def _filter(frame: Frame, arguments: Arguments) -> Value:
    function = arguments.get(0, "function")
    items, is_complete = _seen(frame, arguments.get(1, "iterable"))
    rows: Items = [(c, (v,)) for c, v in items]
    answers = items if function is None else _called(frame, function, rows, arguments)
    kept = [(c & truth(frame, a), v) for (c, v), (_, a) in zip(items, answers, strict=True)]
    return bounded_list([(c, v) for c, v in kept if not c.fails], is_open=not is_complete)


def _called(frame: Frame, function: Value, rows: Items, arguments: Arguments) -> Items:
    """What a function gives for each row of arguments, each called where the row is there."""
    made: Items = []
    before = frame.path
    for condition, row in rows:
        frame.path = before & condition
        given = list(row) if is_tuple(row) else []
        made.append((condition, frame.machine.call(frame, function, Arguments(given, {}, arguments.node))))
    frame.path = frame.unhandled(before)
    return made


MEANINGS: Final[Mapping[str, Meaning]] = {
    "builtins.len": _length,
    "builtins.range": _range,
    "builtins.enumerate": _enumerate,
    "builtins.zip": _zip,
    "builtins.list": partial(_collect, "list"),
    "builtins.set": partial(_collect, "set"),
    "builtins.frozenset": partial(_collect, "set"),
    "builtins.iter": partial(_collect, "list"),
    "builtins.tuple": _tuple,
    "builtins.sorted": _sorted,
    "builtins.reversed": _reversed,
    "builtins.dict": _dict,
    "builtins.dict.fromkeys": _from_keys,
    "builtins.any": _any,
    "builtins.all": _all,
    "builtins.map": _map,
    "builtins.filter": _filter,
    "collections.OrderedDict": _dict,
    "collections.defaultdict": _default_dict,
    "itertools.product": _product,
    "itertools.chain": _chain,
}
