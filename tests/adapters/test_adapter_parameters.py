"""Whether a function can take what its op passes on, and what Python says where it can't."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .adapter_findings import findings


def found(folder: Path, schema: str, function: str, how: str = 'impl("ns::op", "cpu", {})') -> list[dict[str, Any]]:
    text = f"""
    import torch
    torch.library.define("ns::op", "{schema}")
    torch.library.{how.format(function)}
    """
    return findings(folder, "OPC406", text, "--backend", "cpu")


@pytest.mark.parametrize(
    ("schema", "function", "raised"),
    [
        ("(Tensor x) -> Tensor", "lambda: 1", "<lambda>() takes 0 positional arguments but 1 was given"),
        ("(Tensor x, Tensor y) -> Tensor", "lambda x: x", "<lambda>() takes 1 positional argument but 2 were given"),
        (
            "(Tensor x, Tensor y, Tensor z) -> Tensor",
            "lambda x, y=1: x",
            "<lambda>() takes from 1 to 2 positional arguments but 3 were given",
        ),
        ("(Tensor x) -> Tensor", "lambda x, y: x", "<lambda>() missing 1 required positional argument: 'y'"),
        (
            "(Tensor x, int a=1, int b=2) -> Tensor",
            "lambda x, a, b: x",
            "<lambda>() missing 2 required positional arguments: 'a' and 'b'",
        ),
        (
            "(Tensor x) -> Tensor",
            "lambda x, a, b, c: x",
            "<lambda>() missing 3 required positional arguments: 'a', 'b', and 'c'",
        ),
        ("(Tensor x, *, int k) -> Tensor", "lambda x: x", "<lambda>() got an unexpected keyword argument 'k'"),
        (
            "(Tensor x, *, int k=1) -> Tensor",
            "lambda x, *, k: x",
            "<lambda>() missing 1 required keyword-only argument: 'k'",
        ),
        ("(Tensor x) -> Tensor", "lambda x, *, k: x", "<lambda>() missing 1 required keyword-only argument: 'k'"),
        ("(Tensor x, *, int k) -> Tensor", "lambda x, j: x", "<lambda>() got an unexpected keyword argument 'k'"),
    ],
)
def test_python_says_what_is_wrong(tmp_path: Path, schema: str, function: str, raised: str) -> None:
    (finding,) = found(tmp_path, schema, function)

    assert finding["predicted_error"] == {"when": "call", "type": "TypeError", "message": raised}
    assert finding["severity"] == "error"


@pytest.mark.parametrize(
    ("schema", "function"),
    [
        ("(Tensor x, int a=1) -> Tensor", "lambda x: x"),
        ("(Tensor x, *, int k=1) -> Tensor", "lambda x: x"),
    ],
)
def test_a_call_that_leaves_the_argument_out_is_right(tmp_path: Path, schema: str, function: str) -> None:
    assert [finding["severity"] for finding in found(tmp_path, schema, function)] == ["warning"]


@pytest.mark.parametrize(
    ("schema", "function"),
    [
        ("(Tensor x, int a=1) -> Tensor", "lambda tensor, number=1: tensor"),
        ("(Tensor x, Tensor y) -> Tensor", "lambda *tensors: tensors[0]"),
        ("(Tensor x, *, int k) -> Tensor", "lambda x, k: x"),
        ("(Tensor x, *, int k) -> Tensor", "lambda x, **rest: x"),
        ("(Tensor x) -> Tensor", "lambda x, more=None, *, flag=False: x"),
        ("(Tensor x) -> Tensor", "lambda keyset, x: x"),
        ("(Tensor x) -> Tensor", "torch.clone"),
        ("(Tensor[2](a!) x, int[2] size=[1, 2], str s='a') -> ()", "lambda x, size=(1, 2), s='a': None"),
    ],
)
def test_names_by_position_and_all_that_is_optional_are_free(tmp_path: Path, schema: str, function: str) -> None:
    assert not found(tmp_path, schema, function)


@pytest.mark.parametrize(
    ("returns", "formula", "count"),
    [
        ("Tensor", "lambda ctx, grad: grad", 0),
        ("Tensor", "lambda ctx, *grads: grads", 0),
        ("Tensor[]", "lambda ctx, grads: grads", 0),
        ("(Tensor, Tensor)", "lambda ctx, grad: grad", 1),
        ("()", "lambda ctx: None", 0),
    ],
)
def test_a_formula_takes_a_gradient_for_each_result(tmp_path: Path, returns: str, formula: str, count: int) -> None:
    assert len(found(tmp_path, f"(Tensor x) -> {returns}", formula, 'register_autograd("ns::op", {})')) == count


def test_a_result_whose_type_was_not_read_may_be_several(tmp_path: Path) -> None:
    text = """
    import torch
    from results import Results

    @torch.library.custom_op("ns::op", mutates_args=())
    def op(x: torch.Tensor) -> Results: ...

    op.register_autograd(lambda ctx, one, two: one)
    """
    assert not findings(tmp_path, "OPC406", text, "--backend", "cpu")


def test_an_op_of_several_schemas_is_not_judged(tmp_path: Path) -> None:
    text = """
    import torch
    if torch.cuda.is_available():
        torch.library.define("ns::op", "(Tensor x) -> Tensor")
    else:
        torch.library.define("ns::op", "(Tensor x, Tensor y) -> Tensor")
    torch.library.impl("ns::op", "cpu", lambda x: x)
    """
    assert not findings(tmp_path, "OPC406", text, "--backend", "cpu")


def test_a_batching_rule_is_called_otherwise(tmp_path: Path) -> None:
    assert not found(tmp_path, "(Tensor x) -> Tensor", "lambda info, in_dims, x: x", 'register_vmap("ns::op", {})')


def test_a_function_inside_another_is_named_by_its_place(tmp_path: Path) -> None:
    text = """
    import torch
    torch.library.define("ns::op", "(Tensor x) -> Tensor")

    def setup():
        @torch.library.impl("ns::op", "cpu")
        def kernel(x, y):
            return x

    setup()
    """
    (finding,) = findings(tmp_path, "OPC406", text, "--backend", "cpu")

    message = "setup.<locals>.kernel() missing 1 required positional argument: 'y'"
    assert finding["predicted_error"]["message"] == message


def test_a_native_op_declared_for_two_machines_is_not_judged(tmp_path: Path) -> None:
    text = """
    import os
    from opcheck_runtime import FloatArray, op
    if "FAST" in os.environ:
        @op(backends=["numpy"])
        def scale(x: FloatArray) -> FloatArray: ...
    else:
        @op(backends=["numpy"])
        def scale(x: FloatArray, by: float) -> FloatArray: ...

    @scale.kernel("numpy")
    def _(x):
        return x
    """
    assert not findings(tmp_path, "OPC406", text, "--backend", "numpy")
