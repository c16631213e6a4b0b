"""What adapters ask of values."""

from __future__ import annotations

import ast

from tests.symbolic.conftest import Run

from opcheck.symbolic.values import Arguments, Handle


def test_an_argument_stands_where_it_is_written_or_at_its_call() -> None:
    call, first, named = ast.Pass(), ast.Name("a"), ast.Name("b")
    arguments = Arguments([1], {"b": 2}, call, {0: first, "b": named})

    assert arguments.expression(0, "a") is first
    assert arguments.expression(None, "b") is named
    assert arguments.expression(1, "b") is named
    assert arguments.expression(2, "c") is call


def test_an_object_of_an_adapter_is_named_after_its_class() -> None:
    assert Handle().describe() == "<Handle>"


def test_a_record_is_the_same_as_that_of_its_class(run: Run) -> None:
    (reached,) = run("probe(1)").reached(1)

    assert reached.of(tuple) is reached
