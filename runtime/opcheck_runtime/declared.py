"""One declared op: what its declaration says, what was registered for it since, and its type table."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from .parameters import Parameters, by_position, does_nothing
from .source import Source, source_of
from .spec import Declaration, Gate

Callee: TypeAlias = Callable[..., Any]
"""What a call reaches in the end: it takes every parameter by position."""


class DeclaredOp:
    """An op with its kernels and derivative rule.

    `table` maps the type that all array inputs share, and the tuple of their types, to what such a call reaches. It is
    filled by first calls and emptied by registrations, both under `lock`, so that it never keeps an older answer.
    """

    def __init__(
        self,
        function: Callee,
        *,
        parameters: Parameters,
        arms: Mapping[str, Gate],
        autodiff: Gate | None,
        unsupported: Mapping[str, str],
    ) -> None:
        self.function = function
        self.name = function.__name__
        self.qualified_name = f"{function.__module__}.{function.__qualname__}"
        self.source: Source = source_of(function)
        self.parameters = parameters
        self.arms = arms
        self.autodiff = autodiff
        self.unsupported = unsupported
        self.body = by_position(function, parameters)
        self.has_body = not does_nothing(inspect.unwrap(function))
        self.kernels: dict[str, Callee] = {}
        self.vjp: Callee | None = None
        self.table: dict[Any, Callee] = {}
        self.lock = threading.Lock()

    @property
    def declaration(self) -> Declaration:
        """The declaration as it stands now, for `route`."""
        return Declaration(
            name=self.name,
            arms=self.arms,
            kernels=frozenset(self.kernels),
            has_body=self.has_body,
            autodiff=self.autodiff,
            has_vjp=self.vjp is not None,
            unsupported=self.unsupported,
        )

    def add_kernel(self, backend: str, kernel: Callee) -> None:
        """Serve `backend` by `kernel` from the next call on."""
        with self.lock:
            self.kernels[backend] = kernel
            self.table.clear()

    def add_vjp(self, rule: Callee) -> None:
        """Differentiate by `rule` from the next call on."""
        with self.lock:
            self.vjp = rule
            self.table.clear()
