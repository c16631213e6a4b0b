"""Guards of C++ to conditions: preprocessor expressions, and what the running program asks."""

from __future__ import annotations

import re
from typing import Final

from opcheck_rules.model.condition import Condition, Conditions

from .records import Guard, Guards

BUILT: Final = {
    **dict.fromkeys(("USE_CUDA", "WITH_CUDA", "FORCE_CUDA", "HAVE_CUDA", "__CUDACC__", "__NVCC__"), "built:cuda"),
    **dict.fromkeys(("CUDA_VERSION", "CUDART_VERSION", "TORCH_USE_CUDA", "CUDA_ENABLED"), "built:cuda"),
    **dict.fromkeys(("USE_ROCM", "WITH_ROCM", "WITH_HIP", "USE_HIP", "__HIPCC__", "HIP_VERSION"), "built:rocm"),
    **dict.fromkeys(
        ("__HIP_PLATFORM_AMD__", "__HIP_PLATFORM_HCC__", "TORCH_HIP_VERSION", "ROCM_VERSION"), "built:rocm"
    ),
    **dict.fromkeys(("USE_XPU", "WITH_XPU", "USE_SYCL", "SYCL_LANGUAGE_VERSION"), "built:xpu"),
    **dict.fromkeys(("USE_MPS", "WITH_MPS"), "built:mps"),
    **dict.fromkeys(("USE_HPU", "WITH_HPU"), "built:hpu"),
    **dict.fromkeys(("USE_NPU", "WITH_NPU"), "built:npu"),
    **dict.fromkeys(("USE_MTIA", "WITH_MTIA"), "built:mtia"),
}
"""What a macro of this name says of the machine that an extension was built for."""

_SETTLED: Final = {"__CUDA_ARCH__": False, "__HIP_DEVICE_COMPILE__": False, "__cplusplus": True}
"""Registrations are compiled for the host, by a C++ compiler."""

_DEVICE: Final = re.compile(
    r"(?:at|torch|c10)::(?:has(?P<has>CUDA|XPU|MPS|HPU|MTIA)|(?P<device>cuda|xpu|mps|mtia)::is_available)\(\)"
)
_DEFINED: Final = re.compile(r"defined\s*(?:\(\s*(\w+)\s*\)|\s(\w+))")
_NAME: Final = re.compile(r"[A-Za-z_]\w*")
_NUMBER: Final = re.compile(r"(\d+)[uUlL]*")
_TOKEN: Final = re.compile(r"&&|\|\||[()]")
MOST_DEPTH: Final = 12
MOST_EXPRESSION: Final = 1_000


def condition_of(space: Conditions, guards: Guards) -> Condition:
    """The condition that all guards hold."""
    return space.all(_guard(space, guard) for guard in guards)


def _guard(space: Conditions, guard: Guard) -> Condition:
    if guard.kind == "template" or len(guard.text) > MOST_EXPRESSION:
        found = space.atom(f"{guard.kind}:{guard.text[:MOST_EXPRESSION]}")
    else:
        found = _expression(space, guard.text, guard.kind == "macro", MOST_DEPTH)
    return found if guard.positive else ~found


def _expression(space: Conditions, text: str, is_macro: bool, depth: int) -> Condition:
    """A condition put together by `||`, `&&`, `!` and parentheses; what is anything else is one fact."""
    text = text.strip()
    for operator, join in (("||", space.any), ("&&", space.all)):
        parts = _split(text, operator)
        if len(parts) > 1 and depth:
            return join([_expression(space, part, is_macro, depth - 1) for part in parts])
    if re.match(r"!(?!=)", text) and depth and _is_unary(text[1:].strip()):
        return ~_expression(space, text[1:], is_macro, depth - 1)
    if text.startswith("(") and _closes_at_end(text) and depth:
        return _expression(space, text[1:-1], is_macro, depth - 1)
    return _macro_fact(space, text) if is_macro else _program_fact(space, text)


def _split(text: str, operator: str) -> list[str]:
    """The parts between an operator outside parentheses."""
    parts, nesting, start = list[str](), 0, 0
    for match in _TOKEN.finditer(text):
        nesting += (match[0] == "(") - (match[0] == ")")
        if match[0] == operator and nesting == 0:
            parts.append(text[start : match.start()])
            start = match.end()
    return [*parts, text[start:]]


def _is_unary(text: str) -> bool:
    """Whether a negation before this text is of all of it: `!A == B` compares."""
    is_one = text.startswith("!") or _closes_at_end(text) or _DEFINED.fullmatch(text)
    return bool(is_one) or not re.search(r"[=<>+\-*/%&|]|\s", text)


def _closes_at_end(text: str) -> bool:
    """Whether the first parenthesis closes with the text."""
    nesting = 0
    for match in re.finditer(r"[()]", text):
        nesting += 1 if match[0] == "(" else -1
        if nesting <= 0:
            return nesting == 0 and match.end() == len(text)
    return False


def _macro_fact(space: Conditions, text: str) -> Condition:
    number = _NUMBER.fullmatch(text)
    if number:
        return space.constant(int(number[1]) != 0)
    defined = _DEFINED.fullmatch(text)
    name = (defined[1] or defined[2]) if defined else text
    if name in _SETTLED:
        return space.constant(_SETTLED[name])
    if name in BUILT:
        return space.atom(BUILT[name])
    return space.atom(f"macro:{name}" if _NAME.fullmatch(name) else f"macro:{text}")


def _program_fact(space: Conditions, text: str) -> Condition:
    if text in ("true", "false"):
        return space.constant(text == "true")
    device = _DEVICE.fullmatch(text)
    if device:
        return space.atom(f"torch.{(device['has'] or device['device']).lower()}.is_available()")
    return space.atom(f"c++:{text}")
