"""What is registered for an op after its declaration: kernels, the derivative rule, and the op itself."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any, TypeVar

from .declared import Callee, DeclaredOp
from .errors import DeclarationError
from .parameters import takes_positionally
from .source import Source, source_of
from .spec import BACKENDS
from .state import OPS, OPS_LOCK

F = TypeVar("F", bound=Callable[..., Any])


@contextmanager
def declaring(name: str, source: Source) -> Generator[None]:
    """Turn a complaint about op `name` into a DeclarationError that says where it stands."""
    try:
        yield
    except (ValueError, TypeError) as error:
        message = f"custom op `{name}`: {error} ({source})"
        raise DeclarationError(message, op=name, file=source.file, line=source.line) from error


def register_op(op: DeclaredOp) -> None:
    """Make `op` known under its qualified name, in place of the same op of an earlier run of its module.

    Raises ValueError if this run of the module declared that name before, elsewhere.
    """
    with OPS_LOCK:
        earlier = OPS.get(op.qualified_name)
        if earlier is not None and op.source.conflicts_with(earlier.source):
            raise ValueError(f"it is declared already, at {earlier.source}; rename one of the two")
        OPS[op.qualified_name] = op


def kernel_decorator(op: DeclaredOp, backend: str) -> Callable[[F], F]:
    """Make the decorator that registers a function, which takes every parameter by position, for `backend`."""

    def register(kernel: F) -> F:
        with declaring(op.name, source_of(kernel)):
            _check_listed(op, backend)
            _check_first(op.kernels.get(backend), kernel, f"a `{backend}` kernel")
            _check_takes(op, kernel, ())
            op.add_kernel(backend, kernel)
        return kernel

    return register


def register_vjp(op: DeclaredOp, rule: F) -> F:
    """Register the derivative rule of `op`: `rule(grad, out, *parameters)` gives one gradient a float array input."""
    with declaring(op.name, source_of(rule)):
        if op.autodiff is None:
            raise ValueError(f"a derivative rule for an op without one; declare `{op.name}` with `autodiff=True`")
        _check_first(op.vjp, rule, "a derivative rule")
        _check_takes(op, rule, ("grad", "out"))
        op.add_vjp(rule)
    return rule


def check_backend(backend: str) -> None:
    """Raise ValueError for a backend that nothing knows, with the nearest one that is."""
    if backend not in BACKENDS:
        near = get_close_matches(str(backend), BACKENDS, n=1)
        hint = f"did you mean `{near[0]}`?" if near else f"known are {', '.join(BACKENDS)}"
        raise ValueError(f"unknown backend `{backend}`; {hint}")


def _check_listed(op: DeclaredOp, backend: str) -> None:
    check_backend(backend)
    if backend in op.unsupported:
        raise ValueError(f"a kernel for `{backend}`, which it leaves out on purpose: {op.unsupported[backend]}")
    if backend not in op.arms:
        raise ValueError(f"a kernel for `{backend}`, which is not declared; add it to `backends` ({op.source})")


def _check_first(earlier: Callee | None, new: Callee, what: str) -> None:
    if earlier is not None and source_of(new).conflicts_with(source_of(earlier)):
        raise ValueError(f"it has {what} already, at {source_of(earlier)}; keep one of the two")


def _check_takes(op: DeclaredOp, function: Callee, leading: tuple[str, ...]) -> None:
    parameters = (*leading, *op.parameters.names)
    if not takes_positionally(function, len(parameters)):
        raise ValueError(
            f"a function that cannot take {len(parameters)} parameters by position;"
            f" write `def _({', '.join(parameters)})`"
        )
