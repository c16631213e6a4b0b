"""`op` and `gated`: a function becomes an op, and every gate of it is resolved there and then."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ParamSpec, Protocol, TypeVar, cast, overload

from .codegen import generate
from .declared import DeclaredOp
from .dispatch import dispatch, explain_missing_device
from .features import is_enabled
from .parameters import parameters_of
from .registration import check_backend, declaring, kernel_decorator, register_op, register_vjp
from .source import source_of
from .spec import Gate

P = ParamSpec("P")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Gated:
    """An arm of a declaration that is there only if `feature` is on when the declaration runs; made by `gated`."""

    backend: str | None
    feature: str


class Op(Protocol[P, R_co]):
    """What `op` makes of a function: a function of the same signature, to which kernels and a rule are added."""

    __name__: str
    __qualname__: str
    __opcheck__: DeclaredOp

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co:
        """Run the kernel of the backend that the array inputs are on."""
        ...

    def kernel(self, backend: str) -> Callable[[F], F]:
        """Register the decorated function as the kernel of `backend`.

        It gets every parameter by position, defaults filled in. Raises DeclarationError for a backend that is not
        declared, a second kernel of one backend, or a function that cannot take the parameters.
        """
        ...

    def vjp(self, rule: F) -> F:
        """Register the derivative rule (a vector-Jacobian product): `rule(grad, out, *parameters)`.

        `grad` has the shape of `out`. The rule returns a tuple with one gradient, of the input's shape, or None for
        each float array parameter in order (for a single one, also the bare gradient). Raises DeclarationError for an
        op declared without autodiff, a second rule, or a function that cannot take the parameters.
        """
        ...


@overload
def gated(backend: str, *, feature: str) -> Gated: ...
@overload
def gated(*, feature: str) -> Gated: ...
def gated(backend: str | None = None, *, feature: str) -> Gated:
    """Put a backend of `backends=[...]`, or with no backend the `autodiff`, behind a feature.

    The gate is resolved when the declaration runs: a feature enabled later does not open it.
    """
    return Gated(backend, feature)


def op(
    *,
    backends: Iterable[str | Gated],
    autodiff: bool | Gated = False,
    unsupported: Mapping[str, str] | None = None,
) -> Callable[[Callable[P, R]], Op[P, R]]:
    """Declare the decorated function as an op.

    `backends` lists "numpy", "cupy", or either of them `gated`; `autodiff` says whether the op has a derivative;
    `unsupported` maps a backend left out on purpose to the reason. The function's own body is the kernel of every
    listed backend without one of its own; a body of `...` or a docstring alone is none.

    Raises DeclarationError, with file and line, for a declaration that cannot be meant.
    """
    listed = backends if isinstance(backends, str) else tuple(backends)

    def decorate(function: Callable[P, R]) -> Op[P, R]:
        with declaring(function.__name__, source_of(function)):
            declared, public = _declare(function, listed, autodiff, unsupported or {})
            register_op(declared)
        return cast("Op[P, R]", public)

    return decorate


def _declare(
    function: Callable[..., Any],
    backends: Iterable[str | Gated],
    autodiff: bool | Gated,
    unsupported: Mapping[str, str],
) -> tuple[DeclaredOp, Callable[..., Any]]:
    """Make an op of `function`; gives what is declared, and the function to call."""
    declared = DeclaredOp(
        function,
        parameters=parameters_of(function),
        arms=_arms(backends),
        autodiff=_derivative_gate(autodiff),
        unsupported=dict(unsupported),
    )
    _check_left_out(declared)
    _check_routable(declared)
    public: Any = generate(
        function,
        declared.parameters,
        table=declared.table,
        dispatch=partial(dispatch, declared),
        explain=partial(explain_missing_device, declared),
    )
    public.kernel = partial(kernel_decorator, declared)
    public.vjp = partial(register_vjp, declared)
    public.__opcheck__ = declared
    return declared, public


def _arms(backends: Iterable[str | Gated]) -> dict[str, Gate]:
    if isinstance(backends, str):
        raise TypeError(f'`backends` is a list: write backends=["{backends}"]')
    arms: dict[str, Gate] = {}
    for entry in backends:
        backend, gate = _arm(entry)
        check_backend(backend)
        if backend in arms:
            raise ValueError(f"`{backend}` is listed twice; keep one of the two")
        arms[backend] = gate
    return arms


def _arm(entry: str | Gated) -> tuple[str, Gate]:
    if not isinstance(entry, Gated):
        return entry, Gate()
    if entry.backend is None:
        raise ValueError(f'a gate in `backends` names no backend; write gated("cupy", feature="{entry.feature}")')
    return entry.backend, _gate(entry.feature)


def _derivative_gate(autodiff: bool | Gated) -> Gate | None:
    if not isinstance(autodiff, Gated):
        return Gate() if autodiff else None
    if autodiff.backend is not None:
        raise ValueError(f'`autodiff` is not gated by backend; write gated(feature="{autodiff.feature}")')
    return _gate(autodiff.feature)


def _gate(feature: str) -> Gate:
    if not feature:
        raise ValueError("a gate names no feature; give it one")
    return Gate(feature, is_enabled(feature))


def _check_left_out(op: DeclaredOp) -> None:
    for backend, reason in op.unsupported.items():
        check_backend(backend)
        if backend in op.arms:
            raise ValueError(f"`{backend}` is listed and left out as unsupported; keep one of the two")
        if not reason:
            raise ValueError(f"`{backend}` is left out without a reason; say why")


def _check_routable(op: DeclaredOp) -> None:
    if op.parameters.arrays or (len(op.arms) == 1 and op.autodiff is None):
        return
    raise ValueError(
        "no parameter is an array, so nothing chooses a backend or can be differentiated; annotate one as"
        " FloatArray, IntArray, BoolArray or Array, or list exactly one backend and no autodiff"
    )
