"""The linter reading a declaration and the runtime executing it answer alike, for every backend and context."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from opcheck.config import unconfigured
from opcheck.discovery import files_at
from opcheck.read import read
from opcheck.reading import Reading
from opcheck.symbolic.facts import facts
from opcheck_rules.model.project import Status
from opcheck_rules.model.table import LiveCell, Table
from opcheck_rules.model.target import Target
from opcheck_runtime import AutodiffNotSupportedError, BackendNotSupportedError, track
from opcheck_runtime.state import ENABLED_FEATURES, OPS

BACKENDS = ("numpy", "cupy")
FEATURES = ("gpu", "fast")
CupyArray = type("ndarray", (), {"__module__": "cupy", "dtype": np.dtype("f8"), "shape": (1,)})


@dataclass(frozen=True)
class Program:
    """A module's source, and the features its machine enables."""

    source: str
    features: tuple[str, ...]
    ops: int


def _quoted(feature: str | None, backend: str | None = None) -> str:
    if feature is None:
        return repr(backend)
    return f"gated({backend!r}, feature={feature!r})" if backend else f"gated(feature={feature!r})"


@st.composite
def _backends(draw: st.DrawFn, name: str) -> tuple[list[str], str, list[str]]:
    """The lines before a declaration, its backend list as an expression, and the backends listed."""
    listed = draw(st.lists(st.sampled_from(BACKENDS), unique=True, min_size=1))
    gates = [draw(st.none() | st.sampled_from(FEATURES)) for _ in listed]
    entries = [_quoted(gate, backend) for gate, backend in zip(gates, listed, strict=True)]
    form = draw(st.sampled_from(["list", "tuple", "constant", "joined", "unpacked", "guarded", "function", "loop"]))
    whole = f"[{', '.join(entries)}]"
    if form == "tuple":
        return [], f"({', '.join(entries)},)", listed
    if form == "constant":
        return [f"{name}_BACKENDS = {whole}"], f"{name}_BACKENDS", listed
    if form == "joined":
        return [f"{name}_HEAD = [{entries[0]}]"], f"{name}_HEAD + [{', '.join(entries[1:])}]", listed
    if form == "unpacked":
        return [f"{name}_TAIL = ({''.join(e + ', ' for e in entries[1:])})"], f"[{entries[0]}, *{name}_TAIL]", listed
    if form == "guarded":
        flag = draw(st.booleans())
        lines = [
            f"{name}_LIST = {whole}",
            f"{name}_FLAG = {flag}",
            f"if not {name}_FLAG:",
            f"    {name}_LIST = {whole}[:1]",
        ]
        return lines, f"{name}_LIST", listed if flag else listed[:1]
    if form == "function":
        return (
            [f"def {name}_list(*items, extra=()):", "    return [*items, *extra]"],
            f"{name}_list({', '.join(entries)})",
            listed,
        )
    if form == "loop":
        lines = [f"{name}_LOOP = []", f"for entry in {whole}:", f"    {name}_LOOP.append(entry)"]
        return lines, f"{name}_LOOP", listed
    return [], whole, listed


@st.composite
def _op(draw: st.DrawFn, name: str) -> list[str]:
    lines, expression, listed = draw(_backends(name))
    autodiff = draw(st.sampled_from(["False", "True", *(_quoted(f) for f in FEATURES)]))
    left_out = [b for b in BACKENDS if b not in listed and draw(st.booleans())]
    unsupported = f", unsupported={{{left_out[0]!r}: 'not ported'}}" if left_out else ""
    body = draw(
        st.sampled_from(["...", "pass", '"""Documented."""', "return", "return x", "raise NotImplementedError"])
    )
    lines += [
        f"@op(backends={expression}, autodiff={autodiff}{unsupported})",
        f"def {name}(x: FloatArray, y: 'FloatArray | None' = None, scale: float = 1.0) -> FloatArray:",
        f"    {body}",
    ]
    for backend in listed:
        lines += draw(_kernel(name, backend))
    if autodiff != "False" and draw(st.booleans()):
        lines += [f"@{name}.vjp", "def _(grad, out, x, y, scale): return grad, None"]
    return lines


