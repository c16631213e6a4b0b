"""Ops that several tests differentiate."""

from __future__ import annotations

from typing import Any

from opcheck_runtime import FloatArray, op


@op(backends=["numpy", "cupy"], autodiff=True)
def total(x: FloatArray) -> FloatArray:
    return x.sum()


@total.vjp
def _(grad: Any, _out: Any, x: Any) -> Any:
    return grad + 0 * x
