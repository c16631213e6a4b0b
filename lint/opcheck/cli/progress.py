"""A sign of life, where there is someone to see it."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Final

from .console import wants_colour

_PATIENCE: Final = 1.0
_ERASED: Final = "\r\x1b[K"


@contextmanager
def progress(text: str) -> Generator[None]:
    """Say on a terminal, from the second second on, what is being done; the line is gone when that is done."""
    if not _is_watched():
        yield
        return
    done = Event()
    teller = Thread(target=_tell, args=(text, done), daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()


def _is_watched() -> bool:
    # A commit hook runs on a terminal that its output is only replayed on.
    return sys.stderr.isatty() and wants_colour(sys.stderr) and "PRE_COMMIT" not in os.environ


def _tell(text: str, done: Event) -> None:
    seconds = 0
    while not done.wait(_PATIENCE):
        seconds += 1
        _write(f"{_ERASED}{text} ({seconds} s)")
    if seconds:
        _write(_ERASED)


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
