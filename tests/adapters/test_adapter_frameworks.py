"""The native dispatcher as the linter knows it is the one that runs."""

from __future__ import annotations

from opcheck.adapters.native.framework import NATIVE
from opcheck_runtime.spec import BACKENDS


def test_the_linter_knows_every_backend_of_the_runtime() -> None:
    assert NATIVE.backends == BACKENDS