@st.composite
def _kernel(draw: st.DrawFn, name: str, backend: str) -> list[str]:
    """A kernel for one backend, plain or guarded, or none."""
    register = [f"@{name}.kernel({backend!r})", "def _(x, y, scale): return x"]
    form = draw(st.sampled_from(["none", "plain", "called", "if", "import", "failed import", "else", "helper"]))
    if form == "plain":
        return register
    if form == "called":
        return [f"{name}.kernel({backend!r})(lambda x, y, scale: x)"]
    if form == "if":
        return [f"ON = {draw(st.booleans())}", "if ON:", *(f"    {line}" for line in register)]
    if form == "else":
        return ["import sys", "if sys.platform == 'win32':", "    pass", "else:", *(f"    {line}" for line in register)]
    if form in ("import", "failed import"):
        wanted = "math" if form == "import" else "numpy.no_such_module_at_all"
        guard = f"import {wanted}" if form == "import" else "raise ImportError('not built')"
        return [
            "try:",
            f"    {guard}",
            "except ImportError:",
            "    pass",
            "else:",
            *(f"    {line}" for line in register),
        ]
    if form == "helper":
        return [
            f"def add_{name}(backend, op={name}):",
            "    op.kernel(backend)(lambda x, y, scale: x)",
            f"add_{name}({backend!r})",
        ]
    return []


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """A module that declares a few ops, with features enabled before, between and after them."""
    count = draw(st.integers(1, 3))
    lines = ["from opcheck_runtime import FloatArray, enable_features, gated, op"]
    for i in range(count):
        lines += [f"enable_features({draw(st.sampled_from(FEATURES))!r})"] * draw(st.booleans())
        lines += draw(_op(f"op_{i}"))
    lines += [f"enable_features({draw(st.sampled_from(FEATURES))!r})"] * draw(st.booleans())
    features = draw(st.lists(st.sampled_from(FEATURES), unique=True))
    return Program("\n".join(lines) + "\n", tuple(features), count)


def _execute(program: Program) -> dict[str, Any]:
    """The module's namespace, as running it on a machine with the program's features leaves it."""
    OPS.clear()
    ENABLED_FEATURES.clear()
    namespace: dict[str, Any] = {"__name__": "generated"}
    with mock.patch.dict(os.environ, {"OPCHECK_FEATURES": ",".join(program.features)}):
        exec(compile(program.source, "generated.py", "exec"), namespace)
    return namespace


def _read(program: Program, folder: Path) -> Reading:
    path = folder / "generated.py"
    path.write_text(program.source)
    return read(unconfigured(folder), files_at(folder, (path,), frozenset({path})))


def _raised(call: Any, *arguments: Any) -> BaseException | None:
    try:
        call(*arguments)
    except Exception as error:
        return error
    return None


def _live_cells(reading: Reading, program: Program) -> Iterator[tuple[str, LiveCell]]:
    target = Target("machine", BACKENDS, features=program.features)
    table = Table(reading.project, target, facts(target, reading.environment))
    for op in reading.project.ops:
        for cell in op.cells.values():
            yield op.own_name, table.live(op, cell)


def _check(live: LiveCell, op: Any, array: Any) -> None:
    """Hold one cell of the linter's table against calling the op."""
    tracked = live.cell.context == "autodiff"
    expected = AutodiffNotSupportedError if tracked else BackendNotSupportedError
    raised = _raised(op, track(array) if tracked else array)
    refused = isinstance(raised, expected)
    assert refused is (live.status in (Status.HOLE, Status.EXCLUDED)), (live.status, raised)
    if refused:
        error = live.outcomes[0].outcome.error
        assert error is not None
        assert str(raised).startswith(error.message)
        assert type(raised).__name__ == error.type


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder to write each module to."""
    return tmp_path_factory.mktemp("generated")


@pytest.fixture(autouse=True)
def _restored_state() -> Iterator[None]:
    before = dict(OPS), set(ENABLED_FEATURES)
    yield
    OPS.clear()
    OPS.update(before[0])
    ENABLED_FEATURES.clear()
    ENABLED_FEATURES.update(before[1])


@given(program=programs())
@settings(max_examples=2000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_reading_agrees_with_executing(program: Program, folder: Path) -> None:
    namespace = _execute(program)
    arrays = {"numpy": np.ones(1), "cupy": CupyArray()}
    checked = 0
    for name, live in _live_cells(_read(program, folder), program):
        forward = _raised(namespace[name], arrays[live.cell.backend])
        if live.cell.context == "forward" or not isinstance(forward, BackendNotSupportedError):
            _check(live, namespace[name], arrays[live.cell.backend])
        checked += 1
    assert checked == 4 * program.ops
    assert sys.getrecursionlimit() < 20_000
