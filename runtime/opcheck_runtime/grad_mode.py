"""`no_grad`: calls with tracked inputs run untracked. Only such calls ever ask, so that others pay nothing."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, Final, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])

_DEPTH: Final = ContextVar("opcheck_no_grad_depth", default=0)
"""How many `no_grad` blocks the running thread or task is in. A count needs no token, so that one object can be
entered again, and by several threads and tasks at once."""


class NoGrad:
    """What `no_grad()` gives: a context manager and a decorator, without state of its own."""

    def __enter__(self) -> None:
        _DEPTH.set(_DEPTH.get() + 1)

    def __exit__(self, *exc_info: object) -> None:
        _DEPTH.set(_DEPTH.get() - 1)

    def __call__(self, function: F) -> F:
        """Run every call of `function`, or every await of a coroutine function, inside the block.

        Raises TypeError for generators, whose callers would run inside the block as well.
        """
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            raise TypeError(f"no_grad() cannot decorate the generator `{function.__name__}`; use `with` inside it")
        wrapper = self._awaiting(function) if inspect.iscoroutinefunction(function) else self._calling(function)
        return cast("F", functools.wraps(function)(wrapper))

    def _calling(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            with self:
                return function(*args, **kwargs)

        return call

    def _awaiting(self, function: Callable[..., Any]) -> Callable[..., Any]:
        async def call(*args: Any, **kwargs: Any) -> Any:
            with self:
                return await function(*args, **kwargs)

        return call


def no_grad() -> NoGrad:
    """Make calls of ops untracked: with tracked inputs they give plain arrays and record nothing.

    Use it as `with no_grad():` or `@no_grad()`, also over a coroutine function. It holds for the running thread or
    task alone.
    """
    return NoGrad()


def is_recording() -> bool:
    """True outside every `no_grad` block of this thread or task."""
    return _DEPTH.get() <= 0
