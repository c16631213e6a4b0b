"""What a target's facts make of the predicates that guards test."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from opcheck_rules.model.atom import Atom
from opcheck_rules.model.condition import Condition, Decide
from opcheck_rules.model.target import Scalar, Target

from ..reading import Environment, Named
from .answers import answer, numbers, release, version
from .derived import derived, packages_of

Values = Mapping[str, Scalar | None]


def facts(target: Target, environment: Environment, named: Named | None = None) -> Decide:
    """A function that answers atoms from what `target` says, and says None to what it leaves open.

    `named` are the project's names whose value hangs on other facts: what a target assumes of one settles those.
    """
    known = derived(target, environment)
    answers: dict[Atom, bool | None] = {}

    def decide(atom: Atom) -> bool | None:
        if atom not in answers:
            answers[atom] = _decide(atom, target, environment, known)
        return answers[atom]

    for text, assumed in target.assume.items():
        for condition, value in (named or {}).get(text, ()):
            if value == assumed and type(value) is type(assumed):
                # What a function makes of conditions is remembered, and this changes what the one here makes of them.
                answers.update(_settling(condition, partial(decide)))
    return decide


def _settling(wanted: Condition, decide: Decide) -> dict[Atom, bool]:
    """Answers that make a condition hold: those of its first case that the other facts allow, else its first case."""
    allowed = wanted.under(decide)
    return (wanted if allowed.fails else allowed).cubes()[0]


def _decide(atom: Atom, target: Target, environment: Environment, known: Values) -> bool | None:
    for values in (target.assume, known):
        if atom.subject in values:
            return answer(atom, values[atom.subject])
        part = _part(atom.subject, values)
        if part is not None:
            return _answer_part(atom, part)
    kind, _, name = atom.subject.partition(":")
    found = _KINDS[kind](name, target, environment) if kind in _KINDS else None
    return atom.settled if found is None else found


_PARTS: Final = {"major": 0, "minor": 1, "micro": 2}


def _part(subject: str, values: Values) -> int | tuple[int, ...] | None:
    """A number of a known version, or the first few of them: `torch.__version__.minor`, `sys.version_info[:2]`."""
    found = re.fullmatch(r"(.+)(?:\.(major|minor|micro)|\[:(\d)\])", subject)
    known = version(values.get(found[1])) if found else None
    if found is None or known is None:
        return None
    return release(known)[_PARTS[found[2]]] if found[2] else release(known)[: int(found[3])]


def _answer_part(atom: Atom, part: int | tuple[int, ...]) -> bool | None:
    if isinstance(part, int):
        return answer(atom, part)
    operand = numbers(atom.operand)
    match atom.operator:
        case "==":
            return part == operand
        case "<":
            return part < operand
        case "<=":
            return part <= operand
        case _:
            return None


def _feature(name: str, target: Target, _: Environment) -> bool:
    return target.all_features or name in target.features


def _installed(name: str, target: Target, environment: Environment) -> bool | None:
    """What the project requires or a backend needs is there; what an extra brings is where that is asked for."""
    extras = environment.optional or {}
    if name in environment.required or name in _frameworks(target):
        return True
    if any(name in extras.get(extra, ()) for extra in target.extras):
        return True
    # What comes with some builds of PyTorch only says nothing of the machine by being optional.
    is_optional = any(name in modules for modules in extras.values()) and name not in ("torch", "triton")
    return False if is_optional else None


def _frameworks(target: Target) -> set[str]:
    return {package for backend in target.backends for package in packages_of(backend)}


def _environment_variable(_: str, __: Target, ___: Environment) -> bool:
    """Nothing says that a variable is set: it is taken to be unset."""
    return False


def _built(name: str, target: Target, _: Environment) -> bool:
    return name in target.backends


_KINDS: Final[Mapping[str, Callable[[str, Target, Environment], bool | None]]] = {
    "feature": _feature,
    "installed": _installed,
    "env": _environment_variable,
    "built": _built,
}
