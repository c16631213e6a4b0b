"""What dispatch costs, beside the peers: ratios over the bare function, paired in one process.

Run it with the runtime on the path, in an environment of its own that has the peers:

    python -m pip install numpy multipledispatch plum-dispatch ovld autoray array-api-compat autograd
    PYTHONPATH=runtime python tests/benchmarks/dispatch.py

A peer that is not installed is skipped, and said so. With CuPy and a GPU there, a CuPy add is measured as well. Each
round times every candidate once, in turn, over the same number of calls; a ratio is the median over the rounds of
candidate / bare function, so that what slows a whole round down cancels out.
"""

from __future__ import annotations

import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial, singledispatch
from importlib import import_module
from importlib.util import find_spec
from typing import Any, cast

import numpy as np

from opcheck_runtime import FloatArray, op, track

ROUNDS = 41
CALLS = 4000
PEERS = {
    "multipledispatch": "multipledispatch",
    "plum": "plum-dispatch",
    "ovld": "ovld",
    "autoray": "autoray",
    "array_api_compat": "array-api-compat",
    "autograd": "autograd",
}

Candidate = Callable[[Any, Any], Any]


def bare(x: Any, y: Any) -> Any:
    """Add without any dispatch: what every candidate ends in, on NumPy arrays."""
    return np.add(x, y)


@op(backends=["numpy", "cupy"], autodiff=True)
def checked(x: FloatArray, y: FloatArray) -> FloatArray:
    """x + y by opcheck's runtime."""


@checked.kernel("numpy")
def _(x: Any, y: Any) -> Any:
    return np.add(x, y)


@checked.kernel("cupy")
def _(x: Any, y: Any) -> Any:
    return sys.modules["cupy"].add(x, y)


@checked.vjp
def _(grad: Any, _out: Any, _x: Any, _y: Any) -> tuple[Any, Any]:
    return grad, grad


def by_singledispatch() -> Candidate:
    """Look at the first argument alone."""

    @singledispatch
    def add(x: Any, y: Any) -> Any:
        raise NotImplementedError

    add.register(np.ndarray, bare)
    return add


def by_multipledispatch() -> Candidate:
    """Look at both arguments."""
    dispatcher = import_module("multipledispatch").Dispatcher("add")
    dispatcher.add((np.ndarray, np.ndarray), bare)
    return as_candidate(dispatcher)


def by_plum() -> Candidate:
    """Look at both arguments."""
    return as_candidate(import_module("plum").Dispatcher()(annotated(np.ndarray)))


def by_ovld() -> Candidate:
    """Look at both arguments, of two types: with one there would be nothing to choose."""
    ovld = import_module("ovld").Ovld()
    ovld.register(annotated(np.ndarray))
    ovld.register(annotated(str))
    return as_candidate(ovld.dispatch)


def by_autoray() -> Candidate:
    """Look at the first argument alone."""
    return partial(import_module("autoray").do, "add")


def by_array_api_compat() -> Candidate:
    """Look at both arguments."""
    array_namespace = import_module("array_api_compat").array_namespace
    return lambda x, y: array_namespace(x, y).add(x, y)


def annotated(cls: type) -> Candidate:
    """Make a bare add whose parameters are annotated with `cls`, for dispatchers that read annotations."""

    def add(x: Any, y: Any) -> Any:
        return np.add(x, y)

    add.__annotations__ = {"x": cls, "y": cls}
    return add


def as_candidate(function: Any) -> Candidate:
    """Give an untyped callable a type."""
    return cast("Candidate", function)


BOTH, FIRST = "both inputs", "first input"
UNTRACKED: dict[str, tuple[str, str, Callable[[], Candidate]]] = {
    "opcheck_runtime": ("opcheck_runtime", BOTH, lambda: checked),
    "singledispatch": ("functools", FIRST, by_singledispatch),
    "ovld": ("ovld", BOTH, by_ovld),
    "plum": ("plum", BOTH, by_plum),
    "multipledispatch": ("multipledispatch", BOTH, by_multipledispatch),
    "autoray.do": ("autoray", FIRST, by_autoray),
    "array_api_compat.array_namespace": ("array_api_compat", BOTH, by_array_api_compat),
}


def seconds(function: Candidate, x: Any, y: Any) -> float:
    """Time CALLS calls, in seconds of this thread's processor time."""
    start = time.thread_time()
    for _ in range(CALLS):
        function(x, y)
    return time.thread_time() - start


