"""Loops, unrolled: round by round where what they run over is known, once for any round where it is not."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from .assignment import assign, forget
from .containers import known_items
from .frame import Frame, Loop
from .limits import MOST_ROUNDS
from .scope import narrow
from .truth import truth
from .values import Unknown


def run_for(frame: Frame, node: ast.For | ast.AsyncFor) -> None:
    """`for`: a round for each item that is known, and one for any other where there may be more."""
    items, is_complete = known_items(frame, narrow(frame.evaluate(node.iter), frame.path))
    is_complete &= len(items) <= MOST_ROUNDS
    rounds = items[:MOST_ROUNDS]
    if not is_complete:
        rounds.append((frame.machine.space.true, Unknown(f"an item of {frame.name_of(node.iter)}")))
    loop = _begin(frame)
    for i, (condition, value) in enumerate(rounds):
        loop.is_open = not is_complete and i == len(rounds) - 1
        before = frame.path
        frame.path = before & condition
        if not frame.path.fails:
            assign(frame, node.target, value)
            _round(frame, loop, node.body)
        frame.path = frame.path | (before & ~condition)
    _end(frame, loop, node, is_complete)


def run_while(frame: Frame, node: ast.While) -> None:
    """`while`: the rounds that are certain, and one more that hangs on an unknown: what changes is unknown after."""
    loop, left = _begin(frame), frame.machine.space.false
    for _ in range(MOST_ROUNDS):
        before, goes_on = frame.path, truth(frame, frame.evaluate(node.test))
        loop.is_open = not before.implies(goes_on)
        left = left | (before & ~goes_on)
        frame.path = before & goes_on
        if frame.path.fails:
            break
        _round(frame, loop, node.body)
        if loop.is_open:
            break
    is_complete = frame.path.fails
    frame.path = frame.path | left
    _end(frame, loop, node, is_complete)


def _begin(frame: Frame) -> Loop:
    loop = Loop(frame.machine.space.false, frame.machine.space.false)
    frame.loops.append(loop)
    return loop


def _round(frame: Frame, loop: Loop, body: Sequence[ast.stmt]) -> None:
    frame.machine.execute(frame, body)
    frame.path = frame.path | loop.continued
    loop.continued = frame.machine.space.false


def _end(frame: Frame, loop: Loop, node: ast.For | ast.AsyncFor | ast.While, is_complete: bool) -> None:
    """Leave a loop. The names it assigns are unknown where its rounds were not all seen."""
    frame.loops.pop()
    frame.path, normal = frame.path | loop.broken, frame.path
    if not is_complete:
        forget(frame, node)
    frame.path = normal
    frame.machine.execute(frame, node.orelse)
    frame.path = frame.path | loop.broken


def run_break(frame: Frame, _: ast.Break) -> None:
    """`break`: the loop is left from here."""
    for loop in frame.loops[-1:]:
        loop.broken = loop.broken | frame.path
    frame.path = frame.machine.space.false


def run_continue(frame: Frame, _: ast.Continue) -> None:
    """`continue`: the round is left from here."""
    for loop in frame.loops[-1:]:
        loop.continued = loop.continued | frame.path
    frame.path = frame.machine.space.false
