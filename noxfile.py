"""The tests on every Python that is supported: `nox`, or one of them with `nox -s tests-3.12`."""

from __future__ import annotations

import nox

nox.options.error_on_missing_interpreters = False
nox.options.reuse_venv = "yes"


@nox.session(python=["3.11", "3.12", "3.13"])
def tests(session: nox.Session) -> None:
    """Run the tests; what comes after `--` goes to pytest."""
    session.install("-e", ".[dev]")
    session.run("python", "-m", "pytest", *session.posargs)
