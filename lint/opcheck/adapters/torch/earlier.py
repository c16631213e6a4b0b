"""What ran before the present statement: the part of the record that a program can ask for, or trip over."""

from __future__ import annotations

from collections.abc import Callable

from opcheck_rules.model.condition import Condition

from ...symbolic.frame import Frame
from ...symbolic.reach import reach


def by_now(frame: Frame, matches: Callable[[object], bool]) -> Condition:
    """The condition under which a matching record was made before the present statement."""
    machine = frame.machine
    found = [effect for effect in machine.effects if matches(effect.record)]
    if not found:
        return machine.space.false
    if frame.hypothetical:
        # A function that is called once everything is imported finds that every module ran.
        return machine.space.any(effect.condition for effect in found)
    ran = reach(machine.space, machine.edges, machine.running, machine.modules)
    return machine.space.any(effect.condition & ran.conditions[effect.module] for effect in found)


def handles(frame: Frame, *exceptions: str) -> bool:
    """Whether some `try` around the present statement is ready for one of these exceptions."""
    attempt = frame.attempt
    while attempt is not None and attempt.handler_of(*exceptions) is None:
        attempt = attempt.outer
    return attempt is not None
