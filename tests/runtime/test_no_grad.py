"""`no_grad` holds for one thread or task, as a block and as a decorator."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from typing import Any

import numpy as np
import pytest

from opcheck_runtime import FloatArray, Tracked, no_grad, op, track


@op(backends=["numpy", "cupy"])
def forward_only(x: FloatArray) -> FloatArray:
    return 2 * x


def _is_recorded() -> bool:
    return isinstance(track(np.ones(1)) + 1.0, Tracked)


def test_inside_it_calls_are_untracked() -> None:
    with no_grad():
        assert not _is_recorded()
    assert _is_recorded()


def test_inside_it_an_op_without_a_derivative_takes_tracked_values(xp: Any) -> None:
    with no_grad():
        assert type(forward_only(track(xp.ones(1)))) is xp.ndarray


def test_blocks_nest_even_of_one_object() -> None:
    block = no_grad()
    with block:
        with block:
            pass
        assert not _is_recorded()
    assert _is_recorded()


def test_an_exception_ends_it() -> None:
    with pytest.raises(ZeroDivisionError), no_grad():
        raise ZeroDivisionError

    assert _is_recorded()


def test_it_decorates_functions() -> None:
    @no_grad()
    def evaluate(expected: bool, *, extra: int) -> tuple[bool, int]:
        """Documented."""
        return _is_recorded() is expected, extra

    assert evaluate(False, extra=3) == (True, 3)
    assert evaluate.__doc__ == "Documented."
    assert _is_recorded()


def test_it_decorates_coroutine_functions_for_the_time_they_run() -> None:
    @no_grad()
    async def evaluate() -> bool:
        await asyncio.sleep(0)
        return _is_recorded()

    async def run() -> tuple[bool, bool]:
        pending = evaluate()
        return _is_recorded(), await pending

    assert asyncio.run(run()) == (True, False)


def _generator() -> Iterator[int]:
    yield 1


async def _async_generator() -> AsyncIterator[int]:
    yield 1


@pytest.mark.parametrize("function", [_generator, _async_generator])
def test_it_does_not_decorate_generators(function: Any) -> None:
    with pytest.raises(TypeError, match=f"cannot decorate the generator `{function.__name__}`; use `with` inside"):
        no_grad()(function)


def test_other_threads_go_on_recording() -> None:
    inside, done, seen = threading.Event(), threading.Event(), []

    def evaluate() -> None:
        with no_grad():
            inside.set()
            done.wait(10)
            seen.append(_is_recorded())

    thread = threading.Thread(target=evaluate)
    thread.start()
    assert inside.wait(10)
    seen.append(_is_recorded())
    done.set()
    thread.join(10)

    assert seen == [True, False]


def test_other_tasks_go_on_recording() -> None:
    async def evaluate(inside: asyncio.Event, done: asyncio.Event) -> bool:
        with no_grad():
            inside.set()
            await done.wait()
            return _is_recorded()

    async def run() -> list[bool]:
        inside, done = asyncio.Event(), asyncio.Event()
        task = asyncio.create_task(evaluate(inside, done))
        await inside.wait()
        outside = _is_recorded()
        done.set()
        return [outside, await task]

    assert asyncio.run(run()) == [True, False]


def test_tasks_started_inside_it_stay_inside() -> None:
    async def recorded() -> bool:
        return _is_recorded()

    async def run() -> bool:
        with no_grad():
            return await asyncio.create_task(recorded())

    assert asyncio.run(run()) is False
