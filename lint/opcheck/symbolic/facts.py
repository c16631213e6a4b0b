"""What a target's facts make of the predicates that guards test."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from opcheck_rules.model.atom import Atom
from opcheck_rules.model.condition import Decide
from opcheck_rules.model.target import Scalar, Target

from ..reading import Environment

NEWEST_PYTHON: Final = "3.13"
NEWEST_TORCH: Final = "2.13"
_ACCELERATORS: Final = ("cuda", "xpu", "mps", "hpu", "mtia", "npu")
_FRAMEWORK_OF: Final = {"numpy": "numpy", "cupy": "cupy"}


def facts(target: Target, environment: Environment) -> Decide:
    """A function that answers atoms from what `target` says, and says None to what it leaves open."""
    known = {**_values(target, environment)}
    answers: dict[Atom, bool | None] = {}

    def decide(atom: Atom) -> bool | None:
        if atom not in answers:
            answers[atom] = _decide(atom, target, environment, known)
        return answers[atom]

    return decide


def _decide(atom: Atom, target: Target, environment: Environment, known: Mapping[str, Scalar | None]) -> bool | None:
    if atom.subject in target.assume:
        return _compare(atom, target.assume[atom.subject])
    if atom.subject in known:
        return _compare(atom, known[atom.subject])
    kind, _, name = atom.subject.partition(":")
    answer = _KINDS[kind](name, target, environment) if kind in _KINDS else None
    return atom.settled if answer is None else answer


def _feature(name: str, target: Target, _: Environment) -> bool:
    return target.all_features or name in target.features


def _installed(name: str, target: Target, environment: Environment) -> bool | None:
    assumed = target.assume.get(f"installed:{name}")
    if assumed is not None:
        return bool(assumed)
    if name in ("torch", "triton") and name not in environment.required:
        return True if name == "torch" and _uses_torch(target) else None
    if name in environment.required or name in (_FRAMEWORK_OF.get(b) for b in target.backends):
        return True
    extras = environment.optional or {}
    if any(name in extras[extra] for extra in target.extras if extra in extras):
        return True
    return False if any(name in modules for modules in extras.values()) else None


def _uses_torch(target: Target) -> bool:
    return any(b not in _FRAMEWORK_OF for b in target.backends)


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


def _values(target: Target, environment: Environment) -> dict[str, Scalar | None]:
    """The expressions whose value follows from the target."""
    python = target.python or environment.python or NEWEST_PYTHON
    platform = target.platform or ("darwin" if "mps" in target.backends else "linux")
    torch = target.torch or NEWEST_TORCH
    values: dict[str, Scalar | None] = {
        "typing.TYPE_CHECKING": False,
        "sys.platform": platform,
        "os.name": "nt" if platform.startswith("win") else "posix",
        "platform.system()": {"darwin": "Darwin", "linux": "Linux"}.get(platform, "Windows"),
        "sys.version_info": python,
        "torch.__version__": torch,
        "torch.version.__version__": torch,
        "torch.version.cuda": "12.8" if "cuda" in target.backends else None,
        "torch.version.hip": None,
    }
    return values | _devices(target)


_LIBRARY_SINCE: Final = {
    "impl_abstract": "2.1",
    "custom_op": "2.4",
    "register_fake": "2.4",
    "register_kernel": "2.4",
    "register_autograd": "2.4",
    "infer_schema": "2.5",
    "register_vmap": "2.5",
    "triton_op": "2.6",
    "wrap_triton": "2.6",
}
"""The version of PyTorch that each name of `torch.library` came with."""


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(n) for n in re.findall(r"\d+", text))


def _devices(target: Target) -> dict[str, Scalar | None]:
    """What asking for a device answers: it is there where the target lists its backend."""
    values: dict[str, Scalar | None] = {}
    for device in _ACCELERATORS:
        there = device in target.backends
        names = [f"torch.{device}.is_available()", f"torch.backends.{device}.is_available()"]
        values |= dict.fromkeys(names, there)
        values[f"torch.{device}.device_count()"] = int(there)
        if device not in ("cuda", "xpu", "mps", "mtia"):
            values[f"hasattr(torch, '{device}')"] = there
    available = _version(target.torch or NEWEST_TORCH)
    values |= {
        f"hasattr(torch.library, '{name}')": _version(since) <= available for name, since in _LIBRARY_SINCE.items()
    }
    present = ("hasattr(torch, 'cuda')", "hasattr(torch, 'xpu')", "hasattr(torch, 'mps')", "hasattr(torch, 'mtia')")
    values |= dict.fromkeys(present, True)
    values["hasattr(torch.backends, 'mps')"] = True
    values["torch.backends.mps.is_built()"] = "mps" in target.backends
    values["torch.accelerator.is_available()"] = any(d in target.backends for d in _ACCELERATORS)
    return values


def _compare(atom: Atom, value: Scalar | None) -> bool | None:
    """The answer of an atom whose subject has a known value."""
    operand = atom.operand
    if not atom.operator:
        return bool(value)
    if atom.operator == "is":
        return value is operand or (value == operand and type(value) is type(operand))
    if atom.operator == "in":
        return value in operand if isinstance(operand, (str, tuple, frozenset)) else None
    one, other = _ordered(value), _ordered(operand)
    if one is None or other is None:
        return value == operand if atom.operator == "==" else None
    if atom.operator == "==":
        return value == operand or (isinstance(one, tuple) and one == other)
    return one < other if atom.operator == "<" else one <= other  # type: ignore[operator]


def _ordered(value: object) -> float | tuple[int, ...] | None:
    """A value as something that can be ordered: a number, or a version as its numbers."""
    if isinstance(value, (int, float)):
        return value
    if isinstance(value, tuple):
        return value if all(isinstance(v, int) for v in value) else None  # type: ignore[return-value]
    if isinstance(value, str) and re.match(r"\d", value):
        numbers = re.match(r"\d+(\.\d+)*", value)
        return tuple(int(n) for n in numbers.group().split(".")) if numbers else None
    return None