def ratios(candidates: dict[str, Callable[[], float]], floor: str) -> dict[str, list[float]]:
    """Time every candidate in turn, round after round; gives each one's ratios over `floor`."""
    rounds = [{name: measure() for name, measure in candidates.items()} for _ in range(ROUNDS)]
    return {name: [each[name] / each[floor] for each in rounds] for name in candidates}


def cell(values: list[float]) -> str:
    """Write a median with its quartiles."""
    low, middle, high = statistics.quantiles(values, n=4)
    return f"{middle:.2f} ({low:.2f} to {high:.2f})"


def installed() -> dict[str, tuple[str, Candidate]]:
    """Make every candidate whose package is there."""
    return {name: (inputs, make()) for name, (module, inputs, make) in UNTRACKED.items() if is_there(module)}


def untracked_table() -> Iterator[str]:
    """Measure an untracked call at sizes 1 and 1000."""
    candidates = installed()
    yield "| dispatcher | looks at | size 1 | size 1000 |"
    yield "|---|---|---:|---:|"
    found = [_untracked_ratios(candidates, np.ones(size)) for size in (1, 1000)]
    for name, (inputs, _) in candidates.items():
        yield f"| {name} | {inputs} | {' | '.join(cell(by_name[name]) for by_name in found)} |"


def _untracked_ratios(candidates: dict[str, tuple[str, Candidate]], x: Any) -> dict[str, list[float]]:
    functions = {"bare": bare} | {name: function for name, (_, function) in candidates.items()}
    y = x.copy()
    return ratios({name: partial(seconds, f, x, y) for name, f in functions.items()}, "bare")


def recorded_table() -> Iterator[str]:
    """Measure an add with one tracked input, beside HIPS autograd's add of a box."""
    yield "| recorded add | size 1 | size 1000 |"
    yield "|---|---:|---:|"
    found = [_recorded_ratios(np.ones(size)) for size in (1, 1000)]
    for name in ("opcheck_runtime", "autograd"):
        yield f"| {name} | {' | '.join(cell(by_name[name]) for by_name in found)} |"


def _recorded_ratios(x: Any) -> dict[str, list[float]]:
    autograd, tracer = import_module("autograd"), import_module("autograd.tracer")
    y, tracked = x.copy(), track(x)
    with tracer.trace_stack.new_trace() as trace:
        box = tracer.new_box(x, trace, import_module("autograd.core").VJPNode.new_root())
        candidates = {
            "bare": lambda: seconds(bare, x, y),
            "opcheck_runtime": lambda: seconds(checked, tracked, y),
            "autograd": lambda: seconds(autograd.numpy.add, box, y),
        }
        return ratios(candidates, "bare")


def cupy_table() -> Iterator[str]:
    """Measure a CuPy add, launched and not waited for, through the runtime."""
    yield "| CuPy add | size 1 | size 1000 |"
    yield "|---|---:|---:|"
    found = [_cupy_ratios(import_module("cupy"), size) for size in (1, 1000)]
    yield f"| opcheck_runtime | {' | '.join(cell(by_name['opcheck_runtime']) for by_name in found)} |"


def _cupy_ratios(cupy: Any, size: int) -> dict[str, list[float]]:
    x, y = cupy.ones(size), cupy.ones(size)

    def launches(function: Candidate) -> float:
        taken = seconds(function, x, y)
        cupy.cuda.get_current_stream().synchronize()
        return taken

    def bare_on_gpu(x: Any, y: Any) -> Any:
        return cupy.add(x, y)

    candidates = {"bare": lambda: launches(bare_on_gpu), "opcheck_runtime": lambda: launches(checked)}
    return ratios(candidates, "bare")


def has_gpu() -> bool:
    """True if CuPy is installed and finds a GPU."""
    return is_there("cupy") and bool(import_module("cupy").is_available())


def is_there(module: str) -> bool:
    """True if `module` is installed."""
    return find_spec(module) is not None


def main() -> None:
    """Print the tables, and what was left out."""
    lines = [
        f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, NumPy {np.__version__},"
        f" {ROUNDS} rounds of {CALLS} calls: median ratio over the bare function (quartiles)\n",
        *untracked_table(),
    ]
    if is_there("autograd"):
        lines += ["", *recorded_table()]
    if has_gpu():
        lines += ["", *cupy_table()]
    absent = [package for module, package in PEERS.items() if not is_there(module)]
    lines += ["", f"not installed, skipped: {', '.join(absent) or 'none'}"]
    lines += [f"CuPy on a GPU: {'measured' if has_gpu() else 'not here, skipped'}"]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
